# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list put into another order, in flat memory: hosts take turns, however the list has them.

Else a partition could begin with a million requests for one host, and who reads it would wait for
that host alone. What each host has is kept in a file of a temporary folder meanwhile.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

from carrel.model import IngestRequest

# So many requests for a host follow each other; a file is opened once for them.
_AT_ONCE = 20
# So much is kept in memory before it is written.
_MOST_BUFFERED = 20_000


class Spread:
    """Takes requests by host, then gives them back, host by host in turn. A context manager."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="carrel-submit-")
        self._buffered: dict[str, list[str]] = {}
        self._count = 0
        self._places: dict[str, int] = {}

    def __enter__(self) -> "Spread":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def add(self, host: str, request: IngestRequest) -> None:
        """Take a request for a host. Raises OSError."""
        self._buffered.setdefault(host, []).append(json.dumps(request.to_json()))
        self._count += 1
        if self._count >= _MOST_BUFFERED:
            self._write()

    def __iter__(self) -> Iterator[IngestRequest]:
        """Yield all requests, some of each host in each round. Raises OSError."""
        self._write()
        while self._places:
            for host in list(self._places):
                yield from self._some_of(host)

    def _write(self) -> None:
        for host, lines in self._buffered.items():
            with self._file(host).open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
            self._places.setdefault(host, 0)
        self._buffered, self._count = {}, 0

    def _some_of(self, host: str) -> Iterator[IngestRequest]:
        path = self._file(host)
        with path.open("rb") as file:
            file.seek(self._places[host])
            lines = [line for line in (file.readline() for _ in range(_AT_ONCE)) if line]
            self._places[host] = file.tell()
        if len(lines) < _AT_ONCE:
            del self._places[host]
            path.unlink()
        for line in lines:
            yield IngestRequest.from_json(json.loads(line))

    def _file(self, host: str) -> Path:
        # Hosts may be called anything.
        return Path(self._folder.name) / hashlib.sha256(host.encode()).hexdigest()
