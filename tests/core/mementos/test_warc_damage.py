# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with a WARC is told with its place, and what is intact is still read."""

import random
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carrel.errors import NotLoaded
from carrel.mementos.warc.problems import InvalidRecord, Problem, ProblemKind
from carrel.mementos.warc.reader import RawRecord, records
from carrel.mementos.warc.record_opener import open_record
from support.warcs import arc_record, gzip_bomb, member, record, resource, response

URL = "http://example.org/"
NOISE = random.Random(1)  # the same in every run
FIRST, SECOND, THIRD = (response(f"{URL}{name}", NOISE.randbytes(9000)) for name in "abc")


def intact(path: Path) -> tuple[list[str], list[Problem]]:
    """Return the URLs of the records that can be read to their end, and what was told."""
    problems: list[Problem] = []
    urls = [each.url for each in records(path, problems.append) if _is_whole(each)]
    return urls, problems


def _is_whole(each: RawRecord) -> bool:
    try:
        return each.length > 0
    except InvalidRecord:
        return False


def written(folder: Path, content: bytes, name: str = "a.warc.gz") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_a_file_that_was_cut_has_what_came_before(tmp_path: Path) -> None:
    first, second = member(FIRST.content), member(SECOND.content)

    urls, problems = intact(written(tmp_path, first + second[:-20]))

    assert urls == [f"{URL}a"]
    assert [(each.kind, each.offset) for each in problems] == [(ProblemKind.CUT_SHORT, len(first))]
    assert f"byte {len(first)}" in str(problems[0])


@pytest.mark.parametrize("flag", [0x20, 0x40, 0x80])
def test_flags_that_gzip_refuses_are_damage(tmp_path: Path, flag: int) -> None:
    strange = bytearray(member(FIRST.content))
    strange[3] |= flag

    urls, problems = intact(written(tmp_path, bytes(strange) + member(SECOND.content)))

    assert urls == [f"{URL}b"]
    assert [(each.kind, each.offset) for each in problems] == [(ProblemKind.BROKEN_GZIP, 0)]


def test_after_a_broken_member_the_next_one_is_found(tmp_path: Path) -> None:
    members = [member(each.content) for each in (FIRST, SECOND, THIRD)]
    broken = bytearray(members[1])
    broken[len(broken) // 2] ^= 0xFF

    urls, problems = intact(written(tmp_path, members[0] + bytes(broken) + members[2]))

    assert urls == [f"{URL}a", f"{URL}c"]
    assert problems[0].offset == len(members[0])
    assert f"from byte {len(members[0]) + len(members[1]):,}" in problems[0].message


def test_a_cut_member_with_others_behind_it_costs_only_itself(tmp_path: Path) -> None:
    members = [member(each.content) for each in (FIRST, SECOND, THIRD)]

    urls, problems = intact(written(tmp_path, members[0] + members[1][:500] + members[2]))

    assert urls == [f"{URL}a", f"{URL}c"]
    assert len(problems) == 1


def test_junk_between_members_is_passed_over(tmp_path: Path) -> None:
    content = member(FIRST.content) + b"\0" * 70_000 + member(SECOND.content)

    urls, problems = intact(written(tmp_path, content))

    assert urls == [f"{URL}a", f"{URL}b"]
    assert [each.kind for each in problems] == [ProblemKind.NO_RECORD]


def test_a_member_without_a_record_is_passed_over(tmp_path: Path) -> None:
    urls, problems = intact(written(tmp_path, member(b"hello") + member(FIRST.content)))

    assert urls == [f"{URL}a"]
    assert [each.kind for each in problems] == [ProblemKind.NO_RECORD]


@pytest.mark.parametrize("length", [10**10, 99_999])
def test_a_length_that_is_too_large_costs_only_its_record(tmp_path: Path, length: int) -> None:
    lying = record("resource", b"short", [("WARC-Target-URI", URL)], length=length)

    urls, problems = intact(
        written(tmp_path, member(lying.content) + member(SECOND.content), "a.warc.gz")
    )

    assert urls == [f"{URL}b"]
    assert [each.kind for each in problems] == [ProblemKind.WRONG_LENGTH]


def test_in_a_plain_file_a_length_that_is_too_large_ends_the_reading(tmp_path: Path) -> None:
    lying = record("resource", b"short", [("WARC-Target-URI", URL)], length=10**12)

    urls, problems = intact(written(tmp_path, FIRST.content + lying.content, "a.warc"))

    assert urls == [f"{URL}a"]
    assert [(each.kind, each.offset) for each in problems] == [
        (ProblemKind.WRONG_LENGTH, len(FIRST.content))
    ]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_a_length_that_is_too_small_is_told(tmp_path: Path, name: str) -> None:
    lying = record("resource", b"longer", [("WARC-Target-URI", f"{URL}l")], length=2)
    made = [lying.content, SECOND.content]
    content = b"".join(map(member, made) if name.endswith("gz") else made)

    urls, problems = intact(written(tmp_path, content, name))

    assert urls == [f"{URL}l", f"{URL}b"]
    assert [each.kind for each in problems] == [ProblemKind.WRONG_LENGTH]


@pytest.mark.parametrize("claim", ["-1", "ten", "1e9", "9" * 30, ""])
def test_a_length_that_is_no_number_is_told(tmp_path: Path, claim: str) -> None:
    content = FIRST.content.replace(
        b"Content-Length: ", b"Content-Length: " + claim.encode() + b"x"
    )

    urls, problems = intact(written(tmp_path, member(content) + member(SECOND.content)))

    assert urls == [f"{URL}b"]
    assert [each.kind for each in problems] == [ProblemKind.WRONG_LENGTH]


def test_a_head_without_end_takes_little_memory(tmp_path: Path) -> None:
    bomb = gzip_bomb(300 * 1024 * 1024, b"WARC/1.0\r\nX: ")
    path = written(tmp_path, bomb + member(SECOND.content))

    tracemalloc.start()
    urls, problems = intact(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert urls == [f"{URL}b"]
    assert [each.kind for each in problems] == [ProblemKind.ENDLESS_HEAD]
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize("line", [b"\r\n b", b"\r\na: b"])
def test_a_head_of_many_lines_takes_little_time(tmp_path: Path, line: bytes) -> None:
    head = b"WARC/1.0\r\nWARC-Target-URI: http://example.org/a\r\nContent-Length: 0\r\nX: y"
    path = written(tmp_path, member(head + line * (1_000_000 // len(line)) + b"\r\n\r\n\r\n\r\n"))

    before = time.process_time()
    (found,) = records(path)
    url = found.url

    assert url == f"{URL}a"
    assert time.process_time() - before < 5


def test_a_member_that_inflates_without_end_takes_little_memory(tmp_path: Path) -> None:
    bomb = gzip_bomb(300 * 1024 * 1024, resource(f"{URL}x", b"hi").content)
    path = written(tmp_path, bomb + member(SECOND.content))

    tracemalloc.start()
    urls, problems = intact(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert f"{URL}b" in urls
    assert [each.kind for each in problems] == [ProblemKind.WRONG_LENGTH]
    assert peak < 16 * 1024 * 1024


def test_what_looks_like_endless_members_is_given_up(tmp_path: Path) -> None:
    path = written(tmp_path, b"\x1f\x8b\x08" * 1_000_000)

    urls, problems = intact(path)

    assert urls == []
    assert len(problems) == 1


@pytest.mark.parametrize(
    "content", [b"hello", b"\x28\xb5\x2f\xfd" * 9, b"\x1f\x8b", b"\x1f\x8b\x08", b"PK\x03\x04" * 50]
)
def test_what_is_no_warc_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    urls, problems = intact(written(tmp_path, content))

    assert urls == []
    assert len(problems) == 1


def test_an_empty_file_has_nothing_wrong_with_it(tmp_path: Path) -> None:
    assert intact(written(tmp_path, b"")) == ([], [])


BASES = [
    b"".join(member(each.content) for each in (FIRST, SECOND)),
    FIRST.content + SECOND.content,
    arc_record(f"{URL}a").content + arc_record(f"{URL}b").content,
]


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    base=st.sampled_from(BASES),
    changes=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=6)), max_size=5),
    cut=st.floats(0, 1),
)
def test_whatever_is_changed_in_a_file_the_reading_ends(
    tmp_path: Path, base: bytes, changes: list[tuple[float, bytes]], cut: float
) -> None:
    content = bytearray(base)
    for place, change in changes:
        at = int(place * len(content))
        content[at : at + len(change)] = change
    path = written(tmp_path, bytes(content[: int(cut * len(content)) + 1]))

    urls, _ = intact(path)

    assert len(urls) <= 3


@settings(max_examples=300, deadline=None)
@given(
    base=st.sampled_from(BASES),
    place=st.floats(0, 1),
    change=st.binary(min_size=1, max_size=8),
    cut=st.floats(0, 1),
)
def test_a_damaged_record_is_not_loaded_or_is(
    base: bytes, place: float, change: bytes, cut: float
) -> None:
    content = bytearray(base)
    at = int(place * len(content))
    content[at : at + len(change)] = change
    pieces = iter([bytes(content[: int(cut * len(content))])])

    with suppress(NotLoaded):
        opened = open_record(pieces, "a.warc.gz")
        assert sum(map(len, opened.payload)) == opened.payload_length


@pytest.mark.parametrize("cut", [30, 400, 8000])
def test_a_record_that_was_cut_is_not_loaded(cut: int) -> None:
    data = member(FIRST.content)[:cut]

    with pytest.raises(NotLoaded, match=r"a\.warc\.gz"):
        list(open_record(iter([data]), "a.warc.gz").payload)
