# SPDX-License-Identifier: AGPL-3.0-or-later
"""A stored result is taken apart as a whole reading would do it, wherever its pieces end."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.ledger.stored_results import files_of, head_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Pieces:
    """Reads so few bytes at a time that each value is cut somewhere; counts the most it was asked
    for."""

    def __init__(self, text: str, size: int = 1) -> None:
        self._file, self._size, self.most = io.BytesIO(text.encode()), size, 0

    def __call__(self, count: int) -> bytes:
        self.most = max(self.most, count)
        return self._file.read(self._size)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.lists(JSON, max_size=4))
def test_it_reads_what_the_whole_text_says(head: dict[str, Any], files: list[Any]) -> None:
    head.pop("manifest", None)
    text = json.dumps({**head, "manifest": files, "after": 12.5}, ensure_ascii=False, indent=1)

    assert head_of(Pieces(text)) == {**head, "after": 12.5}
    assert list(files_of(Pieces(text))) == files


@pytest.mark.parametrize("manifest", ["null", "{}", "[]", "12"])
def test_what_is_no_array_has_no_files(manifest: str) -> None:
    assert list(files_of(Pieces(f'{{"manifest":{manifest}}}'))) == []


@pytest.mark.parametrize(
    "text", ["", "[", "[1]", "{broken", '{"a":1', '{"a" 1}', '{"manifest":[1 2]}', '{"a":"\ud7ff']
)
def test_what_is_damaged_is_told(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever is wrong
        list(files_of(Pieces(text)))
    with pytest.raises(ValueError):  # noqa: PT011
        head_of(Pieces(text))


def test_a_large_manifest_is_never_read_at_once() -> None:
    text = json.dumps({"manifest": [{"path": f"file-{number}"} for number in range(100_000)]})
    reading = Pieces(text, 1 << 18)

    assert sum(1 for _ in files_of(reading)) == 100_000
    assert reading.most < len(text) / 4
