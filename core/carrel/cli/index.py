# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel index`: WARC and ARC files into a sorted CDXJ."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from carrel.cli.options import json_option
from carrel.cli.output import STANDARD_OUTPUT, check_output, force_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import complain
from carrel.engine.index import Indexed, Options, Progress, index_files
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.model.endings import WARC_ENDINGS
from carrel.translation import tr

_BARE_FOLDER = tr("This folder has no WARC or ARC file; subfolders are not read.")


@click.command()
@click.argument(
    "warcs", metavar="WARC…", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True)
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help=tr("The file to write (default: standard output)."),
)
@click.option("--verify", is_flag=True, help=tr("Compare each payload with its declared digest."))
@click.option(
    "--no-post", is_flag=True, help=tr("Include POST requests in the index, as pywb does.")
)
@force_option
@json_option
@click.pass_context
def index(
    context: click.Context,
    warcs: tuple[Path, ...],
    output: Path | None,
    verify: bool,
    no_post: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write the index of WARC and ARC files (of a folder: those in it), sorted, as pywb reads it.

    The records that Carrel writes about each ingest (urn:x-carrel:ingest:…) are listed like any
    other, as cdxj-indexer does; the index of an archive leaves them out.

    Exit status 1 means that something was damaged or not a WARC: intact records are indexed
    nevertheless, and each fault is reported with its location.
    """
    output = None if output == STANDARD_OUTPUT else output
    paths, bare_folders = _files(warcs)
    if output is not None:
        check_output(output, paths, force=force)
    options = Options(post_append=not no_post, verify=verify)
    try:
        with bytes_bar("indexing") as show:

            def tell(progress: Progress) -> None:
                show(progress.done, progress.total)

            done = index_files(paths, output or sys.stdout.buffer, tell, options=options)
    except OSError as error:
        if output is None:
            raise
        raise UsageError(
            tr(
                "{output} cannot be written: {strerror}.",
                output=output,
                strerror=error.strerror or error,
            )
        ) from error
    for folder in bare_folders:
        complain(f"{folder}: {_BARE_FOLDER}")
    _say(done, len(bare_folders), output, as_json=as_json)
    context.exit(1 if done.problems or bare_folders else 0)


def _files(given: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Return the files that were named or are in folders, and the folders that have none."""
    paths: list[Path] = []
    bare: list[Path] = []
    for path in given:
        if not path.is_dir():
            paths.append(path)
            continue
        inside = sorted(each for each in path.iterdir() if each.name.lower().endswith(WARC_ENDINGS))
        paths += inside
        if not inside:
            bare.append(path)
    if wacz := [path for path in paths if path.name.lower().endswith(".wacz")]:
        raise UsageError(
            tr("{wacz} is a WACZ, which has an index; open it with --open.", wacz=wacz[0])
        )
    if not paths:
        raise UsageError(tr("There is no WARC or ARC in the given paths; subfolders are not read."))
    return paths, bare


def _say(done: Indexed, bare_folders: int, output: Path | None, *, as_json: bool) -> None:
    for problem in done.problems:
        complain(str(problem))
    if done.unlisted:
        click.echo(
            tr("… and {more_faults}.", more_faults=counted(done.unlisted, "more fault")), err=True
        )
    if as_json and output is not None:
        faults = len(done.problems) + done.unlisted + bare_folders
        print_json({"path": str(output), "lines": done.lines, "faults": faults})
    else:
        if as_json:
            click.echo(tr("--json needs -o: standard output has the index itself."), err=True)
        are = tr("is") if done.lines == 1 else tr("are")
        click.echo(
            tr("{captures} {are} indexed.", captures=counted(done.lines, "capture"), are=are),
            err=True,
        )
