# SPDX-License-Identifier: AGPL-3.0-or-later
"""Values of nothing but blanks, as a variable of the shell gives that was never set.

They mean nothing anywhere, and would be taken for what was left out, or for the folder one is in.
"""

from collections.abc import Iterator, Sequence

import click

from carrel.translation import tr

_END_OF_OPTIONS = "--"
_WITH_WORDS = ("ingest", "preview")


def refuse_blanks(context: click.Context, command: click.Command, given: Sequence[str]) -> None:
    """Raise click.UsageError for a call of a command, or of one in its group, with such a value.

    `ingest` and `preview` have words of their own for an empty argument.
    """
    words = list(given)
    while isinstance(command, click.Group):
        inner = command.get_command(context, words[0]) if words else None
        if inner is None:
            return  # as click will say
        command, words = inner, words[1:]
    for option in _blank(command, words):
        if option:
            raise click.UsageError(
                tr("The value of {option} is empty: give one, or omit the option.", option=option)
            )
        if command.name not in _WITH_WORDS:
            raise click.UsageError(tr("An argument is empty: give a value, or omit it."))


def _blank(command: click.Command, words: Sequence[str]) -> Iterator[str]:
    """Yield the option that each blank value is of, "" for one that is an argument."""
    takes_value = {
        name
        for each in command.params
        if isinstance(each, click.Option) and not each.is_flag and not each.count
        for name in each.opts
    }
    option, is_past_options = "", False
    for word in words:
        name, equals, value = word.partition("=")
        if option:
            if not word.strip():
                yield option
            option = ""
        elif is_past_options or not word.startswith("-"):
            if not word.strip():
                yield ""
        elif word == _END_OF_OPTIONS:
            is_past_options = True
        elif equals and name in takes_value:
            if not value.strip():
                yield name
        elif word in takes_value:
            option = word
