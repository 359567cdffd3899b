# SPDX-License-Identifier: AGPL-3.0-or-later
"""The choice among the six strategies, with the reason for the one that stands."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QLabel, QWidget

from carrel.model import IngestStrategy, PlatformItem, StrategyChoice
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, space
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import rest, vertical, wrapping

LEAST_CHOICE, MOST_CHOICE = 30, 150  # grid steps


class StrategyChooser(QWidget):
    """`chosen` carries the strategy the person picked, None for Carrel's own choice.

    `beside` is the button that acts on the choice.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, beside: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self._choice: StrategyChoice | None = None
        box = ElidedComboBox(space(LEAST_CHOICE), space(MOST_CHOICE))
        self.combo = named(box, "strategy")
        label = QLabel(tr("Strateg&y"))
        label.setBuddy(self.combo)
        self.reason = wrapped("", "secondary")
        self.warning = wrapped(tr("This publishes the files on archive.org."), "warning")
        row = wrapping(label, rest(self.combo, least=LEAST_CHOICE), rest(), beside, gap=3)
        # Last, so that the button stays in its place however long a reason is.
        vertical(self.reason, self.warning, row, gap=1.5, on=self)
        self.combo.activated.connect(self._on_activated)

    def show_choice(
        self, choice: StrategyChoice, overruled: IngestStrategy | None, item: PlatformItem
    ) -> None:
        """Offer the six; the default is marked, what cannot be had says why."""
        self._choice = choice
        self.combo.clear()
        for strategy in IngestStrategy:
            self._offer(strategy, item)
        self.combo.setCurrentIndex(list(IngestStrategy).index(overruled or choice.strategy))
        self._explain(overruled or choice.strategy)

    def _offer(self, strategy: IngestStrategy, item: PlatformItem) -> None:
        assert self._choice  # noqa: S101  # set by the only caller
        text, obstacle = words.strategy(strategy), self._obstacle(strategy, item)
        self.combo.add(text, strategy)
        position = self.combo.count() - 1
        if strategy is self._choice.strategy:
            self.combo.setItemIcon(position, icon(self._theme, "ok", "accent"))
            spoken = tr("{strategy}, suggested", strategy=text)
            self.combo.setItemData(position, spoken, Qt.ItemDataRole.AccessibleTextRole)
        if obstacle:
            self.combo.setItemData(position, obstacle, Qt.ItemDataRole.ToolTipRole)
            self.combo.setItemText(position, f"{text} – {obstacle}")
            model = self.combo.model()
            assert isinstance(model, QStandardItemModel)  # noqa: S101  # a combo box's own model
            model.item(position).setEnabled(False)

    def _obstacle(self, strategy: IngestStrategy, item: PlatformItem) -> str:
        if strategy.is_single and len(item.manifest) != 1:
            return tr("for a single file only")
        if strategy.is_bundled and not item.has_bundle:
            return tr("not offered by the repository")
        return ""

    def _on_activated(self, position: int) -> None:
        strategy = IngestStrategy(self.combo.itemData(position))
        is_default = self._choice is not None and strategy is self._choice.strategy
        self._explain(strategy)
        self.chosen.emit(None if is_default else strategy)

    def _explain(self, strategy: IngestStrategy) -> None:
        if self._choice is None:
            return
        self.warning.setVisible(strategy.makes_item)
        if strategy is self._choice.strategy:
            text = tr("Suggested: {reason}", reason=self._choice.reason)
        else:
            text = tr("Selected instead of {suggested}.", suggested=self._choice.strategy.value)
        self.reason.setText(text)
        spoken = [text, self.warning.text()] if strategy.makes_item else [text]
        self.combo.setAccessibleDescription(" ".join(spoken))
