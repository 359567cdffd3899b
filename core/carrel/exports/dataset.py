# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a platform says of a dataset, as the documents that leave the archive repeat it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carrel.model.iso_time import possible_day
from carrel.model.item import MAY_HAVE_MORE, PAGE_LINKS


@dataclass(frozen=True, slots=True)
class Dataset:
    """What the platform says of the dataset. `hops` lead from what was requested to the landing
    page."""

    requested: str
    hops: Sequence[str] = ()
    title: str | None = None
    creators: Sequence[str] = ()
    published: str | None = None
    publisher: str | None = None
    version: str | None = None
    doi: str | None = None
    license: str | None = None
    platform_name: str | None = None
    platform_domain: str | None = None
    platform_id: str | None = None

    @property
    def landing_page(self) -> str:
        return self.hops[-1] if self.hops else self.requested

    @property
    def name(self) -> str:
        """What it is called: its title, else what else it is known by."""
        return self.title or self.doi or self.platform_id or self.requested

    @property
    def may_have_more(self) -> bool:
        """Whether no platform says which files it has."""
        return self.platform_name in MAY_HAVE_MORE

    @property
    def known_files(self) -> str:
        """What the files are that are known of it, after a number."""
        if self.platform_name == PAGE_LINKS:
            return "files that were chosen among the links of a page"
        return "files that the server lists" if self.may_have_more else "files of this dataset"

    @property
    def citation(self) -> str:
        """A citation from what the platform says, and nothing else: DataCite's order of parts.

        Where no publisher is named, the host tells where it was published.
        """
        year = (self.published or "")[:4]
        who = "; ".join(self.creators)
        start = f"{who} ({year}): " if who and year else f"{who}: " if who else ""
        end = [f" ({year})" if year and not who else ""]
        version = f"Version {self.version}." if self.version else ""
        where = self.publisher or self.platform_domain
        place = f"{where.removesuffix('.')}." if where else ""
        address = f"https://doi.org/{self.doi}" if self.doi else self.landing_page
        parts = (f"{start}{self.name}{end[0]}.", version, place, address)
        return " ".join(part for part in parts if part)

    @classmethod
    def of_result(cls, result: Mapping[str, Any]) -> "Dataset":
        """Return the dataset that an ingest's result is of."""
        return cls(
            requested=result["request"]["base_url"],
            hops=tuple(result.get("hops") or ()),
            title=result.get("title"),
            creators=tuple(result.get("creators") or ()),
            published=possible_day(result.get("published")),
            publisher=result.get("publisher"),
            version=result.get("platform_version"),
            doi=result.get("doi"),
            license=result.get("license"),
            platform_name=result.get("platform_name"),
            platform_domain=result.get("platform_domain"),
            platform_id=result.get("platform_id"),
        )
