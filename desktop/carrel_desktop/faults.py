# SPDX-License-Identifier: AGPL-3.0-or-later
"""The one place where unexpected errors end: in the log, and as a sentence in the window."""

import asyncio
import faulthandler
import logging
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs
from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, Signal, qInstallMessageHandler

from carrel.model.log_lines import Formatter, FormatterOfLines
from carrel.translation import tr
from carrel_desktop.fault_report import report_of, without_traces_of_the_person

log = logging.getLogger(__name__)
MOST_RECENT = 5
_MOST_OF_A_CRASH = 16_000
_DISPLAY_LOST = "The X11 connection broke"  # at each turn of Qt's loop; the program's end says it
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


@dataclass(frozen=True, slots=True)
class Fault:
    """An unexpected error: a sentence for the archivist, and a report for who helps them. `work`
    names the task that it ended, as `Session.broken` does; "" where it was none."""

    sentence: str
    report: str
    work: str = ""


class RecentErrors(logging.Handler):
    """Keeps the last errors that were logged, with their tracebacks, for a report."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.setFormatter(FormatterOfLines("%(asctime)s %(name)s %(message)s"))
        self._texts: deque[str] = deque(maxlen=MOST_RECENT)

    def emit(self, record: logging.LogRecord) -> None:
        self._texts.append(self.format(record))

    @property
    def text(self) -> str:
        """All of them, the oldest first, without traces of the person."""
        return without_traces_of_the_person("\n".join(self._texts))


class Faults(QObject):
    """Catches what no one else caught; `happened` carries a Fault, on the window's thread.

    `earlier` is what ended the program when it was last used, None if nothing did.
    """

    happened = Signal(object)

    def __init__(self, log_file: Path) -> None:
        super().__init__()
        self._log_file = log_file
        self._crash_file = log_file.with_suffix(".crash")
        self.recent = RecentErrors()
        self.earlier: Fault | None = None

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Hold every hook while the window is open, and give them back."""
        self._log_file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(self._log_file, encoding="utf-8")
        handler.setFormatter(Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        logging.getLogger().addHandler(handler)
        logging.getLogger().addHandler(self.recent)
        hooks = sys.excepthook, threading.excepthook
        self.earlier = self._taken_earlier()
        with self._crash_file.open("a", encoding="utf-8") as crash_log:
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
                logging.getLogger().removeHandler(self.recent)
                handler.close()

    def _taken_earlier(self) -> Fault | None:
        """Return what ended the program the last time, and put it into the log."""
        try:
            told = self._crash_file.read_text("utf-8", "replace")[:_MOST_OF_A_CRASH]
            self._crash_file.write_text("")
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("%s cannot be read: %s", self._crash_file.name, error)
            return None
        if not told.strip():
            return None
        log.error("fault: the program ended unexpectedly\n%s", told)
        sentence = tr(
            "Carrel ended unexpectedly when it was last used. What was archived is safe, and the "
            "queue goes on where it was. Details are in the log: {log}",
            log=self._log_file,
        )
        return Fault(sentence, report_of(None, f"It ended unexpectedly:\n{told}"))

    def on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take what a loop reports: the exception of a task no one awaits."""
        task = context.get("task") or context.get("future")
        work = task.get_name() if isinstance(task, asyncio.Task) else ""
        self._report(context.get("message", ""), context.get("exception"), work)

    def _on_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._report("uncaught", error)

    def _on_thread_error(self, given: threading.ExceptHookArgs) -> None:
        self._report("uncaught in a thread", given.exc_value)

    def _report(self, message: str, error: BaseException | None, work: str = "") -> None:
        log.error("fault: %s", message, exc_info=error)
        text = tr("Something went wrong in Carrel ({kind}). Details are in the log: {log}")
        kind = type(error).__name__ if error else message
        sentence = text.format(kind=kind, log=self._log_file)
        self.happened.emit(Fault(sentence, report_of(error, message), work))


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    level = logging.DEBUG if message.startswith(_DISPLAY_LOST) else LEVELS[kind]
    log.log(level, "qt: %s", message)
