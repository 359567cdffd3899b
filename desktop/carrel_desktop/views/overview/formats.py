# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pictures of the formats that are held, and of what in them needs attention. No Qt."""

from collections.abc import Callable, Sequence

from carrel.model.figures import Figures
from carrel.model.format_words import format_name
from carrel.model.formats import FormatAmount, FormatRisk, facet_value
from carrel.model.holdings import Facet
from carrel.translation import plural, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.holding_rows import facets
from carrel_desktop.views.overview import ways
from carrel_desktop.views.overview.pictures import no_datasets
from carrel_desktop.widgets.charts.card import Drawn
from carrel_desktop.widgets.charts.picture import Picture, Piece, Series, Unit

_MOST_FORMATS = 7
_Measure = Callable[[FormatAmount], int]
_Group = tuple[str, Sequence[FormatAmount], object]


def _files(amount: FormatAmount) -> int:
    return amount.files


def _bytes(amount: FormatAmount) -> int:
    return amount.size_bytes


_MEASURES: Sequence[tuple[_Measure, Unit]] = ((_files, Unit.NUMBER), (_bytes, Unit.BYTES))


def amounts() -> Sequence[str]:
    """Return the names of what formats can be drawn of."""
    return tr("Files"), tr("Bytes")


def formats(figures: Figures) -> Drawn:
    """Return the formats that most files have, and the others together."""
    pictures = [
        _picture(_by_format(figures, measure), measure, unit) for measure, unit in _MEASURES
    ]
    return Drawn(pictures, "" if _is_identified(figures) else _not_identified(figures))


def risks(figures: Figures) -> Drawn:
    """Return how much needs attention, by reason, and how much is not identified."""
    groups = [*_by_risk(figures), *_lacking(figures)] if _is_identified(figures) else []
    word = tr("PRONOM knows the formats of all files, and the tool warns of none.")
    if not _is_identified(figures):
        word = _not_identified(figures)
    pictures = [_picture(groups, measure, unit) for measure, unit in _MEASURES]
    return Drawn(pictures, "" if groups else word)


def _is_identified(figures: Figures) -> bool:
    return any(each.puid for each in figures.formats)


def _not_identified(figures: Figures) -> str:
    if not figures.formats:
        return no_datasets()
    return tr(
        "No formats are identified yet. The command “carrel formats” identifies them, if "
        "carrel[formats] is installed; what is archived afterwards is identified by itself."
    )


def _by_format(figures: Figures, measure: _Measure) -> Sequence[_Group]:
    if not _is_identified(figures):
        return []
    by_puid: dict[str, list[FormatAmount]] = {}
    for each in figures.formats:
        by_puid.setdefault(each.puid, []).append(each)
    ranked = sorted(by_puid.values(), key=lambda among: -sum(map(measure, among)))
    count = len(ranked) if len(ranked) <= _MOST_FORMATS else _MOST_FORMATS - 1
    groups = [_group(among[0], among) for among in ranked[:count]]
    if others := ranked[count:]:
        text = plural("{count} other", "{count} others", len(others), count=len(others))
        values = [_value(among[0]) for among in others]
        every = [each for among in others for each in among]
        groups.append((text, every, ways.holdings(Facet.FORMAT, values)))
    return groups


def _group(first: FormatAmount, among: Sequence[FormatAmount]) -> _Group:
    title = shown(format_name(first.puid, first.title))
    return title, among, ways.holdings(Facet.FORMAT, [_value(first)])


def _value(amount: FormatAmount) -> str:
    return facet_value(amount.puid, amount.title)


def _by_risk(figures: Figures) -> Sequence[_Group]:
    found = [(risk, [each for each in figures.formats if each.risk is risk]) for risk in FormatRisk]
    return [
        (facets.risk(risk), among, ways.holdings(Facet.FORMAT_RISK, [risk]))
        for risk, among in found
        if among
    ]


def _lacking(figures: Figures) -> Sequence[_Group]:
    among = [each for each in figures.formats if not each.puid]
    return [_group(among[0], among)] if among else []


def _picture(groups: Sequence[_Group], measure: _Measure, unit: Unit) -> Picture:
    headings = tr("Format"), tr("Files"), tr("Bytes")
    pieces = [
        Piece(
            title,
            (sum(map(measure, among)),),
            (
                quantities.number(sum(map(_files, among))),
                quantities.size(sum(map(_bytes, among))),
            ),
            leads_to,
        )
        for title, among, leads_to in groups
    ]
    return Picture(headings, (Series(tr("Held")),), pieces, unit)
