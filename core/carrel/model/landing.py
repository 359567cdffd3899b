# SPDX-License-Identifier: AGPL-3.0-or-later
"""The landing page: where an identifier leads, and what the page itself tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from carrel.model.status import Status
from carrel.model.user_information import bare_address


@dataclass(frozen=True, slots=True)
class Link:
    """A typed link (RFC 8288) with an absolute target, from a Link header or a `<link>` element."""

    href: str
    rel: str
    type: str | None = None
    profile: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "href", bare_address(self.href))


@dataclass(frozen=True, slots=True)
class Landing:
    """The end of the redirects from `asked`, reached or not.

    `hops` are all addresses in order, `asked` first and `url` last. `outcome` is None for a page
    that can be read, else why it cannot; `url` is then the last address that was tried, which is
    often enough to recognise a platform by. `headers` have lower-case names. `html_biblio` has
    sandcrawler's names (`title`, `doi`, `contrib_names` ...). `json_ld` are the page's parsed
    schema.org blocks, with `@graph` unfolded; `unread_json_ld` says of each block that could not be
    read whole why, for people.
    """

    asked: str
    hops: tuple[str, ...]
    status_code: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    outcome: Status | None = None
    message: str | None = None
    html_biblio: Mapping[str, Any] = field(default_factory=dict)
    json_ld: Sequence[Mapping[str, Any]] = ()
    links: tuple[Link, ...] = ()
    html: str = ""
    unread_json_ld: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", bare_address(self.asked))
        object.__setattr__(self, "hops", tuple(map(bare_address, self.hops)))

    @property
    def url(self) -> str:
        """The terminal URL."""
        return self.hops[-1]

    @property
    def mimetype(self) -> str:
        """The declared type of the page in lower case, without parameters; "" if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def origin(self) -> str:
        """Scheme and host of the terminal URL, with the port if it is not the scheme's own."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"

    @property
    def domain(self) -> str:
        """The host of the terminal URL in lower case, with a port if it names one."""
        return urlsplit(self.url).netloc.rpartition("@")[2].lower()
