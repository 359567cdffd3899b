# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel batch`, as a shell and a pipeline see it."""

import hashlib
import json
import os
import pty
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from carrel.archive import LEDGER_NAME, Archive
from carrel.cli.program import run as main
from carrel.demo import DemoRepository
from carrel.ledger import connection
from carrel.model import Answer, JobState, Question, Status
from carrel.schemas import schema
from support.archives import Ran, command, environment, new_archive
from support.archives import carrel as carrel_in_a_shell
from support.wire import Reply, WireServer, html, reply

Carrel = Callable[..., Ran]
BODY = b"The tide came late.\n" * 20


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


@pytest.fixture
def carrel(
    archive: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Carrel:
    """`carrel batch` run within this process, on the archive."""
    monkeypatch.delenv("CARREL_ARCHIVE", raising=False)

    def run(*arguments: str | Path) -> Ran:
        words = ["carrel", "batch", *map(str, arguments), "--archive", str(archive)]
        monkeypatch.setattr("sys.argv", words)
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err + shown.out
        assert "bug in Carrel" not in shown.err
        return Ran(int(end.value.code or 0), shown.out, shown.err)

    return run


def serve(server: WireServer, name: str, *answers: Reply, count: int = 1, query: str = "") -> str:
    """Serve a dataset of so many files, each with these answers, and return its address."""
    files = [
        {
            "@type": "DataDownload",
            "name": f"{number}.txt",
            "contentUrl": server.serve(f"/{name}/{number}.txt", *answers or [reply(BODY)]),
            "contentSize": len(BODY),
            "sha256": hashlib.sha256(BODY).hexdigest(),
        }
        for number in range(count)
    ]
    block = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"Tides {name}",
        "identifier": f"https://doi.org/10.5072/{name}",
        "distribution": files,
    }
    script = f'<script type="application/ld+json">{json.dumps(block)}</script>'
    return server.serve(f"/{name}{query}", html(f"<html>{script}</html>"))


def list_of(tmp_path: Path, *lines: str, name: str = "pilot.txt") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def states(archive: Path) -> dict[str, JobState]:
    with Archive.open_for_reading(archive) as opened:
        return {job.request.base_url: job.state for job in opened.ledger.jobs.in_turn()}


def faults(document: Any) -> list[str]:
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    return [error.message for error in validator.iter_errors(document)]


def request_line(url: str, **fields: Any) -> str:
    return json.dumps({"ingest_type": "dataset", "base_url": url, **fields}) + "\n"


def test_adding_names_what_repeats_and_what_holds_nothing(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    path = list_of(tmp_path, "10.5072/a", "to be published", "doi:10.5072/A", "10.5072/b")

    ran = carrel("add", path)

    assert ran.code == 1
    assert "pilot (plain): 2 datasets queued, 1 repetition skipped" in ran.out
    assert "line 3 repeats line 1 of pilot.txt: https://doi.org/10.5072/A" in ran.out
    assert "line 2 contains no DOI, Handle, ARK or web address: to be published" in ran.out
    assert list(states(archive).values()) == [JobState.QUEUED, JobState.QUEUED]


def test_adding_the_same_again_adds_nothing(carrel: Carrel, tmp_path: Path) -> None:
    path = list_of(tmp_path, "title;doi", "Tides;10.5072/a", "Ebb;10.5072/b", name="pilot.csv")

    first = carrel("add", path, "--name", "spring", "--column", "doi", "--json")
    again = carrel("add", path, "--json")

    assert (first.code, again.code) == (0, 0)
    assert [line["added"] for line in (*first.lines, *again.lines)] == [2, 0]
    assert first.lines[0]["batch"] == "spring"
    assert first.lines[0]["kind"] == "csv"


def test_what_is_overruled_holds_for_each_job(carrel: Carrel, tmp_path: Path) -> None:
    carrel("add", list_of(tmp_path, "10.5072/a"), "--strategy", "web-fileset")

    (job,) = carrel("list", "--json").lines

    assert job["options"]["strategy"] == "web-fileset"
    assert (job["batch"], job["state"]) == ("pilot", "queued")


def test_a_list_of_nothing_touches_no_archive(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    ran = carrel("add", list_of(tmp_path, "nothing", "nothing more"))

    assert ran.code == 1
    assert not (archive / LEDGER_NAME).exists()


@pytest.mark.parametrize("content", [b"", b"# nothing yet\n\n"])
def test_an_empty_list_is_said_to_be_one(carrel: Carrel, tmp_path: Path, content: bytes) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_bytes(content)

    ran = carrel("add", empty)

    assert ran.code == 1
    assert ran.out == "empty (plain): no dataset found; nothing was queued.\n"


def test_a_file_that_is_no_text_is_refused(carrel: Carrel, tmp_path: Path) -> None:
    binary = tmp_path / "noise.bin"
    binary.write_bytes(bytes(range(1, 256)) * 8)

    ran = carrel("add", binary)

    assert ran.code == 2
    assert "noise.bin: This is not text" in ran.err


def test_an_export_does_not_overwrite_what_is_there(carrel: Carrel, tmp_path: Path) -> None:
    taken = tmp_path / "rest.jsonl"
    taken.write_text("mine")
    carrel("add", list_of(tmp_path, "10.5072/a"))

    refused = carrel("export", "-o", taken)
    kept = taken.read_text()
    forced = carrel("export", "-o", taken, "--force")

    assert (refused.code, kept) == (2, "mine")
    assert "--force" in refused.err
    assert forced.code == 0
    assert "10.5072/a" in taken.read_text()


def test_a_dry_run_is_a_plan_and_queues_nothing(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    one = serve(server, "one", count=2)
    same = serve(server, "one", count=2, query="?from=list")
    gone = server.serve("/gone", html("", "404 Gone"))

    ran = carrel("add", list_of(tmp_path, one, same, gone), "--dry-run")

    assert ran.code == 1
    assert "1 of 2 datasets can be archived: 2 files, 800 bytes." in ran.out
    assert "one for each page that leads to a dataset and one for each file:" in ran.out
    assert f"3 requests to 127.0.0.1:{server.port}" in ran.out
    assert re.search(rf"1 × not-found: .+\n  {re.escape(gone)}\n", ran.out)
    named = ran.out.partition("The same dataset under different identifiers:")[2].split()
    assert sorted(named) == [one, same]
    assert not (archive / LEDGER_NAME).exists()
    assert server.times_asked("/one/0.txt") == 0


def test_a_dry_run_in_json_is_the_list_and_a_preview_a_line(
    carrel: Carrel, server: WireServer, tmp_path: Path
) -> None:
    ran = carrel("add", list_of(tmp_path, serve(server, "one")), "--dry-run", "--json")

    read, preview = ran.lines
    assert (ran.code, read["datasets"], preview["status"]) == (0, 1, "success")
    assert faults(preview) == []


def test_a_run_prints_a_result_a_line_as_each_job_ends(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    good, gone = serve(server, "good"), server.serve("/gone", html("", "404 Gone"))

    ran = carrel("run", list_of(tmp_path, good, gone), "--json")

    statuses = {line["request"]["base_url"]: line["status"] for line in ran.lines if "hit" in line}
    datasets = [line for line in ran.lines if "stage" in line]
    assert ran.code == 1
    assert statuses[gone] == "not-found"
    assert [faults(line) for line in datasets] == [[], []]
    assert states(archive) == {good: JobState.DONE, gone: JobState.FAILED}
    assert "pilot (plain): 2 datasets queued." in ran.err


def test_what_a_full_disk_keeps_out_is_told_and_no_success(
    carrel: Carrel, server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve(server, "a")
    free = shutil.disk_usage(tmp_path)

    with monkeypatch.context() as context:
        context.setattr(shutil, "disk_usage", lambda path: free._replace(free=1000))
        full = carrel("run", list_of(tmp_path, url))
        still_full = carrel("run")
    after = carrel("run")

    assert (full.code, still_full.code, after.code) == (1, 1, 0)
    assert full.err == f"pilot (plain): 1 dataset queued.\n{still_full.err}"
    assert still_full.err.startswith(f"{url} was set aside (disk-full): 400 bytes are needed")
    assert still_full.err.endswith(" “carrel batch run” resumes it.\n")
    assert "success-file" in after.out


def test_why_the_queue_stopped_is_told_with_what_to_do(
    carrel: Carrel,
    server: WireServer,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = archive / LEDGER_NAME
    monkeypatch.setitem(connection._SHARED, "timeout", 0.1)

    def held() -> Iterator[bytes]:
        holding.execute("BEGIN EXCLUSIVE")
        yield from reply(BODY).pieces()

    (archive / "settings.toml").write_text("[network]\nattempts = 1\ningests = 1\n")
    carrel("add", list_of(tmp_path, serve(server, "a", Reply(held)), serve(server, "b")))
    with closing(sqlite3.connect(ledger, isolation_level=None, check_same_thread=False)) as holding:
        stopped = carrel("run")
    after = carrel("run")

    assert (stopped.code, after.code) == (1, 0)
    assert f"{ledger} cannot be written: another program has locked it. Close that" in stopped.err
    assert "was set aside (archive-locked)" in stopped.err
    assert "Stopped: 2 wait in the queue" in stopped.err
    assert "success-file" in after.out
    assert server.times_asked("/a/0.txt") == 1


def test_a_run_resumes_a_paused_queue_and_says_so(
    carrel: Carrel, archive: Path, server: WireServer, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, serve(server, "one")))
    with Archive.create_or_open(archive) as opened:
        opened.ledger.jobs.set_paused_since("2026-03-01T09:00:00+00:00")

    ran = carrel("run")
    again = carrel("run")

    assert "The queue was paused; it is resumed.\n" in ran.err
    assert set(states(archive).values()) == {JobState.DONE}
    assert "paused" not in again.err
    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.jobs.paused_since() is None


def test_a_run_with_nothing_to_do_succeeds_and_says_so(carrel: Carrel) -> None:
    ran = carrel("run")

    assert (ran.code, ran.out, ran.err) == (0, "", "The queue is empty.\n")


def test_no_other_try_is_advised_where_it_would_end_so_again(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    plain = server.serve("/blog", html("<p>No dataset.</p>"))
    shut = server.serve("/shut", html("", "403 Forbidden"))
    carrel("add", list_of(tmp_path, plain, shut))

    ran = carrel("run")

    again = "    Retrying would fail the same way. To list them: carrel batch list --cause "
    assert f"{again}no-platform-match" in ran.out
    assert "    After fixing the cause: carrel batch retry --cause forbidden" in ran.out


def test_a_job_that_can_not_be_changed_so_is_told_and_no_success(
    carrel: Carrel, server: WireServer, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, serve(server, "a", reply(BODY))))
    carrel("run")
    (job,) = map(json.loads, carrel("list", "--json").out.splitlines())

    ran = carrel("cancel", job["job_id"])

    assert (ran.code, ran.out) == (1, "0 jobs cancelled.\n")
    assert ran.err == f"{job['job_id']} was not changed: it is done.\n"


def test_failures_are_grouped_with_the_command_that_tries_them_again(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    lost = reply(b"", "404 Not Found")
    flaky = [serve(server, f"flaky{number}", lost, reply(BODY)) for number in range(2)]
    gone = server.serve("/gone", html("", "404 Gone"))
    carrel("add", list_of(tmp_path, *flaky, gone))

    ran = carrel("run")
    hint = re.search(r"2 failed as error-platform-download: .+\n\s+carrel batch (.+)\n", ran.out)
    assert hint is not None
    tried = carrel(*shlex.split(hint[1])[:-2])  # the fixture names the archive
    carrel("run")

    assert tried.out == "2 jobs queued again.\n"
    assert states(archive) == {
        flaky[0]: JobState.DONE,
        flaky[1]: JobState.DONE,
        gone: JobState.FAILED,
    }


def test_without_a_cause_only_what_may_help_is_tried_again(
    carrel: Carrel, server: WireServer, tmp_path: Path
) -> None:
    carrel("run", list_of(tmp_path, server.serve("/gone", html("", "404 Gone"))))

    ran = carrel("retry")

    assert ran.out == "0 jobs queued again.\n"
    assert "1 more failed in ways that a retry alone does not fix" in ran.err


def test_the_remainder_is_a_batch_again(carrel: Carrel, server: WireServer, tmp_path: Path) -> None:
    request = request_line(server.serve("/gone", html("", "404 Gone")), fatcat={"a": [1]})
    given = list_of(tmp_path, request.strip(), request_line(serve(server, "good")).strip())
    carrel("run", given.rename(tmp_path / "pilot.jsonl"))

    written = carrel("export", "-o", tmp_path / "rest.jsonl")
    again = carrel("add", tmp_path / "rest.jsonl", "--json")

    assert written.err == "1 request written.\n"
    assert json.loads((tmp_path / "rest.jsonl").read_text()) == json.loads(request)
    assert (again.lines[0]["added"], again.lines[0]["kind"]) == (1, "jsonl")


def test_jobs_are_paused_resumed_and_cancelled(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, "10.5072/a", "10.5072/b"))
    first = carrel("list", "--json").lines[0]["job_id"]

    seen = []
    for arguments in (["pause", "--batch", "pilot"], ["resume", first], ["cancel", "--all"]):
        ran = carrel(*arguments)
        seen.append((ran.out, sorted(states(archive).values())))

    assert seen == [
        ("2 jobs paused.\n", ["paused", "paused"]),
        ("1 job queued.\n", ["paused", "queued"]),
        ("2 jobs cancelled.\n", ["cancelled", "cancelled"]),
    ]


def test_a_job_that_asks_shows_its_question_and_takes_the_answer(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    url = serve(server, "large", count=2)
    ran = carrel("run", list_of(tmp_path, url), "--max-file-count", "1")
    hint = re.search(r"carrel batch (answer lift-limit \S+)", ran.out)
    assert hint is not None

    answered = carrel(*hint[1].split())
    carrel("run")

    assert (ran.code, answered.out) == (1, "1 job answered.\n")
    assert states(archive) == {url: JobState.DONE}


def test_the_list_can_be_narrowed(carrel: Carrel, server: WireServer, tmp_path: Path) -> None:
    gone = server.serve("/gone", html("", "404 Gone"))
    carrel("run", list_of(tmp_path, serve(server, "good"), gone))

    by_state = carrel("list", "--state", "done", "--json").lines
    by_cause = carrel("list", "--cause", "not-found", "--json").lines
    nowhere = carrel("list", "--batch", "other")

    assert [job["title"] for job in by_state] == ["Tides good"]
    assert [job["request"]["base_url"] for job in by_cause] == [gone]
    assert (nowhere.out, nowhere.err) == ("", "There are no such jobs.\n")


def test_the_list_says_what_a_job_waits_for(
    carrel: Carrel, archive: Path, server: WireServer, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, serve(server, "full"), serve(server, "large")))
    with Archive.create_or_open(archive) as opened:
        full, large = opened.ledger.jobs.in_turn()
        question = Question("Shall it?", (Answer.LIFT_LIMIT, Answer.LEAVE))
        opened.ledger.jobs.update(
            replace(full, ingest_id="1", status=Status.DISK_FULL),
            replace(large, state=JobState.ASKING, status=Status.TOO_MANY_FILES, question=question),
        )

    listed = carrel("list")
    resumed = carrel("resume", large.job_id)
    status = carrel_in_a_shell("status", "--archive", archive)

    first, second, *_ = listed.out.splitlines()
    assert re.split("  +", first)[1:3] == ["queued", "on hold: disk-full"]
    assert re.split("  +", second)[1:3] == ["needs answer", "too-many-files"]
    assert "1 awaiting answer" in status.out
    assert resumed.err == f"{large.job_id} was not changed: it needs an answer.\n"


def test_what_was_removed_from_the_list_is_named_with_its_batch(
    carrel: Carrel, archive: Path, server: WireServer, tmp_path: Path
) -> None:
    good, gone = serve(server, "good"), server.serve("/gone", html("", "404 Gone"))
    carrel("run", list_of(tmp_path, good, gone), "--name", "tides")
    with Archive.create_or_open(archive) as opened:
        opened.ledger.jobs.remove([job.job_id for job in opened.ledger.jobs.in_turn()])

    every, of_batch = carrel("list"), carrel("list", "--batch", "tides")
    failed = carrel("list", "--batch", "tides", "--state", "failed", "--json").lines

    assert (every.out, every.err) == (
        "",
        "Removed from the queue’s list: 1 archived, 1 failed; --batch NAME shows them.\n",
    )
    assert of_batch.out.startswith("Removed from the queue’s list: 1 archived, 1 failed\n")
    assert all(said in of_batch.out for said in ("Tides good", good, gone, "not-found"))
    assert [(job["request"]["base_url"], job["removed"]) for job in failed] == [(gone, True)]
    assert carrel("list", "--json").out == ""


def test_the_list_can_be_read_while_another_process_writes(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, "10.5072/a"))
    with Archive.create_or_open(archive):
        read = carrel("list", "--json")
        change = carrel("pause", "--all")

    assert len(read.lines) == 1
    assert change.code == 1
    assert "is in use by" in change.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["add"],
        ["add", "/nowhere/at/all.txt"],
        ["add", "LIST", "--kind", "xlsx"],
        ["add", "LIST", "--column", "doi"],
        ["run", "--name", "pilot"],
        ["run", "--strategy", "web-file"],
        ["run", "-", "--column", "doi"],
        ["pause"],
        ["cancel", "no-such-job"],
        ["retry", "--cause", "bad-luck"],
        ["answer", "perhaps", "no-such-job"],
        ["export", "-o", "/nowhere/at/all.jsonl"],
        ["list", "--state", "lost"],
    ],
)
def test_a_wrong_call_is_explained(carrel: Carrel, tmp_path: Path, arguments: list[str]) -> None:
    path = list_of(tmp_path, "10.5072/a")
    carrel("add", path)

    ran = carrel(*(str(path) if word == "LIST" else word for word in arguments))

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()


def test_ctrl_c_puts_what_runs_back_into_the_queue(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    asked, may_end = threading.Event(), threading.Event()

    def stuck() -> Iterator[bytes]:
        asked.set()
        may_end.wait()
        yield from reply(BODY).pieces()

    urls = [serve(server, "one", Reply(stuck), reply(BODY)), serve(server, "two")]
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ningests = 1\n")
    carrel("add", list_of(tmp_path, *urls))
    with subprocess.Popen(
        command("batch", "run", "--archive", archive),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        asked.wait()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    may_end.set()
    stopped = states(archive)

    ran = carrel("run")

    assert (process.returncode, "Traceback" in err) == (1, False)
    assert "wait in the queue; the next run resumes there" in err
    assert stopped == dict.fromkeys(urls, JobState.QUEUED)
    assert ran.code == 0
    assert states(archive) == dict.fromkeys(urls, JobState.DONE)


def test_a_bar_on_the_terminal_leaves_the_results_alone(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, *(serve(server, name) for name in ("one", "two"))))
    ours, its = pty.openpty()
    with subprocess.Popen(
        command("batch", "run", "--json", "--archive", archive),
        env=environment(TERM="xterm", COLUMNS="120"),
        stdout=subprocess.PIPE,
        stderr=its,
        text=True,
    ) as process:
        os.close(its)
        out, _ = process.communicate()
    shown = os.read(ours, 65536).decode()
    os.close(ours)

    assert process.returncode == 0
    assert len([json.loads(line) for line in out.splitlines()]) == 4
    assert "datasets" in shown


def test_the_file_that_runs_is_named_on_the_terminal(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    may_end = threading.Event()

    def slow() -> Iterator[bytes]:
        whole = b"".join(reply(BODY).pieces())
        yield whole[:-10]
        may_end.wait()
        yield whole[-10:]

    carrel("add", list_of(tmp_path, serve(server, "slow", Reply(slow))))
    ours, its = pty.openpty()
    shown = ""
    with subprocess.Popen(
        command("batch", "run", "--archive", archive),
        env=environment(TERM="xterm", COLUMNS="120"),
        stdout=subprocess.DEVNULL,
        stderr=its,
    ) as process:
        os.close(its)
        while "0.txt · Tides slow" not in shown:
            shown += os.read(ours, 65536).decode("utf-8", "replace")
        may_end.set()
        process.wait()
    os.close(ours)

    assert "0/1" in shown
    assert process.returncode == 0


def test_a_job_that_was_stopped_is_shown_as_one_that_goes_on(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    carrel("add", list_of(tmp_path, "10.5072/a", "10.5072/b"))
    with Archive.create_or_open(archive) as opened:
        stopped, killed = opened.ledger.jobs.in_turn()
        begun: dict[str, Any] = {"attempts": 1, "file_count": 4, "kept_count": 0}
        opened.ledger.jobs.update(
            replace(stopped, ingest_id="one", status=Status.CANCELLED, **begun),
            replace(killed, ingest_id="two", state=JobState.RUNNING, **begun),
        )
        while_held = carrel("list")

    ran = carrel("list")

    assert while_held.err.startswith("1 queued, 1 running.")
    assert [line.split()[1:5] for line in ran.out.splitlines()] == [
        ["queued", "stopped,", "will", "resume"],
        ["queued", "stopped,", "will", "resume"],
    ]
    assert "of 4 files" not in ran.out
    assert ran.err.startswith("2 queued.")


def test_a_dataset_that_failed_twice_is_queued_once(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    listed = list_of(tmp_path, server.serve("/gone", html("", "404 Gone")))
    carrel("run", listed)
    carrel("run", listed)

    ran = carrel("retry", "--cause", "not-found")

    assert ran.out == "1 job queued again.\n"


def test_a_dry_run_tells_in_json_what_is_held_as_a_preview_does(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    url = serve(server, "held")
    carrel("run", list_of(tmp_path, url))

    (_, planned) = carrel("add", list_of(tmp_path, url), "--dry-run", "--json").lines
    (previewed,) = carrel_in_a_shell("preview", url, "--json", "--archive", archive).lines

    assert planned["held"] == previewed["held"]
    assert planned.keys() == previewed.keys()


def test_a_dry_run_counts_what_is_held_already(
    carrel: Carrel, server: WireServer, tmp_path: Path
) -> None:
    held, other = serve(server, "held"), serve(server, "other")
    carrel("run", list_of(tmp_path, held))

    ran = carrel("add", list_of(tmp_path, other, held), "--dry-run")

    rows = [line for line in ran.out.splitlines() if "Tides " in line]
    assert ran.code == 0
    assert [row.partition("  ")[0] for row in rows] == ["can be archived", "already archived"]
    assert "1 of 2 datasets can be archived: 1 file, 400 bytes." in ran.out
    assert "1 is already archived" in ran.out


def test_a_dry_run_tells_what_is_held_in_part_from_what_is_held(
    carrel: Carrel, tmp_path: Path
) -> None:
    with DemoRepository() as repository:
        path = list_of(tmp_path, repository.dataset("PRISN5").url(repository))
        carrel("run", path)

        ran = carrel("add", path, "--dry-run")

    assert "\npartly archived  " in ran.out
    assert "1 is already archived" in ran.out
    assert "1 of these is archived in part; its other files cannot be downloaded." in ran.out


def test_a_preview_says_of_what_is_held_that_it_was_removed_from_the_holdings(
    carrel: Carrel, server: WireServer, archive: Path, tmp_path: Path
) -> None:
    url = serve(server, "held")
    carrel("run", list_of(tmp_path, url))
    with Archive.create_or_open(archive) as opened:
        dataset = opened.ledger.catalogue.dataset_of(url) or 0
        opened.ledger.curation.remove([dataset], "2026-11-27T19:00:00Z")

    planned = carrel("add", list_of(tmp_path, url), "--dry-run")
    previewed = carrel_in_a_shell("preview", url, "--archive", archive)

    assert "    removed from the holdings 2026-11-27T19:00:00Z; its archived" in planned.out
    assert "1 of these was removed from the holdings." in planned.out
    assert ", removed from the holdings 2026-11-27: " in previewed.out


Worker = subprocess.Popen[str]


@pytest.fixture
def worker(server: WireServer, archive: Path) -> Iterator[Worker]:
    with subprocess.Popen(
        command("batch", "run", "-", "--archive", archive),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def send(process: Worker, *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(lines))
    process.stdin.flush()


def next_line(process: Worker) -> Any:
    assert process.stdout is not None
    return json.loads(next(process.stdout))


def next_result(process: Worker) -> Any:
    """Return the next result of a dataset, past those of single files."""
    while not of_dataset(line := next_line(process)):
        pass
    return line


def of_dataset(line: Any) -> bool:
    return bool(line["request"].get("ingest_type") != "dataset-file")


def end(process: Worker) -> tuple[int, list[Any], str]:
    """Close the worker's input; return its exit status, the results of datasets that were left to
    read, and its words.
    """
    out, err = process.communicate()
    return process.returncode, list(filter(of_dataset, map(json.loads, out.splitlines()))), err


def test_the_worker_answers_while_its_input_stays_open(worker: Worker, server: WireServer) -> None:
    one, two = serve(server, "one", count=2), serve(server, "two", count=2)

    send(worker, request_line(one, link_source="doi", future_field=[1]))
    first = next_result(worker)
    send(worker, request_line(two))
    second = next_result(worker)

    assert first["request"] == json.loads(request_line(one, link_source="doi", future_field=[1]))
    assert (first["status"], second["status"]) == ("success", "success")
    assert [faults(first), faults(second)] == [[], []]
    assert end(worker) == (0, [], "")


def test_the_worker_answers_as_an_ingest_does(
    carrel: Carrel, worker: Worker, server: WireServer, tmp_path: Path
) -> None:
    single, several = serve(server, "single"), serve(server, "several", count=2)
    elsewhere = new_archive(tmp_path / "elsewhere")
    lines = [request_line(single), request_line(several)]
    queued = list_of(tmp_path, single, several)

    send(worker, lines[0])
    answered = [next_line(worker), next_line(worker)]
    send(worker, lines[1])
    answered.append(next_line(worker))
    ingested = carrel_in_a_shell(
        "ingest", single, several, "--json", "--archive", tmp_path / "other"
    ).lines
    run = carrel_in_a_shell("batch", "run", queued, "--json", "--archive", elsewhere).lines

    kinds = [("dataset", "success-file"), ("dataset-file", "success"), ("dataset", "success")]
    assert [kind_of(line) for line in answered] == kinds
    assert [kind_of(line) for line in ingested] == kinds
    assert sorted(map(kind_of, run)) == sorted(kinds)
    assert answered[1]["file_meta"] == answered[0]["fileset_file"]["file_meta"]
    assert [line.keys() for line in answered] == [line.keys() for line in ingested]
    assert end(worker) == (0, [], "")


def kind_of(result: Any) -> tuple[str, str]:
    return result["request"]["ingest_type"], result["status"]


def test_the_worker_answers_a_bad_line_and_goes_on(worker: Worker, server: WireServer) -> None:
    send(worker, "nonsense\n", "\n", '{"ingest_type": "dataset"}\n')
    send(worker, request_line(serve(server, "one", count=2)))

    code, results, err = end(worker)

    bad = {line["request"].get("line_number"): line for line in results}
    assert (code, err, len(results)) == (1, "", 3)
    assert bad[1]["status"] == bad[3]["status"] == "invalid-request"
    assert bad[1]["request"]["line"] == "nonsense"
    assert bad[3]["error_message"] == "Line 3: base_url: Field required."
    assert bad[None]["hit"]
    assert [faults(line) for line in results] == [[], [], []]


def test_the_worker_answers_in_order_of_completion(worker: Worker, server: WireServer) -> None:
    may_end = threading.Event()

    def late() -> Iterator[bytes]:
        may_end.wait()
        yield from html("<p>Nothing</p>").pieces()

    slow, quick = server.serve("/slow", Reply(late)), serve(server, "quick", count=2)
    send(worker, request_line(slow), request_line(quick))

    first = next_result(worker)
    may_end.set()
    second = next_result(worker)

    assert [line["request"]["base_url"] for line in (first, second)] == [quick, slow]
    assert end(worker)[0] == 1


def test_the_worker_takes_up_no_more_than_the_settings_say(
    server: WireServer, archive: Path
) -> None:
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ningests = 1\n")
    running: list[str] = []

    def page(name: str) -> Reply:
        def pieces() -> Iterator[bytes]:
            running.append(f"{name} begins")
            yield from html("<p>Nothing</p>").pieces()
            running.append(f"{name} ends")

        return Reply(pieces)

    lines = [request_line(server.serve(f"/{name}", page(name))) for name in "abc"]
    ran = subprocess.run(
        command("batch", "run", "-", "--archive", archive),
        env=environment(),
        input="".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.stderr == ""
    assert running == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


def test_the_last_line_needs_no_end(worker: Worker, server: WireServer) -> None:
    send(worker, request_line(serve(server, "one", count=2)).strip())

    code, results, _ = end(worker)

    assert (code, [line["status"] for line in results]) == (0, ["success"])


def test_a_stopped_worker_answers_what_it_had_begun(worker: Worker, server: WireServer) -> None:
    asked, may_end = threading.Event(), threading.Event()

    def stuck() -> Iterator[bytes]:
        asked.set()
        may_end.wait()
        yield from reply(BODY).pieces()

    send(worker, request_line(serve(server, "one", reply(BODY), count=2)))
    kept = next_result(worker)
    send(worker, request_line(serve(server, "two", Reply(stuck))))
    asked.wait()
    worker.send_signal(signal.SIGTERM)
    may_end.set()
    code, results, err = end(worker)

    assert kept["hit"]
    assert (code, len(results), "Traceback" in err) == (1, 1, False)
    assert results[0]["status"] in ("cancelled", "success-file")


def test_a_worker_that_nobody_listens_to_ends_quietly(server: WireServer, archive: Path) -> None:
    lines = "".join(request_line(f"{server.origin}/{number}") for number in range(20))
    worker = shlex.join(command("batch", "run", "-", "--archive", archive))

    ran = subprocess.run(  # noqa: S602 - what a shell does with our output is the point
        f"{worker} | head -n 1",
        shell=True,
        env=environment(),
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )

    assert json.loads(ran.stdout)["status"] == "not-found"
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr
