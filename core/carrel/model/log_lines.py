# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lines of a log: whatever a library, a name or an address says, it is one line, it steers no
terminal, and no user name or password is in it."""

import logging

from carrel.model.names import in_utf8
from carrel.model.prose import visible
from carrel.model.user_information import shown

# What a traceback is set in by, so that no line of it can be taken for one of the log.
_INDENT = "    "


class Formatter(logging.Formatter):
    """Formats as the library does, tracebacks included, and leaves out user information."""

    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _harmless(super().formatMessage(record))

    def formatException(self, ei: object) -> str:
        text: str = super().formatException(ei)  # type: ignore[arg-type]  # as the library has it
        return "\n".join(f"{_INDENT}{_harmless(line)}" for line in text.splitlines())


class FormatterOfLines(Formatter):
    """Keeps the lines of what is logged: all but the first are set in, as a traceback's are."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        text = logging.Formatter.formatMessage(self, record)
        return f"\n{_INDENT}".join(map(_harmless, text.splitlines()))


def _harmless(text: str) -> str:
    return visible(in_utf8(text))
