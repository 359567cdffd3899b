# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which addresses the Wayback Machine may be told of, and can reach."""

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from carrel.errors import IngestStop
from carrel.hosts.inside import is_inside, leads_inside
from carrel.model import ManifestFile, Status
from carrel.translation import tr


def address_to_capture(entry: ManifestFile, landing_url: str, service_url: str) -> str:
    """Return the address to have captured by the service at `service_url`.

    Raises IngestStop for one that cannot be captured, or is not to become public.
    """
    url = entry.platform_url
    if url is None:
        message = tr("The platform lists no address for {path}.", path=entry.path)
        raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
    is_public = not is_inside(service_url)
    if leads_inside(landing_url, url) or (is_public and is_inside(url)):
        message = tr(
            "{url} is inside a private network, which the Wayback Machine cannot reach; it was "
            "not submitted.",
            url=url,
        )
        raise IngestStop(Status.ERROR_PLATFORM_DOWNLOAD, message)
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web:
        raise IngestStop(Status.INVALID_URL, tr("“{url}” is not a web address.", url=url[:200]))
    return url


def without_unreachable(
    files: Iterable[ManifestFile], landing_url: str, service_url: str
) -> tuple[ManifestFile, ...]:
    """Return the files, those with their outcome that cannot be captured by the service."""
    return tuple(_if_reachable(file, landing_url, service_url) for file in files)


def _if_reachable(file: ManifestFile, landing_url: str, service_url: str) -> ManifestFile:
    if file.status is not None:
        return file
    try:
        address_to_capture(file, landing_url, service_url)
    except IngestStop as stop:
        return replace(file, status=stop.status, message=str(stop))
    return file
