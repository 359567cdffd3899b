# SPDX-License-Identifier: AGPL-3.0-or-later
"""An export that was there already: what it is of, and what it lacks, or has otherwise, by now."""

import tarfile
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from carrel.exports.bags import tar
from carrel.exports.holding import ExportedFile
from carrel.exports.papers import RESULT
from carrel.exports.payload import DATA
from carrel.model.exports import NotExported
from carrel.translation import tr

_MOST_NAMED = 3
ReadAgain = Callable[[Path, Sequence[ExportedFile], str], Sequence[NotExported]]
"""Reads all of an export of these files, and returns what is not as it was written. The name is
that of the list that has what stands beside them, "" for none."""


def document_in(target: Path) -> bytes | None:
    """Return the result in an export, None where there is none."""
    try:
        if target.is_dir():
            return (target / RESULT).read_bytes()
        if target.suffix == ".tar":
            return tar.document_in(target, RESULT)
        with zipfile.ZipFile(target) as package:
            return package.read(RESULT)
    except (
        OSError,
        KeyError,
        ValueError,
        NotImplementedError,
        zipfile.BadZipFile,
        tarfile.TarError,
    ):
        return None


def results_in(target: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each result in a WACZ."""
    stem = RESULT.partition(".")[0]
    with (
        suppress(OSError, ValueError, NotImplementedError, zipfile.BadZipFile),
        zipfile.ZipFile(target) as package,
    ):
        for name in package.namelist():
            if name.startswith(stem):
                yield name, package.read(name)


def absent_from(
    target: Path, files: Sequence[ExportedFile], damaged: Collection[str]
) -> Sequence[NotExported]:
    """Return which files an export that was there already does not have, as it left them out for
    damage: that which is mended by now, and that of the files which are `damaged` still."""
    if target.is_dir():
        absent = [each for each in files if not (target / DATA / each.path).is_file()]
    elif target.suffix == ".tar":
        here = tar.names_in(target)
        absent = [each for each in files if str(DATA / each.path) not in here]
    else:  # a WACZ has all or is not made
        absent = []
    mended = tr(
        "It is not in the export at {path}, which was left as it is. Remove that export, or export "
        "into another folder, to include it.",
        path=target,
    )
    still = tr(
        "It is damaged in the archive, and was left out of the export at {path}.", path=target
    )
    return [
        NotExported(each.name, still, is_damaged=True)
        if each.name in damaged
        else NotExported(each.name, mended, is_absent=True)
        for each in absent
    ]


def not_this(target: Path) -> str:
    """Return that what is there is no such export, or none that can be read, and what to do."""
    return tr(
        "There is already something at {path} that is not this export, or is damaged; it was left "
        "as it is. Move it away, or choose another folder, and export again.",
        path=target,
    )


def why_spoilt(target: Path, spoilt: Sequence[NotExported]) -> str:
    """Return that an export is not as it was written, and what to do."""
    more = len(spoilt) - _MOST_NAMED
    files = ", ".join(each.file for each in spoilt[:_MOST_NAMED])
    if more > 0:
        files = tr("{files} and {more:,} more", files=files, more=more)
    return tr(
        "The earlier export at {path} is not as it was written. Changed or missing there: {files}. "
        "It was left as it is. Remove it, or choose another folder, and export again.",
        path=target,
        files=files,
    )
