# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a reader of a WACZ opens: the landing page first, then each file, in a list of pages."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from carrel.exports.holding import ExportedFile, Holding
from carrel.exports.moments import in_iso
from carrel.exports.texts import exact, one_line
from carrel.model import Capture


@dataclass(frozen=True, slots=True)
class Page:
    """An address in the package and when it was captured, 14 digits."""

    url: str
    timestamp: str
    title: str
    size: int | None = None

    def to_json(self, number: int) -> dict[str, Any]:
        fields = {
            "id": f"page-{number}",
            "url": self.url,
            "ts": in_iso(self.timestamp),
            "title": self.title,
            "size": self.size,
        }
        return {name: value for name, value in fields.items() if value is not None}


def pages_of(
    holding: Holding, landing: Capture | None, places: Mapping[int, tuple[str, str]]
) -> Iterator[Page]:
    """Yield the pages of a holding; `places` have the address and time of each file's record."""
    title = one_line(holding.dataset.name)
    if landing is not None:
        yield Page(landing.url, landing.timestamp, title)
    for file in holding.files:
        if place := places.get(file.held.position):
            yield Page(*place, exact(file.name), _size(file))


def page_list(pages: Iterable[Page]) -> bytes:
    """Return the list of pages (WACZ 1.1.1, 5.2.3)."""
    heading = {"format": "json-pages-1.0", "id": "pages", "title": "Files"}
    lines = [heading, *(page.to_json(number) for number, page in enumerate(pages, 1))]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def _size(file: ExportedFile) -> int | None:
    observed = file.held.file.observed
    return observed.size if observed else file.held.file.size
