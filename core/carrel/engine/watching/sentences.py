# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of a watched dataset: what happened, and what the person can do."""

from collections.abc import Sequence

from carrel.engine.watching.look import Look
from carrel.model.counting import counted
from carrel.model.dark_views import WatchedRow

NOT_LOOKED_AT = "Not checked yet: check it now."
CAPTURED_SINCE = "It was archived again after the last check: check it now to compare it with that."
_AGAIN = "Archive it again to add what is published now; earlier captures stay."
_FIRST = "It is not archived here: archive it."


def unreachable(look: Look) -> str:
    """Return why nobody can tell how the dataset is."""
    return f"{_ended(look.message)} {look.status.meaning.advice}".strip()


def gone(look: Look, captured: str | None) -> str:
    kept = "Your capture stays." if captured else "It was never archived here."
    again = "Check again in a week before you tell the repository; meanwhile search its mementos."
    return f"The dataset is gone. {_ended(look.message)} {kept} {again}"


def closed(look: Look, captured: str | None) -> str:
    kept = "Your capture stays." if captured else "It was never archived here."
    said = _ended(look.message) or "Access to the dataset is now restricted."
    return f"{said} {kept} Ask the depositor, or wait."


def some_closed(count: int, total: int) -> str:
    return (
        f"Access to {count} of {counted(total, 'file')} is now restricted. Your captures of them "
        "stay; ask the depositor."
    )


def new_version(words: str, row: WatchedRow) -> str:
    told = changes(row, ())
    beside = f" {told}." if told else ""
    return f"{words}{beside}{_beside(row)} {_AGAIN if row.captured else _FIRST}"


def changes(row: WatchedRow, others: Sequence[str]) -> str:
    """Return what changed, as the beginning of a sentence; empty if nothing did."""
    counts = ((row.changed, "changed"), (row.gone, "gone"), (row.added, "new"))
    parts = [f"{counted(count, 'file')} {word}" for count, word in counts if count]
    words = ", ".join([*parts, *others])
    return words[:1].upper() + words[1:]


def changed(told: str, row: WatchedRow) -> str:
    return f"{told}.{_beside(row)} {_AGAIN if row.captured else _FIRST}"


def same(row: WatchedRow, look: Look) -> str:
    return _with_rest(f"No changes {_since(row)}.", row, look)


def unverified(row: WatchedRow, look: Look) -> str:
    """Return what is told where nothing is seen to have changed, and not every file could tell."""
    listed = row.same + row.unverified
    words = (
        f"No changes found {_since(row)}; {row.unverified:,} of {counted(listed, 'file')} could "
        "not be compared. The reason is given with each file."
    )
    return _with_rest(words, row, look)


def first(row: WatchedRow, look: Look) -> str:
    """Return what is told of the first look at a dataset that was not captured."""
    words = "This was the first check: later ones are compared with it."
    return _with_rest(words, row, look)


def _since(row: WatchedRow) -> str:
    return "since it was captured" if row.captured else "since the first check"


def _with_rest(words: str, row: WatchedRow, look: Look) -> str:
    parts = [words]
    if look.unasked:
        parts.append(f"The addresses of {counted(look.unasked, 'file')} were not requested.")
    if not row.captured:
        parts.append(_FIRST)
    return " ".join(parts)


def _beside(row: WatchedRow) -> str:
    """Return a sentence about the files that could not be compared, to follow another."""
    return f" {counted(row.unverified, 'file')} could not be compared." if row.unverified else ""


def _ended(text: str) -> str:
    """Return a message as a sentence that another can follow."""
    text = text.strip()
    return text if not text or text[-1] in ".!?" else f"{text}."
