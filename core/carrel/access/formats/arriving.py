# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of files that are just being archived: identified while their bytes are at hand.

A format is noted for bytes by their digest, so that it holds wherever these bytes are kept. What is
not identified here is read from its record afterwards: nothing waits for it.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from secrets import token_hex
from threading import Condition, Thread, current_thread

from carrel.access.copies import Copies
from carrel.access.formats.apart import Identifier
from carrel.capture.ends import HeldEnds
from carrel.errors import CarrelError
from carrel.model.formats import Format, FormatKey
from carrel.model.sizes import MEBIBYTE
from carrel.whole_file import PRIVATE

log = logging.getLogger(__name__)

# Of what waits for its turn no more is held, nor of what nobody came for.
_MOST_BYTES = 32 * MEBIBYTE
_MOST_FOUND = 10_000
_LOOK_S = 0.1
# So many are identified together, so many bytes of them, or what came in so long: to hand each over
# for itself takes longer than to identify it, and keeps those who fetch waiting.
_MOST_TOGETHER = 64
_BYTES_TOGETHER = 4 * MEBIBYTE
_GATHERED_S = 0.3


class Arriving:
    """Takes the ends of files from any thread, and identifies them in a thread of its own, which is
    there from when it is needed until `close`."""

    def __init__(self, copies: Copies, identifier: Identifier) -> None:
        self._copies, self._identifier = copies, identifier
        self._waiting: dict[FormatKey, tuple[bytes, bool]] = {}
        self._bytes = 0
        self._found: dict[FormatKey, Format] = {}
        self._current: Mapping[FormatKey, tuple[bytes, bool]] = {}
        self._awaited = 0
        self._paths: dict[tuple[int, str], Path] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def get_ready(self) -> None:
        """Start what identifies, so that the first file does not wait for it."""
        with self._changed:
            self._begin()

    def take(self, key: FormatKey, ends: HeldEnds) -> None:
        """Identify a file by its two ends soon, unless too much waits, or that is too little."""
        ends.finish()
        if not ends.is_enough:
            return
        content = ends.content()
        with self._changed:
            is_known = key in self._waiting or key in self._found or key in self._current
            if is_known or self._bytes + len(content) > _MOST_BYTES:
                return
            self._waiting[key] = content, ends.is_cut
            self._bytes += len(content)
            self._begin()
            if len(self._waiting) == 1 or self._is_due():
                self._changed.notify_all()

    def found(
        self, keys: Collection[FormatKey], attend: Callable[[int], None]
    ) -> dict[FormatKey, Format]:
        """Return what was found of these, of which nothing is held then; waits for those that wait.

        `attend` is called meanwhile; what it raises ends that.
        """
        wanted = set(keys)
        with self._changed:
            self._awaited += 1
            try:
                while not wanted.isdisjoint({*self._waiting, *self._current}):
                    self._changed.notify_all()
                    self._changed.wait(_LOOK_S)
                    attend(0)
            finally:
                self._awaited -= 1
            return {key: self._found.pop(key) for key in wanted & self._found.keys()}

    def close(self) -> None:
        """End the thread, and forget everything."""
        with self._changed:
            thread, self._thread = self._thread, None
            self._forget_waiting()
            self._found.clear()
            self._changed.notify_all()
        if thread is not None:
            self._identifier.hurry()
            thread.join()
        for path in self._paths.values():
            path.unlink(missing_ok=True)
        self._paths.clear()

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._work, name="carrel-arriving", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        try:
            self._identifier.get_ready()
        except (CarrelError, OSError) as error:  # tried again for each file, which tells of it
            log.debug("what identifies formats did not start: %s", error)
        while asked := self._next():
            try:
                found = self._identified(asked)
            except (CarrelError, OSError) as error:
                log.debug("what arrives is not identified meanwhile: %s", error)
                found = None
            with self._changed:
                self._current = {}
                if found is None:
                    self._forget_waiting()
                elif self._thread is current_thread():
                    self._found.update(found)
                while len(self._found) > _MOST_FOUND:  # of attempts that failed, or were put off
                    del self._found[next(iter(self._found))]
                self._changed.notify_all()

    def _next(self) -> Mapping[FormatKey, tuple[bytes, bool]]:
        """Wait for files and return what is needed of them, nothing once this is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_over())
            self._changed.wait_for(lambda: self._is_due() or self._is_over(), _GATHERED_S)
            if self._is_over():
                return {}
            together: dict[FormatKey, tuple[bytes, bool]] = {}
            size = 0
            while self._waiting and len(together) < _MOST_TOGETHER and size < _BYTES_TOGETHER:
                key = next(iter(self._waiting))
                together[key] = self._waiting.pop(key)
                size += len(together[key][0])
            self._bytes -= size
            self._current = together
            return together

    def _is_due(self) -> bool:
        """Say whether what waits is not to wait for more."""
        is_much = len(self._waiting) >= _MOST_TOGETHER or self._bytes >= _BYTES_TOGETHER
        return is_much or self._awaited > 0

    def _is_over(self) -> bool:
        return self._thread is not current_thread()

    def _forget_waiting(self) -> None:
        self._waiting.clear()
        self._bytes = 0

    def _identified(
        self, asked: Mapping[FormatKey, tuple[bytes, bool]]
    ) -> Mapping[FormatKey, Format]:
        laid_out = []
        for number, (key, (content, is_cut)) in enumerate(asked.items()):
            path = self._path(number, key.extension)
            path.write_bytes(content)
            laid_out.append((path, is_cut))
        return dict(zip(asked, self._identifier.identify_all(laid_out), strict=True))

    def _path(self, number: int, extension: str) -> Path:
        """Return where a file is laid out, over the one before it of this number and extension: to
        make and remove each takes longer."""
        path = self._paths.get((number, extension))
        if path is None:
            name = f"{token_hex(8)}.{extension}".rstrip(".")
            path = self._paths[number, extension] = self._copies.place(name, "formats")
            path.touch(PRIVATE, exist_ok=False)
        return path
