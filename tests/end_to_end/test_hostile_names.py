# SPDX-License-Identifier: AGPL-3.0-or-later
"""One dataset whose names try to break out, through everything that Carrel writes.

What a platform declares is kept as declared in the ledger, in JSON. Nowhere else is it as it came
where it could mean something: no line, tag, header, column, path, formula or command of a terminal
begins in it.
"""

import csv
import gzip
import json
import logging
import re
import sys
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import bagit
import pytest
from selectolax.lexbor import LexborHTMLParser

from carrel.archive import Archive
from carrel.model.log_lines import Formatter
from carrel.model.table_cells import FORMULAS, harmless
from support.archives import Ran, carrel, new_archive
from support.wire import WireServer, dataset_page, reply

MARK = "X-Injected"
TITLE = (
    f'=HYPERLINK("http://evil.example")\r\n{MARK}: title\x1b[2J\u202eelttit'
    f"<img src=x onerror={MARK}>"
)
CREATORS = [
    f"Ann\r\n{MARK}: creator",
    "-2+3+cmd|' /C calc'!A0",
    f"\x1b]0;{MARK}\x07Bob\x85{MARK}: next",
    f"Eve\u2028{MARK}: separator\x0b{MARK}: tab\x00",
]
VERSION, LICENSE = f"1\r\n{MARK}: version", f"@SUM(1)\n{MARK}: licence"
NAMES = [
    f"line\r\n{MARK}: file.txt",
    "../../up.txt",
    "=cmd|' /C calc'!A0.csv",
    "@SUM(1+1).csv",
    "esc\x1b[31m.txt",
    "turn\u202egpj.exe",
    f"<img src=x onerror={MARK}>.html",
    f"a/{MARK}\u2028b.txt",
    "C:\\up.txt",
]
TYPE = f"text/plain\r\n{MARK}: type"
BOUND = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Hostile:
    """The archive that has it, the ingest, and what its ingest said."""

    archive: Path
    ingest_id: str
    ingested: Ran
    url: str


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    archive = new_archive(tmp_path_factory.mktemp("hostile") / "archive")
    with WireServer() as server:
        files = [
            {
                "name": name,
                "contentUrl": server.serve(f"/file/{at}", reply(b"tide %d\n" % at)),
                "encodingFormat": TYPE,
            }
            for at, name in enumerate(NAMES)
        ]
        url = dataset_page(
            server,
            files,
            name=TITLE,
            creator=[{"@type": "Person", "name": name} for name in CREATORS],
            version=VERSION,
            license=LICENSE,
            datePublished="2024-05-01",
        )
        listed = archive.parent / "list.csv"
        listed.write_text(f'url,title\n{url},"{TITLE.replace(chr(34), chr(34) * 2)}"\n')
        added = carrel("batch", "add", listed, "--archive", archive)
        assert added.code == 0, added.err
        ran = carrel("--log", "DEBUG", "batch", "run", "--archive", archive)
    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.holdings.held()
    return Hostile(archive, row["ingest_id"], ran, url)


def breaks_out(text: str, *, ends: str = "\n", but: str = "") -> list[str]:
    """Return what in lines for people or programs is as it came: a line of the attacker's, or a
    character that steers. Those of the categories in `but` may be there."""
    lines = [each for line in text.split(ends) for each in BOUND.split(line)]
    begun = [line for line in lines if line.lstrip().startswith(MARK)]
    steers = {"Cc", "Cf", "Zl", "Zp"} - set(but.split())
    return begun + [
        line
        for line in text.split(ends)
        if any(unicodedata.category(each) in steers for each in line if each != "\t")
    ]


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def exported(hostile: Hostile, form: str, folder: Path, *options: str) -> Path:
    ran = carrel("export", form, hostile.ingest_id, "-o", folder, *options,
                 "--archive", hostile.archive)  # fmt: skip
    assert ran.code == 0, ran.err
    assert breaks_out(ran.out) == []
    (path,) = (each for each in folder.iterdir())
    return path


def test_the_ledger_has_it_as_declared(hostile: Hostile) -> None:
    with Archive.open_for_reading(hostile.archive) as opened:
        result = opened.ledger.result(hostile.ingest_id)

    assert result is not None
    assert result["creators"][:3] == CREATORS[:3]  # HTML has no NUL
    assert (result["license"], result["platform_version"]) == (LICENSE, VERSION)
    assert [each["path"] for each in result["manifest"]] == NAMES


@pytest.mark.parametrize(
    "command",
    [
        ("results",),
        ("results", "{url}"),
        ("status",),
        ("formats", "--list"),
        ("batch", "list"),
        ("verify",),
        ("verify", "--ingest", "{ingest_id}"),
        ("mementos", "{url}", "--local"),
        ("preview", "{url}"),
    ],
)
def test_no_line_of_a_terminal_is_the_datasets(hostile: Hostile, command: tuple[str, ...]) -> None:
    named = {"url": hostile.url, "ingest_id": hostile.ingest_id}
    arguments = [each.format(**named) for each in command]

    ran = carrel(*arguments, "--archive", hostile.archive)

    assert breaks_out(ran.out) == []
    assert breaks_out(ran.err) == []


def test_no_line_of_the_log_is_the_datasets(hostile: Hostile) -> None:
    assert "DEBUG carrel" in hostile.ingested.err or "INFO carrel" in hostile.ingested.err
    assert breaks_out(hostile.ingested.err) == []
    assert breaks_out(hostile.ingested.out) == []


def test_no_head_of_a_record_has_a_field_of_the_datasets(hostile: Hostile) -> None:
    for path in (hostile.archive / "collections/main/archive").iterdir():
        for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
            warc_head, _, block = record.partition(b"\r\n\r\n")
            head = warc_head + (block.partition(b"\r\n\r\n")[0] if b"application/http" in warc_head
                                else b"")  # fmt: skip
            assert breaks_out(head.decode("latin-1"), ends="\r\n") == []


def test_the_fields_of_each_file_are_of_ours_alone(hostile: Hostile) -> None:
    """A metadata record has lines of fields as well (application/warc-fields)."""
    for path in (hostile.archive / "collections/main/archive").iterdir():
        for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
            warc_head, _, block = record.partition(b"\r\n\r\n")
            if b"application/warc-fields" in warc_head:
                # A path stands there for programs: what turns a line around belongs to it.
                assert breaks_out(block.decode().rstrip(), ends="\r\n", but="Cf") == []


def test_the_index_has_one_line_a_capture(hostile: Hostile) -> None:
    for path in (hostile.archive / "collections/main/indexes").iterdir():
        assert breaks_out(text_of(path)) in ([], [""])


@pytest.mark.parametrize("form", ["files", "bagit", "rocrate"])
def test_no_name_of_an_export_leads_elsewhere_or_steers(
    hostile: Hostile, tmp_path: Path, form: str
) -> None:
    path = exported(hostile, form, tmp_path / "out")

    names = [str(each.relative_to(tmp_path / "out")) for each in path.rglob("*")]
    assert len(list((path / "data").rglob("*.*"))) >= len(NAMES)
    assert not any(".." in PurePosixPath(name).parts for name in names)
    assert [name for name in names if breaks_out(name)] == []
    assert sorted(tmp_path.iterdir()) == [tmp_path / "out"]


@pytest.mark.parametrize("form", ["files", "bagit", "rocrate"])
def test_no_line_of_a_tag_file_is_the_datasets(hostile: Hostile, tmp_path: Path, form: str) -> None:
    path = exported(hostile, form, tmp_path / "out")

    texts = [each for each in path.rglob("*") if each.suffix in (".txt", ".tsv") and "data" not in
             each.relative_to(path).parts]  # fmt: skip
    told = {each.name: breaks_out(text_of(each)) for each in texts}
    assert {name: lines for name, lines in told.items() if lines} == {}


def test_the_tags_of_a_bag_are_ours_and_others_read_them_alike(
    hostile: Hostile, tmp_path: Path
) -> None:
    path = exported(hostile, "bagit", tmp_path / "out")

    bag = bagit.Bag(str(path))
    bag.validate()

    assert MARK not in bag.info
    assert all(MARK not in name for name in bag.info)


def test_a_crate_states_text_that_is_seen_and_names_that_are_paths(
    hostile: Hostile, tmp_path: Path
) -> None:
    path = exported(hostile, "rocrate", tmp_path / "out")

    graph = json.loads((path / "ro-crate-metadata.json").read_text("utf-8"))["@graph"]

    for entity in graph:
        for name, value in entity.items():
            for each in value if isinstance(value, list) else [value]:
                text = each["@id"] if isinstance(each, dict) else str(each)
                assert breaks_out(text) == [], name
        assert ".." not in entity["@id"].split("/")


def test_a_wacz_names_it_in_text_that_is_seen(hostile: Hostile, tmp_path: Path) -> None:
    with zipfile.ZipFile(exported(hostile, "wacz", tmp_path / "out")) as package:
        assert [name for name in package.namelist() if breaks_out(name) or ".." in name] == []
        pages = package.read("pages/pages.jsonl").decode()
        assert breaks_out(pages) == []


@pytest.mark.parametrize("command", ["certificate", "batch report"])
def test_a_page_for_people_has_no_element_of_the_datasets(
    hostile: Hostile, tmp_path: Path, command: str
) -> None:
    output = tmp_path / "page.html"
    named = [hostile.ingest_id] if command == "certificate" else ["list"]

    ran = carrel(*command.split(), *named, "-o", output, "--archive", hostile.archive)

    assert ran.code == 0, ran.err
    page = LexborHTMLParser(output.read_text("utf-8"))
    assert [each.tag for each in page.css("script, img")] == []
    assert page.body is not None
    shown = page.body.text(separator="\n")
    facts = page.css_first("#facts")
    assert breaks_out(shown.replace(facts.text() if facts else "", "")) == []


def test_a_table_of_a_batch_has_no_formula(hostile: Hostile, tmp_path: Path) -> None:
    output = tmp_path / "report.csv"

    ran = carrel("batch", "report", "list", "-o", output, "--archive", hostile.archive)

    assert ran.code == 0, ran.err
    with output.open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert any("HYPERLINK" in cell for cell in cells)
    assert [cell for cell in cells if cell.lstrip(" ").startswith(FORMULAS)] == []
    assert [cell for cell in cells if breaks_out(cell)] == []


def test_no_saved_copy_leads_elsewhere(hostile: Hostile, tmp_path: Path) -> None:
    ran = carrel("save", hostile.ingest_id, "-o", tmp_path / "out", "--archive", hostile.archive)

    assert ran.code == 0, ran.err
    assert breaks_out(ran.out + ran.err) == []
    names = [str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")]
    assert [name for name in names if breaks_out(name)] == []
    assert sum(each.is_file() for each in (tmp_path / "out").rglob("*")) == len(NAMES)


@pytest.mark.parametrize("cell", ["=1+1", " =1+1", "\t=1", "\r=1", "\n+1", "@x", "＝1+1", "-2+3"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert harmless(cell).startswith("'")
    assert breaks_out(harmless(cell)) == []


def test_a_cell_that_is_no_formula_is_as_it_is() -> None:
    assert harmless("Tides of 1953; a = b") == "Tides of 1953; a = b"


def test_a_line_of_the_log_is_one_line_whatever_it_names() -> None:
    formatter = Formatter("%(levelname)s %(name)s: %(message)s")
    record = logging.makeLogRecord(
        {"name": "carrel", "levelname": "WARNING", "msg": "%s was lost", "args": (NAMES[0],)}
    )

    assert breaks_out(formatter.format(record)) == []
    assert MARK in formatter.format(record)


def test_no_line_of_a_traceback_is_taken_for_one_of_the_log() -> None:
    formatter = Formatter("%(levelname)s %(name)s: %(message)s")
    try:
        raise ValueError(f"{CREATORS[0]}\nERROR carrel: not ours\x1b[2J")
    except ValueError:
        record = logging.makeLogRecord({"levelname": "ERROR", "exc_info": sys.exc_info()})

    first, *lines = formatter.format(record).split("\n")

    assert all(line.startswith("    ") for line in lines)
    assert breaks_out("\n".join(line[4:] for line in lines if MARK not in line)) == []
    assert any("not ours" in line for line in lines)
    assert first.startswith("ERROR")
