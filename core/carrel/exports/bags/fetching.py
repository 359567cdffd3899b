# SPDX-License-Identifier: AGPL-3.0-or-later
"""Bags that name files by their addresses instead of having them (RFC 8493, 2.2.3)."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from carrel.exports.holding import ExportedFile
from carrel.exports.payload import Payload
from carrel.hosts.inside import is_inside

# An address that holds for minutes, or is a key.
_SIGNED = re.compile(
    r"[?&](?:x-(?:amz|goog)-signature|signature|sig|token|access_token|key|api_key|expires)=",
    re.IGNORECASE,
)


def public_address(file: ExportedFile, headers_for: Callable[[str], Mapping[str, str]]) -> str:
    """Return the address at which anyone gets a file, "" if there is none that is known to be so.

    It is the platform's, the very one that the file was archived from: not one of a file that came
    in a bundle, of a private network, with a signature in it, or at a host for which `headers_for`
    has a token.
    """
    held = file.held
    url = held.file.platform_url or ""
    if held.member is not None or held.file.extra.get("opened_by_token"):
        return ""
    if not is_lasting(url) or is_inside(url) or headers_for(url):
        return ""
    return quote(url, "/-._~!$&'()*+,;=@:?[]%#")


def is_lasting(url: str) -> bool:
    """Say whether a text is a web address, and has no signature in it, which would end soon."""
    return url.startswith(("https://", "http://")) and not _SIGNED.search(url)


def fetch_list(payload: Payload) -> bytes:
    """Return fetch.txt: address, size and path of what is not in the bag, sorted by path."""
    lines = (
        f"{each.address} {each.fixity.size} {each.path}\n"
        for each in payload.copied
        if each.address
    )
    return "".join(lines).encode()
