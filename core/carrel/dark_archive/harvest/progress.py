# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far the reading of a source is, told for each archive and series as RePEc lays them out."""

from carrel.dark_archive.harvest.run import Run
from carrel.translation import tr

_TELL_EVERY = 50


class ReadingProgress:
    """Counts files as they are read; `total` is how many the last run knew in the same folder.

    A folder is come back to after those within it: its files stand between them by name.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._folder: str | None = None
        self._done, self._total = 0, 0
        self._done_above: dict[str, int] = {}  # of the folders in which the present one is

    def at(self, path: str) -> None:
        """Tell, now and then, that a file of templates was read."""
        folder = path.rpartition("/")[0]
        if folder != self._folder:
            self.end()
            self._go_into(folder)
            self._total = self._run.lookups.container_count(self._run.scope, folder)
        self._done += 1
        if self._done % _TELL_EVERY == 1:
            self._say(path)

    def _go_into(self, folder: str) -> None:
        if self._folder is not None:
            self._done_above[self._folder] = self._done
        self._folder, self._done = folder, self._done_above.get(folder, 0)
        self._done_above = {
            each: done
            for each, done in self._done_above.items()
            if not each or f"{folder}/".startswith(f"{each}/")
        }

    def end(self) -> None:
        """Tell how far the last folder came."""
        if self._folder is not None:
            self._say(self._folder)

    def _say(self, path: str) -> None:
        archive, _, series = (self._folder or "").partition("/")
        total = max(self._total, self._done) if self._total else None
        self._run.say(
            "templates", self._done, total, tr("Reading {path}", path=path), f"{archive}:{series}"
        )
