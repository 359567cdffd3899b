# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ingest requests: made of identifiers, known by a key, refused for options that fit none."""

import re
from urllib.parse import urlsplit

from carrel.model import Identifier, IngestOptions, IngestRequest, Scheme
from carrel.platforms.identifiers import find

_PLAIN_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/[\w./-]*\w)", re.ASCII)
_DEFAULT_PORTS = {":80", ":443"}


def request_for(identifier: Identifier) -> IngestRequest:
    """Return the ingest request of an identifier."""
    is_named = identifier.scheme is not Scheme.URL
    return IngestRequest(
        base_url=identifier.url,
        link_source=str(identifier.scheme) if is_named else None,
        link_source_id=identifier.value if is_named else None,
        ingest_request_source="carrel",
        ext_ids={"doi": identifier.value} if identifier.scheme is Scheme.DOI else {},
    )


def unheeded(options: IngestOptions) -> str | None:
    """Return in sentences why no dataset can be archived with these options, None if any can."""
    from carrel.strategies import fitness  # for those who chose a strategy

    return fitness.unheeded(options.strategy, options) if options.strategy else None


def key_of(identifier: Identifier) -> str:
    """Return what is the same for each spelling of an identifier.

    DOIs and Handles know no case, and a DOI is a Handle. Of a web address the scheme, the case of
    the host, a usual port and a slash at the end make no difference.
    """
    value = identifier.value
    match identifier.scheme:
        case Scheme.DOI | Scheme.HANDLE:
            return f"hdl:{value.lower()}"
        case Scheme.ARK:
            return value
        case Scheme.URL:
            return _url_key(value)


def key_of_url(base_url: str) -> str:
    """Return the key of the `base_url` of a request that someone else wrote."""
    if plain := _PLAIN_DOI.fullmatch(base_url):  # nearly all of them, and ten times as fast
        return f"hdl:{plain[1].lower()}"
    found = find(base_url).identifiers
    return key_of(found[0]) if len(found) == 1 else _url_key(base_url)


def _url_key(url: str) -> str:
    try:
        split = urlsplit(url)
    except ValueError:
        return url
    host = split.netloc.lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    query = f"?{split.query}" if split.query else ""
    fragment = f"#{split.fragment}" if split.fragment else ""
    return f"//{host}{split.path.rstrip('/')}{query}{fragment}"
