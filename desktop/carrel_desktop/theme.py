# SPDX-License-Identifier: AGPL-3.0-or-later
"""Colours by meaning, spacing by font, and the one place that styles anything.

No widget names a colour: it asks for a token ("failed", "secondary"), and no colour stands without
a word or an icon beside it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.resources import files

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QWidget

DARK_BELOW = 128  # lightness of a window colour; the same test as Picard's


class Mode(StrEnum):
    """What the person asked for."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by meaning, as `#rrggbb`."""

    window: str
    surface: str
    sidebar: str
    hover: str
    border: str
    control: str
    track: str
    text: str
    secondary: str
    accent: str
    accent_hover: str
    on_accent: str
    selection: str
    ok: str
    warning: str
    failed: str
    notice: str
    fault: str


LIGHT = Tokens(
    window="#f8f6f2",
    surface="#ffffff",
    sidebar="#efebe3",
    hover="#f3f0ea",
    border="#e0dad0",
    control="#c9c1b4",
    track="#e7e2d9",
    text="#1f2124",
    secondary="#5f6064",
    accent="#1b5e5a",
    accent_hover="#164d4a",
    on_accent="#ffffff",
    selection="#dfebe8",
    ok="#2a6b3c",
    warning="#855300",
    failed="#a8281f",
    notice="#fbf1dc",
    fault="#fbecea",
)
DARK = Tokens(
    window="#1d1c1a",
    surface="#262522",
    sidebar="#171614",
    hover="#2e2d29",
    border="#383632",
    control="#55524c",
    track="#3a3834",
    text="#ece8e1",
    secondary="#aba69c",
    accent="#86c9c0",
    accent_hover="#9ed6ce",
    on_accent="#0c2624",
    selection="#2b403d",
    ok="#8fcb9f",
    warning="#e6b968",
    failed="#f49a90",
    notice="#3a3222",
    fault="#3c2826",
)
LIGHT_CONTRAST = Tokens(
    window="#ffffff",
    surface="#ffffff",
    sidebar="#ffffff",
    hover="#e6e6e6",
    border="#000000",
    control="#000000",
    track="#ffffff",
    text="#000000",
    secondary="#1a1a1a",
    accent="#003f3c",
    accent_hover="#000000",
    on_accent="#ffffff",
    selection="#cfe6e3",
    ok="#00441b",
    warning="#5a3500",
    failed="#7d0000",
    notice="#ffffff",
    fault="#ffffff",
)
DARK_CONTRAST = Tokens(
    window="#000000",
    surface="#000000",
    sidebar="#000000",
    hover="#222222",
    border="#ffffff",
    control="#ffffff",
    track="#000000",
    text="#ffffff",
    secondary="#e6e6e6",
    accent="#9ff0e6",
    accent_hover="#ffffff",
    on_accent="#000000",
    selection="#14413c",
    ok="#a6f5b9",
    warning="#ffd98a",
    failed="#ffb3ab",
    notice="#000000",
    fault="#000000",
)
THEMES: Mapping[str, Tokens] = {
    "light": LIGHT,
    "dark": DARK,
    "light contrast": LIGHT_CONTRAST,
    "dark contrast": DARK_CONTRAST,
}


class Theme(QObject):
    """The look in force. `changed` is emitted after palette and style sheet were made anew."""

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._mode = Mode.SYSTEM
        self._started_dark = app.palette().window().color().lightness() < DARK_BELOW
        self.tokens = LIGHT
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._apply()

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def is_dark(self) -> bool:
        """Whether the look is dark: as chosen, as the system says, or as its palette shows."""
        if self._mode is not Mode.SYSTEM:
            return self._mode is Mode.DARK
        scheme = self._app.styleHints().colorScheme()
        if scheme is Qt.ColorScheme.Unknown:
            return self._started_dark
        return scheme is Qt.ColorScheme.Dark

    def set_mode(self, mode: Mode) -> None:
        """Follow the system, or hold light or dark."""
        self._mode = mode
        hints = self._app.styleHints()
        if mode is Mode.SYSTEM:
            hints.unsetColorScheme()
        else:
            dark = mode is Mode.DARK
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        self._apply()

    def color(self, token: str) -> QColor:
        """Return the colour of a meaning."""
        return QColor(getattr(self.tokens, token))

    def dress(self, window: QWidget) -> None:
        """Give a window the look in force, if it has another one. `changed` says when to.

        Windows are dressed when they are whole, and the application is not: Qt would style each
        part anew, with all that is in it, whenever it is put into another one.
        """
        if window.styleSheet() != self._sheet:
            window.setStyleSheet(self._sheet)

    def _on_scheme_changed(self) -> None:
        if self._mode is Mode.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        name = "dark" if self.is_dark else "light"
        if self._wants_contrast():
            name += " contrast"
        self.tokens = THEMES[name]
        self._app.setPalette(palette(self.tokens))
        self._sheet = style_sheet(self.tokens)
        self.changed.emit()

    def _wants_contrast(self) -> bool:
        """Ask the system; Qt answers from 6.10 on."""
        hints = self._app.styleHints()
        if not hasattr(hints, "accessibility"):
            return False
        accessibility = hints.accessibility()
        return accessibility.contrastPreference() is Qt.ContrastPreference.HighContrast


def palette(tokens: Tokens) -> QPalette:
    """Return the tokens as Qt's palette, for everything that Fusion draws itself."""
    made = QPalette()
    roles = {
        QPalette.ColorRole.Window: tokens.window,
        QPalette.ColorRole.Base: tokens.surface,
        QPalette.ColorRole.AlternateBase: tokens.hover,
        QPalette.ColorRole.Button: tokens.surface,
        QPalette.ColorRole.Mid: tokens.control,
        QPalette.ColorRole.WindowText: tokens.text,
        QPalette.ColorRole.Text: tokens.text,
        QPalette.ColorRole.ButtonText: tokens.text,
        QPalette.ColorRole.BrightText: tokens.failed,
        QPalette.ColorRole.ToolTipBase: tokens.surface,
        QPalette.ColorRole.ToolTipText: tokens.text,
        QPalette.ColorRole.PlaceholderText: tokens.secondary,
        QPalette.ColorRole.Highlight: tokens.selection,
        QPalette.ColorRole.HighlightedText: tokens.text,
        QPalette.ColorRole.Accent: tokens.accent,
        QPalette.ColorRole.Link: tokens.accent,
        QPalette.ColorRole.LinkVisited: tokens.accent,
    }
    for role, color in roles.items():
        made.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.secondary))
    return made


def style_sheet(tokens: Tokens) -> str:
    """Return the style sheet of the whole window, with colours and sizes filled in."""
    folder = files("carrel_resources")
    text = (folder / "themes" / "desk.qss").read_text(encoding="utf-8")
    icons = str(folder / "icons").replace("\\", "/")
    step = unit()
    sizes = {f"u{count}": f"{step * count}px" for count in (1, 2, 3, 4, 6, 8)}
    values = {**asdict(tokens), **sizes, "half": f"{max(2, step // 2)}px", "icons": icons}
    for name in sorted(values, key=len, reverse=True):
        text = text.replace(f"@{name}", values[name])
    return text


def unit() -> int:
    """Return the step of the spacing grid in pixels: three tenths of the font's size, 4 as a rule.

    The size, not the height of a line: fonts of one size (DejaVu, Noto, Noto CJK) differ by a
    quarter in that, and a page that is wider for taller lines does not fit the screen.
    """
    return max(4, round(0.3 * QFontInfo(QApplication.font()).pixelSize()))


def space(count: float) -> int:
    """Return a distance of so many grid steps."""
    return round(unit() * count)


def scaled_font(factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the interface font, larger or smaller, in a weight."""
    font = QFont(QApplication.font())
    size = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
    font.setPointSizeF(size * factor)
    font.setWeight(weight)
    return font


def title_font(factor: float) -> QFont:
    """Return the face of page titles and the word mark: the system's own serif."""
    font = scaled_font(factor)
    font.setFamilies(["Charter", "Iowan Old Style", "Georgia", "Noto Serif", "DejaVu Serif"])
    font.setStyleHint(QFont.StyleHint.Serif)
    return font


def fixed_font(factor: float = 0.95) -> QFont:
    """Return the face of digests and identifiers."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(scaled_font(factor).pointSizeF())
    return font
