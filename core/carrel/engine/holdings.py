# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive holds, as the window and the commands ask for it. All of it blocks."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from carrel.archive import Archive
from carrel.engine.held import held_of
from carrel.ledger.fixity import IngestFixity
from carrel.model import FailedRecord, Fate, Held, IngestFilesetResult
from carrel.model.accession import Accession


class Holdings:
    """What is at `engine.holdings`. Each raises ArchiveError where the ledger cannot be read."""

    def __init__(self, archive: Archive) -> None:
        self._ledger = archive.ledger

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        """Return what is held of a previewed dataset, and how what it found stands to that.

        None if nothing is held of it.
        """
        return held_of(self._ledger, previewed)

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return what is held of each dataset, or how the last attempt at it ended if nothing is.

        Newest first, without the manifests; a later attempt that brought nothing more is in
        `last_attempt`.
        With `url`, those whose request, identifier, landing page or file has this address.
        """
        return self._ledger.holdings.listed(url)

    def overview(self, base_urls: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
        """Yield as `results` what a list of datasets shows of each, in the same words.

        With `base_urls`, those that were requested by these addresses.
        """
        return self._ledger.holdings.overview(base_urls)

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the whole result object of one attempt, None if there is none."""
        return self._ledger.result(ingest_id)

    def named(self, text: str) -> Sequence[dict[str, Any]]:
        """Return as `results` what an identifier names, in any spelling."""
        from carrel.engine.identifiers import find, spellings  # half of the start for those few

        found = find(text).identifiers
        named = dict.fromkeys([text, *chain.from_iterable(map(spellings, found))])
        for ask in (self._ledger.holdings.held, self._ledger.holdings.listed):
            for spelling in named:
                if rows := ask(spelling):
                    return rows
        return []

    def platform_rows(self) -> Sequence[dict[str, Any]]:
        """Return what the ledger notes of each dataset's platform, by dataset."""
        return self._ledger.platform_rows()

    def accession(self, ingest_id: str) -> Accession | None:
        """Return since when what an attempt keeps is here, file by file, and in which WARCs."""
        return self._ledger.accession(ingest_id)

    def datasets_with(self, algorithm: str, digest: str) -> Set[str]:
        """Return the addresses of the datasets that hold a file with this md5, sha1 or sha256."""
        return {row["base_url"] for row in self.files_with(algorithm, digest)}

    def files_with(self, algorithm: str, digest: str) -> Sequence[dict[str, Any]]:
        """Return which files have this md5, sha1 or sha256, each with its dataset."""
        return self._ledger.datasets_with(algorithm, digest)

    def fixity(self, ingest_id: str) -> dict[str, Any]:
        """Return how what an attempt rests on was when it was last read: the worst `fate` known.

        With when it was `verified` in whole, how many records `failed`, when that was `found`, and
        a `message` of what is wrong; None where nothing is known.
        """
        known = self.known_fixities([ingest_id])
        return known[ingest_id].to_json() if ingest_id in known else {}

    def known_fixities(self, ingest_ids: Sequence[str]) -> Mapping[str, IngestFixity]:
        """Return, by attempt, how what each rests on was when it was last read, where known."""
        return self._ledger.fixity.of_ingests(ingest_ids)

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        """Return what an attempt rests on that is known to be damaged or missing, the first ones;
        how many there are in all is what `fixity` says.
        """
        return self._ledger.fixity.failures(ingest_id)

    def file_fates(self, ingest_id: str) -> Mapping[str, Fate]:
        """Return by its path what became of each file that is known to be damaged or missing."""
        return self._ledger.fixity.file_fates(ingest_id)
