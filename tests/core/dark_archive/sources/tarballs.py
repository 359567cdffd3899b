# SPDX-License-Identifier: AGPL-3.0-or-later
"""Tarballs for the tests of sources, and reading them."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from carrel.dark_archive.sources import Source, Tarball
from carrel.dark_archive.sources.spool import FreeBytes, free_bytes
from carrel.dark_archive.sources.tar_reader import Limits

BODY = b"Template-Type: ReDIF-Paper 1.0\nTitle: Tides\nHandle: RePEc:aaa:wpaper:1\n"
NOW = 2_000_000_000
ROOMY = Limits()
MTIME = 1_500_000_000
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


def member(
    name: str,
    content: bytes = BODY,
    *,
    kind: bytes = tarfile.REGTYPE,
    link: str = "",
    modified: int = MTIME,
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mtime = kind, link, modified
    info.size = len(content) if kind == tarfile.REGTYPE else 0
    return info, content if kind == tarfile.REGTYPE else b""


def packed(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return target.getvalue()


def files(*names: str) -> bytes:
    return packed(*(member(name) for name in names))


class Reader:
    """Writes tarballs to a folder and reads them; what is spooled goes beside them."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder, self._opened = folder, opened

    def __call__(
        self,
        content: bytes,
        name: str = "x.tar",
        limits: Limits = ROOMY,
        free: FreeBytes = free_bytes,
    ) -> Tarball:
        path = self._folder / name
        path.write_bytes(content)
        source = Tarball(path, self._folder, now=lambda: NOW, limits=limits, free=free)
        self._opened.callback(source.close)
        return source


def paths(source: Source) -> list[str]:
    return [container.path for container in source.containers()]


def contents(source: Source) -> dict[str, bytes]:
    found = {}
    for container in source.containers():
        with container.opened() as file:
            found[container.path] = file.read()
    return found
