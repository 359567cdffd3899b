# SPDX-License-Identifier: AGPL-3.0-or-later
"""Colours by meaning, spacing by font, and the one place that styles anything.

No widget names a colour: it asks for a token ("failed", "secondary"), and no colour stands without
a word or an icon beside it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QWidget

_CHOSEN = "window/mode"  # where the choice of the person is kept
DARK_BELOW = 128  # lightness of a window colour; the same test as Picard's


class Mode(StrEnum):
    """What the person asked for."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by meaning, as `#rrggbb`.

    `control` shows where something begins that can be used, and can be seen on every ground
    (WCAG 2.2, 1.4.11); `border` parts what is read from what is read, and need not be.
    """

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


# In the order of the tokens: light, dark, and both for those who ask for more contrast.
_COLOURS = (
    ("#f8f6f2", "#1d1c1a", "#ffffff", "#000000"),  # window
    ("#ffffff", "#262522", "#ffffff", "#000000"),  # surface
    ("#efebe3", "#171614", "#ffffff", "#000000"),  # sidebar
    ("#f3f0ea", "#2e2d29", "#e6e6e6", "#222222"),  # hover
    ("#e0dad0", "#383632", "#000000", "#ffffff"),  # border
    ("#888174", "#8c887e", "#000000", "#ffffff"),  # control
    ("#e7e2d9", "#3a3834", "#ffffff", "#000000"),  # track
    ("#1f2124", "#ece8e1", "#000000", "#ffffff"),  # text
    ("#5f6064", "#aba69c", "#1a1a1a", "#e6e6e6"),  # secondary
    ("#1b5e5a", "#86c9c0", "#003f3c", "#9ff0e6"),  # accent
    ("#164d4a", "#9ed6ce", "#000000", "#ffffff"),  # accent_hover
    ("#ffffff", "#0c2624", "#ffffff", "#000000"),  # on_accent
    ("#dfebe8", "#2b403d", "#cfe6e3", "#14413c"),  # selection
    ("#2a6b3c", "#8fcb9f", "#00441b", "#a6f5b9"),  # ok
    ("#855300", "#e6b968", "#5a3500", "#ffd98a"),  # warning
    ("#a8281f", "#f49a90", "#7d0000", "#ffb3ab"),  # failed
    ("#fbf1dc", "#3a3222", "#ffffff", "#000000"),  # notice
    ("#fbecea", "#3c2826", "#ffffff", "#000000"),  # fault
)
_NAMES = ("light", "dark", "light contrast", "dark contrast")
_LOOKS = (Tokens(*look) for look in zip(*_COLOURS, strict=True))
THEMES: Mapping[str, Tokens] = dict(zip(_NAMES, _LOOKS, strict=True))


class Theme(QObject):
    """The look in force: what the person chose last, else that of the system.

    `changed` is emitted after palette and style sheet were made anew.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._mode = chosen_mode()
        self._started_dark = app.palette().window().color().lightness() < DARK_BELOW
        self.tokens = THEMES["light"]
        self._sheet = ""
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

    def choose_mode(self, mode: Mode) -> None:
        """Do as `set_mode`, from now on also at every start."""
        QSettings("Carrel", "Carrel").setValue(_CHOSEN, mode.value)
        self.set_mode(mode)

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
        if not self._sheet:  # no window was whole yet
            self._sheet = style_sheet(self.tokens)
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
        self._sheet = ""
        self.changed.emit()

    def _wants_contrast(self) -> bool:
        """Ask the system; Qt answers from 6.10 on."""
        hints = self._app.styleHints()
        if not hasattr(hints, "accessibility"):
            return False
        return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast


def chosen_mode() -> Mode:
    """Return what the person chose, in this session or an earlier one."""
    try:
        return Mode(str(QSettings("Carrel", "Carrel").value(_CHOSEN)))
    except ValueError:
        return Mode.SYSTEM


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
    from importlib.resources import files  # after the first window is shown

    folder = files("carrel_resources")
    text = (folder / "themes" / "desk.qss").read_text(encoding="utf-8")
    icons = str(folder / "icons").replace("\\", "/")
    step = unit()
    sizes = {f"u{count}": f"{step * count}px" for count in (1, 2, 3, 4, 6, 8)}
    tick = "light" if QColor(tokens.on_accent).lightness() > DARK_BELOW else "dark"
    values = {**asdict(tokens), **sizes, "half": f"{max(2, step // 2)}px"}
    inward = "left" if QApplication.isRightToLeft() else "right"
    values |= {"icons": icons, "tick": f"{icons}/check-{tick}.svg"}
    values["closed"] = f"{icons}/arrow-{inward}.svg"
    for name in sorted(values, key=len, reverse=True):
        text = text.replace(f"@{name}", values[name])
    return text


class _Measures:
    """What follows from the interface font: whoever paints asks for it for each word of each row.

    The step of the grid is three tenths of the font's size, 4 pixels as a rule. The size, not the
    height of a line: fonts of one size (DejaVu, Noto, Noto CJK) differ by a quarter in that, and a
    page that is wider for taller lines does not fit the screen.
    """

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)
        self.unit = max(4, round(0.3 * QFontInfo(font).pixelSize()))
        self._scaled: dict[tuple[float, QFont.Weight], QFont] = {}

    def scaled(self, factor: float, weight: QFont.Weight) -> QFont:
        key = (factor, weight)
        if key not in self._scaled:
            font = QFont(self.font)
            size = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
            font.setPointSizeF(size * factor)
            font.setWeight(weight)
            self._scaled[key] = font
        return QFont(self._scaled[key])


_known: list[_Measures] = []  # those of the font of now, once somebody asked


def _measures() -> _Measures:
    font = QApplication.font()
    if not _known or _known[0].font != font:
        _known[:] = [_Measures(font)]
    return _known[0]


def unit() -> int:
    """Return the step of the spacing grid in pixels."""
    return _measures().unit


def space(count: float) -> int:
    """Return a distance of so many grid steps."""
    return round(unit() * count)


def scaled_font(factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the interface font, larger or smaller, in a weight."""
    return _measures().scaled(factor, weight)


def strong_font(factor: float = 1) -> QFont:
    """Return the face of headings, and of what counts most in a row."""
    return scaled_font(factor, QFont.Weight.DemiBold)


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
