# SPDX-License-Identifier: AGPL-3.0-or-later
"""Views of the holdings that a person saved: what was asked for, in which order and columns."""

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QSettings

from carrel.model.formats import FormatRisk
from carrel.model.holdings import NOT_INTACT, Checked, Facet, HoldingsQuery, Order, Proven, State
from carrel.translation import tr
from carrel_desktop.holding_rows.columns import UNUSUAL

_KEY = "holdings/views"
_KINDS: Mapping[Facet, Callable[[Any], str]] = {
    Facet.STATE: State,
    Facet.PROOF: Proven,
    Facet.CHECKED: Checked,
    Facet.FORMAT_RISK: FormatRisk,
}


@dataclass(frozen=True, slots=True)
class View:
    """A question with the numbers of the columns that are not shown; the others are all shown
    where they are `chosen`, else as many as there is room for."""

    name: str
    query: HoldingsQuery = field(default_factory=HoldingsQuery)
    unwanted: Set[int] = UNUSUAL
    is_chosen: bool = False


def usual_views() -> Sequence[View]:
    """Return the views that are always there."""
    not_checked = frozenset([Checked.LONGER, Checked.NEVER])
    faulty = NOT_INTACT | {State.INCOMPLETE}
    unproven = frozenset([Proven.SIZE, Proven.NOTHING])
    return (
        View(tr("All holdings")),
        View(tr("Damaged or incomplete"), _by(Facet.STATE, faulty)),
        View(tr("Not verified again within a year"), _by(Facet.CHECKED, not_checked)),
        View(tr("With files not proven by a checksum"), _by(Facet.PROOF, unproven)),
        View(tr("Removed datasets"), HoldingsQuery(is_removed=True)),
    )


def saved_views() -> list[View]:
    """Return what was saved, without what cannot be read as a view any more."""
    try:
        rows = json.loads(str(QSettings("Carrel", "Carrel").value(_KEY, "[]")))
    except ValueError:
        return []
    views = [_view(row) for row in rows] if isinstance(rows, list) else []
    return [view for view in views if view is not None]


def save_view(view: View) -> None:
    """Save a view, in place of one of the same name."""
    others = [each for each in saved_views() if each.name != view.name]
    _write([*others, view])


def remove_view(name: str) -> None:
    """Save a view no longer."""
    _write([each for each in saved_views() if each.name != name])


def _by(facet: Facet, values: frozenset[str]) -> HoldingsQuery:
    return HoldingsQuery(chosen={facet: values})


def _write(views: Sequence[View]) -> None:
    rows = json.dumps([_fields(view) for view in views])
    QSettings("Carrel", "Carrel").setValue(_KEY, rows)


def _fields(view: View) -> dict[str, Any]:
    query = view.query
    return {
        "name": view.name,
        "text": query.text,
        "chosen": {facet: sorted(values) for facet, values in query.chosen.items()},
        "order": query.order,
        "is_descending": query.is_descending,
        "is_removed": query.is_removed,
        "unwanted": sorted(view.unwanted),
        "is_chosen": view.is_chosen,
    }


def _view(row: Any) -> View | None:
    """Return the view of a row, None if it is none."""
    try:
        chosen = {Facet(facet): _values(facet, among) for facet, among in row["chosen"].items()}
        order, is_descending = Order(row["order"]), bool(row["is_descending"])
        is_removed = bool(row.get("is_removed"))
        query = HoldingsQuery(str(row["text"]), chosen, order, is_descending, is_removed)
        unwanted, is_chosen = frozenset(map(int, row["unwanted"])), bool(row.get("is_chosen"))
        return View(str(row["name"]), query, unwanted, is_chosen)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _values(facet: str, values: list[Any]) -> frozenset[str]:
    """Return values of a facet. Raises ValueError for one that it cannot have."""
    return frozenset(map(_KINDS.get(Facet(facet), str), values))
