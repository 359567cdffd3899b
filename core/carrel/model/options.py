# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the person may overrule for one ingest."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carrel.model.ingest_strategy import Destination, IngestStrategy
from carrel.model.item import PAGE_LINKS


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """None means: as the settings say (limits in bytes and files), or as the chooser finds.

    `to` is where the web strategies bring captures. `fetch_missing` says whether what a bundle
    lacks is fetched individually. `item_name` is the archive.org item to use instead of the
    usual one, `item_suffix` what to append to the usual name, where that is taken. `page_links` are
    the links of the page that the person chose to archive, where no platform knows its files; if it
    `needs_all_links`, none is archived where the page has not got one of them any more.
    """

    strategy: IngestStrategy | None = None
    max_total_size: int | None = None
    max_file_count: int | None = None
    to: tuple[Destination, ...] = (Destination.ARCHIVE,)
    fetch_missing: bool = True
    item_name: str | None = None
    item_suffix: str = ""
    page_links: tuple[str, ...] = ()
    needs_all_links: bool = True

    @classmethod
    def again(cls, result: Mapping[str, Any]) -> "IngestOptions":
        """Return what it takes to find the dataset of an earlier result once more."""
        if result.get("platform_name") != PAGE_LINKS:
            return cls()
        links = (each.get("platform_url") for each in result.get("manifest") or ())
        return cls(page_links=tuple(filter(None, links)))

    def to_json(self) -> dict[str, Any]:
        """Return what differs from the defaults."""
        given = {each: getattr(self, each) for each in self.__slots__}
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in given.items()
            if value != getattr(_USUAL, key)
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "IngestOptions":
        """Return the options that `to_json` wrote."""
        values = dict(fields)
        if values.get("strategy"):
            values["strategy"] = IngestStrategy(values["strategy"])
        if "to" in values:
            values["to"] = tuple(Destination(name) for name in values["to"])
        if "page_links" in values:
            values["page_links"] = tuple(values["page_links"])
        return cls(**values)


_USUAL = IngestOptions()
