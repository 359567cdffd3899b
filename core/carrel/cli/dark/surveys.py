# SPDX-License-Identifier: AGPL-3.0-or-later
"""What was found in ReDIF files, for people and for machines, in flat memory."""

import json
import sys
import tempfile
from collections.abc import Sequence
from typing import IO

from carrel.cli.terminal import say
from carrel.engine.dark.redif import Flaw, Problem, Survey
from carrel.model.counts import counted
from carrel.translation import tr

_IN_MEMORY_CHARS = 1024 * 1024
_PIECE_CHARS = 256 * 1024


class AsJson:
    """Prints one JSON object a line, in ASCII: whatever a terminal can show, it is whole."""

    def __init__(self) -> None:
        self._handles, self._addresses = _Array(), _Array()

    def keep(self, handles: Sequence[str], addresses: Sequence[str]) -> None:
        """Take what was found in the next part of a file."""
        self._handles.add(handles)
        self._addresses.add(addresses)

    def found(self, path: str, encoding: str, found: Survey) -> None:
        """Print a file of which everything was kept."""
        self._print(path, encoding, found.templates, found.problems)

    def unread(self, path: str, error: OSError) -> None:
        """Print a file that cannot be read; what was kept of it is dropped."""
        self._handles.clear()
        self._addresses.clear()
        self._print(path, None, 0, [_unread(error)])

    def _print(
        self, path: str, encoding: str | None, templates: int, problems: Sequence[Problem]
    ) -> None:
        head = {"path": path, "encoding": encoding, "templates": templates}
        listed = [
            {"code": problem.code.value, "line": problem.line, "message": problem.message}
            for problem in problems
        ]
        sys.stdout.write(json.dumps(head)[:-1] + ', "handles": [')
        self._handles.move_to(sys.stdout)
        sys.stdout.write('], "file_urls": [')
        self._addresses.move_to(sys.stdout)
        sys.stdout.write(f'], "problems": {json.dumps(listed)}}}\n')


class AsText:
    """Prints a line a file, and one for each problem of it."""

    def keep(self, handles: Sequence[str], addresses: Sequence[str]) -> None:
        """Take what was found: it is counted, and not shown."""

    def found(self, path: str, encoding: str, found: Survey) -> None:
        counts = (
            counted(found.templates, "template"),
            counted(found.handles, "handle"),
            counted(found.addresses, "File-URL"),
        )
        say(f"{path}: {encoding}, {', '.join(counts)}")
        _say_all(found.problems)

    def unread(self, path: str, error: OSError) -> None:
        say(tr("{path}: not read", path=path))
        _say_all([_unread(error)])


class _Array:
    """The inside of a JSON array of texts. Beyond a mebibyte it is kept on disk."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._size = 0
        self._file: IO[str] | None = None

    def add(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        is_first = self._file is None and not self._pieces
        piece = ("" if is_first else ", ") + json.dumps(texts)[1:-1]
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > _IN_MEMORY_CHARS:
            if self._file is None:
                self._file = tempfile.TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 - cleared
            self._file.writelines(self._pieces)
            self._pieces, self._size = [], 0

    def move_to(self, output: IO[str]) -> None:
        """Write the texts, and forget them."""
        if self._file is not None:
            self._file.seek(0)
            while piece := self._file.read(_PIECE_CHARS):
                output.write(piece)
        output.writelines(self._pieces)
        self.clear()

    def clear(self) -> None:
        if self._file is not None:
            self._file.close()
        self._pieces, self._size, self._file = [], 0, None


def _unread(error: OSError) -> Problem:
    message = tr("It cannot be read: {strerror}.", strerror=error.strerror or error)
    return Problem(Flaw.NOT_READABLE, None, message)


def _say_all(problems: Sequence[Problem]) -> None:
    for problem in problems:
        place = "" if problem.line is None else tr("line {line}: ", line=problem.line)
        say(f"    {place}{problem.message}")
