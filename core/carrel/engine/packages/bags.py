# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a bag says of its files, and whether it can be believed: BagIt 0.93 to 0.97, and RFC 8493.

Tools do not agree on "%" in paths: RFC 8493 has it escaped as "%25", most write it as it is. So
both readings of a path are tried, that of the RFC first.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from carrel.capture.digests import is_known
from carrel.engine.packages.names import DECLARATION
from carrel.engine.packages.package import DATA, Fault, Package, PackageKind, Pointer
from carrel.engine.packages.tree import Tree
from carrel.model import Fate
from carrel.translation import tr

_INFO, _FETCH = "bag-info.txt", "fetch.txt"
_MANIFEST = re.compile(r"(?P<tag>tag)?manifest-(?P<algorithm>[A-Za-z0-9_-]+)\.txt")
_VERSION = re.compile(r"BagIt-Version: *(\d+)\.(\d+)", re.IGNORECASE)
_ENCODING = re.compile(r"Tag-File-Character-Encoding: *([A-Za-z0-9._-]+)", re.IGNORECASE)
_LINE = re.compile(r"([0-9A-Fa-f]+)[ \t]+(.+)")
_POINTER = re.compile(r"(\S+)[ \t]+(\d+|-)[ \t]+(.+)")
_OXUM = re.compile(r"(\d+)\.(\d+)")
_ESCAPES = {"%0a": "\n", "%0d": "\r", "%25": "%"}
_LINE_ENDS = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class _Manifest:
    """A list of a bag. `named` are its paths as they stand there, with the digests."""

    name: str
    algorithm: str
    is_of_tags: bool
    named: Sequence[tuple[str, str]]


def read_bag(tree: Tree) -> Package:
    """Return what a bag has, and what is wrong with it as far as that is told without its bytes."""
    package = Package(tree, PackageKind.BAG)
    package.payload = [path for path in tree.sizes if path.startswith(DATA)]
    package.papers = [path for path in tree.sizes if not path.startswith(DATA)]
    package.faults += tree.faults
    _Reading(package).read()
    return package


class _Reading:
    """Reads the tag files of one bag into what is known of it."""

    def __init__(self, package: Package) -> None:
        self._package, self._tree = package, package.tree
        self._version, self._encoding = (0, 0), "utf-8"
        self._by_form = {_form(path): path for path in self._tree.sizes}

    def read(self) -> None:
        self._read_declaration()
        self._package.info = list(self._fields(_INFO))
        manifests = [each for each in map(self._manifest, sorted(self._package.papers)) if each]
        of_payload = [each for each in manifests if not each.is_of_tags]
        if not of_payload:
            self._fault("", Fate.MISSING, tr("The bag has no manifest of its files."))
        listed = [self._listed(each) for each in manifests]
        self._read_pointers()
        self._compare([paths for each, paths in zip(manifests, listed, strict=True)
                       if not each.is_of_tags], of_payload)  # fmt: skip
        self._compare_sum()

    def _read_declaration(self) -> None:
        text = self._text(DECLARATION)
        version, encoding = _VERSION.search(text), _ENCODING.search(text)
        if version is None or encoding is None:
            what = tr("It does not say the version of BagIt, and the encoding of its lists.")
            self._fault(DECLARATION, Fate.DAMAGED, what)
            return
        self._version = int(version[1]), int(version[2])
        if self._version[0] > 1:
            what = tr("It is of BagIt {version}, which Carrel does not know.", version=version[0])
            self._fault(DECLARATION, Fate.REFUSED, what)
        try:
            self._encoding = codecs.lookup(encoding[1]).name
        except LookupError:
            what = tr("Carrel does not know the encoding {encoding}.", encoding=encoding[1])
            self._fault(DECLARATION, Fate.REFUSED, what)

    def _manifest(self, path: str) -> _Manifest | None:
        found = _MANIFEST.fullmatch(path)
        if found is None:
            return None
        algorithm = re.sub(r"[^a-z0-9]", "", found["algorithm"].lower())
        if not is_known(algorithm):
            what = tr("Carrel does not know {algorithm}.", algorithm=algorithm)
            self._fault(path, Fate.REFUSED, what)
        named = []
        for number, line in enumerate(self._lines(path), 1):
            entry = _LINE.fullmatch(line)
            if entry is None:
                what = tr("Its line {number} has no checksum and path.", number=number)
                self._fault(path, Fate.DAMAGED, what)
            else:
                named.append((entry[2], entry[1].lower()))
        self._package.lists.add(path)
        return _Manifest(path, algorithm, bool(found["tag"]), named)

    def _listed(self, manifest: _Manifest) -> set[str]:
        """Note the digests of a list, and return the paths that it has."""
        paths: set[str] = set()
        for name, digest in manifest.named:
            path = self._path(name)
            if why := _objection(path, is_of_tags=manifest.is_of_tags):
                what = tr("{list} names it: {why}.", list=manifest.name, why=why)
                self._fault(name, Fate.REFUSED, what)
                continue
            known = self._package.declared.setdefault(path, {})
            if known.setdefault(manifest.algorithm, digest) != digest:
                what = tr("{list} has two checksums of it.", list=manifest.name)
                self._fault(path, Fate.DAMAGED, what)
            paths.add(path)
            if path not in self._tree.sizes and manifest.is_of_tags:
                self._fault(path, Fate.MISSING, tr("It is not in the bag."))
        return paths

    def _read_pointers(self) -> None:
        pointers = []
        for number, line in enumerate(self._lines(_FETCH), 1):
            entry = _POINTER.fullmatch(line)
            if entry is None:
                what = tr("Its line {number} has no address, length and path.", number=number)
                self._fault(_FETCH, Fate.DAMAGED, what)
                continue
            path = self._path(entry[3])
            if why := _objection(path, is_of_tags=False):
                what = tr("{list} names it: {why}.", list=_FETCH, why=why)
                self._fault(entry[3], Fate.REFUSED, what)
            elif path not in self._tree.sizes:
                size = int(entry[2]) if entry[2].isdigit() else None
                pointers.append(Pointer(path, entry[1], size))
        self._package.to_fetch = pointers

    def _compare(self, listed: Sequence[set[str]], manifests: Sequence[_Manifest]) -> None:
        """Note which files a list lacks, and which the bag lacks."""
        pointed = {each.path for each in self._package.to_fetch}
        every = set().union(*listed)
        for path in sorted(every - pointed - self._tree.sizes.keys()):
            self._fault(path, Fate.MISSING, tr("It is not in the bag."))
        for path in sorted((pointed | {*self._package.payload}) - every):
            self._fault(path, Fate.UNEXPECTED, tr("No manifest lists it."))
        if self._version < (1, 0):  # there each file is in one of them at least
            return
        for manifest, paths in zip(manifests, listed, strict=True):
            for path in sorted(every - paths):
                what = tr("{list} does not list it.", list=manifest.name)
                self._fault(path, Fate.UNEXPECTED, what)

    def _compare_sum(self) -> None:
        """Compare Payload-Oxum, the sum of bytes and files, with what there is."""
        said = self._package.value("Payload-Oxum")
        if not said:
            return
        sizes: list[int | None] = [each.size for each in self._package.to_fetch]
        sizes += [self._tree.sizes[path] for path in self._package.payload]
        told = _OXUM.fullmatch(said)
        if told and None in sizes:
            sizes = [int(told[1]), *([0] * (len(sizes) - 1))]  # no one says how long they all are
        counted = f"{sum(size or 0 for size in sizes)}.{len(sizes)}"
        if told is None or counted != f"{int(told[1])}.{int(told[2])}":
            what = tr(
                "Payload-Oxum is {said}, and the bag has {counted} (bytes.files).",
                said=said[:80],
                counted=counted,
            )
            self._fault(_INFO, Fate.DAMAGED, what)

    def _path(self, name: str) -> str:
        """Return which file a list means by a name."""
        plain = name.removeprefix("*") if name.startswith("*") else name
        plain = plain.removeprefix("./")
        decoded = re.sub("%(0[aAdD]|25)", lambda found: _ESCAPES[found[0].lower()], plain)
        for path in (decoded, plain) if self._version >= (1, 0) else (plain, decoded):
            if path in self._tree.sizes:
                return path
        # The same name may have been written by another system in the other form of Unicode.
        return self._by_form.get(_form(decoded), decoded)

    def _fields(self, path: str) -> Iterator[tuple[str, str]]:
        name, value = "", ""
        for line in self._lines(path):
            if line[:1] in (" ", "\t"):
                value = f"{value} {line.strip()}"
                continue
            if name:
                yield name, value.strip()
            name, sign, value = line.partition(":")
            if not sign:
                self._fault(path, Fate.DAMAGED, tr("It has a line that is no field."))
                return
        if name:
            yield name, value.strip()

    def _lines(self, path: str) -> Iterable[str]:
        return (line for line in _LINE_ENDS.split(self._text(path)) if line.strip())

    def _text(self, path: str) -> str:
        """Return the text of a tag file, "" where there is none."""
        if path not in self._tree.sizes:
            return ""
        try:
            text = self._tree.content(path).decode(self._encoding)
        except UnicodeError:
            what = tr("It is not written in {encoding}.", encoding=self._encoding)
            self._fault(path, Fate.DAMAGED, what)
            return ""
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._fault(path, Fate.UNREADABLE, tr("It cannot be read: {reason}.", reason=reason))
            return ""
        return text.removeprefix("\ufeff")

    def _fault(self, path: str, fate: Fate, message: str) -> None:
        self._package.faults.append(Fault(path, fate, message))


def _objection(path: str, *, is_of_tags: bool) -> str:
    """Return why a path is none that a bag may list, "" if it is one (RFC 8493, 2.1.3, 5.2)."""
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:[\\/]", path) or ".." in parts:
        return tr("the path leads out of the bag")
    if not is_of_tags and not path.startswith(DATA):
        return tr("it is not in the folder {folder}", folder=DATA.rstrip("/"))
    return ""


def _form(path: str) -> str:
    return unicodedata.normalize("NFC", path)
