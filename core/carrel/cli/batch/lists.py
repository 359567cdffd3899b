# SPDX-License-Identifier: AGPL-3.0-or-later
"""The lists that a person names on the command line: read, and told what is in them."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from carrel.cli.arguments import FileName, Text
from carrel.cli.terminal import is_terminal
from carrel.engine.batches import Batch, Columns, Kind, Seen, read, read_file
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.settings import settings_of
from carrel.translation import tr

STDIN = "-"
_ADDRESSES = ("http://", "https://")
_SHOWN = 50
F = TypeVar("F", bound=Callable[..., Any])


def listing(command: F) -> F:
    """Give a command the options that say how lists are read (see `lists_in`)."""
    kinds = click.Choice([each.value for each in Kind])
    for option in (
        click.option(
            "--name", help=tr("Name of the batch, new or there already (default: the file's name).")
        ),
        click.option("--kind", type=kinds, help=tr("Format of the list (default: detected).")),
        click.option("--tag-column", help=tr("Column of a table with tags (default: “tags”).")),
        click.option(
            "--title-column", help=tr("Column of a table with titles (default: detected).")
        ),
        click.option("--column", help=tr("Column of a table that has the identifiers.")),
    ):
        command = option(command)
    return command


class ListSource(click.ParamType[str]):
    """Where a list is: the name of a file in any bytes, an address, or - for standard input."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        kind = Text() if value.startswith(_ADDRESSES) else FileName(click.Path())
        return str(kind.convert(value, param, ctx))


def lists_in(
    sources: Sequence[str],
    archive: Path,
    *,
    columns: Columns,
    kind: str | None,
    name: str | None,
) -> Iterator[Batch]:
    """Yield the batch in each file, at each address, or on standard input.

    What an earlier one named counts as repeated. Raises UsageError.
    """
    seen = Seen()
    asked = Kind(kind) if kind else None
    for source in sources:
        if source.startswith(_ADDRESSES):
            if columns.is_given or asked not in (None, Kind.OAI_PMH):
                raise UsageError(
                    tr(
                        "{source} is an OAI-PMH endpoint, which has no --column or --kind.",
                        source=source,
                    )
                )
            yield asyncio.run(_harvested(source, archive, name, seen))
        elif source == STDIN:
            yield read(
                sys.stdin.buffer, kind=asked, columns=columns, name=name or "stdin", seen=seen
            )
        else:
            yield read_file(Path(source), kind=asked, columns=columns, name=name, seen=seen)


async def _harvested(url: str, archive: Path, name: str | None, seen: Seen) -> Batch:
    from carrel.engine.batches import harvest_with  # only for lists on the web

    def tell(records: int) -> None:
        click.echo(f"\r{counted(records, 'record')} …", err=True, nl=False)

    settings = settings_of(archive)
    if not is_terminal(sys.stderr):
        return await harvest_with(settings, url, name=name, seen=seen)
    found = await harvest_with(settings, url, name=name, seen=seen, tell=tell)
    click.echo(err=True)
    return found


def what_is_odd(batch: Batch) -> Iterator[str]:
    """Yield words on the findings, the lines that repeat others and those that hold nothing."""
    for finding in batch.findings:
        yield f"  {finding.level}: {finding.message}"
    what = "record" if batch.kind is Kind.OAI_PMH else "line"
    repeated = [
        tr(
            "{what} {line} repeats {what} {first_line} of {source}: {base_url}",
            what=what,
            line=each.line,
            first_line=each.first_line,
            source=each.source or batch.name,
            base_url=each.base_url,
        )
        for each in batch.duplicates
    ]
    yield from _some(repeated, tr("more duplicates"))
    empty = [f"{what} {each.line} {each.message}: {each.text}" for each in batch.problems]
    yield from _some(empty, tr("more without an identifier"))


def _some(lines: Sequence[str], what: str) -> Iterator[str]:
    for line in lines[:_SHOWN]:
        yield f"  {line}"
    if len(lines) > _SHOWN:
        yield tr("  … and {lines:,} {what}", lines=len(lines) - _SHOWN, what=what)


def batch_fields(batch: Batch) -> Mapping[str, Any]:
    """Return a batch, without its requests, as a JSON object."""
    return {
        "batch": batch.name,
        "kind": batch.kind,
        "datasets": len(batch.requests),
        "duplicates": [
            {
                "line": each.line,
                "base_url": each.base_url,
                "first_line": each.first_line,
                "source": each.source,
            }
            for each in batch.duplicates
        ],
        "problems": [
            {"line": each.line, "text": each.text, "message": each.message}
            for each in batch.problems
        ],
        "findings": [finding.to_json() for finding in batch.findings],
    }
