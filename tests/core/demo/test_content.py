# SPDX-License-Identifier: AGPL-3.0-or-later
"""The made bytes: always the same, of the size asked for, and readable from anywhere."""

import io
import wave

import pytest

from carrel.demo.content import TABLE_HEADER, Content, Kind

SIZES = [0, 1, 43, 44, 100, 4096, 65_536, 300_001]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("size", SIZES)
def test_content_is_as_long_as_it_says(kind: Kind, size: int) -> None:
    content = Content("seed", size, kind)

    assert sum(len(block) for block in content.blocks()) == size


@pytest.mark.parametrize("kind", Kind)
def test_a_part_is_what_stands_there_in_the_whole(kind: Kind) -> None:
    content = Content("seed", 400_000, kind)
    whole = b"".join(content.blocks())

    part = b"".join(content.blocks(30, 300_017))

    assert part == whole[30:300_017]


def test_another_seed_makes_other_bytes_and_another_tag() -> None:
    one, other = Content("one", 4096, Kind.SOUND), Content("other", 4096, Kind.SOUND)

    assert one.digest("md5") != other.digest("md5")
    assert one.tag != other.tag


def test_a_table_has_whole_rows_of_four_fields() -> None:
    size = len(TABLE_HEADER) + 32 * 3000

    lines = b"".join(Content("seed", size, Kind.TABLE).blocks()).decode().splitlines()

    assert len(lines) == 3001
    assert {line.count(",") for line in lines} == {3}


def test_sound_opens_as_a_wave_file() -> None:
    data = b"".join(Content("seed", 44 + 8000, Kind.SOUND).blocks())

    with wave.open(io.BytesIO(data)) as recording:
        seconds = recording.getnframes() / recording.getframerate()

    assert seconds == 1.0
