# SPDX-License-Identifier: AGPL-3.0-or-later
"""The columns of watched datasets, those that need a person first, and of their files."""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import IntEnum
from operator import attrgetter
from typing import Any, TypeVar

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.views.watch import states
from carrel_desktop.widgets.rows import TwoLines
from carrel_desktop.widgets.table.column import Column, Kind, quiet

R = TypeVar("R")
LEAST_TITLE, LEAST_PATH = 60, 48
LEAST_BESIDE_STATE = 34  # of title or path, where only the state is beside it
_message = attrgetter("message")


class Watched(IntEnum):
    """The columns of the datasets, in their order."""

    DATASET = 0
    STATE = 1
    VERSION = 2
    CHANGED = 3
    GONE = 4
    ADDED = 5
    LOOKED = 6


def datasets() -> Kind[WatchedRow]:
    """Return the columns of watched datasets. Without its column the state stands as an icon before
    the title.
    """
    return Kind(
        Column(
            tr("Dataset"),
            lambda row: row.title,
            _key(lambda row: ""),
            tip=lambda row: f"{row.title}\n{row.base_url}",
            lines=lambda row: TwoLines(row.title, address(row)),
            stands_for=Watched.STATE,
        ),
        _state(tr("State"), _look, _key(lambda row: _look(row).rank), 41, _message),
        Column(tr("Version"), versions, _key(versions), 22, 5, tip=_message),
        _count(tr("Changed"), lambda row: row.altered, 21, 3),
        _count(tr("Gone"), lambda row: row.gone, 15, 2),
        _count(tr("New"), lambda row: row.added, 14, 4),
        Column(
            tr("Last checked"),
            _looked,
            _key(lambda row: row.last_answered or 0),
            33,
            6,
            tip=_message,
        ),
        ident=lambda row: row.base_url,
        sorted_by=Watched.STATE,
        least=LEAST_TITLE,
        spoken=lambda row: f"{row.title}. {row.base_url}. {_look(row).word}",
    )


def files() -> Kind[FileDifference]:
    """Return the columns of the files of a dataset, then and now; those that differ first."""
    return Kind(
        Column(
            tr("File"),
            lambda each: each.path,
            lambda each: each.path,
            tip=_file_tip,
            lines=lambda each: TwoLines(each.path, each.reason, is_strong=False),
            stands_for=1,
        ),
        _state(tr("Status"), _file_look, _file_key, 33, _file_tip),
        Column(tr("Size"), sizes, sizes, 48, 2, is_number=True, tip=_file_tip, tone=quiet),
        ident=lambda each: each.path,
        sorted_by=1,
        is_sortable=False,
        least=LEAST_PATH,
        spoken=lambda each: f"{each.path}. {states.file_state(each.what).word}. {each.reason}",
    )


def versions(row: WatchedRow) -> str:
    """Return "1 → 2" for a version that changed, the version else, nothing for none."""
    then, now = row.version_then or "", row.version_now or ""
    return f"{then} → {now}" if then and now and then != now else now or then


def looked(row: WatchedRow) -> str:
    """Return when the last look was that got an answer, empty if none did."""
    return _moment(row.last_answered)


def attempted(row: WatchedRow) -> str:
    """Return when the last look was, if it got no answer, empty if it did."""
    return _moment(row.looked) if row.is_unanswered else ""


def lost(row: WatchedRow) -> str:
    """Return when a look first found it, or files of it, gone; empty if nothing is."""
    return _moment(row.lost)


def earlier(row: WatchedRow) -> str:
    """Return how many files were lost, of a dataset whose last look found none that is archived
    gone: it was archived without them since; empty for none."""
    if not row.losses:
        return ""
    return tr(
        "{files} lost earlier, first found {moment}",
        files=quantities.files(len(row.losses)),
        moment=_moment(min(row.losses.values())),
    )


def sizes(each: FileDifference) -> str:
    """Return "1.2 kB → 1.4 kB" for a size that changed, the size else."""
    then, now = quantities.size(each.size_then), quantities.size(each.size_now)
    if each.size_then is None or each.size_now is None or each.size_then == each.size_now:
        return now if each.size_now is not None else then
    if then == now:  # to the byte, else no one would see the difference
        then, now = quantities.number(each.size_then), quantities.number(each.size_now)
    return f"{then} → {now}"


def _moment(at: int | None) -> str:
    return "" if at is None else quantities.moment(datetime.fromtimestamp(at, UTC).isoformat())


def _looked(row: WatchedRow) -> str:
    return looked(row) or tr("never")


def _look(row: WatchedRow) -> states.Look:
    return states.of(row)


def _file_look(each: FileDifference) -> states.Look:
    return states.file_state(each.what)


def _file_key(each: FileDifference) -> tuple[int, str]:
    return _file_look(each).rank, each.path


def _state(
    heading: str,
    look: Callable[[R], states.Look],
    key: Callable[[R], Any],
    units: int,
    tip: Callable[[R], str],
) -> Column[R]:
    """Return a column that says a state by icon, word and colour."""
    return Column(
        heading,
        lambda row: look(row).word,
        key,
        units,
        1,
        tip=tip,
        look=lambda row: look(row).drawn,
        tone=lambda row: look(row).tone,
        beside=LEAST_BESIDE_STATE,
    )


def _key(of: Callable[[WatchedRow], Any]) -> Callable[[WatchedRow], Any]:
    """Return a key that puts equal rows in the order of their titles."""
    return lambda row: (of(row), row.title.casefold(), row.base_url)


def _count(
    heading: str, count: Callable[[WatchedRow], int], units: int, yields: int
) -> Column[WatchedRow]:
    return Column(
        heading,
        lambda row: quantities.number(count(row)) if count(row) else "–",
        _key(count),
        units,
        yields,
        is_number=True,
        tip=_message,
        tone=quiet,
    )


def address(row: WatchedRow) -> str:
    """Return where a dataset is, empty where that is its title already."""
    return row.base_url if row.base_url != row.title else ""


def _file_tip(each: FileDifference) -> str:
    digests = [digest for digest in (each.digest_then, each.digest_now) if digest]
    return "\n".join([each.path, each.reason, *dict.fromkeys(digests)])
