# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel get`: one memento into a file."""

import asyncio
import sys
from collections import defaultdict
from pathlib import Path

import click

from carrel.cli.memento_options import collection_option, looking, open_mementos, question
from carrel.cli.options import json_option
from carrel.cli.output import STANDARD_OUTPUT, check_output, force_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain
from carrel.engine.mementos import Form, Resource, copied, saved
from carrel.errors import NothingLoaded, UsageError
from carrel.model import Memento
from carrel.model.counts import counted
from carrel.model.memento_part import PART_WORDS
from carrel.model.memento_views import Saved, is_another, why_no_content
from carrel.translation import tr


@click.command()
@click.argument("url")
@click.option(
    "--closest", metavar="TIME", default="now", show_default=True, help=tr("Time of the capture.")
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    required=True,
    help=tr("The file to write; - for standard output."),
)
@click.option("--warc", is_flag=True, help=tr("Write the complete WARC record."))
@click.option("--raw", is_flag=True, help=tr("Keep the content coding (gzip) as sent."))
@collection_option
@looking
@force_option
@json_option
@click.pass_context
def get(
    context: click.Context,
    url: str,
    closest: str,
    output: Path,
    warc: bool,
    raw: bool,
    collection: str,
    archive: Path,
    config: Path | None,
    opened: tuple[Path, ...],
    force: bool,
    as_json: bool,
) -> None:
    """Save the capture of a URL closest to a time as a file, completely or not at all.

    Exit status 1 means that there is none, none that can be loaded, or that it is only a part of
    what its server had.
    """

    if warc and raw:
        raise UsageError(tr("With --warc the record is written unchanged: omit --raw."))
    check_output(output, opened, force=force)

    async def run() -> int:
        async with open_mementos(archive, config, opened) as held:
            address = await held.address_for(url)
            query = question(address, closest=closest, first=None, last=None, limit=100)
            try:
                found = await held.load(query, collection)
            except NothingLoaded as error:
                _explain(address, error)
                return 1
            return await asyncio.to_thread(_write, found, output, as_json, warc=warc, raw=raw)

    context.exit(asyncio.run(run()))


def _write(found: Resource, output: Path, as_json: bool, *, warc: bool, raw: bool) -> int:
    """Write a record as it is wanted, and say what it is; return the exit status."""
    try:
        form = Form.RECORD if warc else Form.AS_SENT if raw else Form.DECODED
        record, row = found.record, found.memento
        if output == STANDARD_OUTPUT:
            written = copied(record, row, sys.stdout.buffer, _quietly, form, output)
            sys.stdout.buffer.flush()
        else:
            written = saved(record, row, output, _quietly, form)
    except OSError as error:
        if output == STANDARD_OUTPUT:
            raise
        raise UsageError(
            tr(
                "{output} cannot be written: {strerror}.",
                output=output,
                strerror=error.strerror or error,
            )
        ) from error
    finally:
        found.record.close()
    _say(found, written, as_json)
    return 1 if written.is_proven is False or (written.part and not warc) else 0


def _say(found: Resource, written: Saved, as_json: bool) -> None:
    row = found.memento
    moment = written.delivered_at if is_another(row, written.delivered_at) else row.timestamp
    told = {
        "url": row.url,
        "timestamp": moment,
        "listed_timestamp": row.timestamp,
        "source": row.source,
        "path": str(written.path),
        "size": written.size,
        "sha256": written.sha256,
        "is_proven": written.is_proven,
        "part": written.part,
        "status": written.status,
        "passed_over": [
            {"url": each.url, "timestamp": each.timestamp, "source": each.source, "message": why}
            for each, why in found.passed_over
        ],
    }
    _say_passed_over(found)
    if moment != row.timestamp:
        _say_another(row, moment)
    status = f" {why}" if (why := why_no_content(written.status)) else ""
    part = f" {PART_WORDS[written.part]}" if written.part else ""
    if as_json and written.path != STANDARD_OUTPUT:
        print_json(told)
        return
    proof = {
        True: tr("Its checksum matches its index."),
        False: tr("Its checksum does NOT match its index: do not trust it."),
        None: tr("Its index has no checksum to verify it."),
    }
    if as_json:
        click.echo(tr("--json needs a file: standard output has the content itself."), err=True)
    words = tr(
        "{url} of {timestamp} from {source}: {bytes}. ",
        url=row.url,
        timestamp=moment,
        source=row.source,
        bytes=counted(written.size, "byte"),
    )
    complain(words + proof[written.is_proven] + status + part)


def _say_another(row: Memento, moment: str) -> None:
    """Say that an archive delivered a capture of another time than the one that it lists."""
    complain(
        tr(
            "{source} delivered its capture of {moment}, not the listed one of {timestamp}.",
            timestamp=row.timestamp,
            source=row.source,
            moment=moment,
        )
    )


def _say_passed_over(found: Resource) -> None:
    """Say which captures came before the one that is given, and why they could not be had."""
    for row, why in found.passed_over:
        complain(
            tr(
                "Passed over: the capture of {timestamp} from {source} cannot be loaded: {why}",
                timestamp=row.timestamp,
                source=row.source,
                why=why,
            )
        )


def _quietly(done: int, total: int) -> None: ...


def _explain(url: str, error: NothingLoaded) -> None:
    complain(tr("There is no capture of {url} that can be loaded.", url=url))
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, message in error.errors.items():
        names[message].append(name)
    for message, each in names.items():
        complain(f"  {', '.join(each)}: {message}")
