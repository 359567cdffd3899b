# SPDX-License-Identifier: AGPL-3.0-or-later
"""The facets of holdings, in words."""

from collections.abc import Callable, Mapping, Sequence

from carrel.model.format_words import RISKS, format_name
from carrel.model.formats import FormatRisk, puid_of, title_of
from carrel.model.holdings import Checked, Facet, Proven, State
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.holding_rows import columns
from carrel_desktop.widgets.facet_panel import FacetValues


def in_words(
    counts: Mapping[Facet, Mapping[str, int]], chosen: Mapping[Facet, frozenset[str]]
) -> Sequence[FacetValues]:
    """Return facets with their values: what is chosen is there, also where nothing has it."""
    return [_facet(each, counts.get(each, {}), chosen.get(each, frozenset())) for each in Facet]


def heading(facet: Facet) -> str:
    """Return what a facet is called."""
    return {
        Facet.STATE: tr("State"),
        Facet.PROOF: tr("Proof"),
        Facet.CHECKED: tr("Last verified"),
        Facet.PLATFORM: tr("Platform"),
        Facet.LICENSE: tr("Licence"),
        Facet.YEAR: tr("Archived in (UTC)"),
        Facet.MONTH: tr("Archived in month (UTC)"),
        Facet.FORMAT: tr("Format"),
        Facet.FORMAT_RISK: tr("Format needs attention"),
        Facet.TAG: tr("Tags"),
    }[facet]


def value_in_words(facet: Facet, value: str) -> str:
    """Return what a value of a facet is called."""
    return _WORDS[facet](value)


def checked(value: Checked) -> str:
    """Return how long ago holdings were verified, in words."""
    return {
        Checked.MONTH: tr("Within 30 days"),
        Checked.QUARTER: tr("30 to 90 days ago"),
        Checked.YEAR: tr("90 to 365 days ago"),
        Checked.LONGER: tr("Over a year ago"),
        Checked.NEVER: tr("Not since last archived"),
        Checked.DAMAGED: tr("Found damaged"),
    }[value]


def risk(value: FormatRisk) -> str:
    """Return why formats need attention, in words."""
    words = RISKS[value]
    return words[:1].upper() + words[1:]


def _facet(facet: Facet, counts: Mapping[str, int], chosen: frozenset[str]) -> FacetValues:
    counted = {**dict.fromkeys(sorted(chosen), 0), **counts}
    order = _ORDERS.get(facet)
    values = sorted(counted, key=order.index) if order else list(counted)
    if facet in (Facet.YEAR, Facet.MONTH):
        values = sorted(counted, reverse=True)
    texts = [(value, value_in_words(facet, value), counted[value]) for value in values]
    return FacetValues(facet, heading(facet), texts)


def _plain(value: str) -> str:
    return value


_ORDERS: Mapping[Facet, Sequence[str]] = {
    Facet.STATE: list(State),
    Facet.PROOF: list(Proven),
    Facet.CHECKED: list(Checked),
    Facet.FORMAT_RISK: list(FormatRisk),
}
_WORDS: Mapping[Facet, Callable[[str], str]] = {
    Facet.STATE: lambda value: columns.state(State(value)),
    Facet.PROOF: lambda value: columns.proven(Proven(value)),
    Facet.CHECKED: lambda value: checked(Checked(value)),
    Facet.PLATFORM: lambda value: words.platform(value) if value else tr("Unknown"),
    Facet.LICENSE: lambda value: columns.license_in_words(value) or tr("None stated"),
    Facet.YEAR: _plain,
    Facet.MONTH: _plain,
    Facet.FORMAT: lambda value: format_name(puid_of(value), title_of(value)),
    Facet.FORMAT_RISK: lambda value: risk(FormatRisk(value)),
    Facet.TAG: _plain,
}
