# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive holds: the results that a fake engine made, in a ledger of their own."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from carrel.engine.held import held_beside
from carrel.engine.holdings import Holdings
from carrel.ledger import Ledger
from carrel.ledger.fixity import IngestFixity
from carrel.model import FailedRecord, Fate, Held, IngestFilesetResult, RecordCheck
from carrel.model.accession import Accession
from carrel.model.holdings import HoldingRow
from support.fake_script import Script


class FakeHoldings(Holdings):
    """What is held, by the results so far, in `kept`. What is found broken stands in `fixities`."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.kept = list(script.kept)
        self.fixities: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, Sequence[FailedRecord]] = {}
        self._folder: TemporaryDirectory[str] | None = None
        self._scratch: Ledger | None = None
        self._noted = 0
        self._noting = threading.Lock()

    @property
    def _ledger(self) -> Ledger:  # type: ignore[override]  # what the real one is given
        """The results so far."""
        with self._noting:
            if self._scratch is None:
                self._folder = TemporaryDirectory(prefix="carrel-fake-")
                self._scratch = Ledger.scratch(Path(self._folder.name) / "carrel.sqlite")
            for number in range(self._noted, len(self.kept)):
                _note(self._scratch, self.kept[number], number)
            self._noted = len(self.kept)
        return self._scratch

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        if self._script.ledger_error:
            raise self._script.ledger_error
        for row in self.results():
            url, name = row["request"]["base_url"], row.get("platform_id")
            is_named = previewed.item is not None and previewed.item.platform_id == name
            if row.get("kept_count") and (is_named or url == previewed.request.base_url):
                found = self.fixities.get(row["ingest_id"], {})
                known = {name: found[name] for name in ("failed", "missing") if name in found}
                whole = self.result(row["ingest_id"]) or {}  # the list has no manifests
                held = held_beside(whole | row, IngestFixity(**known), previewed)
                removed = self._ledger.curation.when_removed(held.ingest_id)
                return replace(held, removed=removed)
        return None

    def rows(self, dataset_ids: Sequence[int]) -> Sequence[HoldingRow]:
        return [self._with_fixity(row) for row in super().rows(dataset_ids)]

    def imported(self, ingest_id: str) -> None:
        return None

    def accession(self, ingest_id: str) -> Accession | None:
        return _accession(result) if (result := self._attempt(ingest_id)) else None

    def fixity(self, ingest_id: str) -> dict[str, Any]:
        return self.fixities.get(ingest_id, {})

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        return self.failed.get(ingest_id, ())

    def file_fates(self, ingest_id: str, unnoted: Sequence[RecordCheck] = ()) -> Mapping[str, Fate]:
        return {path: each.fate for each in self.failures(ingest_id) for path in each.files}

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        found = self._attempt(ingest_id)
        return found.to_json() if found else None

    def close(self) -> None:
        """Let go of the ledger."""
        with self._noting:
            if self._scratch is not None and self._folder is not None:
                self._scratch.close()
                self._folder.cleanup()

    def _with_fixity(self, row: HoldingRow) -> HoldingRow:
        found = self.fixities.get(row.ingest_id, {})
        failed = found.get("failed", 0)
        missing = failed if found.get("fate") is Fate.MISSING else 0
        sound = replace(row, verified=found.get("verified"), twinned=found.get("twinned", 0))
        return replace(sound, failed=failed, missing=missing)

    def _attempt(self, ingest_id: str) -> IngestFilesetResult | None:
        return next((each for each in self.kept if each.ingest_id == ingest_id), None)


def _note(ledger: Ledger, result: IngestFilesetResult, number: int) -> None:
    ingest_id = result.ingest_id or f"fake-{number}"
    started = result.started or f"2026-01-01T00:00:{number % 60:02d}Z"
    ended = replace(result, ingest_id=ingest_id, started=started)
    ended = replace(ended, finished=result.finished or started)
    ledger.ingests.start(ingest_id, ended.request, started)
    ledger.ingests.finish(ended, (), {})


def _accession(result: IngestFilesetResult) -> Accession | None:
    """Return since when it is held, all at once."""
    kept = [entry.path for entry in result.files if entry.is_kept]
    if not kept or result.finished is None:
        return None
    return Accession(result.finished, files=dict.fromkeys(kept, result.finished))
