# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is held of a dataset, and a later attempt, as one row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carrel.model import Fate, Status
from carrel_desktop import words


@dataclass(frozen=True, slots=True)
class LastAttempt:
    """A later attempt at what is held, which kept less or found everything here already.

    `kept_count` is of `file_count` files.
    """

    status: Status
    started: str
    message: str = ""
    kept_count: int = 0
    file_count: int = 0


@dataclass(frozen=True, slots=True)
class Holding:
    """A result without its manifest. `asked` is the request's address and names the row.

    `status` is how what is held stands, `archived` since when it is here, empty where nothing is
    known to be; `finished` is when the attempt ended. `last` is None if the result is that of the
    last attempt. Of what it rests on, `failed` records were found damaged or missing when they were
    last read; `fate` is then the worst of them.
    """

    asked: str
    ingest_id: str
    title: str
    platform: str
    identifier: str
    version: str
    file_count: int
    kept_count: int
    total_size: int
    unknown_sizes: int
    status: Status
    finished: str
    last: LastAttempt | None = None
    failed: int = 0
    fate: Fate = Fate.INTACT
    sought: str = ""
    archived: str = ""

    @property
    def since(self) -> str:
        """Since when it is held or, where nothing is, when the last attempt ended."""
        return self.archived or self.finished

    @property
    def is_held(self) -> bool:
        return self.kept_count > 0 or self.status.is_success


def holding_of(fields: Mapping[str, Any]) -> Holding:
    """Return the row of a result object."""
    asked = str(fields["request"]["base_url"])
    identifier = fields.get("doi") or fields.get("platform_id") or asked
    title = fields.get("title") or identifier
    platform = words.platform(fields.get("platform_name"))
    last = _last_attempt(fields.get("last_attempt"))
    fixity = fields.get("fixity") or {}
    failed, fate = fixity.get("failed", 0), Fate(fixity.get("fate") or Fate.INTACT)
    sought = [title, asked, identifier, platform, *(fields.get("creators") or ())]
    return Holding(
        asked=asked,
        ingest_id=fields.get("ingest_id") or "",
        title=title,
        platform=platform,
        identifier=identifier,
        version=fields.get("platform_version") or "",
        file_count=fields.get("file_count") or 0,
        kept_count=fields.get("kept_count") or 0,
        total_size=fields.get("total_size") or 0,
        unknown_sizes=fields.get("unknown_sizes") or 0,
        status=held_status(Status(fields["status"])),
        finished=fields.get("finished") or "",
        archived=fields.get("archived") or "",
        last=last,
        failed=failed,
        fate=fate,
        sought=" ".join(
            [
                *sought,
                fields["status"],
                last.status if last else "",
                f"damaged {fate}" if failed else "",
            ]
        ).casefold(),
    )


def held_status(status: Status) -> Status:
    """Return how what is held stands: of an attempt that found everything here, everything is."""
    return Status.SUCCESS if status is Status.SUCCESS_EXISTING else status


def _last_attempt(fields: Mapping[str, Any] | None) -> LastAttempt | None:
    if not fields:
        return None
    return LastAttempt(
        status=Status(fields["status"]),
        started=fields["started"],
        message=fields.get("error_message") or "",
        kept_count=fields.get("kept_count") or 0,
        file_count=fields.get("file_count") or 0,
    )
