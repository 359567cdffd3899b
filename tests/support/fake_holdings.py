# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive holds, over the results that a fake engine made."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Any

from carrel.engine.held import held_beside
from carrel.engine.holdings import Holdings
from carrel.ledger.fixity import IngestFixity
from carrel.model import FailedRecord, Fate, Held, IngestFilesetResult, Status
from carrel.model.accession import Accession
from support.fake_script import Script

OVERVIEW = (  # what the ledger's says of each
    *("request", "ingest_id", "status", "finished", "title", "creators", "doi"),
    *("platform_name", "platform_id", "platform_version"),
    *("file_count", "kept_count", "total_size", "unknown_sizes", "last_attempt", "fixity"),
)


class FakeHoldings(Holdings):
    """What is held, by the results so far, in `kept`."""

    def __init__(self, script: Script, calls: list[str]) -> None:
        self._script, self._calls = script, calls
        self.kept = list(script.kept)
        self.fixities: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, Sequence[FailedRecord]] = {}

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        if self._script.ledger_error:
            raise self._script.ledger_error
        for row in self.results():
            url, name = row["request"]["base_url"], row.get("platform_id")
            is_named = previewed.item is not None and previewed.item.platform_id == name
            if row.get("kept_count") and (is_named or url == previewed.request.base_url):
                found = self.fixities.get(row["ingest_id"], {})
                known = {name: found[name] for name in ("failed", "missing") if name in found}
                return held_beside(row, IngestFixity(**known), previewed)
        return None

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return what is held as the ledger does: a success before a part, the newest of each."""
        by_url: dict[str, list[IngestFilesetResult]] = {}
        for result in self.kept:
            by_url.setdefault(result.request.base_url, []).append(result)
        held = [_held(attempts) for attempts in reversed(by_url.values())]
        faults = {name: each for name, each in self.fixities.items() if each["failed"]}
        return [
            {**row, "fixity": faults[row["ingest_id"]]} if row["ingest_id"] in faults else row
            for row in held
        ]

    def overview(self, base_urls: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
        for row in self.results():
            if base_urls is None or row["request"]["base_url"] in base_urls:
                yield {name: row[name] for name in OVERVIEW if name in row}

    def accession(self, ingest_id: str) -> Accession | None:
        return _accession(result) if (result := self._attempt(ingest_id)) else None

    def datasets_with(self, algorithm: str, digest: str) -> Set[str]:
        self._calls.append(f"datasets with {algorithm} {digest}")
        return {
            result.request.base_url
            for result in self.kept
            for entry in result.files
            if entry.is_kept and entry.observed and entry.observed.digests.get(algorithm) == digest
        }

    def fixity(self, ingest_id: str) -> dict[str, Any]:
        return self.fixities.get(ingest_id, {})

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        return self.failed.get(ingest_id, ())

    def file_fates(self, ingest_id: str) -> Mapping[str, Fate]:
        return {path: each.fate for each in self.failures(ingest_id) for path in each.files}

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        found = self._attempt(ingest_id)
        return found.to_json() if found else None

    def _attempt(self, ingest_id: str) -> IngestFilesetResult | None:
        return next((each for each in self.kept if each.ingest_id == ingest_id), None)


def _accession(result: IngestFilesetResult) -> Accession | None:
    """Return since when it is held, all at once."""
    kept = [entry.path for entry in result.files if entry.is_kept]
    if not kept or result.finished is None:
        return None
    return Accession(result.finished, files=dict.fromkeys(kept, result.finished))


def _held(attempts: Sequence[IngestFilesetResult]) -> dict[str, Any]:
    """Return the best of several attempts at a dataset, with the last one beside it."""
    kept = [sum(entry.is_kept for entry in each.files) for each in attempts]

    def rank(at: int) -> tuple[bool, int, bool, int]:
        has_brought = attempts[at].status is not Status.SUCCESS_EXISTING
        return attempts[at].hit, kept[at], has_brought, at

    best = max(range(len(attempts)), key=rank)
    held, last = attempts[best].to_json(), attempts[-1].to_json()
    if best == len(attempts) - 1:
        return held
    names = ("ingest_id", "started", "status", "error_message", "kept_count", "file_count")
    return {**held, "last_attempt": {name: last[name] for name in names if name in last}}
