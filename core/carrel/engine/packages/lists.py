# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lists of checksums as md5sum, sha256sum, shasum and their like write and read them.

By what a list is called it is recognised, by what it says it is believed to be one: a file of which
any line is something else is a file like others. Forms: GNU coreutils, "Output of md5sum"; the BSD
form with --tag; and the bare digest beside one file.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from carrel.translation import tr

ALGORITHMS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b")
_NAMED = "|".join(ALGORITHMS)
# manifest-sha256.txt; SHA256SUMS, md5sums.txt; checksums.sha1, DATA.csv.md5; sha512.txt.
_NAME = re.compile(
    rf"(?:(?:tag)?manifest-(?P<a>{_NAMED})\.txt|(?P<b>{_NAMED})-?sums?(?:\.txt)?"
    rf"|.+\.(?P<c>{_NAMED})(?:sums?)?(?:\.txt)?|(?P<d>{_NAMED})\.txt)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"(?P<escaped>\\?)(?P<digest>[0-9A-Fa-f]{32,128})(?: [ *]|[ \t]+\*?)(?P<name>.+)"
)
_TAGGED = re.compile(r"(?P<algorithm>[A-Za-z0-9-]+) ?\((?P<name>.+)\) ?= ?(?P<digest>[0-9A-Fa-f]+)")
_BARE = re.compile(r"[0-9A-Fa-f]{32,128}")
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}


@dataclass(slots=True)
class ChecksumList:
    """What a list declares: digests in lower case by the path, in the package, of each file."""

    path: str
    algorithm: str
    digests: dict[str, str] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)


def algorithm_of(name: str) -> str:
    """Return by which algorithm a list of this name would be, "" if it is the name of none."""
    found = _NAME.fullmatch(name.rpartition("/")[2])
    return next((each.lower() for each in found.groups() if each), "") if found else ""


def read_list(path: str, content: bytes) -> ChecksumList | None:
    """Return what a file says that is called as a list, None if it is none."""
    algorithm = algorithm_of(path)
    lines = _lines(content)
    if not algorithm or not lines:
        return None
    length = hashlib.new(algorithm).digest_size * 2
    found = ChecksumList(path, algorithm)
    folder = path[: len(path) - len(path.rpartition("/")[2])]
    for name, digest, named in _entries(path, lines):
        if len(digest) != length or named not in ("", algorithm):
            return None
        within = _within(folder, name)
        if within is None:
            found.outside.append(name)
        elif found.digests.setdefault(within, digest.lower()) != digest.lower():
            return None
    return found if found.digests or found.outside else None


def _lines(content: bytes) -> Sequence[str]:
    try:
        text = content.decode("utf-8-sig", "surrogateescape")
    except UnicodeDecodeError:
        return ()
    # Only these end a line: a name may well have others of Unicode in it.
    return [line for line in re.split(r"\r?\n", text) if line.strip() and not line.startswith("#")]


def _entries(path: str, lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield name, digest and algorithm of each line; what is none has a digest of no length."""
    if len(lines) == 1 and _BARE.fullmatch(lines[0].strip()):
        yield _beside(path), lines[0].strip(), ""
        return
    for line in lines:
        if found := _LINE.fullmatch(line):
            name = _unescaped(found["name"]) if found["escaped"] else found["name"]
            yield name, found["digest"], ""
        elif found := _TAGGED.fullmatch(line):
            yield found["name"], found["digest"], found["algorithm"].lower().replace("-", "")
        else:
            yield "", "", ""


def _beside(path: str) -> str:
    """Return the file that a bare digest is of, by the name of the list: that without its end."""
    return path.rpartition("/")[2].rpartition(".")[0]


def _unescaped(name: str) -> str:
    return re.sub(r"\\[\\nr]", lambda found: _ESCAPES[found[0]], name)


def _within(folder: str, name: str) -> str | None:
    """Return the path of a file that a list names, None where that leads out of the package."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    if name.startswith(("/", "\\")) or ".." in parts or re.match(r"[A-Za-z]:", name):
        return None
    plain = "/".join(part for part in name.split("/") if part not in ("", "."))
    return f"{folder}{plain}"


def unlike(declared: Mapping[str, str], observed: Mapping[str, str]) -> str:
    """Return how digests differ from those that are declared, "" if none does."""
    for algorithm, digest in declared.items():
        found = observed.get(algorithm)
        if found is not None and found != digest:
            return tr(
                "Its {algorithm} is {found} instead of {digest}.",
                algorithm=algorithm,
                found=found,
                digest=digest,
            )
    return ""
