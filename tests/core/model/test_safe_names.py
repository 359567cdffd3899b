# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names that any disk takes, none of which leads anywhere else."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.model.safe_names import safe_name, safe_paths

HOSTILE = {
    "../../etc/passwd": "_/_/etc/passwd",
    "/absolute": "absolute",
    "C:\\Windows\\win.ini": "C__Windows_win.ini",
    "con.txt": "_con.txt",
    "LPT1": "_LPT1",
    "trailing. ": "trailing",
    "tab\there": "tab_here",
    "gpj.\u202eexe": "gpj._exe",
    "": "_",
    "a//b": "a/b",
}


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_becomes_a_plain_one(path: str) -> None:
    (safe,) = safe_paths([path])

    assert str(safe) == HOSTILE[path]


def test_names_that_differ_in_case_alone_stay_apart() -> None:
    assert [str(path) for path in safe_paths(["a/Map.csv", "a/map.csv", "A/map.CSV"])] == [
        "a/Map.csv",
        "a/map (2).csv",
        "A (2)/map.CSV",
    ]


def test_a_file_and_a_folder_of_one_name_both_have_a_place() -> None:
    assert [str(path) for path in safe_paths(["data", "data/x"])] == ["data", "data (2)/x"]


def test_one_name_in_two_forms_of_unicode_is_one_name() -> None:
    composed, apart = "é.txt", unicodedata.normalize("NFD", "é.txt")

    assert [str(path) for path in safe_paths([composed, apart])] == ["é.txt", "é (2).txt"]


def test_a_long_name_keeps_its_ending() -> None:
    name = safe_name("ü" * 400 + ".csv")

    assert name.endswith(".csv")
    assert len(name.encode()) <= 180


def test_ten_thousand_files_of_one_name_are_ten_thousand_files() -> None:
    assert len(set(safe_paths(["same.txt"] * 10_000))) == 10_000


@given(st.lists(st.text(max_size=40), max_size=12))
def test_no_path_leads_out_and_no_two_are_alike(paths: list[str]) -> None:
    safe = safe_paths(paths)

    keys = {unicodedata.normalize("NFC", str(path).casefold()) for path in safe}
    assert len(keys) == len(paths)
    parts = [part for path in safe for part in path.parts]
    assert [part for part in parts if part in ("", ".", "..")] == []
    assert [part for part in parts if re.search(r'[\x00-\x1f/\\:*?"<>|]', part)] == []
