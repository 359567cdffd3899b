# SPDX-License-Identifier: AGPL-3.0-or-later
"""The name that a server gives what it sends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.disposition import file_name


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment;filename="first.csv"', "first.csv"),
        ("attachment; FileName = first.csv ; size=7", "first.csv"),
        ('attachment; filename="a;b \\"q\\".csv"', 'a;b "q".csv'),
        ("attachment; filename=\"x.csv\"; filename*=UTF-8''n%C3%A4me%20a.csv", "näme a.csv"),
        ("attachment; filename*=iso-8859-1'de'n%E4me.csv", "näme.csv"),
        ("attachment; filename*=no-such''a.csv; filename=ok.csv", "ok.csv"),
        ("attachment; filename*=UTF-8''%ff.csv; filename=ok.csv", "ok.csv"),
        ('attachment; note="; filename=evil"; filename="ok.csv"', "ok.csv"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\..\\a.csv"', "a.csv"),
        ("attachment; filename*=UTF-8''%2E%2E%2Fa.csv", "a.csv"),
    ],
)
def test_the_name_is_found_and_its_folders_are_not(disposition: str, name: str) -> None:
    assert file_name(disposition) == name


@pytest.mark.parametrize(
    "disposition", ["", "inline", "attachment; filename=", 'attachment; filename="../.."']
)
def test_there_may_be_no_name(disposition: str) -> None:
    assert file_name(disposition) is None


@given(st.text(alphabet="filename*=0;'\"%fUT-8 \\/.a\x00\xe4", max_size=60))
def test_no_header_is_too_hostile(rest: str) -> None:
    assert "/" not in (file_name(f"attachment; filename*{rest}") or "")
