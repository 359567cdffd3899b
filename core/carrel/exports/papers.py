# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands beside the files in an export: what it is, what lacks, which names had to change.

These are read where there is no Carrel, years from now: they are in English, whoever exports.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from carrel.exports.dataset import Dataset
from carrel.exports.holding import Holding
from carrel.exports.payload import Payload
from carrel.exports.texts import exact, one_line, table
from carrel.model.exports import NotExported
from carrel.model.formats import Format

RESULT = "metadata/result.json"
NOT_KEPT = "metadata/not-kept.txt"
NAMES = "metadata/names.tsv"
FORMATS = "metadata/formats.tsv"
README = "README.txt"
_MOST_LISTED = 20
_DAMAGED = "It was damaged or missing in the archive when this was exported, and was left out."
_FORMAT_HEADS = (
    *("file", "PUID", "format", "version", "MIME type", "basis", "warning"),
    *("identified by", "identified"),
)


@dataclass(frozen=True, slots=True)
class Papers:
    """A holding, its files as they were copied, and how one checks them."""

    holding: Holding
    payload: Payload
    checking: str

    @property
    def dataset(self) -> Dataset:
        return self.holding.dataset

    @property
    def lacking(self) -> Sequence[NotExported]:
        """What is not here, as whoever receives it is told: never kept, in another archive, or
        damaged."""
        return [*map(as_received, self.payload.damaged), *self.holding.lacking]

    def written(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the content of each paper."""
        yield README, "".join(f"{line}\n" for line in self._readme()).encode()
        yield RESULT, self.holding.document
        if self.lacking:
            rows = ([each.file, each.reason, each.address] for each in self.lacking)
            yield NOT_KEPT, table(["file", "why", "other place"], rows)
        if self.payload.renamed:
            names = ([str(each.path), each.name] for each in self.payload.renamed)
            yield NAMES, table(["name here", "name in the dataset"], names)
        if formats := list(self._formats()):
            yield FORMATS, table(_FORMAT_HEADS, formats)

    def _formats(self) -> Iterator[Sequence[str]]:
        """Yield the format of each file of which it was identified."""
        known = self.holding.formats
        for each in sorted(self.payload.copied, key=lambda copied: copied.path):
            if found := known.get(each.file.held.position):
                puid = found.puid or "not identified"
                described = (puid, found.name, found.version, found.mimetype)
                yield [each.path, *described, found.basis, found.warning, *_by(found)]

    def _readme(self) -> Iterator[str]:
        yield one_line(self.dataset.citation)
        yield ""
        here, count = len(self.payload.here), len(self.payload.copied) + len(self.lacking)
        are = "is" if here == 1 else "are"
        of_what = self.dataset.known_files
        yield f"{here:,} of the {count:,} {of_what} {are} in the folder data."
        if self.dataset.may_have_more:
            yield "No platform says whether the dataset has other files."
        if to_fetch := len(self.payload.copied) - here:
            yield f"{to_fetch:,} more are to be fetched from the addresses in fetch.txt."
        yield from self._what_lacks()
        yield ""
        if self.holding.notes:
            yield from self.holding.notes
            yield ""
        yield f"Requested:  {one_line(self.dataset.requested)}"
        yield f"Archived:   {self.holding.finished} by Carrel {self.holding.carrel_version}"
        yield f"Ingest:     {one_line(self.holding.ingest_id)}"
        if self.dataset.license:
            yield f"Licence:    {one_line(self.dataset.license)}"
        yield ""
        yield "Each file was compared with all its known checksums while it was copied."
        yield self.checking
        if self.payload.renamed:
            yield f"Some files could not have their own names on every disk: see {NAMES}."
        if self.holding.formats:
            yield f"{FORMATS} has the formats of the files by PRONOM, and how they were identified."
        yield f"{RESULT} has what was stated of each file, and what arrived."

    def _what_lacks(self) -> Iterator[str]:
        if not self.lacking:
            return
        yield f"NOT here ({NOT_KEPT} has all, with the reasons):"
        for each in self.lacking[:_MOST_LISTED]:
            yield f"  {exact(each.file)}: {one_line(each.reason)}"
        if len(self.lacking) > _MOST_LISTED:
            yield f"  and {len(self.lacking) - _MOST_LISTED:,} more"


def as_received(lacking: NotExported) -> NotExported:
    """Return what a damaged file lacks for: what helps is the archive's business alone."""
    return replace(lacking, reason=_DAMAGED)


def _by(found: Format) -> Sequence[str]:
    """Return what identified a format and from what, and when."""
    cut = " (the two ends of the file)" if found.is_cut else ""
    return f"{found.tool}{cut}", found.identified
