# SPDX-License-Identifier: AGPL-3.0-or-later
"""What faces ask about mementos, and the collections file behind it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

from carrel.engine.mementos import Mementos
from carrel.errors import ConfigError, UsageError
from carrel.mementos.query import query_for
from carrel.settings import Settings
from support.warcs import response, write_warc

T = TypeVar("T")
_GROUP = """\
collections:
  all:
    # keep me
    index_group:
      one: $live
      two: $live
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "collections.yaml"
    path.write_text(_GROUP)
    return path


def _with(mementos: Mementos, ask: Callable[[Mementos], Awaitable[T]]) -> T:
    async def run() -> T:
        try:
            return await ask(mementos)
        finally:
            await mementos.close()

    return asyncio.run(run())


def test_a_file_of_a_name_that_is_taken_is_opened_all_the_same(
    config: Path, tmp_path: Path
) -> None:
    warc = tmp_path / "all.warc.gz"
    write_warc(warc, response("http://example.org/a", b"a"))

    async def ask(mementos: Mementos) -> list[str]:
        found = await mementos.find("http://example.org/a", "all-opened")
        return [row.url for row in found.mementos]

    assert _with(Mementos(Settings(), config=config, opened=[warc]), ask) == [
        "http://example.org/a"
    ]


@pytest.mark.parametrize("collection", ["", "one", "two"])
def test_what_is_opened_is_searched_beside_the_collection(tmp_path: Path, collection: str) -> None:
    config = tmp_path / "collections.yaml"
    url = "http://example.org/a"
    one, two, opened = (tmp_path / name / "mine.warc.gz" for name in ("one", "two", "opened"))
    for path, day in ((one, 1), (two, 2), (opened, 3)):
        path.parent.mkdir()
        write_warc(path, response(url, path.parent.name.encode(), date=f"2020-01-0{day}T00:00:00Z"))
    config.write_text(
        f"collections:\n  one:\n    index_group:\n      mine: {one}\n"
        f"  two:\n    index_group:\n      mine: {two}\n"
    )

    async def ask(mementos: Mementos) -> tuple[list[str], bytes]:
        found = await mementos.find(url, collection)
        resource = await mementos.load(query_for(url, closest="20200103000000"), collection)
        payload = b"".join(resource.record.payload)
        resource.record.close()
        return [row.timestamp[:8] for row in found.mementos], payload

    days, payload = _with(Mementos(Settings(), config=config, opened=[opened]), ask)

    assert days == ["20200102" if collection == "two" else "20200101", "20200103"]
    assert payload == b"opened"


def test_what_is_opened_keeps_no_later_step_from_being_asked(tmp_path: Path) -> None:
    url = "http://example.org/a"
    empty, later, opened = (tmp_path / f"{name}.warc.gz" for name in ("empty", "later", "opened"))
    write_warc(empty, response("http://example.org/b", b"b"))
    write_warc(later, response(url, b"later", date="2020-01-01T00:00:00Z"))
    write_warc(opened, response(url, b"opened", date="2020-01-02T00:00:00Z"))
    config = tmp_path / "collections.yaml"
    config.write_text(
        f"collections:\n  all:\n    sequence:\n      - index: {empty}\n      - index: {later}\n"
    )

    async def ask(mementos: Mementos) -> list[str]:
        return [row.timestamp[:8] for row in (await mementos.find(url, "")).mementos]

    with_opened = _with(Mementos(Settings(), config=config, opened=[opened]), ask)

    assert with_opened == ["20200101", "20200102"]


def test_two_files_of_one_name_are_both_asked(tmp_path: Path) -> None:
    paths = []
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "same.warc.gz")
        write_warc(paths[-1], response("http://example.org/a", folder.encode()))

    async def ask(mementos: Mementos) -> int:
        return len((await mementos.find("http://example.org/a", "opened")).mementos)

    assert _with(Mementos(Settings(), opened=paths), ask) == 2


def test_an_edit_by_hand_is_never_written_over(config: Path) -> None:
    async def ask(mementos: Mementos) -> None:
        await mementos.sources.of("all")
        config.write_text(_GROUP.replace("# keep me", "# by hand"))
        with pytest.raises(ConfigError, match="changed"):
            await mementos.sources.remove("all", "two")

    _with(Mementos(Settings(), config=config), ask)

    assert "# by hand" in config.read_text()


def test_a_change_keeps_the_comments(config: Path) -> None:
    async def ask(mementos: Mementos) -> list[str]:
        await mementos.sources.of("all")
        await mementos.sources.remove("all", "two")
        return [each.name for each in await mementos.sources.of("all")]

    assert _with(Mementos(Settings(), config=config), ask) == ["one"]
    assert "# keep me" in config.read_text()


def test_a_source_whose_file_is_not_there_is_doubted(config: Path, tmp_path: Path) -> None:
    (tmp_path / "there.cdxj").write_text("")
    texts = ("there.cdxj", "gone.cdxj", "memento+https://example.org/web/")

    async def ask(mementos: Mementos) -> list[str]:
        return [await mementos.sources.doubt(text) for text in texts]

    found = _with(Mementos(Settings(), config=config), ask)

    assert found == ["", f"there is nothing at “{tmp_path / 'gone.cdxj'}” now.", ""]


def test_of_captures_of_one_second_each_is_opened_from_its_own_source(tmp_path: Path) -> None:
    url = "http://example.org/a"
    one, two = tmp_path / "2010.warc.gz", tmp_path / "b c.warc.gz"
    for path in (one, two):
        write_warc(path, response(url, path.stem.encode(), date="2010-01-01T00:00:00Z"))
    config = tmp_path / "collections.yaml"
    config.write_text(
        f"collections:\n  all:\n    index_group:\n      '2010': {one}\n      'b+c/d': {two}\n"
    )

    async def ask(mementos: Mementos) -> list[tuple[str, bytes, bytes]]:
        rows = (await mementos.find(url, "all")).mementos
        told = []
        for row in rows:
            bodies = []
            for is_raw in (False, True):
                address = await mementos.server.address_of(row, "all", is_raw=is_raw)
                async with httpx.AsyncClient(follow_redirects=True) as client:
                    answer = await client.get(address)
                bodies.append(answer.content)
            told.append((row.source, bodies[0], bodies[1]))
        address = await mementos.server.address_of(None, "all")
        async with httpx.AsyncClient() as client:
            page = (await client.get(f"{address}all/*/{url}")).text
        assert f'href="/all/from/2010/20100101000000/{url}"' in page
        assert f'href="/all/from/b%2Bc%2Fd/20100101000000id_/{url}"' in page
        return sorted(told)

    told = _with(Mementos(Settings(), config=config), ask)

    assert [(source, raw) for source, _, raw in told] == [
        ("2010", b"2010.warc"),
        ("b+c/d", b"b c.warc"),
    ]
    assert all(raw in shown for _, shown, raw in told)


def test_one_server_runs_however_often_it_is_asked_for(config: Path) -> None:
    async def ask(mementos: Mementos) -> set[str]:
        return set(await asyncio.gather(*(mementos.server.start() for _ in range(5))))

    assert len(_with(Mementos(Settings(), config=config), ask)) == 1


def test_without_a_cache_mementos_are_found_all_the_same(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARREL_CACHE", str(tmp_path / "file" / "cache"))

    async def ask(mementos: Mementos) -> int:
        return len((await mementos.find("http://example.org/", "all")).mementos)

    assert _with(Mementos(Settings(), config=config), ask) == 2


def test_an_unknown_collection_is_named(config: Path) -> None:
    async def ask(mementos: Mementos) -> None:
        with pytest.raises(UsageError, match="nobody"):
            await mementos.find("http://example.org/", "nobody")

    _with(Mementos(Settings(), config=config), ask)
