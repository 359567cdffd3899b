# SPDX-License-Identifier: AGPL-3.0-or-later
"""Single questions of programs that use Carrel."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import carrel
from carrel.demo import DemoRepository

SINGLE = "OLAVE1"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with DemoRepository() as repository:
        yield repository.dataset(SINGLE).url(repository)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no address at all", "contains no DOI"),
        ("10.5072/one 10.5072/two", "contains several identifiers"),
    ],
)
def test_what_is_not_one_dataset_is_refused_before_anything_is_made(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(carrel.UsageError, match=said):
        asyncio.run(carrel.ingest(text, tmp_path / "archive"))

    assert not (tmp_path / "archive").exists()


def test_a_request_is_previewed_as_its_address_is(url: str) -> None:
    by_request = asyncio.run(carrel.preview(carrel.IngestRequest(url)))
    by_address = asyncio.run(carrel.preview(url))

    assert by_request.item == by_address.item
    assert by_address.status is carrel.Status.SUCCESS


def test_an_ingest_tells_what_happens_and_lets_go_of_the_archive(url: str, tmp_path: Path) -> None:
    told: list[carrel.Event] = []

    first = asyncio.run(carrel.ingest(url, tmp_path / "archive", emit=told.append))
    again = asyncio.run(carrel.ingest(url, tmp_path / "archive"))

    assert first.hit
    assert again.hit
    assert {each.ingest_id for each in told} == {first.ingest_id}


def test_captures_are_found_in_an_archive_and_without_it_not(url: str, tmp_path: Path) -> None:
    asyncio.run(carrel.ingest(url, tmp_path / "archive"))

    here = asyncio.run(carrel.find_mementos(url, tmp_path / "archive"))
    elsewhere = asyncio.run(carrel.find_mementos(url))

    assert [each.url for each in here.mementos] == [url]
    assert elsewhere.mementos == []
