# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of OSF asks for: a guid, which may name a project, a registration, a file …"""

import re

from carrel.model import Landing
from carrel.platforms.addresses import Address, addresses, nearest

HOST = "osf.io"
API = "https://api.osf.io/v2"
_PREFIX = "10.17605/osf.io/"
# Preprint servers under hosts of their own; a DOI of theirs has another prefix.
_PREPRINTS = frozenset({"psyarxiv.com", "socarxiv.org", "eartharxiv.org", "engrxiv.org"})
_GUID = re.compile(r"[0-9a-z]{5,10}", re.IGNORECASE)
_LENGTH = 5
_OF_PREPRINT = re.compile(r"10\.\d{4,9}/osf\.io/([0-9a-z]{5,10})(?:_v\d+)?", re.IGNORECASE)
_NO_GUIDS = frozenset({"discover", "search", "submit"})
# What stands first in the path of a page that is no dataset's.
_PAGES = frozenset(
    (
        "collections", "dashboard", "explore", "institutions", "login", "meetings", "myprojects",
        "preprints", "profile", "register", "registries", "search", "settings", "support",
    )
)  # fmt: skip
_BEHIND = frozenset(
    {"download", "project", "registrations", "nodes", "files", "guids", "preprints"}
)


def guid_of(landing: Landing) -> str | None:
    """Return the guid, in lower case, that the nearest address on the way to a page names."""
    return nearest(landing, _read)


def doi_of(landing: Landing) -> str | None:
    """Return the DOI of OSF by which a page was reached, in lower case."""
    dois = (address.doi for address in addresses(landing) if address.doi and _read(address))
    return next((doi.lower() for doi in dois), None)


def group_of(landing: Landing) -> str | None:
    """Return the address of a page of OSF that is no single dataset's, None if it is none."""
    for address in addresses(landing):
        if address.host == HOST and address.parts[:1] and address.parts[0].lower() in _PAGES:
            return f"{address.host}{address.path}"
    return None


def _read(address: Address) -> str | None:
    if address.doi:
        match = _OF_PREPRINT.fullmatch(address.doi)
        return match[1].lower() if match else None
    parts = address.parts
    if address.host == "api.osf.io":
        parts = parts[2:] if parts[:1] == ("v2",) and parts[1:2] and parts[1] in _BEHIND else ()
    elif address.host == "files.osf.io":
        parts = parts[2:] if parts[:2] == ("v1", "resources") else ()
    elif address.host in _PREPRINTS:
        parts = parts[-1:]
    elif address.host == HOST and parts[:1] == ("preprints",):
        parts = parts[2:] or tuple(one for one in parts[1:] if _is_guid_alone(one))
    elif address.host == HOST:
        parts = parts[1:] if parts[:1] in (("download",), ("project",)) else parts
    else:
        return None
    guid = parts[0].partition("_v")[0] if parts else ""
    is_guid = _GUID.fullmatch(guid) and guid.lower() not in _PAGES | _NO_GUIDS
    return guid.lower() if is_guid else None


def _is_guid_alone(part: str) -> bool:
    """Return whether what stands alone is a guid, of five characters, and not a server's name."""
    return len(part.partition("_v")[0]) == _LENGTH
