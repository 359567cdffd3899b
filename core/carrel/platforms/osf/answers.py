# SPDX-License-Identifier: AGPL-3.0-or-later
"""The shapes of OSF's answers, which are JSON:API documents (developer.osf.io, 2026)."""

from typing import Any

from carrel.model import Fixity
from carrel.platforms.entries import digests
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Flag, Part, Rows, Text
from carrel.validation import Field


class Hashes(Shape):
    md5: Text = None
    sha256: Text = None


class Extra(Shape):
    hashes: Part[Hashes] = None


class Attributes(Shape):
    """Those of projects, registrations, preprints, files, folders and storage providers."""

    title: Text = None
    name: Text = None
    url: Text = None
    description: Text = None
    category: Text = None
    public: Flag = None
    withdrawn: Flag = None
    embargoed: Flag = None
    embargo_end_date: Text = None
    date_created: Text = None
    date_registered: Text = None
    date_published: Text = None
    kind: Text = None
    provider: Text = None
    size: Count = None
    materialized_path: Text = None
    extra: Part[Extra] = None

    @property
    def declared(self) -> Fixity:
        hashes = (self.extra.hashes if self.extra else None) or Hashes()
        return Fixity(self.size, {**digests("md5", hashes.md5), **digests("sha256", hashes.sha256)})


class Links(Shape):
    next: Text = None
    download: Text = None
    total: Any = Field(default=None, validation_alias="meta")


class Entity(Shape):
    """One object: a project, a file, a folder …"""

    id: Text = None
    type: Text = None
    attributes: Attributes = Attributes()
    relationships: Part[dict[str, Any]] = None
    links: Part[Links] = None

    def related(self, name: str) -> str | None:
        """Return the address of what is related in this way, None if there is none."""
        found: Any = (self.relationships or {}).get(name)
        for step in ("links", "related", "href"):
            found = found.get(step) if isinstance(found, dict) else None
        return found if isinstance(found, str) else None

    def related_id(self, name: str) -> str | None:
        """Return the identifier of what is related in this way."""
        found: Any = (self.relationships or {}).get(name)
        found = found.get("data") if isinstance(found, dict) else None
        found = found.get("id") if isinstance(found, dict) else None
        if isinstance(found, str):
            return found
        address = (self.related(name) or "").partition("?")[0].rstrip("/")
        return address.rpartition("/")[2] or None


class Document(Shape):
    data: Entity


class Listing(Shape):
    data: Rows[Entity] = ()
    links: Part[Links] = None
    meta: Any = None

    @property
    def following(self) -> str | None:
        return self.links.next if self.links else None

    @property
    def total(self) -> int | None:
        """How many there are on all pages, which older answers tell among the links."""
        told = (self.links.total if self.links else None, self.meta)
        counts = (one.get("total") for one in told if isinstance(one, dict))
        return next((count for count in counts if isinstance(count, int)), None)
