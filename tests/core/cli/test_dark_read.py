# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark read`, as a shell sees it."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from carrel.cli.dark import surveys
from carrel.cli.dark.read import read

TEMPLATE = "Template-Type: ReDIF-Paper 1.0\nTitle: Größe\nHandle: RePEc:aaa:wpaper: {}<br />\n"
FILE = "File-URL: URL:http://e.org/ {}.pdf?a=1&amp;b=2\nFile-URL:\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(read, [str(each) for each in arguments])


def lines(ran: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


def codes(line: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in line["problems"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive with a sound file, a web page, an empty file, and what is none of its files."""
    series = tmp_path / "aaa" / "wpaper"
    series.mkdir(parents=True)
    text = "".join((TEMPLATE + FILE).format(number, number) for number in (1, 2))
    (series / "one.RDF").write_bytes(text.encode("utf-8-sig"))
    (series / "page.redif").write_text("<html>")
    (series / "old.rdf.bad").write_text("none")
    (tmp_path / "aaa" / "aaaarch.rdf").touch()
    return tmp_path


def test_each_file_is_a_line(folder: Path) -> None:
    ran = run(folder, "--json")

    empty, one, page = lines(ran)
    assert ran.exit_code == 0
    assert one == {
        "path": os.path.join(str(folder), "aaa", "wpaper", "one.RDF"),
        "encoding": "utf-8-sig",
        "templates": 2,
        "handles": ["RePEc:aaa:wpaper:1", "RePEc:aaa:wpaper:2"],
        "file_urls": ["http://e.org/1.pdf?a=1&b=2", "http://e.org/2.pdf?a=1&b=2"],
        "problems": [
            {
                "code": "html-line-breaks",
                "line": 3,
                "message": "Lines end in <br />, which is HTML; remove it.",
            },
            {"code": "empty-file-url", "line": 5, "message": "The File-URL is empty."},
            {"code": "empty-file-url", "line": 10, "message": "The File-URL is empty."},
        ],
    }
    assert (empty["encoding"], empty["templates"], codes(empty)) == ("ascii", 0, ["empty"])
    assert (page["handles"], page["file_urls"], codes(page)) == ([], [], ["html"])


def test_paths_are_as_they_were_given(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)

    ran = run("./aaa", os.path.join(".", "aaa", "wpaper", "old.rdf.bad"), "--json")

    assert [line["path"].replace(os.sep, "/") for line in lines(ran)] == [
        "./aaa/aaaarch.rdf",
        "./aaa/wpaper/one.RDF",
        "./aaa/wpaper/page.redif",
        "./aaa/wpaper/old.rdf.bad",
    ]


def test_a_handle_in_two_files_is_told_with_the_first(tmp_path: Path) -> None:
    paper = "Template-Type: ReDIF-Paper 1.0\nTitle: Ebb\nHandle: RePEc:aaa:wpaper:1\n"
    for name in ("a.rdf", "b.rdf"):
        (tmp_path / name).write_text(paper)

    first, second = lines(run(tmp_path, "--json"))

    assert (codes(first), codes(second)) == ([], ["duplicate-handle"])
    assert second["problems"][0]["message"].endswith(f"is also in {tmp_path / 'a.rdf'}.")


def test_what_can_not_be_read_is_told_and_the_rest_is_read(folder: Path) -> None:
    missing = folder / "missing.rdf"

    ran = run(missing, folder / "aaa" / "wpaper" / "one.RDF", "--json")

    gone, one = lines(ran)
    assert ran.exit_code == 1
    assert gone["path"] == str(missing)
    assert (gone["encoding"], gone["templates"], gone["handles"]) == (None, 0, [])
    assert codes(gone) == ["not-readable"]
    assert one["templates"] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rdf")

    ran = run(tmp_path / "pipe.rdf", "--json")

    assert ran.exit_code == 1
    assert codes(lines(ran)[0]) == ["not-readable"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_what_one_may_not_read_is_told(folder: Path) -> None:
    (folder / "aaa" / "wpaper").chmod(0)

    ran = run(folder, "--json")

    (folder / "aaa" / "wpaper").chmod(0o700)
    assert ran.exit_code == 1
    assert [codes(line) for line in lines(ran)] == [["empty"], ["not-readable"]]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there")
def test_a_name_that_is_no_text_is_printed_all_the_same(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6\xdfe.rdf")
    Path(path).write_text(TEMPLATE.format(1), "utf-8")

    as_json, as_text = run(tmp_path, "--json"), run(tmp_path)

    assert [line["path"] for line in lines(as_json)] == [path]
    assert as_text.exit_code == 0


def test_very_many_handles_are_printed_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveys, "_IN_MEMORY_CHARS", 1000)
    text = "".join((TEMPLATE + FILE).format(number, number) for number in range(6000))
    (tmp_path / "many.rdf").write_text(text, "utf-8", newline="")
    (tmp_path / "one.rdf").write_text(TEMPLATE.format(1), "utf-8")

    many, one = lines(run(tmp_path, "--json"))

    assert many["templates"] == 6000
    assert many["handles"] == [f"RePEc:aaa:wpaper:{number}" for number in range(6000)]
    assert many["file_urls"][-1] == "http://e.org/5999.pdf?a=1&b=2"
    assert one["handles"] == ["RePEc:aaa:wpaper:1"]
    assert one["file_urls"] == []


def test_without_json_people_read_it(folder: Path) -> None:
    ran = run(folder / "aaa" / "wpaper" / "one.RDF", folder / "none")

    assert ran.exit_code == 1
    assert ran.stdout.splitlines() == [
        f"{folder / 'aaa' / 'wpaper' / 'one.RDF'}: utf-8-sig, 2 templates, 2 handles, 2 File-URLs",
        "    line 3: Lines end in <br />, which is HTML; remove it.",
        "    line 5: The File-URL is empty.",
        "    line 10: The File-URL is empty.",
        f"{folder / 'none'}: not read",
        "    It cannot be read: No such file or directory.",
    ]


def test_a_folder_without_redif_is_told(tmp_path: Path) -> None:
    ran = run(tmp_path, "--json")

    assert ran.exit_code == 0
    assert ran.stdout == ""
    assert "no .rdf or .redif" in ran.stderr
