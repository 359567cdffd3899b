# SPDX-License-Identifier: AGPL-3.0-or-later
"""Settings: every key may be left out, and a wrong one is named with its place."""

from dataclasses import fields
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.errors import SettingsBroken, SettingsError
from carrel.settings import SECTIONS, Settings, load, save
from carrel.settings.aside import set_aside


def load_text(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    return load(tmp_path / "settings.toml")


def test_what_a_text_must_be_is_said_in_words(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('[wayback]\nurl = "http://127.0.0.1:9/"\n')

    with pytest.raises(SettingsError) as refused:
        load(path)

    assert "wayback.url cannot be “http://127.0.0.1:9/”: it must be http://" in str(refused.value)
    assert "with nothing behind it" in str(refused.value)


def test_every_text_says_what_it_must_be() -> None:
    for section in SECTIONS.values():
        for each in fields(section):
            has_pattern, has_rule = "pattern" in each.metadata, "rule" in each.metadata
            assert has_pattern == has_rule == isinstance(each.default, str), each.name


def test_the_defaults_are_those_of_the_field(tmp_path: Path) -> None:
    settings = load(tmp_path / "none.toml")

    assert settings.limits.max_total_size == 64 * 1024**3
    assert settings.limits.max_file_count == 200
    assert settings.strategy.web_file_max_size == 64 * 1024**2
    assert settings.strategy.web_total_max_size == 10**9
    assert settings.strategy.web_max_file_count == 20


def test_what_is_set_is_taken_and_the_rest_stays(tmp_path: Path) -> None:
    settings = load_text(tmp_path, '[network]\ncontact = "a@b.example"\ntimeout_s = 5\n')

    assert settings.network.contact == "a@b.example"
    assert settings.network.timeout_s == 5
    assert settings.limits == Settings().limits


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[limit]", ["section", "“limit”", "“limits”"]),
        ("[colours]", ["section", "“colours”", "limits, strategy, network, warc"]),
        ("[limits]\nmax_files = 1", ["[limits]", "“max_files”", "“max_file_count”"]),
        ("[limits]\nmax_file_count = 'many'", ["limits.max_file_count", "a number", "'many'"]),
        ("[limits]\nmax_file_count = true", ["limits.max_file_count", "a number"]),
        ("[limits]\nmax_file_count = 1.5", ["limits.max_file_count", "a number"]),
        ("[limits]\nmax_file_count = 0", ["limits.max_file_count", "more than 0"]),
        ("[network]\ntimeout_s = -1", ["network.timeout_s", "more than 0"]),
        ("[network]\ncontact = 7", ["network.contact", "a text"]),
        ("limits = 7", ["“limits”", "section"]),
        ("[limits", ["not valid TOML", "line 1, column 8"]),
        ("[limits]\nmax_file_count 7\n", ["not valid TOML", "line 2, column 16"]),
        ("[limits]\r\n\r\nx = 'a", ["not valid TOML", "line 3, column 7"]),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(SettingsError) as error:
        load_text(tmp_path, text)

    said = str(error.value)
    assert str(tmp_path / "settings.toml") in said
    assert [word for word in words if word not in said] == []


def test_bytes_that_are_no_text_are_a_mistake_too(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe")

    with pytest.raises(SettingsError, match="not valid TOML"):
        load(path)

    assert path.read_bytes() == b"\xff\xfe"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_no_text_are_told_with_their_place(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(mark + b"[warc]\noperator = '\xff'\n")

    with pytest.raises(SettingsBroken, match="line 2, column 13, is not valid TOML") as broken:
        load(path)

    assert broken.value.path == path


@pytest.mark.parametrize("text", ["[limits", "[colours]", "[network]\ntimeout_s = -1"])
def test_a_file_that_is_not_valid_can_be_set_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)

    name = set_aside(path)

    assert name
    assert name.startswith("settings.toml.before-2")
    assert (tmp_path / name).read_text() == text
    assert not path.exists()
    assert load(path) == Settings()


def test_what_was_set_aside_before_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    texts = [f"[colours{number}]" for number in range(4)]

    for text in texts:
        path.write_text(text)
        set_aside(path)

    assert sorted(each.read_text() for each in tmp_path.iterdir()) == texts


def test_a_file_that_is_valid_by_now_is_not_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[network]\ntransfers = 5\n")

    assert set_aside(path) is None
    assert set_aside(tmp_path / "none" / "settings.toml") is None
    assert load(path).network.transfers == 5


def test_a_file_that_can_not_be_renamed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[limits")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)

    with pytest.raises(SettingsError, match=r"settings\.toml cannot be renamed: Permission denied"):
        set_aside(path)


def test_a_folder_whose_settings_were_set_aside_can_become_an_archive(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[limits")
    set_aside(tmp_path / "settings.toml")

    with Archive.create_or_open(tmp_path) as archive:
        assert archive.is_writable


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xef\xbb\xbf[network]\r\ntransfers = 5\r\n")

    read = load(path)
    saved = save(path, {"network": {"attempts": 2}})

    assert read.network.transfers == 5
    assert (saved.network.transfers, saved.network.attempts) == (5, 2)
    assert load(path) == saved


def test_a_folder_in_the_place_of_the_file_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").mkdir()

    with pytest.raises(SettingsError, match=r"settings\.toml cannot be read: Is a directory"):
        load(tmp_path / "settings.toml")


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_time_that_is_no_number_is_a_mistake(tmp_path: Path, number: str) -> None:
    with pytest.raises(SettingsError, match="timeout_s"):
        load_text(tmp_path, f"[network]\ntimeout_s = {number}\n")


def test_a_time_that_never_ends_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"network\.timeout_s can be at most 8640000 seconds"):
        load_text(tmp_path, "[network]\ntimeout_s = 1e30\n")


@pytest.mark.parametrize("host", ["a/b", "../../x", "a\nb"])
def test_a_host_that_can_not_stand_in_a_file_name_is_a_mistake(tmp_path: Path, host: str) -> None:
    with pytest.raises(SettingsError, match=r"warc\.host"):
        load_text(tmp_path, f"[warc]\nhost = {host!r}\n".replace("'", '"'))


@pytest.mark.parametrize("key", ["api_interval_s", "min_rate"])
def test_what_can_be_switched_off_may_be_zero(tmp_path: Path, key: str) -> None:
    settings = load_text(tmp_path, f"[network]\n{key} = 0\n")

    assert getattr(settings.network, key) == 0
    with pytest.raises(SettingsError, match=rf"network\.{key} must be 0 or more"):
        load_text(tmp_path, f"[network]\n{key} = -1\n")


def test_what_is_saved_leaves_the_rest_of_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# ours\n[network]\ntransfers = 3  # not more\ncontact = 'a@example.org'\n")

    saved = save(path, {"network": {"transfers": 4, "contact": None}, "warc": {"operator": "Ada"}})

    assert (saved.network.transfers, saved.network.contact) == (4, "")
    assert load(path) == saved
    assert path.read_text().startswith("# ours\n[network]\ntransfers = 4  # not more\n")
    assert saved.warc.operator == "Ada"


@pytest.mark.parametrize(
    ("before", "changes", "words"),
    [
        ("", {"network": {"transfers": 0}}, "more than 0"),
        ("", {"network": {"transfer": 1}}, "Did you mean “transfers”"),
        ("[network]\nspeed = 1\n", {"network": {"transfers": 1}}, "no key"),
        ("[network", {"network": {"transfers": 1}}, "not valid TOML"),
    ],
)
def test_what_makes_no_sense_is_not_saved(
    tmp_path: Path, before: str, changes: dict[str, dict[str, object]], words: str
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(before)

    with pytest.raises(SettingsError, match=words):
        save(path, changes)

    assert path.read_text() == before
    assert [each.name for each in tmp_path.iterdir()] == ["settings.toml"]
