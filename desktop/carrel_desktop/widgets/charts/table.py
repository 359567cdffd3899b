# SPDX-License-Identifier: AGPL-3.0-or-later
"""The table of a picture: a row for each piece, each column as wide as what stands in it."""

from PySide6.QtGui import QFontMetrics

from carrel_desktop.theme import scaled_font, space
from carrel_desktop.widgets.charts.picture import Picture, Piece
from carrel_desktop.widgets.table.column import Column, Kind, as_given

_PADDING, _LEAST_NAME = 5, 20  # grid steps


def kind_of(picture: Picture) -> Kind[Piece]:
    """Return the columns for the pieces of a picture."""
    first, *others = picture.headings
    numbers = [_number(picture, heading, at) for at, heading in enumerate(others)]
    return Kind(
        Column(first, lambda piece: piece.name, as_given, tip=picture.said),
        *numbers,
        is_sortable=False,
        least=_LEAST_NAME,
        spoken=picture.said,
    )


def _number(picture: Picture, heading: str, at: int) -> Column[Piece]:
    metrics = QFontMetrics(scaled_font(1))
    texts = [heading, *(piece.cells[at] for piece in picture.pieces)]
    width = max(map(metrics.horizontalAdvance, texts)) + space(_PADDING)
    return Column(
        heading,
        lambda piece: piece.cells[at],
        as_given,
        is_number=True,
        measured=lambda _is_narrow: width,
    )
