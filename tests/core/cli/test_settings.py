# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel settings`, and the question that every command asks about an archive from elsewhere."""

import json
import os
import pty
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.settings import Answer, Answers, in_force
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg
from support.archives import Ran, carrel, command, environment, new_archive
from support.own_settings import configure
from support.wire import WireServer, dataset_page, reply

BODY = b"The tide came late.\n" * 20
QUESTION = "Use these settings for this archive?"
KEYS = {"IA_ACCESS_KEY_ID": ACCESS, "IA_SECRET_ACCESS_KEY": SECRET}


@pytest.fixture
def stranger() -> Iterator[FakeArchiveOrg]:
    with FakeArchiveOrg() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path, stranger: FakeArchiveOrg) -> Path:
    text = f'[archiveorg]\nurl = "{stranger.url}"\ns3_url = "{stranger.url}"\nby_rule = true\n'
    return new_archive(tmp_path / "an archive", text)


@pytest.fixture
def page(server: WireServer) -> str:
    file = {"name": "0.txt", "contentUrl": server.serve("/0.txt", reply(BODY))}
    return dataset_page(server, [{**file, "contentSize": len(BODY)}])


def on_a_terminal(typed: str, *arguments: str | Path) -> tuple[int, str]:
    """Run the command line on a terminal of its own, answering its question."""
    ours, its = pty.openpty()
    shown = bytearray()

    def read() -> None:
        is_typed = False
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                return  # how Linux says that the other side has closed
            shown.extend(piece)
            if not is_typed and QUESTION.encode() in shown:
                os.write(ours, typed.encode())
                is_typed = True

    reader = threading.Thread(target=read)
    reader.start()
    env = environment(TERM="xterm", COLUMNS="200", **KEYS)
    ran = subprocess.run(
        command(*arguments), env=env, stdin=its, stdout=its, stderr=its, check=False, timeout=120
    )
    os.close(its)
    reader.join()
    os.close(ours)
    return ran.returncode, shown.decode("utf-8", "replace")


def answer_of(archive: Path) -> Answer | None:
    return in_force(archive).answer


def ingest(page: str, archive: Path) -> Ran:
    strategy = ("--strategy", "archiveorg-file")
    return carrel("ingest", page, *strategy, "--json", "--archive", archive, env=KEYS)


def test_a_strangers_host_gets_no_keys_and_standard_output_stays_json(
    page: str, archive: Path, stranger: FakeArchiveOrg
) -> None:
    ran = ingest(page, archive)

    (fields,) = ran.lines
    assert (ran.code, fields["status"]) == (1, "settings-unconfirmed")
    assert (stranger.puts, stranger.asked) == ([], [])
    assert f"Your archive.org keys and your uploads would be sent to {stranger.url}." in ran.err
    assert f"“carrel settings accept --archive '{archive}'”" in ran.err
    assert ACCESS not in ran.out + ran.err


def test_what_was_accepted_is_used_and_not_shown_again(
    page: str, archive: Path, stranger: FakeArchiveOrg
) -> None:
    carrel("settings", "accept", "--archive", archive)

    ran = ingest(page, archive)

    assert (ran.code, ran.lines[0]["status"]) == (0, "success-file")
    assert [put.path for put in stranger.puts] == ["0.txt"]
    assert "only you can allow" not in ran.err


def test_what_was_rejected_is_not_used_and_not_shown_again(
    page: str, archive: Path, stranger: FakeArchiveOrg
) -> None:
    with FakeArchiveOrg() as mine:
        configure(f'[archiveorg]\nurl = "{mine.url}"\ns3_url = "{mine.url}"\n')
        carrel("settings", "reject", "--archive", archive)

        ran = ingest(page, archive)

        assert [put.path for put in mine.puts] == ["0.txt"]
    assert (ran.code, stranger.puts, stranger.asked) == (0, [], [])
    assert "only you can allow" not in ran.err


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", Answer.ACCEPTED), ("n\n", Answer.REJECTED), ("\n", Answer.REJECTED)],
)
def test_on_a_terminal_it_is_asked_once(archive: Path, typed: str, answer: Answer) -> None:
    _, first = on_a_terminal(typed, "settings", "show", "--archive", archive)
    _, second = on_a_terminal(typed, "batch", "list", "--archive", archive)
    _, third = on_a_terminal(typed, "batch", "list", "--archive", archive)

    assert [text.count(QUESTION) for text in (first, second, third)] == [0, 1, 0]
    assert answer_of(archive) is answer


def test_a_question_that_is_broken_off_is_not_answered(archive: Path) -> None:
    code, shown = on_a_terminal("\x04", "batch", "list", "--archive", archive)

    assert QUESTION in shown
    assert code == 130
    assert answer_of(archive) is None


def test_without_a_terminal_nobody_is_asked(archive: Path) -> None:
    ran = carrel("batch", "list", "--archive", archive)

    assert QUESTION not in ran.err
    assert "Nothing of it is used until you decide" in ran.err
    assert answer_of(archive) is None


def test_what_could_steer_the_terminal_is_not_obeyed(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive", "")
    (archive / "collections").symlink_to(tmp_path / "\x1b[2Jelse\nwhere")

    ran = carrel("batch", "list", "--archive", archive)

    assert "\x1b" not in ran.err
    assert "else\nwhere" not in ran.err


def test_show_says_whose_each_value_is(archive: Path, stranger: FakeArchiveOrg) -> None:
    configure('[archiveorg]\ncollection = "ours"\n')
    path = archive / "settings.toml"
    path.write_text(f"{path.read_text()}[limits]\nmax_file_count = 7\n")

    ran = carrel("settings", "show", "--json", "--archive", archive)

    rows = {row["setting"]: row for row in ran.lines}
    assert _said(rows["archiveorg.collection"]) == ("ours", "own", "personal")
    assert _said(rows["limits.max_file_count"]) == (7, "archive", "archive")
    assert _said(rows["archiveorg.by_rule"]) == (False, "default", "personal")
    asked = rows["archiveorg.s3_url"]
    assert (asked["asked"], asked["answer"]) == (stranger.url, "undecided")
    assert asked["value"] == "https://s3.us.archive.org"


def _said(row: dict[str, object]) -> tuple[object, object, object]:
    return row["value"], row["origin"], row["scope"]


def test_show_says_in_words_what_is_asked_for(archive: Path, stranger: FakeArchiveOrg) -> None:
    undecided = carrel("settings", "show", "--archive", archive)
    carrel("settings", "accept", "--archive", archive)
    accepted = carrel("settings", "show", "--archive", archive)

    assert "You have not decided about this" in undecided.out
    assert "You accepted this" in accepted.out
    assert f'archiveorg.s3_url                "{stranger.url}"' in accepted.out


def test_an_archive_that_asks_for_nothing_has_nothing_decided(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive", "[limits]\nmax_file_count = 7\n")

    ran = carrel("settings", "accept", "--json", "--archive", archive)

    assert (ran.code, ran.out) == (0, "")
    assert "requests nothing" in ran.err
    assert not Answers().path.exists()


def test_damaged_answers_are_told_and_nothing_is_used(archive: Path) -> None:
    carrel("settings", "accept", "--archive", archive)
    Answers().path.write_text("{")

    ran = carrel("batch", "list", "--archive", archive)

    assert "is damaged. None of them counts" in ran.err
    assert "only you can allow" in ran.err


def test_a_mistake_in_an_archives_settings_is_said_once(tmp_path: Path) -> None:
    archive = new_archive(tmp_path / "archive", "[limits\n")

    ran = carrel("ingest", "https://a.example/", "--archive", archive)

    assert ran.code == 2
    assert ran.err.count("not valid TOML") == 1


def test_lists_that_say_where_to_publish_are_not_followed(
    tmp_path: Path, page: str, archive: Path, stranger: FakeArchiveOrg
) -> None:
    wishes = {"strategy": "archiveorg-file", "to": ["wayback"], "item_name": "theirs"}
    request = {"ingest_type": "dataset", "base_url": page}
    (tmp_path / "list.jsonl").write_text(json.dumps({**request, **wishes}))
    carrel("settings", "accept", "--archive", archive)

    added = carrel("batch", "add", tmp_path / "list.jsonl", "--archive", archive)
    ran = carrel("batch", "run", "--json", "--archive", archive, env=KEYS)

    assert "1 line says how or where to archive" in added.out
    assert ran.lines[0]["ingest_strategy"] == "web-file"
    assert (stranger.puts, stranger.asked) == ([], [])


def test_the_worker_follows_no_request_that_says_where_to_publish(
    page: str, archive: Path, stranger: FakeArchiveOrg
) -> None:
    carrel("settings", "accept", "--archive", archive)
    request = {"ingest_type": "dataset", "base_url": page, "strategy": "archiveorg-file"}

    ran = subprocess.run(
        command("batch", "run", "-", "--archive", archive),
        env=environment(**KEYS),
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert json.loads(ran.stdout.splitlines()[0])["ingest_strategy"] == "web-file"
    assert (stranger.puts, stranger.asked) == ([], [])


def test_what_is_taken_without_a_question_is_told_as_that(tmp_path: Path) -> None:
    path = new_archive(
        tmp_path / "archive", "[network]\nmax_rate = 5\n[limits]\nmax_file_count = 9\n"
    )

    ran = carrel("settings", "show", "--archive", path)

    (rate,) = [line for line in ran.out.splitlines() if line.startswith("network.max_rate")]
    (count,) = [line for line in ran.out.splitlines() if line.startswith("limits.max_file_count")]
    assert rate.endswith("this archive, which asks less of others (yours to decide)")
    assert count.endswith("this archive (archive's to decide)")
