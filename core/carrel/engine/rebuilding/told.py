# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the result of an ingest tells of the records that its files rest on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carrel.model import Capture, Fixity, ManifestFile
from carrel.model.capture import UNKNOWN_TYPE
from carrel.model.surt import surt
from carrel.strategies.content_coded import STORED

_OK = 200


@dataclass(frozen=True, slots=True)
class Told:
    """What a result says of a record: its address, when it was captured, and what it held."""

    url: str
    timestamp: str
    fixity: Fixity
    mimetype: str

    def capture(
        self, record_id: str, filename: str, *, offset: int = 0, length: int = 0
    ) -> Capture:
        """Return the record as the ledger lists it, which no one could read."""
        md5, sha1, sha256 = (
            self.fixity.digests.get(name, "") for name in ("md5", "sha1", "sha256")
        )
        return Capture(
            url=self.url,
            surt=surt(self.url),
            timestamp=self.timestamp,
            mimetype=self.mimetype,
            status_code=_OK,
            size=self.fixity.size or 0,
            md5=md5,
            sha1=sha1,
            sha256=sha256,
            filename=filename,
            offset=offset,
            length=length,
            record_id=record_id,
        )


def told_of(file: ManifestFile) -> Told | None:
    """Return what a result says of the record of a file, None if that is too little."""
    stored = file.extra.get(STORED)
    fixity = Fixity.from_json(stored) if stored else file.observed
    if not (fixity and "sha256" in fixity.digests and file.terminal_url and file.terminal_dt):
        return None
    return Told(file.terminal_url, file.terminal_dt, fixity, file.mimetype or UNKNOWN_TYPE)


def told_of_bundle(bundle: Mapping[str, Any]) -> Told | None:
    """Return what a result says of the record of a bundle, None if that is too little."""
    meta, terminal = bundle.get("file_meta") or {}, bundle.get("terminal") or {}
    if not meta.get("sha256hex") or not terminal.get("terminal_url"):
        return None
    digests = {name: meta.get(f"{name}hex") or "" for name in ("md5", "sha1", "sha256")}
    return Told(
        terminal["terminal_url"],
        terminal["terminal_dt"],
        Fixity(meta["size_bytes"], digests),
        meta.get("mimetype") or UNKNOWN_TYPE,
    )
