# SPDX-License-Identifier: AGPL-3.0-or-later
"""The settings of an archive's harvests, which stand in a file of the archive."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QWidget

from carrel.engine.dark import GatheringConfig
from carrel.settings.consequences import REACHES_OWN_NETWORK
from carrel.translation import tr
from carrel_desktop.theme import space
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import grid, vertical
from carrel_desktop.widgets.number_box import DecimalBox

MOST_DAYS = 3650


class HarvestSettings(QDialog):
    """`given` carries the configuration that is wanted; what it does not show stays as it was."""

    given = Signal(object)

    def __init__(self, parent: QWidget, config: GatheringConfig, place: Path) -> None:
        super().__init__(parent)
        self._config = config
        self.setObjectName("harvest_settings")
        self.setWindowTitle(tr("Harvest settings"))
        self.full_texts = _box(tr("&Fetch full texts"), "full_texts", is_on=config.full_texts)
        within = tr("Request addresses inside your &network, and on this computer")
        self.private = _box(within, "private_networks", is_on=config.private_networks)
        self.every = _days("every_days", config.every_days)
        self.confirm = _days("confirm_after_days", config.confirm_after_days)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox()
        buttons.addButton(tr("&Save"), roles.AcceptRole)
        buttons.addButton(tr("&Cancel"), roles.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.given.emit(self.config))
        fields = grid(2, 2)
        rows = (
            (tr("&Days before a full text is requested again (0: in each run)"), self.every),
            (
                tr("D&ays between the two misses that make a loss (0: one, if the host responds)"),
                self.confirm,
            ),
        )
        for row, (text, field) in enumerate(rows):
            label = QLabel(text)
            label.setBuddy(field)
            fields.addWidget(label, row, 0)
            fields.addWidget(field, row, 1)
        told = wrapped(self._told(place), "secondary")
        parts = self.full_texts, fields, self.private, told, buttons
        vertical(*parts, gap=3, margins=(6, 5, 6, 4), on=self)
        self.setMinimumWidth(space(120))

    @property
    def config(self) -> GatheringConfig:
        """The configuration as it is shown."""
        return replace(
            self._config,
            full_texts=self.full_texts.isChecked(),
            private_networks=self.private.isChecked(),
            every_days=self.every.value(),
            confirm_after_days=self.confirm.value(),
        )

    def _told(self, place: Path) -> str:
        return tr(
            "They stand in {place}, with others that the manual explains. Addresses inside your "
            "network are requested only if “{setting}” is on in Settings, too.",
            place=place,
            setting=REACHES_OWN_NETWORK,
        )


def _box(text: str, name: str, *, is_on: bool) -> QCheckBox:
    box = named(QCheckBox(text), name)
    box.setChecked(is_on)
    return box


def _days(name: str, value: float) -> DecimalBox:
    field = named(DecimalBox(), name)
    field.setRange(0, MOST_DAYS)
    field.setDecimals(1)
    field.setValue(value)
    return field
