# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of holdings: what each says, what it is sorted by, and what gives way."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from operator import attrgetter

from PySide6.QtGui import QFontMetrics

from carrel.model import Status
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.holding_rows.holding import Holding
from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.table.column import Column, Kind, quiet

LEAST_TITLE = 66
LEAST_BESIDE_OUTCOME = 36  # of the title, where only the outcome is beside it
HEADING_FRAME = 9  # beside its words: margins, and the arrow of the order
# Where columns had to give way, the outcome is at most as wide as this; else as the longest.
USUAL_OUTCOME = Status.PLATFORM_RESTRICTED


class HoldingColumn(IntEnum):
    """The columns, in their order."""

    DATASET = 0
    PLATFORM = 1
    SIZE = 2
    OUTCOME = 3
    ARCHIVED = 4


def holdings(said: Callable[[], Sequence[str]]) -> Kind[Holding]:
    """Return the columns of holdings, of whose outcomes this is `said`. Without its column the
    outcome stands as an icon before the title.
    """
    return Kind(
        Column(
            tr("Dataset"),
            lambda row: row.title,
            lambda row: row.title.casefold(),
            tip=_tip,
            lines=lambda row: TwoLines(row.title, second_line(row)),
            stands_for=HoldingColumn.OUTCOME,
        ),
        Column(tr("Platform"), attrgetter("platform"), _platform_key, 28, 4, tip=_tip),
        Column(
            tr("Size"),
            _size,
            attrgetter("total_size"),
            22,
            3,
            is_number=True,
            tip=_tip,
            tone=quiet,
        ),
        Column(
            tr("Outcome"),
            outcome,
            _OutcomeKeys(),
            yields=1,
            tip=lambda row: "\n".join([*outcomes(row), _advice(row)]),
            look=_look,
            tone=lambda row: _look(row)[1],
            below=lambda row: (beside(row), "failed" if row.failed else "warning"),
            beside=LEAST_BESIDE_OUTCOME,
            measured=lambda is_narrow: outcome_width(said(), is_narrow=is_narrow),
        ),
        Column(tr("Archived"), _moment, attrgetter("since"), 33, 2, tip=_when),
        ident=attrgetter("asked"),
        sorted_by=HoldingColumn.ARCHIVED,
        is_descending=True,
        least=LEAST_TITLE,
        spoken=lambda row: ". ".join([row.title, second_line(row), *outcomes(row)]),
    )


def outcome_width(said: Sequence[str], *, is_narrow: bool) -> int:
    """Return the width of the column of outcomes in pixels, icon included, where this is `said`."""
    metrics = QFontMetrics(scaled_font(1))
    most = metrics.horizontalAdvance(words.outcome(USUAL_OUTCOME))
    widest = max((metrics.horizontalAdvance(text) for text in said), default=0)
    heading = metrics.horizontalAdvance(tr("Outcome")) + space(HEADING_FRAME)
    frame = space(2) + space(4.5) + space(1.5) + space(2)  # icon and margins
    return max(heading, frame + (min(most, widest) if is_narrow else widest))


def second_line(row: Holding) -> str:
    """Return what tells a dataset from others of its title, and how much of it is kept."""
    name = row.asked if row.identifier == row.title else row.identifier
    parts = [name if name != row.title else "", words.version(row.version), _kept(row)]
    return " · ".join(part for part in parts if part)


def outcome(row: Holding) -> str:
    """Return in few words how what is held stands."""
    return words.fate(row.fate) if row.failed else words.outcome(row.status)


def beside(row: Holding) -> str:
    """Return in few words what else is to be known: how much is damaged, or how a later attempt
    ended; empty if nothing is.
    """
    if row.failed:
        return quantities.records(row.failed)
    if row.last is not None and not row.last.status.is_success:
        return tr("Later: {outcome}", outcome=words.outcome(row.last.status))
    return ""


def outcomes(row: Holding) -> list[str]:
    """Return all that is said of how what is held stands."""
    return [text for text in (outcome(row), beside(row)) if text]


def _platform_key(row: Holding) -> str:
    return row.platform.casefold()


def _moment(row: Holding) -> str:
    return quantities.moment(row.since)


def _when(row: Holding) -> str:
    """Return what the time of a row is."""
    text = tr("Archived {moment}") if row.is_held else tr("Last tried {moment}")
    return text.format(moment=_moment(row))


def _advice(row: Holding) -> str:
    if row.failed:
        return words.check_the_disk()
    return words.advice(row.status)


def _kept(row: Holding) -> str:
    if not row.is_held:
        return tr("Not archived")
    files = quantities.files(row.file_count)
    if row.kept_count == row.file_count:
        return files
    return tr("{kept} of {files}", kept=quantities.number(row.kept_count), files=files)


def _tip(row: Holding) -> str:
    return f"{row.title}\n{second_line(row)}"


def _size(row: Holding) -> str:
    return quantities.total(row.total_size, row.unknown_sizes) if row.file_count > 0 else "–"


def _look(row: Holding) -> tuple[str, str]:
    """Return icon and colour of how a holding stands."""
    if row.failed:
        return "failed", "failed"
    return words.outcome_icon(row.status), words.outcome_tone(row.status)


class _OutcomeKeys:
    """Keys of outcomes: what is well first, then by the word. There are few, made once each."""

    def __init__(self) -> None:
        self._keys: dict[tuple[Status, bool, bool, bool], str] = {}

    def __call__(self, row: Holding) -> str:
        has_failed_since = row.last is not None and not row.last.status.is_success
        kind = (row.status, row.failed > 0, row.kept_count > 0, has_failed_since)
        key = self._keys.get(kind)
        if key is None:
            is_worse = (row.failed, not row.is_held, not row.status.is_success, has_failed_since)
            badness = "".join(str(int(bool(each))) for each in is_worse)
            key = self._keys[kind] = f"{badness} {words.outcome(row.status)}"
        return key
