# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of a platform before anyone asks it: its names, hosts, tokens and limits.

Each platform declares it once; `catalogue.py` answers from it for everybody else.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.credentials import TokenKind


@dataclass(frozen=True, slots=True)
class TokenUse:
    """How a platform takes the token of a person who has an account there.

    `hosts` are those offered by name to a person who adds one: the hosts that are asked, such as
    "api.figshare.com", which may not be those of the pages. `suggested_by` is a word by which the
    name of an unknown host suggests this platform. A token that `is_for_files_only` is not shown to
    the interface: Dryad refuses what is open to everybody to who sends one that has expired.
    """

    kind: TokenKind = TokenKind.BEARER
    hosts: tuple[str, ...] = ()
    suggested_by: str | None = None
    is_for_files_only: bool = False


@dataclass(frozen=True, slots=True)
class KnownLimit:
    """What a host, and those under it, allow in an hour: to anyone, and to who has a token.

    As published in `source`, which was read in the month `as_of`.
    """

    host: str
    per_hour: int
    per_hour_with_token: int | None
    as_of: str
    source: str

    def covers(self, host: str) -> bool:
        """Return whether this holds for a host, in lower case."""
        return is_under(host, self.host)


@dataclass(frozen=True, slots=True)
class Place:
    """Pages by which a platform is recognised that cannot be asked yet.

    `folder` is the first part of the path, "" for any page but the home page; `what` names a page
    there, as in "a dataset on Dryad".
    """

    host: str
    folder: str
    what: str


@dataclass(frozen=True, slots=True)
class OaiRecords:
    """How an OAI-PMH identifier `oai:HOST:LOCAL` names a dataset: the first group of `form` in the
    local part is the second value of `address`, the host the first."""

    form: re.Pattern[str]
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known of a platform before it is asked.

    `title` is the name as its makers write it, `other_titles` those of its kin that go by a name of
    their own in results ("zenodo" → "Zenodo"). `hosts` run it, and so does each host under one of
    `domains`: one that stands bare in a text is taken for a web address. All are in lower case and
    without "www.". `elsewhere` says what gives it away at a host that is not known, "" for nothing.
    `token` is None where none is known to help. `places` and `generators` (what a
    page names as its software → what the page is) recognise what cannot be asked yet.
    """

    title: str
    other_titles: Mapping[str, str] = field(default_factory=dict)
    hosts: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()
    elsewhere: str = ""
    token: TokenUse | None = None
    limits: tuple[KnownLimit, ...] = ()
    oai_records: OaiRecords | None = None
    places: tuple[Place, ...] = ()
    generators: Mapping[str, str] = field(default_factory=dict)

    def runs_at(self, host: str) -> bool:
        """Return whether a host, in lower case without "www.", is known to run this."""
        return host in self.hosts or any(is_under(host, domain) for domain in self.domains)


def is_under(host: str, domain: str) -> bool:
    """Return whether a host is a domain or under it, both in lower case."""
    return host == domain or host.endswith(f".{domain}")
