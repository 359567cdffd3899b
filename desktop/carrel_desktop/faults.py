# SPDX-License-Identifier: AGPL-3.0-or-later
"""The one place where unexpected errors end: in the log, and as a sentence in the window."""

import asyncio
import faulthandler
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs
from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, Signal, qInstallMessageHandler

from carrel.model.log_lines import Formatter
from carrel.translation import tr

log = logging.getLogger(__name__)
LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def default_log() -> Path:
    """Return where the window's log stands on this system."""
    return Path(platformdirs.user_log_dir("carrel")) / "carrel-desktop.log"


class Faults(QObject):
    """Catches what no one else caught; `happened` carries a sentence, on the window's thread."""

    happened = Signal(str)

    def __init__(self, log_file: Path) -> None:
        super().__init__()
        self._log_file = log_file

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Hold every hook while the window is open, and give them back."""
        self._log_file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(self._log_file, encoding="utf-8")
        handler.setFormatter(Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        logging.getLogger().addHandler(handler)
        hooks = sys.excepthook, threading.excepthook
        with self._log_file.open("a", encoding="utf-8") as crash_log:
            faulthandler.enable(crash_log)
            sys.excepthook = self._on_error
            threading.excepthook = self._on_thread_error
            before = qInstallMessageHandler(_on_qt_message)
            try:
                yield
            finally:
                qInstallMessageHandler(before)
                sys.excepthook, threading.excepthook = hooks
                faulthandler.disable()
                logging.getLogger().removeHandler(handler)
                handler.close()

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take what a loop reports: the exception of a task no one awaits."""
        self._report(context.get("message", ""), context.get("exception"))

    def _on_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._report("uncaught", error)

    def _on_thread_error(self, given: threading.ExceptHookArgs) -> None:
        self._report("uncaught in a thread", given.exc_value)

    def _report(self, message: str, error: BaseException | None) -> None:
        log.error("fault: %s", message, exc_info=error)
        text = tr("Something went wrong in Carrel ({kind}). Details are in the log: {log}")
        kind = type(error).__name__ if error else message
        self.happened.emit(text.format(kind=kind, log=self._log_file))


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    log.log(LEVELS[kind], "qt: %s", message)
