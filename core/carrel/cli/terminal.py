# SPDX-License-Identifier: AGPL-3.0-or-later
"""Words on the terminal. What comes from outside is shown there and never obeyed."""

import shutil
import sys
import textwrap
from typing import TextIO

import click

_NARROWEST = 40
_HANGING = "  "


def say(text: str = "", *, bold: bool = False) -> None:
    """Print a line on standard output; on a terminal it is broken between words, if it must be."""
    click.secho(_fitted(printable(text)), bold=bold)


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether somebody looks at a stream; one that was closed before the start is None."""
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


def printable(text: str) -> str:
    """Return a text without what could steer a terminal or turn its writing around."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
