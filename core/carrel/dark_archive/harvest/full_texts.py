# SPDX-License-Identifier: AGPL-3.0-or-later
"""The full texts that living templates name: asked for, compared, kept; and what is concluded.

One that did not come is suspect only if what came instead speaks for a loss, and lost only if a
second look, long enough after the first, says the same (a 410 says it at once). Where no host
responded at all it always takes a second run: one that restarts refuses connections, too.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from typing import Any

from carrel.dark_archive.harvest.run import Run
from carrel.dark_archive.identifiers import differ_by_slash, normal_url, unrequestable
from carrel.dark_archive.probes import Asker, Look, Payload, Question, look_at_all
from carrel.dark_archive.probes.outcomes import is_answer
from carrel.errors import NotFetchable
from carrel.ledger.dark.lookups import DueText, KnownObi
from carrel.model.dark import Content, IncidenceKind, Links, Looked, Lost, ObiKind, Version
from carrel.model.dark_flags import DOUBTFUL
from carrel.model.remarks import remark_on
from carrel.translation import forms, plural, tr

_MOST_NAMED = 20
_COUNTED = {
    IncidenceKind.APPEARANCE: "full texts appeared",
    IncidenceKind.CHANGE: "full texts changed",
    IncidenceKind.REAPPEARANCE: "full texts reappeared",
}


def ask_for_full_texts(run: Run, asker: Asker) -> bool:
    """Ask for each full text that is due; say whether none is left. Stops where the run is.

    How many were asked for is told for each series.
    """
    _name_unrequestable(run)
    done: Counter[str] = Counter()
    with closing(_looks(run, asker)) as looks:  # whatever goes wrong, no one goes on asking
        for text, look in looks:
            _take(run, text, look)
            place = _place(text)
            done[place] += 1
            words = tr("Requested {url}", url=text.url)  # others are asked already
            run.say("full texts", done[place], None, words, place)
    run.group.commit()
    return not (run.is_cancelled() and _has_left(run))


def _name_unrequestable(run: Run) -> None:
    """Count the addresses that no one can request, and tell of the first ones why not."""
    count, first = run.lookups.unrequestable(run.scope, _MOST_NAMED)
    if not count:
        return
    run.counts["full texts not requested"] = count
    for handle, address in first:
        words = tr(
            "{handle}: “{address}” is not requested. {why}",
            handle=handle,
            address=address,
            why=unrequestable(address),
        )
        run.found(words, handle)
    if (more := count - len(first)) > 0:
        texts = forms(
            "1 more address of a full text cannot be requested.",
            "{count:,} more addresses of full texts cannot be requested.",
        )
        run.found(plural(*texts, more, count=more))


def _has_left(run: Run) -> bool:
    """Say whether a full text is due that this run has not asked for."""
    before = min(run.group.run, _asked_before(run) or run.group.run)
    return any(not each.is_closed for each in run.lookups.due_texts(run.scope, before))


def _asked_before(run: Run) -> int | None:
    """Return before which number a full text must have been asked for last to be due again."""
    return run.group.run - run.terms.every_s if run.terms.every_s else None


def _looks(run: Run, asker: Asker) -> Generator[tuple[DueText, Look], None, None]:
    due = (
        (each, Question(each.url, each.format, each.media, each.size))
        for each in _open(run, _asked_before(run))
    )
    yield from look_at_all(
        asker, due, run.keeping.store.incoming, run.is_cancelled, workers=run.terms.workers
    )


def _open(run: Run, before: int | None) -> Iterator[DueText]:
    """Yield the full texts that are due and not restricted; those that are, are counted."""
    for each in run.lookups.due_texts(run.scope, before):
        if each.is_closed:
            run.counts["full texts restricted"] += 1
        else:
            yield each


def _place(text: DueText) -> str:
    return f"{text.archive or ''}:{text.series or ''}"


def _take(run: Run, text: DueText, look: Look) -> None:
    run.counts["full texts asked for"] += 1
    known = run.lookups.obi(ObiKind.FOBI, text.url)
    state = "unseen" if known is None else known.state
    if look.payload is not None:
        run.seen += 1
        _take_payload(run, text, look, look.payload, state)
    else:
        run.counts[f"full texts: {look.outcome}"] += 1
        remark = remark_on(text.url, look.outcome, look.detail)
        run.found(remark.sentence, remark.about)
        run.group.add(_looked(run, text, look, evidence=_evidence(run, text, look)))
        is_lost = _conclude(run, text, look, known)
        if is_answer(look.outcome):
            run.seen += 1
        elif not is_lost:  # what is concluded to be lost was not left unchecked
            run.unseen += 1
    if run.group.is_due:
        run.group.commit()


def _take_payload(run: Run, text: DueText, look: Look, payload: Payload, state: str) -> None:
    last = run.lookups.last_sha256(text.obi_id)
    is_new = payload.sha256 != last
    incidence = _incidence(state, is_new=is_new)
    if incidence is not None:
        run.counts[_COUNTED[incidence]] += 1
    content = _kept(run, _name(text, look), payload)
    version = Version(payload.sha256, payload.md5, None, content) if is_new else None
    run.group.add(_looked(run, text, look, incidence=incidence, version=version))
    if is_new:
        _remark_doubts(run, text, look)
    if version is not None and look.redirects and run.terms.links is not Links.NO:
        _link(run, text, look, payload.sha256)


def _remark_doubts(run: Run, text: DueText, look: Look) -> None:
    """Say of a new version that it may not be the whole full text, or not be it at all."""
    for flag in look.flags:
        if flag in DOUBTFUL:
            sentence, counted = DOUBTFUL[flag]
            run.counts[counted] += 1
            run.found(sentence.format(url=text.url), text.url)


def _exchange(look: Look) -> Mapping[str, Any] | None:
    """Return the heads of a request and its answer, with the flags of what came, if any."""
    if look.exchange is None or look.payload is None or not look.flags:
        return look.exchange
    return {**look.exchange, "flags": list(look.flags)}


def _link(run: Run, text: DueText, look: Look, sha256: str) -> None:
    """Show in the store that an address leads to another, unless only a slash lies between them."""
    if differ_by_slash(text.url, _name(text, look)):
        return
    run.group.commit()  # a link leads to what is there
    target = run.contents.get(sha256)
    if target is not None:
        is_symbolic = run.terms.links is Links.SYMBOLIC and bool(
            run.keeping.store.probed.get("symlinks")
        )
        run.keeping.store.write_link(run.group.tist, text.url, target.path, symbolic=is_symbolic)


def _incidence(state: str, *, is_new: bool) -> IncidenceKind | None:
    if state == "unseen":
        return IncidenceKind.APPEARANCE
    if state == "lost":
        return IncidenceKind.REAPPEARANCE
    return IncidenceKind.CHANGE if is_new else None


def _conclude(run: Run, text: DueText, look: Look, known: KnownObi | None) -> bool:
    """Say of a full text that is held and did not come that it is lost, if that is certain."""
    if known is None or known.state != "present" or not look.is_evidence:
        return False
    has_responded = is_answer(look.outcome)
    if look.is_final or (_is_second(run, known) and (has_responded or known.since is not None)):
        run.counts["full texts lost"] += 1
        since = known.since or run.group.run
        run.group.add(Lost(run.group.tist, ObiKind.FOBI, text.url, since, look.outcome))
        return True
    run.counts["full texts suspect"] += 1
    return False


def _is_second(run: Run, known: KnownObi) -> bool:
    """Say whether this look comes long enough after the first that missed a text.

    Servers are asked now, whatever date the data are of that name them: the clock counts.
    """
    since = run.group.run if known.since is None else known.since
    return run.group.run - since >= run.terms.confirm_after_s


def _kept(run: Run, name: str, payload: Payload) -> Content | None:
    return run.group.keep_file(
        name,
        payload.path,
        sha256=payload.sha256,
        md5=payload.md5,
        size=payload.size,
        media=payload.media,
    )


def _evidence(run: Run, text: DueText, look: Look) -> Content | None:
    """Keep what came in place of the text, under a name that says so; once for the same answer."""
    if look.evidence is None:
        return None
    if run.lookups.last_outcome(text.obi_id) == look.outcome:
        look.evidence.path.unlink()
        return None
    kept = _kept(run, f"evidence:{text.url}", look.evidence)
    return kept or run.contents.get(look.evidence.sha256)


def _name(text: DueText, look: Look) -> str:
    """Return under which name bytes are kept: the address that gave them, in its normal form."""
    if not look.redirects:
        return text.url
    try:
        return normal_url(look.redirects[-1].to_url)
    except NotFetchable:
        return look.final_url


def _looked(
    run: Run,
    text: DueText,
    look: Look,
    *,
    incidence: IncidenceKind | None = None,
    version: Version | None = None,
    evidence: Content | None = None,
) -> Looked:
    return Looked(
        run.group.tist,
        text.url,
        look.outcome,
        look.is_evidence,
        "; ".join(each for each in (_unpointed(look), *look.flags) if each),
        look.redirects,
        incidence,
        version,
        evidence,
        _exchange(look),
    )


def _unpointed(look: Look) -> str:
    """Return what came of a look, without its full stop where flags follow."""
    return look.detail.removesuffix(".") if look.flags else look.detail
