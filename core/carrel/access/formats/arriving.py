# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of files that are just being archived: identified while their bytes are at hand.

A format is noted for bytes by their digest, so that it holds wherever these bytes are kept. What is
not identified here is read from its record afterwards: nothing waits for it.
"""

import logging
from collections.abc import Callable, Collection
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


class Arriving:
    """Takes the ends of files from any thread, and identifies them in a thread of its own, which is
    there from when it is needed until `close`."""

    def __init__(self, copies: Copies, identifier: Identifier) -> None:
        self._copies, self._identifier = copies, identifier
        self._waiting: dict[FormatKey, tuple[bytes, bool]] = {}
        self._bytes = 0
        self._found: dict[FormatKey, Format] = {}
        self._current: FormatKey | None = None
        self._paths: dict[str, Path] = {}
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
            is_known = key in self._waiting or key in self._found or key == self._current
            if is_known or self._bytes + len(content) > _MOST_BYTES:
                return
            self._waiting[key] = content, ends.is_cut
            self._bytes += len(content)
            self._begin()
            self._changed.notify_all()

    def found(
        self, keys: Collection[FormatKey], attend: Callable[[int], None]
    ) -> dict[FormatKey, Format]:
        """Return what was found of these, of which nothing is held then; waits for those that wait.

        `attend` is called meanwhile; what it raises ends that.
        """
        wanted = set(keys)
        with self._changed:
            here = self._current if self._current in wanted else None
            # What came first is identified first: with the last of them all are.
            last = next((key for key in reversed(self._waiting) if key in wanted), here)
            while last is not None and (last in self._waiting or last == self._current):
                self._changed.wait(_LOOK_S)
                attend(0)
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
        while (asked := self._next()) is not None:
            key, content, is_cut = asked
            try:
                found = self._identified(key, content, is_cut=is_cut)
            except (CarrelError, OSError) as error:
                log.debug("what arrives is not identified meanwhile: %s", error)
                found = None
            with self._changed:
                self._current = None
                if found is None:
                    self._forget_waiting()
                elif self._thread is current_thread():
                    self._found[key] = found
                if len(self._found) > _MOST_FOUND:  # of attempts that failed, or were put off
                    del self._found[next(iter(self._found))]
                self._changed.notify_all()

    def _next(self) -> tuple[FormatKey, bytes, bool] | None:
        """Wait for a file and return what is needed of it, None once this is closed."""
        with self._changed:
            while not self._waiting:
                if self._thread is not current_thread():
                    return None
                self._changed.wait()
            key = next(iter(self._waiting))
            content, is_cut = self._waiting.pop(key)
            self._bytes -= len(content)
            self._current = key
            return key, content, is_cut

    def _forget_waiting(self) -> None:
        self._waiting.clear()
        self._bytes = 0

    def _identified(self, key: FormatKey, content: bytes, *, is_cut: bool) -> Format:
        # One file is written over for all of an extension: to make and remove each takes longer.
        path = self._paths.get(key.extension)
        if path is None:
            name = f"{token_hex(8)}.{key.extension}".rstrip(".")
            path = self._paths[key.extension] = self._copies.place(name, "formats")
            path.touch(PRIVATE, exist_ok=False)
        path.write_bytes(content)
        return self._identifier.identify(path, is_cut=is_cut)
