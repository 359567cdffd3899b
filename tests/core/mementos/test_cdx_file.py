# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking up in one index file: what is found, in which order, and what odd files do."""

import json
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import SourceTrouble
from carrel.mementos import bisection, cdx_order
from carrel.mementos.cdx_file import CdxFile, Skipped
from carrel.mementos.cdx_lines import LONGEST_LINE_BYTES
from carrel.mementos.index_bytes import IndexBytes
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.model import SourceState
from carrel.model.surt import surt

Open = Callable[[bytes], CdxFile]


def line_of(url: str, timestamp: str, **fields: str) -> str:
    return f"{surt(url)} {timestamp} {json.dumps({'url': url, **fields})}\n"


def index_of(lines: Iterable[str]) -> bytes:
    return "".join(sorted(lines)).encode()


def page(number: int) -> str:
    return f"http://example.org/page-{number:06}"


MANY = index_of(
    line_of(page(number), f"{year}0101000000", digest=f"D{number}")
    for number in range(2000)
    for year in range(2015, 2020)
)


@pytest.fixture
def open_index(tmp_path: Path) -> Open:
    def write(content: bytes) -> CdxFile:
        path = tmp_path / "index.cdxj"
        path.write_bytes(content)
        return CdxFile(path, tmp_path / "cache")

    return write


def times(rows: Iterable[object]) -> list[str]:
    return [getattr(row, "timestamp", "") for row in rows]


def test_a_url_has_its_captures_oldest_first(open_index: Open) -> None:
    rows = list(open_index(MANY).lookup(query_for(page(777))))

    assert [row.url for row in rows] == [page(777)] * 5
    assert times(rows) == [f"{year}0101000000" for year in range(2015, 2020)]


@pytest.mark.parametrize("number", [0, 1, 999, 1998, 1999])
def test_every_place_in_a_file_is_found(open_index: Open, number: int) -> None:
    assert len(list(open_index(MANY).lookup(query_for(page(number))))) == 5


@pytest.mark.parametrize("url", ["http://aaa.example/", page(2000), "http://example.org/page-0005"])
def test_what_is_not_there_is_not_found(open_index: Open, url: str) -> None:
    assert list(open_index(MANY).lookup(query_for(url))) == []


def test_reverse_is_the_same_from_the_end(open_index: Open) -> None:
    query = query_for("http://example.org/page-0012", match_type=MatchType.PREFIX)
    file = open_index(MANY)

    ascending = list(file.lookup(query))

    assert len(ascending) == 500
    assert list(file.lookup(replace(query, order=Order.REVERSE))) == ascending[::-1]


def test_an_interval_is_inclusive(open_index: Open) -> None:
    query = replace(query_for(page(5)), first="20160101000000", last="20180101000000")
    file = open_index(MANY)

    assert times(file.lookup(query)) == ["20160101000000", "20170101000000", "20180101000000"]
    assert times(file.lookup(replace(query, order=Order.REVERSE)))[0] == "20180101000000"


def test_an_interval_of_many_pages_holds_for_each(open_index: Open) -> None:
    query = query_for("http://example.org/page-00000", match_type=MatchType.PREFIX)

    rows = open_index(MANY).lookup(replace(query, first="20190101000000"))

    assert times(rows) == ["20190101000000"] * 10


def test_an_interval_takes_milliseconds_in(open_index: Open) -> None:
    file = open_index(index_of(line_of(page(1), stamp) for stamp in ("20200101000000999",)))

    assert times(file.lookup(replace(query_for(page(1)), last="20200101000000"))) != []


STAMPS = ["20200101000000", "20200101000005", "20200101000010", "20200101000011", "20210101000000"]


def test_closest_goes_outwards_the_earlier_first(open_index: Open) -> None:
    file = open_index(index_of(line_of(page(1), stamp) for stamp in STAMPS))

    found = times(file.lookup(query_for(page(1), closest="20200101000005")))

    assert found == [STAMPS[1], STAMPS[0], STAMPS[2], STAMPS[3], STAMPS[4]]


@pytest.mark.parametrize("closest", ["10000101000000", "99991231235959", "20200230000000"])
def test_closest_may_be_beyond_every_capture(open_index: Open, closest: str) -> None:
    file = open_index(index_of(line_of(page(1), stamp) for stamp in STAMPS))

    assert sorted(times(file.lookup(query_for(page(1), closest=closest)))) == STAMPS


def test_closest_keeps_to_the_interval(open_index: Open) -> None:
    file = open_index(index_of(line_of(page(1), stamp) for stamp in STAMPS))
    query = replace(query_for(page(1), closest="20250101000000"), last=STAMPS[2], first=STAMPS[1])

    assert times(file.lookup(query)) == [STAMPS[2], STAMPS[1]]


def test_closest_of_one_second_come_in_the_order_of_the_index(open_index: Open) -> None:
    lines = [line_of(page(1), STAMPS[0], digest=name) for name in "ABC"]
    file = open_index(index_of([*lines, line_of(page(1), STAMPS[4])]))

    rows = list(file.lookup(query_for(page(1), closest=STAMPS[3])))

    assert [row.digest for row in rows] == ["A", "B", "C", ""]


def test_closest_of_a_prefix_goes_by_distance_over_all_keys(open_index: Open) -> None:
    query = query_for(
        "http://example.org/", match_type=MatchType.PREFIX, closest="20170301000000", limit=3
    )
    file = open_index(MANY)

    rows = list(file.lookup(query))

    assert [row.url for row in rows] == [page(0), page(1), page(2)]
    assert times(rows) == ["20170101000000"] * 3


def test_closest_of_a_prefix_is_complete_where_rows_are_left_out_later(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.mementos.row_order.DEFAULT_LIMIT", 7)
    query = query_for(
        "http://example.org/page-0000", match_type=MatchType.PREFIX, closest=STAMPS[0]
    )
    file = open_index(MANY)

    rows = list(file.lookup(replace(query, limit=3, collapse_time=4)))

    assert len({(row.url, row.timestamp) for row in rows}) == len(rows) == 500
    assert times(rows) == sorted(times(rows), reverse=True)


def test_a_payload_is_found_wherever_it_is_but_in_revisits(open_index: Open) -> None:
    file = open_index(
        index_of(
            [
                line_of(page(1), STAMPS[0], digest="sha1:AAAA"),
                line_of(page(2), STAMPS[0], digest="AAAA"),
                line_of(page(3), STAMPS[0], digest="AAAA", mime="warc/revisit"),
                line_of(page(4), STAMPS[0], digest="AAAAB", note="AAAA"),
            ]
        )
    )

    assert [row.url for row in file.find_digest("sha1:AAAA")] == [page(1), page(2)]
    assert list(file.find_digest("")) == []


def test_a_payload_is_found_in_a_file_of_many_blocks(open_index: Open) -> None:
    assert len(list(open_index(MANY).find_digest("D1999"))) == 5


def test_rows_of_another_url_with_the_same_key_are_found_too(open_index: Open) -> None:
    file = open_index(index_of([line_of("http://www2.example.org/a/", STAMPS[0])]))

    assert [row.url for row in file.lookup(query_for("https://example.org/A"))] == [
        "http://www2.example.org/a/"
    ]


def test_lines_that_make_no_sense_are_counted(open_index: Open) -> None:
    key = surt(page(1))
    lines = [line_of(page(1), STAMPS[0]), f"{key} nonsense\n", f"{key} {STAMPS[1]} {{cut\n"]
    skipped = Skipped()

    rows = list(open_index(index_of(lines)).lookup(query_for(page(1)), skipped))

    assert (len(rows), skipped.count) == (1, 2)


def test_a_last_line_without_a_line_break_is_a_line(open_index: Open) -> None:
    assert len(list(open_index(MANY.rstrip()).lookup(query_for(page(1999))))) == 5


def test_a_last_line_that_is_not_whole_is_left_out_and_counted(open_index: Open) -> None:
    skipped = Skipped()

    rows = list(open_index(MANY[:-20]).lookup(query_for(page(1999)), skipped))

    assert (len(rows), skipped.count) == (4, 1)


CDX = b"""\
 CDX N b a m s k r M S V g
org,example)/page-000001 20200101000000 http://example.org/page-000001 text/html 200 A - - 10 0 a.gz
org,example)/page-000002 20200101000000 http://example.org/page-000002 text/html 200 B - - 10 9 a.gz
"""


@pytest.mark.parametrize("content", [CDX, CDX.split(b"\n", 1)[1], CDX.replace(b"\n", b"\r\n")])
def test_a_cdx_file_is_read_with_and_without_a_header(open_index: Open, content: bytes) -> None:
    (row,) = open_index(content).lookup(query_for(page(2)))

    assert row.fields == {
        "url": page(2),
        "mime": "text/html",
        "status": "200",
        "digest": "B",
        "length": "10",
        "offset": "9",
        "filename": "a.gz",
    }


def test_a_cut_line_is_not_taken_for_one_of_fewer_columns(open_index: Open) -> None:
    skipped = Skipped()
    without_header = CDX.split(b"\n", 1)[1]

    rows = list(open_index(without_header[:-6]).lookup(query_for(page(2)), skipped))

    assert (rows, skipped.count) == ([], 1)


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n\0\0\0", b" CDX N b a\n", b"\0" * 100_000])
def test_an_index_without_rows_has_none(open_index: Open, content: bytes) -> None:
    assert list(open_index(content).lookup(query_for(page(1)))) == []


def test_what_a_crash_left_behind_the_last_line_does_no_harm(open_index: Open) -> None:
    assert len(list(open_index(MANY + b"\0" * 300_000).lookup(query_for(page(1999))))) == 5


@pytest.mark.parametrize("head", [b"\x1f\x8b\x08\0", b"PK\x03\x04"])
def test_a_packed_index_is_refused(open_index: Open, head: bytes) -> None:
    with pytest.raises(SourceTrouble, match="is compressed") as caught:
        open_index(head + MANY).lookup(query_for(page(1)))

    assert caught.value.state is SourceState.WRONG_ANSWER


def test_a_header_without_a_key_in_front_is_refused(open_index: Open) -> None:
    with pytest.raises(SourceTrouble, match="does not begin with N and b"):
        open_index(b" CDX a b N\n").lookup(query_for(page(1)))


def test_a_missing_index_is_unreachable(tmp_path: Path) -> None:
    file = CdxFile(tmp_path / "none.cdxj", tmp_path)

    with pytest.raises(SourceTrouble, match="There is no index") as caught:
        file.lookup(query_for(page(1)))

    assert caught.value.state is SourceState.UNREACHABLE


def test_a_pipe_is_no_index(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cdxj")

    with pytest.raises(SourceTrouble, match="is not a file"):
        CdxFile(tmp_path / "pipe.cdxj", tmp_path).lookup(query_for(page(1)))


@pytest.mark.parametrize("order", [Order.ASCENDING, Order.REVERSE])
def test_a_line_of_absurd_length_is_skipped(open_index: Open, order: Order) -> None:
    absurd = line_of(page(1), STAMPS[1], note="x" * (3 * LONGEST_LINE_BYTES))
    lines = [line_of(page(1), STAMPS[0]), absurd, line_of(page(1), STAMPS[2])]
    skipped = Skipped()

    rows = open_index(index_of(lines)).lookup(replace(query_for(page(1)), order=order), skipped)

    assert sorted(times(rows)) == [STAMPS[0], STAMPS[2]]
    assert skipped.count == 1


def test_a_sparse_file_of_ten_gigabytes_is_answered_from(tmp_path: Path) -> None:
    path = tmp_path / "sparse.cdxj"
    with path.open("wb") as file:
        file.write(MANY)
        file.seek(10 * 1024**3)
        file.write(b"\n" + index_of([line_of("http://zebra.zz/", STAMPS[0])]))
    index = CdxFile(path, tmp_path)

    assert len(list(index.lookup(query_for(page(1500))))) == 5
    assert len(list(index.lookup(query_for("http://zebra.zz/")))) == 1
    assert list(index.lookup(query_for("http://none.zz/"))) == []


def test_a_file_with_nothing_but_a_hole_behind_its_lines_is_answered_from(tmp_path: Path) -> None:
    path = tmp_path / "sparse.cdxj"
    path.write_bytes(MANY)
    os.truncate(path, 10 * 1024**3)

    assert len(list(CdxFile(path, tmp_path).lookup(query_for(page(1999))))) == 5


def test_a_file_without_lines_is_refused(open_index: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carrel.mementos.index_bytes._NO_INDEX_AFTER_BYTES", 1024**2)

    with pytest.raises(SourceTrouble, match="is not an index"):
        list(open_index(b"x" * 4 * 1024**2).lookup(query_for(page(1))))


def test_a_file_that_grew_is_noticed(open_index: Open) -> None:
    file = open_index(MANY)
    assert list(file.lookup(query_for(page(2000)))) == []

    with file.path.open("ab") as writer:
        writer.write(line_of(page(2000), STAMPS[0]).encode())

    assert len(list(file.lookup(query_for(page(2000))))) == 1


def test_a_file_that_was_replaced_is_noticed(open_index: Open) -> None:
    file = open_index(MANY)
    before = file.lookup(query_for(page(1)))

    fresh = file.path.with_suffix(".new")
    fresh.write_bytes(index_of([line_of(page(1), STAMPS[0])]))
    fresh.replace(file.path)

    assert times(file.lookup(query_for(page(1)))) == [STAMPS[0]]
    assert len(list(before)) == 5


def test_a_file_that_is_cut_off_while_it_is_read_ends_in_a_sentence(open_index: Open) -> None:
    file = open_index(MANY)
    rows = file.lookup(query_for("http://example.org/", match_type=MatchType.HOST))
    next(rows)

    os.truncate(file.path, 1000)

    with pytest.raises(SourceTrouble, match="became shorter while it was read"):
        list(rows)
    assert len(list(file.lookup(query_for(page(0))))) == 5


def test_an_unsorted_file_is_answered_from_a_sorted_copy(open_index: Open) -> None:
    lines = MANY.decode().splitlines(keepends=True)
    random.Random(1).shuffle(lines)  # the same order every time
    file = open_index("".join(lines).encode())

    assert len(list(file.lookup(query_for(page(777))))) == 5
    assert not file.is_sorted


def test_a_sorted_copy_is_made_once_and_anew_for_another_content(
    open_index: Open, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    first = open_index(b"".join(reversed(MANY.splitlines(keepends=True))))
    list(first.lookup(query_for(page(1))))
    (copy,) = cache.iterdir()
    made = copy.stat().st_ino

    list(CdxFile(first.path, cache).lookup(query_for(page(2))))
    assert [each.stat().st_ino for each in cache.iterdir()] == [made]

    second = open_index(index_of([line_of(page(1), STAMPS[0])])[:-1] + b"\n" + MANY)
    assert len(list(second.lookup(query_for(page(1))))) == 6
    assert len(list(cache.iterdir())) == 1


def test_a_sorted_copy_that_can_not_be_made_is_said(tmp_path: Path) -> None:
    path = tmp_path / "index.cdxj"
    path.write_bytes(b"".join(reversed(MANY.splitlines(keepends=True))))
    (tmp_path / "cache").write_text("a file where a folder should be")

    with pytest.raises(SourceTrouble, match="LC_ALL=C sort"):
        CdxFile(path, tmp_path / "cache").lookup(query_for(page(1)))


def test_an_unsorted_cdx_keeps_the_columns_of_its_header(open_index: Open) -> None:
    header, one, two = CDX.splitlines(keepends=True)

    (row,) = open_index(header + two + one).lookup(query_for(page(1)))

    assert row.digest == "A"


def test_a_large_file_is_sorted_piece_by_piece(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdx_order, "_SORTED_AT_ONCE_BYTES", 10_000)
    monkeypatch.setattr(cdx_order, "_MOST_PARTS", 5)
    file = open_index(b"".join(reversed(MANY.splitlines(keepends=True))))

    query = query_for("http://example.org/", match_type=MatchType.HOST)

    assert len(list(file.lookup(query))) == 10_000
    assert all(len(list(file.lookup(query_for(page(each))))) == 5 for each in (0, 1000, 1999))


def test_lines_added_unsorted_to_a_large_file_are_noticed(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cdx_order, "_READ_THROUGH_UP_TO_BYTES", 1000)
    monkeypatch.setattr(cdx_order, "_SAMPLE_BYTES", 1024)
    added = index_of(line_of(page(number), "20200101000000") for number in range(0, 2000, 50))

    file = open_index(MANY + added)

    assert len(list(file.lookup(query_for(page(1000))))) == 6


def test_what_no_sample_saw_is_noticed_by_the_look_up(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.mementos.cdx_file.looks_sorted", lambda data: True)
    file = open_index(b"".join(reversed(MANY.splitlines(keepends=True))))

    assert len(list(file.lookup(query_for(page(777))))) == 5


def test_another_order_of_what_follows_key_and_time_is_sorted_enough(open_index: Open) -> None:
    lines = [line_of(page(1), STAMPS[0], digest=name) for name in "CAB"]
    file = open_index("".join(lines).encode())

    assert [row.digest for row in file.lookup(query_for(page(1)))] == ["C", "A", "B"]
    assert file.is_sorted


def test_many_threads_share_a_file(open_index: Open) -> None:
    file = open_index(MANY)

    def look_up(number: int) -> Sequence[str]:
        return [row.url for row in file.lookup(query_for(page(number)))]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(look_up, range(2000)))

    assert found == [[page(number)] * 5 for number in range(2000)]


def test_no_more_is_read_than_is_asked_for(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamps = (
        f"2020{day // 28 % 12 + 1:02}{day % 28 + 1:02}{day // 336:02}0000" for day in range(5000)
    )
    file = open_index(index_of(line_of(page(1), stamp) for stamp in stamps))
    list(file.lookup(query_for(page(2))))
    counted = _count_bytes(monkeypatch)

    rows = list(islice(file.lookup(query_for(page(1), closest="20200615000000")), 1))

    assert len(rows) == 1
    assert sum(counted) < 64 * 1024


def test_what_is_remembered_is_bounded(open_index: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bisection, "_MOST_MARKS", 64)
    monkeypatch.setattr(bisection, "_APART_BYTES", 1)
    file = open_index(MANY)

    found = [list(file.lookup(query_for(page(number)))) for number in range(2000)]

    assert all(found)
    assert 32 <= len(file._current()._bisection._marks[0]) <= 64


def test_what_a_moment_did_not_allow_is_marked_by_the_next_look_ups(
    open_index: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bisection, "_APART_BYTES", 64)
    monkeypatch.setattr(bisection, "_MARKING_S", 0.0)
    file = open_index(MANY)

    counts = []
    for number in range(5):
        assert list(file.lookup(query_for(page(number))))
        counts.append(len(file._current()._bisection._marks[0]))

    assert counts == [1, 2, 3, 4, 5]


def _count_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    counted: list[int] = []
    read = IndexBytes.read

    def counting(self: IndexBytes, position: int, count: int) -> bytes:
        counted.append(count)
        return read(self, position, count)

    monkeypatch.setattr(IndexBytes, "read", counting)
    return counted


KEYS = st.text("ab/", min_size=1, max_size=300).map(lambda text: f"http://x.org/{text}")
STAMP = st.integers(2000, 2003).map(lambda year: f"{year}0101000000")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(KEYS, STAMP), min_size=1, max_size=120), st.data())
def test_a_look_up_finds_what_reading_the_whole_file_finds(
    tmp_path_factory: pytest.TempPathFactory,
    captures: list[tuple[str, str]],
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("index")
    lines = sorted(line_of(url, stamp) for url, stamp in captures)
    (folder / "index.cdxj").write_text("".join(lines))
    url, _ = data.draw(st.sampled_from(captures))
    query = query_for(url, match_type=data.draw(st.sampled_from(list(MatchType))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bisection, "_BLOCK_BYTES", 64)
        patch.setattr(bisection, "_WALKED_BYTES", 16)
        patch.setattr(bisection, "_AHEAD_BYTES", 32)
        patch.setattr(bisection, "_APART_BYTES", data.draw(st.sampled_from([32, 10_000])))
        rows = list(CdxFile(folder / "index.cdxj", folder).lookup(query))

    assert [f"{row.urlkey} {row.timestamp}" for row in rows] == list(_in_range(lines, query))


def _in_range(lines: Iterable[str], query: Query) -> Iterator[str]:
    for line in lines:
        if query.start <= line.encode() < query.end:
            yield " ".join(line.split(" ")[:2])
