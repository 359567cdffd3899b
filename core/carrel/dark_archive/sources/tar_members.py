# SPDX-License-Identifier: AGPL-3.0-or-later
"""The members of a tarball that hold templates: where their bytes are, in as little memory as a
million of them allow."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

_NO_BYTES = -1


@dataclass(frozen=True, slots=True)
class Listed:
    """A member. `offset` is where its bytes begin, None if they were not to be had."""

    path: str
    offset: int | None
    size: int
    modified: int


class TarListing:
    """Members in the order of a tarball, then sorted by path. The last of those with one path is
    the one that counts: it is what is left where a tarball is unpacked."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._offsets, self._sizes, self._times = array("q"), array("q"), array("q")
        self._places: dict[str, int] | None = None
        self._order = array("q")
        self.replaced: list[str] = []
        self.path_characters = 0

    def add(self, path: str, offset: int | None, size: int, modified: int) -> None:
        """Add a member; `offset` is None where its bytes are not to be had."""
        if self._places is not None:
            self._places[path] = len(self._paths)
        self.path_characters += len(path)
        self._paths.append(path)
        self._offsets.append(_NO_BYTES if offset is None else offset)
        self._sizes.append(size)
        self._times.append(modified)

    def at(self, path: str) -> Listed | None:
        """Return the last member of a path so far, None if there is none."""
        if self._places is None:  # only links ask; most tarballs hold none
            self._places = {each: place for place, each in enumerate(self._paths)}
        place = self._places.get(path)
        return None if place is None else self._listed(place)

    def sort(self) -> None:
        """Bring the members into their order, when all were added."""
        self._places = None
        for place in sorted(range(len(self._paths)), key=self._paths.__getitem__):
            if self._order and self._paths[self._order[-1]] == self._paths[place]:
                self.replaced.append(self._paths[place])
                self._order[-1] = place
            else:
                self._order.append(place)

    def __iter__(self) -> Iterator[Listed]:
        return map(self._listed, self._order)

    def ends(self) -> tuple[str, str] | None:
        """Return the first path and the last, None where there are no members."""
        if not self._order:
            return None
        return self._paths[self._order[0]], self._paths[self._order[-1]]

    def _listed(self, place: int) -> Listed:
        offset = self._offsets[place]
        return Listed(
            self._paths[place],
            None if offset == _NO_BYTES else offset,
            self._sizes[place],
            self._times[place],
        )
