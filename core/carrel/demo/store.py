# SPDX-License-Identifier: AGPL-3.0-or-later
"""An object store behind the repository: signed addresses that are good for GET only."""

import hashlib
import re
from collections.abc import Mapping

from carrel.demo.answer import Answer, file_answer, first
from carrel.demo.site import Site

_OBJECT = re.compile(r"/store/(?P<id>\d+)")
_DENIED = b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'


def signed_url(site: Site, file_id: int) -> str:
    """Return the address to fetch a file from. It looks as if it would expire."""
    signature = _signature(file_id)
    return f"{site.origin}/store/{file_id}?X-Amz-Expires=3600&X-Amz-Signature={signature}"


def store_answer(
    site: Site, method: str, path: str, query: Mapping[str, list[str]]
) -> Answer | None:
    """Return what the store says, None for addresses that are not its own.

    HEAD is refused: the signature covers the method, as with S3.
    """
    match = _OBJECT.fullmatch(path)
    if match is None:
        return None
    found = site.file(int(match["id"]))
    is_signed = first(query, "X-Amz-Signature") == _signature(int(match["id"]))
    if found is None or method != "GET" or not is_signed:
        return Answer(403, (("Content-Type", "application/xml"),), _DENIED)
    return file_answer(*found)


def _signature(file_id: int) -> str:
    return hashlib.sha256(f"sample store {file_id}".encode()).hexdigest()
