# SPDX-License-Identifier: AGPL-3.0-or-later
"""Header values that a replaying program could not hand on are written so that it can."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.capture.disposition import file_name
from carrel.capture.replayable import beyond_latin1, replayable


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        (b"Content-Type", b"text/csv", b"text/csv"),
        (b"X-Note", "größe".encode(), "größe".encode()),
        (b"X-Note", "größe".encode("latin-1"), "größe".encode("latin-1")),
        (b"X-Note", "数据 50%".encode(), b"%E6%95%B0%E6%8D%AE 50%"),
        (
            b"content-disposition",
            'attachment; filename="数据 1.bin"; size=4'.encode(),
            b"attachment; filename*=UTF-8''%E6%95%B0%E6%8D%AE%201.bin",
        ),
        (b"Content-Disposition", "数据".encode(), b"%E6%95%B0%E6%8D%AE"),
        (b"", "数".encode(), b"%E6%95%B0"),
    ],
)
def test_only_what_is_beyond_latin1_is_rewritten(name: bytes, value: bytes, written: bytes) -> None:
    assert replayable(name, value) == written
    assert (beyond_latin1(value) is None) == (written == value)


@given(st.text(st.characters(codec="utf-8", exclude_characters='"\\/\r\n'), min_size=1))
def test_a_file_keeps_its_name(name: str) -> None:
    value = f'attachment; filename="{name}"'.encode()

    written = replayable(b"Content-Disposition", value)

    written.decode("latin-1")
    if written != value:
        assert file_name(written.decode("ascii")) == file_name(value.decode())
