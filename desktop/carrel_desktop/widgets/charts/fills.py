# SPDX-License-Identifier: AGPL-3.0-or-later
"""How areas are filled: by colour and pattern, at any scale of the screen."""

from math import ceil

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.charts.picture import Pattern, Series

_LEANS = {Pattern.HATCHED: (1,), Pattern.SPARSE: (-1,), Pattern.CROSSED: (1, -1)}
_STEPS = {Pattern.HATCHED: 1.25, Pattern.SPARSE: 2.5, Pattern.CROSSED: 1.75}


def paint_area(painter: QPainter, area: QRectF, theme: Theme, series: Series) -> None:
    """Fill an area as its series is filled. Its edge has the full colour, whatever the pattern."""
    tone = theme.color(series.tone)
    if series.pattern is Pattern.SOLID:
        painter.fillRect(area, tone)
        return
    is_tinted = series.pattern is Pattern.TINTED
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.fillRect(area, theme.color("selection" if is_tinted else "surface"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for lean in _LEANS.get(series.pattern, ()):
        _hatch(painter, area, tone, lean, space(1) * _STEPS[series.pattern])
    painter.restore()
    painter.setPen(QPen(tone, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))


def _hatch(painter: QPainter, area: QRectF, tone: QColor, lean: int, step: float) -> None:
    """Draw lines at 45°, which begin where a grid over the whole chart has them."""
    painter.setPen(QPen(tone, max(1.0, space(1) / 3)))
    height = area.height()
    first = ((area.left() - height) // step) * step
    for number in range(ceil((area.width() + 2 * height) / step) + 1):
        x = first + number * step
        ends = (x, area.bottom(), x + height, area.top())
        if lean < 0:
            ends = (x, area.top(), x + height, area.bottom())
        painter.drawLine(QLineF(*ends))
