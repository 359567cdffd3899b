# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where an object lies: a folder from its tist, a name from its identifier. No file is touched.

The rules are the paper's; what it leaves open is filled in so that one store opens on every system.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote_to_bytes

# Leaves room for a suffix below the 255 bytes that most file systems allow.
LONGEST = 240
# As long as a shortened name and its suffix can get with a beginning that still says something.
SHORTEST_LIMIT = 90
LINK_SUFFIX = ".link"
NAMES_TABLE = "names.tsv"

_HEAD = 100
# A dash, a SHA-256, and a number behind another dash.
_TAIL = 1 + 64 + 3
# What Windows takes for a device, whatever stands behind the dot.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\.", re.IGNORECASE | re.ASCII)
_OBJECT_NAME = re.compile(r"[A-Za-z0-9\-._~%]*(?:%3A[A-Za-z0-9\-._~%]*|-[0-9a-f]{64}(?:-\d{1,2})?)")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = re.compile("[\\\\\0-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|.)")
_OBJECT_PATH = re.compile(r"(?P<folder>[0-9]{3}/[0-9]{3}/[0-9]+)/(?P<name>[^/]+)")


def folder_of(tist: int) -> str:
    """Return a tist's folder: its digits reversed, slashes behind the third and the sixth.

    Raises ValueError for fewer than seven digits.
    """
    if tist < 1_000_000:
        raise ValueError(f"{tist} is not a tist: it has fewer than seven digits.")
    digits = str(tist)[::-1]
    return f"{digits[:3]}/{digits[3:6]}/{digits[6:]}"


def tist_of(folder: str) -> int:
    """Return the tist of a folder, as `folder_of` gives them, the other way round."""
    return int(folder.replace("/", "")[::-1])


def object_name(identifier: str, limit: int = LONGEST) -> str:
    """Return a file name, in ASCII, of `limit` bytes at most; two identifiers never share one.

    Every byte outside of A-Z a-z 0-9 - . _ ~ is percent-encoded, and so is a dot that would hide
    the file, vanish on Windows, or make it look like a link. A longer name is its beginning and the
    SHA-256 of the identifier. Raises ValueError for an identifier without a colon.
    """
    name = _spelled(identifier)
    if len(name) <= limit:
        return name
    digest = hashlib.sha256(identifier.encode(errors="surrogatepass")).hexdigest()
    return _shortened(name, digest, limit)


def object_path(tist: int, identifier: str) -> str:
    """Return where an object lies, below the root of the store, with slashes."""
    return f"{folder_of(tist)}/{object_name(identifier)}"


def further_names(identifier: str, sha256: str, limit: int = LONGEST) -> Iterator[str]:
    """Yield names for when the object's own is taken by other bytes; `sha256` is of its content."""
    name = _shortened(_spelled(identifier), sha256, limit)
    yield name
    for number in range(2, 100):
        yield f"{name}-{number}"


def says_all(name: str, identifier: str) -> bool:
    """Say whether the identifier can be read off the name; if not, it stands in `names.tsv`."""
    return unquote_to_bytes(name) == identifier.encode(errors="surrogatepass")


def is_object_name(name: str) -> bool:
    """Say whether objects have such names, as opposed to links, tables, and what is not ours."""
    return not name.endswith(LINK_SUFFIX) and _OBJECT_NAME.fullmatch(name) is not None


def split_path(path: str) -> tuple[str, str] | None:
    """Return folder and name of an object's path below the root, None for any other path."""
    found = _OBJECT_PATH.fullmatch(path)
    return (found["folder"], found["name"]) if found and is_object_name(found["name"]) else None


def names_lines(identifiers: Mapping[str, str]) -> bytes:
    """Return a `names.tsv`: a line for each name with its identifier, escaped as in JSON."""
    lines = [f"{name}\t{_escaped(identifiers[name])}\n" for name in sorted(identifiers)]
    return "".join(lines).encode()


def names_read(data: bytes) -> dict[str, str]:
    """Return the identifiers in a `names.tsv`, by name; lines that are no such lines are left."""
    lines = data.decode(errors="replace").split("\n")
    pairs = [line.split("\t") for line in lines if line.count("\t") == 1]
    return {name: _unescaped(text) for name, text in pairs}


def _spelled(identifier: str) -> str:
    if ":" not in identifier:
        raise ValueError(f"{identifier[:80]!r} cannot be stored: an identifier has a colon.")
    name = quote(identifier, safe="", errors="surrogatepass")
    if name[0] == ".":
        name = f"%2E{name[1:]}"
    if name[-1] == ".":
        name = f"{name[:-1]}%2E"
    if name[-5:].lower() == LINK_SUFFIX:
        name = f"{name[:-5]}%2E{name[-4:]}"
    return name.replace(".", "%2E", 1) if _DEVICE.match(name) else name


def _shortened(name: str, digest: str, limit: int) -> str:
    head = name[: min(_HEAD, limit - _TAIL)]
    if "%" in head[-2:] and len(name) > len(head):
        head = head[: head.rindex("%")]
    return f"{head}-{digest}"


def _escaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def _unescaped(text: str) -> str:
    meant = {code: char for char, code in _ESCAPES.items()}
    return _ESCAPE.sub(
        lambda found: meant.get(found[0]) or chr(int(found[1] or "fffd", 16)),
        text,
    )
