# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ingest request: what someone asked to have archived, with sandcrawler's field names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from carrel.model.user_information import freed, shown

DATASET = "dataset"
DATASET_FILE = "dataset-file"
COMPONENT = "component"
_MAY_NAME_USERS = ("link_source", "link_source_id", "ingest_request_source", "ext_ids", "extra")


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """One dataset to archive, or one file (`component`). `base_url` is what was requested, an
    identifier's URL as a rule.

    `extra` keeps the fields that Carrel only passes on (`release_stage`, `rel`, `fatcat` ...).
    A user name or password in an address is in none of them, whoever wrote the request.
    """

    base_url: str
    ingest_type: str = DATASET
    link_source: str | None = None
    link_source_id: str | None = None
    ingest_request_source: str | None = None
    ext_ids: Mapping[str, str] = field(default_factory=dict)
    force_recrawl: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", shown(self.base_url))
        for name in _MAY_NAME_USERS:
            if given := getattr(self, name):
                object.__setattr__(self, name, freed(given))

    def to_json(self) -> dict[str, Any]:
        """Return the request as the seed's JSON object; absent fields are left out."""
        known = {
            "ingest_type": self.ingest_type,
            "base_url": self.base_url,
            "link_source": self.link_source,
            "link_source_id": self.link_source_id,
            "ingest_request_source": self.ingest_request_source,
            "ext_ids": dict(self.ext_ids) or None,
            "force_recrawl": self.force_recrawl or None,
        }
        return {**self.extra, **{key: value for key, value in known.items() if value is not None}}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "IngestRequest":
        """Return the request that a checked JSON object stands for; see `schemas/`."""
        extra = {key: value for key, value in fields.items() if key not in _KNOWN}
        given = {key: value for key, value in fields.items() if key in _KNOWN and value is not None}
        return cls(**given, extra=extra)


_KNOWN = frozenset(IngestRequest.__slots__) - {"extra"}


def landing_hint(request: IngestRequest) -> str | None:
    """Return the address of the landing page that a request names (`extra.landing_url`), None if it
    names none. It spares the question to doi.org; DataCite's data files have it for every DOI."""
    extra = request.extra.get("extra")
    hint = extra.get("landing_url") if isinstance(extra, Mapping) else None
    if isinstance(hint, str) and hint.startswith(("https://", "http://")):
        return shown(hint)
    return None
