# SPDX-License-Identifier: AGPL-3.0-or-later
"""What happened to a dataset here, drawn on a line: each ingest and each fixity run."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtGui import QPainter, QPaintEvent, QPen

from carrel.model.holdings import Attempt, Check, Damage, History
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.icon_rows import Moment, Timeline
from carrel_desktop.widgets.labels import named

MOST_SHOWN = 40


def moments_of(history: History, shown: str = "") -> Sequence[Moment]:
    """Return what happened, the newest first; of very much the newest. What was archived by other
    attempts than that which is `shown` can be shown."""
    own = next((each.base_url for each in history.attempts if each.ingest_id == shown), "")
    dated = [(each.came, _ingest(each, shown, own)) for each in history.attempts]
    dated += [(each.started, _check(each)) for each in history.checks]
    version = next((each.version for each in history.attempts if each.ingest_id == shown), None)
    dated += [(each.found, _damage(each, version)) for each in history.damages]
    dated.reverse()  # of what happened in one second the last comes first, too
    dated.sort(key=lambda each: each[0], reverse=True)
    moments = [moment for _, moment in dated[:MOST_SHOWN]]
    if (left := len(dated) - MOST_SHOWN) > 0:
        text = tr("{count} earlier events", count=quantities.number(left))
        moments.append(Moment("", "note", "secondary", text))
    return moments


def _ingest(attempt: Attempt, shown: str, own: str) -> Moment:
    """Return an attempt, with its address where that is not the `own` one of what is shown."""
    when, ended = quantities.moment(attempt.came), quantities.local_moment(attempt.finished)
    dated = ""
    if attempt.imported and ended and quantities.moment(attempt.finished) != when:
        dated = tr("imported, dated {moment}", moment=quantities.moment(attempt.finished))
    icon, tone = words.outcome_icon(attempt.status), words.outcome_tone(attempt.status)
    outcome = words.outcome(attempt.status)
    if not attempt.kept_count:
        detail = " · ".join(filter(None, (dated, attempt.base_url)))
        return Moment(when, icon, tone, outcome, detail)
    if attempt.status.is_success and not attempt.brought:
        outcome = tr("Already archived")
    kept = quantities.files(attempt.file_count)
    if attempt.kept_count != attempt.file_count:
        kept = tr("{kept} of {files}", kept=quantities.number(attempt.kept_count), files=kept)
    if not (attempt.status.is_success or attempt.brought):
        kept = tr("{files}, none downloaded", files=kept)
    if 0 < attempt.brought_count < attempt.kept_count:
        downloaded = quantities.number(attempt.brought_count)
        kept = tr("{files}, {count} downloaded", files=kept, count=downloaded)
    held = tr("current") if attempt.is_held else ""
    address = attempt.base_url if own and attempt.base_url != own else ""
    size = quantities.size(attempt.kept_size)
    facts = (words.version(attempt.version), kept, size, held, dated, address)
    detail = " · ".join(each for each in facts if each)
    if attempt.ingest_id == shown or not (attempt.brought or attempt.is_held):
        return Moment(when, icon, tone, outcome, detail)
    return Moment(when, icon, tone, outcome, detail, tr("Show these files"), attempt.ingest_id)


def _check(check: Check) -> Moment:
    when = quantities.moment(check.started)
    if not check.failed:
        tone = "ok" if check.is_of_held else "secondary"
        return Moment(when, "verify", tone, _verified(check, tr("intact")), _scope(check))
    bad = quantities.records(check.failed)
    if check.is_of_all:
        text = tr("Whole archive verified: {records} not intact", records=bad)
        own = tr("Those of this dataset, if any, are listed by themselves.")
        return Moment(when, "note", "secondary", text, own)
    text = _verified(check, tr("{records} not intact", records=bad))
    return Moment(when, "failed", "failed", text, _scope(check))


def _verified(check: Check, result: str) -> str:
    """Return how a verification ended; of what, if that is not what is held now."""
    if check.is_of_held or check.is_of_all:
        return tr("Verified: {result}", result=result)
    if not check.version:
        return tr("Earlier attempt verified: {result}", result=result)
    return tr("{version} verified: {result}", version=words.version(check.version), result=result)


def _scope(check: Check) -> str:
    whole = tr("The whole archive was verified.") if check.is_of_all else ""
    part = "" if check.is_of_held else tr("Not all of what is held now was read.")
    return " ".join(each for each in (whole, part) if each)


def _damage(damage: Damage, shown: str | None) -> Moment:
    """Return that a record of the dataset was not intact, whichever verification found it; and of
    which version it was, if that is not the one that is shown."""
    what = damage.path or damage.url or words.ACCOMPANYING
    if damage.version and damage.version != shown:
        what = tr("{file} of {version}", file=what, version=words.version(damage.version))
    text = tr("{fate}: {what}", fate=words.fate(damage.fate), what=what)
    since = ""
    if damage.mended:
        since = tr("Intact again {moment}", moment=quantities.moment(damage.mended))
    elif damage.again_in:
        since = tr("The same bytes are intact in {warc}", warc=damage.again_in)
    elif damage.has_files_elsewhere:
        since = tr("All files in it are intact in other records")
    look = ("warning", "warning") if since else ("failed", "failed")
    return Moment(quantities.moment(damage.found), *look, text, since)


def _upright(moment: Moment) -> Moment:
    """Return a moment with its date below it: beside it a narrow pane has no room."""
    below = " · ".join(each for each in (moment.when, moment.detail) if each)
    return replace(moment, when="", detail=below)


class HistoryLine(Timeline):
    """Hidden while no more is to be told than that the dataset was archived."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        named(self, "history", tr("History"))

    def show_history(self, history: History, shown: str) -> None:
        """Replace what is shown; the files of the attempt `shown` are."""
        moments = [_upright(each) for each in moments_of(history, shown)]
        self.show_moments(moments)
        self.setVisible(len(moments) > 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line on which the icons stand."""
        items = (self._grid.itemAtPosition(3 * row, 0) for row in range(len(self.shown)))
        boxes = [item.geometry() for item in items if item is not None]
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.color("control"), max(1, space(0.25))))
        for upper, lower in pairwise(boxes):
            x = upper.center().x()
            painter.drawLine(x, upper.bottom() + space(0.5), x, lower.top() - space(0.5))
        painter.end()
