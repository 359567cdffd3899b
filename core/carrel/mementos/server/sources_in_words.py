# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the sources of a collection had to say, in words: above all which could not be asked."""

from collections.abc import Sequence

from carrel.mementos.server.references import escape
from carrel.model import SourceReport, SourceState, SourceType
from carrel.model.counts import counted
from carrel.translation import tr

_STATES = {
    SourceState.ASKED: tr("has not answered yet"),
    SourceState.NONE: tr("has no capture"),
    SourceState.TIMED_OUT: tr("did not answer in time"),
    SourceState.REFUSED: tr("refused to answer"),
    SourceState.RESTING: tr("is paused for a while, since it failed before"),
    SourceState.UNREACHABLE: tr("could not be reached"),
    SourceState.FAILED: tr("answered with an error"),
    SourceState.INTERRUPTED: tr("was interrupted while it answered"),
    SourceState.WRONG_ANSWER: tr("sent an answer that is not valid"),
}
_KINDS = {
    SourceType.FILE: tr("index on this machine"),
    SourceType.LEDGER: tr("this archive’s ledger"),
    SourceType.REDIS: tr("index in Redis"),
    SourceType.CDX: tr("CDX server"),
    SourceType.MEMENTO: tr("Memento archive"),
    SourceType.LIVE: tr("the live web"),
}
_LONGEST_MESSAGE = 300


def troubles(reports: Sequence[SourceReport]) -> str:
    """Return a notice of the sources that nothing is known from, "" where all is well."""
    troubled = [report for report in reports if report.is_trouble]
    if not troubled:
        return ""
    lines = "".join(f"<li>{_in_words(report)}</li>" for report in troubled)
    return (
        '<div class="notice" role="note"><p>There may be more captures: '
        f"{counted(len(troubled), 'source')} had trouble.</p><ul>{lines}</ul></div>"
    )


def asked_sources(reports: Sequence[SourceReport]) -> str:
    """Return a list of all sources that were asked, with what each had."""
    if not reports:
        return ""
    lines = "".join(f"<li>{_in_words(report)}</li>" for report in reports)
    return f'<section class="card"><h2>Sources queried</h2><ul>{lines}</ul></section>'


def kind_in_words(kind: SourceType) -> str:
    return _KINDS[kind]


def _in_words(report: SourceReport) -> str:
    name = f"<b>{escape(report.source[:_LONGEST_MESSAGE])}</b>"
    if report.is_kept_private:
        return tr("{source} was not queried: the address is inside your own network.", source=name)
    said = _STATES.get(report.state) or tr(
        "has {captures}", captures=counted(report.count, "capture")
    )
    parts = [f"{name} {said}."]
    if report.state is SourceState.RESTING and report.message:
        return escape(report.message[:_LONGEST_MESSAGE])  # which says who, why and until when
    if report.message:
        parts.append(escape(report.message[:_LONGEST_MESSAGE]))
    if report.skipped:
        parts.append(tr("{entries} not valid.", entries=counted(report.skipped, "entry")))
    if report.until:
        parts.append(tr("It is queried again after {until:%H:%M} UTC.", until=report.until))
    if report.answered_at:
        parts.append(
            tr(
                "This is its answer of {answered_at:%Y-%m-%d %H:%M} UTC.",
                answered_at=report.answered_at,
            )
        )
    return " ".join(parts)
