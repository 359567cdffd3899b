# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane beside the table: the chosen capture, its content and heads, or two compared."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from carrel.model.memento_views import Peek, Saved
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space
from carrel_desktop.views.mementos.compare import ComparisonView
from carrel_desktop.views.mementos.content import Content
from carrel_desktop.views.mementos.rows import Row, time_text
from carrel_desktop.views.mementos.shown import ContentView
from carrel_desktop.widgets.actions import ActionButton
from carrel_desktop.widgets.labels import ElidedLabel, wrapped
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane
from carrel_desktop.widgets.pane_footer import PaneFooter
from carrel_desktop.widgets.text_views import text_view, visible

NOTHING, ONE, TWO = 0, 1, 2
CONTENT, HEADERS = 0, 1
STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits


@dataclass(frozen=True, slots=True)
class PaneActions:
    """What can be done with what is chosen."""

    preview: QAction
    open: QAction
    raw: QAction
    save: QAction
    compare: QAction


class MementoPane(Pane):
    """Shows one capture, two, or what to choose; its URL where it is not `asked_url`."""

    def __init__(self, theme: Theme, actions: PaneActions) -> None:
        super().__init__()
        self.asked_url = ""
        self.time = ElidedLabel()
        self.time.setFont(scaled_font(1.1, QFont.Weight.DemiBold))
        self.facts = wrapped("", "secondary")
        self.url = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.url.setFont(fixed_font(0.93))
        self.card = OutcomeCard(theme)
        self.card.hide()
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Saving"))
        self.bar.hide()
        self.content = ContentView()
        self.heads = text_view(tr("Headers of the record"))
        self.heads.setObjectName("heads")
        self.comparison = ComparisonView(theme)
        self._tabs = QButtonGroup(self)
        self._tabbed = QStackedWidget()
        self._tabbed.addWidget(self.content)
        self._tabbed.addWidget(self.heads)
        self.stack = QStackedWidget()
        for page in (self._make_hint(), self._make_one(), self._make_two()):
            self.stack.addWidget(page)
        self._footers = QStackedWidget()
        self._footers.addWidget(self._make_footer(theme, actions))
        self._footers.addWidget(self._make_pair_footer(theme, actions))
        self.fill(self.stack, self._footers)
        self._tabs.idClicked.connect(self._tabbed.setCurrentIndex)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say what to choose."""
        with self.showing():
            self.stack.setCurrentIndex(NOTHING)
            self._footers.hide()

    def show_row(self, row: Row) -> None:
        """Show what the index says of a capture."""
        with self.showing():
            memento = row.memento
            self.stack.setCurrentIndex(ONE)
            self._footers.setCurrentIndex(0)
            self._footers.show()
            self.time.setText(f"{time_text(memento.timestamp)} UTC")
            self.facts.setText(self._facts(row))
            self.url.setText(memento.url)
            self.url.setVisible(memento.url != self.asked_url)
            self.card.hide()
            self.bar.hide()
            self.heads.setPlainText("")
            if row.is_local:
                self.content.show_sentence(tr("Reading…"))
            else:
                text = tr("Preview fetches its beginning from {source}.")
                self.content.show_sentence(text.format(source=memento.source))

    def show_fetching(self, row: Row) -> None:
        with self.adding():
            text = tr("Reading…") if row.is_local else tr("Requesting it from {source}…")
            self.content.show_sentence(text.format(source=row.memento.source))

    def show_peek(self, row: Row, peek: Peek, content: Content) -> None:
        """Show the beginning of a capture, and its heads."""
        with self.adding():
            self.content.show_content(content)
            heads = [head.strip() for head in (peek.warc_head, peek.http_head)]
            both = "\n\n".join(head for head in heads if head)
            self.heads.setPlainText(visible(both.replace("\r\n", "\n")))
            size = quantities.size(peek.length)
            kind = peek.mimetype or row.mimetype
            self.facts.setText(self._facts(row, f"{kind} · {size}" if kind else size))
            if peek.delivered_at and peek.delivered_at[:14] != row.memento.timestamp[:14]:
                self._say_other_moment(peek.delivered_at)

    def show_trouble(self, sentence: str) -> None:
        """Show why a capture cannot be had."""
        with self.adding():
            self.content.show_sentence("")
            self.card.show()
            self.card.show_trouble(tr("Not available"), sentence)

    def show_saving(self, done: int, total: int) -> None:
        """Show how far a file is."""
        with self.adding():
            self.card.show()
            self.bar.show()
            self.bar.setRange(0, STEPS if total else 0)
            self.bar.setValue(STEPS * done // total if total else 0)
            text = tr("{done} of {total}") if total else "{done}"
            said = text.format(done=quantities.size(done), total=quantities.size(total))
            self.card.show_note("save", tr("Saving…"), said)

    def show_saved(self, saved: Saved) -> None:
        """Show that a file was written, and whether it is what the index says."""
        with self.adding():
            self.bar.hide()
            self.card.show()
            text = tr("{size} in {path}.", size=quantities.size(saved.size), path=saved.path)
            if saved.is_proven is False:
                doubt = tr("Its digest differs from the index.")
                self.card.show_caution(tr("Saved, but does not match"), f"{text} {doubt}")
            elif saved.is_proven:
                proof = tr("Its digest matches the index.")
                self.card.show_success(tr("Saved and verified"), f"{text} {proof}")
            else:
                self.card.show_success(tr("Saved"), text)

    def end_saving(self) -> None:
        """Show no more how far a file is, as it did not come to its end."""
        self.bar.hide()
        self.card.hide()

    def show_pair(self, older: Row, newer: Row) -> None:
        """Show two captures that can be compared."""
        with self.showing():
            self.stack.setCurrentIndex(TWO)
            self._footers.setCurrentIndex(1)
            self._footers.show()
            self.comparison.show_pair(older, newer)

    def show_tab(self, number: int) -> None:
        """Open the content or the heads."""
        self._tabs.button(number).click()

    def _facts(self, row: Row, kind: str = "") -> str:
        memento = row.memento
        status = tr("status {status}", status=row.status) if row.status else ""
        who = ", ".join((memento.source, *memento.also))
        revisit = tr("a revisit") if memento.is_revisit else ""
        parts = (who, status, kind or row.mimetype, revisit)
        return " · ".join(part for part in parts if part)

    def _say_other_moment(self, moment: str) -> None:
        heading = tr("Other time than in its index")
        text = tr("The archive delivered its capture of {moment} UTC.")
        self.card.show()
        self.card.show_caution(heading, text.format(moment=time_text(moment)))

    def _make_hint(self) -> QWidget:
        hint = QWidget()
        text = wrapped(
            tr("Select a capture to see it, or two (with Ctrl) to compare."),
            "secondary",
        )
        layout = QVBoxLayout(hint)
        layout.setContentsMargins(space(4), space(4), space(4), space(4))
        layout.addWidget(text)
        layout.addStretch(1)
        return hint

    def _make_one(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(space(4), space(3), space(4), space(3))
        layout.setSpacing(space(1.5))
        for widget in (self.time, self.facts, self.url, self.card, self.bar):
            layout.addWidget(widget)
        layout.addSpacing(space(1))
        layout.addLayout(self._make_tabs())
        layout.addWidget(self._tabbed, 1)
        return page

    def _make_tabs(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(space(1.5))
        for number, name in enumerate((tr("Content"), tr("Headers"))):
            tab = QPushButton(name)
            tab.setCheckable(True)
            tab.setProperty("role", "chip")
            tab.setObjectName(f"tab_{number}")
            tab.setChecked(number == CONTENT)
            self._tabs.addButton(tab, number)
            row.addWidget(tab)
        row.addStretch(1)
        return row

    def _make_two(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(space(4), space(4), space(4), space(3))
        layout.addWidget(self.comparison)
        return page

    @staticmethod
    def _make_footer(theme: Theme, actions: PaneActions) -> PaneFooter:
        save = ActionButton(actions.save, theme, "save", role="quiet")
        raw = ActionButton(actions.raw, role="quiet")
        preview = ActionButton(actions.preview, theme, "preview", hides=True)
        opening = ActionButton(actions.open, theme, "link", role="primary")
        return PaneFooter((save, raw), (preview, opening))

    @staticmethod
    def _make_pair_footer(theme: Theme, actions: PaneActions) -> PaneFooter:
        return PaneFooter((), (ActionButton(actions.compare, theme, "compare", role="primary"),))
