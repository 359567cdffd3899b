# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that are named are verified record by record, our own beside the ledger, others' too."""

import asyncio
import gzip
import hashlib
import os
import random
import re
import shutil
import struct
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.access.cut_off import no_request
from carrel.archive import Archive
from carrel.capture import warc_series
from carrel.engine.verification import verify, verify_paths
from carrel.engine.verification.captures import capture_checks
from carrel.engine.verification.files import path_checks
from carrel.model import Absence, Capture, Evidence, Fate, RecordCheck, VerificationReport
from carrel.model.events import Event, RecordVerified, VerificationProgress
from carrel.model.sizes import MEBIBYTE
from support.archives import SETTINGS, ingest, new_archive
from support.warcs import (
    Fields,
    arc_record,
    gzip_bomb,
    member,
    metadata,
    record,
    request,
    resource,
    response,
    revisit,
    sha1_of,
    warcinfo,
    write_arc,
    write_warc,
    write_whole_gzip,
)
from support.wire import WireServer, dataset_page, reply

URL = "http://example.org/"
BODIES = [b"The tide came late.\n" * 20, b"The tide came late.\n" * 20, b"It left early.\n" * 30]
NOISE = random.Random(7)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of one dataset, of whose three files two have the same bytes."""
    # One after the other: of two that arrive at once neither can stand for the other.
    settings = f"{SETTINGS}transfers = 1\n"
    path = new_archive(tmp_path_factory.mktemp("archives") / "archive", settings)
    with WireServer() as server:
        files = [
            {
                "name": f"{number}.txt",
                "contentUrl": server.serve(f"/{number}.txt", reply(body)),
                "contentSize": len(body),
                "sha256": hashlib.sha256(body).hexdigest(),
            }
            for number, body in enumerate(BODIES)
        ]
        ingest(path, dataset_page(server, files, name="Tides"))
    return path


@pytest.fixture
def archive(original: Path, tmp_path: Path) -> Iterator[Archive]:
    shutil.copytree(original, tmp_path / "archive")
    with Archive.open_for_reading(tmp_path / "archive") as opened:
        yield opened


@pytest.fixture
def warc(archive: Archive) -> Path:
    """The one WARC of the archive."""
    (path,) = archive.warcs.iterdir()
    return path


class Nobody:
    """Whoever does not care how far a run is."""

    def expect(self, total: int) -> None:
        pass

    def attend(self, count: int) -> None:
        pass

    def remark(self, words: str, only_read: int = 0) -> None:
        pass

    def lack(self, absence: Absence) -> None:
        pass


def checked(
    *paths: Path, archive: Archive | None = None
) -> tuple[VerificationReport, list[RecordCheck]]:
    """Return what a run came to, and its checks as they were told."""
    checks: list[RecordCheck] = []

    def emit(event: Event) -> None:
        if isinstance(event, RecordVerified):
            checks.append(event.check)

    return asyncio.run(verify_paths(paths, archive, emit)), checks


def check_of(path: Path) -> RecordCheck:
    """Return the check of a file's only record."""
    _, (check,) = checked(path)
    return check


def capture_of(archive: Archive, name: str) -> Capture:
    return next(each for each in archive.ledger.captures.all() if each.url.endswith(name))


def fates(checks: list[RecordCheck]) -> set[Fate]:
    return {check.fate for check in checks}


def flipped(path: Path, position: int) -> None:
    content = bytearray(path.read_bytes())
    content[position] ^= 0x01
    path.write_bytes(content)


def repacked(path: Path, target: Path, change: Callable[[bytes], bytes] = bytes) -> None:
    """Write the records of a WARC to another one, plain, changed by whoever knows of no ledger."""
    target.write_bytes(change(gzip.decompress(path.read_bytes())))


def test_the_archive_s_own_records_are_compared_with_the_ledger(
    archive: Archive, warc: Path
) -> None:
    report, checks = checked(warc, archive=archive)

    known = {each.record_id for each in archive.ledger.captures.all()}
    compared = {each.record_id for each in checks if Evidence.LEDGER in each.compared_with}
    assert report.is_intact
    assert compared == known
    assert report.in_ledger == len(known)
    assert report.without_digest == 0
    assert report.records == gzip.decompress(warc.read_bytes()).count(b"WARC/1.1\r\n")


@pytest.mark.parametrize("folder", ["", "collections", "collections/main/archive", "../archive"])
def test_an_archive_and_each_folder_in_it_can_be_named(archive: Archive, folder: str) -> None:
    of_folder, _ = checked(archive.path / folder, archive=archive)
    of_all = asyncio.run(verify(archive))

    assert of_folder == of_all
    assert of_all.in_ledger == len(archive.ledger.captures.all())


def test_a_damaged_record_is_named_and_those_behind_it_are_read(
    archive: Archive, warc: Path
) -> None:
    capture = capture_of(archive, "/0.txt")
    flipped(warc, capture.offset + capture.length // 2)

    report, _ = checked(warc, archive=archive)

    (failure,) = report.failures
    assert (failure.fate, failure.record_id) == (Fate.DAMAGED, capture.record_id)
    assert (failure.url, failure.offset) == (capture.url, capture.offset)


def test_one_damage_is_told_in_one_way_however_it_is_found(archive: Archive, warc: Path) -> None:
    capture = capture_of(archive, "/0.txt")
    flipped(warc, capture.offset + capture.length - 6)

    report, _ = checked(warc, archive=archive)
    (alone,) = capture_checks(archive, [capture], lambda count: None)

    (failure,) = report.failures
    assert alone.message == (
        "The record is damaged: its bytes are not as they were written (checksum mismatch)."
    )
    assert failure.message.startswith(alone.message)


def test_of_a_record_that_was_cut_only_what_is_there_counts_as_read(
    archive: Archive, warc: Path
) -> None:
    capture = capture_of(archive, "/0.txt")
    warc.write_bytes(warc.read_bytes()[: capture.offset + capture.length // 2])
    (check,) = capture_checks(archive, [capture], lambda count: None)
    warc.unlink()
    (gone,) = capture_checks(archive, [capture], lambda count: None)

    assert check.fate is Fate.DAMAGED
    assert check.size < capture.size
    assert (gone.fate, gone.size) == (Fate.MISSING, 0)


def test_a_record_whose_head_is_lost_is_known_by_its_place(archive: Archive, warc: Path) -> None:
    capture = capture_of(archive, "/2.txt")
    flipped(warc, capture.offset)

    report, _ = checked(warc, archive=archive)

    (failure,) = report.failures
    assert (failure.fate, failure.record_id) == (Fate.DAMAGED, capture.record_id)
    assert re.search(
        r"Later records can be read \(from byte \d{1,3}(,\d{3})*\)\.$", failure.message
    )


def test_a_record_whose_head_says_another_id_is_one_fault_of_the_one_that_stands_there(
    tmp_path: Path,
) -> None:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server:
        url = server.serve("/noise.bin", reply(hashlib.shake_128(b"noise").digest(100_000)))
        ingest(path, dataset_page(server, [{"name": "noise.bin", "contentUrl": url}]))
    with Archive.open_for_reading(path) as archive:
        known = capture_of(archive, "/noise.bin")
        warc = archive.warcs / known.filename
        content = warc.read_bytes()
        whole, _ = checked(warc, archive=archive)
        begin = content.index(b"WARC-Record-ID", known.offset)  # what is noise is not compressed
        for position in range(begin, begin + len(f"WARC-Record-ID: {known.record_id}")):
            changed = bytearray(content)
            changed[position] ^= 0x04
            warc.write_bytes(changed)
            report, checks = checked(warc, archive=archive)
            (bad,) = [each for each in checks if each.fate is not Fate.INTACT]

            assert (bad.own_id, bad.url, bad.fate) == (known.record_id, url, Fate.DAMAGED)
            assert not bad.is_accompanying
            assert report.records == whole.records


def test_what_a_file_that_was_cut_lacks_is_named(archive: Archive, warc: Path) -> None:
    capture = capture_of(archive, "/2.txt")
    warc.write_bytes(warc.read_bytes()[: capture.offset])

    report, _ = checked(warc, archive=archive)

    behind = [each for each in archive.ledger.captures.all() if each.offset >= capture.offset]
    assert [each.record_id for each in report.failures] == [each.record_id for each in behind]
    assert fates(list(report.failures)) == {Fate.MISSING}


def test_a_copy_that_ends_behind_a_response_lacks_its_request(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    last = archive.ledger.captures.in_warc(warc.name)[-1]
    copy = tmp_path / "copy.warc.gz"
    copy.write_bytes(warc.read_bytes()[: last.offset + last.length])

    _, checks = checked(copy)
    (cut,) = [check for check in checks if check.fate is not Fate.INTACT]

    assert (cut.message, cut.offset, cut.is_accompanying) == (
        no_request(),
        last.offset + last.length,
        False,
    )


def test_records_of_a_warc_that_is_gone_are_missing(archive: Archive, warc: Path) -> None:
    warc.unlink()

    of_folder, _ = checked(archive.path, archive=archive)
    of_file, _ = checked(warc, archive=archive)

    count = len(archive.ledger.captures.all())
    assert (of_folder.failed_records, of_folder.failed_paths) == (count, 0)
    assert (of_file.failed_records, of_file.failed_paths) == (count, 1)
    assert of_file.failures[0].fate is Fate.NOT_FOUND
    assert {each.path for each in of_folder.failures} == {str(warc)}


def test_a_payload_that_was_replaced_with_its_digests_is_found_by_the_ledger(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    copy, body = tmp_path / "copy.warc", BODIES[2]
    forged = body.replace(b"early", b"later")
    old, new = sha1_of(body).encode(), sha1_of(forged).encode()
    repacked(warc, copy, lambda content: content.replace(body, forged).replace(old, new))

    alone, _ = checked(copy)
    beside, _ = checked(copy, archive=archive)

    # The block's digest would have to be forged as well; the ledger minds neither.
    assert "block" in alone.failures[0].message
    (failure,) = [each for each in beside.failures if each.url.endswith("/2.txt")]
    assert "The payload's md5 is" in failure.message


def test_a_copy_is_known_by_the_ids_of_its_records(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "renamed and unpacked.warc"
    repacked(warc, copy)

    report, checks = checked(copy, archive=archive)

    assert report.is_intact
    assert report.in_ledger == len(archive.ledger.captures.all())
    assert {check.path for check in checks} == {str(copy)}


def test_a_copy_of_the_same_name_is_to_be_whole(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    copy = tmp_path / warc.name
    copy.write_bytes(warc.read_bytes()[: capture_of(archive, "/2.txt").offset])

    alone, _ = checked(copy)
    beside, _ = checked(copy, archive=archive)

    assert alone.is_intact
    assert fates(list(beside.failures)) == {Fate.MISSING}


def test_a_record_that_moved_in_its_own_file_is_told(archive: Archive, warc: Path) -> None:
    """The index would not find it any more."""
    warc.write_bytes(member(warcinfo().content) + warc.read_bytes())

    report, _ = checked(warc, archive=archive)

    assert report.failed_records == len(archive.ledger.captures.all())
    assert "The ledger has it at byte" in report.failures[0].message


def test_a_revisit_of_another_payload_than_the_ledger_says_is_told(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.warc"
    ours = next(each for each in archive.ledger.captures.all() if each.is_revisit)
    repacked(
        warc,
        copy,
        lambda content: b"WARC/1.1\r\n".join(
            part.replace(sha1_of(BODIES[0]).encode(), sha1_of(b"").encode())
            if b"WARC-Type: revisit" in part
            else part
            for part in content.split(b"WARC/1.1\r\n")
        ),
    )

    report, _ = checked(copy, archive=archive)

    (failure,) = report.failures
    assert failure.record_id == ours.record_id
    assert "refers to a payload with the digest" in failure.message


def test_a_record_that_is_a_revisit_no_more_is_told(
    archive: Archive, warc: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.warc"
    repacked(
        warc,
        copy,
        lambda content: content.replace(b"WARC-Type: revisit", b"WARC-Type: metadata"),
    )

    report, _ = checked(copy, archive=archive)

    (failure,) = report.failures
    assert "It is a metadata record; the ledger has a revisit." in failure.message


def test_unfinished_downloads_are_no_part_of_an_archive(archive: Archive) -> None:
    folder = archive.staging / "an-ingest"
    folder.mkdir(parents=True)
    (folder / "half.warc.gz").write_bytes(member(response(URL).content)[:40])

    above, _ = checked(archive.path.parent, archive=archive)
    itself, _ = checked(folder, archive=archive)

    assert above.is_intact
    assert not itself.is_intact


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_somebody_else_s_records_are_compared_with_their_own_digests(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    write_warc(
        path, warcinfo(), response(URL, b"<p>a"), request(URL), metadata(URL), revisit(URL, b"<p>a")
    )

    report, checks = checked(path)

    assert report.is_intact
    assert [each.compared_with for each in checks] == [(), (Evidence.PAYLOAD_DIGEST,), (), (), ()]
    assert (report.records, report.in_ledger, report.without_digest) == (5, 0, 4)


@pytest.mark.parametrize(
    ("fields", "fate", "compared"),
    [
        ([("WARC-Block-Digest", sha1_of(b"abc"))], Fate.INTACT, [Evidence.BLOCK_DIGEST]),
        ([("WARC-Block-Digest", sha1_of(b"abd"))], Fate.DAMAGED, [Evidence.BLOCK_DIGEST]),
        ([("WARC-Payload-Digest", sha1_of(b"abc"))], Fate.INTACT, [Evidence.PAYLOAD_DIGEST]),
        ([("WARC-Payload-Digest", sha1_of(b"abd"))], Fate.DAMAGED, [Evidence.PAYLOAD_DIGEST]),
        (
            [("WARC-Payload-Digest", f"SHA-256:{hashlib.sha256(b'abc').hexdigest()}")],
            Fate.INTACT,
            [Evidence.PAYLOAD_DIGEST],
        ),
        ([("WARC-Payload-Digest", "sha1:")], Fate.DAMAGED, [Evidence.PAYLOAD_DIGEST]),
        ([("WARC-Payload-Digest", "whirlpool:ABC")], Fate.INTACT, []),
        # The payload that this digest is of is in several records.
        (
            [("WARC-Payload-Digest", sha1_of(b"abcdef")), ("WARC-Segment-Number", "1")],
            Fate.INTACT,
            [],
        ),
    ],
)
def test_digests_are_compared_where_they_can_be(
    tmp_path: Path, fields: Fields, fate: Fate, compared: list[Evidence]
) -> None:
    path = tmp_path / "a.warc.gz"
    write_warc(path, record("resource", b"abc", [("WARC-Target-URI", URL), *fields]))

    check = check_of(path)

    assert (check.fate, list(check.compared_with)) == (fate, compared)


@pytest.mark.parametrize(
    ("stored", "digest_of", "fate"),
    [
        (b"5\r\nhello\r\n0\r\n\r\n", b"hello", Fate.INTACT),
        (b"5\r\nhello\r\n0\r\n\r\n", b"5\r\nhello\r\n0\r\n\r\n", Fate.INTACT),
        (b"5\r\nhello\r\n0\r\n\r\n", b"hellp", Fate.DAMAGED),
        (b"hello, no chunks at all", b"hello, no chunks at all", Fate.INTACT),
        (b"ffff\r\nthese chunks end too early", b"", Fate.DAMAGED),
        (b"", b"", Fate.INTACT),
    ],
)
def test_a_payload_in_chunks_has_either_of_two_digests(
    tmp_path: Path, stored: bytes, digest_of: bytes, fate: Fate
) -> None:
    path = tmp_path / "a.warc.gz"
    headers = (("Transfer-Encoding", "Chunked"),)
    write_warc(path, response(URL, stored, headers=headers, digest=sha1_of(digest_of)))

    assert check_of(path).fate is fate


def test_chunks_of_one_byte_are_not_taken_apart_for_ever(tmp_path: Path) -> None:
    path, chunks = tmp_path / "a.warc.gz", b"1\r\na\r\n" * 300_000 + b"0\r\n\r\n"
    headers = (("Transfer-Encoding", "chunked"),)
    write_warc(path, response(URL, chunks, headers=headers, digest=sha1_of(b"a" * 300_000)))

    check = check_of(path)

    assert (check.fate, check.compared_with) == (Fate.INTACT, ())


def test_a_large_payload_is_compared(tmp_path: Path) -> None:
    path, body = tmp_path / "a.warc.gz", NOISE.randbytes(3 * MEBIBYTE)
    write_warc(path, response(URL, body), response(URL, body, digest=sha1_of(body[:-1])))

    _, checks = checked(path)

    assert [(each.fate, each.size) for each in checks] == [
        (Fate.INTACT, len(body)),
        (Fate.DAMAGED, len(body)),
    ]


@pytest.mark.parametrize("name", ["a.arc", "a.arc.gz"])
def test_arc_files_are_read_too(tmp_path: Path, name: str) -> None:
    write_arc(tmp_path / name, arc_record(URL))

    report, _ = checked(tmp_path / name)

    assert (report.is_intact, report.records, report.without_digest) == (True, 2, 2)


def test_how_records_are_packed_is_no_damage(tmp_path: Path) -> None:
    write_whole_gzip(tmp_path / "a.warc.gz", response(URL), response(f"{URL}b"))

    report, _ = checked(tmp_path / "a.warc.gz")

    assert (report.is_intact, report.records) == (True, 2)


def test_a_record_with_something_behind_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(
        member(record("resource", b"longer", length=2).content) + member(response(URL).content)
    )

    _, checks = checked(path)

    assert [each.fate for each in checks] == [Fate.DAMAGED, Fate.INTACT]
    assert "longer than it says" in checks[0].message


def test_paths_that_hold_no_records_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.warc.gz").touch()
    (tmp_path / "notes.txt").write_text("no WARC")
    (tmp_path / "bundle.wacz").write_bytes(b"PK\x03\x04")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.warc.gz")
    (tmp_path / "loop.warc.gz").symlink_to("loop.warc.gz")
    (tmp_path / "nowhere.warc.gz").symlink_to("gone")
    names = [
        "gone.warc.gz",
        "empty.warc.gz",
        "notes.txt",
        "bundle.wacz",
        "folder",
        "pipe.warc.gz",
        "loop.warc.gz",
        "nowhere.warc.gz",
        "notes.txt/inside",
    ]

    found = {name: checked(tmp_path / name)[1] for name in names}

    assert {name: [check.fate for check in checks] for name, checks in found.items()} == {
        "gone.warc.gz": [Fate.NOT_FOUND],
        "empty.warc.gz": [Fate.NO_WARC],
        "notes.txt": [Fate.NO_WARC],
        "bundle.wacz": [Fate.UNREADABLE],
        "folder": [Fate.NO_WARC],
        "pipe.warc.gz": [Fate.UNREADABLE],
        "loop.warc.gz": [Fate.UNREADABLE],
        "nowhere.warc.gz": [Fate.NOT_FOUND],
        "notes.txt/inside": [Fate.NOT_FOUND],
    }
    assert all(check.message.endswith(".") for checks in found.values() for check in checks)


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response(URL))
    (tmp_path / "b.warc.gz").symlink_to("a.warc.gz")

    report, _ = checked(tmp_path, tmp_path / "a.warc.gz", tmp_path / ".." / tmp_path.name)

    assert report.records == 1


def test_folders_are_read_at_any_depth_and_bad_names_are_shown(tmp_path: Path) -> None:
    folder = tmp_path / "one" / os.fsdecode(b"tw\xff")
    folder.mkdir(parents=True)
    write_warc(folder / "a.warc.gz", response(URL))
    (tmp_path / "one" / "up").symlink_to(tmp_path)

    report, (check,) = checked(tmp_path)

    assert report.is_intact
    assert check.path.endswith("one/tw\\xff/a.warc.gz")


def _small_warc(tmp_path: Path) -> Path:
    path = tmp_path / "small.warc.gz"
    write_warc(path, response(URL, NOISE.randbytes(60)), resource(f"{URL}b", NOISE.randbytes(60)))
    return path


def test_of_a_warc_that_is_cut_within_its_first_record_that_is_told(
    warc: Path, tmp_path: Path
) -> None:
    content = warc.read_bytes()
    first = content.index(b"\x1f\x8b\x08", 1)
    cut = tmp_path / "cut.warc.gz"
    for length in range(20, first, 7):
        cut.write_bytes(content[:length])

        found = fates(list(path_checks([cut], None, Nobody())))

        assert found <= {Fate.DAMAGED, Fate.NO_WARC}, length


def test_a_large_file_that_is_alone_in_its_warc_lacks_no_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warc_series, "_ALONE_FROM_BYTES", 3 * MEBIBYTE)
    path, body = new_archive(tmp_path / "archive"), NOISE.randbytes(6 * MEBIBYTE)
    with WireServer() as server:
        url = server.serve("/large.bin", reply(body))
        file = {"name": "large.bin", "contentUrl": url, "sha256": hashlib.sha256(body).hexdigest()}
        ingest(path, dataset_page(server, [file], name="Large"))

    with Archive.open_for_reading(path) as archive:
        (whole,) = [it for it in archive.ledger.captures.all() if it.size == len(body)]
        alone = [it for it in archive.ledger.captures.all() if it.filename == whole.filename]
        report = asyncio.run(verify(archive))
        of_dataset = asyncio.run(verify(archive, archive.ledger.holdings.listed()[0]["ingest_id"]))

    assert alone == [whole]
    assert (report.failed_records, of_dataset.failed_records) == (0, 0)


def test_a_file_that_was_cut_at_any_byte_is_never_called_intact(tmp_path: Path) -> None:
    path = _small_warc(tmp_path)
    content = path.read_bytes()
    first = content.index(b"\x1f\x8b\x08", 1)
    cut = tmp_path / "cut.warc.gz"

    def fates_at(length: int) -> list[Fate]:
        cut.write_bytes(content[:length])
        return [check.fate for check in path_checks([cut], None, Nobody())]

    found = [fates_at(length) for length in range(len(content))]

    assert all(found)
    whole = [length for length, each in enumerate(found) if set(each) == {Fate.INTACT}]
    assert whole == [first]  # where one record ends and the other begins


def test_a_plain_file_that_was_cut_at_any_byte_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    (_, first), _ = write_warc(path, response(URL), resource(f"{URL}b", b"abc"))
    content, cut = path.read_bytes(), tmp_path / "cut.warc"

    def is_whole_at(length: int) -> bool:
        cut.write_bytes(content[:length])
        checks = list(path_checks([cut], None, Nobody()))
        return {check.fate for check in checks} == {Fate.INTACT}

    # The line breaks behind a block are no part of it: it is whole without them.
    ends = {*range(first - 4, first + 1), *range(len(content) - 4, len(content))}
    assert {length for length in range(len(content)) if is_whole_at(length)} <= ends


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc"])
def test_whatever_byte_is_changed_the_check_ends(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_warc(path, response(URL, NOISE.randbytes(60)), resource(f"{URL}b", NOISE.randbytes(60)))
    content, changed = path.read_bytes(), tmp_path / f"changed-{name}"

    def count_at(position: int, value: int) -> int:
        changed.write_bytes(content[:position] + bytes([value]) + content[position + 1 :])
        return len(list(path_checks([changed], None, Nobody())))

    counts = [
        count_at(position, content[position] ^ mask)
        for position in range(len(content))
        for mask in (0x01, 0x80, 0xFF)
    ]

    assert min(counts) >= 1


def test_garbage_is_no_warc(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(NOISE.randbytes(3 * MEBIBYTE))

    assert check_of(path).fate is Fate.NO_WARC


def _peak(path: Path) -> tuple[VerificationReport, int]:
    tracemalloc.start()
    try:
        report, _ = checked(path)
        return report, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_content_that_inflates_without_end_takes_little_memory(tmp_path: Path) -> None:
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n"
    path = tmp_path / "a.warc.gz"
    bombs = [
        gzip_bomb(300 * MEBIBYTE, head % 10**17),
        gzip_bomb(300 * MEBIBYTE, head % (200 * MEBIBYTE)),
        gzip_bomb(300 * MEBIBYTE, b"WARC/1.0\r\nX: "),
    ]
    path.write_bytes(b"".join([*bombs, member(response(URL).content)]))

    report, peak = _peak(path)

    assert (report.records, report.failed_records) == (4, 3)
    assert peak < 24 * MEBIBYTE


def test_faults_without_end_are_counted_and_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    long = b"WARC/1.0\r\nWARC-Target-URI: " + b"a" * 200_000 + b"\r\nContent-Length: 9\r\n\r\nshort"
    path.write_bytes(member(b"WARC/x\r\n\r\n") * 5000 + member(long) * 1500)

    report, peak = _peak(path)

    assert len(report.failures) == 1000
    assert report.failed_records >= 2500
    assert peak < 24 * MEBIBYTE


def test_of_faults_that_are_too_many_to_list_it_is_told_how_many_there_are(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(member(b"WARC/x\r\n\r\n") * 1003 + member(response(URL).content))

    _, checks = checked(path)

    assert len(checks) == 1002
    assert checks[1000].message == "There are 3 more faults after this byte."
    assert checks[1001].fate is Fate.INTACT


def test_a_damaged_file_without_a_whole_record_is_not_said_to_be_no_warc(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(member(response(URL).content)[:40])

    assert check_of(path).fate is Fate.DAMAGED


def test_only_what_is_intact_is_said_to_have_no_digest(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    write_warc(path, metadata(URL), metadata(URL))
    path.write_bytes(path.read_bytes()[:-9])

    report, _ = checked(path)

    assert (report.records, report.failed_records, report.without_digest) == (2, 1, 1)


def test_members_within_members_are_not_read_for_ever(tmp_path: Path) -> None:
    """Each begins a record and has no end, so that all that follows would be read for each."""
    start = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 99999999999\r\n\r\n"

    def stored(size: int) -> bytes:
        return struct.pack("<BHH", 0, size, size ^ 0xFFFF)

    block, size = b"", 0xFFFF
    while len(block) + 100 < size:
        block += start + stored(size - len(block) - len(start) - 5) + head
    block = stored(size) + block.ljust(size, b"\0")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(start + block * 64)
    reads: list[int] = []

    class Counting(Nobody):
        def attend(self, count: int) -> None:
            reads.append(count)

    found = fates(list(path_checks([path], None, Counting())))

    assert found == {Fate.DAMAGED}
    # In pieces of 32 KiB, once and four times again, and where it was looked for the next one.
    assert len(reads) < 40 * path.stat().st_size / (32 * 1024)


def test_progress_is_told_within_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    write_warc(path, resource(URL, bytes(40 * MEBIBYTE)))
    events: list[Event] = []

    asyncio.run(verify_paths([path], None, events.append))

    size = path.stat().st_size
    steps = [each for each in events if isinstance(each, VerificationProgress)]
    assert len(steps) >= 3
    assert {each.total for each in steps} == {size}
    assert [each.done for each in steps] == sorted(each.done for each in steps)
    last = events[-1]
    assert isinstance(last, RecordVerified)
    assert (last.done, last.total) == (size, size)


def test_a_run_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    write_warc(path, *(response(f"{URL}{number}") for number in range(3000)))
    before = threading.active_count()
    told: list[Event] = []

    async def cancelled() -> None:
        begun = asyncio.Event()

        def emit(event: Event) -> None:
            told.append(event)
            begun.set()

        run = asyncio.create_task(verify_paths([path], None, emit))
        await begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(cancelled())

    assert threading.active_count() == before
    assert len(told) < 3000
