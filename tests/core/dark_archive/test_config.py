# SPDX-License-Identifier: AGPL-3.0-or-later
"""The configuration of runs, as people write it: in forms they know, with slips that are named."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.dark_archive.config import GatheringConfig, read_config, write_config
from carrel.dark_archive.config_lines import quoted, read_lines
from carrel.errors import ConfigError
from carrel.model.sizes import MEBIBYTE

TOML = """\
# where it comes from
[dark_archive]
ReDIF_directory = "/data/RePEc"  # updated by night
object_store = '/data/#1 store'
full_texts = false
every_days = 30
max_file_size = "1GiB"
batch_objects = 5_000
"""

YAML = """\
---
dark_archive:
  ReDIF_directory: /data/RePEc  # updated by night
  object_store: "/data/#1 store"
  full_texts: no
  every-days: 30
  max_file_size: 1GiB
  batch_objects: 5000
"""

INI = """\
; where it comes from
[Dark-Archive]
redif_directory=/data/RePEc
object_store = '/data/#1 store'
Full_Texts = Off
EVERY_DAYS = 30.0
max_file_size = 1024 MiB
batch_objects=5000
"""

MEANT = GatheringConfig(
    redif_directory=Path("/data/RePEc"),
    object_store=Path("/data/#1 store"),
    full_texts=False,
    every_days=30,
    max_file_size=1024 * MEBIBYTE,
    batch_objects=5000,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "gathering.conf"


def read(file: Path, text: str) -> GatheringConfig:
    file.write_bytes(text.encode())
    return read_config(file)


@pytest.mark.parametrize("text", [TOML, YAML, INI], ids=["TOML", "YAML", "INI"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_each_form_that_people_know_is_understood(file: Path, text: str, line_end: str) -> None:
    config = read(file, text.replace("\n", line_end))

    assert config == MEANT


@pytest.mark.parametrize("text", ["", "\ufeff# nothing\n", "\n\n  # nothing\n[dark_archive]"])
def test_what_is_left_out_is_as_by_default(file: Path, text: str) -> None:
    config = read(file, text)

    assert config == GatheringConfig()
    assert (config.confirm_after_days, config.batch_objects) == (7, 10_000)
    assert config.max_file_size == 512 * MEBIBYTE


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("/data/RePEc", "/data/RePEc"),
        ("/data/My RePEc", "/data/My RePEc"),
        ("/data/a#b # c", "/data/a#b"),
        ("'/data/it''s'", "/data/it's"),
        ('"/data/the \\"old\\" one"', '/data/the "old" one'),
        ('"/data/back\\\\slash"', "/data/back\\slash"),
        ('"/data/C:\\old"', "/data/C:\\old"),
        ("/data/a=b:c", "/data/a=b:c"),
        ("/data/Ökonomie", "/data/Ökonomie"),
    ],
)
@pytest.mark.parametrize("separator", [" = ", "=", ": ", ":"])
def test_a_path_is_quoted_or_bare(file: Path, value: str, meant: str, separator: str) -> None:
    config = read(file, f"ReDIF_directory{separator}{value}\n")

    assert config.redif_directory == Path(meant)


def test_a_relative_path_is_meant_from_the_files_folder_on(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("object_store = store/a\nReDIF_directory = ../RePEc\n")
    monkeypatch.chdir(file.parent)

    config = read_config(Path(file.name))

    assert config.object_store == file.parent / "store" / "a"
    assert config.redif_directory == file.parent / ".." / "RePEc"


def test_a_tilde_is_the_home_directory(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("USERPROFILE", "/home/ada")

    config = read(file, "ReDIF_directory = ~/RePEc\n")

    assert config.redif_directory == Path("/home/ada/RePEc")


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("512MB", 512_000_000),
        ("1GiB", 1024**3),
        ("1.5 GB", 1_500_000_000),
        ("700", 700),
        ("64 kib", 65536),
        ("1_000_000 bytes", 1_000_000),
        ("2TiB", 2 * 1024**4),
    ],
)
def test_a_size_is_a_number_with_a_unit(file: Path, value: str, meant: int) -> None:
    assert read(file, f"max_file_size = {value}\n").max_file_size == meant


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "ReDIF_dir = /a",
            "key “ReDIF_dir”: unknown key; did you mean “ReDIF_directory”?",
        ),
        ("full-text = yes", "key “full-text”: unknown key; did you mean “full_texts”?"),
        ("qqq = 1", "key “qqq”: unknown key; there are ReDIF_directory, object_store,"),
        ("ftp = yes", "key “ftp”: unknown key"),
        ("full_texts = perhaps", "key “full_texts”: “perhaps” is not valid; it is yes or no."),
        ("every_days = -1", "it is a number from 0 to 36,600."),
        ("every_days = nan", "it is a number from 0 to 36,600."),
        ("every_days = inf", "it is a number from 0 to 36,600."),
        ("every_days = 1,5", "it is a number, like 7 or 0.5."),
        ("max_file_size = 5 parsecs", "or a size like 512MiB"),
        ("max_file_size = 5M", "or a size like 512MiB"),
        ("max_file_size = 0", "at least 1 byte"),
        ("max_file_size = 99999999999999TB", "at least 1 byte"),
        ("batch_objects = 0", "a whole number, 1 or more."),
        ("batch_objects = 2.5", "a whole number, 1 or more."),
        ("batch_objects = 1__0", "a whole number, 1 or more."),
        ("batch_objects = 99999999999999999999", "a whole number, 1 or more."),
        ("object_store =", "key “object_store”: there is no value."),
        ('object_store = ""', "key “object_store”: there is no value."),
        ("object_store = # later", "key “object_store”: there is no value."),
        ("object_store: ~", "the home directory itself is not allowed"),
        ("object_store: ~nobody-of-that-name/x", "unknown user ~nobody-of-that-name"),
        ('object_store = "/a', "the quotes do not end where the value does"),
        ('object_store = "/a" b', "the quotes do not end where the value does"),
        ('object_store = "C:\\data\\"', "the quotes do not end where the value does"),
        ("object_store = /a\0b", "there are control characters in it."),
        ("object_store", "this is neither “name = value” nor a comment"),
        ("= /a", "unknown key"),
        ("[mementos]", "there is no section “mementos”, only [dark_archive]"),
        ("every_days = " + " " * 20_000 + "1", "this is neither"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(file: Path, line: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(file, f"# mine\n\n{line}\n")

    assert str(caught.value).startswith(f"{file}, line 3")
    assert sentence in str(caught.value)


def test_all_that_is_wrong_is_said_at_once(file: Path) -> None:
    text = "ReDIF = /a\nfull_texts = yes\nfull-texts = no\nevery_days = often\n"

    with pytest.raises(ConfigError) as caught:
        read(file, text)

    lines = str(caught.value).splitlines()
    assert [line.partition(": ")[0].rpartition("line ")[2] for line in lines] == [
        *("1, key “ReDIF”", "3, key “full-texts”", "4, key “every_days”")
    ]
    assert "it is already in line 2." in lines[1]


@pytest.mark.parametrize(
    ("source", "store"),
    [("/data/RePEc", "/data/RePEc/store"), ("/data/store/RePEc", "/data/store"), ("a", "b/../a")],
)
def test_a_store_within_what_is_read_is_refused(file: Path, source: str, store: str) -> None:
    with pytest.raises(ConfigError, match="are nested"):
        read(file, f"ReDIF_directory = {source}\nobject_store = {store}\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"full_texts = yes\nobject_store = /data/\xd6konomie\n", "line 2: this is not UTF-8"),
        (b"#" * (MEBIBYTE + 1), "too large for a configuration"),
    ],
)
def test_what_is_no_text_of_ours_is_refused(file: Path, content: bytes, sentence: str) -> None:
    file.write_bytes(content)

    with pytest.raises(ConfigError, match=sentence):
        read_config(file)


@pytest.mark.parametrize("name", ["nothing.conf", "."])
def test_a_file_that_can_not_be_read_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_config(tmp_path / name)


@pytest.mark.parametrize("value", [" " * 9_000 + "x", "'" * 9_999, '"' + "\\" * 9_000, "#" * 9_000])
def test_a_hostile_line_takes_no_time(file: Path, value: str) -> None:
    with pytest.raises(ConfigError):
        read(file, f"batch_objects = {value}\n" * 100)


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.sampled_from("abef_=:#;'\"\\[]- \t\n\r\0\u2028é~.19MB"), max_size=200))
def test_any_text_is_understood_or_refused_and_no_line_is_lost(text: str) -> None:
    lines = read_lines(text)

    assert "".join(line.text for line in lines) == text


@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1))
def test_what_is_quoted_is_read_as_it_was(value: str) -> None:
    (line,) = read_lines(f"object_store = {quoted(value)}\n")

    assert (line.value, line.fault) == (value, "")


def test_what_was_written_is_read(file: Path) -> None:
    write_config(file, MEANT)

    assert read_config(file) == MEANT
    assert file.read_text(encoding="utf-8").splitlines()[1:] == [
        'ReDIF_directory = "/data/RePEc"',
        'object_store = "/data/#1 store"',
        "full_texts = false",
        "every_days = 30",
        "max_file_size = 1073741824",
        "batch_objects = 5000",
    ]


@pytest.mark.parametrize("text", [TOML, YAML, INI], ids=["TOML", "YAML", "INI"])
def test_writing_changes_only_what_has_changed(file: Path, text: str) -> None:
    config = read(file, text)

    write_config(file, replace(config, redif_directory=Path("/new/RePEc")))

    assert file.read_text(encoding="utf-8") == text.replace(
        "=/data/RePEc", '="/new/RePEc"'
    ).replace('"/data/RePEc"', '"/new/RePEc"').replace(": /data/RePEc", ': "/new/RePEc"')


def test_writing_adds_and_takes_out(file: Path) -> None:
    config = read(file, "object_store = a # here\nfull_texts = no")

    write_config(file, replace(config, object_store=None, every_days=0.5))

    assert file.read_text(encoding="utf-8") == "full_texts = no\nevery_days = 0.5\n"


def test_a_relative_path_that_has_not_changed_stays_relative(file: Path) -> None:
    config = read(file, "object_store = store\n")

    write_config(file, replace(config, full_texts=False))

    assert file.read_text(encoding="utf-8") == "object_store = store\nfull_texts = false\n"


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (GatheringConfig(redif_directory=Path("RePEc")), "must be absolute"),
        (GatheringConfig(redif_directory=Path("/a\nb")), "cannot be written"),
        (GatheringConfig(batch_objects=0), "1 or more"),
        (GatheringConfig(Path("/data"), Path("/data/store")), "are nested"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(
    file: Path, config: GatheringConfig, sentence: str
) -> None:
    file.write_text("full_texts = yes\n")

    with pytest.raises(ConfigError, match=sentence):
        write_config(file, config)

    assert file.read_text() == "full_texts = yes\n"


def test_what_is_not_understood_is_not_written_over(file: Path) -> None:
    file.write_text("full_txts = yes\n")

    with pytest.raises(ConfigError, match="did you mean"):
        write_config(file, GatheringConfig(full_texts=False))

    assert file.read_text() == "full_txts = yes\n"


def test_a_full_disk_leaves_the_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("full_texts = yes\n")

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)

    with pytest.raises(ConfigError, match="No space left"):
        write_config(file, GatheringConfig(full_texts=False))

    assert file.read_text() == "full_texts = yes\n"
    assert list(file.parent.iterdir()) == [file]
