# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel export fatcat`: filesets and files for fatcat as JSON lines, and what is none."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click
from click.core import ParameterSource

from carrel.archive import Archive
from carrel.cli.output import STANDARD_OUTPUT
from carrel.cli.presentation import print_json
from carrel.cli.terminal import brief, complain, say
from carrel.engine.fatcat import Found, entities_in, entities_in_lines, line_of, write_entities
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.model.fatcat import Entity, EntityKind, NoEntity
from carrel.translation import tr

F = TypeVar("F", bound=Callable[..., Any])

FATCAT = "fatcat"
_OWN = ("saved", "replay")
_SHARED = (
    *("form", "results", "output", "is_all", "since", "tags", "query", "archive", "as_json"),
    *_OWN,
)
replay_option = click.option(
    "--replay",
    default="",
    metavar="URL",
    help=tr("The public address at which the captures of the archive are replayed, if there is."),
)


def fatcat_options(command: F) -> F:
    saved = click.option(
        "--results",
        "saved",
        type=click.Path(path_type=Path, dir_okay=False, exists=True, allow_dash=True),
        metavar="FILE",
        help=tr("Of fatcat: results saved as JSON lines (“-” for standard input)."),
    )
    return saved(replay_option(command))


def refuse_unfit(context: click.Context, form: str) -> None:
    """Raise UsageError for an option that this form of an export does not have."""
    is_fatcat = form == FATCAT
    for parameter in context.command.params:
        name = parameter.name or ""
        is_unfit = name not in _SHARED if is_fatcat else name in _OWN
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_unfit and is_given:
            words = tr(
                "“carrel export {form}” has no {option}.", form=form, option=parameter.opts[-1]
            )
            raise UsageError(words)
    chosen = ("results", "is_all", "since", "tags", "query")
    if context.params["saved"] and any(context.params[name] for name in chosen):
        raise UsageError(tr("Name holdings, or results that were saved; not both."))


def export_held(
    archive: Archive, ingest_ids: Sequence[str], output: str, replay: str, *, as_json: bool
) -> int:
    """Export what an archive has of attempts; return the exit status."""
    return _export(entities_in(archive, ingest_ids, replay), output, as_json=as_json)


def export_saved(saved: Path, output: str, replay: str, *, as_json: bool) -> int:
    """Export saved results; return the exit status."""
    with opened(saved) as stream:
        return _export(entities_in_lines(stream, replay), output, as_json=as_json)


@contextmanager
def opened(saved: Path) -> Iterator[BinaryIO]:
    """Give the stream of a file with results, or standard input. Raises UsageError."""
    if saved == STANDARD_OUTPUT:
        yield sys.stdin.buffer
        return
    try:
        stream = saved.open("rb")
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(tr("{path} cannot be read: {what}.", path=saved, what=reason)) from error
    with stream:
        yield stream


def _export(found: Iterable[Found], output: str, *, as_json: bool) -> int:
    is_stream = Path(output) == STANDARD_OUTPUT
    if is_stream and as_json:
        raise UsageError(tr("The entities are JSON already: leave out --json, or choose a file."))
    counts = {EntityKind.FILESET: 0, EntityKind.FILE: 0}
    refused = 0
    for each in _streamed(found) if is_stream else _written(found, output):
        if isinstance(each, Entity):
            counts[each.kind] += 1
        else:
            refused += not each.is_told_elsewhere
        _tell(each, as_json=as_json)
    if not as_json:
        words = tr(
            "{filesets} and {files} exported.",
            filesets=counted(counts[EntityKind.FILESET], "fileset"),
            files=counted(counts[EntityKind.FILE], "file"),
        )
        if refused:
            words = f"{words} {tr('Not exported: {things}.', things=counted(refused, 'result'))}"
        (complain if is_stream else say)(words)
    return 1 if refused else 0


def _streamed(found: Iterable[Found]) -> Iterator[Found]:
    for each in found:
        if isinstance(each, Entity):
            sys.stdout.buffer.write(line_of(each))
            sys.stdout.buffer.flush()
        yield each


def _written(found: Iterable[Found], output: str) -> Iterator[Found]:
    path = Path(output)
    try:
        yield from write_entities(found, path, is_folder=output.endswith("/") or path.is_dir())
    except OSError as error:
        what = error.strerror or error
        raise UsageError(tr("{path} cannot be written: {what}.", path=path, what=what)) from error


def _tell(each: Found, *, as_json: bool) -> None:
    """Say what became of a result: refusals for people, all for programs."""
    if as_json:
        print_json(each.to_json())
    if isinstance(each, NoEntity) and not (as_json or each.is_told_elsewhere):
        who = each.base_url or each.ingest_id
        complain(f"{brief(who)}: {each.reason}" if who else each.reason)
