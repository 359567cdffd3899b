# SPDX-License-Identifier: AGPL-3.0-or-later
"""Indexing many files, and large ones in stretches: sorted, each line once, whole or not at all."""

import gzip
import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.mementos.warc import stretches
from carrel.mementos.warc.external_sort import SortedLines
from carrel.mementos.warc.indexer import Progress, index_files
from carrel.mementos.warc.problems import ProblemKind
from support.warcs import Made, member, request, resource, response, warcinfo, write_warc

NOISE = random.Random(2)  # the same in every run


def exchanges(count: int) -> Iterator[Made]:
    """Yield pairs of a response and its request, every third a POST."""
    for number in range(count):
        url = f"http://example.org/{NOISE.randrange(10**6)}"
        said = response(url, NOISE.randbytes(2000))
        body = b"n=%d" % number if number % 3 == 0 else b""
        yield said
        yield request(
            url, method="POST" if body else "GET", body=body, concurrent_to=said.record_id
        )


@pytest.fixture
def small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have files cut into stretches of 16 KiB."""
    monkeypatch.setattr(stretches, "_STRETCH_BYTES", 16 * 1024)


def test_the_lines_of_all_files_are_sorted_and_there_once(tmp_path: Path) -> None:
    for name in ("a.warc.gz", "b.warc"):
        write_warc(tmp_path / name, *exchanges(30))
    paths = [tmp_path / "a.warc.gz", tmp_path / "b.warc", tmp_path / "a.warc.gz"]

    indexed = index_files(paths, tmp_path / "index.cdxj")

    lines = (tmp_path / "index.cdxj").read_bytes().splitlines(keepends=True)
    assert lines == sorted(set(lines))
    assert len(lines) == indexed.lines == 60
    assert indexed.problems == []


@pytest.mark.usefixtures("small_stretches")
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_file_in_stretches_has_the_same_index(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    write_warc(path, warcinfo(), *exchanges(100))

    in_stretches, whole = io.BytesIO(), io.BytesIO()
    index_files([path], in_stretches, workers=workers)
    monkeypatch.setattr(stretches, "_STRETCH_BYTES", 10**9)
    index_files([path], whole)

    assert in_stretches.getvalue() == whole.getvalue()
    assert in_stretches.getvalue().count(b"__wb_method=post") == 34


@pytest.mark.usefixtures("small_stretches")
def test_a_warc_within_a_warc_is_not_taken_for_the_outer_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = b"".join(member(each.content) for each in exchanges(60))
    path = tmp_path / "a.warc.gz"
    outer = resource("http://example.org/inner.warc.gz", inner)
    write_warc(path, *exchanges(9), outer, *exchanges(9))

    in_stretches, whole = io.BytesIO(), io.BytesIO()
    index_files([path], in_stretches, workers=1)
    monkeypatch.setattr(stretches, "_STRETCH_BYTES", 10**9)
    index_files([path], whole)

    assert in_stretches.getvalue() == whole.getvalue()
    assert whole.getvalue().count(b"\n") == 19


def test_when_no_helper_can_be_started_the_work_is_done_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretches, "_STRETCH_BYTES", 16 * 1024)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    write_warc(tmp_path / "a.warc.gz", *exchanges(50))

    indexed = index_files([tmp_path / "a.warc.gz"], tmp_path / "index.cdxj", workers=2)

    assert indexed.lines == 50


def test_a_damaged_file_has_the_lines_of_what_is_intact(tmp_path: Path) -> None:
    places = write_warc(tmp_path / "a.warc.gz", *exchanges(5))
    content = (tmp_path / "a.warc.gz").read_bytes()
    (tmp_path / "a.warc.gz").write_bytes(content[: places[6][0] + 100])

    indexed = index_files([tmp_path / "a.warc.gz"], tmp_path / "index.cdxj")

    assert indexed.lines == 3
    assert [(each.kind, each.offset, each.name) for each in indexed.problems] == [
        (ProblemKind.CUT_SHORT, places[6][0], "a.warc.gz")
    ]


def test_a_file_that_is_not_there_spoils_no_other(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", *exchanges(5))

    indexed = index_files(
        [tmp_path / "gone.warc.gz", tmp_path / "a.warc.gz"], tmp_path / "index.cdxj"
    )

    assert indexed.lines == 5
    assert [each.kind for each in indexed.problems] == [ProblemKind.UNREADABLE]


class GivenUp(Exception):
    pass


@pytest.mark.usefixtures("small_stretches")
def test_a_run_that_is_given_up_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", *exchanges(60))
    (tmp_path / "index.cdxj").write_bytes(b"as it was\n")

    def give_up(progress: Progress) -> None:
        raise GivenUp

    with pytest.raises(GivenUp):
        index_files([tmp_path / "a.warc.gz"], tmp_path / "index.cdxj", give_up, workers=2)

    assert (tmp_path / "index.cdxj").read_bytes() == b"as it was\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.warc.gz", "index.cdxj"]


def test_progress_ends_with_all_that_there_is(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", *exchanges(20))
    told: list[Progress] = []

    index_files([tmp_path / "a.warc.gz"], tmp_path / "index.cdxj", told.append)

    size = (tmp_path / "a.warc.gz").stat().st_size
    assert told[-1] == Progress(size, size)
    assert [each.done for each in told] == sorted(each.done for each in told)


def test_many_problems_are_counted_beyond_the_first(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc", *[response("http://example.org/", date="no")] * 1200)

    indexed = index_files([tmp_path / "a.warc"], tmp_path / "index.cdxj")

    assert (len(indexed.problems), indexed.unlisted) == (1000, 200)


def test_more_lines_than_memory_holds_are_sorted_on_disk(tmp_path: Path) -> None:
    lines = [b"%07d\n" % NOISE.randrange(10**5) for _ in range(30_000)]
    sorting = SortedLines(tmp_path, run_bytes=1000)

    for line in lines:
        sorting.add(line)

    assert list(sorting) == sorted(set(lines))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"https://example.org/a\nhttps://example.org/b\n",
            "There is no WARC or ARC record in it.",
        ),
        (b"", "It is empty."),
        (b"\r\n\r\n", "There is no WARC or ARC record in it."),
        (gzip.compress(b"", mtime=0), "no WARC or ARC record in it."),
    ],
    ids=["a list", "nothing", "blank lines", "a packed nothing"],
)
def test_a_file_that_is_no_warc_is_told_and_the_others_are_indexed(
    tmp_path: Path, content: bytes, message: str
) -> None:
    write_warc(tmp_path / "a.warc.gz", response("https://example.org/", b"kept"))
    (tmp_path / "b").write_bytes(content)

    indexed = index_files([tmp_path / "b", tmp_path / "a.warc.gz"], tmp_path / "index.cdxj")

    assert indexed.lines == 1
    assert [(found.name, found.kind) for found in indexed.problems] == [("b", ProblemKind.NO_WARC)]
    assert message in indexed.problems[0].message


def test_a_warc_without_captures_is_one(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", warcinfo())

    assert index_files([tmp_path / "a.warc.gz"], tmp_path / "index.cdxj").problems == []
