# SPDX-License-Identifier: AGPL-3.0-or-later
"""Real files, against what a careful reader found in them."""

import os
import re
from pathlib import Path

import pytest

from carrel.dark_archive import redif

pytestmark = [
    pytest.mark.samples,
    pytest.mark.skipif("CARREL_SAMPLES" not in os.environ, reason="CARREL_SAMPLES is not set"),
]

FOLDER = Path(os.environ.get("CARREL_SAMPLES", ".")) / "redif"
ROW = re.compile(r"\| `([^`]+)` \| ([a-z0-9-]+) \| (\d+) \| (\d+) \| (\d+) \|")


def expected() -> list[tuple[str, ...]]:
    table = FOLDER / "SOURCES.md"
    return ROW.findall(table.read_text("utf-8")) if table.exists() else []


def test_the_table_is_there() -> None:
    assert len(expected()) >= 13


@pytest.mark.parametrize(("path", "encoding", "templates", "handles", "addresses"), expected())
def test_a_real_file_is_read_as_by_a_careful_reader(
    path: str, encoding: str, templates: str, handles: str, addresses: str
) -> None:
    with (FOLDER / path).open("rb") as file:
        reading = redif.read(file, path)
        found = redif.survey(reading, lambda kept, there: None)

    assert reading.encoding == encoding
    assert found.templates == int(templates)
    assert found.handles == int(handles)
    assert found.addresses == int(addresses)
