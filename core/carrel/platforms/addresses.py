# SPDX-License-Identifier: AGPL-3.0-or-later
"""Web addresses taken apart without surprises, and put together again."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from urllib.parse import parse_qsl, quote, unquote, urljoin, urlsplit

from carrel.model import Landing
from carrel.model.user_information import bare_address
from carrel.platforms.whole_texts import whole_characters

T = TypeVar("T")

DOI_HOSTS = frozenset({"doi.org", "dx.doi.org"})
# So many fields of a query are looked at.
_MOST_FIELDS = 200


@dataclass(frozen=True, slots=True)
class Address:
    """A web address. `host` is lower case without port and "www."; `parts` are the decoded path
    segments that are not empty; `query` keeps the first value of each name, decoded; `fragment` is
    what some pages keep their identifier in."""

    scheme: str
    host: str
    netloc: str
    path: str
    parts: tuple[str, ...]
    query: Mapping[str, str]
    fragment: str = ""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.netloc}"

    @property
    def doi(self) -> str | None:
        """The DOI that this address resolves, None if it is no DOI resolver's."""
        if self.host in DOI_HOSTS and self.parts and self.parts[0].startswith("10."):
            return "/".join(self.parts)
        return None


@lru_cache(maxsize=64)  # what looks for a file's faults asks for one address several times
def read_address(url: str) -> Address | None:
    """Return the address taken apart, None if it is no http or https address."""
    try:
        split = urlsplit(url.strip())
        host, _ = (split.hostname or "").lower().rstrip("."), split.port
        query = parse_qsl("&".join(split.query.split("&")[:_MOST_FIELDS]))
    except ValueError:
        return None
    if split.scheme.lower() not in ("http", "https") or not host:
        return None
    return Address(
        scheme=split.scheme.lower(),
        host=host.removeprefix("www."),
        netloc=split.netloc.rpartition("@")[2].lower(),
        path=split.path,
        parts=tuple(whole_characters(unquote(part)) for part in split.path.split("/") if part),
        query={name: whole_characters(value) for name, value in reversed(query)},
        fragment=whole_characters(unquote(split.fragment)),
    )


def host_in_address(url: str) -> str:
    """Return the host of a web address in lower case, without "www."; "" if it is none."""
    address = read_address(url)
    return address.host if address else ""


def addresses(landing: Landing) -> Iterator[Address]:
    """Yield where the landing page stands and how it was reached, the nearest to the end first."""
    for url in (*reversed(landing.hops), landing.asked):
        if address := read_address(url):
            yield address


def nearest(landing: Landing, read: Callable[[Address], T | None]) -> T | None:
    """Return what `read` finds in the nearest address on the way to a page in which it finds
    anything, None if it does in none."""
    return next((found for each in addresses(landing) if (found := read(each))), None)


def quote_path(path: str) -> str:
    """Return a path percent-encoded part by part, its slashes kept."""
    return quote(path, safe="/", errors="replace")


def web_address(base: str, link: str | None) -> str | None:
    """Return a link, made absolute and printable, None if it leads to no http or https address.

    A user name or password in it is left out.
    """
    if not link or not link.strip():
        return None
    try:
        url = urljoin(base, link.strip())
    except ValueError:
        return None
    if link.strip().endswith("?") and not url.endswith("?"):
        url += "?"  # an empty query is one (RFC 3986, 3.4), which urljoin loses
    url = quote(bare_address(url), safe="%:/?#[]@!$&'()*+,;=~|{}^`", errors="replace")
    return url if read_address(url) else None


def other_address(link: str | None) -> str | None:
    """Return an address of another scheme (ftp, file, javascript …), None if it is none."""
    text = bare_address((link or "").strip())
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):\S", text)
    return text if match and match[1].lower() not in ("http", "https") else None


def bare_doi(text: str | None) -> str | None:
    """Return the DOI in "doi:10…", "https://doi.org/10…" or "10…", None if there is none."""
    if not text:
        return None
    text = text.strip()
    if address := read_address(text):
        return address.doi
    bare = text[4:].strip() if text[:4].lower() == "doi:" else text
    return bare if bare.startswith("10.") and "/" in bare else None
