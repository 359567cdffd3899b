# SPDX-License-Identifier: AGPL-3.0-or-later
"""The list of watched datasets in the ledger."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.watch import WatchList
from carrel.errors import UsageError
from carrel.model import Fixity, IngestFilesetResult, IngestRequest, ManifestFile, PlatformItem
from carrel.model import Status as S
from support.archives import new_archive

DOI = "https://doi.org/10.5072/soundings"
PAGE = "https://repository.example/records/1"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


@pytest.fixture
def listed(archive: Archive) -> WatchList:
    return WatchList(archive)


def archived(
    archive: Archive, url: str, ingest_id: str, status: S = S.SUCCESS, *, kept: bool = True
) -> None:
    """Have an attempt in the ledger; its landing page is `PAGE`."""
    request = IngestRequest(url)
    file = ManifestFile("a", status=S.SUCCESS if kept else status, observed=Fixity(3))
    item = PlatformItem("zenodo", "repository.example", "1", (file,), title="Soundings")
    result = IngestFilesetResult(
        request,
        status,
        hops=(url, PAGE),
        item=item if status is not S.NETWORK_ERROR else None,
        manifest=(file,),
        ingest_id=ingest_id,
        started="2024-01-01T00:00:00Z",
        finished="2024-01-01T00:00:01Z",
    )
    archive.ledger.ingests.start(ingest_id, request, "2024-01-01T00:00:00Z")
    archive.ledger.ingests.finish(result, (), {})


def captures(listed: WatchList) -> list[str | None]:
    return [row.captured for row in listed.rows()]


def urls(listed: WatchList) -> list[str]:
    return [row.base_url for row in listed.rows()]


def test_what_is_added_is_listed_in_order_and_once(listed: WatchList) -> None:
    first = listed.add([PAGE, "10.5072/soundings"])
    second = listed.add([DOI, PAGE])

    assert (first, second) == (2, 0)
    assert urls(listed) == [PAGE, DOI]


@pytest.mark.parametrize("text", [DOI, "doi:10.5072/SOUNDINGS", "10.5072/soundings", PAGE])
def test_what_was_archived_is_watched_as_it_was_asked_for(
    archive: Archive, listed: WatchList, text: str
) -> None:
    archived(archive, DOI, "i1")

    listed.add([text])

    assert urls(listed) == [DOI]
    assert captures(listed) == ["i1"]


def test_a_dataset_that_was_never_archived_has_no_capture(listed: WatchList) -> None:
    listed.add([PAGE])

    (row,) = listed.rows()
    assert (row.captured, row.title, row.state) == (None, PAGE, "unchecked")


def test_the_capture_is_the_latest_that_succeeded(archive: Archive, listed: WatchList) -> None:
    archived(archive, DOI, "i1")
    archived(archive, DOI, "i2")
    archived(archive, DOI, "i3", S.NETWORK_ERROR, kept=False)
    listed.add([DOI])

    assert captures(listed) == ["i2"]


def test_an_attempt_that_kept_some_files_is_better_than_none(
    archive: Archive, listed: WatchList
) -> None:
    archived(archive, DOI, "i1", S.PLATFORM_RESTRICTED)
    archived(archive, DOI, "i2", S.PLATFORM_RESTRICTED, kept=False)
    listed.add([DOI])

    assert captures(listed) == ["i1"]


def test_all_that_succeeded_can_be_added_at_once(archive: Archive, listed: WatchList) -> None:
    archived(archive, DOI, "i1")
    archived(archive, PAGE, "i2", S.NETWORK_ERROR, kept=False)

    count = listed.add_all()

    assert (count, urls(listed)) == (1, [DOI])


def test_what_is_no_address_adds_nothing(listed: WatchList) -> None:
    with pytest.raises(UsageError, match="“tides” is not an identifier of a dataset"):
        listed.add([PAGE, "tides"])

    assert urls(listed) == []


def test_what_is_removed_is_listed_no_more_and_still_known(listed: WatchList) -> None:
    listed.add([PAGE, DOI])

    count = listed.remove([PAGE])

    assert (count, urls(listed)) == (1, [DOI])
    assert sorted(listed.known()) == [DOI, PAGE]


def test_what_was_removed_can_be_added_again(listed: WatchList) -> None:
    listed.add([PAGE])
    listed.remove([PAGE])

    assert listed.add([PAGE]) == 1
    assert urls(listed) == [PAGE]


def test_removing_none_removes_none(listed: WatchList) -> None:
    listed.add([PAGE])

    assert listed.remove([]) == 0
    assert urls(listed) == [PAGE]


def test_what_is_not_watched_is_refused(listed: WatchList) -> None:
    listed.add([PAGE])

    with pytest.raises(UsageError, match="is not watched"):
        listed.remove([PAGE, DOI])

    assert urls(listed) == [PAGE]


@pytest.mark.parametrize("text", [DOI, "doi:10.5072/soundings", PAGE])
def test_a_watched_dataset_is_found_by_any_name(
    archive: Archive, listed: WatchList, text: str
) -> None:
    archived(archive, DOI, "i1")
    listed.add([DOI])

    (row,) = listed.rows([text])

    assert row.base_url == DOI


def test_before_the_first_look_nothing_differs(listed: WatchList) -> None:
    listed.add([PAGE])

    assert listed.differences(PAGE) == []


def test_a_ledger_without_the_table_watches_nothing(archive: Archive) -> None:
    with archive.ledger._connection.writing() as db:
        db.execute("DROP TABLE watched")

    listed = WatchList(archive)

    assert (listed.rows(), listed.known()) == ([], [])


def test_before_the_first_look_it_is_told_what_is_archived(
    archive: Archive, listed: WatchList
) -> None:
    archived(archive, DOI, "i1")
    listed.add([DOI])

    (file,) = listed.differences(DOI)

    assert (file.path, file.what, file.size_then) == ("a", "unchecked", 3)
