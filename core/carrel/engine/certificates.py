# SPDX-License-Identifier: AGPL-3.0-or-later
"""The certificate of one holding: found by what a person calls it, and written to a file."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from carrel.archive import Archive
from carrel.errors import ArchiveError, UsageError
from carrel.model import Fate
from carrel.model.certificate import CertificateForm, Certified
from carrel.model.counts import counted
from carrel.model.prose import shown
from carrel.translation import tr

if TYPE_CHECKING:
    from carrel.engine.holdings import Holdings

_MOST_NAMED = 5


def one_named(holdings: "Holdings", text: str) -> str:
    """Do what `Holdings.one_named` says."""
    if holdings.has_result(text):
        return text
    found = holdings.named(text)
    held = _of_datasets(holdings, [row for row in found if "archived" in row], text)
    if len(held) == 1:
        return next(iter(held))
    if held:
        raise UsageError(
            tr(
                "{text} names {count:,} holdings; give the ingest of one: {ingests}.",
                text=shown(text),
                count=len(held),
                ingests=_listed(held),
            )
        )
    if found:
        raise UsageError(
            tr(
                "Nothing of {text} is archived (the last ingest ended with {status}).",
                text=shown(text),
                status=found[0]["status"],
            )
        )
    raise UsageError(
        tr(
            "Nothing was archived under {text}. “carrel results” lists what is archived.",
            text=shown(text),
        )
    )


def certify(
    archive: Archive,
    ingest_id: str,
    output: Path | BinaryIO,
    form: CertificateForm | None,
    *,
    issued: date | None,
    tell: Callable[[int, int], None],
    reads_warcs: bool = True,
) -> Certified:
    """Do what `Holdings.certify` says."""
    from carrel.exports.certificate.writing import write_certificate  # only for who wants one

    form = form or form_of(output)
    if reads_warcs:
        _note_what_is_gone(archive, ingest_id)
    day = issued or datetime.now(UTC).date()
    with _as_noted(archive) as noted:
        return write_certificate(noted, ingest_id, output, form, day, tell, reads_warcs=reads_warcs)


@contextmanager
def _as_noted(archive: Archive) -> Iterator[Archive]:
    """Give the archive with what was noted just now: the copy that is read of a ledger which an
    older Carrel wrote has nothing of that."""
    if not archive.ledger.is_copied:
        yield archive
        return
    with Archive.open_for_reading(archive.path) as noted:
        yield noted


def form_of(output: Path | BinaryIO) -> CertificateForm:
    """Return the form that a file's ending names. Raises UsageError for others."""
    ending = output.suffix.lower().removeprefix(".") if isinstance(output, Path) else ""
    if ending == "htm":
        return CertificateForm.HTML
    if ending not in set(CertificateForm):
        raise UsageError(
            tr("A certificate is HTML, PDF or JSON: give a file that ends in one, or --format.")
        )
    return CertificateForm(ending)


def _note_what_is_gone(archive: Archive, ingest_id: str) -> None:
    """Have the ledger say which records of an attempt are in no WARC file any more: one that was
    removed, or cut off, since it was last read.

    Raises UsageError where something is not intact that cannot be noted, or a WARC cannot be read:
    what is certified would not be so.
    """
    from carrel.engine.verification.noting import note_damage_in  # as above

    for name in _cut_warcs(archive, ingest_id):
        note_damage_in(archive, archive.warcs / name, lambda count: None)
    if not _takes_notes(archive):
        _refuse_unnoted(archive, ingest_id)


def _takes_notes(archive: Archive) -> bool:
    try:
        with archive.ledger_for_writing():
            return True
    except ArchiveError:
        return False


def _refuse_unnoted(archive: Archive, ingest_id: str) -> None:
    """Read all that an attempt rests on. Raises UsageError for what is not intact, and is not known
    to be so: nobody could note it when it was found."""
    from carrel.engine.verification.captures import capture_checks  # as above

    known = {each.record_id for each in archive.ledger.fixity.failures(ingest_id)}
    captures = archive.ledger.captures.of_files(ingest_id)
    checks = capture_checks(archive, captures, lambda count: None)
    bad = [it for it in checks if it.fate is not Fate.INTACT and it.own_id not in known]
    if bad:
        held = archive.ledger.result(ingest_id) or {}
        title = held.get("title") or held.get("doi") or ingest_id
        raise UsageError(
            tr(
                "{records} of “{title}” failed verification, such as that of {url}: {why} This "
                "archive is read-only or in use, so the result cannot be recorded, and no "
                "certificate is issued.",
                title=title,
                records=counted(len(bad), "record"),
                url=bad[0].url,
                why=bad[0].message,
            )
        )


def _cut_warcs(archive: Archive, ingest_id: str) -> Sequence[str]:
    """Return the WARC files that end before a record that an attempt rests on, or before the last
    that its ingest wrote, by name."""
    from carrel.engine.verification.accompanying import ends_early  # as above

    ends = archive.ledger.captures.ends_in_warcs(ingest_id)
    return [
        name
        for name, end in ends.items()
        if _size(archive.warcs / name) < end or ends_early(archive, name)
    ]


def _size(path: Path) -> int:
    """Return how many bytes a WARC has, 0 if it is not there. Raises UsageError for one that cannot
    be read."""
    try:
        with path.open("rb") as file:
            file.read(1)
            return os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return 0
    except OSError as error:
        from carrel.exports.certificate.servers import not_certified  # as above

        raise not_certified(path, error) from error


def _of_datasets(
    holdings: "Holdings", rows: Sequence[Mapping[str, Any]], text: str
) -> dict[str, str]:
    """Return the attempts that keep what rows are of, each with what was requested.

    One dataset is one holding, whatever it was requested by. But what was archived from the very
    address that is named is meant itself: two addresses of one DOI may publish different files.
    """
    held: dict[str, str] = {}
    for row in rows:
        base_url = str(row["request"]["base_url"])
        dataset = holdings.dataset_of(base_url) if base_url != text else None
        listed = holdings.rows([dataset]) if dataset is not None else []
        ingest_id = listed[0].ingest_id if listed else str(row["ingest_id"])
        held.setdefault(ingest_id, base_url)
    return held


def _listed(held: Mapping[str, str]) -> str:
    named = [f"{ingest_id} ({shown(base_url)})" for ingest_id, base_url in held.items()]
    more = tr(" and {count:,} more", count=len(named) - _MOST_NAMED)
    return ", ".join(named[:_MOST_NAMED]) + (more if len(named) > _MOST_NAMED else "")
