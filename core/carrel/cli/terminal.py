# SPDX-License-Identifier: AGPL-3.0-or-later
"""Words on the terminal. What comes from outside is shown there and never obeyed."""

import shutil
import sys
import textwrap
from typing import TextIO

import click

from carrel.model.names import in_utf8
from carrel.model.user_information import shown

_NARROWEST = 40
_HANGING = "  "
# No address that servers take is longer.
_LONGEST_LINE = 10_000
_LONGEST_NAME = 200
_LONGEST_COMPLAINT = 2_000


def say(text: str = "", *, bold: bool = False, is_whole: bool = False) -> None:
    """Print a line on standard output; on a terminal it is broken between words, if it must be.

    An endless one is cut, unless the whole of it is what was requested.
    """
    line = text if is_whole else _cut(text, _LONGEST_LINE)
    click.secho(_fitted(printable(line)), bold=bold)


def complain(text: str = "") -> None:
    """Print a line on standard error, for people; an endless one is cut."""
    click.echo(_cut(printable(text), _LONGEST_COMPLAINT), err=True)


def brief(text: str) -> str:
    """Return a title, or another text from outside, as long as it is read; JSON has all of it."""
    return _cut(text, _LONGEST_NAME)


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether someone looks at a stream; one that was closed before the start is None."""
    return stream is not None and stream.isatty()


def _fitted(line: str) -> str:
    if not is_terminal(sys.stdout):
        return line
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.fill(
        line.lstrip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent + _HANGING,
        break_long_words=False,  # an address can be copied only as a whole
        break_on_hyphens=False,
    )


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def printable(text: str) -> str:
    """Return a text without what could steer a terminal or turn its writing around, without user
    names and passwords, and with escapes for bytes that are no UTF-8."""
    safe = in_utf8(shown(text))
    if safe.isprintable():
        return safe
    return "".join(char if char.isprintable() else "\ufffd" for char in safe)
