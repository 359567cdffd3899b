# SPDX-License-Identifier: AGPL-3.0-or-later
"""What hands files over, without an archive: contents by path, looked at in this process."""

import asyncio
import hashlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from carrel.access.copies import Copies
from carrel.access.renditions.kinds import rendition_in, source_of
from carrel.engine.access import Access
from carrel.engine.holdings import Holdings
from carrel.errors import CarrelError
from carrel.model import Fixity
from carrel.model.access import AccessCopy, Doubt, SavedFile, SaveReport
from carrel.model.events import Emit, FileSaved, SavingProgress, ignore
from carrel.model.rendition import Place, Rendition


class FakeAccess(Access):
    """`contents` are what files have in them, by path; `troubles` why one cannot be had, `doubts`
    why there is but an earlier copy of one.

    What is in `held` waits until it is let go.
    """

    def __init__(self, holdings: Holdings, calls: list[str]) -> None:
        self._holdings, self.calls = holdings, calls
        self._copies = Copies()
        self.contents: dict[str, bytes] = {}
        self.troubles: dict[str, CarrelError] = {}
        self.doubts: dict[str, Doubt] = {}
        self.held: set[str] = set()

    async def copy(self, ingest_id: str, position: int, emit: Emit = ignore) -> AccessCopy:
        path = self._paths(ingest_id)[position]
        self.calls.append(f"copy {ingest_id} {path}")
        content = self._content(path)
        emit(SavingProgress(ingest_id, len(content) // 2, len(content)))
        while path in self.held:
            await asyncio.sleep(0.01)
        copy = _copy(path, self.put(path.rpartition("/")[2], content), content)
        return replace(copy, made="2026-03-02T10:30:00", doubt=self.doubts.get(path))

    async def save(
        self, ingest_id: str, position: int, path: Path, emit: Emit = ignore
    ) -> AccessCopy:
        name = self._paths(ingest_id)[position]
        self.calls.append(f"save {ingest_id} {name}")
        content = self._content(name)
        emit(SavingProgress(ingest_id, len(content) // 2, len(content)))
        while name in self.held:
            await asyncio.sleep(0.01)
        path.write_bytes(content)
        return _copy(name, path, content)

    async def save_all(
        self,
        ingest_id: str,
        folder: Path,
        emit: Emit = ignore,
        *,
        paths: Collection[str] | None = None,
        may_replace: bool = False,
    ) -> SaveReport:
        files = []
        for number, path in enumerate(self._paths(ingest_id)):
            if path in self.troubles:
                files.append(SavedFile(path, reason=str(self.troubles[path])))
                continue
            target = folder / path.replace("/", "_")
            copy = await self.save(ingest_id, number, target, emit)
            files.append(SavedFile(path, copy))
            emit(FileSaved(ingest_id, files[-1], number + 1, number + 1))
        return SaveReport(folder, files)

    async def look(self, path: Path, place: Place) -> Rendition:
        return await asyncio.to_thread(_look, path, place)

    def _paths(self, ingest_id: str) -> list[str]:
        result = self._holdings.result(ingest_id) or {}
        return [entry["path"] for entry in result.get("manifest") or ()]

    def _content(self, path: str) -> bytes:
        if path in self.troubles:
            raise self.troubles[path]
        return self.contents.get(path, f"This is {path}.\n".encode())


def _copy(file: str, path: Path, content: bytes) -> AccessCopy:
    digest = hashlib.sha256(content).hexdigest()
    return AccessCopy(file, path, Fixity(len(content), {"sha256": digest}))


def _look(path: Path, place: Place) -> Rendition:
    with path.open("rb") as file:
        return rendition_in(source_of(file, path.stat().st_size, place), place)
