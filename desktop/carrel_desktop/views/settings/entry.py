# SPDX-License-Identifier: AGPL-3.0-or-later
"""A field for one setting: it shows a value, takes another, and says what is wrong with it."""

import math
import re
from typing import Any

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from carrel.errors import CarrelError
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import space
from carrel_desktop.views.settings.catalogue import Kind, Setting
from carrel_desktop.widgets.choice_box import ChoiceBox
from carrel_desktop.widgets.labels import plain_label, restyle, set_tone
from carrel_desktop.widgets.layouts import boxed, horizontal, rest

UNITS = {
    "bytes": 1,
    "KiB": 1024,
    "MB": 1000**2,
    "MiB": 1024**2,
    "GB": 1000**3,
    "GiB": 1024**3,
    "TB": 1000**4,
    "TiB": 1024**4,
}


class InvalidEntry(CarrelError):
    """What was written cannot be the value; `str(error)` says why."""


class Entry(QObject):
    """The label, the editor and the hint of one setting; `edited` follows each keystroke.

    An empty field stands for the default.
    """

    edited = Signal()
    focus_widget: QWidget  # what takes the keyboard

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.label = QLabel(setting.label)
        self.hint = plain_label(setting.hint, "secondary")
        self.editor = self._make_editor()
        self.label.setWordWrap(True)  # in other languages it may be longer than its column
        self.label.setBuddy(self.focus_widget)
        self.focus_widget.setAccessibleName(setting.label)
        self.focus_widget.setObjectName(setting.name)
        self._shown: Any = setting.default
        self._remark = self._held = ""
        self._warns = False

    @property
    def is_changed(self) -> bool:
        """Whether another value is written here than was shown; a misfit is one."""
        try:
            return bool(self.value() != self._shown)
        except InvalidEntry:
            return True

    def show_value(self, value: Any) -> None:
        """Show what holds."""
        self._shown = value
        self._put(value)
        self.check()

    def value(self) -> Any:
        """Return what is written. Raises InvalidEntry."""
        raise NotImplementedError

    def check(self) -> str:
        """Say beside the field what is wrong with it; return that, empty if nothing is."""
        try:
            self.value()
            problem = ""
        except InvalidEntry as error:
            problem = str(error)
        hint = self._remark or self.setting.hint
        self.hint.setText(problem or " ".join(filter(None, (self._held, hint))))
        is_warning = self._held or self._warns
        set_tone(self.hint, "failed" if problem else "warning" if is_warning else "secondary")
        restyle(self.focus_widget, "invalid", "true" if problem else "")
        self.focus_widget.setAccessibleDescription(self.hint.text())
        return problem

    def show_remark(self, remark: str, *, warns: bool = False) -> None:
        """Say in place of the hint what another setting, or the disk, makes of this one; "" for
        nothing."""
        self._remark, self._warns = remark, warns
        self.check()

    def show_held(self, remark: str) -> None:
        """Say before the hint that another value holds in this archive; "" for nothing."""
        self._held = remark
        self.check()

    def _make_editor(self) -> QWidget:
        raise NotImplementedError

    def _put(self, value: Any) -> None:
        raise NotImplementedError

    def _on_edited(self) -> None:
        self.check()
        self.edited.emit()


class FlagEntry(Entry):
    """A box to tick."""

    def value(self) -> bool:
        return self._box.isChecked()

    def _make_editor(self) -> QWidget:
        self._box = self.focus_widget = QCheckBox()
        self._box.toggled.connect(self._on_edited)
        return self._box

    def _put(self, value: Any) -> None:
        self._box.setChecked(value)


class TextEntry(Entry):
    """A line of text."""

    def value(self) -> str:
        text = self._line.text().strip()
        if not text:
            return str(self.setting.default)
        if not re.fullmatch(self.setting.pattern, text):
            raise InvalidEntry(self.setting.rule)
        return text

    def _make_editor(self) -> QWidget:
        self._line = self.focus_widget = QLineEdit()
        self._line.setPlaceholderText(str(self.setting.default))
        self._line.textEdited.connect(self._on_edited)
        self._line.setMinimumWidth(space(60))
        return self._line

    def _put(self, value: Any) -> None:
        self._line.setText(value)


class NumberEntry(Entry):
    """A number, with its unit behind it."""

    def value(self) -> int | float:
        text = self._line.text().strip()
        if not text:
            return self.setting.default  # type: ignore[no-any-return]  # of a number's setting
        return self._checked(self._number(text))

    def _make_editor(self) -> QWidget:
        self._line = self.focus_widget = QLineEdit()
        self._line.setMaximumWidth(space(24))
        self._line.setPlaceholderText(number_text(self.setting.default))
        self._line.textEdited.connect(self._on_edited)
        unit = self._make_unit()
        return boxed(horizontal(self._line, *([unit] if unit else []), rest(), gap=2))

    def _make_unit(self) -> QWidget | None:
        units = {Kind.SECONDS: tr("seconds"), Kind.DAYS: tr("days")}
        unit = units.get(self.setting.kind)
        return QLabel(unit) if unit else None

    def _put(self, value: Any) -> None:
        self._line.setText(number_text(value))

    def _number(self, text: str) -> int | float:
        if not isinstance(self.setting.default, int):
            return _parsed(text)
        whole = tr("Enter a whole number")
        number = _parsed(text, whole)
        if number != int(number):
            raise InvalidEntry(whole)
        return int(number)

    def _checked(self, number: int | float) -> int | float:
        if number < 0 or (number == 0 and not self.setting.may_be_zero):
            least = tr("Must not be less than 0")
            raise InvalidEntry(least if self.setting.may_be_zero else tr("Must be more than 0"))
        if number > self.setting.most:
            raise InvalidEntry(tr("Must be {most} at most", most=self._in_words(self.setting.most)))
        return number

    def _in_words(self, number: float) -> str:
        return quantities.number(int(number))


class SizeEntry(NumberEntry):
    """A size in bytes, as a number and a unit."""

    def _number(self, text: str) -> int | float:
        return round(_parsed(text) * UNITS[self._unit.currentText()])

    def _in_words(self, number: float) -> str:
        return quantities.size(int(number))

    def _make_unit(self) -> QWidget | None:
        self._unit = ChoiceBox()
        self._unit.addItems(list(UNITS))
        self._unit.setAccessibleName(tr("Unit of {name}", name=self.setting.label))
        self._unit.activated.connect(self._on_edited)
        return self._unit

    def _make_editor(self) -> QWidget:
        made = super()._make_editor()
        self._line.setPlaceholderText("")
        self._line.setToolTip(
            tr("Empty for the default, {size}", size=_in_best_unit(self.setting.default))
        )
        return made

    def _put(self, value: Any) -> None:
        unit = best_unit(value)
        self._unit.setCurrentText(unit)
        self._line.setText(number_text(value / UNITS[unit]))


def _parsed(text: str, otherwise: str = "") -> float:
    """Return a number as the archivist's locale writes it. Raises InvalidEntry."""
    number, is_number = QLocale().toDouble(text)
    if not is_number or "e" in text.casefold() or not math.isfinite(number):
        raise InvalidEntry(otherwise or tr("Enter a number"))
    return number


def best_unit(size_bytes: int) -> str:
    """Return the largest unit of which a size is a whole number."""
    return max(
        (name for name, factor in UNITS.items() if size_bytes % factor == 0),
        key=lambda name: UNITS[name] if size_bytes else -UNITS[name],
    )


def _in_best_unit(size_bytes: int) -> str:
    """Return a size as its field shows it."""
    unit = best_unit(size_bytes)
    return f"{number_text(size_bytes / UNITS[unit])} {unit}"


def number_text(value: float) -> str:
    """Return a number as the person's locale writes it, with no needless zeros or groups."""
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    if value == int(value):
        return locale.toString(int(value))
    return locale.toString(float(value), "g", 12)


def entry_for(setting: Setting) -> Entry:
    """Return a field for a setting."""
    kinds: dict[Kind, type[Entry]] = {
        Kind.TEXT: TextEntry,
        Kind.COUNT: NumberEntry,
        Kind.SECONDS: NumberEntry,
        Kind.DAYS: NumberEntry,
        Kind.SIZE: SizeEntry,
        Kind.FLAG: FlagEntry,
    }
    return kinds[setting.kind](setting)
