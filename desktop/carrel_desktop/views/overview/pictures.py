# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pictures of what is held and lost, drawn from the figures. No Qt."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from carrel.model.figures import Amount, Figures, Losses
from carrel.model.holdings import Checked, Facet
from carrel.model.watch_states import UNCHECKED
from carrel.translation import plural, tr
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.holding_rows import facets
from carrel_desktop.views.overview import ways
from carrel_desktop.views.overview.periods import Period, periods
from carrel_desktop.views.overview.ways import Way
from carrel_desktop.widgets.charts.card import Drawn
from carrel_desktop.widgets.charts.picture import Pattern, Picture, Piece, Series, Unit

_MOST_PLATFORMS = 7
_AGES = {
    Checked.MONTH: Series(facets.checked(Checked.MONTH)),
    Checked.QUARTER: Series(facets.checked(Checked.QUARTER), pattern=Pattern.CROSSED),
    Checked.YEAR: Series(facets.checked(Checked.YEAR), pattern=Pattern.HATCHED),
    Checked.LONGER: Series(facets.checked(Checked.LONGER), "warning", Pattern.SPARSE),
    Checked.NEVER: Series(facets.checked(Checked.NEVER), "warning", Pattern.HOLLOW),
    Checked.DAMAGED: Series(facets.checked(Checked.DAMAGED), "failed"),
}
_Measure = Callable[[Amount], int]


def _datasets(amount: Amount) -> int:
    return amount.datasets


def _bytes(amount: Amount) -> int:
    return amount.size_bytes


_AMOUNTS: Sequence[tuple[_Measure, Unit]] = ((_datasets, Unit.NUMBER), (_bytes, Unit.BYTES))


def amounts() -> Sequence[str]:
    """Return the names of what growth and platforms can be drawn of."""
    return tr("Datasets"), tr("Bytes")


def growth(figures: Figures) -> Drawn:
    """Return what was archived by the end of each period, and what of it in it."""
    if not figures.months:
        return Drawn([Picture(_growth_headings(), (), ()) for _ in _AMOUNTS], no_datasets())
    columns = periods([month.name for month in figures.months], figures.taken)
    return Drawn(
        [
            Picture(
                _growth_headings(),
                (Series(tr("Archived before"), pattern=Pattern.TINTED), Series(tr("Archived"))),
                [_grown(figures, period, measure, unit) for period in columns],
                unit,
            )
            for measure, unit in _AMOUNTS
        ]
    )


def _growth_headings() -> Sequence[str]:
    return tr("Period"), tr("Archived"), tr("Archived by then")


def no_datasets() -> str:
    """Return what is said where nothing is held that could be drawn."""
    return tr("No datasets are archived yet.")


def _added(figures: Figures, period: Period) -> Amount:
    """Return how much was archived in a period, each dataset counted once."""
    months = [month for month in figures.months if period.has(month.name)]
    added = sum((month.added for month in months), Amount())
    if not period.is_year:
        return added
    return replace(added, datasets=sum(month.first_in_year for month in months))


def _held_by_the_end(figures: Figures, period: Period) -> Amount:
    """Return how much was archived by the end of a period; a dataset is from its first month on."""
    months = [month for month in figures.months if month.name[: len(period.name)] <= period.name]
    held = sum((month.added for month in months), Amount())
    return replace(held, datasets=sum(month.first for month in months))


def _grown(figures: Figures, period: Period, measure: _Measure, unit: Unit) -> Piece:
    """Return what was archived in a period beside what of the archive was not touched in it."""
    query = ways.holdings(Facet.YEAR if period.is_year else Facet.MONTH, [period.name])
    added, held = measure(_added(figures, period)), measure(_held_by_the_end(figures, period))
    cells = unit.said(added), unit.said(held)
    return Piece(period.name, (held - added, added), cells, query if added else None)


def platforms(figures: Figures) -> Drawn:
    """Return the platforms that most came from, and the others together."""
    pictures = [_by_platform(figures, measure, unit) for measure, unit in _AMOUNTS]
    return Drawn(pictures, no_datasets())


def _by_platform(figures: Figures, measure: _Measure, unit: Unit) -> Picture:
    ranked = sorted(figures.platforms, key=lambda name: -measure(figures.platforms[name]))
    count = len(ranked) if len(ranked) <= _MOST_PLATFORMS else _MOST_PLATFORMS - 1
    groups = [(_platform(name), [name]) for name in ranked[:count]]
    if others := ranked[count:]:
        text = plural("{count} other", "{count} others", len(others), count=len(others))
        groups.append((text, others))
    headings = tr("Platform"), tr("Datasets"), tr("Files"), tr("Bytes")
    pieces = [_held_of(title, names, figures, measure) for title, names in groups]
    return Picture(headings, (Series(tr("Held")),), pieces, unit)


def _held_of(title: str, names: Sequence[str], figures: Figures, measure: _Measure) -> Piece:
    held = sum((figures.platforms[name] for name in names), Amount())
    cells = (
        quantities.number(held.datasets),
        quantities.number(held.files),
        quantities.size(held.size_bytes),
    )
    return Piece(title, (measure(held),), cells, ways.holdings(Facet.PLATFORM, names))


def _platform(name: str) -> str:
    return shown(facets.value_in_words(Facet.PLATFORM, name))


def ages(figures: Figures) -> Drawn:
    """Return how long ago the datasets were last verified."""
    counts = [figures.checked.get(age, 0) for age in _AGES]
    pieces = []
    for (age, series), count in zip(_AGES.items(), counts, strict=True):
        cells = quantities.share(count, sum(counts)), quantities.number(count)
        pieces.append(Piece(series.name, (count,), cells, ways.checked(age) if count else None))
    headings = tr("Last verified"), tr("Share"), tr("Datasets")
    shown_pieces = pieces if any(counts) else []
    return Drawn([Picture(headings, tuple(_AGES.values()), shown_pieces)], no_datasets())


def losses(figures: Figures) -> Drawn:
    """Return what was lost elsewhere in each period; a word where nothing was, or none looked."""
    if not figures.lost:
        return Drawn([Picture(_loss_headings(), (), ())], _no_losses(figures))
    columns = periods([month.name for month in figures.lost], figures.taken)
    series = (
        Series(tr("Watched datasets"), "failed"),
        Series(tr("Files of watched datasets"), "failed", Pattern.CROSSED),
        Series(
            tr("Templates no longer listed, by date of data or run"),
            "failed",
            Pattern.HATCHED,
        ),
        Series(tr("Full texts gone, by the date of the request"), "failed", Pattern.SPARSE),
    )
    return Drawn([Picture(_loss_headings(), series, [_lost(figures, each) for each in columns])])


def _loss_headings() -> Sequence[str]:
    templates, full_texts = tr("Templates by data date"), tr("Full texts by request date")
    watched, files = tr("Watched datasets"), tr("Files of watched datasets")
    return tr("Period"), watched, files, templates, full_texts


def _lost(figures: Figures, period: Period) -> Piece:
    found: list[Losses] = [each for each in figures.lost if period.has(each.name)]
    watched, files = sum(each.watched for each in found), sum(each.files for each in found)
    templates = sum(each.templates for each in found)
    full_texts = sum(each.full_texts for each in found)
    counts = watched, files, templates, full_texts
    way = Way.WATCH if watched + files >= templates + full_texts else Way.DARK
    cells = tuple(map(quantities.number, counts))
    return Piece(period.name, counts, cells, way if any(counts) else None)


def _no_losses(figures: Figures) -> str:
    """Say that nothing was lost only of what was looked at."""
    unchecked, watched = figures.watched.get(UNCHECKED, 0), sum(figures.watched.values())
    if figures.harvests or watched > unchecked:
        return tr("No check has found any losses so far.")
    if watched:
        return tr(
            "Datasets are being watched but have not been checked yet. Check them on the Watch "
            "page."
        )
    return tr(
        "Nothing is being watched and the dark archive has not been harvested, so losses "
        "elsewhere are unknown. Watch datasets to learn when files change or disappear."
    )
