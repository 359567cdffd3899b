# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bars above the pages: what an archive asks for, and what went wrong."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from carrel.settings import Answer
from carrel.translation import tr
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.timers import delay
from carrel_desktop.widgets.actions import ActionButton, make_action
from carrel_desktop.widgets.labels import IconLabel, named, restyle, wrapped
from carrel_desktop.widgets.layouts import (
    boxed,
    framed,
    horizontal,
    rest,
    show_in,
    vertical,
    wrapping,
)

PASSES_MS = 8_000  # a note is read by then
OFFER_PASSES_MS = 20_000  # so is one with something to do beside it, and thought about
_LINES = 2  # of a note that stands beside a heading
_FAR = 10_000  # pixels
_MARGINS, _MARGINS_BESIDE = (6, 0, 6, 3), (0, 2, 0, 2)  # grid steps
_MOST = 45  # grid steps: the height from which on the list scrolls


class NoticeBar(QWidget):
    """Hidden, with its margins, until there is something to say; `said` carries each sentence.

    A warning stays until it is dismissed or over, or its page is left if it is that of a page. A
    note passes by itself, once it can have been
    read: time does not count while the window is behind others, nor while the mouse or the keyboard
    is on it.

    What is short enough stands `beside` a heading: what the mouse is just going to click on does
    not move as it comes and goes. The rest, and a warning that has no room there any more, stands
    in `place`.
    """

    said = Signal(str)

    def __init__(self, theme: Theme, beside: QLayout) -> None:
        super().__init__()
        self._in_place, self._beside = vertical(), beside
        self.place = boxed(self._in_place)
        self.label = wrapped()
        # No letter of its word is free on every page.
        away = make_action(self, tr("Dismiss"), self.hide, "Alt+X", name="put_away")
        self.addAction(away)
        self._icon = IconLabel(theme, "warning", "warning")
        self.way = named(QPushButton(), "notice_way")
        self.way.setProperty("role", "quiet")
        self.way.clicked.connect(self._go)
        self._action: QAction | None = None
        parts = self._icon, rest(self.label), self.way, ActionButton(away, role="quiet")
        self.card = framed(horizontal(*parts, gap=2, margins=(3, 1.5, 2, 1.5)), "notice")
        self._around = vertical(self.card, on=self)
        self.passing = delay(self, PASSES_MS, self._pass)
        self._settling = delay(self, 0, self._settle)
        self._is_kept = False  # although its time is over
        self._page: QWidget | None = None  # that it is of
        for button in self.findChildren(QPushButton):
            button.installEventFilter(self)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settling.start()  # once the layouts are done

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._let_pass()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self._let_pass()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the keyboard leaves a button."""
        if event.type() is QEvent.Type.FocusOut:
            self._let_pass()
        return super().eventFilter(watched, event)

    def say(self, sentence: str, kind: str = "warning", *, page: QWidget | None = None) -> None:
        """Show a sentence in place of the one before; `kind` is warning or note.

        That of a `page` says what went wrong there, and is gone where that is left.
        """
        self._show(sentence, kind, None)
        self._page = page

    def follow_page(self, page: QWidget) -> None:
        """Hide what is that of another page than the one that is open now."""
        if self._page not in (None, page):
            self.hide()

    def stay(self) -> None:
        """Have what is shown be of no page."""
        self._page = None

    def say_last(self, sentence: str) -> None:
        """Show a note that stays for as long as the window does."""
        self._show(sentence, "note", None)
        self.passing.stop()

    def offer(self, sentence: str, action: QAction, kind: str = "note") -> None:
        """Show a sentence with what can be done about it beside it, once."""
        self._show(sentence, kind, action)

    def is_over(self, sentence: str) -> None:
        """Hide a sentence that is not so any more, if it is the one on show."""
        if sentence and self.label.text() == sentence:
            self.hide()

    def trouble_is_over(self) -> None:
        """Hide trouble. A note passes by itself, and what is offered stays until something else is
        said."""
        if self._action is None and not self.passing.isActive():
            self.hide()

    def _show(self, sentence: str, kind: str, action: QAction | None) -> None:
        self._action, self._page = action, None
        self.passing.stop()
        self._is_kept = False
        if kind == "note":
            self.passing.start(PASSES_MS if action is None else OFFER_PASSES_MS)
        restyle(self.card, "card", "notice" if kind == "warning" else "note")
        self.way.setVisible(action is not None)
        if action is not None:
            self.way.setText(action.text().replace("&", ""))  # no letter is free on every page
            self.way.setAccessibleName(self.way.text())
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self.way.setToolTip(f"{action.statusTip() or self.way.text()}  ({keys})".strip())
        self._icon.set_icon(kind, "warning" if kind == "warning" else "secondary")
        self.label.setText(sentence)
        self._go_to_place()
        self.setAccessibleName(sentence)
        self.show()
        self.said.emit(sentence)

    def _go_to_place(self) -> None:
        """Stand beside the heading where there is room."""
        fits = self._fits_beside()
        home, margins = (self._beside, _MARGINS_BESIDE) if fits else (self._in_place, _MARGINS)
        self._around.setContentsMargins(*map(space, margins))
        home.addWidget(self)

    def _settle(self) -> None:
        """Leave the place beside the heading where a narrower window has no room for it."""
        if self._beside.indexOf(self) >= 0 and not self._fits_beside():
            self._go_to_place()

    def _fits_beside(self) -> bool:
        others = self.card.sizeHint().width() - self.label.sizeHint().width()
        ground = self._beside.parentWidget()  # the layout itself forgets while it is done anew
        room, metrics = (ground.width() if ground else 0) - others, self.label.fontMetrics()
        wraps, text = Qt.TextFlag.TextWordWrap, self.label.text()
        taken = metrics.boundingRect(QRect(0, 0, max(0, room), _FAR), wraps, text)
        return taken.width() <= room and taken.height() <= _LINES * metrics.lineSpacing()

    def _pass(self) -> None:
        """Hide the note, once it can have been read."""
        has_focus = any(button.hasFocus() for button in self.findChildren(QPushButton))
        self._is_kept = has_focus or self.underMouse() or not self.isActiveWindow()
        if not self._is_kept:
            self.hide()

    def _let_pass(self) -> None:
        """Have the time begin anew of what was kept."""
        if self._is_kept:
            self._is_kept = False
            self.passing.start(PASSES_MS)

    def _go(self) -> None:
        action = self._action
        self.hide()
        if action is not None:
            action.trigger()


class ReadOnlyBar(QWidget):
    """Stands there for as long as an archive can only be read, and says why; hidden else."""

    def __init__(self, theme: Theme, again: QAction) -> None:
        super().__init__()
        self.label = wrapped()
        self._icon = IconLabel(theme, "note", "secondary")
        self.again = QPushButton(tr("Try again"))  # no letter of it is free on every page
        self.again.setProperty("role", "quiet")
        self.again.setToolTip(tr("Reopen the archive, for writing if possible"))
        self.again.clicked.connect(again.trigger)
        parts = self._icon, rest(self.label), self.again
        card = framed(horizontal(*parts, gap=2, margins=(3, 2, 2, 2)), "notice")

        vertical(card, margins=(6, 0, 6, 3), on=self)
        self.hide()

    def show_reason(self, reason: str) -> None:
        """Say why nothing can be written; "" hides it."""
        sentence = tr("Read-only: nothing is written to this archive. {reason}", reason=reason)
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(reason))


class _Lines(QScrollArea):
    """A text as high as it is, up to a height from which on it scrolls."""

    def __init__(self, text: QLabel) -> None:
        super().__init__()
        show_in(self, text, sideways=False)
        self._text = text
        self.setFrameShape(QFrame.Shape.NoFrame)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        wanted = self._text.heightForWidth(width)
        if wanted > space(_MOST):
            return space(_MOST)
        return wanted

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.heightForWidth(max(1, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._text.fontMetrics().height())


class RequestsBar(QWidget):
    """Hidden until there is something to decide; `answered` carries the Answer.

    `said` carries what is asked, for those who listen; `asks` whether the bar is there.
    """

    answered = Signal(object)
    asks = Signal(bool)
    said = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        heading = tr("This archive requests settings that only you can decide")
        self.heading = wrapped(heading, font=strong_font())
        self.text = wrapped()
        self.note = wrapped(
            tr(
                "Until you decide, your own settings are used, and nothing affected is "
                "published. Your answer applies to this archive and exactly these values."
            ),
            "secondary",
        )
        # No letters: on some page each of them means something else.
        self.accept = named(QPushButton(tr("Accept for this archive")), "accept_requests")
        self.reject = named(QPushButton(tr("Use my own settings")), "reject_requests")
        self.accept.clicked.connect(lambda _checked=False: self.answered.emit(Answer.ACCEPTED))
        self.reject.clicked.connect(lambda _checked=False: self.answered.emit(Answer.REJECTED))
        self._lay_out(theme)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self.asks.emit(visible)

    def ask(self, lines: Sequence[str]) -> None:
        """Show what is requested, a line each."""
        self.text.setText("\n".join(f"• {line}" for line in lines))
        spoken = f"{self.heading.text()}. {' '.join(lines)}"
        self.setAccessibleName(spoken)
        self.show()
        self.said.emit(spoken)

    def _lay_out(self, theme: Theme) -> None:
        top = horizontal(IconLabel(theme, "question", "warning"), rest(self.heading), gap=2)
        area = _Lines(self.text)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        buttons = wrapping(self.reject, self.accept, gap=2)
        card = framed(vertical(top, area, self.note, buttons, gap=2, margins=3), "notice")
        vertical(card, margins=(6, 0, 6, 3), on=self)
