# SPDX-License-Identifier: AGPL-3.0-or-later
"""Standard output and standard error that fail by a name of their own.

A full disk under the output of a command is no fault in Carrel, and none of the archive's disk: an
OSError alone does not say which of them it was.
"""

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from carrel.errors import ControlFlow

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputLost(ControlFlow, OSError):
    """Standard output or standard error could not be written."""


# What stood there before. Were it closed, the next file that is opened would get its descriptor,
# and what is said be written into that.
_before: list[TextIO] = []


def guard_output() -> None:
    """Have standard output and standard error raise OutputLost where they cannot be written.

    A reader that has gone stays the BrokenPipeError that it is, and a console is left as it is.
    """
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def lost_output(error: BaseException) -> OSError | None:
    """Return why an output could not be written, if an error (or each of a group) is of that."""
    if isinstance(error, BaseExceptionGroup):
        _, others = error.split((OutputLost, BrokenPipeError))
        return lost_output(error.exceptions[0]) if others is None else None
    return error if isinstance(error, OutputLost | BrokenPipeError) else None


def close_output(stream: TextIO) -> None:
    """Stop writing to standard output or error for good: no one reads it, or it takes no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _Output(io.FileIO):
    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from error


def _guarded(stream: TextIO) -> TextIO:
    # None where it was closed before the start. A test, or a console of Windows, has its own.
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # Python without buffers has none here
    if not isinstance(stream, io.TextIOWrapper) or type(raw) is not io.FileIO:
        return stream
    stream.flush()
    _before.append(stream)
    return io.TextIOWrapper(
        io.BufferedWriter(_Output(raw.fileno(), "w", closefd=False)),
        encoding=stream.encoding,
        # Not every terminal has a sign for everything: its number then, rather than an error.
        errors="backslashreplace" if stream.errors == "strict" else stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
