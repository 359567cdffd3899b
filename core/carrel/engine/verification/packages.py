# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags, RO-Crates, and folders with lists of checksums, where they lie: every file of each."""

from collections.abc import Iterator
from pathlib import Path

from carrel.engine.packages import Fault, Package, check_files, open_package
from carrel.engine.verification.attention import Attention
from carrel.engine.verification.paths import failure, shown
from carrel.errors import NotLoaded
from carrel.model import Evidence, Fate, RecordCheck
from carrel.model.counts import counted
from carrel.translation import tr


def package_checks(path: Path, attention: Attention) -> Iterator[RecordCheck]:
    """Yield what became of every file of a package, and of those that should be in it."""
    try:
        package = open_package(path)
    except NotLoaded as error:
        yield failure(path, Fate.UNREADABLE, str(error))
        return
    except OSError as error:
        words = tr("It cannot be read: {reason}.", reason=error.strerror or error)
        yield failure(path, Fate.UNREADABLE, words)
        return
    if not package.declared and not package.is_strict:
        words = tr("There is no list of checksums in it.")
        yield failure(path, Fate.NO_WARC, words)
        return
    attention.expect(package.size)
    yield from _Checking(package, attention).checks()


class _Checking:
    def __init__(self, package: Package, attention: Attention) -> None:
        self._package, self._attention = package, attention
        self._is_folder = package.tree.path.is_dir()
        self._unlisted = frozenset(package.unlisted)

    def checks(self) -> Iterator[RecordCheck]:
        faults: dict[str, list[Fault]] = {}
        for fault in self._package.faults:
            faults.setdefault(fault.path, []).append(fault)
        for path, found in check_files(self._package, self._attention.attend):
            known = faults.pop(path, [])
            if isinstance(found, Fault):
                known.append(found)
            yield self._check(path, known) if known else self._intact(path)
        for path, known in faults.items():
            yield self._check(path, known)
        for each in self._package.to_fetch:
            words = tr("It is not in the bag, which names only its address: {url}", url=each.url)
            yield self._check(each.path, [Fault(each.path, Fate.MISSING, words)])
        self._remark()

    def _intact(self, path: str) -> RecordCheck:
        is_listed = path in self._package.declared
        size = self._package.tree.sizes[path]
        evidence = (Evidence.CHECKSUM_LIST,) if is_listed else ()
        return RecordCheck(
            "", shown(path), 0, size, Fate.INTACT, path=self._place(path),
            compared_with=evidence, is_file=True, is_only_read=path in self._unlisted,
        )  # fmt: skip

    def _check(self, path: str, faults: list[Fault]) -> RecordCheck:
        words = " ".join(dict.fromkeys(each.message for each in faults))
        size = self._package.tree.sizes.get(path, 0)
        return RecordCheck(
            "", shown(path), 0, size, faults[-1].fate, words, path=self._place(path), is_file=True
        )

    def _place(self, path: str) -> str:
        where = shown(self._package.tree.path)
        return f"{where}{'/' if self._is_folder else '!'}{shown(path)}" if path else where

    def _remark(self) -> None:
        where = shown(self._package.tree.path)
        for remark in self._package.remarks:
            self._attention.remark(f"{where}: {remark}")
        if count := len(self._unlisted):
            words = tr(
                "{path}: no list has a checksum of {files}, which could only be read.",
                path=where,
                files=counted(count, "file"),
            )
            self._attention.remark(words, only_read=count)
