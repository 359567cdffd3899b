# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel import`: captures and datasets from elsewhere become part of the archive."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import say
from carrel.engine.importing import Given, Imported, import_files, link_files
from carrel.engine.recovery import recover
from carrel.model.counts import count_of, counted
from carrel.model.not_imported import WAS_NOT_IMPORTED
from carrel.translation import tr

_MOST_SHOWN = 10
_NO_LONGER_INTACT = tr("no longer intact in the archive")


@click.command("import")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--title", default="", help=tr("Title of the dataset. Plain files need one."))
@click.option("--identifier", default="", help=tr("Its DOI, or another identifier."))
@click.option("--license", "license_", default="", help=tr("Its licence."))
@click.option(
    "--link",
    is_flag=True,
    help=tr("Link WARC files instead of copying them: on the same disk, and never to be changed."),
)
@archive_option
@json_option
@click.pass_context
def import_(
    context: click.Context,
    paths: tuple[Path, ...],
    title: str,
    identifier: str,
    license_: str,
    link: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Make captures and datasets from elsewhere part of the archive.

    A PATH is a WARC or WACZ file, a BagIt bag (a folder, tar or zip), an RO-Crate, or a folder.
    Plain files become one dataset, if --title is given.

    Each WARC is copied, every record of the copy is read and compared with its digests, and the
    file becomes part of the collection as it is; a name that is taken gets a number. Index and
    ledger follow, so that its captures are found as mementos. A file in which anything is damaged
    is not taken. WARC files that Carrel wrote bring the results of their ingests along.

    A bag, crate or folder becomes a holding. Its files are compared with all lists of checksums in
    it, stored as resource records, and read back. A bag in which anything is wrong is not taken.
    An export of Carrel's comes back as the holding that it was.

    With --link a WARC on the same file system gets a second name in the collection (a hard link)
    and takes no more room. Whoever changes the file then changes the archive: "carrel verify" finds
    it.

    Exit status 1 means that something was not taken, or that a WARC lacks what another one has.
    """
    is_clear = True
    given = Given(title.strip(), identifier.strip(), license_.strip())
    with Archive.create_or_open(archive) as opened, bytes_bar("importing") as tell:
        recover(opened)
        imports = (
            link_files(opened, paths, tell) if link else import_files(opened, paths, tell, given)
        )
        for done in imports:
            is_clear = is_clear and done.is_whole
            if as_json:
                print_json(asdict(done))
            else:
                _say(done)
    context.exit(0 if is_clear else 1)


def _say(done: Imported) -> None:
    if done.trouble:
        say(tr("not imported: {source}: {trouble}", source=done.source, trouble=done.trouble))
        return
    if done.awaited:
        say(tr("{title}: some files are missing here.", title=done.title))
        _say_awaited(done.awaited)
        return
    facts = [*(_of_files(done) if done.files else _of_captures(done))]
    say(f"{done.title or done.name or done.source}: {', '.join(facts)}")
    for lack in done.lacking[:_MOST_SHOWN]:
        say(tr("  not imported: {file}", file=lack))
    _say_more(len(done.lacking), tr("  … and {more:,} more that are not; --json lists them"))
    for remark in done.remarks[:_MOST_SHOWN]:
        say(f"  {remark}")
    _say_more(len(done.remarks), tr("  … and {more:,} more remarks; --json lists them"))


def _say_awaited(paths: Sequence[str]) -> None:
    for path in paths[:_MOST_SHOWN]:
        say(f"  {path}: {WAS_NOT_IMPORTED}")
    _say_more(len(paths), tr("  … and {more:,} more missing files; --json lists them"))


def _of_captures(done: Imported) -> Iterator[str]:
    yield counted(done.captures, "capture")
    yield tr("{new:,} new", new=done.new)
    yield count_of(done.attempts, "ingest")
    if done.restored:
        yield tr("stored again: {why}", why=_NO_LONGER_INTACT)
    if done.was_there:
        yield tr("was there already")


def _of_files(done: Imported) -> Iterator[str]:
    yield counted(done.files, "file")
    if done.was_there:
        yield tr("was there already")
    elif done.restored:
        some = tr(
            "{count:,} of them stored again: {why}", count=done.restored, why=_NO_LONGER_INTACT
        )
        all_of_them = tr("stored again: {why}", why=_NO_LONGER_INTACT)
        yield all_of_them if done.restored == done.files else some
    elif done.unlisted:
        some = tr("{count:,} of them without a checksum to compare with", count=done.unlisted)
        all_of_them = tr("without a checksum to compare with")
        yield all_of_them if done.unlisted == done.files else some
    elif done.existing:
        some = tr("{count:,} of them already here", count=done.existing)
        yield tr("already here") if done.existing == done.files else some
    yield from (tr("ingest {ingest_id}", ingest_id=each) for each in done.attempts)


def _say_more(count: int, words: str) -> None:
    if (more := count - _MOST_SHOWN) > 0:
        say(words.format(more=more))
