# SPDX-License-Identifier: AGPL-3.0-or-later
"""The chosen source: what it is, its form or its YAML, and what it answered."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from carrel.translation import tr
from carrel_desktop.icons import icon
from carrel_desktop.theme import Theme, fixed_font, scaled_font, space, strong_font
from carrel_desktop.views.archives.answers import Said
from carrel_desktop.views.archives.checks import name_problem
from carrel_desktop.views.archives.draft import Kind
from carrel_desktop.views.archives.edit import Edit, suggested_name
from carrel_desktop.views.archives.form import FieldRow, SourceForm
from carrel_desktop.views.archives.kinds import Words, kind_words
from carrel_desktop.views.archives.source_text import entry_text
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.chips import Tabs
from carrel_desktop.widgets.elided_combo_box import ElidedComboBox
from carrel_desktop.widgets.labels import named, plain_label, set_tone, wrapped
from carrel_desktop.widgets.layouts import boxed, rest, scrolled, vertical, wrapping
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter
from carrel_desktop.words import OWN_SOURCE

MOST_LINES = 6
FORM, TEXT = 0, 1
LEAST_STATE = 30  # grid steps
TEXT_LINES = 9


class Preview(QWidget):
    """The lines that are written to the file."""

    def __init__(self) -> None:
        super().__init__()
        heading = plain_label(tr("In collections.yaml"), font=strong_font(0.97))
        self.lines = named(QPlainTextEdit(), "preview", heading.text())
        self.lines.setReadOnly(True)
        self.lines.setFont(fixed_font(0.9))
        self.lines.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        vertical(heading, self.lines, gap=0.75, pixels=(1, 0, 1, 1), on=self)

    def show_text(self, text: str) -> None:
        """Show lines, with as much room as they need."""
        if self.lines.toPlainText() != text:
            self.lines.setPlainText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        document = self.lines.document()
        document.setTextWidth(max(1, self.lines.viewport().width()))
        lines = round(document.size().height())  # of a plain text: counted in lines
        shown = max(1, min(MOST_LINES, lines))
        bars = Qt.ScrollBarPolicy
        bar = bars.ScrollBarAsNeeded if lines > MOST_LINES else bars.ScrollBarAlwaysOff
        self.lines.setVerticalScrollBarPolicy(bar)
        self.lines.setFixedHeight(shown * self.lines.fontMetrics().lineSpacing() + space(6.5))


class SourcePane(Pane):
    """`edited` carries the edit with each change, `saved` is emitted by Return and Ctrl+S."""

    edited = Signal(object)
    saved = Signal()

    def __init__(self, theme: Theme, folder: Path, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._edit: Edit | None = None
        self._others: Collection[str] = ()
        self._suggested = ""
        self._is_own: bool | None = None  # whether the source is this archive
        self.kind = self._make_kind()
        self.sentence = wrapped("", "secondary")
        self.name = FieldRow("name")
        self._show_name_words(Kind.MEMENTO)
        self.form = SourceForm(theme, folder)
        self.text = named(QPlainTextEdit(tabChangesFocus=True), "source_text")
        self.text.setAccessibleName(tr("The source as YAML"))
        self.text.setFont(fixed_font())
        self.text.setMinimumHeight(TEXT_LINES * self.text.fontMetrics().lineSpacing() + space(6))
        self.text_hint = wrapped("", "secondary", scaled_font(0.93))
        self.way = Tabs(self, "way", (tr("Form"), tr("YAML")))
        self.preview = Preview()
        self.card = OutcomeCard(theme)
        self.state = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        as_text = vertical(self.text, self.text_hint, gap=0.75, pixels=(1, 1, 1, 0))
        self._ways = (self.form, boxed(as_text))
        self._area = scrolled(self._make_content(), sideways=False)
        self.fill(self._area, self._make_footer(actions))
        self._connect()

    def show_edit(self, edit: Edit, others: Collection[str], *, is_new: bool) -> None:
        """Show a source; `others` are the names that it cannot have."""
        with self.showing():
            self._edit, self._others = edit, others
            self._suggested = edit.name if is_new else "-"
            self.name.show_text(edit.name)
            self.name.show_problem("")
            if edit.draft is not None:
                self.form.show_draft(edit.draft)
            self._show_text(edit.text)
            self._fill()

    def show_said(self, answer: Said | None) -> None:
        """Show what it answered last, None for nothing."""
        with self.adding():
            is_new = answer is not None and answer.heading != self.card.word.text()
            self.card.setVisible(answer is not None)
            if answer is not None:
                said = answer.heading, answer.advice, answer.tone, answer.detail
                self.card.show_note(answer.icon, *said)
            if is_new:
                self._area.ensureWidgetVisible(self.kind)  # the card is below it

    def say(self, tone: str, text: str) -> None:
        """Say at the foot how it stands with saving."""
        self.state.setText(text)
        self.state.setVisible(bool(text))
        set_tone(self.state, tone)

    def insist(self) -> None:
        """Name what is missing, and put the keyboard there."""
        assert self._edit  # noqa: S101 - only what is shown can be saved
        problem = name_problem(self._edit.name, self._others)
        self.name.show_problem(problem)
        self.insist_on_source()
        if problem:  # it stands above the others
            self.name.line.setFocus()

    def insist_on_source(self) -> None:
        """Name what is missing but the name, and put the keyboard there."""
        if self.way.checkedId() == TEXT:
            self.text.setFocus()
        else:
            self.form.insist()

    def take_focus(self, *, is_new: bool = False) -> None:
        """Put the keyboard where one begins to write."""
        edit = self._edit
        if is_new:
            self.kind.setFocus()
        elif edit and edit.is_by_hand:
            self.text.setFocus()
        else:
            (self.form.first_line or self.name.line).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return or event.matches(QKeySequence.StandardKey.Save):
            self.saved.emit()
        else:
            super().keyPressEvent(event)

    def _make_kind(self) -> ElidedComboBox:
        made = named(ElidedComboBox(space(30), space(80)), "kind", tr("Kind of source"))
        made.setPlaceholderText(tr("Another kind"))
        made.setIconSize(QSize(space(4.5), space(4.5)))
        for kind in Kind:
            words = kind_words(kind)
            made.addItem(icon(self._theme, words.icon, "secondary"), words.name, kind)
        return made

    def _make_content(self) -> QWidget:
        row = wrapping(self.kind, rest(), *self.way.chips, gap=1.5, pixels=(1, 1, 1, 0))
        head = vertical(row, self.sentence, gap=1.5)
        parts = head, self.card, self.name, *self._ways, self.preview, rest()
        return boxed(vertical(*parts, gap=3, margins=(4, 4, 3, 3)))

    def _make_footer(self, actions: Actions) -> PaneFooter:
        undo = ActionButton(actions.undo, role="quiet")
        save = ActionButton(actions.save, role="primary")
        state = rest(self.state, least=LEAST_STATE)
        return PaneFooter(wrapping(state, rest(), undo, save, gap=1, margins=(4, 3, 4, 3)))

    def _connect(self) -> None:
        self.kind.activated.connect(self._on_kind)
        self.name.written.connect(self._on_name)
        self.form.edited.connect(self._on_draft)
        self.text.textChanged.connect(self._on_text)
        self.way.idClicked.connect(self._on_way)

    def _fill(self) -> None:
        """Bring everything but what is being written into line with the edit."""
        edit = self._edit
        if edit is None:
            return
        at = TEXT if edit.is_by_hand or edit.draft is None else FORM
        for number, page in enumerate(self._ways):
            page.setVisible(number == at)
        self.way.button(at).setChecked(True)
        self.way.button(FORM).setEnabled(edit.draft is not None)
        draft = edit.draft
        self.kind.setCurrentIndex(list(Kind).index(draft.kind) if draft else -1)
        self.kind.setEnabled(draft is not None)
        unknown = tr("Written in a form that has no fields here; edit its YAML.")
        self.sentence.setText(kind_words(draft.kind).sentence if draft else unknown)
        self._show_name_words(draft.kind if draft else None)
        self.preview.setVisible(at == FORM)
        self.preview.show_text(entry_text(edit.name, edit.text))
        self._fill_text_hint(edit)

    def _show_name_words(self, kind: Kind | None) -> None:
        """Say what a name is for: this archive is called so in the file alone."""
        own = tr("Its name in collections.yaml; Carrel shows it as “This archive”")
        usual = tr("Shown next to captures from this source")
        is_own = kind is Kind.ARCHIVE and self._edit is not None and self._edit.name == OWN_SOURCE
        if self._is_own is not is_own:
            self._is_own = is_own
            self.name.show_words(Words(tr("Name"), own if is_own else usual))
            self._check_name()

    def _fill_text_hint(self, edit: Edit) -> None:
        problem = edit.text_problem()
        fine = tr("One line, or a mapping with a “type”. It is saved exactly as written.")
        self.text_hint.setText(problem or fine)
        set_tone(self.text_hint, "failed" if problem else "secondary")
        self.text.setAccessibleDescription(self.text_hint.text())

    def _show_text(self, text: str) -> None:
        if self.text.toPlainText() != text:
            self.text.blockSignals(True)
            self.text.setPlainText(text)
            self.text.blockSignals(False)

    def _change(self, edit: Edit) -> None:
        self._edit = edit
        self._suggest()
        self._fill()
        self.edited.emit(self._edit)

    def _suggest(self) -> None:
        """Name a new source after where it is, until a person names it."""
        if (edit := self._edit) and edit.name == self._suggested:
            self._suggested = suggested_name(edit.draft)
            self._edit = replace(edit, name=self._suggested)
            self.name.show_text(self._suggested)
            self._check_name()

    def _check_name(self) -> None:
        name = self._edit.name if self._edit else ""
        self.name.show_problem(name_problem(name, self._others) if name else "")

    def _on_kind(self, number: int) -> None:
        if self._edit is None:
            return
        kind = Kind(self.kind.itemData(number))
        new = self._edit.draft.as_kind(kind) if self._edit.draft else None
        if new is None or new == self._edit.draft:
            self._fill()
            return
        self.form.show_draft(new)
        edit = self._edit.drafted(new)
        self._show_text(edit.text)
        self._change(edit)

    def _on_name(self, text: str) -> None:
        if self._edit is not None:
            self._edit = replace(self._edit, name=text)
            self._check_name()
            self._fill()
            self.edited.emit(self._edit)

    def _on_draft(self, draft: object) -> None:
        if self._edit is not None:
            edit = self._edit.drafted(draft)  # type: ignore[arg-type]  # the form's own
            self._show_text(edit.text)
            self._change(edit)

    def _on_text(self) -> None:
        if self._edit is not None:
            edit = self._edit.typed(self.text.toPlainText().strip("\n"))
            if edit.draft is not None:
                self.form.show_draft(edit.draft)
            self._change(edit)

    def _on_way(self, number: int) -> None:
        if self._edit is not None:
            self._change(replace(self._edit, is_by_hand=number == TEXT))
