# SPDX-License-Identifier: AGPL-3.0-or-later
"""Our own icons, drawn from SVG in the colour of the theme at any size."""

from functools import cache, lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from carrel_desktop.theme import Theme


class ThemedIcon(QIconEngine):
    """Paints an icon in the theme's colour of the moment: a change of theme needs no news."""

    def __init__(self, theme: Theme, name: str, tone: str) -> None:
        super().__init__()
        self._theme = theme
        self._name = name
        self._tone = tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        tone = "secondary" if mode is QIcon.Mode.Disabled else self._tone
        color = str(getattr(self._theme.tokens, tone))
        _renderer(self._name, color).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        copy = ThemedIcon(self._theme, self._name, self._tone)
        _kept_alive.append(copy)
        return copy


# QIcon owns its engine in C++ only; the Python half must outlive it.
_kept_alive: list[QIconEngine] = []
_made: dict[tuple[int, str, str], QIcon] = {}


def icon(theme: Theme, name: str, tone: str = "text") -> QIcon:
    """Return the icon of this name (a file in the resources) in a colour of the theme."""
    key = (id(theme), name, tone)
    if key not in _made:
        engine = ThemedIcon(theme, name, tone)
        _kept_alive.append(engine)
        _made[key] = QIcon(engine)
    return _made[key]


def paint_icon(painter: QPainter, rect: QRect, name: str, color: str) -> None:
    """Draw an icon into a rectangle in a colour; upright ones are drawn once for each size."""
    if painter.transform().isRotating():
        _renderer(name, color).render(painter, QRectF(rect))
        return
    painter.drawPixmap(rect, _drawn(name, color, rect.size(), painter.device().devicePixelRatioF()))


def _drawn(name: str, color: str, size: QSize, ratio: float) -> QPixmap:
    """Return an icon as a picture for a screen of so many dots in a pixel."""
    key = f"{name} {color} {size.width()}x{size.height()} {ratio}"
    pixmap = QPixmap()
    if not QPixmapCache.find(key, pixmap):
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        _renderer(name, color).render(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        QPixmapCache.insert(key, pixmap)
    return pixmap


@cache
def _source(name: str) -> bytes:
    return (files("carrel_resources") / "icons" / f"{name}.svg").read_bytes()


@lru_cache(maxsize=256)
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace(b"currentColor", color.encode())))
