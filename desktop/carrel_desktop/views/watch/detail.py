# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen dataset: how it stands, what to do, and what became of each of its files."""

from collections import Counter
from collections.abc import Mapping, Sequence

from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.model.dark_views import FileDifference, WatchedRow
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, scaled_font, space
from carrel_desktop.views.watch import columns, states
from carrel_desktop.views.watch.columns import looked, versions
from carrel_desktop.views.watch.tables import FilesTable
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.icon_label import IconLabel
from carrel_desktop.widgets.labels import ElidedLabel, set_tone, wrapped
from carrel_desktop.widgets.outcome_card import ground_of
from carrel_desktop.widgets.pane import Pane
from carrel_desktop.widgets.pane_footer import PaneFooter
from carrel_desktop.widgets.scrolling import scrolled
from carrel_desktop.widgets.table.model import RowsModel
from carrel_desktop.widgets.title_block import Title, TitleBlock

FILES, NONE_LISTED = 0, 1


class WatchPane(Pane):
    """Shows one watched dataset."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.title = TitleBlock(ActionButton(actions.page, theme, "link", role="quiet"))
        self.state = StateCard(theme)
        self.count = ElidedLabel()
        self.count.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.files = RowsModel(columns.files(), self)
        self.files.seek((), states.differs)
        self._if_none = ""
        self.table = FilesTable(theme, self.files)
        self.none = wrapped("", "secondary")
        self.none.setObjectName("no_differences")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self._with_room(self.none))
        self.fill(self._make_content(actions), self._make_footer(theme, actions))

    def show_row(self, row: WatchedRow) -> None:
        """Show how a dataset stands; its files are being read."""
        with self.showing():
            when = looked(row)
            version = tr("Version {version}", version=versions(row))
            facts = [
                version if versions(row) else "",
                tr("Last checked {moment}", moment=when) if when else "",
                "" if row.captured else tr("Not archived here"),
            ]
            address = row.base_url if row.base_url != row.title else ""
            self.title.show_title(Title(row.title, (), facts, address))
            self.state.show_state(row.state, row.message)
            self.ingest.set_role("primary" if _has_more(row) else "quiet")
            self._list((), tr("Loading…"))

    def show_files(self, files: Sequence[FileDifference]) -> None:
        """Show what became of the files."""
        with self.adding():
            self._list(files, tr("Its files are listed after a check that sees them."))

    def show_files_unread(self, reason: str) -> None:
        """Say why it is not known what became of the files."""
        with self.adding():
            unread = tr("The status of its files cannot be read: {reason}")
            self._list((), unread.format(reason=reason))

    def list_same(self, with_same: bool) -> None:
        """List the files that are as they were, or leave them out."""
        with self.adding():
            self.files.seek((), None if with_same else states.differs)
            self.follow_files()

    def follow_files(self) -> None:
        """Say in words what is listed, and why nothing is."""
        counts = Counter(each.what for each in self.files.all)
        self.count.setText(self._counted(counts))
        self.head.setVisible(bool(counts))
        is_listed = self.files.rowCount() > 0
        self.stack.setCurrentIndex(FILES if is_listed else NONE_LISTED)
        self.none.setText(tr("All files are unchanged.") if counts else self._if_none)

    def _list(self, files: Sequence[FileDifference], if_none: str) -> None:
        self._if_none = if_none
        self.files.show(self.files.kind, files)
        self.follow_files()

    def _counted(self, counts: Mapping[str, int]) -> str:
        ranked = sorted(counts, key=lambda name: states.file_state(name).rank)
        parts = [quantities.files(Counter(counts).total())]
        parts += [
            f"{states.file_state(name).word} {quantities.number(counts[name])}" for name in ranked
        ]
        return " · ".join(parts)

    def _make_content(self, actions: Actions) -> QScrollArea:
        self.same_chip = QPushButton()
        self.same_chip.setObjectName("same_chip")
        self.same_chip.setProperty("role", "chip")
        self.same_chip.setCheckable(True)
        self.same_chip.setText(actions.same.text())
        self.same_chip.setToolTip(actions.same.statusTip())
        self.same_chip.clicked.connect(actions.same.trigger)
        actions.same.toggled.connect(self.same_chip.setChecked)
        self.head = QWidget()
        row = QHBoxLayout(self.head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self.count, 1)
        row.addWidget(self.same_chip)
        self.stack.setMinimumHeight(space(26))
        content = QWidget()
        layout = QVBoxLayout()
        layout.setSpacing(space(3))
        layout.addWidget(self.state)
        layout.addWidget(self.head)
        layout.addWidget(self.stack, 1)
        content.setLayout(self.title.above(layout))
        return scrolled(content)

    def _make_footer(self, theme: Theme, actions: Actions) -> PaneFooter:
        remove = ActionButton(actions.remove, theme, "remove", role="quiet")
        look = ActionButton(actions.look, theme, "watch")
        self.ingest = ActionButton(actions.ingest, theme, "archive", role="primary")
        return PaneFooter((remove,), (look, self.ingest))

    @staticmethod
    def _with_room(label: QLabel) -> QWidget:
        made = QWidget()
        layout = QVBoxLayout(made)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label)
        layout.addStretch(1)
        return made


def _has_more(row: WatchedRow) -> bool:
    """Say whether there is something to archive that was not captured."""
    return row.captured is None or row.state in states.HAVE_MORE


class StateCard(QFrame):
    """A state with its icon and word, and the sentence that says what to do."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._icon = IconLabel(theme, "watch", "secondary")
        self.word = QLabel()
        self.word.setFont(scaled_font(1, QFont.Weight.DemiBold))
        self.message = wrapped()
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self._icon)
        row.addWidget(self.word, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(3), space(3), space(3))
        layout.setSpacing(space(1))
        layout.addLayout(row)
        layout.addWidget(self.message)
        self._tint("true")

    def show_state(self, name: str, message: str) -> None:
        look = states.state(name)
        self._tint(ground_of(look.tone))
        self._icon.set_icon(look.icon, look.tone)
        self.word.setText(look.word)
        set_tone(self.word, "" if look.tone == "accent" else look.tone)
        self.message.setText(message)
        self.setAccessibleName(f"{look.word}. {message}")

    def _tint(self, card: str) -> None:
        if self.property("card") != card:
            self.setProperty("card", card)
            self.style().unpolish(self)
            self.style().polish(self)
