# SPDX-License-Identifier: AGPL-3.0-or-later
"""Listings of nginx in JSON and XML (autoindex_format), with sizes to the byte."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from carrel.platforms.directory.rows import Folder, Row
from carrel.platforms.shapes import as_count, as_text
from carrel.platforms.whole_texts import whole_characters
from carrel.platforms.xml_tree import Element, NotXml, parse

_KINDS = frozenset({"file", "directory", "other"})
# "Wed, 04 Mar 2026 10:00:00 GMT" in JSON, "2026-03-04T10:00:00Z" in XML.
_MTIME = re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def in_json(base: str, text: str) -> Folder | None:
    """Return what a listing in JSON has in the folder at `base`, None if it is none."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        return None
    return _folder(base, rows)


def in_xml(base: str, text: str) -> Folder | None:
    """Return what a listing in XML has in the folder at `base`, None if it is none."""
    try:
        root = parse(text)
    except NotXml:
        return None
    if root.name != "list" or root.attributes:
        return None
    return _folder(base, map(_fields, root.children))


def _fields(row: Element) -> Mapping[str, Any]:
    return {"name": row.text.strip("\r\n"), "type": row.name, **row.attributes}


def _folder(base: str, rows: Iterable[Mapping[str, Any]]) -> Folder | None:
    files: list[Row] = []
    folders: list[str] = []
    for row in rows:
        name = as_text(row.get("name"))
        is_row = row.get("type") in _KINDS and _MTIME.fullmatch(as_text(row.get("mtime")) or "")
        if not (name and is_row):
            return None
        if "/" in name or name in (".", ".."):
            continue
        url = base + quote(name, safe="", errors="replace")
        if row["type"] == "directory":
            folders.append(f"{url}/")
        else:
            files.append(Row(whole_characters(name), url, as_count(row.get("size"))))
    return Folder("", tuple(files), tuple(folders))
