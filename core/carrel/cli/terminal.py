# SPDX-License-Identifier: AGPL-3.0-or-later
"""Words on the terminal. What comes from outside is shown there and never obeyed."""

import os
import sys

import click


def say(text: str = "", *, bold: bool = False) -> None:
    """Print a line on standard output."""
    click.secho(printable(text), bold=bold)


def close_output() -> None:
    """Stop writing to standard output, whose reader has gone, for good."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """Return a text without what could steer a terminal or turn its writing around."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
