# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark runs`: when was gathered, from what, and what came of it."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.cli.dark.counts import count_name
from carrel.cli.dark.dates import day, when
from carrel.cli.dark.queries import questions_of
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.errors import UsageError
from carrel.model.dark_views import STOPPED, RunRow
from carrel.model.remarks import RunRemarks, lines_of
from carrel.translation import tr


@click.command()
@click.argument("number", type=int, metavar="[NUMBER]", required=False)
@archive_option
@json_option
def runs(number: int | None, archive: Path, as_json: bool) -> None:
    """List the harvests, newest first: when each began, its number (tist), source, end and counts.

    The number is the second in which it began, or the next that no harvest has yet. “data of” is
    the date of what was read. With NUMBER only that harvest is listed, with what it remarked.
    """
    with questions_of(archive) as questions:
        found = questions.runs()
        if number is not None:
            row = _numbered(found, number)
            _say_one(row, questions.remarks(row.tist), as_json=as_json)
            return
    for row in found:
        if as_json:
            print_json({**asdict(row), "when": when(row.began_at)})
        else:
            _say(row)


def _numbered(found: Sequence[RunRow], number: int) -> RunRow:
    for row in found:
        if row.tist == number:
            return row
    raise UsageError(tr("No harvest has this number: “carrel dark runs” lists them."))


def _say_one(row: RunRow, said: RunRemarks, *, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(row), "when": when(row.began_at), **asdict(said)})
        return
    _say(row)
    for line in lines_of(said):
        say(f"    {line}")


def _say(row: RunRow) -> None:
    dated = tr(", data of {day}", day=day(row.source_tist)) if row.source_tist is not None else ""
    say(f"{row.began}  {row.tist}  {row.scope}, {row.source}: {row.source_ref}{dated}")
    say(f"    {_end(row)}{_counts(row)}")
    for path in row.unreadable:
        say(tr("    {path} could not be read.", path=path))


def _end(row: RunRow) -> str:
    if row.ended is None and row.scope_ok:
        return tr("not ended: interrupted, or still running, while full texts were requested")
    if row.ended is None:
        return tr("not ended: interrupted, or still running")
    if row.is_stopped and row.scope_ok:
        return tr("stopped {ended} before all full texts were requested", ended=row.ended)
    if row.is_stopped:
        return tr(
            "stopped {ended} before the source was read completely; nothing was concluded",
            ended=row.ended,
        )
    if not row.scope_ok:
        return tr(
            "ended {ended} before the source was read completely; nothing was concluded",
            ended=row.ended,
        )
    return tr("ended {ended}", ended=row.ended)


def _counts(row: RunRow) -> str:
    told = ", ".join(
        f"{count_name(name)} {count:,}"
        for name, count in sorted(row.counts.items())
        if count and name != STOPPED
    )
    return f"; {told}" if told else ""
