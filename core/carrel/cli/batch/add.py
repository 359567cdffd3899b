# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch add`: put lists of datasets into the queue, or see what would come of it."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from carrel.cli.batch.lists import ListSource, batch_fields, listing, lists_in, what_is_odd
from carrel.cli.options import (
    archive_option,
    json_option,
    overruled,
    overruling,
    refuse_contradictions,
)
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.engine import Engine, IngestOptions
from carrel.engine.batches import Batch, Columns
from carrel.model.counts import counted
from carrel.translation import tr


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=ListSource())
@listing
@overruling
@click.option(
    "--dry-run", is_flag=True, help=tr("Preview every dataset and show the plan; queue nothing.")
)
@archive_option
@json_option
@click.pass_context
def add(
    context: click.Context,
    /,
    files: tuple[str, ...],
    column: str | None,
    title_column: str | None,
    tag_column: str | None,
    kind: str | None,
    name: str | None,
    dry_run: bool,
    archive: Path,
    as_json: bool,
    **asked: Any,  # the options of `overruling`
) -> None:
    """Add the datasets in each FILE to the queue; `carrel batch run` runs it.

    FILE may be "-" for standard input, or the address of an OAI-PMH endpoint. Lines without an
    identifier are listed. With --dry-run nothing is queued.
    """
    options = overruled(**asked)
    if not dry_run:  # which says it of each dataset
        refuse_contradictions(options)
    columns = Columns(column, title_column, tag_column)
    batches = list(lists_in(files, archive, columns=columns, kind=kind, name=name))
    if dry_run:
        from carrel.cli.batch.dry_run import say_plan  # which previews

        is_clear = say_plan(batches, archive, options, as_json=as_json)
        context.exit(0 if is_clear else 1)
    found = queue(batches, archive, options, joins=name is not None)
    for batch, queued in zip(batches, found, strict=True):
        named = replace(batch, name=queued.name or batch.name)
        if as_json:
            told = {"added": queued.added, "queued_otherwise": queued.otherwise}
            print_json({**batch_fields(named), **told})
            continue
        for line in what_came_of(named, queued):
            say(line)
    context.exit(1 if any(batch.problems or batch.is_bare for batch in batches) else 0)


@dataclass(frozen=True, slots=True)
class Queued:
    """How many jobs a list became, how many of its datasets wait with other options, and the name
    of its batch, "" where it is none."""

    added: int = 0
    otherwise: int = 0
    name: str = ""


def queue(
    batches: Sequence[Batch], archive: Path, options: IngestOptions, *, joins: bool = False
) -> list[Queued]:
    """Put what was read into the queue; return what each list became.

    Where nothing was found, no archive is made. A list `joins` a batch of its name, or is another.
    """
    if not any(batch.requests for batch in batches):
        return [Queued()] * len(batches)
    return asyncio.run(_queue(batches, archive, options, joins=joins))


async def _queue(
    batches: Sequence[Batch], archive: Path, options: IngestOptions, *, joins: bool
) -> list[Queued]:
    queued = []
    async with Engine.open(archive) as engine:
        for each in batches:
            jobs = await engine.batches.add(each, options, joins=joins)
            otherwise = await engine.queued_otherwise(each.requests, options)
            queued.append(Queued(len(jobs), otherwise, (jobs[0].batch if jobs else "") or ""))
    return queued


def what_came_of(batch: Batch, queued: Queued) -> Iterator[str]:
    """Yield words on a list that was queued so."""
    if batch.is_bare:
        yield tr(
            "{name} ({kind}): no dataset found; nothing was queued.",
            name=batch.name,
            kind=batch.kind,
        )
        yield from what_is_odd(batch)
        return
    told = [tr("{datasets} queued", datasets=counted(queued.added, "dataset"))]
    if waiting := len(batch.requests) - queued.added:
        told.append(tr("{waiting} already in the queue", waiting=waiting))
    if batch.duplicates:
        told.append(
            tr("{repetitions} skipped", repetitions=counted(len(batch.duplicates), "repetition"))
        )
    if batch.problems:
        told.append(
            tr("{entries} without a dataset", entries=counted(len(batch.problems), "entry"))
        )
    yield f"{batch.name} ({batch.kind}): {', '.join(told)}."
    if otherwise := queued.otherwise:
        keeps = tr("keeps its own options") if otherwise == 1 else tr("keep their own options")
        yield tr(
            "  warning: {otherwise:,} already in the queue {keeps}, not these. To change that, "
            "cancel and add again.",
            otherwise=otherwise,
            keeps=keeps,
        )
    yield from what_is_odd(batch)
