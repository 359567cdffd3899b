# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the bytes of an attempt's files are, and how they were when they were last read."""

from dataclasses import replace
from pathlib import Path

from carrel.archive import Archive
from carrel.ledger.fixity import RecordFixity
from carrel.ledger.inventory import InventoryFile
from carrel.model import Capture, Fate, Fixity, Status
from support.certified import INGEST, VERIFIED, archive_with, kept, lost, record_id

AGAIN = "20260102T030405-fedcba9876543210"
REVISIT = "<urn:uuid:00000000-0000-4000-8000-aaaaaaaaaaaa>"


def files(folder: Path, ingest_id: str = INGEST) -> list[InventoryFile]:
    with Archive.open_for_reading(folder) as opened, opened.ledger.standing_still() as ledger:
        return list(ledger.inventory.files(ingest_id))


def revisited(folder: Path) -> Path:
    """Have a second attempt rest on a revisit of the first one's record."""
    archive_with(folder, [kept("a.csv")])
    archive_with(folder, [replace(kept("a.csv"), status=Status.SUCCESS_EXISTING)], ingest_id=AGAIN)
    with Archive.create_or_open(folder) as opened:
        (first,) = opened.ledger.captures.all(INGEST)
        _insert(opened, _revisit_of(first))
    return folder


def _revisit_of(first: Capture) -> Capture:
    return replace(
        first,
        record_id=REVISIT,
        filename="later.warc.gz",
        is_revisit=True,
        refers_to_url=first.url,
        refers_to_timestamp=first.timestamp,
    )


def _insert(opened: Archive, revisit: Capture) -> None:
    with opened.ledger._writing() as db:
        db.table("captures").insert({**revisit.to_fields(), "ingest_id": AGAIN})
        db.execute("UPDATE files SET capture_id = ? WHERE ingest_id = ?", [REVISIT, AGAIN])


def test_files_come_in_the_order_of_the_manifest_with_their_records(tmp_path: Path) -> None:
    found = files(archive_with(tmp_path, [kept("b.csv"), lost("c.csv"), kept("a.csv")]))

    assert [each.file.path for each in found] == ["b.csv", "c.csv", "a.csv"]
    assert [each.place and each.place.record_id for each in found] == [
        record_id(0),
        None,
        record_id(2),
    ]
    assert [each.since is None for each in found] == [False, True, False]


def test_a_revisit_leads_to_the_record_that_has_the_bytes(tmp_path: Path) -> None:
    (found,) = files(revisited(tmp_path), AGAIN)

    assert found.place is not None
    assert found.place.record_id == record_id(0)


def test_what_was_not_read_again_has_no_fate(tmp_path: Path) -> None:
    (found,) = files(archive_with(tmp_path, [kept("a.csv", Fixity())]))

    assert found.place is not None
    assert (found.place.fate, found.place.checked) == (None, None)


def test_a_damaged_revisit_takes_nothing_from_the_record_that_has_the_bytes(tmp_path: Path) -> None:
    folder = revisited(tmp_path)
    with Archive.create_or_open(folder) as opened:
        opened.ledger.fixity.note(
            [
                RecordFixity(record_id(0), VERIFIED, Fate.INTACT),
                RecordFixity(REVISIT, VERIFIED, Fate.DAMAGED, "broken"),
            ]
        )

    (found,) = files(folder, AGAIN)

    assert found.place is not None
    assert (found.place.record_id, found.place.fate) == (record_id(0), Fate.INTACT)


def test_a_run_over_an_ingest_reads_the_bytes_and_not_the_revisit(tmp_path: Path) -> None:
    folder = revisited(tmp_path)
    with Archive.create_or_open(folder) as opened:
        opened.ledger.fixity.note([RecordFixity(record_id(0), VERIFIED, Fate.INTACT)])

    (found,) = files(folder, AGAIN)

    assert found.place is not None
    assert (found.place.fate, found.place.checked) == (Fate.INTACT, VERIFIED)


def test_a_revisit_of_what_is_not_known_is_its_own_place(tmp_path: Path) -> None:
    folder = revisited(tmp_path)
    with Archive.create_or_open(folder) as opened, opened.ledger._writing() as db:
        db.execute("UPDATE files SET capture_id = NULL WHERE ingest_id = ?", [INGEST])
        db.execute("DELETE FROM captures WHERE record_id = ?", [record_id(0)])

    (found,) = files(folder, AGAIN)

    assert found.place is not None
    assert (found.place.record_id, found.place.fate) == (REVISIT, None)
