# SPDX-License-Identifier: AGPL-3.0-or-later
"""The templates of a source, compared with what is known of each.

A container whose bytes are those of its last reading is not read again: reading and comparing is
all that is done for it. The walk and what is known of it are both sorted by path, so they are gone
through side by side.
"""

import errno
import hashlib
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain
from typing import BinaryIO

from carrel.dark_archive.harvest.comparison import Comparing
from carrel.dark_archive.harvest.progress import ReadingProgress
from carrel.dark_archive.harvest.run import Run
from carrel.dark_archive.identifiers import redif_name
from carrel.dark_archive.sources import Container, ReadContainer
from carrel.ledger.dark.lookups import KnownContainer
from carrel.model.dark import ContainerSeen, ContainerState, Content, RunSource
from carrel.model.unwritten import is_full
from carrel.translation import tr

_BLOCK_BYTES = 1024 * 1024
_IN_MEMORY_BYTES = 16 * _BLOCK_BYTES
_LOOK_UP_EVERY = 200
# Where there is nothing to be read something is wrong: a folder that is not mounted, a tarball
# that was never filled.
_NEVER_EMPTY = (RunSource.DIRECTORY, RunSource.TARBALL, RunSource.BACKFILL)


class TemplatesRead:
    """The first step of a run."""

    def __init__(self, run: Run) -> None:
        self._run, self._scope = run, run.scope
        self._comparing = Comparing(run)
        self._progress = ReadingProgress(run)

    def read(self) -> bool:
        """Read every container; say whether the source was walked to its end."""
        known = iter(self._run.lookups.containers(self._scope))
        awaited = next(known, None)
        containers = self._run.source.containers()
        first = next(containers, None)
        if first is None and self._run.source.source in _NEVER_EMPTY:
            self._run.found(
                tr("{reference} has no ReDIF file.", reference=self._run.source.reference)
            )
            return False
        for container in chain(() if first is None else (first,), containers):
            if self._run.is_cancelled():
                return False
            while awaited is not None and awaited.path < container.path:
                self._missing(awaited)
                awaited = next(known, None)
            is_known = awaited is not None and awaited.path == container.path
            is_whole = self._seen(container, awaited if is_known else None)
            if not is_whole:
                return False
            if is_known:
                awaited = next(known, None)
            self._progress.at(container.path)
        self._progress.end()
        for each in _rest(awaited, known):
            self._missing(each)
        for note in self._run.source.notes:
            self._run.found(note)
        return True

    def _missing(self, known: KnownContainer) -> None:
        """Note that a container is not there, if its folder could be looked into."""
        run = self._run
        if run.is_backfill:
            return
        if run.is_unread(known.path):
            run.counts["containers not observed"] += 1
            return
        run.counts["containers gone"] += 1
        run.group.add(ContainerSeen(run.group.tist, self._scope, known.path, ContainerState.GONE))

    def _seen(self, container: Container, known: KnownContainer | None) -> bool:
        """Compare a container; say whether it was gone through to its end."""
        run = self._run
        run.counts["containers"] += 1
        try:
            with container.opened() as file:
                if container.size <= _IN_MEMORY_BYTES:
                    return self._small(container, file, known)
                return self._large(container, file, known)
        except OSError as error:
            if is_full(error) or error.errno == errno.EROFS:  # the store's fault, not this one's
                raise
            run.counts["containers not observed"] += 1
            run.closed.append(container.path)
            run.found(
                tr(
                    "{path} cannot be read: {strerror}.",
                    path=container.path,
                    strerror=error.strerror or error,
                ),
                container.path,
            )
            return True

    def _is_unchanged(self, known: KnownContainer | None, sha256: str) -> bool:
        """Say whether a container has the bytes of its last reading; what could not be read then
        cannot be read now."""
        run = self._run
        if known is None or known.sha256 != sha256:
            return False
        run.counts["containers unchanged"] += 1
        if known.state == ContainerState.UNREADABLE:
            run.counts["containers unreadable"] += 1
            run.unreadable += 1
            run.found(tr("{path}: still unreadable.", path=known.path), known.path)
        return True

    def _small(self, container: Container, file: BinaryIO, known: KnownContainer | None) -> bool:
        data = file.read()
        if self._is_unchanged(known, hashlib.sha256(data).hexdigest()):
            return True
        reading = self._run.source.read(BytesIO(data), container.path)
        return self._read(
            container, reading, lambda: self._run.group.keep(redif_name(container.path), data)
        )

    def _large(self, container: Container, file: BinaryIO, known: KnownContainer | None) -> bool:
        """As `_small`, by way of a copy: what is kept is what was read, whoever writes to it."""
        if self._is_unchanged(known, _sha256(file)):
            return True
        file.seek(0)
        staged, md5 = self._run.group.incoming(), hashlib.md5()
        with staged.open("xb") as copy:
            while block := file.read(_BLOCK_BYTES):
                md5.update(block)
                copy.write(block)
        with staged.open("rb") as copy:
            reading = self._run.source.read(copy, container.path)
            return self._read(
                container,
                reading,
                lambda: self._run.group.keep_file(
                    redif_name(container.path),
                    staged,
                    sha256=reading.sha256,
                    md5=md5.hexdigest(),
                    size=reading.size,
                    media=None,
                ),
            )

    def _read(
        self, container: Container, reading: ReadContainer, keep: Callable[[], Content | None]
    ) -> bool:
        """Compare the templates of a container, then keep it byte for byte, since its decoding may
        prove wrong one day."""
        run, count = self._run, 0
        if reading.state is ContainerState.READ:
            for template in reading.templates():
                self._comparing.take(container, template)
                count += 1
                if count % _LOOK_UP_EVERY == 0 and run.is_cancelled():
                    return False
            run.counts["templates read"] += count
        else:
            run.counts["containers unreadable"] += 1
            run.unreadable += 1
            run.found(f"{container.path}: {reading.problem}", container.path)
        content = keep()
        run.group.add(
            ContainerSeen(
                run.group.tist,
                self._scope,
                container.path,
                reading.state,
                reading.sha256,
                container.modified,
                reading.encoding,
                count,
                reading.problem,
                content,
            )
        )
        return True


def _sha256(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := file.read(_BLOCK_BYTES):
        digest.update(block)
    return digest.hexdigest()


def _rest(
    first: KnownContainer | None, others: Iterator[KnownContainer]
) -> Iterator[KnownContainer]:
    if first is not None:
        yield first
    yield from others
