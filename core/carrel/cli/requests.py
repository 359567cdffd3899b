# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive asks for that is the person's to decide: shown once a command, and asked."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from carrel.cli.terminal import is_terminal, printable
from carrel.errors import SettingsError
from carrel.settings import Answer, Answers, InForce, Request, in_force
from carrel.settings.consequences import lines_about
from carrel.translation import tr


def ask_about(archive: Path) -> None:
    """Show what this archive asks for and no one has answered, on standard error.

    On a terminal the person is asked, and the answer is remembered; elsewhere the command goes on
    without what is requested.
    """
    try:
        holds = in_force(archive)
    except SettingsError:
        return  # whoever opens the archive says so, and ends; who only reads its WARCs goes on
    if holds.trouble:
        tell(holds.trouble)
    if not holds.undecided:
        return
    say_requests(archive, holds.undecided)
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        tell(
            tr(
                "Nothing of it is used until you decide: {how_to_decide}.",
                how_to_decide=how_to_decide(archive),
            )
        )
        return
    is_accepted = click.confirm(tr("Use these settings for this archive?"), default=False, err=True)
    give(archive, holds, Answer.ACCEPTED if is_accepted else Answer.REJECTED)


def give(archive: Path, holds: InForce, answer: Answer) -> None:
    """Remember an answer to what was shown, and say what holds now. Raises SettingsError."""
    answers = Answers()
    answers.give(archive, holds.requests, answer)
    what = (
        tr("what this archive requests") if answer is Answer.ACCEPTED else tr("your own settings")
    )
    tell(
        tr(
            "From now on {what} will be used here. This is stored in {path}.",
            what=what,
            path=answers.path,
        )
    )


def say_requests(archive: Path, requests: Sequence[Request]) -> None:
    """Show what an archive asks for, with what each would mean."""
    tell(tr("The archive {archive} requests settings that only you can allow:", archive=archive))
    for line in lines_about(requests):
        tell(f"  {line}")


def how_to_decide(archive: Path) -> str:
    """Return the two commands that answer."""
    where = tr("--archive {quote}", quote=shlex.quote(str(archive)))
    return tr("“carrel settings accept {where}” or “carrel settings reject {where}”", where=where)


def tell(text: str) -> None:
    click.echo(printable(text), err=True)
