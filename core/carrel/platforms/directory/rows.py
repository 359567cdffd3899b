# SPDX-License-Identifier: AGPL-3.0-or-later
"""What one page of a directory listing shows, in whatever form: files, and folders below."""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit

from carrel.platforms.addresses import web_address
from carrel.platforms.shapes import LARGEST
from carrel.platforms.whole_texts import whole_characters

_EXACT = re.compile(r"(\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(?: ?b(?:ytes?)?)?", re.IGNORECASE)
_NOWHERE = frozenset({"", ".", ".."})


@dataclass(frozen=True, slots=True)
class Row:
    """A file: its name in its folder, and where it is, None if it cannot be fetched. `told_size` is
    a size that is not exact, `closed` why the file cannot be had."""

    name: str
    url: str | None
    size: int | None = None
    told_size: str | None = None
    md5: str | None = None
    etag: str | None = None
    closed: str | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """One page: what is called, its files, the addresses of the folders in it, and the links of its
    rows that lead elsewhere."""

    title: str = ""
    files: tuple[Row, ...] = ()
    folders: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()


def sizes(text: str | None) -> tuple[int | None, str | None]:
    """Return a size in bytes, if a listing tells it to the byte, else how it tells it ("1.2M")."""
    told = (text or "").strip()
    if exact := _EXACT.fullmatch(told):
        size = int(exact[1].replace(",", ""))
        return (size, None) if size <= LARGEST else (None, told)
    return None, told if any(map(str.isdigit, told)) else None


def folder_of(url: str) -> str:
    """Return the address of the folder in which a page stands, with its slash."""
    bare = url.partition("#")[0].partition("?")[0]
    return bare[: bare.rindex("/") + 1] if "/" in urlsplit(bare).path else f"{bare}/"


def child_of(base: str, href: str) -> str | None:
    """Return the address of what a row links to, if it is directly in the folder at `base`."""
    url = web_address(base, href)
    if url is None or not url.startswith(base) or "?" in url:
        return None
    rest = url.partition("#")[0][len(base) :]
    is_direct = "/" not in rest.removesuffix("/")
    name = name_in(rest)
    return base + rest if is_direct and name and name not in _NOWHERE else None


def leads_up(base: str, href: str) -> bool:
    """Return whether a link leads to the folder itself or to one above it, or only sorts rows."""
    try:
        split = urlsplit(urljoin(base, href.strip()))
    except ValueError:
        return False
    here = urlsplit(base)
    folder = split.path if split.path.endswith("/") else f"{split.path}/"
    return split.netloc in ("", here.netloc) and here.path.startswith(folder)


def name_in(part: str) -> str:
    """Return the name that an address ends in, decoded; as it stands if it would hide a slash."""
    raw = part.removesuffix("/")
    name = whole_characters(unquote(raw))
    return raw if "/" in name or name in (".", "..") else name
