# SPDX-License-Identifier: AGPL-3.0-or-later
"""Requests as messages: who will be asked for a dataset, the key by that, and what is refused.

The key is the host that will be asked, so that one worker meets it and keeps its pace. The host of
`base_url` would not do: it is doi.org for nearly all.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit

from carrel.engine.batches.batch import Problem
from carrel.engine.batches.jsonl import read_request
from carrel.engine.batches.text import LONGEST_LINE_BYTES, Line
from carrel.model import IngestRequest
from carrel.model.request import landing_hint
from carrel.model.user_information import without_user_information
from carrel.platforms.catalogue import limit_of
from carrel.platforms.identifiers import find
from carrel.translation import tr

HOST_HEADER, SUBMITTED_HEADER = "carrel-host", "carrel-submitted"
NO_HOST = "-"
_RESOLVERS = frozenset({"doi.org", "dx.doi.org", "hdl.handle.net"})
_PREFIX = re.compile(r"10\.[0-9]{4,9}")
_DOI = re.compile(r"(10\.[0-9]{4,9})/(\S+)")
# Where datasets with a DOI prefix are, as the tests of platforms, lists of installations and a
# sample of DataCite's DOIs show it. Some of a prefix may be elsewhere: a landing page that is named
# counts for more. What is not here is keyed by its prefix: one registrant is one repository, as a
# rule; where several have it, as that for trials (10.5072), nothing is said.
_HOSTS_BY_PREFIX: Mapping[str, str] = {
    "10.1594": "doi.pangaea.de",
    "10.5061": "datadryad.org",
    "10.5281": "zenodo.org",
    "10.6073": "portal.edirepository.org",
    "10.6084": "figshare.com",
    "10.7910": "dataverse.harvard.edu",
    "10.15468": "gbif.org",
    "10.17605": "osf.io",
    "10.17632": "data.mendeley.com",
    "10.17882": "seanoe.org",
    "10.18112": "openneuro.org",
    "10.18710": "dataverse.no",
    "10.25384": "figshare.com",
    "10.25625": "data.goettingen-research-online.de",
    "10.34894": "dataverse.nl",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A message that is no request, and why."""

    reason: str


def read_message(value: bytes | None) -> IngestRequest | Refused:
    """Return the request in a message, or why there is none in it."""
    if not value:
        return Refused(tr("it is empty"))
    if len(value) > LONGEST_LINE_BYTES:
        reason = tr("it is longer than {size:,} bytes", size=LONGEST_LINE_BYTES)
        return Refused(reason)
    try:
        text = without_user_information(value.decode())
    except UnicodeDecodeError:
        return Refused(tr("it is not UTF-8"))
    found = read_request(Line(1, text))
    return Refused(found.message) if isinstance(found, Problem) else found


def host_asked(request: IngestRequest) -> str:
    """Return the host that will be asked for a dataset, as far as that is known beforehand.

    That of the landing page if the request names it; else that of the platform by the DOI's
    prefix, or the prefix alone; else that of the address, or of who resolves the identifier.
    NO_HOST where it is neither: such a request is refused without asking anyone.
    """
    if (hint := landing_hint(request)) and (host := _host_in(hint)):
        return _asked(host)
    host = _host_in(request.base_url)
    if host in _RESOLVERS or not host:
        doi = request.ext_ids.get("doi") or _path_in(request.base_url)
        if found := _DOI.search(unquote(doi)):
            return _HOSTS_BY_PREFIX.get(found[1], found[1])
    host = host or _resolver_of(request.base_url)
    return _asked(host) if host else NO_HOST


def is_registrant(host: str) -> bool:
    """Say whether this is the prefix of a DOI, where no host is known."""
    return _PREFIX.fullmatch(host) is not None


def host_of(url: str) -> str:
    """Return the host of an address as `host_asked` names it, "" if there is none."""
    return _asked(_host_in(url))


def key_of(request: IngestRequest) -> bytes:
    """Return the key of a request's message."""
    return host_asked(request).encode()


def resolves(request: IngestRequest) -> bool:
    """Say whether a resolver such as doi.org is asked first."""
    return landing_hint(request) is None and _host_in(request.base_url) in _RESOLVERS


def headers_of(request: IngestRequest, submitted: str) -> list[tuple[str, str | bytes | None]]:
    """Return the headers of a request's message; `submitted` is now (ISO 8601)."""
    named: Mapping[str, Any] = {HOST_HEADER: host_asked(request), SUBMITTED_HEADER: submitted}
    return [(name, str(value).encode()) for name, value in named.items()]


@lru_cache(maxsize=4096)
def _asked(host: str) -> str:
    """Return the name by which one server is known, whatever the page's host is called."""
    bare = host.removeprefix("www.")
    limit = limit_of(bare)
    return limit.host if limit else bare


def _resolver_of(text: str) -> str:
    """Return the host that resolves a bare ARK or Handle, "" where a text is none."""
    found = find(text).identifiers
    return _host_in(found[0].url) if len(found) == 1 else ""


def _host_in(url: str) -> str:
    try:
        parts = urlsplit(url)
        return parts.netloc.rpartition("@")[2].lower() if parts.hostname else ""
    except ValueError:
        return ""


def _path_in(url: str) -> str:
    try:
        return urlsplit(url).path or url
    except ValueError:
        return url
