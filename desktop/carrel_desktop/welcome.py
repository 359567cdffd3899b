# SPDX-License-Identifier: AGPL-3.0-or-later
"""The first start: where no archive is yet, one is made, opened, or a sample repository tried."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from carrel.translation import tr
from carrel_desktop.beginning import Beginning
from carrel_desktop.icons import icon
from carrel_desktop.last_archive import missing_archive
from carrel_desktop.leaving import why_not
from carrel_desktop.manual import open_manual
from carrel_desktop.screens import fitted
from carrel_desktop.theme import Theme, space, strong_font, title_font
from carrel_desktop.widgets.choosing import choose_folder, choose_new_folder
from carrel_desktop.widgets.labels import IconLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import (
    aligned,
    boxed,
    framed,
    horizontal,
    rest,
    scrolled,
    vertical,
    wrapping,
)

WIDTH = 145  # grid steps


class Welcome(QDialog):
    """Offers the three ways; `beginning` is the one that was taken, None if none was.

    It stays open where a folder is none for an archive, and says why.
    """

    def __init__(self, theme: Theme, usual: Path) -> None:
        super().__init__()
        self.beginning: Beginning | None = None
        self._theme, self._usual = theme, usual
        self._missing = missing_archive()
        named(self, "welcome")
        self.setWindowTitle(tr("Welcome"))
        self.setWindowIcon(icon(theme, "carrel", "accent"))
        heading = plain_label(tr("Welcome to Carrel"), font=title_font(1.8))
        first = tr(
            "An archive is a folder that you own. Carrel stores datasets in it, as WARC files that "
            "other programs can read, and verifies them against what was published."
        )
        self._why_not = named(wrapped("", "warning"), "why_not")
        self._why_not.hide()
        content = boxed(
            vertical(
                horizontal(IconLabel(theme, "carrel", "accent", 9), rest(heading), gap=3),
                wrapped(first, "secondary"),
                self._why_not,
                *self._way_back(),
                *self._ways(),
                wrapping(self._manual_button(), rest(), gap=2),
                rest(),
                gap=4,
                margins=(6, 6, 6, 6),
            )
        )
        self._area = scrolled(content)  # for what a small screen has no room for
        vertical(rest(self._area), on=self)
        theme.dress(self)
        width = space(WIDTH)
        self.resize(fitted(QSize(width, content.heightForWidth(width)), self))

    def _way_back(self) -> Sequence[QWidget]:
        """Return the way to the archive that was opened last, where that is not there now."""
        if self._missing is None:
            return []
        again = self._button("try_again", tr("Try a&gain"), self._try_again)
        again.setProperty("role", "primary")
        again.setDefault(True)
        where = tr(
            "The archive that you opened last, {folder}, is not there. Connect its disk and try "
            "again, or open the archive in its new place.",
            folder=self._missing,
        )
        self._still = named(plain_label(tr("It is still not there.")), "still_missing")
        self._still.hide()
        return [self._card("warning", tr("Archive not found"), where, again, self._still)]

    def _try_again(self) -> None:
        if self._missing is not None and self._missing.is_dir():
            self._begin(Beginning(self._missing))
        else:
            self._still.show()

    def _ways(self) -> tuple[QWidget, QWidget, QWidget]:
        make = self._button("make", tr("&Make the archive"), self._make)
        if self._missing is None:
            make.setProperty("role", "primary")
            make.setDefault(True)
        elsewhere = self._button("make_elsewhere", tr("&Elsewhere…"), self._make_elsewhere)
        open_ = self._button("open", tr("&Open…"), self._open)
        trying = self._button("try", tr("&Try it"), partial(self._try, None))
        kept = self._button("try_elsewhere", tr("Try it &in a folder…"), self._try_elsewhere)
        sample = tr(
            "A sample repository on this computer; no network is needed. Its archive is deleted "
            "when you quit Carrel, unless you choose a folder for it."
        )
        return (
            self._card("add", tr("Make an archive"), tr("In {folder}", folder=self._usual), make,
                       elsewhere),
            self._card("folder", tr("Open an archive"), tr("Its folder is on this computer, or on "
                       "a disk that is connected to it."), open_),
            self._card("preview", tr("Try the sample repository"), sample, trying, kept),
        )  # fmt: skip

    def _card(self, icon_name: str, name: str, sentence: str, *buttons: QWidget) -> QWidget:
        top = Qt.AlignmentFlag.AlignTop
        words = vertical(
            plain_label(name, font=strong_font(1.1)),
            wrapped(sentence, "secondary"),
            wrapping(*buttons, rest(), gap=2),
            gap=2,
        )
        shown = aligned(IconLabel(self._theme, icon_name, "accent", 6), top)
        return framed(horizontal(shown, rest(words), gap=4, margins=(4, 4, 4, 4)))

    def _button(self, name: str, text: str, act: Callable[[], None]) -> QPushButton:
        button = named(QPushButton(text), name, text.replace("&", ""))
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False: act())
        return button

    def _manual_button(self) -> QPushButton:
        button = self._button("manual", tr("Man&ual (F1)"), self._show_manual)
        button.setProperty("role", "quiet")
        QShortcut(QKeySequence("F1"), self, self._show_manual)
        return button

    def _show_manual(self) -> None:
        self._tell(open_manual("archive"))

    def _make(self) -> None:
        self._begin(Beginning(self._usual))

    def _make_elsewhere(self) -> None:
        choose_new_folder(
            self,
            tr("Make an archive"),
            lambda path: self._begin(Beginning(path)),
            label=tr("&Make the archive"),
            name=self._usual.name,
            beginning=self._usual.parent,
        )

    def _open(self) -> None:
        self._choose(tr("Open an archive"), lambda path: Beginning(path))

    def _try_elsewhere(self) -> None:
        heading = tr("Try the sample repository in this folder")
        self._choose(heading, lambda path: Beginning(path, is_demo=True))

    def _try(self, folder: Path | None) -> None:
        self._begin(Beginning(folder, is_demo=True))

    def _choose(self, heading: str, made: Callable[[Path], Beginning]) -> None:
        choose_folder(self, heading, lambda path: self._begin(made(path)), self._usual.parent)

    def _begin(self, beginning: Beginning) -> None:
        if beginning.archive is not None and (why := why_not(beginning.archive)):
            self._tell(why)
            return
        self.beginning = beginning
        self.accept()

    def _tell(self, why: str) -> None:
        """Say why something cannot be; "" where it can."""
        self._why_not.setText(why)
        self._why_not.setVisible(bool(why))
        if why:
            self._area.verticalScrollBar().setValue(0)


async def ask_beginning(
    theme: Theme, usual: Path, on_shown: Callable[[Welcome], None] | None = None
) -> Beginning | None:
    """Return with what the archivist begins, None if they closed the window."""
    welcome = Welcome(theme, usual)
    ended = asyncio.Event()
    welcome.finished.connect(lambda _result: ended.set())
    welcome.show()
    if on_shown:
        on_shown(welcome)
    await ended.wait()
    beginning = welcome.beginning
    welcome.deleteLater()
    return beginning
