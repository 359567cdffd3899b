# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WARC, ARC or WACZ without an index is indexed on the first question, once."""

import asyncio
import os
import threading
from pathlib import Path

import pytest

from carrel.errors import SourceTrouble
from carrel.mementos.query import query_for
from carrel.mementos.sources.source import Rows
from carrel.mementos.sources.warc_files import WarcFiles
from carrel.mementos.warc.indexer import Progress
from carrel.model.memento import Memento, SourceState
from support.warcs import arc_record, member, response, sha1_of, write_arc, write_wacz, write_warc

URL = "http://example.org/a"


def asked(source: WarcFiles, url: str = URL) -> list[Memento]:
    async def ask() -> list[Memento]:
        return list((await source.rows(query_for(url))).rows)

    return asyncio.run(ask())


def answer(source: WarcFiles) -> Rows:
    return asyncio.run(source.rows(query_for(URL)))


def indexes(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.cdxj"))


def test_a_warc_is_indexed_on_the_first_question(tmp_path: Path) -> None:
    [(offset, length)] = write_warc(tmp_path / "a.warc.gz", response(URL))
    source = WarcFiles("mine", tmp_path / "a.warc.gz", tmp_path / "cache")

    [row] = asked(source)

    assert (row.source, row.url, row.status) == ("mine", URL, "200")
    assert row.fields["filename"] == "a.warc.gz"
    assert (row.fields["offset"], row.length) == (str(offset), length)


def test_an_arc_and_a_wacz_are_asked_alike(tmp_path: Path) -> None:
    write_arc(tmp_path / "a.arc.gz", arc_record(URL))
    write_wacz(tmp_path / "a.wacz", {"in.warc.gz": member(response(URL).content)})

    [of_arc] = asked(WarcFiles("arc", tmp_path / "a.arc.gz", tmp_path / "cache"))
    [of_wacz] = asked(WarcFiles("wacz", tmp_path / "a.wacz", tmp_path / "cache"))

    assert of_arc.fields["filename"] == "a.arc.gz"
    assert of_wacz.fields["filename"] == "archive/in.warc.gz"
    assert len(indexes(tmp_path / "cache")) == 2


def test_the_index_is_kept_until_the_file_changes(tmp_path: Path) -> None:
    path, cache = tmp_path / "a.warc.gz", tmp_path / "cache"
    write_warc(path, response(URL))
    asked(WarcFiles("mine", path, cache))
    [first] = indexes(cache)

    asked(WarcFiles("mine", path, cache))
    kept = indexes(cache)
    write_warc(path, response(URL), response(URL, date="2022-01-01T00:00:00Z"))
    rows = asked(WarcFiles("mine", path, cache))

    assert kept == [first]
    assert len(rows) == 2
    assert len(indexes(cache)) == 1
    assert indexes(cache) != [first]


def test_a_file_that_changes_under_a_source_is_indexed_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    write_warc(path, response(URL))
    source = WarcFiles("mine", path, tmp_path / "cache")
    before = asked(source)
    write_warc(path, response(f"{URL}b"))
    os.utime(path, (1, 1))

    assert (len(before), asked(source)) == (1, [])


def test_records_are_found_by_their_digest(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response(URL, b"x"), response(f"{URL}b", b"y"))
    source = WarcFiles("mine", tmp_path / "a.warc.gz", tmp_path / "cache")

    assert [(row.url, row.source) for row in source.find_digest(sha1_of(b"y"))] == [
        (f"{URL}b", "mine")
    ]


def test_what_is_missing_in_a_damaged_file_is_said_each_time(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    write_warc(path, response(URL), response(f"{URL}b"))
    path.write_bytes(path.read_bytes()[:-10])

    first = answer(WarcFiles("mine", path, tmp_path / "cache"))
    again = answer(WarcFiles("mine", path, tmp_path / "cache"))

    assert len(list(first.rows)) == 1
    assert "is cut off" in first.missing
    assert again.missing == first.missing


@pytest.mark.parametrize("name", ["a.warc.gz", "a.wacz"])
def test_a_file_with_nothing_in_it_that_makes_sense_is_a_wrong_answer(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"hello")

    with pytest.raises(SourceTrouble) as caught:
        answer(WarcFiles("mine", tmp_path / name, tmp_path / "cache"))

    assert caught.value.state is SourceState.WRONG_ANSWER
    assert name in str(caught.value)


def test_a_file_that_is_not_there_is_unreachable(tmp_path: Path) -> None:
    with pytest.raises(SourceTrouble) as caught:
        answer(WarcFiles("mine", tmp_path / "gone.warc.gz", tmp_path / "cache"))

    assert caught.value.state is SourceState.UNREACHABLE


def test_an_indexing_goes_on_when_its_question_is_cancelled(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response(URL))
    begun, may_go_on = threading.Event(), threading.Event()

    def tell(progress: Progress) -> None:
        begun.set()
        may_go_on.wait(30)

    async def ask() -> list[Memento]:
        source = WarcFiles("mine", tmp_path / "a.warc.gz", tmp_path / "cache", tell)
        question = asyncio.create_task(source.rows(query_for(URL)))
        await asyncio.to_thread(begun.wait, 30)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        may_go_on.set()
        return list((await source.rows(query_for(URL))).rows)

    assert len(asyncio.run(ask())) == 1


def test_a_closed_source_gives_its_indexing_up(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", response(URL))
    source = WarcFiles("mine", tmp_path / "a.warc.gz", tmp_path / "cache")
    source.close()

    with pytest.raises(SourceTrouble, match="cancelled"):
        answer(source)
    assert list((tmp_path / "cache").iterdir()) == []
