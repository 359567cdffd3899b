# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which kind of package is at a path, and what it says of its files."""

from collections.abc import Iterator
from pathlib import Path

from carrel.engine.packages.bags import read_bag
from carrel.engine.packages.descriptions import crate_in, is_here
from carrel.engine.packages.lists import ChecksumList, algorithm_of, read_list
from carrel.engine.packages.names import CRATES, DECLARATION, PACKED_ENDINGS
from carrel.engine.packages.package import DATA, RESULT, Fault, Package, PackageKind
from carrel.engine.packages.packed import PackedTree
from carrel.engine.packages.tree import FolderTree, Tree
from carrel.model import Fate
from carrel.platforms.descriptions.description import Description
from carrel.translation import tr


def is_package(path: Path) -> bool:
    """Say whether a path is a folder, or a file that may have one in it, by its name."""
    return path.is_dir() or path.name.lower().endswith(PACKED_ENDINGS)


def open_package(path: Path) -> Package:
    """Return the package at a path. Raises OSError, and NotLoaded for no tar and no zip."""
    return package_of(FolderTree(path) if path.is_dir() else PackedTree(path))


def package_of(tree: Tree) -> Package:
    """Return the package that these files are."""
    if DECLARATION in tree.sizes:
        return read_bag(tree)
    package = Package(tree, _kind_of(tree))
    for path in tree.sizes:
        is_paper = not path.startswith(DATA) if package.kind.has_data else path in CRATES
        (package.papers if is_paper else package.payload).append(path)
    package.faults += tree.faults
    for each in _lists_in(tree):
        _note(package, each)
    if package.kind is not PackageKind.FOLDER and (crate := crate_in(package)):
        _note_crate(package, crate)
    return package


def _kind_of(tree: Tree) -> PackageKind:
    if RESULT in tree.sizes and any(path.startswith(DATA) for path in tree.sizes):
        return PackageKind.EXPORT
    return PackageKind.CRATE if CRATES[0] in tree.sizes else PackageKind.FOLDER


def _lists_in(tree: Tree) -> Iterator[ChecksumList]:
    for path in tree.sizes:
        if algorithm_of(path):
            try:
                found = read_list(path, tree.content(path))
            except (OSError, ValueError):  # too long, or unreadable: which is told of it as a file
                continue
            if found is not None:
                yield found


def _note(package: Package, found: ChecksumList) -> None:
    """Take what a list declares; the files that it has and the package has not are missing."""
    package.lists.add(found.path)
    for name in found.outside:
        what = tr("{list} names it, and it is outside of the folder.", list=found.path)
        package.faults.append(Fault(name, Fate.REFUSED, what))
    for path, digest in found.digests.items():
        known = package.declared.setdefault(path, {})
        if known.setdefault(found.algorithm, digest) != digest:
            what = tr("{list} has another checksum of it than another list.", list=found.path)
            package.faults.append(Fault(path, Fate.DAMAGED, what))
        if path not in package.tree.sizes:
            what = tr("{list} names it, and it is not there.", list=found.path)
            package.faults.append(Fault(path, Fate.MISSING, what))


def _note_crate(package: Package, crate: Description) -> None:
    package.lists.update(path for path in CRATES if path in package.tree.sizes)
    for file in crate.files:
        path = file.path
        if path is None or not is_here(file.url):
            continue
        if path in package.tree.sizes:
            if known := {**file.digests, **package.declared.get(path, {})}:
                package.declared[path] = known
            if file.size is not None:
                package.sizes[path] = file.size
        elif path not in package.declared:
            what = tr("{list} names it, and it is not there.", list=CRATES[0])
            package.faults.append(Fault(path, Fate.MISSING, what))
