# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify` with paths, as a shell sees it."""

import os
import pty
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.cli.program import run as main
from carrel.model import Fate
from support.archives import Ran, command, environment, ingest, new_archive
from support.warcs import metadata, response, sha1_of, write_warc
from support.wire import WireServer, dataset_page, reply

Carrel = Callable[..., Ran]
URL = "http://example.org/"
FIELDS = [
    "url",
    "filename",
    "offset",
    "size",
    "fate",
    "message",
    "path",
    "record_id",
    "compared_with",
    "advice",
    "part",
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = new_archive(tmp_path_factory.mktemp("archives") / "archive")
    with WireServer() as server:
        file = {"name": "a.txt", "contentUrl": server.serve("/a.txt", reply(b"The tide."))}
        ingest(path, dataset_page(server, [file], name="Tides"))
    return path


@pytest.fixture
def archive(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The documents of somebody who has no archive yet."""
    documents = tmp_path / "documents"
    documents.mkdir()
    monkeypatch.delenv("CARREL_ARCHIVE", raising=False)
    monkeypatch.setattr("platformdirs.user_documents_path", lambda: documents)
    return documents


@pytest.fixture
def carrel(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Carrel:
    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["carrel", "verify", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A WARC of somebody else's."""
    path = tmp_path / "stick" / "a.warc.gz"
    path.parent.mkdir()
    write_warc(path, response(URL), metadata(URL))
    return path


def warc_of(archive: Path) -> Path:
    (path,) = (archive / "collections/main/archive").iterdir()
    return path


def test_a_warc_from_anywhere_is_verified_and_no_archive_is_made(
    carrel: Carrel, foreign: Path, home: Path
) -> None:
    ran = carrel(foreign)

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("All 2 records")
    assert "1 of the intact ones has no payload digest" in ran.out
    assert "No archive was given" in ran.out
    assert list(home.iterdir()) == []
    assert [path.name for path in foreign.parent.iterdir()] == [foreign.name]


def test_each_record_is_an_object_a_line(carrel: Carrel, foreign: Path) -> None:
    ran = carrel("--json", foreign.parent)

    first, second = ran.lines
    assert (ran.code, ran.err) == (0, "")
    assert list(first) == FIELDS
    assert (first["url"], first["offset"], first["fate"]) == (URL, 0, "intact")
    assert first["record_id"].startswith("<urn:uuid:")
    assert (first["filename"], first["path"]) == (foreign.name, str(foreign))
    assert (first["compared_with"], second["compared_with"]) == (["WARC-Payload-Digest"], [])


def test_what_is_not_intact_is_shown_with_its_place(carrel: Carrel, foreign: Path) -> None:
    write_warc(foreign, response(URL, b"a", digest=sha1_of(b"b")), metadata(URL))

    ran = carrel(foreign, foreign.parent / "gone.warc", foreign.parent)

    assert ran.code == 1
    assert f"damaged: {URL} in {foreign}, byte 0: The payload of a record has" in ran.out
    assert f"not-found: {foreign.parent / 'gone.warc'}: This path does not exist." in ran.out
    assert "1 of 2 records" in ran.out
    assert "1 path could not be verified." in ran.out


def test_a_path_in_an_archive_is_compared_with_its_ledger(carrel: Carrel, archive: Path) -> None:
    of_all = carrel("--json", "--archive", archive)
    of_folder = carrel("--json", archive)
    of_warc = carrel("--json", warc_of(archive))
    in_words = carrel(archive)

    assert of_folder.lines == of_all.lines == of_warc.lines
    assert of_all.code == of_folder.code == of_warc.code == 0
    assert "ledger" in of_all.lines[1]["compared_with"]
    assert f"were compared with the ledger of {archive.resolve()}: " in in_words.out


def test_the_archive_that_is_named_is_asked_about_a_copy(
    carrel: Carrel, archive: Path, foreign: Path
) -> None:
    copy = foreign.parent / warc_of(archive).name
    copy.write_bytes(warc_of(archive).read_bytes()[:-400])

    alone = carrel("--json", copy)
    beside = carrel("--json", copy, "--archive", archive)

    with Archive.open_for_reading(archive) as opened:
        known = {each.record_id for each in opened.ledger.captures.all()}
    assert not any("ledger" in line["compared_with"] for line in alone.lines)
    assert known == {
        line["record_id"]
        for line in beside.lines
        if "ledger" in line["compared_with"] or line["fate"] == "missing"
    }


@pytest.fixture
def second_warc(archive: Path, home: Path) -> Path:
    """Another WARC of the archive."""
    with WireServer() as server:
        file = {"name": "b.txt", "contentUrl": server.serve("/b.txt", reply(b"It left."))}
        before = set((archive / "collections/main/archive").iterdir())
        ingest(archive, dataset_page(server, [file], name="Ebbs"))
    (warc,) = set((archive / "collections/main/archive").iterdir()) - before
    return warc


def test_a_copy_that_lacks_whole_warcs_is_said_to(
    carrel: Carrel, archive: Path, second_warc: Path, tmp_path: Path
) -> None:
    part = tmp_path / "part"
    part.mkdir()
    shutil.copy(next(each for each in second_warc.parent.iterdir() if each != second_warc), part)
    with Archive.open_for_reading(archive) as opened:
        count = len(opened.ledger.captures.in_warc(second_warc.name))

    in_words = carrel(part, "--archive", archive)
    as_json = carrel("--json", part, "--archive", archive)

    said = (
        f"Not in these paths: 1 of the 2 WARCs of {archive} ({count} records of files and pages): "
    )
    assert (in_words.code, as_json.code) == (0, 0)
    assert f"{said}{second_warc.name}." in in_words.out
    assert f"{said}{second_warc.name}." in as_json.err
    assert {line["fate"] for line in as_json.lines} == {"intact"}


def test_what_copies_lack_is_a_failure_where_they_are_to_be_complete(
    carrel: Carrel, archive: Path, second_warc: Path, foreign: Path
) -> None:
    other = next(each for each in second_warc.parent.iterdir() if each != second_warc)
    with Archive.open_for_reading(archive) as opened:
        known = {each.record_id for each in opened.ledger.captures.in_warc(second_warc.name)}

    of_part = carrel("--json", "--complete", other, "--archive", archive)
    of_both = carrel("--json", "--complete", other, second_warc, "--archive", archive)
    of_none = carrel("--complete", foreign, "--archive", archive)

    missing = [line for line in of_part.lines if line["fate"] == "missing"]
    assert (of_part.code, of_both.code, of_none.code) == (1, 0, 1)
    assert {line["record_id"] for line in missing} == known
    assert {(line["filename"], line["path"]) for line in missing} == {(second_warc.name, None)}
    assert "2 of the 2 WARCs" in of_none.out


def test_files_that_are_no_copies_lack_nothing(
    carrel: Carrel, archive: Path, foreign: Path
) -> None:
    assert "Not in these paths" not in carrel(foreign, "--archive", archive).out
    assert "Not in these paths" not in carrel(warc_of(archive)).out


def test_of_damage_it_is_said_how_the_bytes_can_be_had_again(carrel: Carrel, archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        capture = next(each for each in opened.ledger.captures.all() if each.url.endswith("/a.txt"))
    warc = warc_of(archive)
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)

    ran = carrel("--archive", archive)

    assert ran.code == 1
    assert "no other copy of these bytes" in ran.out
    assert "“carrel ingest http" in ran.out
    with Archive.open_for_reading(archive) as opened:
        found = opened.ledger.fixity.of_record(capture.record_id)
        assert found is not None
        assert found.fate is Fate.DAMAGED
    told = subprocess.run(
        command("results", "--archive", archive),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "DAMAGED: 1 record, found " in told.stdout


def test_of_a_warc_that_is_missing_each_thing_is_said_once(carrel: Carrel, archive: Path) -> None:
    warc = warc_of(archive)
    warc.unlink()

    ran = carrel("--archive", archive)

    assert ran.code == 1
    assert ran.out.count(warc.name) == 1
    assert ran.out.count("fetches them again") == 1
    assert "/a.txt, byte " in ran.out


def test_of_a_warc_that_is_missing_it_is_said_which_records_are_not_counted(
    carrel: Carrel, archive: Path
) -> None:
    whole = carrel("--archive", archive)
    warc_of(archive).unlink()

    assert "only the records of files and pages are known and counted" not in whole.out
    assert (
        "Of what is missing, only the records of files and pages are known and counted; the "
        "requests, metadata and warcinfo records that accompanied them are not."
    ) in carrel("--archive", archive).out


def test_of_damage_it_is_said_that_the_bytes_are_elsewhere(carrel: Carrel, tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "mended")
    with WireServer() as server:
        file = {"name": "b.txt", "contentUrl": server.serve("/b.txt", reply(b"It left."))}
        page = dataset_page(server, [file], name="Ebbs")
        ingest(archive, page)
        _flip_a_byte_of(archive, "/b.txt")
        found = carrel("--archive", archive)
        ingest(archive, page)

    ran = carrel("--archive", archive)

    assert " is not intact." in found.out
    assert "intact elsewhere" not in found.out
    assert ran.code == 1
    assert "Its bytes are intact elsewhere in the archive." in ran.out


def _flip_a_byte_of(archive: Path, end_of_url: str) -> None:
    with Archive.open_for_reading(archive) as opened:
        capture = next(
            each for each in opened.ledger.captures.all() if each.url.endswith(end_of_url)
        )
    warc = archive / "collections/main/archive" / capture.filename
    content = bytearray(warc.read_bytes())
    content[capture.offset + capture.length // 2] ^= 1
    warc.write_bytes(content)


def test_what_can_not_be_noted_is_said(carrel: Carrel, archive: Path) -> None:
    with Archive.create_or_open(archive):
        ran = carrel("--archive", archive)

    assert ran.code == 0
    assert "Not recorded in the ledger." in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--complete"],
        ["--complete", "a.warc.gz"],
        ["--ingest", "an-id", "a.warc.gz"],
        ["a.warc.gz", "--archive", "/nowhere/at/all"],
        [],
        ["--archive", "/nowhere/at/all"],
    ],
)
def test_a_wrong_call_is_explained(carrel: Carrel, arguments: list[str], home: Path) -> None:
    ran = carrel(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("carrel: ")
    assert list(home.iterdir()) == []


def test_paths_in_several_archives_are_not_mixed_up(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(archive, other)

    mixed = carrel(archive, other)
    named = carrel(archive, other, "--archive", archive)

    assert (mixed.code, named.code) == (2, 0)
    assert "several archives" in mixed.err


def test_what_one_ingest_rests_on_is_verified_as_before(carrel: Carrel, archive: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        (result,) = opened.ledger.holdings.held()
        known = {each.record_id for each in opened.ledger.captures.all()}

    ran = carrel("--json", "--ingest", result["ingest_id"], "--archive", archive)

    assert ran.code == 0
    assert {line["record_id"] for line in ran.lines} == known
    assert {tuple(line["compared_with"]) for line in ran.lines} == {("ledger",)}


def test_names_that_are_no_text_are_told_all_the_same(
    carrel: Carrel, foreign: Path, tmp_path: Path
) -> None:
    bad = tmp_path / os.fsdecode(b"\xff\x1b[31m.warc.gz")
    shutil.copy(foreign, bad)
    bad.write_bytes(bad.read_bytes()[:-9])

    as_json, in_words = carrel("--json", bad), carrel(bad)

    assert as_json.lines[0]["filename"] == "\\xff\x1b[31m.warc.gz"
    assert "\x1b" not in in_words.out
    assert (as_json.code, in_words.code) == (1, 1)


def test_on_a_terminal_a_bar_goes_to_standard_error_and_lines_to_standard_output(
    foreign: Path,
) -> None:
    master, slave = pty.openpty()
    try:
        ran = subprocess.run(
            command("verify", "--json", foreign),
            env=environment(TERM="xterm"),
            stdout=subprocess.PIPE,
            stderr=slave,
            text=True,
            timeout=120,
            check=False,
        )
        shown = os.read(master, 65536)
    finally:
        os.close(slave)
        os.close(master)

    assert len(Ran(ran.returncode, ran.stdout, "").lines) == 2
    assert b"verifying" in shown
    assert b"WARC-Payload-Digest" not in shown
