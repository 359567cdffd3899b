# SPDX-License-Identifier: AGPL-3.0-or-later
"""The contract of the command line, as a shell sees it."""

import hashlib
import json
import os
import pty
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from carrel.archive import LEDGER_NAME, Archive
from carrel.model import Status
from carrel.schemas import schema
from support.archives import Ran, command, environment, ingest, new_archive
from support.archives import carrel as carrel_in_a_shell
from support.records import files_in
from support.wire import Reply, WireServer, dataset_page, html, reply

Carrel = Callable[..., Ran]
BODY = b"The tide came late.\n" * 20


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


def serve_dataset(server: WireServer, *answers: Reply, name: str = "Soundings") -> str:
    """Serve a dataset of a file per answer, all of them declared as `BODY`."""
    files = [
        {
            "name": f"{number}.txt",
            "contentUrl": server.serve(f"/{number}.txt", answer),
            "contentSize": len(BODY),
            "sha256": hashlib.sha256(BODY).hexdigest(),
        }
        for number, answer in enumerate(answers)
    ]
    return dataset_page(server, files, name=name)


def assert_no_traceback(ran: Ran) -> None:
    assert "Traceback" not in ran.err + ran.out
    assert "bug in Carrel" not in ran.err


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files_in(folder)}


def errors(document: object) -> list[str]:
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    return [error.message for error in validator.iter_errors(document)]


def test_a_preview_is_one_object_a_line_and_keeps_nothing(
    server: WireServer, tmp_path: Path
) -> None:
    url = serve_dataset(server, reply(BODY), reply(BODY))

    ran = carrel_in_a_shell("preview", url, "--json", "--archive", tmp_path / "none")

    (fields,) = ran.lines
    assert (ran.code, ran.err) == (0, "")
    assert (fields["status"], fields["file_count"], fields["total_size"]) == ("success", 2, 800)
    assert fields["ingest_strategy"] == "web-fileset"
    assert fields["strategy_reason"]
    assert errors(fields) == []
    assert not (tmp_path / "none").exists()
    assert server.times_asked("/0.txt") == 0


def test_a_preview_says_what_is_held_and_writes_nothing(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY), reply(BODY))
    (result,) = ingest(archive, url)
    before = contents(archive)

    in_words = carrel("preview", url, "--archive", archive)
    in_json = carrel("preview", url, "--json", "--archive", archive)

    (fields,) = in_json.lines
    since = (result.finished or "")[:10]
    line = f"Archived since {since}: 2 of 2 files; the same files are published today."
    assert line in in_words.out
    assert (fields["held"]["ingest_id"], fields["held"]["is_as_published"]) == (
        result.ingest_id,
        True,
    )
    assert errors(fields) == []
    assert contents(archive) == before


def test_a_preview_says_what_differs_from_what_is_held(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    ingest(archive, serve_dataset(server, reply(BODY)))
    url = serve_dataset(server, reply(BODY), reply(BODY))

    ran = carrel("preview", url, "--archive", archive)

    assert "1 of 1 file; today 1 file is new." in ran.out


def test_a_preview_of_what_was_never_archived_says_nothing_of_it(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    Archive.create_or_open(archive).close()

    ran = carrel("preview", serve_dataset(server, reply(BODY)), "--json", "--archive", archive)

    assert "held" not in ran.lines[0]


def test_a_preview_does_without_a_ledger_that_can_not_be_read(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY))
    Archive.create_or_open(archive).close()
    (archive / LEDGER_NAME).write_bytes(b"no ledger" * 100)

    in_words = carrel("preview", url, "--archive", archive)
    in_json = carrel("preview", url, "--json", "--archive", archive)

    (fields,) = in_json.lines
    assert (in_words.code, in_json.code, fields["status"]) == (0, 0, "success")
    assert "Could not check whether it is already archived: " in in_words.out
    assert LEDGER_NAME in fields["held"]["error_message"]
    assert errors(fields) == []


def test_an_ingest_of_one_file_prints_two_results(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY))

    ran = carrel("ingest", url, "--json", "--archive", archive)

    dataset, file = ran.lines
    assert (ran.code, ran.err) == (0, "")
    assert (dataset["status"], file["status"]) == ("success-file", "success")
    assert file["request"]["ingest_type"] == "dataset-file"
    assert dataset["fileset_file"]["file_meta"] == file["file_meta"]
    assert errors(dataset) == []


def test_several_addresses_in_one_argument_and_nonsense_beside_them(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    one, other = serve_dataset(server, reply(BODY)), server.serve("/gone", html("", "404 Gone"))

    ran = carrel(
        "ingest", f"see {one} and\n{other}", "utter nonsense", "--json", "--archive", archive
    )

    statuses = [(line["status"], line["request"]["base_url"]) for line in ran.lines]
    assert ran.code == 1
    assert statuses == [
        ("invalid-url", "utter nonsense"),
        ("success-file", one),
        ("success", one),
        ("not-found", other),
    ]
    assert_no_traceback(ran)


def test_words_for_people_say_what_was_not_kept(server: WireServer, archive: Path) -> None:
    url = serve_dataset(server, reply(BODY), html("gone", "404 Not Found"))

    ran = carrel_in_a_shell("ingest", url, "--archive", archive)

    assert (ran.code, ran.err) == (1, "")
    assert "Soundings" in ran.out
    assert "not archived: 1.txt" in ran.out
    assert "\x1b" not in ran.out


def test_that_the_only_file_is_not_archived_is_said_in_a_sentence(
    server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, html("gone", "404 Not Found"))

    ran = carrel_in_a_shell("ingest", url, "--archive", archive)

    assert "    The file is not archived.\n" in ran.out
    assert "0 of 1" not in ran.out


def test_without_keys_nothing_is_fetched_for_an_item_on_archive_org(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY))

    ran = carrel("ingest", url, "--strategy", "archiveorg-fileset", "--json", "--archive", archive)

    (fields,) = ran.lines
    assert (ran.code, fields["status"]) == (1, "credentials-required")
    assert "archiveorg-item" in [finding["code"] for finding in fields["findings"]]
    assert "carrel credentials set" in fields["advice"]
    assert server.times_asked("/0.txt") == 0


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--max-total-size", "0.5k"], "too-large-size"),
        (["--max-file-count", "1"], "too-many-files"),
    ],
)
def test_limits_can_be_given(
    carrel: Carrel, server: WireServer, archive: Path, options: list[str], status: str
) -> None:
    url = serve_dataset(server, reply(BODY), reply(BODY))

    ran = carrel("ingest", url, *options, "--json", "--archive", archive)

    assert (ran.code, ran.lines[0]["status"]) == (1, status)


def test_the_key_of_the_setting_is_told_that_would_help(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY), reply(BODY))

    ran = carrel("ingest", url, "--max-file-count", "1", "--archive", archive)

    assert "“Maximum files per dataset” in the settings (max_file_count in [limits])." in ran.out
    assert "[limits]" not in Status.TOO_MANY_FILES.meaning.advice


def test_a_dry_run_is_a_preview(carrel: Carrel, server: WireServer, archive: Path) -> None:
    url = serve_dataset(server, reply(BODY))

    ran = carrel("ingest", url, "--dry-run", "--json", "--archive", archive)

    assert (ran.code, ran.lines[0]["status"]) == (0, "success")
    assert not (archive / LEDGER_NAME).exists()


def test_results_tell_what_was_archived(carrel: Carrel, server: WireServer, archive: Path) -> None:
    url = serve_dataset(server, reply(BODY))
    (result,) = ingest(archive, url)

    of_url = carrel("results", url, "--json", "--archive", archive)
    of_nothing = carrel("results", "https://elsewhere.example/", "--json", "--archive", archive)
    in_words = carrel("results", "--archive", archive)
    digest = hashlib.sha256(BODY).hexdigest()
    of_digest = carrel("results", "--sha256", f" sha256:{digest.upper()} ", "--archive", archive)

    kept = {**result.to_json(), "archived": result.finished}
    assert of_url.lines == [json.loads(json.dumps(kept))]
    assert (of_nothing.code, of_nothing.out) == (0, "")
    assert "success-file" in in_words.out
    assert "Soundings" in in_words.out
    assert [line["path"] for line in of_digest.lines] == ["0.txt"]


def test_a_dataset_that_was_removed_is_shown_as_such(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    moment = "2026-11-27T19:00:00Z"
    ingest(archive, serve_dataset(server, reply(BODY)))
    file = {"name": "a.txt", "contentUrl": server.serve("/a.txt", reply(BODY))}
    doi = "https://doi.org/10.5072/gone"
    (gone,) = ingest(archive, dataset_page(server, [file], at="/gone", identifier=doi))
    with Archive.create_or_open(archive) as opened:
        dataset = opened.ledger.catalogue.dataset_of(gone.request.base_url) or 0
        opened.ledger.curation.remove([dataset], moment)

    in_words = carrel("results", "--archive", archive)
    in_json = carrel("results", "--json", "--archive", archive)
    status = carrel("status", "--json", "--archive", archive)

    assert in_words.out.count("removed from the holdings") == 1
    assert f"removed from the holdings {moment}" in in_words.out
    assert [found for line in in_json.lines for found in errors(line)] == []
    marks = {line["ingest_id"]: line.get("removed") for line in in_json.lines}
    assert (len(marks), marks[gone.ingest_id]) == (2, moment)
    assert status.lines[0]["held"]["datasets"] == 1


def test_a_damaged_result_hides_no_other(carrel: Carrel, server: WireServer, archive: Path) -> None:
    (sound,) = ingest(archive, serve_dataset(server, reply(BODY)))
    (damaged,) = ingest(archive, server.serve("/gone", html("gone", "404 Not Found")))
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        half = "UPDATE results SET result = substr(result, 1, 40) WHERE ingest_id = ?"
        database.execute(half, [damaged.ingest_id])
        database.commit()

    in_words = carrel("results", "--archive", archive)
    in_json = carrel("results", "--json", "--archive", archive)

    assert (in_words.code, in_json.code) == (1, 1)
    assert f"ingest {damaged.ingest_id} is damaged" in in_words.out
    assert "Soundings" in in_words.out
    told = {line["ingest_id"]: line for line in in_json.lines}
    assert told[sound.ingest_id] == json.loads(
        json.dumps({**sound.to_json(), "archived": sound.finished})
    )
    assert f"ingest {damaged.ingest_id} is damaged" in told[damaged.ingest_id]["unreadable"]
    assert errors(told[damaged.ingest_id]) == []


def test_the_proposal_s_table_can_be_printed(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, reply(BODY))
    ingest(archive, url)

    ran = carrel("results", "--table", "ingest_fileset_platform", "--archive", archive)

    (row,) = ran.lines
    assert (ran.code, row["base_url"], row["status"]) == (0, url, "success-file")
    assert (row["ingest_type"], row["file_count"]) == ("dataset", 1)


def test_an_intact_archive_is_said_to_be_intact(
    carrel: Carrel, server: WireServer, archive: Path
) -> None:
    ingest(archive, serve_dataset(server, reply(BODY)))

    in_words = carrel("verify", "--archive", archive)
    as_json = carrel("verify", "--json", "--archive", archive)

    assert (in_words.code, in_words.out[:4]) == (0, "All ")
    assert as_json.code == 0
    assert {line["fate"] for line in as_json.lines} == {"intact"}


@pytest.mark.parametrize("kind", ["response", "metadata", "request"])
def test_a_flipped_byte_is_found(
    carrel: Carrel, server: WireServer, archive: Path, kind: str
) -> None:
    ingest(archive, serve_dataset(server, reply(BODY)))
    with Archive.open_for_reading(archive) as opened:
        capture = next(each for each in opened.ledger.captures.all() if each.url.endswith("/0.txt"))
        path = opened.warcs / capture.filename
    content = bytearray(path.read_bytes())
    # The records of a file stand one behind the other: response, request, metadata.
    members = [capture.offset]
    while len(members) < 3:
        members.append(content.index(b"\x1f\x8b\x08\x00", members[-1] + 4))
    start = members[["response", "request", "metadata"].index(kind)]
    content[start + 60] ^= 0x01
    path.write_bytes(content)

    ran = carrel("verify", "--archive", archive)

    assert ran.code == 1
    assert path.name in ran.out
    assert_no_traceback(ran)


def test_a_warc_that_is_gone_is_missed(carrel: Carrel, server: WireServer, archive: Path) -> None:
    ingest(archive, serve_dataset(server, reply(BODY)))
    for path in (archive / "collections/main/archive").iterdir():
        path.unlink()

    ran = carrel("verify", "--json", "--archive", archive)

    assert ran.code == 1
    assert {line["fate"] for line in ran.lines} == {"missing"}


def test_the_demo_says_how_to_use_it(carrel: Carrel) -> None:
    ran = carrel("demo", "--help")

    assert ran.code == 0
    assert "--serve" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["preview"],
        ["ingest", "10.1/x", "--strategy", "magic"],
        ["ingest", "10.1/x", "--max-file-count", "0"],
        ["ingest", "10.1/x", "--max-total-size", "large"],
        ["results", "--table", "secrets"],
        ["--log", "LOUD", "results"],
        ["results", "--archive", "/nowhere/at/all"],
        ["verify", "--archive", "/nowhere/at/all"],
        ["ingest", "https://a.example/", "--archive", "/dev/null/archive"],
        ["ingest", "https://a.example/", "--archive", "a" * 300],
        ["results", "--archive", "a" * 300],
        ["preview", "https://a.example/", "--archive", "a" * 300],
        ["mementos", "https://a.example/", "--archive", "a" * 300],
    ],
)
def test_a_wrong_call_is_explained(carrel: Carrel, arguments: list[str]) -> None:
    ran = carrel(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()
    assert_no_traceback(ran)


def test_nonsense_alone_touches_no_archive(carrel: Carrel, tmp_path: Path) -> None:
    ran = carrel("ingest", "utter nonsense", "", "--json", "--archive", tmp_path / "none")

    assert ran.code == 1
    assert [line["status"] for line in ran.lines] == ["invalid-url"] * 2
    assert [errors(line) for line in ran.lines] == [[], []]
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("arguments", [["results"], ["verify"], ["ingest", "https://a.invalid/"]])
def test_a_corrupt_ledger_is_explained(carrel: Carrel, archive: Path, arguments: list[str]) -> None:
    Archive.create_or_open(archive).close()
    (archive / LEDGER_NAME).write_bytes(b"no database at all " * 500)

    ran = carrel(*arguments, "--archive", archive)

    assert ran.code == 2
    assert "is not a database, and so not a Carrel ledger" in ran.err
    assert_no_traceback(ran)


def test_a_mistake_in_the_settings_is_explained(carrel: Carrel, archive: Path) -> None:
    (archive / "settings.toml").write_text("[limits]\nmax_files = 1\n")

    ran = carrel("ingest", "https://a.invalid/", "--archive", archive)

    assert ran.code == 2
    assert "“max_file_count”" in ran.err
    assert_no_traceback(ran)


def test_a_folder_of_other_things_is_left_alone(carrel: Carrel, tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("precious")

    ran = carrel("ingest", "https://a.invalid/", "--archive", tmp_path)

    assert ran.code == 2
    assert "contains other files" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.doc"]


@pytest.mark.parametrize("redirection", [">&-", "2>&-", "| head -c 5", "> /dev/full"])
def test_an_output_that_can_not_be_written_to_ends_quietly(
    server: WireServer, archive: Path, redirection: str
) -> None:
    (result,) = ingest(archive, serve_dataset(server, reply(BODY)))
    line = " ".join(command("results", "--json", "--archive", archive))

    ran = subprocess.run(  # noqa: S602 - what a shell does with our output is the point
        f"{line} {redirection}",
        shell=True,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.hit
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_a_terminal_s_title_can_not_be_steered_from_outside(
    server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server, html("gone", "404 Not \x1b[31mFound"), name="\x1b]0;owned\x07 Data")

    previewed = on_a_terminal("preview", url, "--archive", archive)
    ingested = on_a_terminal("ingest", url, "--archive", archive)
    listed = on_a_terminal("results", "--archive", archive)

    assert "\x1b]0;owned" not in previewed + ingested + listed


def on_a_terminal(*arguments: str | Path) -> str:
    """Run the command line with a terminal of its own and return all that it showed."""
    ours, its = pty.openpty()
    shown = bytearray()

    def read() -> None:
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                return  # how Linux says that the other side has closed
            if not piece:
                return
            shown.extend(piece)

    reader = threading.Thread(target=read)
    reader.start()
    env = environment(TERM="xterm", COLUMNS="200")
    subprocess.run(command(*arguments), env=env, stdin=its, stdout=its, stderr=its, check=False)
    os.close(its)
    reader.join()
    os.close(ours)
    return shown.decode("utf-8", "replace")


def test_ctrl_c_keeps_what_was_verified(server: WireServer, archive: Path) -> None:
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ntransfers = 1\n")
    asked, may_end = threading.Event(), threading.Event()

    def stuck() -> Iterator[bytes]:
        asked.set()
        may_end.wait()
        yield from reply(BODY).pieces()

    url = serve_dataset(server, reply(BODY), Reply(stuck))
    later = "http://later.invalid/"
    with subprocess.Popen(
        command("ingest", url, later, "--json", "--archive", archive),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        asked.wait()
        process.send_signal(signal.SIGINT)
        may_end.set()
        out, err = process.communicate()

    fields, not_begun = (json.loads(line) for line in out.splitlines())
    assert process.returncode == 1
    assert fields["status"] in ("cancelled", "success")
    assert fields["manifest"][0]["status"] == "success"
    assert (not_begun["status"], not_begun["request"]["base_url"]) == ("cancelled", later)
    assert "Traceback" not in err
