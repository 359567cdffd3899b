# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is looked at: the files of one dataset, how a copy of each is had, what one shows."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.model.access import Doubt
from carrel.model.rendition import Place, Rendition

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy on disk. `is_proven` says that it has the digest that is known, None if none is;
    `remark` is a sentence about it, "" for none. `doubt` is why what it is a copy of cannot be had
    any more as it was at the moment `made`."""

    path: Path
    size: int
    sha256: str
    is_proven: bool | None
    charset: str = ""
    remark: str = ""
    made: str = ""
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A file by its path in the dataset. `copy` makes one, telling of bytes done and in all; `save`
    begins to write the file to a path."""

    path: str
    mimetype: str
    copy: Callable[[Tell], Coroutine[Any, Any, Copy]]
    save: Callable[[Path], object]


@dataclass(frozen=True, slots=True)
class Subject:
    """Files that are looked at one after the other, and the title of what they are of."""

    title: str
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the window shows at a time: of one copy, and of one place in it."""

    title: str
    item: Item
    number: int
    count: int
    copy: Copy
    place: Place
    rendition: Rendition
