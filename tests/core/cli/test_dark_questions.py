# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark lost`, `changes`, `show`, `series`, `runs` and `search`."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from carrel.archive import LEDGER_NAME, Archive
from carrel.cli.dark import dark
from carrel.cli.dark.dates import when
from carrel.dark_archive.place import begin_folder, store_root
from carrel.dark_archive.store_session import StoreSession
from carrel.errors import NotAnArchive, UsageError
from carrel.model.dark import (
    ContainerSeen,
    ContainerState,
    Entry,
    FixityChecked,
    ObiKind,
    Redirect,
    Reference,
    RunEnded,
    RunSource,
    ScopeRead,
    TemplateSeen,
    Version,
)
from carrel.model.remarks import Remark
from support.archives import carrel
from support.dark_ledgers import (
    APPEARED,
    BACK,
    CHANGED,
    DAY,
    FRIDAY,
    MONDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    Chronicle,
    asked,
    began,
    handle,
    iso,
    lost,
    md5,
    sha256,
    template,
    url,
    version,
)
from support.read_only import read_only

ONE, TWO, NEW = handle(1), handle(2), handle("2023-01")
HOSTILE = "RePEc:aaa:wpaper:\x1b[2j\u202eevil"
FIRST = "Template-Type: ReDIF-Paper 1.0\nTitle: Größe\nHandle: RePEc:aaa:wpaper:1\n"
SECOND = FIRST.replace("Größe", "Größe, \x1b[31mrevised\x1b[0m")
LONG_AGO = MONDAY - 900 * DAY


def run(*arguments: object) -> Result:
    return CliRunner().invoke(dark, [str(each) for each in arguments])


def lines(ran: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An archive folder without a dark archive."""
    path = tmp_path / "archive"
    Archive.create_or_open(path).close()
    return path


@pytest.fixture
def told(folder: Path) -> Iterator[Chronicle]:
    with Chronicle(folder / LEDGER_NAME) as chronicle:
        yield chronicle


@pytest.fixture
def week(told: Chronicle) -> Chronicle:
    """One renamed, one lost, a full text lost, one suspect, one whose copy is damaged."""
    told.run(
        MONDAY,
        template(MONDAY, ONE, text="one", urls=[url("one")], dated=LONG_AGO),
        template(MONDAY, TWO, text="two", urls=[url("two"), url("three")], place=1),
        template(MONDAY, "RePEc:bbb:journl:7", text="seven", urls=[url("seven")]),
        asked(MONDAY, url("one"), APPEARED, "%PDF one"),
        asked(MONDAY, url("two"), APPEARED, "%PDF two"),
        asked(MONDAY, url("seven"), APPEARED, "%PDF seven"),
    )
    told.run(
        TUESDAY,
        template(TUESDAY, NEW, text="new", urls=[url("one")], place=2),
        lost(TUESDAY, ONE),
        asked(TUESDAY, url("two"), outcome="http-404"),
    )
    told.run(
        FRIDAY,
        asked(FRIDAY, url("two"), outcome="http-404"),
        lost(FRIDAY, url("two"), TUESDAY, "http-404", ObiKind.FOBI),
        asked(FRIDAY, url("one"), outcome="dns"),
    )
    told.note(FixityChecked(FRIDAY + 60, 6, 99, {sha256("%PDF seven"): "damaged"}))
    return told


def test_a_watched_dataset_that_was_missed_is_counted_apart(week: Chronicle, folder: Path) -> None:
    before = run("lost", "--archive", folder).stdout.splitlines()
    watched = TemplateSeen(
        FRIDAY + DAY,
        "watch",
        "example",
        0,
        "dataset:https://example.org/ds",
        "dataset:https://example.org/ds",
        md5("ds"),
        True,
        incidence=APPEARED,
        version=version("ds"),
    )
    gone = ContainerSeen(FRIDAY + 2 * DAY, "watch", "example", ContainerState.GONE)
    week.run(FRIDAY + DAY, watched, source=RunSource.WATCH, scope="watch")
    week.run(FRIDAY + 2 * DAY, gone, source=RunSource.WATCH, scope="watch", is_ended=False)

    words = run("lost", "--archive", folder).stdout.splitlines()
    as_json = lines(run("lost", "--archive", folder, "--json"))

    note = (
        "1 watched dataset that was missed is not among these; “carrel dark watch list” shows it."
    )
    assert words == [*before, note]
    assert not [row for row in as_json if row["ident"].startswith("dataset:")]
    assert "watch:" not in run("lost", "--new", "--archive", folder).stdout


def test_losses_are_told_by_series_with_renames_and_suspects_apart(
    week: Chronicle, folder: Path
) -> None:
    ran = run("lost", "--archive", folder)

    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        "aaa:wpaper: 1 resource lost, 1 likely renamed, 1 suspect",
        "  no longer delivered at its address (1 http-404)",
        f"    2023-11-15  {url('two')}  (http-404, held, new)",
        "  likely renamed, since a current template links to the same file",
        f"    2023-11-15  {ONE}  likely renamed to {NEW}",
        "  suspects: missing, not confirmed yet (1 dns)",
        f"    2023-11-18  {url('one')}  (dns, held, new)",
        "",
        "bbb:journl: 1 copy damaged",
        "  copy damaged (1 damaged)",
        f"    2023-11-18  {url('seven')}  (damaged, no intact copy held, new)",
        "",
        "Total: 1 resource lost, 1 copy damaged, 1 likely renamed, 1 suspect.",
    ]


def test_a_loss_is_a_json_object_a_line(week: Chronicle, folder: Path) -> None:
    ran = run("lost", "--archive", folder, "--json")

    first, *rest = lines(ran)
    assert first == {
        "what": "reference",
        "state": "renamed",
        "kind": "tobi",
        "ident": ONE,
        "since": TUESDAY,
        "since_when": iso(TUESDAY),
        "confirmed": TUESDAY,
        "confirmed_when": iso(TUESDAY),
        "dated": None,
        "dated_when": None,
        "cause": "not-in-data",
        "archive": "aaa",
        "series": "wpaper",
        "held": True,
        "was_captured": True,
        "renamed_to": [NEW],
        "is_new": False,
    }
    assert [(each["what"], each["state"], each["ident"]) for each in rest] == [
        ("resource", "lost", url("two")),
        ("resource", "suspect", url("one")),
        ("copy", "damaged", url("seven")),
    ]


@pytest.mark.parametrize(
    ("options", "idents"),
    [
        (["--new"], [url("two"), url("one"), url("seven")]),
        (["--what", "reference"], [ONE]),
        (["--repec-archive", "BBB"], [url("seven")]),
        (["--repec-archive", "RePEc:aaa", "--what", "resource"], [url("two"), url("one")]),
        (["--series", "WPAPER", "--new"], [url("two"), url("one")]),
        (["--since", "2023-11-16"], [url("one"), url("seven")]),
        (["--since", FRIDAY + 1], [url("seven")]),
    ],
)
def test_losses_are_narrowed_by_options(
    week: Chronicle, folder: Path, options: list[object], idents: list[str]
) -> None:
    ran = run("lost", "--archive", folder, "--json", *options)

    assert [each["ident"] for each in lines(ran)] == idents


def test_what_is_new_names_the_run_that_determined_it(week: Chronicle, folder: Path) -> None:
    (newest, *_) = week.questions.runs()
    week.run(newest.tist + 60, source=RunSource.BACKFILL, scope="backfill:old")
    week.run(newest.tist + 120, scope_ok=False)

    words = run("lost", "--new", "--archive", folder).stdout.splitlines()

    said = f"RePEc: losses were determined last by the run of {when(newest.tist)}."
    assert words[0] == said
    assert "determined" not in run("lost", "--archive", folder).stdout


@pytest.mark.parametrize("command", ["lost", "changes"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--repec-archive", "xyz"], "archive xyz"),
        (["--repec-archive", "aaa", "--series", "journl"], "series journl of the archive aaa"),
    ],
)
def test_a_series_that_is_not_known_is_not_told_as_unharmed(
    week: Chronicle, folder: Path, command: str, options: list[str], named: str
) -> None:
    ran = run(command, "--archive", folder, *options)

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert named in ran.stderr


def test_a_text_that_never_came_is_told_apart_from_one_whose_copy_is_damaged(
    week: Chronicle, folder: Path
) -> None:
    week.run(FRIDAY + 120, lost(FRIDAY + 120, TWO), lost(FRIDAY + 120, "RePEc:bbb:journl:7"))

    ran = run("lost", "--archive", folder, "--what", "reference")

    assert f"{url('three')}  (not-in-data, never captured, new)" in ran.stdout
    assert f"{url('seven')}  (not-in-data, no intact copy held, new)" in ran.stdout


def test_of_a_copy_whose_other_version_is_intact_that_is_said(
    week: Chronicle, folder: Path
) -> None:
    week.run(FRIDAY + 120, asked(FRIDAY + 120, url("seven"), CHANGED, "%PDF eight"))
    week.note(FixityChecked(FRIDAY + 180, 6, 99, {sha256("%PDF eight"): "missing"}))
    week.note(FixityChecked(FRIDAY + 240, 0, 0, {}, [sha256("%PDF seven")]))  # repaired

    ran = run("lost", "--archive", folder, "--what", "copy")

    assert f"{url('seven')}  (missing, another version held" in ran.stdout


def test_the_help_says_when_a_suspect_counts_as_lost() -> None:
    said = " ".join(run("lost", "--help").stdout.split())

    assert "once another harvest misses it, confirm_after_days after the first miss" in said
    assert (
        "a template that a backfill added, once the next complete harvest does not find it" in said
    )
    assert "with 0 days the first miss is enough" in said


def test_nothing_lost_is_said(told: Chronicle, folder: Path) -> None:
    told.run(MONDAY, template(MONDAY, ONE, text="one"))

    ran = run("lost", "--archive", folder)

    assert (ran.exit_code, ran.stdout) == (0, "No losses among those selected.\n")


def test_a_long_list_of_losses_is_cut_and_says_so(told: Chronicle, folder: Path) -> None:
    handles = [handle(n) for n in range(25)]
    told.run(MONDAY, *(template(MONDAY, each, text=each) for each in handles))
    told.run(TUESDAY, *(lost(TUESDAY, each) for each in handles))

    ran = run("lost", "--archive", folder)

    assert ran.stdout.count("RePEc:aaa:wpaper:") == 20
    assert "… and 5 more" in ran.stdout


def test_losses_are_written_as_a_table_that_no_spreadsheet_runs(
    told: Chronicle, folder: Path, tmp_path: Path
) -> None:
    formula = "=hyperlink:1"
    told.run(MONDAY, template(MONDAY, ONE, text="one"))
    told.run(TUESDAY, replace(template(TUESDAY, TWO, text="2"), ident=formula, ident_n=formula))
    told.run(WEDNESDAY, lost(WEDNESDAY, formula), lost(WEDNESDAY, ONE))
    table = tmp_path / "lost.csv"

    ran = run("lost", "--archive", folder, "--csv", table)

    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert [row["ident"] for row in rows] == [f"'{formula}", ONE]
    assert (rows[1]["cause"], rows[1]["held"], rows[1]["since_when"]) == (
        "not-in-data",
        "yes",
        iso(WEDNESDAY),
    )


def test_a_table_is_never_written_over_a_file_unless_told_to(
    week: Chronicle, folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("mine")

    refused = run("series", "--archive", folder, "--csv", table)
    forced = run("series", "--archive", folder, "--csv", table, "--force")

    assert isinstance(refused.exception, UsageError)
    assert "--force" in str(refused.exception)
    assert forced.exit_code == 0
    assert table.read_text(encoding="utf-8").startswith("archive,series,templates")


def test_a_table_can_go_to_standard_output(week: Chronicle, folder: Path) -> None:
    ran = run("series", "--archive", folder, "--csv", "-")

    assert [line.split(",")[:3] for line in ran.stdout.splitlines()] == [
        ["archive", "series", "templates"],
        ["aaa", "wpaper", "3"],
        ["bbb", "journl", "1"],
    ]


def test_the_log_is_a_json_object_a_line_in_its_order(week: Chronicle, folder: Path) -> None:
    ran = run("changes", "--archive", folder, "--json")

    found = lines(ran)
    assert found[0] == {
        "tist": MONDAY,
        "when": iso(MONDAY),
        "dated": LONG_AGO,
        "dated_when": iso(LONG_AGO),
        "incidence": "appearance",
        "kind": "tobi",
        "ident": ONE,
        "since": None,
        "cause": None,
        "before": None,
        "text_changed": None,
        "archive": "aaa",
        "series": "wpaper",
    }
    assert [(each["tist"], each["incidence"], each["ident"]) for each in found[6:]] == [
        (TUESDAY, "appearance", NEW),
        (TUESDAY, "deletion", ONE),
        (FRIDAY, "deletion", url("two")),
    ]
    assert (found[-1]["since"], found[-1]["before"]) == (TUESDAY, MONDAY)


def test_the_log_is_told_in_words(week: Chronicle, folder: Path) -> None:
    ran = run("changes", "--archive", folder, "--since", "2023-11-15", "--kind", "deletion")

    assert ran.stdout.splitlines() == [
        f"{iso(TUESDAY)}  lost       {ONE}  (not-in-data)",
        f"{iso(FRIDAY)}  lost       {url('two')}  (http-404, first missed {iso(TUESDAY)})",
    ]


def test_a_full_text_that_reappears_with_other_bytes_is_told_so(
    told: Chronicle, folder: Path
) -> None:
    urls = [url("same"), url("other")]
    told.run(MONDAY, *(asked(MONDAY, each, APPEARED, "%PDF") for each in urls))
    told.run(TUESDAY, *(asked(TUESDAY, each, outcome="http-404") for each in urls))
    told.run(
        WEDNESDAY, *(lost(WEDNESDAY, each, TUESDAY, "http-404", ObiKind.FOBI) for each in urls)
    )
    told.run(FRIDAY, asked(FRIDAY, url("same"), BACK), asked(FRIDAY, url("other"), BACK, "%PDF 2"))

    same, other = run("changes", "--kind", "reappearance", "--archive", folder).stdout.splitlines()

    assert same.endswith(f"reappeared  {url('same')}")
    assert other.endswith(f"reappeared  {url('other')}  (other bytes than before)")


def test_an_empty_log_is_said(week: Chronicle, folder: Path) -> None:
    ran = run("changes", "--archive", folder, "--since", "2030")

    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "No such events" in ran.stderr


def test_series_are_a_table_of_numbers(week: Chronicle, folder: Path) -> None:
    words = run("series", "--archive", folder).stdout.splitlines()
    first, _ = lines(run("series", "--archive", folder, "--json"))

    assert words[1].split() == ["aaa:wpaper", "3", "0", "1", "1", "3", "1", "1", "1", "0"]
    assert first == {
        "archive": "aaa",
        "series": "wpaper",
        "templates": 3,
        "templates_lost": 0,
        "renamed": 1,
        "pending": 1,
        "full_texts": 3,
        "full_texts_lost": 1,
        "lost_but_held": 1,
        "never_captured": 1,
        "not_requested": 0,
    }


def test_runs_are_listed_newest_first(told: Chronicle, folder: Path) -> None:
    told.run(MONDAY, source=RunSource.TARBALL, dated=LONG_AGO)
    told.note(began(TUESDAY), RunEnded(TUESDAY, False, iso(TUESDAY + 5), {}))
    told.run(WEDNESDAY, is_ended=False)

    words = run("runs", "--archive", folder).stdout.splitlines()
    as_json = lines(run("runs", "--archive", folder, "--json"))

    assert [each["tist"] for each in as_json] == [WEDNESDAY, TUESDAY, MONDAY]
    assert "not ended" in words[1]
    assert "nothing was concluded" in words[3]
    assert "tarball: /data/RePEc, data of 2021-05-28" in words[4]


def test_when_a_run_began_is_its_time_also_where_its_number_is_ahead(
    told: Chronicle, folder: Path
) -> None:
    ahead = replace(began(TUESDAY), wall_clock=iso(TUESDAY - 3))
    told.note(ahead, RunEnded(TUESDAY, True, iso(TUESDAY + 5), {}))

    (as_json,) = lines(run("runs", "--archive", folder, "--json"))

    assert as_json["when"] == as_json["began"] == iso(TUESDAY - 3)


def test_a_run_that_was_cut_short_says_where(told: Chronicle, folder: Path) -> None:
    stopped = {"appeared": 1, "stopped": 1}
    told.note(began(MONDAY), RunEnded(MONDAY, False, iso(MONDAY + 5), {"stopped": 1}))
    told.note(began(TUESDAY), RunEnded(TUESDAY, True, iso(TUESDAY + 5), stopped))
    told.note(began(WEDNESDAY), ScopeRead(WEDNESDAY, {"lost": 1}))

    words = run("runs", "--archive", folder).stdout.splitlines()

    assert words[1].strip() == (
        "not ended: interrupted, or still running, while full texts were requested; "
        "lost or renamed 1"
    )
    ended = iso(TUESDAY + 5)
    assert words[3].strip() == f"stopped {ended} before all full texts were requested; appeared 1"
    assert "before the source was read completely; nothing was concluded" in words[5]


def test_a_run_says_what_it_remarked_whichever_came_after_it(told: Chronicle, folder: Path) -> None:
    remarks = (Remark("a.rdf is HTML.", "a.rdf"), Remark("b.rdf is HTML.", "b.rdf"))
    end = RunEnded(MONDAY, True, iso(MONDAY + 5), {"appeared": 1}, None, remarks, 3)
    told.note(began(MONDAY), asked(MONDAY, url("1"), outcome="http-404"), end)
    told.run(TUESDAY, asked(TUESDAY, url("1"), outcome="http-410"))

    ran = run("runs", str(MONDAY), "--archive", folder).stdout.splitlines()
    (as_json,) = lines(run("runs", str(MONDAY), "--archive", folder, "--json"))
    unknown = run("runs", "17", "--archive", folder)

    expected = ["… is HTML.", "    a.rdf", "    b.rdf", "… and 3 more."]
    assert [each.removeprefix("    ") for each in ran[2:]] == expected
    assert as_json["remarks"][0] == {"sentence": "a.rdf is HTML.", "about": "a.rdf"}
    assert as_json["unlisted"] == 3
    assert "No harvest has this number" in str(unknown.exception)


def test_a_run_without_sentences_says_what_did_not_come_and_could_not_be_read(
    told: Chronicle, folder: Path
) -> None:
    unread = ContainerSeen(
        TUESDAY, "RePEc", "aaa/all.rdf", ContainerState.UNREADABLE, problem="it is HTML"
    )
    told.run(MONDAY, asked(MONDAY, url("1"), outcome="http-404"))
    told.run(TUESDAY, unread, asked(TUESDAY, url("2"), outcome="http-410"), is_ended=False)
    told.run(WEDNESDAY, asked(WEDNESDAY, url("3"), outcome="http-404"), is_ended=False)

    ran = run("runs", str(TUESDAY), "--archive", folder).stdout.splitlines()

    assert [each.strip() for each in ran[2:]] == [
        "aaa/all.rdf: it is HTML.",
        f"{url('2')}: http-410.",
    ]


def test_a_run_does_not_call_lost_what_may_be_renamed(told: Chronicle, folder: Path) -> None:
    told.note(began(TUESDAY), RunEnded(TUESDAY, True, iso(TUESDAY + 5), {"lost": 2, "suspect": 1}))

    words = run("runs", "--archive", folder).stdout.splitlines()
    (as_json,) = lines(run("runs", "--archive", folder, "--json"))

    assert words[1].endswith("; lost or renamed 2, suspect 1")
    assert as_json["counts"] == {"lost": 2, "suspect": 1}


def test_what_is_found_is_told_with_its_state(week: Chronicle, folder: Path) -> None:
    words = run("search", "aaa:WPAPER", "--archive", folder)
    one = lines(run("search", "example.org/seven", "--archive", folder, "--json"))

    assert words.stdout.splitlines() == [
        f"renamed   {ONE}",
        f"present   {TWO}",
        f"present   {NEW}",
    ]
    assert one == [
        {
            "kind": "fobi",
            "ident": url("seven"),
            "state": "present",
            "archive": "bbb",
            "series": "journl",
            "fault": "damaged",
            "outcome": "ok",
            "delivered": MONDAY,
        }
    ]


def test_more_than_is_shown_is_said_and_nothing_is_said(week: Chronicle, folder: Path) -> None:
    some = run("search", "e", "--limit", "2", "--archive", folder)
    none = run("search", "nowhere", "--archive", folder)

    assert (some.exit_code, some.stdout.count("\n")) == (0, 2)
    assert "--limit" in some.stderr
    assert (none.exit_code, none.stdout) == (1, "")
    assert "nowhere" in none.stderr


@pytest.mark.parametrize("spelled", [ONE, " repec:AAA:WPaper:1 "])
def test_an_object_is_shown_with_its_life(week: Chronicle, folder: Path, spelled: str) -> None:
    ran = run("show", spelled, "--archive", folder)

    assert ran.exit_code == 0
    assert ran.stdout.splitlines() == [
        ONE,
        f"  ReDIF-Paper 1.0 · aaa:wpaper · renamed · first found in data of {iso(LONG_AGO)}",
        f"  likely renamed to {NEW}",
        f"  {iso(MONDAY)}  noted (data of {iso(LONG_AGO)})",
        f"  {iso(TUESDAY)}  renamed: not-in-data",
        f"* version {MONDAY}: 3 bytes, data of {iso(LONG_AGO)}",
        f"      sha256 {sha256('one')}, MD5 of the text {md5('one')}",
        f"      000/000/0001/{sha256('one')[:20]}",
        f"  files: {url('one')}",
    ]


def test_a_full_text_is_shown_with_looks_and_redirects(told: Chronicle, folder: Path) -> None:
    hop = Redirect(301, url("final"))
    told.run(MONDAY, replace(asked(MONDAY, url("one"), APPEARED, "%PDF"), redirects=[hop]))
    told.run(TUESDAY, replace(asked(TUESDAY, url("one")), redirects=[hop]))

    words = run("show", "HTTP://www.example.org:80/one.pdf#top", "--archive", folder).stdout
    (told_json,) = lines(run("show", url("one"), "--archive", folder, "--json"))

    assert f"{iso(MONDAY)} until {iso(TUESDAY)}  asked: ok, 2 times" in words
    assert f"redirected (301) to {url('final')}" in words
    assert told_json["redirects"] == [{"status": 301, "to_url": url("final")}]
    assert told_json["events"][0]["when"] == iso(MONDAY)
    assert (told_json["current"], told_json["found_when"]) == (MONDAY, iso(MONDAY))


def test_what_has_the_same_bytes_is_shown_beside_it(told: Chronicle, folder: Path) -> None:
    told.run(
        MONDAY,
        asked(MONDAY, url("one"), APPEARED, "%PDF"),
        asked(MONDAY, url("copy"), APPEARED, "%PDF"),
    )

    words = run("show", url("one"), "--archive", folder).stdout
    (as_json,) = lines(run("show", url("one"), "--archive", folder, "--json"))

    assert f"  same bytes as: {url('copy')}\n" in words
    assert as_json["same_bytes_as"] == [url("copy")]


def test_an_address_that_cannot_be_requested_is_shown_with_the_reason(
    told: Chronicle, folder: Path
) -> None:
    named = replace(template(MONDAY, ONE, text="one"), references=[Reference("www.e.org/c", None)])
    told.run(MONDAY, named)

    words = run("show", ONE, "--archive", folder).stdout

    assert "  files: www.e.org/c (not requested: " in words


def test_an_unknown_id_is_told_with_those_that_may_be_meant(week: Chronicle, folder: Path) -> None:
    ran = run("show", "RePEc:aaa:wpaper:11", "--archive", folder)

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "RePEc:aaa:wpaper:11 is not known here." in ran.stderr
    assert f"renamed   {ONE}" in ran.stderr


@pytest.mark.parametrize(
    "command",
    [["lost"], ["changes"], ["series"], ["runs"], ["search", "a"], ["show", ONE]],
    ids=lambda each: each[0],
)
def test_without_a_dark_archive_is_said_how_to_begin_one(folder: Path, command: list[str]) -> None:
    ran = run(*command, "--archive", folder)

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "carrel dark run -c FILE" in ran.stderr


def test_without_an_archive_is_said_that_there_is_none(tmp_path: Path) -> None:
    ran = run("lost", "--archive", tmp_path / "none")

    assert isinstance(ran.exception, NotAnArchive)


@pytest.mark.parametrize(
    "command",
    [
        ["lost"],
        ["changes"],
        ["search", "evil"],
        ["show", HOSTILE],
        ["show", f"{HOSTILE}x"],
        ["series"],
        ["runs"],
    ],
    ids=lambda each: each[0],
)
def test_no_identifier_steers_the_terminal(
    told: Chronicle, folder: Path, command: list[str]
) -> None:
    seen = replace(template(MONDAY, ONE, text="one", urls=["http://a/\x1b]0;x\x07"]))
    told.note(
        replace(began(MONDAY), source_ref="/data/\x1b[2J"),
        replace(seen, ident=HOSTILE, ident_n=HOSTILE, series="wp\x1b[2J"),
    )
    told.run(TUESDAY, lost(TUESDAY, HOSTILE, cause="\x1b[2Jgone"))

    ran = run(*command, "--archive", folder)

    assert "\ufffd" in ran.output
    assert not set("\x1b\x07\u202e") & set(ran.output)


# Texts, from a store of its own.


@pytest.fixture
def kept(folder: Path) -> Path:
    """An archive whose store keeps two versions of a template, and a full text."""
    begin_folder(folder)
    with (
        Archive.create_or_open(folder) as archive,
        StoreSession.open(store_root(folder), archive.ledger.dark) as keeping,
    ):
        _keep(keeping, MONDAY, ONE, FIRST, asked(MONDAY, url("one")))
        _keep(keeping, TUESDAY, ONE, SECOND)
        _keep(keeping, THURSDAY, TWO, "two\n")
    return folder


def _keep(keeping: StoreSession, tist: int, ident: str, text: str, *others: Entry) -> None:
    """Keep a version of a template as a run does: bytes, journal, ledger."""
    batch = keeping.store.batch(tist)
    content = batch.put_bytes(ident, text.encode(), sha256=sha256(text), md5=md5(text))
    incidence = CHANGED if text == SECOND else APPEARED
    dated = LONG_AGO if text == FIRST else None
    version = Version(sha256(text), md5(text), dated, content)
    seen = template(tist, ident, incidence, text)
    keeping.commit([began(tist), replace(seen, version=version), *others], batch)


def test_a_templates_text_is_printed_and_obeyed_by_no_terminal(kept: Path) -> None:
    now = run("show", ONE, "--text", "--archive", kept)
    (as_json,) = lines(run("show", ONE, "--text", "--archive", kept, "--json"))

    assert now.stdout == SECOND.replace("\x1b", "\ufffd")
    assert (as_json["text"], as_json["tist"]) == (SECOND, TUESDAY)


@pytest.mark.parametrize(
    ("at", "text", "said"),
    [
        ("2023-11-14", FIRST, ""),
        (MONDAY, FIRST, ""),
        ("2023-11", SECOND, ""),
        ("2022", FIRST, "was not yet recorded at 2022-12-31T23:59:59Z"),
    ],
)
def test_the_text_of_a_time_is_printed(kept: Path, at: object, text: str, said: str) -> None:
    ran = run("show", ONE, "--text", "--at", at, "--archive", kept)

    assert ran.stdout == text.replace("\x1b", "\ufffd")
    assert said in ran.stderr


def test_before_anything_was_noted_there_is_no_text(kept: Path) -> None:
    ran = run("show", ONE, "--text", "--at", "1999", "--archive", kept)

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "No version" in ran.stderr


def test_the_last_two_versions_are_compared(kept: Path) -> None:
    ran = run("show", ONE, "--diff", "--archive", kept)
    (as_json,) = lines(run("show", ONE, "--diff", "--archive", kept, "--json"))

    assert ran.stdout.splitlines() == [
        f"--- {ONE} {iso(MONDAY)}",
        f"+++ {ONE} {iso(TUESDAY)}",
        "@@ -1,3 +1,3 @@",
        " Template-Type: ReDIF-Paper 1.0",
        "-Title: Größe",
        "+Title: Größe, \ufffd[31mrevised\ufffd[0m",
        " Handle: RePEc:aaa:wpaper:1",
    ]
    assert (as_json["before"], as_json["tist"]) == (MONDAY, TUESDAY)


def test_one_version_can_not_be_compared(kept: Path) -> None:
    ran = run("show", TWO, "--diff", "--archive", kept)

    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "no version before" in ran.stderr


@pytest.mark.parametrize("option", ["--text", "--diff"])
def test_a_full_text_stays_dark(kept: Path, option: str) -> None:
    ran = run("show", url("one"), option, "--archive", kept)

    assert isinstance(ran.exception, UsageError)
    assert "carrel dark open" in str(ran.exception)


def test_bytes_that_are_missing_are_told_and_what_helps(kept: Path) -> None:
    (path,) = (store_root(kept)).glob(f"*/*/{str(THURSDAY)[::-1][6:]}/*wpaper%3A2")
    path.unlink()

    ran = run("show", TWO, "--text", "--archive", kept)

    assert "carrel dark rebuild" in str(ran.exception)


def test_a_verification_on_a_read_only_medium_says_that_nothing_was_recorded(kept: Path) -> None:
    with read_only(kept):
        ran = run("verify", "--archive", kept)
    recorded = run("verify", "--archive", kept)

    said = f"Nothing was recorded of this verification: {kept} is read-only."
    assert (ran.exit_code, said in ran.stdout) == (0, True)
    assert "Nothing was recorded" not in recorded.stdout


def test_the_whole_program_answers_in_a_shell(week: Chronicle, folder: Path) -> None:
    found = carrel("dark", "lost", "--json", "--archive", folder)
    wrong = carrel("dark", "lost", "--since", "yesterday", "--archive", folder)
    none = carrel("dark", "show", "http://user:pass@host/", "--archive", folder)

    assert (found.code, len(found.lines)) == (0, 4)
    assert (wrong.code, none.code) == (2, 1)
    assert "http://host/ is not known here." in none.err
    assert "2024-05-01" in wrong.err
