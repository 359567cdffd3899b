# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of a watched dataset: what happened, and what the person can do."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from carrel.engine.watch import unclear
from carrel.engine.watch.look import Look
from carrel.model.counts import counted
from carrel.model.dark_views import WatchedRow
from carrel.model.prose import as_sentence
from carrel.translation import forms, plural, tr

NOT_LOOKED_AT = tr("Not checked yet: check it now.")
CAPTURED_SINCE = tr(
    "It was archived again after the last check: check it now to compare it with that."
)
_AGAIN = tr("Archive it again to add what is published now; earlier captures stay.")
_WEEK_S = 7 * 86_400
"""So long after a loss was first found another check confirms it."""
_FIRST = tr("It is not archived here: archive it.")
_CLOSED = tr("All files that it publishes need a login or permission: ask the depositor.")
_OTHER_RECORD = tr(
    "Open the page to see which it is. Archiving the address again adds the other record; your "
    "capture stays."
)
_OTHER_RECORD_FIRST = tr("Open the page to see which it is before you archive it.")


def unreachable(look: Look) -> str:
    """Return why no one can tell how the dataset is."""
    return f"{as_sentence(look.message)} {look.status.meaning.advice}".strip()


def with_attempt(row: WatchedRow) -> str:
    """Return what is told of a dataset, with how a later attempt to check it ended."""
    if not row.attempt:
        return row.message
    return tr(
        "{message} Whether that is still so could not be checked on the last attempt: {attempt}",
        message=row.message,
        attempt=row.attempt,
    )


def no_dataset(look: Look, captured: str | None) -> str:
    """Return what is told of an address that answers, with no dataset that Carrel recognises."""
    kept = tr("Your capture stays.") if captured else tr("It was never archived here.")
    return tr(
        "Its address answers, but no dataset is recognised there any more: it may have been "
        "withdrawn, moved, or put behind a login. {ended} {kept} Open the page to see.",
        ended=as_sentence(look.message),
        kept=kept,
    )


def never_seen(look: Look) -> str:
    """Return what is told of an address at which no check has seen a dataset."""
    return tr(
        "No check has seen a dataset at this address. {ended} Correct the address, or stop "
        "watching it.",
        ended=as_sentence(look.message),
    )


def gone(row: WatchedRow, look: Look, unrequested: int, answering: int) -> str:
    """Return what is told of a dataset that its platform does not have; and of its files only what
    their own addresses told: `answering` of them answered, `unrequested` were not requested."""
    kept = tr("Your capture stays.") if row.captured else tr("It was never archived here.")
    files = []
    if answering:
        words = forms(
            "1 file still answers at its own address.",
            "{count:,} files still answer at their own addresses.",
        )
        files.append(plural(*words, answering, count=answering))
    if unrequested:
        files.append(
            tr("The addresses of {files} were not requested.", files=counted(unrequested, "file"))
        )
    return tr(
        "The dataset is gone. {ended} {kept} {again} Search its mementos.",
        ended=" ".join([as_sentence(look.message), *files]),
        kept=kept,
        again=_on_loss(row, look),
    )


def closed(look: Look, captured: str | None) -> str:
    kept = tr("Your capture stays.") if captured else tr("It was never archived here.")
    said = as_sentence(look.message) or tr("Access to the dataset is now restricted.")
    return tr("{said} {kept} Ask the depositor, or wait.", said=said, kept=kept)


def some_closed(row: WatchedRow, total: int) -> str:
    words = tr(
        "{count:,} of {files} can no longer be had without a login or permission. What you "
        "captured stays; ask the depositor.",
        count=row.restricted,
        files=counted(total, "file"),
    )
    return f"{words}{_uncompared(row)}"


def new_version(words: str, row: WatchedRow) -> str:
    told = changes(row, ())
    beside = f" {told}." if told else ""
    return f"{words}{beside}{_beside(row)} {_how_to_archive(row)}"


def changes(row: WatchedRow, others: Sequence[str]) -> str:
    """Return what changed, as the beginning of a sentence; empty if nothing did."""
    counts = (
        *((row.changed, "changed"), (row.gone, "gone"), (row.added, "new")),
        *((row.renamed, "renamed"), (row.unlisted, "no longer listed")),
    )
    parts = [f"{counted(count, 'file')} {word}" for count, word in counts if count]
    words = ", ".join([*parts, *others])
    return words[:1].upper() + words[1:]


def changed(told: str, row: WatchedRow, look: Look, others: Sequence[str] = ()) -> str:
    if row.is_other_record:
        act = _OTHER_RECORD if row.captured else _OTHER_RECORD_FIRST
        return f"{told}.{_beside(row)} {act}"
    if row.captured and row.has_nothing_new and not others:
        words = tr("Nothing new is published, so there is nothing to archive; your capture stays.")
        again = f" {_on_loss(row, look)}" if row.gone else ""
        return f"{told}.{_beside(row)} {words}{again}"
    return f"{told}.{_beside(row)} {_how_to_archive(row)}"


def _on_loss(row: WatchedRow, look: Look) -> str:
    """Return what to do about what is gone: to tell the repository once a later check confirmed it.

    `row.lost` is the earlier look that found the same, None where this one is the first."""
    if row.lost is None:
        return tr("Check again in a week before you tell the repository.")
    day = datetime.fromtimestamp(row.lost, UTC).date().isoformat()
    if look.at - row.lost < _WEEK_S:
        return tr(
            "That was first found on {day}; check again a week after it before you tell the "
            "repository.",
            day=day,
        )
    return tr(
        "That was first found on {day}, and a check a week or more later found the same: tell the "
        "repository.",
        day=day,
    )


def same(row: WatchedRow, look: Look) -> str:
    words = tr(
        "The platform has published no change {since}. Published checksums were compared; the "
        "files were not downloaded.",
        since=_since(row),
    )
    return _with_rest(words, row, look)


def unverified(row: WatchedRow, look: Look, in_place: Collection[str]) -> str:
    """Return what is told where nothing is seen to have changed, and not every file could tell:
    the addresses of those `in_place` answer with a web page in their place."""
    pages = len(in_place)
    if not row.unverified:
        words = tr("The platform has published no change {since}.", since=_since(row))
        return _with_rest(words, row, look)
    listed = row.same + row.unverified
    words = tr(
        "The platform has published no change {since}; {unverified:,} of {files} could not be "
        "fully compared. The reason is given with each file.",
        since=_since(row),
        unverified=row.unverified,
        files=counted(listed, "file"),
    )
    if pages:
        instead = forms(
            "The address of 1 file answers with a web page in place of it.",
            "The addresses of {count:,} files answer with web pages in place of them.",
        )
        words = f"{plural(*instead, pages, count=pages)} {words}"
    return _with_rest(words, row, look, in_place)


def first(row: WatchedRow, look: Look) -> str:
    """Return what is told of the first look at a dataset that was not captured."""
    words = tr("This was the first check: later ones are compared with it.")
    return _with_rest(words, row, look)


def _how_to_archive(row: WatchedRow) -> str:
    """Return what to do to have what is published now."""
    if row.is_closed:
        return _CLOSED
    return _AGAIN if row.captured else _FIRST


def _since(row: WatchedRow) -> str:
    return tr("since it was captured") if row.captured else tr("since the first check")


def _with_rest(words: str, row: WatchedRow, look: Look, in_place: Collection[str] = ()) -> str:
    parts = [words, *_without_answer(look, in_place)]
    if look.unasked:
        parts.append(
            tr(
                "The addresses of {files} were not requested; the next check resumes there.",
                files=counted(look.unasked, "file"),
            )
        )
    if not row.captured:
        parts.append(_how_to_archive(row))
    return " ".join(parts)


def _without_answer(look: Look, in_place: Collection[str]) -> Sequence[str]:
    """Return how many addresses told nothing, apart from those of files `in_place` of which a page
    came."""
    words = [word for path, word in look.unclear.items() if path not in in_place]
    silent = sum(map(unclear.is_silent, words))
    alone = sum(map(unclear.is_left_alone, words))
    told = (
        (
            len(words) - silent - alone,
            forms(
                "The address of 1 file gave no clear answer.",
                "The addresses of {count:,} files gave no clear answer.",
            ),
        ),
        (
            silent,
            forms(
                "The address of 1 file did not answer.",
                "The addresses of {count:,} files did not answer.",
            ),
        ),
        (
            alone,
            forms(
                "The address of 1 file was not requested.",
                "The addresses of {count:,} files were not requested.",
            ),
        ),
    )
    return [plural(*each, count, count=count) for count, each in told if count]


def _beside(row: WatchedRow) -> str:
    """Return sentences about files that are closed now, and that could not be compared, to follow
    another."""
    closed = (
        tr(
            " {files} can no longer be had without a login or permission.",
            files=counted(row.restricted, "file"),
        )
        if row.restricted
        else ""
    )
    return f"{closed}{_uncompared(row)}"


def _uncompared(row: WatchedRow) -> str:
    return (
        tr(" {files} could not be fully compared.", files=counted(row.unverified, "file"))
        if row.unverified
        else ""
    )
