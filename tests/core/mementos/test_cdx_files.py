# SPDX-License-Identifier: AGPL-3.0-or-later
"""A file or a folder of indexes as one source."""

import asyncio
import json
import os
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.errors import SourceTrouble
from carrel.mementos import cdx_file
from carrel.mementos.cdx_order import looks_sorted
from carrel.mementos.index_bytes import IndexBytes
from carrel.mementos.query import MatchType, Order, Query, query_for
from carrel.mementos.sources.cdx_files import CdxFiles
from carrel.mementos.sources.source import Rows
from carrel.model import Memento, SourceState, SourceType
from carrel.model.surt import surt

PAGE = "http://example.org/data.csv"
STAMPS = [f"20{year}0101000000" for year in range(10, 30)]


def line_of(timestamp: str, url: str = PAGE, filename: str = "a.warc.gz") -> str:
    return f"{surt(url)} {timestamp} {json.dumps({'url': url, 'filename': filename})}\n"


def write(path: Path, stamps: Iterable[str], url: str = PAGE) -> None:
    path.write_text("".join(line_of(stamp, url) for stamp in stamps))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "indexes"
    folder.mkdir()
    return folder


@pytest.fixture
def source(folder: Path, tmp_path: Path) -> CdxFiles:
    return CdxFiles("local", folder, tmp_path / "cache")


def answer(source: CdxFiles, query: Query) -> Rows:
    return asyncio.run(source.rows(query))


def found(source: CdxFiles, query: Query) -> list[Memento]:
    return list(answer(source, query).rows)


def test_a_file_is_one_source(folder: Path, tmp_path: Path) -> None:
    write(folder / "one.cdxj", STAMPS)
    source = CdxFiles("local", folder / "one.cdxj", tmp_path)

    rows = found(source, query_for(PAGE))

    assert [row.timestamp for row in rows] == STAMPS
    assert {(row.source, row.detail, row.source_type) for row in rows} == {
        ("local", "", SourceType.FILE)
    }


def test_the_files_of_a_folder_are_merged_and_named(source: CdxFiles, folder: Path) -> None:
    write(folder / "even.cdxj", STAMPS[::2])
    write(folder / "odd.cdx", STAMPS[1::2])
    (folder / "deeper").mkdir()
    write(folder / "deeper" / "more.cdxj", STAMPS)

    rows = found(source, query_for(PAGE))

    assert [row.timestamp for row in rows] == STAMPS
    assert [row.detail for row in rows[:2]] == ["even.cdxj", "odd.cdx"]


@pytest.mark.parametrize(
    ("query", "years"),
    [
        (replace(query_for(PAGE), order=Order.REVERSE), ["29", "28", "27"]),
        (query_for(PAGE, closest=STAMPS[5]), ["15", "14", "16"]),
        (query_for(PAGE, match_type=MatchType.HOST, closest=STAMPS[5]), ["15", "14", "16"]),
    ],
)
def test_merged_files_are_in_the_order_of_the_question(
    source: CdxFiles, folder: Path, query: Query, years: list[str]
) -> None:
    write(folder / "even.cdxj", STAMPS[::2])
    write(folder / "odd.cdxj", STAMPS[1::2])

    rows = found(source, query)

    assert [row.timestamp[2:4] for row in rows[:3]] == years
    assert len(rows) == len(STAMPS)


def test_files_that_come_and_go_are_noticed(source: CdxFiles, folder: Path) -> None:
    assert found(source, query_for(PAGE)) == []

    write(folder / "one.cdxj", STAMPS)
    assert len(found(source, query_for(PAGE))) == len(STAMPS)

    (folder / "one.cdxj").unlink()
    assert found(source, query_for(PAGE)) == []


def test_no_more_rows_are_read_than_the_limit(source: CdxFiles, folder: Path) -> None:
    write(folder / "one.cdxj", STAMPS)

    assert len(found(source, query_for(PAGE, limit=3))) == 3


def test_many_rows_are_all_there(source: CdxFiles, folder: Path) -> None:
    stamps = [f"2020{n // 2000 + 1:02}01{n % 2000:06}" for n in range(5000)]
    write(folder / "one.cdxj", stamps)

    assert len(found(source, query_for(PAGE))) == 5000


def test_skipped_lines_of_all_files_are_counted(source: CdxFiles, folder: Path) -> None:
    for name in ("one.cdxj", "two.cdxj"):
        (folder / name).write_text(line_of(STAMPS[0]) + f"{surt(PAGE)} nonsense\n")

    assert answer(source, query_for(PAGE)).skipped == 2


def test_one_bad_file_spoils_nothing_and_is_named(source: CdxFiles, folder: Path) -> None:
    write(folder / "good.cdxj", STAMPS)
    (folder / "bad.cdxj").write_bytes(b"\x1f\x8b packed")

    rows = answer(source, query_for(PAGE))

    assert len(list(rows.rows)) == len(STAMPS)
    assert "bad.cdxj is compressed" in rows.missing


def test_nothing_but_bad_files_is_trouble(source: CdxFiles, folder: Path) -> None:
    (folder / "bad.cdxj").write_bytes(b"\x1f\x8b packed")

    with pytest.raises(SourceTrouble, match="is compressed"):
        found(source, query_for(PAGE))


def test_a_missing_path_is_unreachable(tmp_path: Path) -> None:
    with pytest.raises(SourceTrouble, match="no index at") as caught:
        found(CdxFiles("gone", tmp_path / "gone", tmp_path), query_for(PAGE))

    assert caught.value.state is SourceState.UNREACHABLE


@pytest.mark.parametrize("name", ["index.idx", "index.summary", "index.cdxj.gz"])
def test_other_kinds_of_indexes_are_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")

    with pytest.raises(SourceTrouble, match="cannot be searched"):
        found(CdxFiles("other", tmp_path / name, tmp_path), query_for(PAGE))


def test_a_payload_is_found_in_every_file(source: CdxFiles, folder: Path) -> None:
    for name in ("one.cdxj", "two.cdxj"):
        fields = json.dumps({"url": PAGE, "digest": "sha1:AAAA"})
        (folder / name).write_text(f"{surt(PAGE)} {STAMPS[0]} {fields}\n")

    assert [row.detail for row in source.find_digest("AAAA")] == ["one.cdxj", "two.cdxj"]


def test_a_question_that_was_given_up_leaves_its_work_to_the_next(
    source: CdxFiles, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "one.cdxj", STAMPS)
    may_go_on, opened = threading.Event(), []

    def slowly(data: IndexBytes) -> bool:
        opened.append(data)
        may_go_on.wait(30)
        return looks_sorted(data)

    monkeypatch.setattr(cdx_file, "looks_sorted", slowly)

    async def ask_twice() -> Rows:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(source.rows(query_for(PAGE)), 0.05)
        second = asyncio.ensure_future(source.rows(query_for(PAGE)))
        await asyncio.sleep(0)
        may_go_on.set()
        return await second

    assert len(list(asyncio.run(ask_twice()).rows)) == len(STAMPS)
    assert len(opened) == 1


def test_all_well_is_no_problem(source: CdxFiles, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").touch()
    os.utime(tmp_path / "a.warc.gz", (1, 1))
    write(folder / "one.cdxj", STAMPS)

    assert source.problems([tmp_path]) == []


def test_an_index_older_than_its_warcs_is_a_problem(
    source: CdxFiles, folder: Path, tmp_path: Path
) -> None:
    write(folder / "one.cdxj", STAMPS)
    os.utime(folder / "one.cdxj", (1, 1))
    (tmp_path / "a.warc.gz").touch()

    (problem,) = source.problems([tmp_path])

    assert "a.warc.gz changed after the index was written" in problem


def test_warcs_that_are_not_there_are_a_problem(
    source: CdxFiles, folder: Path, tmp_path: Path
) -> None:
    write(folder / "one.cdxj", STAMPS)

    (problem,) = source.problems([tmp_path])

    assert "names a.warc.gz, not to be found" in problem


def test_unsorted_packed_and_foreign_indexes_are_problems(source: CdxFiles, folder: Path) -> None:
    write(folder / "a-unsorted.cdxj", STAMPS[::-1])
    (folder / "b-plain.cdxj").write_text(f'example.org/data.csv {STAMPS[0]} {{"url": "{PAGE}"}}\n')
    (folder / "c.cdxj.gz").touch()
    (folder / "d.idx").touch()

    problems = " ".join(source.problems())

    assert "a-unsorted.cdxj is not sorted" in problems
    assert "b-plain.cdxj are no SURTs" in problems
    assert "c.cdxj.gz is packed" in problems
    assert "d.idx is part of a ZipNum cluster" in problems


def test_a_folder_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    (problem,) = CdxFiles("gone", tmp_path / "gone", tmp_path).problems()

    assert "There is no index" in problem
