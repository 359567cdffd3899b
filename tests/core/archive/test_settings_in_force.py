# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an archive may decide, what it may only ask for, and how an answer is remembered."""

import json
import multiprocessing
import os
import shutil
import stat
from dataclasses import fields
from pathlib import Path

import pytest

from carrel.errors import SettingsError
from carrel.settings import Answer, Answers, InForce, Origin, Settings, in_force, settings_of
from carrel.settings.consequences import consequence, lines_about
from carrel.settings.editor import Changes, editable, save_changes
from carrel.settings.person import own_file, save_own
from carrel.settings.request import Request
from carrel.settings.sections import SECTIONS, declarations, is_personal
from support.own_settings import configure

STRANGER = "http://stranger.example"
UPLOADS = f'[archiveorg]\ns3_url = "{STRANGER}"\nby_rule = true\n'


def archive_saying(tmp_path: Path, text: str, name: str = "archive") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "settings.toml").write_text(text)
    return folder


def asked(holds: InForce) -> dict[str, object]:
    return {each.name: each.asked for each in holds.requests}


def give(archive: Path, answer: Answer) -> None:
    Answers().give(archive, in_force(archive).requests, answer)


def test_what_touches_secrets_publication_or_other_hosts_is_personal() -> None:
    personal = {
        f"{section}.{key}"
        for section in SECTIONS
        for key, declared in declarations(section).items()
        if is_personal(declared)
    }

    assert personal == {
        *(f"archiveorg.{each.name}" for each in fields(SECTIONS["archiveorg"])),
        *(f"wayback.{each.name}" for each in fields(SECTIONS["wayback"])),
        *(f"signatures.{each.name}" for each in fields(SECTIONS["signatures"])),
        *(f"network.{key}" for key in ("contact", "transfers", "attempts", "ingests")),
        *("network.per_host", "network.api_interval_s", "mementos.private_networks"),
        *("network.max_rate", "schedule.hours", "schedule.watch_days"),
    }


def test_an_archive_decides_what_is_its_own(tmp_path: Path) -> None:
    text = '[limits]\nmax_file_count = 7\n[warc]\noperator = "Ada"\n[network]\ntimeout_s = 5\n'

    holds = in_force(archive_saying(tmp_path, text))

    assert (holds.settings.limits.max_file_count, holds.settings.warc.operator) == (7, "Ada")
    assert holds.settings.network.timeout_s == 5
    assert holds.requests == ()
    assert holds.origin("limits", "max_file_count") is Origin.ARCHIVE


def test_the_persons_own_values_hold_in_every_archive_that_says_nothing(tmp_path: Path) -> None:
    configure('[archiveorg]\ncollection = "ours"\n[limits]\nmax_file_count = 9\n')

    holds = in_force(archive_saying(tmp_path, ""))

    assert holds.settings.archiveorg.collection == "ours"
    assert holds.settings.limits.max_file_count == 9
    assert holds.origin("archiveorg", "collection") is Origin.OWN


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("archiveorg", "url", STRANGER),
        ("archiveorg", "s3_url", STRANGER),
        ("archiveorg", "collection", "theirs"),
        ("archiveorg", "test", True),
        ("archiveorg", "by_rule", True),
        ("wayback", "url", STRANGER),
        ("wayback", "max_file_count", 21),
        ("wayback", "poll_s", 0.001),
        ("wayback", "patience_s", 601),
        ("network", "contact", "somebody@else.example"),
        ("network", "transfers", 3),
        ("network", "attempts", 100),
        ("network", "ingests", 50),
        ("network", "per_host", 64),
        ("network", "api_interval_s", 0),
        ("mementos", "private_networks", True),
    ],
)
def test_what_an_archive_asks_for_holds_only_once_it_is_accepted(
    tmp_path: Path, section: str, key: str, value: object
) -> None:
    archive = archive_saying(tmp_path, f"[{section}]\n{key} = {json.dumps(value)}\n")
    own = getattr(getattr(Settings(), section), key)

    undecided = in_force(archive)
    give(archive, Answer.REJECTED)
    rejected = in_force(archive)
    give(archive, Answer.ACCEPTED)
    accepted = in_force(archive)

    (request,) = undecided.requests
    assert (request.name, request.asked, request.own) == (f"{section}.{key}", value, own)
    assert undecided.settings.undecided == (request,)
    assert rejected.settings.undecided == accepted.settings.undecided == ()
    values = [getattr(getattr(each.settings, section), key) for each in (undecided, rejected)]
    assert values == [own, own]
    assert getattr(getattr(accepted.settings, section), key) == value
    assert consequence(request).endswith(".")


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("network", "attempts", 1),
        ("network", "per_host", 1),
        ("network", "api_interval_s", 30),
        ("wayback", "max_file_count", 1),
        ("wayback", "poll_s", 60),
    ],
)
def test_an_archive_may_ask_for_less_without_a_question(
    tmp_path: Path, section: str, key: str, value: int
) -> None:
    holds = in_force(archive_saying(tmp_path, f"[{section}]\n{key} = {value}\n"))

    assert holds.requests == ()
    assert getattr(getattr(holds.settings, section), key) == value


@pytest.mark.parametrize(
    ("section", "key", "default"),
    [
        (section, key, declared.default)
        for section in SECTIONS
        for key, declared in declarations(section).items()
        if is_personal(declared)
    ],
)
def test_every_setting_of_the_persons_has_a_sentence_for_whatever_is_asked(
    section: str, key: str, default: bool | float | str
) -> None:
    kind = type(default)

    for asked in (kind(), kind(7)):
        assert consequence(Request(section, key, asked, default)).endswith(".")


def test_what_an_archive_asks_for_of_signatures_is_told(tmp_path: Path) -> None:
    text = '[signatures]\nauthority = "http://e.org"\nkey = "keyring"\n'

    told = lines_about(in_force(archive_saying(tmp_path, text)).requests)

    assert "signed with the key in your keyring" in told[0]
    assert "http://e.org would time-stamp" in told[1]


def test_an_archive_may_forbid_what_the_person_allows(tmp_path: Path) -> None:
    configure("[archiveorg]\nby_rule = true\n[mementos]\nprivate_networks = true\n")
    text = "[archiveorg]\nby_rule = false\n[mementos]\nprivate_networks = false\n"

    holds = in_force(archive_saying(tmp_path, text))

    assert holds.requests == ()
    assert not holds.settings.archiveorg.by_rule
    assert not holds.settings.mementos.private_networks


def test_the_test_collection_is_never_left_or_chosen_without_a_question(tmp_path: Path) -> None:
    configure("[archiveorg]\ntest = true\n")

    holds = in_force(archive_saying(tmp_path, "[archiveorg]\ntest = false\n"))

    assert holds.settings.archiveorg.test
    assert "published for good" in lines_about(holds.undecided)[0]


def test_what_holds_anyway_is_no_question(tmp_path: Path) -> None:
    configure('[archiveorg]\ncollection = "ours"\n')
    text = '[archiveorg]\ncollection = "ours"\ntest = false\n[network]\nattempts = 4\n'

    assert in_force(archive_saying(tmp_path, text)).requests == ()


def test_other_values_at_the_same_place_are_asked_about_again(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)
    before = in_force(archive)
    (archive / "settings.toml").write_text(UPLOADS.replace("stranger", "other"))

    after = in_force(archive)

    assert (before.answer, before.settings.archiveorg.s3_url) == (Answer.ACCEPTED, STRANGER)
    assert (after.answer, after.settings.archiveorg) == (None, Settings().archiveorg)


def test_one_value_less_is_asked_about_again(tmp_path: Path) -> None:
    """To accept a strange host for tests is not to accept it for publication."""
    archive = archive_saying(tmp_path, f'[archiveorg]\ns3_url = "{STRANGER}"\ntest = true\n')
    give(archive, Answer.ACCEPTED)
    (archive / "settings.toml").write_text(f'[archiveorg]\ns3_url = "{STRANGER}"\n')

    assert in_force(archive).answer is None


def test_a_changed_configuration_of_ones_own_is_a_new_question(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, f'[archiveorg]\ns3_url = "{STRANGER}"\ntest = false\n')
    give(archive, Answer.ACCEPTED)
    configure("[archiveorg]\ntest = true\n")

    holds = in_force(archive)

    assert holds.answer is None
    assert set(asked(holds)) == {"archiveorg.s3_url", "archiveorg.test"}
    assert holds.settings.archiveorg.test


def test_a_copy_of_an_archive_is_asked_about_again(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)
    copy = Path(shutil.copytree(archive, tmp_path / "copy"))

    assert in_force(copy).answer is None
    assert settings_of(copy).archiveorg == Settings().archiveorg


def test_the_same_archive_by_another_path_is_not_asked_about_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.REJECTED)
    (tmp_path / "link").symlink_to(archive)
    monkeypatch.chdir(tmp_path)

    assert in_force(tmp_path / "link").answer is Answer.REJECTED
    assert in_force(Path("archive")).answer is Answer.REJECTED


def test_answers_are_private_and_outside_of_the_archive(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)

    path = Answers().path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.is_relative_to(archive)
    assert [each.name for each in archive.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"version": 2, "archives": {}}',
        b'{"version": 1}',
        b'{"version": 1, "archives": {"/a": {"answer": "yes", "settings": {}}}}',
        b'{"version": 1, "archives": {"/a": "accepted"}}',
        b"[" * 100_000,
    ],
)
def test_damaged_answers_are_told_and_count_for_nothing(tmp_path: Path, damage: bytes) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)
    Answers().path.write_bytes(damage)

    holds = in_force(archive)

    assert (holds.answer, holds.settings.archiveorg) == (None, Settings().archiveorg)
    assert holds.trouble
    assert str(Answers().path) in holds.trouble


def test_a_new_answer_puts_damaged_ones_aside(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)
    Answers().path.write_bytes(b"{")

    give(archive, Answer.REJECTED)

    assert in_force(archive).answer is Answer.REJECTED
    assert in_force(archive).trouble is None
    assert (Answers().path.parent / "archives.damaged.json").read_bytes() == b"{"


def _give_many(folders: list[Path]) -> None:
    for folder in folders:
        give(folder, Answer.ACCEPTED)


def test_several_processes_answer_at_once_and_no_answer_is_lost(tmp_path: Path) -> None:
    archives = [archive_saying(tmp_path, UPLOADS, f"{number}") for number in range(12)]
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_give_many, args=(archives[start::3],)) for start in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert [in_force(each).answer for each in archives] == [Answer.ACCEPTED] * 12


def test_where_nothing_can_be_remembered_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))

    with pytest.raises(SettingsError, match=r"archives\.json cannot be written"):
        give(archive, Answer.ACCEPTED)


def test_a_mistake_in_ones_own_configuration_is_named_with_its_file(tmp_path: Path) -> None:
    path = configure("[archiveorg]\nby_rul = true\n")

    with pytest.raises(SettingsError) as error:
        in_force(archive_saying(tmp_path, ""))

    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://archive.org@stranger.example",
        "https://archive.org:secret@stranger.example",
        "https://stranger.example?.archive.org",
        "https://stranger.example#.archive.org",
        "https://stranger.example\\.archive.org",
        "https://аrchive.org",
        "https://archive.org/upload",
        "ftp://archive.org",
    ],
)
def test_a_host_that_reads_like_another_one_is_a_mistake(tmp_path: Path, url: str) -> None:
    text = f"[archiveorg]\ns3_url = {json.dumps(url, ensure_ascii=False)}\n"

    with pytest.raises(SettingsError, match=r"archiveorg\.s3_url"):
        in_force(archive_saying(tmp_path, text))


def test_a_settings_file_that_never_ends_is_not_read(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, "")
    (archive / "settings.toml").unlink()
    (archive / "settings.toml").symlink_to("/dev/zero")

    with pytest.raises(SettingsError, match="it is not a file"):
        in_force(archive)


def test_a_settings_file_that_never_begins_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    os.mkfifo(tmp_path / "archive" / "settings.toml")

    with pytest.raises(SettingsError, match="it is not a file"):
        in_force(tmp_path / "archive")


def test_a_settings_file_beyond_a_mebibyte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="more than 1 MiB"):
        in_force(archive_saying(tmp_path, "#" * (1024 * 1024 + 1)))


# Changing


def test_each_change_is_written_into_the_file_of_whom_it_belongs_to(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, "# ours\n")
    changes: Changes = {"limits": {"max_file_count": 7}, "network": {"contact": "a@b.example"}}

    saved = save_changes(archive, changes)

    assert (archive / "settings.toml").read_text().startswith("# ours\n")
    assert "contact" not in (archive / "settings.toml").read_text()
    assert own_file().read_text() == '[network]\ncontact = "a@b.example"\n'
    assert stat.S_IMODE(own_file().stat().st_mode) == 0o600
    assert (saved.limits.max_file_count, saved.network.contact) == (7, "a@b.example")
    assert editable(archive) == saved


def test_what_an_archive_asks_for_is_not_shown_as_ones_own(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, UPLOADS)
    give(archive, Answer.ACCEPTED)

    assert editable(archive).archiveorg == Settings().archiveorg


def test_where_one_file_makes_no_sense_neither_is_written(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, "[limits\n")
    own = configure("")

    with pytest.raises(SettingsError, match="not valid TOML"):
        save_changes(archive, {"limits": {"max_file_count": 7}, "network": {"attempts": 2}})

    assert own.read_text() == ""


def test_a_configuration_that_is_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "kept.toml").write_text("# mine\n")
    own = configure("")
    own.unlink()
    own.symlink_to(tmp_path / "kept.toml")

    save_own({"network": {"attempts": 2}})

    assert own.is_symlink()
    assert "attempts = 2" in (tmp_path / "kept.toml").read_text()


def test_saving_follows_no_link_that_lies_beside_the_file(tmp_path: Path) -> None:
    archive = archive_saying(tmp_path, "")
    (tmp_path / "mine").write_text("precious")
    (archive / "settings.toml.tmp").symlink_to(tmp_path / "mine")

    save_changes(archive, {"limits": {"max_file_count": 7}})

    assert (tmp_path / "mine").read_text() == "precious"
