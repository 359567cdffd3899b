# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tests of sources: one at a time, so that nobody is asked in a hurry, and each can be stopped."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import QObject, QSettings, Signal

from carrel.errors import CarrelError
from carrel.model.user_information import bare_address
from carrel_desktop.session import Session
from carrel_desktop.views.archives.answers import Trial

USUAL_URL = "https://www.example.com/"
SETTING = "archives/test_url"


class Trials(QObject):
    """`changed` says that something is being asked, or has answered. While it is running, source
    `number` of `count` is asked, counted from 1.

    What a source answered is kept by its text, so that it is known again when it was saved.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: dict[str, Trial] = {}
        self._task: asyncio.Task[None] | None = None
        self.number, self.count = 0, 0

    @property
    def made(self) -> Mapping[str, Trial]:
        """The last test of each source, by its text."""
        return self._trials

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(self, texts: Sequence[str], url: str) -> None:
        """Ask sources for a URL, one after the other."""
        if self.is_running or not texts:
            return
        remember_url(url)
        self.number, self.count = 1, len(texts)
        self._task = self._session.start(self._run(texts, url or USUAL_URL), is_asked=True)
        if self._task is not None:
            self._task.add_done_callback(self._on_done)
        self.changed.emit()

    def stop(self) -> None:
        """Let go of the question that is open, and ask no further ones."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, texts: Sequence[str], url: str) -> None:
        for self.number, text in enumerate(texts, 1):
            await self._ask(text, url)

    async def _ask(self, text: str, url: str) -> None:
        asked = Trial(url, datetime.now(UTC))
        before = self._trials.get(text)
        self._put(text, asked)
        try:
            report = await self._session.call(
                lambda engine: engine.mementos.sources.test(text, url)
            )
        except CarrelError as error:
            self._put(text, Trial(url, asked.at, trouble=str(error)))
        except BaseException:
            self._put(text, before)
            raise
        else:
            self._put(text, Trial(url, asked.at, report))

    def _put(self, text: str, trial: Trial | None) -> None:
        if trial is None:
            self._trials.pop(text, None)
        else:
            self._trials[text] = trial
        self.changed.emit()

    def _on_done(self, _task: object) -> None:
        self._task = None
        self.changed.emit()


def remembered_url() -> str:
    """Return the URL that was asked for last time."""
    return str(QSettings("Carrel", "Carrel").value(SETTING) or USUAL_URL)


def remember_url(url: str) -> None:
    """Keep a URL for next time, "" for the usual one; a password in it is kept nowhere."""
    QSettings("Carrel", "Carrel").setValue(SETTING, bare_address(url))
