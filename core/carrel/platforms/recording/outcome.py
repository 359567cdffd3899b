# SPDX-License-Identifier: AGPL-3.0-or-later
"""What comes of a recording: the dataset that its answers describe, or why there is none."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import FindingLevel, PlatformItem, Status
from carrel.platforms.api import HttpApi
from carrel.platforms.landing import land
from carrel.platforms.platform import Platform
from carrel.platforms.recording.recording import Answer, Key, Recording, Replay
from carrel.platforms.registry import describe
from carrel.translation import tr

EXPECTED = "expected.json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a preview ends in as far as the platform decides it; `asked` is what was requested on
    the way, the landing page first."""

    status: Status
    message: str
    item: PlatformItem | None
    asked: Sequence[Key]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is said to be missing: neither by the status, nor of the listing, nor by
        a warning."""
        item = self.item
        return (
            item is not None
            and self.status.is_success
            and item.shortfall is None
            and not any(each.level is FindingLevel.WARNING for each in item.findings)
        )

    def to_json(self) -> dict[str, Any]:
        """Return what is expected of a platform: what is unknown is left out."""
        fields: dict[str, Any] = {"status": str(self.status)}
        if (item := self.item) is None:
            return fields
        for name in ("platform_name", "platform_domain", "platform_id", "platform_version"):
            fields[name] = getattr(item, name)
        fields |= {"title": item.title, "shortfall": item.shortfall}
        fields["manifest"] = [entry.to_json() for entry in item.manifest]
        return {name: value for name, value in fields.items() if value is not None}


async def outcome_of(
    recording: Recording,
    platforms: Sequence[Platform] | None = None,
    changed: Mapping[Key, Answer] | None = None,
) -> Outcome:
    """Return what the recorded answers come to, some of them perhaps `changed`; asked of all
    platforms unless some are given."""
    replay = Replay({**recording.answers, **(changed or {})})
    once = RetryPolicy(tries=1)
    landing = await land(replay, recording.asked, lambda exchange: None, once)
    api = HttpApi(
        replay,
        lambda exchange: None,
        once,
        landing_url=landing.url,
        most_files=recording.most_files,
    )
    try:
        item, _ = await describe(landing, api, platforms)
    except IngestStop as stop:
        return Outcome(stop.status, str(stop), None, replay.asked)
    status, message = item.platform_status, item.platform_message or ""
    if status.is_success and not item.manifest:
        status, message = Status.EMPTY_MANIFEST, tr("The platform lists no files.")
    return Outcome(status, message, item, replay.asked)


async def write_with_outcome(recording: Recording, folder: Path) -> None:
    """Write a recording, and beside it what it comes to (`expected.json`). Raises as `write`."""
    recording.write(folder)
    outcome = await outcome_of(recording)
    text = json.dumps(outcome.to_json(), ensure_ascii=False, indent=1)
    (folder / EXPECTED).write_text(text + "\n", encoding="utf-8")
