# SPDX-License-Identifier: AGPL-3.0-or-later
"""A kept payload that is to stand in an item, and what became of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carrel.model import Capture, Fixity, Status


@dataclass(frozen=True, slots=True)
class StagedUpload:
    """A payload and its path in the item; `indexes` are the files of the manifest that it holds."""

    path: str
    capture: Capture
    blocks: Callable[[], Iterator[bytes]]
    indexes: tuple[int, ...]

    @property
    def fixity(self) -> Fixity:
        """What archive.org can list of it."""
        return Fixity(self.capture.size, {"md5": self.capture.md5, "sha1": self.capture.sha1})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a parcel; `message` is empty for a success."""

    status: Status
    message: str = ""
