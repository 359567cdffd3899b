# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the files of a dataset are, as fatcat says it: nothing that was not proven to be there.

`rel` has the words of the guide (https://guide.fatcat.wiki/entity_fileset.html): `web` is the
landing page, or the file; `webarchive` its capture; `…-bundle` one file with all of them; the path
of each file is appended to `archive-base`. What is in Carrel's own WARCs alone has no public
address, unless someone serves them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from carrel.exports.bags.fetching import is_lasting
from carrel.exports.fatcat.saved_result import File, SavedResult

_ITEMS = "https://archive.org/download/"
# The raw bytes of a capture, and the capture itself (archive.org's Wayback Machine).
_RAW = re.compile(r"(/web/[0-9]{14})id_/")
_SAFE = "/-._~!$&'()*+,;=@:"

Url = Mapping[str, str]


def urls_of_fileset(result: SavedResult, replay: str) -> list[Url]:
    """Return the places of a fileset. `replay` is the public address of a replay server that has
    the archive, "" for none; of captures in it only."""
    return [*_archive(result), *_bundles(result, replay), *_landing(result, replay)]


def urls_of_file(result: SavedResult, file: File, replay: str) -> list[Url]:
    """Return the places of a dataset's only file."""
    urls = []
    item = result.archiveorg_item_name
    if item and result.strategy.makes_item:
        urls.append(_url(f"{_ITEMS}{quote(item)}/{quote(file.path, _SAFE)}", "archive"))
    if capture := _capture(result, file, replay):
        urls.append(_url(capture, "webarchive"))
    if origin := _origin(file):
        urls.append(_url(origin, "web"))
    return urls


def extra_of(result: SavedResult, file: File, replay: str) -> dict[str, Any]:
    """Return what the manifest says of a file's places: where it was published, and its capture."""
    fields = {
        "original_url": _origin(file),
        "wayback_url": None if _is_in_bundle(file) else _capture(result, file, replay),
    }
    return {name: value for name, value in fields.items() if value}


def _archive(result: SavedResult) -> Iterator[Url]:
    """Yield where an item on archive.org has them all: each under its path, or all in one file."""
    if not result.archiveorg_item_name or not result.strategy.makes_item:
        return
    base = f"{_ITEMS}{quote(result.archiveorg_item_name)}/"
    in_bundle = [_is_in_bundle(file) for file in result.files]
    bundle = result.fileset_bundle
    if not any(in_bundle):
        yield _url(base, "archive-base")
    elif all(in_bundle) and bundle and bundle.archiveorg_bundle_path:
        yield _url(base + quote(bundle.archiveorg_bundle_path, _SAFE), "archive-bundle")


def _bundles(result: SavedResult, replay: str) -> Iterator[Url]:
    """Yield where the platform's ZIP is, if all files were found in it."""
    is_whole = result.strategy.is_bundled and all(map(_is_in_bundle, result.files))
    captured = result.fileset_bundle.terminal if result.fileset_bundle else None
    if not is_whole or captured is None:
        return
    if replay:
        capture = _replayed(replay, captured.terminal_dt, captured.terminal_url)
        yield _url(capture, "webarchive-bundle")
    url = result.platform_bundle_url or captured.terminal_url
    if is_lasting(url):
        yield _url(url, "repository-bundle")


def _landing(result: SavedResult, replay: str) -> Iterator[Url]:
    if is_lasting(result.landing_page):
        yield _url(result.landing_page, "web")
    if replay and (seen := result.terminal):
        yield _url(_replayed(replay, seen.terminal_dt, seen.terminal_url), "webarchive")


def _origin(file: File) -> str:
    """Return where anyone gets the file from its platform, "" if that is not known."""
    url = file.platform_url or ""
    return url if is_lasting(url) and not file.extra.get("opened_by_token") else ""


def _capture(result: SavedResult, file: File, replay: str) -> str:
    """Return the proven capture of a file: in the Wayback Machine, else where the archive's are
    replayed; "" for none."""
    proven = file.extra.get("wayback_url")
    if isinstance(proven, str) and is_lasting(proven):
        return _RAW.sub(r"\1/", proven, count=1)
    has_own = file.terminal_url and file.terminal_dt and not _is_in_bundle(file)
    if replay and has_own and result.strategy.makes_captures:
        return _replayed(replay, file.terminal_dt or "", file.terminal_url or "")
    return ""


def _is_in_bundle(file: File) -> bool:
    return "bundle_member" in file.extra


def _replayed(replay: str, timestamp: str, url: str) -> str:
    return f"{replay.rstrip('/')}/{timestamp}/{url}"


def _url(url: str, rel: str) -> Url:
    return {"url": url, "rel": rel}
