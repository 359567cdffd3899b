# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether what a platform declares, and what it returns, is what it should be.

mypy sees to it for Carrel's own; other people's are looked at while they run, so that a text in
place of a tuple is named, and not found somewhere else.
"""

from collections.abc import Mapping
from typing import Any

from carrel.model import Finding, ManifestFile, PlatformItem, Status
from carrel.platforms.about import About, KnownLimit, OaiRecords, Place, TokenUse
from carrel.platforms.platform import Platform
from carrel.translation import tr

_TEXTS_OF_ITEM = ("platform_name", "platform_domain", "platform_id")
_TEXTS_OR_NONE_OF_ITEM = (
    "platform_version",
    "asked_version",
    "title",
    "license",
    "published",
    "publisher",
    "doi",
    "web_base_url",
    "web_bundle_url",
    "archiveorg_item_name",
    "platform_message",
    "shortfall",
)
_ROWS_OF_ITEM = {"manifest": ManifestFile, "creators": str, "findings": Finding}
_ROWS_OF_ABOUT = {"domains": str, "limits": KnownLimit, "places": Place}


def fault_of_platform(platform: Any) -> str | None:
    """Return in words what keeps an object from being asked as a platform, None if nothing does."""
    if not isinstance(platform, Platform):
        return tr("it is no subclass of carrel.platforms.platform.Platform")
    if not hasattr(platform, "name"):
        return tr('it has no name: give the class one, as in “name = "tidetables"”')
    if not isinstance(platform.name, str):
        return _not_of_kind("name", "a text")
    if not isinstance(getattr(platform, "about", None), About):
        return _not_of_kind("about", "an About")
    return _fault_of_about(platform.about)


def _fault_of_about(about: About) -> str | None:
    if not isinstance(about.title, str) or not about.title.strip():
        return _not_of_kind("about.title", "a text")
    if not _are(about.hosts, frozenset, str):
        return _not_of_kind("about.hosts", "a frozenset of texts")
    for name, kind in _ROWS_OF_ABOUT.items():
        if not _are(getattr(about, name), tuple, kind):
            return _not_of_kind(f"about.{name}", f"a tuple of {kind.__name__}")
    for name in ("other_titles", "generators"):
        if not _is_table(getattr(about, name)):
            return _not_of_kind(f"about.{name}", "a mapping of texts")
    if not isinstance(about.token, TokenUse | None):
        return _not_of_kind("about.token", "a TokenUse")
    if about.token and not _are(about.token.hosts, tuple, str):
        return _not_of_kind("about.token.hosts", "a tuple of texts")
    if not isinstance(about.oai_records, OaiRecords | None):
        return _not_of_kind("about.oai_records", "an OaiRecords")
    return _fault_of_hosts(about)


def _fault_of_hosts(about: About) -> str | None:
    for host in (*about.hosts, *about.domains, *(about.token.hosts if about.token else ())):
        if host != host.lower() or "/" in host:
            return tr("“{host}” is not a host in lower case", host=host)
    for host in (*about.hosts, *about.domains):
        if ":" in host:
            return tr(
                "“{host}” has a port, which is omitted: hosts are compared without", host=host
            )
        if host.startswith("www."):
            return tr("“{host}” begins with “www.”, which is omitted", host=host)
    return None


def fault_of_item(item: Any, platform: Platform) -> str | None:
    """Return in words what is wrong with what a platform returned, None if nothing is."""
    if not isinstance(item, PlatformItem):
        return _not_of_kind("what it returned", "a PlatformItem")
    for name in _TEXTS_OF_ITEM:
        if not isinstance(getattr(item, name), str) or not getattr(item, name):
            return _not_of_kind(name, "a text")
    for name in _TEXTS_OR_NONE_OF_ITEM:
        if not isinstance(getattr(item, name), str | None):
            return _not_of_kind(name, "a text or None")
    for name, kind in _ROWS_OF_ITEM.items():
        if not _are(getattr(item, name), tuple, kind):
            return _not_of_kind(name, f"a tuple of {kind.__name__}")
    if not isinstance(item.archiveorg_item_meta, Mapping):
        return _not_of_kind("archiveorg_item_meta", "a mapping")
    if not isinstance(item.platform_status, Status):
        return _not_of_kind("platform_status", "a Status")
    if item.platform_name not in (platform.name, *platform.about.other_titles):
        return tr("its answer is in the name of “{name}”", name=item.platform_name)
    return next(filter(None, map(fault_of_file, item.manifest)), None)


def fault_of_file(entry: ManifestFile) -> str | None:
    """Return in words what is wrong with an entry of a manifest, None if nothing is."""
    size, digests = entry.declared.size, entry.declared.digests
    if not isinstance(entry.path, str) or not entry.path:
        return _not_of_kind("the path of a file", "a text")
    if not isinstance(size, int | None) or isinstance(size, bool) or (size or 0) < 0:
        return _not_of_kind("the size of a file", "a number of bytes or None")
    if not _is_table(digests):
        return _not_of_kind("the digests of a file", "a mapping of texts")
    for name in ("platform_url", "mimetype", "message"):
        if not isinstance(getattr(entry, name), str | None):
            return _not_of_kind(f"{name} of a file", "a text or None")
    if not isinstance(entry.status, Status | None):
        return _not_of_kind("the status of a file", "a Status or None")
    return None


def _are(rows: Any, kind: type, kind_of_row: type) -> bool:
    return isinstance(rows, kind) and all(isinstance(row, kind_of_row) for row in rows)  # type: ignore[attr-defined]  # a tuple or a set


def _is_table(table: Any) -> bool:
    return isinstance(table, Mapping) and all(
        isinstance(each, str) for pair in table.items() for each in pair
    )


def _not_of_kind(what: str, kind: str) -> str:
    return tr("{what} is not {kind}", what=what, kind=kind)
