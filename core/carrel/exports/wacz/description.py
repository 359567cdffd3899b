# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a WACZ says of itself: its title, every file in it with its SHA-256, who signed that.

WACZ 1.1.1, 5.2.4: `datapackage.json` and `datapackage-digest.json`, written last.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from carrel import __version__
from carrel.exports.holding import Holding
from carrel.exports.moments import in_iso
from carrel.exports.texts import one_line
from carrel.exports.wacz.pages import Page
from carrel.exports.wacz.signing import Sign
from carrel.exports.wacz.zip_file import Entry, ZipFile

_VERSION = "1.1.1"
_MOST_CITED = 20


@dataclass(frozen=True, slots=True)
class About:
    """What a package is called, what it is, and of when (ISO 8601)."""

    title: str
    description: str
    created: str

    @classmethod
    def holding(cls, holding: Holding) -> "About":
        dataset = holding.dataset
        return cls(one_line(dataset.name), one_line(dataset.citation), holding.finished)

    @classmethod
    def several(cls, name: str, holdings: Sequence[Holding]) -> "About":
        citations = "; ".join(one_line(each.dataset.citation) for each in holdings[:_MOST_CITED])
        more = f"; and {len(holdings) - _MOST_CITED:,} more" if len(holdings) > _MOST_CITED else ""
        return cls(one_line(name), citations + more, max(each.finished for each in holdings))


def describe(
    package: ZipFile, about: About, pages: Sequence[Page], sign: Sign | None = None
) -> None:
    """Add what the package is; the first of its pages is its main one. Raises UsageError where it
    is not signed, and OSError."""
    description = _description(about, pages[:1], package.entries)
    content = json.dumps(description, indent=1).encode() + b"\n"
    package.add("datapackage.json", content)
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    named: dict[str, Any] = {"path": "datapackage.json", "hash": digest}
    if sign is not None:
        named["signedData"] = dict(sign(digest, about.created))
    package.add("datapackage-digest.json", json.dumps(named, indent=1).encode() + b"\n")


def _description(about: About, first: Sequence[Page], entries: Sequence[Entry]) -> dict[str, Any]:
    main = [{"mainPageUrl": it.url, "mainPageDate": in_iso(it.timestamp)} for it in first]
    return {
        "profile": "data-package",
        "wacz_version": _VERSION,
        "title": about.title,
        "description": about.description,
        # Where ReplayWeb.page looks for them.
        "metadata": {"title": about.title, "desc": about.description},
        "created": about.created,
        "modified": about.created,
        "software": f"Carrel {__version__}",
        **(main[0] if main else {}),
        "resources": list(_resources(entries)),
    }


def _resources(entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    taken: set[str] = set()
    for number, each in enumerate(entries):
        name = re.sub(r"[^-a-z0-9._]", "-", each.name.rpartition("/")[2].lower())
        name = name if name not in taken else f"{number}-{name}"
        taken.add(name)
        digest = f"sha256:{each.sha256}"
        yield {"name": name, "path": each.name, "hash": digest, "bytes": each.size}
