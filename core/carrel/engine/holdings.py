# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive holds, as the window and the commands ask for it. All of it blocks."""

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from carrel.archive import Archive
from carrel.engine.held import held_of
from carrel.ledger.connection import always
from carrel.model import (
    FailedRecord,
    Fate,
    Held,
    IngestFilesetResult,
    RecordCheck,
)
from carrel.model.imported import CameIn
from carrel.model.iso_time import iso_now

if TYPE_CHECKING:
    from carrel.ledger.curation import Curation
    from carrel.ledger.fixity import IngestFixity
    from carrel.model.accession import Accession
    from carrel.model.certificate import CertificateForm, Certified
    from carrel.model.figures import Amount, Figures
    from carrel.model.holdings import Facet, History, HoldingRow, HoldingsQuery, Matches


class Holdings:
    """What is at `engine.holdings`. Each raises ArchiveError where the ledger cannot be read."""

    def __init__(self, archive: Archive) -> None:
        self._archive, self._ledger = archive, archive.ledger

    def held(self, previewed: IngestFilesetResult) -> Held | None:
        """Return what is held of a previewed dataset, and how what it found stands to that.

        None if nothing is held of it.
        """
        return held_of(self._ledger, previewed)

    def results(self, url: str | None = None) -> Sequence[dict[str, Any]]:
        """Return what is held of each dataset, or how the last attempt at it ended if nothing is.

        Newest first, without the manifests; a later attempt that brought nothing more is in
        `last_attempt`. One that was removed from the holdings has when as `removed`.
        With `url`, those whose request, identifier, landing page or file has this address.
        """
        return self._ledger.holdings.listed(url)

    def dois(self, base_urls: Collection[str]) -> Mapping[str, str]:
        """Return the DOI of the dataset that each of these addresses leads to, as far as known."""
        return self._ledger.holdings.dois(base_urls)

    def find(
        self,
        query: "HoldingsQuery",
        *,
        most: int = -1,
        is_wanted: Callable[[], bool] = always,
    ) -> Sequence[int]:
        """Return the datasets that a question asks for, in its order: all, or the first `most`.

        Raises Overtaken once it is not wanted any more.
        """
        from carrel.platforms.titles import title_of  # not for who only lists

        return self._ledger.catalogue.find(
            query, iso_now(), most=most, is_wanted=is_wanted, title_of=title_of
        )

    def rows(self, dataset_ids: Sequence[int]) -> "Sequence[HoldingRow]":
        """Return what is held of datasets, in this order; those of which nothing is lack."""
        return self._ledger.catalogue.rows(dataset_ids)

    def matches(self, row: "HoldingRow", text: str) -> "Matches":
        """Return in which version of a holding, and in which files, words were found."""
        from carrel.engine.matches import matches_in  # not for who only lists

        return matches_in(self._ledger, row, text)

    def counts(
        self, query: "HoldingsQuery", *, is_wanted: Callable[[], bool] = always
    ) -> "Mapping[Facet, Mapping[str, int]]":
        """Return how many holdings each value of each facet has, beside what is asked for.

        Raises Overtaken once it is not wanted any more.
        """
        return self._ledger.catalogue.counts(query, iso_now(), is_wanted=is_wanted)

    def amount(self, dataset_ids: Sequence[int]) -> "Amount":
        """Return how much is held of datasets."""
        return self._ledger.catalogue.amount(dataset_ids)

    def total(self, *, is_removed: bool = False) -> int:
        """Return how many datasets are held and listed, or were removed from the holdings."""
        return self._ledger.catalogue.total(is_removed=is_removed)

    def dataset_of(self, base_url: str) -> int | None:
        """Return the dataset that an address was an attempt at, None if it never was."""
        return self._ledger.catalogue.dataset_of(base_url)

    def history(self, dataset_id: int) -> "History":
        """Return what happened to a dataset here: ingests and fixity runs."""
        return self._ledger.history(dataset_id)

    def figures(self) -> "Figures":
        """Return how the archive stands now."""
        return self._ledger.figures(iso_now())

    @property
    def curation(self) -> "Curation":
        """Tags, notes, and what is no longer listed."""
        return self._ledger.curation

    def result(self, ingest_id: str) -> dict[str, Any] | None:
        """Return the whole result object of one attempt, None if there is none."""
        result = self._ledger.result(ingest_id)
        return result and self._ledger.packed.with_places_now(result)

    def has_result(self, ingest_id: str) -> bool:
        """Say whether there is an attempt of this id that ended."""
        return self._ledger.has_ended(ingest_id)

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

    def imported(self, ingest_id: str) -> CameIn | None:
        """Return when an attempt was imported, and in what; None if it was captured here."""
        return self._ledger.captures.imported(ingest_id)

    def files_that_came_in(self, ingest_id: str) -> Sequence[str]:
        """Return the paths of the files of an attempt whose records an import brought."""
        return self._ledger.inventory.files_that_came_in(ingest_id)

    def beside(self, ingest_id: str) -> Sequence[Mapping[str, Any]]:
        """Return the files that an attempt lacks which is what is held, and that another one at the
        same version has: the `path` of each, and the `ingest_id` of that one."""
        found = self._ledger.inventory.beside(ingest_id)
        return [{"path": each["path"], "ingest_id": each["ingest_id"]} for each in found]

    def accession(self, ingest_id: str) -> "Accession | None":
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

    def known_fixities(self, ingest_ids: Sequence[str]) -> "Mapping[str, IngestFixity]":
        """Return, by attempt, how what each rests on was when it was last read, where known."""
        return self._ledger.fixity.with_repairs(ingest_ids)

    def failures(self, ingest_id: str) -> Sequence[FailedRecord]:
        """Return what an attempt rests on that is known to be damaged or missing, the first ones;
        how many there are in all is what `fixity` says.
        """
        failures = self._ledger.fixity.failures(ingest_id)
        if not any(each.is_earlier for each in failures):
            return failures
        from carrel.model.holdings import with_earlier_files  # only for what is damaged

        return with_earlier_files(failures, self._ledger.fixity_history.damages_of(ingest_id))

    def file_fates(self, ingest_id: str, unnoted: Sequence[RecordCheck] = ()) -> Mapping[str, Fate]:
        """Return by its path what became of each file that is known to be damaged or missing;
        `unnoted` was found and could not be noted in the ledger."""
        fates = {it.record_id: it.fate for it in unnoted}
        found = self._ledger.fixity.files_on(ingest_id, fates) if fates else ()
        seen = {path: fates[record_id] for path, record_id in found}
        return seen | self._ledger.fixity.file_fates(ingest_id)

    def one_named(self, text: str) -> str:
        """Return the id of the attempt that keeps the one holding that a text names.

        The text is the id of an attempt itself, or what `named` finds. Raises UsageError where it
        names none or several.
        """
        from carrel.engine.certificates import one_named  # as below

        return one_named(self, text)

    def certify(
        self,
        ingest_id: str,
        output: Path | BinaryIO,
        form: "CertificateForm | None" = None,
        *,
        issued: date | None = None,
        tell: Callable[[int, int], None] = lambda done, total: None,
        reads_warcs: bool = True,
    ) -> "Certified":
        """Write the certificate of what an attempt keeps; return what it says.

        A file is there whole or not at all; without `form` its ending decides. It is `issued` today
        (UTC) unless a day is given: the same facts on the same day are the same file. `tell` is
        told how many files were read, and of how many, and then the same of the bytes of the WARC
        files; these are left alone unless it `reads_warcs`. Raises UsageError for an attempt that
        is not there or keeps nothing, NotDrawn, and OSError with the path.
        """
        from carrel.engine.certificates import certify  # only for who wants one

        return certify(
            *(self._archive, ingest_id, output, form),
            issued=issued,
            tell=tell,
            reads_warcs=reads_warcs,
        )
