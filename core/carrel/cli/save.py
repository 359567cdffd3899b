# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel save`: files of a dataset out of the archive, each proven."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.output import force_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine.access import Access
from carrel.engine.holdings import Holdings
from carrel.errors import UsageError
from carrel.model.access import SavedFile, SaveReport
from carrel.model.counts import count_of
from carrel.model.events import Event, FileSaved
from carrel.model.sizes import in_words
from carrel.model.unwritten import why_unwritten
from carrel.translation import tr


@click.command()
@click.argument("dataset", metavar="ID")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help=tr("The folder to write to; it is made if need be."),
)
@force_option
@archive_option
@json_option
@click.pass_context
def save(
    context: click.Context,
    /,
    dataset: str,
    paths: tuple[str, ...],
    folder: Path,
    force: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Save files of an archived dataset into a folder, each completely or not at all.

    ID is the dataset's DOI, address or other identifier, or the id of an ingest. Each PATH is a
    file or a folder of the dataset; without one, all of its files are saved. Every file is read
    from its record, or from the bundle that it is in, and compared with all known digests before it
    is there. Names that a disk does not take are changed, and listed. Existing files are kept
    without --force.

    Exit status 1 means that some of the files could not be saved.
    """
    with Archive.open_for_reading(archive) as opened:
        ingest_id = Holdings(opened).one_named(dataset)
        access = Access(opened)
        try:
            report = asyncio.run(
                access.save_all(
                    ingest_id,
                    folder,
                    _shower(as_json=as_json),
                    paths=paths or None,
                    may_replace=force,
                )
            )
        except OSError as error:
            raise UsageError(why_unwritten(Path(error.filename or folder), error)) from error
        finally:
            access.close()
    if not as_json:
        say(_words(report))
        for line in _changed_names(report):
            say(line)
    context.exit(1 if report.failed else 0)


def _shower(*, as_json: bool) -> Callable[[Event], None]:
    def show(event: Event) -> None:
        if isinstance(event, FileSaved):
            _show(event.saved, as_json=as_json)

    return show


def _show(saved: SavedFile, *, as_json: bool) -> None:
    if as_json:
        print_json(saved.to_json())
    elif saved.copy is not None:
        say(str(saved.copy.path))
    else:
        complain(saved.reason)


def _words(report: SaveReport) -> str:
    saved = [each for each in report.files if each.copy]
    words = [
        tr(
            "{files} saved and verified ({size}).",
            files=count_of(saved, "file"),
            size=in_words(report.size),
        )
    ]
    if report.failed:
        words.append(tr("Not saved: {files}.", files=count_of(report.failed, "file")))
    return " ".join(words)


def _changed_names(report: SaveReport) -> Iterator[str]:
    """Yield which files could not have their own names, and what they are called instead."""
    if report.renamed:
        yield tr("Saved by other names, which any disk takes:")
    for each in report.renamed:
        if each.copy:
            yield f"  {each.file} → {report.name_of(each.copy)}"
