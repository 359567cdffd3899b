# SPDX-License-Identifier: AGPL-3.0-or-later
"""WACZ files that are there whole or not at all: one, or several and a list of them."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from carrel.access.proof import Attend
from carrel.access.saving import Saving
from carrel.archive import Archive
from carrel.capture.stored import member_pieces
from carrel.exports.folder import WholeFolder
from carrel.exports.wacz.description import About
from carrel.exports.wacz.package import Package
from carrel.exports.wacz.shares import Packed, Share, shares
from carrel.exports.wacz.signing import Sign
from carrel.whole_file import move_beside

COLLECTION = "collection.json"


class Packing:
    """Packs holdings; `attend` is told of the bytes that were read. All raise Damaged for what is
    not as it was archived, NotRead for what cannot be read, UsageError for what is not signed,
    FileExistsError where there is something, and OSError.

    `places` are the ingests and positions of those files that are in a package by now.
    """

    def __init__(
        self, archive: Archive, saving: Saving, attend: Attend, sign: Sign | None = None
    ) -> None:
        self._archive, self._saving, self._attend, self._sign = archive, saving, attend, sign
        self.places: set[tuple[str, int]] = set()

    def pack(self, every: Sequence[Packed], about: About, target: Path) -> int:
        """Write one package, and return how many bytes it has."""
        folder = WholeFolder(target, ())
        try:
            (share,) = shares(self._archive, every)
            path = folder.part / "package"
            size = self._write(path, folder.part, every, share, about)
            move_beside(path, target)
        finally:
            folder.discard()
        return size

    def pack_split(self, every: Sequence[Packed], about: About, target: Path, most: int) -> int:
        """Write a folder of packages of `most` bytes, about, with a list of them (as in
        ReplayWeb.page, "multi-wacz-package"), and return how many bytes they have.
        """
        folder = WholeFolder(target, ())
        resources, sizes = [], []
        try:
            for number, share in enumerate(shares(self._archive, every, most), 1):
                name = f"{target.name}-{number:03}.wacz"
                path = folder.part / name
                sizes.append(self._write(path, folder.part, every, share, about))
                digest = f"sha256:{_sha256(path, self._attend)}"
                resources.append({"name": name, "path": name, "hash": digest, "bytes": sizes[-1]})
            listed = {"profile": "multi-wacz-package", "title": about.title, "resources": resources}
            folder.write(COLLECTION, json.dumps(listed, indent=1).encode() + b"\n")
            folder.commit()
        finally:
            folder.discard()
        return sum(sizes)

    def _write(
        self, path: Path, folder: Path, every: Sequence[Packed], share: Share, about: About
    ) -> int:
        package = Package(self._archive, every, share, folder, self._attend, self._sign)
        with path.open("x+b") as file:
            package.write(file, self._saving, about)
            file.flush()
            os.fsync(file.fileno())
        self.places |= package.places
        return path.stat().st_size


def _sha256(path: Path, attend: Attend) -> str:
    digest = hashlib.sha256()
    for piece in member_pieces(path, 0, path.stat().st_size):
        attend(len(piece))
        digest.update(piece)
    return digest.hexdigest()
