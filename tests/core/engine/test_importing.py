# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARC and WACZ files from elsewhere become part of an archive, verified, or not at all."""

import asyncio
import base64
import errno
import gzip
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.demo import DemoRepository
from carrel.engine import IngestOptions
from carrel.engine.importing import Imported, import_files, link_files
from carrel.engine.mementos import Mementos
from carrel.engine.merging import merge
from carrel.engine.rebuilding import rebuild
from carrel.engine.verification import verify
from carrel.model import Fate, IngestStrategy
from carrel.model.exports import ExportForm
from support.archives import SETTINGS, carrel, ingest, new_archive
from support.bundles import zipped
from support.exports import exported, only, tree
from support.held import hold_bundle, spoil_payload
from support.packages import write_files
from support.wire import WireServer, dataset_page, reply

TIDES, SURF = b"The tide came late.\n" * 20, b"The surf was up.\n" * 30


@pytest.fixture
def ours(server: WireServer, tmp_path: Path) -> Path:
    """An archive of two datasets; the second one has bytes of the first."""
    archive = new_archive(tmp_path / "ours")
    ingest(archive, page_of(server, "first", tides=TIDES, surf=SURF))
    ingest(archive, page_of(server, "second", copy=TIDES))
    return archive


def page_of(server: WireServer, name: str, **bodies: bytes) -> str:
    files = [
        {
            "name": path,
            "contentUrl": server.serve(f"/{name}/{path}", reply(body)),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        for path, body in bodies.items()
    ]
    return dataset_page(server, files, f"/{name}", name=name, identifier=name)


def foreign(path: Path) -> Path:
    """Write a WARC with a page and a revisit of it, as another program does."""
    http, body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<p>Hello"
    digest = f"sha1:{base64.b32encode(hashlib.sha1(body).digest()).decode()}"
    page = record("response", "http://other.example/", http + body, digest)
    again = record(
        "revisit",
        "http://other.example/again",
        http,
        digest,
        ("WARC-Refers-To-Target-URI", "http://other.example/"),
        ("WARC-Refers-To-Date", "2024-03-02T09:30:00Z"),
    )
    path.write_bytes(gzip.compress(page) + gzip.compress(again))
    return path


def record(kind: str, url: str, block: bytes, digest: str, *more: tuple[str, str]) -> bytes:
    fields = (
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{uuid4()}>"),
        ("WARC-Date", "2024-03-02T09:30:00Z"),
        ("WARC-Target-URI", url),
        ("WARC-Payload-Digest", digest),
        *more,
        ("Content-Type", "application/http; msgtype=response"),
        ("Content-Length", str(len(block))),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def imported(archive: Path, *paths: Path) -> list[Imported]:
    with Archive.create_or_open(archive) as opened:
        return list(import_files(opened, paths, lambda done, total: None))


def warcs(archive: Path) -> list[Path]:
    return sorted((archive / "collections/main/archive").iterdir())


def timestamp_of(opened: Archive, ingest_id: str) -> str:
    came = opened.ledger.captures.imported(ingest_id)
    return came.timestamp if came else ""


def certificate_of(archive: Path, ingest_id: str) -> str:
    """Return the words of a certificate."""
    output = archive / "certificate.html"
    told = carrel("certificate", ingest_id, "-o", output, "--archive", archive)
    assert told.code == 0, told.err
    return " ".join(LexborHTMLParser(output.read_bytes()).text(separator=" ").split())


def assert_sound(archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        assert asyncio.run(verify(opened)).is_sound
    assert rebuild(archive, lambda done, total: None).is_same


def files_of(archive: Path) -> dict[str, str]:
    with Archive.open_for_reading(archive) as opened:
        rows = opened.ledger.holdings.listed()
        results = [opened.ledger.result(row["ingest_id"]) or {} for row in rows]
    return {each["path"]: each["sha256"] for result in results for each in result["manifest"]}


def platforms_of(archive: Path) -> list[dict[str, Any]]:
    with Archive.open_for_reading(archive) as opened:
        return opened.ledger.platform_rows()


def test_what_carrel_exported_comes_back_with_its_results(ours: Path, tmp_path: Path) -> None:
    exported = carrel("export", "wacz", "--all", "-o", tmp_path / "out", "--archive", ours)
    assert exported.code == 0
    waczs = sorted((tmp_path / "out").glob("*.wacz"))
    theirs = tmp_path / "theirs"

    ran = carrel("import", *waczs, "--json", "--archive", theirs)

    assert ran.code == 0
    assert sum(len(each["attempts"]) for each in ran.lines) == 2
    assert files_of(theirs) == files_of(ours)
    assert platforms_of(theirs) == platforms_of(ours)
    assert_sound(theirs)
    again = carrel("export", "wacz", "--all", "-o", tmp_path / "again", "--archive", theirs)
    assert again.code == 0
    assert [each.name for each in sorted((tmp_path / "again").glob("*.wacz"))] == [
        each.name for each in waczs
    ]


def test_a_file_rests_on_the_record_that_an_export_brought_along(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(ours) as opened:
        (second,) = [
            row["ingest_id"] for row in opened.ledger.holdings.listed() if row["title"] == "second"
        ]
    carrel("export", "wacz", second, "-o", tmp_path / "out", "--archive", ours)
    theirs = tmp_path / "theirs"

    imported(theirs, *(tmp_path / "out").glob("*.wacz"))

    saved = carrel("save", second, "-o", tmp_path / "saved", "--archive", theirs)
    assert saved.code == 0, saved.err
    assert TIDES in [path.read_bytes() for path in (tmp_path / "saved").rglob("copy")]


def test_a_record_that_an_export_brought_along_is_indexed_where_the_ledger_has_it(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(ours) as opened:
        ids = {row["title"]: row["ingest_id"] for row in opened.ledger.holdings.listed()}
    theirs = tmp_path / "theirs"
    for title in ("second", "first"):  # the first one's record comes with the second one before it
        carrel("export", "wacz", ids[title], "-o", tmp_path / title, "--archive", ours)
        imported(theirs, *(tmp_path / title).glob("*.wacz"))

    with Archive.open_for_reading(theirs) as opened:
        names = {each.filename for each in opened.ledger.captures.all()}
        assert "earlier.warc.gz" in names
        assert not opened.index.faults()
    told = carrel("verify", "--archive", theirs)
    assert told.code == 0, told.out


def test_records_that_an_export_brings_along_are_not_stored_where_they_are(
    ours: Path, tmp_path: Path
) -> None:
    carrel("export", "wacz", "--all", "-o", tmp_path / "out", "--archive", ours)
    before = warcs(ours)

    done = imported(ours, *sorted((tmp_path / "out").glob("*.wacz")))

    assert any("!archive/earlier.warc.gz" in each.source for each in done)
    assert all(each.was_there for each in done)
    assert warcs(ours) == before
    with Archive.create_or_open(tmp_path / "all") as target:
        assert merge(target, [ours], lambda done, total: None).is_whole


def test_a_record_that_an_export_brings_along_is_stored_where_it_is_damaged(
    ours: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(ours) as opened:
        ids = {row["title"]: row["ingest_id"] for row in opened.ledger.holdings.listed()}
        carrel("export", "wacz", ids["second"], "-o", tmp_path / "out", "--archive", ours)
        spoil_payload(opened, ids["first"], 0)

    done = imported(ours, *(tmp_path / "out").glob("*.wacz"))

    assert [each.restored for each in done if each.name == "earlier.warc.gz"] == [1]
    assert carrel("save", ids["second"], "-o", tmp_path / "saved", "--archive", ours).code == 0


def test_a_warc_of_others_is_kept_byte_for_byte_and_found(tmp_path: Path) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"

    (done,) = imported(archive, path)

    assert (done.name, done.captures, done.new, done.trouble) == ("others.warc.gz", 2, 2, "")
    assert [each.read_bytes() for each in warcs(archive)] == [path.read_bytes()]
    found = carrel("mementos", "http://other.example/again", "--json", "--archive", archive)
    assert found.lines
    assert_sound(archive)


def test_the_same_file_again_adds_nothing(tmp_path: Path) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"
    imported(archive, path)

    (done,) = imported(archive, path)

    assert (done.new, done.was_there) == (0, True)
    assert len(warcs(archive)) == 1


def test_the_same_file_by_another_name_is_there_already(tmp_path: Path) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"
    imported(archive, path)

    (done,) = imported(archive, path.rename(tmp_path / "again.warc.gz"))

    assert (done.name, done.new, done.was_there) == ("others.warc.gz", 0, True)
    assert [each.name for each in warcs(archive)] == ["others.warc.gz"]


def test_a_warc_that_was_lost_is_stored_again_and_intact_in_the_ledger(tmp_path: Path) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"
    imported(archive, path)
    warcs(archive)[0].unlink()
    assert carrel("verify", "--archive", archive).code == 1

    told = carrel("import", path, "--archive", archive)

    assert "2 captures, 0 new, 0 ingests, stored again: no longer intact" in told.out
    with Archive.open_for_reading(archive) as opened:
        fates = [
            opened.ledger.fixity.of_record(it.record_id) for it in opened.ledger.captures.all()
        ]
    assert {each and each.fate for each in fates} == {Fate.INTACT}
    assert_sound(archive)


def test_an_empty_file_is_told_as_that_and_not_to_be_recompressed(tmp_path: Path) -> None:
    (tmp_path / "empty.warc").touch()

    (done,) = imported(tmp_path / "archive", tmp_path / "empty.warc")

    assert done.trouble == "There is no capture in it."


def revisit_alone(folder: Path) -> tuple[Path, Path]:
    """Write the page of a WARC of others, and its revisit, as WARCs of their own."""
    both = foreign(folder / "both.warc.gz").read_bytes()
    cut = both.rindex(b"\x1f\x8b\x08")
    page, again = folder / "page.warc.gz", folder / "again.warc.gz"
    page.write_bytes(both[:cut])
    again.write_bytes(both[cut:])
    return page, again


def test_a_warc_of_revisits_alone_says_that_their_bytes_are_not_here(tmp_path: Path) -> None:
    page, again = revisit_alone(tmp_path)
    archive = tmp_path / "archive"

    (refused,) = imported(archive, again)
    _, taken = imported(archive, page, again)

    assert refused.trouble == (
        "Nothing in it can be taken: A revisit of http://other.example/again: the bytes "
        "that it stands for are not here. Import the WARC that has the bytes, then this one again."
    )
    assert (taken.captures, taken.new, taken.trouble) == (1, 1, "")


def test_a_revisit_that_names_no_digest_is_said_to_be_so(tmp_path: Path) -> None:
    page, again = revisit_alone(tmp_path)
    content = gzip.decompress(again.read_bytes())
    at = content.index(b"sha1:") + len(b"sha1:")
    again.write_bytes(gzip.compress(content[:at] + b"0" * 32 + content[at + 32 :]))

    _, refused = imported(tmp_path / "archive", page, again)

    assert refused.trouble.endswith("it has no SHA-1 by which its bytes could be found.")


@pytest.mark.parametrize("step", ["kept_index.CdxjIndex.add", "ledger.ingests.Ingests.adopt"])
def test_killed_on_the_way_it_is_taken_in_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"
    with monkeypatch.context() as context:
        context.setattr(f"carrel.{step}", lambda *_, **__: pytest.fail("killed"))
        with pytest.raises(pytest.fail.Exception):
            imported(archive, path)

    (done,) = imported(archive, path)

    assert (done.new, done.was_there) == (2, True)
    assert_sound(archive)


def test_another_file_of_the_same_name_gets_a_number(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    (tmp_path / "b").mkdir()
    imported(archive, foreign(tmp_path / "others.warc.gz"))

    (done,) = imported(archive, foreign(tmp_path / "b" / "others.warc.gz"))

    assert done.name == "others-2.warc.gz"
    assert_sound(archive)


@pytest.mark.parametrize("how", ["flipped", "cut", "noise", "missing", "plain", "no-zip"])
def test_what_is_damaged_or_no_warc_is_not_taken(tmp_path: Path, how: str) -> None:
    path, archive = foreign(tmp_path / "others.warc.gz"), tmp_path / "archive"
    data = path.read_bytes()
    match how:
        case "flipped":
            first, second = (
                data[: data.rindex(b"\x1f\x8b\x08")],
                data[data.rindex(b"\x1f\x8b\x08") :],
            )
            content = gzip.decompress(first).replace(b"Hello", b"Hullo")
            path.write_bytes(gzip.compress(content) + second)
        case "cut":
            path.write_bytes(data[:-40])
        case "noise":
            path.write_bytes(bytes(range(256)) * 40)
        case "missing":
            path.unlink()
        case "plain":
            path = path.rename(tmp_path / "others.warc")
        case "no-zip":
            path = path.rename(tmp_path / "others.wacz")

    (done,) = imported(archive, path)

    assert (done.name, bool(done.trouble)) == ("", True)
    assert warcs(archive) == []
    assert [each.name for each in (archive / "staging").iterdir() if each.is_dir()] == []
    assert_sound(archive)


def test_a_result_that_its_records_do_not_bear_out_is_not_believed(
    ours: Path, tmp_path: Path
) -> None:
    warc = warcs(ours)[0]
    true = hashlib.sha256(TIDES).hexdigest().encode()
    members = [gzip.compress(each) for each in _records(warc, true, b"0" * 64)]
    lying = tmp_path / "lying.warc.gz"
    lying.write_bytes(b"".join(members))
    archive = tmp_path / "archive"

    (done,) = imported(archive, lying)

    assert done.attempts == []
    assert any("another SHA-256" in each for each in done.remarks)
    assert files_of(archive) == {}


def owners(archive: Path) -> dict[str, list[str]]:
    """Return the records of each attempt of an archive."""
    with Archive.open_for_reading(archive) as opened:
        ids = [row["ingest_id"] for row in opened.ledger.holdings.listed()]
        found = {each: opened.ledger.captures.all(each) for each in ids}
    return {each: sorted(it.record_id for it in captures) for each, captures in found.items()}


@pytest.fixture
def in_several(server: WireServer, tmp_path: Path) -> Path:
    """An archive of one dataset, in many WARCs, one of them of a large file alone."""
    archive = new_archive(tmp_path / "ours", f"{SETTINGS}[warc]\nmax_size = 20000\n")
    noise = {f"{number}.bin": os.urandom(9000) for number in range(6)}
    ingest(archive, page_of(server, "first", **noise, large=os.urandom(9_000_000)))
    assert len(warcs(archive)) > 3
    return archive


def test_without_ledger_and_journal_each_warc_is_known_to_be_of_its_ingest(
    in_several: Path,
) -> None:
    before = owners(in_several)
    (in_several / "carrel.sqlite").unlink()
    shutil.rmtree(in_several / "journal")

    assert rebuild(in_several, lambda done, total: None).is_replaced

    assert owners(in_several) == before


@pytest.mark.parametrize("turn", [1, -1])
def test_warcs_of_one_ingest_belong_to_it_in_whatever_order_they_come(
    turn: int, in_several: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"

    for warc in warcs(in_several)[::turn]:
        done, *_ = imported(theirs, warc)
        assert not done.trouble

    assert owners(theirs) == owners(in_several)
    assert_sound(theirs)
    first = carrel("export", "wacz", "--all", "-o", tmp_path / "a", "--archive", in_several)
    again = carrel("export", "wacz", "--all", "-o", tmp_path / "b", "--archive", theirs)
    assert (first.code, again.code) == (0, 0), again.err
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


@pytest.mark.parametrize("is_bundle", [True, False])
def test_an_archive_of_imports_is_rebuilt_the_same(
    server: WireServer, ours: Path, tmp_path: Path, is_bundle: bool
) -> None:
    """Results stand in several WARCs then, and records that two datasets lean on twice."""
    files = {"tides": TIDES, "surf": SURF}
    if is_bundle:
        with Archive.create_or_open(new_archive(tmp_path / "bundled")) as opened:
            hold_bundle(opened, server, files, zipped(files))
            paths = [only(exported(opened, ExportForm.WACZ, tmp_path / "out"))[1]]
    else:
        told = carrel("export", "wacz", "--all", "-o", tmp_path / "out", "--archive", ours)
        assert told.code == 0, told.err
        paths = sorted((tmp_path / "out").glob("*.wacz"))
        assert len(paths) == 2
    theirs = tmp_path / "theirs"
    for done in imported(theirs, *paths):
        assert not done.trouble

    made = rebuild(theirs, lambda done, total: None)

    assert made.is_whole, made
    assert made.is_same, made.differences


def test_what_came_in_a_wacz_is_told_as_imported_and_known_so_after_a_rebuild(
    server: WireServer, tmp_path: Path
) -> None:
    files = {"tides": TIDES, "surf": SURF}
    with Archive.create_or_open(new_archive(tmp_path / "ours")) as opened:
        hold_bundle(opened, server, files, zipped(files))
        path = only(exported(opened, ExportForm.WACZ, tmp_path / "out"))[1]
        (row,) = opened.ledger.holdings.listed()
        assert opened.ledger.captures.imported(row["ingest_id"]) is None
    theirs = tmp_path / "theirs"
    today = f"{datetime.now(UTC):%Y%m%d}"

    imported(theirs, path)

    with Archive.open_for_reading(theirs) as opened:
        (when,) = [
            timestamp_of(opened, each["ingest_id"]) for each in opened.ledger.holdings.listed()
        ]
    assert when[:8] >= today
    words = certificate_of(theirs, "1")
    assert "Imported on " + f"{today[:4]}-{today[4:6]}-{today[6:]}" in words
    assert "UTC, in the archive that it was imported from" in words
    assert "Not fully verified again since it was imported." in words
    assert "Not verified again since it was imported." in words
    assert "since it was archived" not in words
    assert re.search(
        r"Archived [-\d]+ [:\d]+ UTC, in the archive that it was imported from\s+"
        rf"Imported {today[:4]}-{today[4:6]}-{today[6:]} [:\d]+ UTC",
        words,
    )
    (theirs / "carrel.sqlite").unlink()
    assert rebuild(theirs, lambda done, total: None).is_replaced
    with Archive.open_for_reading(theirs) as opened:
        (row,) = opened.ledger.holdings.listed()
        assert timestamp_of(opened, row["ingest_id"]) == when


def test_what_was_a_folder_and_no_archive_is_not_told_as_come_from_one(tmp_path: Path) -> None:
    folder, first, second = tmp_path / "odd", tmp_path / "first", tmp_path / "second"
    write_files(folder, {"a.txt": b"a"})
    (folder / "link.txt").symlink_to("a.txt")

    imported(first, folder)
    imported(second, *warcs(first))

    with Archive.open_for_reading(first) as opened:
        ingest_id = opened.ledger.holdings.listed()[0]["ingest_id"]
    here, there = certificate_of(first, ingest_id), certificate_of(second, ingest_id)
    assert "in the archive that it was imported from" not in here
    assert "no record of when and from where they were. Imported from odd." in here
    assert "Listed 2 files" in here
    assert "not-imported It is a link, which is not followed. 1 link.txt If you have" in here
    assert "repository" not in here.partition("Who answered")[0]
    assert "UTC, in the archive that it was imported from" in there
    assert "The archive that it came from says: Imported from odd." in there


def test_a_warc_can_be_linked_in_place_of_copied(ours: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    paths = warcs(ours)

    told = carrel("import", "--link", *paths, tmp_path / "x.wacz", "--archive", theirs)
    again = carrel("import", "--link", *paths, "--archive", theirs)

    assert told.code == 1
    assert f"not imported: {tmp_path / 'x.wacz'}: Only a .warc.gz file can be linked." in told.out
    assert again.code == 0
    assert again.out.count("was there already") == 2
    assert [each.stat().st_ino for each in warcs(theirs)] == [each.stat().st_ino for each in paths]
    assert owners(theirs) == owners(ours)
    assert_sound(theirs)
    assert not (theirs / "staging/import").exists()


def test_what_cannot_be_linked_is_not_copied_instead(
    ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", refuse)

    with Archive.create_or_open(tmp_path / "theirs") as opened:
        (done, _) = link_files(opened, warcs(ours), lambda done, total: None)

    assert done.trouble == "It is on another file system. Import it without --link: it is copied."
    assert warcs(tmp_path / "theirs") == []


@pytest.mark.parametrize("form", [ExportForm.WACZ, ExportForm.BAGIT])
def test_only_what_has_a_capture_here_is_told_as_captured(
    server: WireServer, tmp_path: Path, form: ExportForm
) -> None:
    """A bag has the files of a dataset with their addresses, and no capture of these."""
    url = server.serve("/tides.txt", reply(TIDES))
    page = dataset_page(server, [{"name": "tides.txt", "contentUrl": url}], name="Tides")
    (held,) = ingest(new_archive(tmp_path / "ours"), page)
    with Archive.open_for_reading(tmp_path / "ours") as opened:
        path = only(exported(opened, form, tmp_path / "out", held.ingest_id or ""))[1]
    imported(tmp_path / "theirs", path)

    with Archive.open_for_reading(tmp_path / "theirs") as opened:
        (row,) = opened.ledger.holdings.listed()
        parts = asyncio.run(Mementos(opened.settings, opened).parts_of(row["ingest_id"]))

    assert [part.url for part in parts] == [page, url]
    assert {part.is_captured for part in parts} == {form is ExportForm.WACZ}


def test_a_file_of_a_bundle_does_not_rest_on_the_bundle_itself(
    server: WireServer, tmp_path: Path
) -> None:
    files = {"tides": TIDES, "surf": SURF}
    with Archive.create_or_open(new_archive(tmp_path / "ours")) as opened:
        hold_bundle(opened, server, files, zipped(files))
        path = only(exported(opened, ExportForm.WACZ, tmp_path / "out"))[1]

    imported(tmp_path / "theirs", path)

    saved = carrel("save", "1", "-o", tmp_path / "saved", "--archive", tmp_path / "theirs")
    assert saved.code == 0, saved.err
    assert {path.read_bytes() for path in (tmp_path / "saved").rglob("*") if path.is_file()} >= {
        TIDES,
        SURF,
    }


def _records(warc: Path, true: bytes, false: bytes) -> Iterator[bytes]:
    """Yield the records of a WARC, one digest in its result being another, with no digests."""
    data = gzip.decompress(warc.read_bytes())
    for part in data.split(b"WARC/1.1\r\n")[1:]:
        lines = part.split(b"\r\n")
        text = b"\r\n".join(line for line in lines if b"-Digest:" not in line)
        is_result = b"urn:x-carrel:ingest:" in text[:600]
        yield b"WARC/1.1\r\n" + (text.replace(true, false) if is_result else text)


def test_json_has_what_the_words_say(tmp_path: Path) -> None:
    path = foreign(tmp_path / "others.warc.gz")

    ran = carrel("import", path, tmp_path / "no.warc.gz", "--json", "--archive", tmp_path / "a")

    assert ran.code == 1
    taken, refused = (json.loads(line) for line in ran.out.splitlines())
    assert (taken["captures"], refused["name"]) == (2, "")
    assert refused["trouble"]


@pytest.fixture
def completed(server: WireServer, tmp_path: Path) -> Path:
    """An archive of one dataset, in two WARCs: of the first attempt, and of the retry that had the
    second file, too."""
    archive = new_archive(tmp_path / "completed")
    page = page_of(server, "first", tides=TIDES, surf=SURF)
    server.serve("/first/surf", reply(b"gone", status="404 Not Found"))
    ingest(archive, page)
    server.serve("/first/surf", reply(SURF))
    ingest(archive, page)
    assert len(warcs(archive)) == 2
    return archive


def status_of(archive: Path) -> Any:
    return carrel("status", "--json", "--archive", archive).lines[0]


def test_a_file_whose_record_is_in_another_warc_is_named_as_not_here_until_that_comes(
    completed: Path, tmp_path: Path
) -> None:
    first, retry = warcs(completed)
    theirs = tmp_path / "theirs"

    done, end = imported(theirs, retry)

    (ingest_id,) = done.attempts
    assert (end.title, end.awaited, end.is_whole) == ("first", ["tides"], False)
    with Archive.open_for_reading(theirs) as opened:
        assert opened.ledger.fixity.file_fates(ingest_id) == {"tides": Fate.MISSING}
        found = asyncio.run(verify(opened))
        assert [each.fate for each in found.failures] == [Fate.MISSING]
        assert "was not imported" in found.failures[0].message
        assert not opened.index.faults()
        url = found.failures[0].url
        assert url not in [each.url for each in opened.ledger.capture_index.with_text("tides")]
    assert "was not imported" in certificate_of(theirs, ingest_id)
    saved = carrel("save", ingest_id, "-o", tmp_path / "saved", "--archive", theirs)
    assert "tides" in saved.err
    assert "was not imported" in saved.err
    assert rebuild(theirs, lambda done, total: None).is_same

    imported(theirs, first)

    assert owners(theirs) == owners(completed)
    assert_sound(theirs)
    with Archive.open_for_reading(theirs) as opened:
        assert opened.ledger.fixity.file_fates(ingest_id) == {}
        assert not list(opened.ledger.fixity_history.open_damages())
    assert rebuild(theirs, lambda done, total: None).is_whole


@pytest.mark.parametrize("turn", [1, -1])
def test_nothing_is_awaited_that_came_in_the_same_import(
    completed: Path, in_several: Path, tmp_path: Path, turn: int
) -> None:
    for number, archive in enumerate((completed, in_several)):
        found = imported(tmp_path / f"theirs-{number}", *warcs(archive)[::turn])

        assert all(each.is_whole for each in found)


def test_what_is_awaited_is_named_by_the_command_line(completed: Path, tmp_path: Path) -> None:
    ran = carrel("import", warcs(completed)[1], "--archive", tmp_path / "theirs")

    assert ran.code == 1
    assert "first: some files are missing here.\n  tides: Its record is in another WARC" in ran.out


@pytest.mark.parametrize("turn", [1, -1])
def test_archives_of_which_one_lacks_a_warc_that_the_other_has_are_whole_once_merged(
    completed: Path, tmp_path: Path, turn: int
) -> None:
    parts = [tmp_path / "of-first", tmp_path / "of-retry"]
    for part, warc in zip(parts, warcs(completed), strict=True):
        imported(part, warc)

    with Archive.create_or_open(tmp_path / "both") as opened:
        done = merge(opened, parts[::turn], lambda done, total: None)

    told = [fault.message for source in done.sources for fault in source.faults]
    assert all("was not imported" in each for each in told)
    assert_sound(tmp_path / "both")
    assert files_of(tmp_path / "both") == files_of(completed)
    with Archive.open_for_reading(tmp_path / "both") as opened:
        assert not opened.ledger.fixity.faults()


def test_the_result_of_an_ingest_that_found_all_here_before_brings_no_bytes(
    ours: Path, server: WireServer, tmp_path: Path
) -> None:
    ingest(ours, page_of(server, "third", again=SURF))
    theirs = tmp_path / "theirs"

    done, _ = imported(theirs, warcs(ours)[-1])

    (ingest_id,) = done.attempts
    with Archive.open_for_reading(theirs) as opened:
        assert opened.ledger.fixity.file_fates(ingest_id) == {"again": Fate.MISSING}


def test_a_warc_that_was_not_imported_is_none_of_a_merge_and_of_a_repair(
    completed: Path, tmp_path: Path
) -> None:
    theirs, copy = new_archive(tmp_path / "theirs"), tmp_path / "copy"
    imported(theirs, warcs(completed)[1])
    carrel("replicate", copy, "--archive", theirs)

    planned = carrel("archive", "merge", "--into", tmp_path / "all", theirs, "--dry-run", "--json")
    repaired = carrel("repair", "--from", copy, "--archive", theirs)

    assert '"warcs": 1' in planned.out
    assert "not-imported-" not in planned.out + repaired.out
    assert repaired.code == 1
    assert "not repaired: http" in repaired.out
    assert "which was not imported: import that one as well." in repaired.out


@pytest.mark.parametrize("said", ["banana", "2931-01-01T00:00:00Z"])
def test_a_result_with_a_date_that_cannot_be_is_not_believed(
    said: str, ours: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(ours) as opened:
        ended = [each["finished"] for each in opened.ledger.holdings.listed()]
    members = [*_records(warcs(ours)[0], b"", b"")]
    for moment in ended:
        true, other = f'"finished": "{moment}"'.encode(), f'"finished": "{said:20}"'.encode()
        members = [each.replace(true, other) for each in members]
    lying = tmp_path / "lying.warc.gz"
    lying.write_bytes(b"".join(map(gzip.compress, members)))
    archive = tmp_path / "archive"

    (done,) = imported(archive, lying)

    assert (done.attempts, done.trouble) == ([], "")
    assert any(f"“{said}" in each and "is not a time" in each for each in done.remarks), done
    assert files_of(archive) == {}


def test_what_was_not_imported_is_whole_once_it_is_archived_here(
    completed: Path, server: WireServer, tmp_path: Path
) -> None:
    theirs = new_archive(tmp_path / "theirs")
    imported(theirs, warcs(completed)[1])

    ingest(theirs, f"{server.origin}/first")

    with Archive.open_for_reading(theirs) as opened:
        assert asyncio.run(verify(opened)).is_sound
        assert not opened.ledger.fixity.faults()


@pytest.mark.parametrize("is_lying", [False, True])
def test_a_bundle_comes_along_with_its_result(tmp_path: Path, is_lying: bool) -> None:
    ours, theirs = new_archive(tmp_path / "ours"), tmp_path / "theirs"
    with DemoRepository() as repository:
        url = repository.dataset("DIARY3").url(repository)
        bundled = IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED)
        (result,) = ingest(ours, url, options=bundled)
    assert result.outcome
    assert result.outcome.bundle
    warc = warcs(ours)[0]
    if is_lying:
        true = result.outcome.bundle.sha256.encode()
        warc.write_bytes(b"".join(map(gzip.compress, _records(warc, true, b"0" * 64))))

    (done,) = imported(theirs, warc)

    if is_lying:
        assert any("another SHA-256" in each for each in done.remarks)
        assert files_of(theirs) == {}
        return
    assert done.attempts == [result.ingest_id]
    assert not done.remarks
    assert files_of(theirs) == files_of(ours)
    assert_sound(theirs)
