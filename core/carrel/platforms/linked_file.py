# SPDX-License-Identifier: AGPL-3.0-or-later
"""The last of all: an address that leads to a file, of which no platform names the dataset.

What is told of it are the headers with which it came. It is not fetched to be described.
"""

import re
from collections.abc import Mapping
from typing import Any

from carrel.capture.disposition import file_name, is_attachment
from carrel.capture.media import HTML, TEXT, sniffed
from carrel.errors import NotThisPlatform
from carrel.model import AskedItem, Finding, Fixity, Landing, ManifestFile, PlatformItem, Status
from carrel.model.item import A_FILE
from carrel.model.manifest import UNNAMED
from carrel.platforms.about import About
from carrel.platforms.addresses import addresses, host_in_address, read_address
from carrel.platforms.entries import algorithm_name, base64_digests
from carrel.platforms.items import described
from carrel.platforms.platform import Api, Platform
from carrel.platforms.shapes import as_count
from carrel.translation import tr

_PAGES = ("", "text/html", "application/xhtml+xml")
_LOOKED_AT_BYTES = 4096
# A text without a name that is shorter may be all that a program says of an error.
_LONGEST_ERROR_BYTES = 1024
# An address that holds for minutes: who asks for it tomorrow is refused.
_SIGNED = re.compile(
    r"[?&](?:x-(?:amz|goog)-signature|signature|sig|token|access_token|expires)=", re.IGNORECASE
)
_DIGEST = re.compile(r"\b(md5|sha|sha-256|sha-512)=:?([A-Za-z0-9+/]{20,88}={0,2})", re.IGNORECASE)
# Digests of the whole file: Google's storage, RFC 3230 and RFC 9530.
_DIGEST_HEADERS = ("x-goog-hash", "digest", "repr-digest")


class LinkedFile(Platform):
    """A file at any address."""

    name = A_FILE
    about = About(title=tr("Link to a file"))

    def match(self, landing: Landing) -> str | None:
        """Return that the address leads to a file, and of which type."""
        if not _is_file(landing):
            return None
        return tr("the address leads to a file ({mimetype})", mimetype=landing.mimetype or "?")

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return the file itself, by its address."""
        if not _is_file(landing):
            return None
        return AskedItem(self.name, landing.domain.removeprefix("www."), _lasting(landing))

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the headers say of the file."""
        asked = self.asked_for(landing)
        if asked is None:
            raise NotThisPlatform(tr("The address leads to no file."))
        entry = _entry(asked.platform_id, landing)
        message = tr(
            "The address leads to a file, which is archived by itself. Whether it belongs to a "
            "dataset is unknown."
        )
        return described(
            asked,
            source=landing.asked,
            manifest=(entry,),
            title=entry.path,
            doi=next((address.doi for address in addresses(landing) if address.doi), None),
            findings=(Finding("single-file", message),),
        )


def _is_file(landing: Landing) -> bool:
    """Return whether what came is a file, and neither a page nor a message in place of one."""
    if landing.outcome not in (None, Status.WRONG_MIMETYPE) or not landing.headers:
        return False
    seen = sniffed(landing.body[:_LOOKED_AT_BYTES]) if landing.body else None
    if is_attachment(landing.headers.get("content-disposition", "")):
        return True
    if landing.mimetype in _PAGES:
        return bool(landing.body) and seen not in (HTML, TEXT)
    if seen == HTML:
        return False
    is_folder = landing.url.partition("?")[0].endswith("/")
    is_message = is_folder or (seen == TEXT and len(landing.body) < _LONGEST_ERROR_BYTES)
    return not (is_message and _is_for_messages(landing.mimetype)) or _has_name(landing)


def _is_for_messages(mimetype: str) -> bool:
    return mimetype == "text/plain" or "json" in mimetype or "xml" in mimetype


def _has_name(landing: Landing) -> bool:
    is_folder = landing.url.partition("?")[0].endswith("/")
    name = "" if is_folder else _name_in_address(landing.url)
    return "." in name.strip(".") or bool(file_name(landing.headers.get("content-disposition", "")))


def _lasting(landing: Landing) -> str:
    """Return the nearest address on the way to the file that will still hold tomorrow."""
    ways = (url.partition("#")[0] for url in reversed(landing.hops))
    return next((url for url in ways if not _SIGNED.search(url)), landing.url)


def _entry(url: str, landing: Landing) -> ManifestFile:
    headers = landing.headers
    given = file_name(headers.get("content-disposition", ""))
    name = given or _name_in_address(url) or _name_in_address(landing.url)
    is_coded = headers.get("content-encoding", "identity").strip().lower() != "identity"
    size = None if is_coded else as_count(headers.get("content-length"))
    return ManifestFile(
        path=name or host_in_address(url),
        platform_url=url,
        declared=Fixity(size, {} if is_coded else _digests(headers)),
        mimetype=landing.mimetype or None,
        extra={**({} if given else UNNAMED), **_validators(headers)},
    )


def _name_in_address(url: str) -> str:
    address = read_address(url)
    return address.parts[-1] if address and address.parts else ""


def _validators(headers: Mapping[str, str]) -> Mapping[str, Any]:
    """Return by what a change of the file can be told without fetching it."""
    known = {"etag": headers.get("etag"), "last_modified": headers.get("last-modified")}
    return {name: value for name, value in known.items() if value}


def _digests(headers: Mapping[str, str]) -> Mapping[str, str]:
    found = base64_digests("md5", headers.get("content-md5"))
    for name in _DIGEST_HEADERS:
        for algorithm, value in _DIGEST.findall(headers.get(name, "")):
            plain = algorithm_name("sha1" if algorithm.lower() == "sha" else algorithm)
            found |= base64_digests(plain, value)
    return found
