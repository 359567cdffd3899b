# SPDX-License-Identifier: AGPL-3.0-or-later
"""A listing with those of the folders below it: all of them, or it is said which are lacking."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from carrel.errors import ApiStop, IngestStop
from carrel.model import Finding, FindingLevel, Status
from carrel.model.counts import count_of
from carrel.model.prose import shortlist, shown_address
from carrel.platforms.directory.rows import Folder, Row, folder_of, name_in
from carrel.platforms.listing import Page, listed
from carrel.platforms.platform import Api
from carrel.translation import tr

Reader = Callable[[str, str], Folder | None]
"""From the address and text of a page to what it lists; None for one that is no listing."""

# So many requests are made for one dataset, unless the person lets it have more files.
_MOST_FOLDERS = 1000
_CLOSED = (Status.PLATFORM_404, Status.PLATFORM_RESTRICTED, Status.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class Place:
    """A file in the tree: its path from the folder that was asked for, and its row."""

    path: str
    row: Row


@dataclass(slots=True)
class Tree:
    """The folders below the page at `root`, each asked for once; `first` is what that page lists.

    `reader` reads the others, which are asked for as `accept` says.
    """

    root: str
    first: Folder
    reader: Reader
    accept: str
    api: Api
    _waiting: deque[str] = field(default_factory=deque)
    _above: dict[str, str] = field(default_factory=dict)
    _seen: dict[str, frozenset[str]] = field(default_factory=dict)
    _unread: list[str] = field(default_factory=list)
    _circles: list[str] = field(default_factory=list)
    _elsewhere: list[str] = field(default_factory=list)

    async def places(self) -> tuple[Place, ...]:
        """Return all files. Raises IngestStop for too many of them, or of their folders, and where
        a folder gives no answer."""
        return (await listed(self.root, self._read, self.api)).rows

    @property
    def shortfall(self) -> str | None:
        """Which folders could not be read, in words; None if all could."""
        if not self._unread:
            return None
        return tr(
            "What is in these folders of the listing is unknown, since they show no listing: "
            "{names}.",
            names=shortlist(map(self._path_of, self._unread)),
        )

    def findings(self) -> Iterator[Finding]:
        """Yield what is odd about the tree."""
        if self._circles:
            message = tr(
                "These folders lead back to what is listed above them, and were omitted: {names}.",
                names=shortlist(map(self._path_of, self._circles)),
            )
            yield Finding("listing-circle", message)
        if self._elsewhere:
            message = tr(
                "{links} lead out of the folder, and were omitted: {names}.",
                links=count_of(self._elsewhere, "row"),
                names=shortlist(self._elsewhere),
            )
            yield Finding("listing-elsewhere", message, FindingLevel.WARNING)

    async def _read(self, url: str) -> Page[Place]:
        folder = self.first if url == self.root else await self._opened(url)
        if self._is_circle(url, folder):
            self._circles.append(url)
            folder = Folder()
        self._elsewhere += folder.elsewhere
        self._enqueue(url, folder)
        path = self._path_of(url)
        rows = [Place(path + row.name, row) for row in folder.files]
        return Page(rows, self._waiting.popleft() if self._waiting else None)

    def _enqueue(self, url: str, folder: Folder) -> None:
        base = folder_of(self.root)
        for inner in folder.folders:
            if inner.startswith(base) and inner not in self._above and inner != self.root:
                self._above[inner] = url
                self._waiting.append(inner)
        if len(self._above) > max(_MOST_FOLDERS, self.api.most_files):
            message = tr(
                "The listing at {url} has more than {most} folders; the rest was not read.",
                url=shown_address(self.root),
                most=f"{max(_MOST_FOLDERS, self.api.most_files):,}",
            )
            raise IngestStop(Status.TOO_MANY_FILES, message)

    async def _opened(self, url: str) -> Folder:
        try:
            answer = await self.api.answer(url, accept=self.accept)
        except ApiStop as stop:
            if stop.status not in _CLOSED:
                raise
            self._unread.append(url)
            return Folder()
        is_there = folder_of(answer.url).partition(":")[2] == folder_of(url).partition(":")[2]
        folder = self.reader(url, answer.text) if is_there else None
        if folder is None:
            self._unread.append(url)
        return folder or Folder()

    def _is_circle(self, url: str, folder: Folder) -> bool:
        """Return whether a folder has the very content of one above it: a link that leads back."""
        here = frozenset(
            [f"{row.name} {row.size} {row.told_size}" for row in folder.files]
            + [inner.rstrip("/").rpartition("/")[2] for inner in folder.folders]
        )
        self._seen[url] = here
        if not folder.folders:
            return False
        above = self._above.get(url)
        while above is not None:
            if self._seen[above] == here:
                return True
            above = self._above.get(above)
        return False

    def _path_of(self, url: str) -> str:
        """Return the path of a folder below the first, with its slash; "" for the first."""
        inner = folder_of(url)[len(folder_of(self.root)) :]
        parts = [part for part in inner.split("/") if part]
        return "".join(f"{name_in(part)}/" for part in parts)
