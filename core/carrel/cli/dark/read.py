# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark read`: what stands in ReDIF files, and what is wrong with them."""

import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import click

from carrel.cli.dark.surveys import AsJson, AsText
from carrel.cli.options import json_option
from carrel.cli.terminal import complain
from carrel.engine.dark.redif import read as read_redif
from carrel.engine.dark.redif import redif_files, survey
from carrel.translation import tr


@click.command()
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=click.Path())
@json_option
@click.pass_context
def read(context: click.Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Read ReDIF files (of a folder: all .rdf and .redif files) and report their contents.

    Nothing is stored. Exit status 1 means that something could not be read at all; a file that is
    flawed, empty or not ReDIF is reported, but is not a failure.
    """
    printer = AsJson() if as_json else AsText()
    is_complete = True
    handles: dict[int, str] = {}
    for path, error in _files(paths):
        if error is not None:
            printer.unread(path, error)
        is_complete = error is None and _read(path, printer, handles) and is_complete
    sys.stdout.flush()
    context.exit(0 if is_complete else 1)


def _files(paths: Sequence[str]) -> Iterator[tuple[str, OSError | None]]:
    """Yield the files that were named or are in folders, and the folders that cannot be listed."""
    for path in paths:
        if not os.path.isdir(path):
            yield path, None
            continue
        errors: list[OSError] = []
        is_empty = True
        for file in redif_files(path, errors.append):
            yield file, None
            is_empty = False
        yield from ((str(error.filename or path), error) for error in errors)
        if is_empty and not errors:
            complain(tr("There is no .rdf or .redif in {path}.", path=path))


def _read(path: str, printer: AsJson | AsText, handles: dict[int, str]) -> bool:
    """Print what is in a file; return whether it could be read."""
    try:
        with _opened(path) as file:
            reading = read_redif(file, path)
            found = survey(reading, printer.keep, path, handles)
    except OSError as error:
        printer.unread(path, error)
        return False
    printer.found(path, reading.encoding, found)
    return True


def _opened(path: str) -> BinaryIO:
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, tr("it is not a regular file"))
    return open(path, "rb", buffering=0)
