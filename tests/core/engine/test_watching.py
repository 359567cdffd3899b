# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looks at datasets that change: what each look says, and what is noted of it."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.demo.dataset import Delivery, DemoFile, Gate
from carrel.engine import Engine
from carrel.engine.asked_again import asked_again
from carrel.engine.holdings import Holdings
from carrel.engine.rebuilding import rebuild
from carrel.engine.standing import standing_of
from carrel.engine.watch import Sight, WatchList
from carrel.engine.watch.checks import Looking
from carrel.engine.watch.look import Look
from carrel.model import IngestFilesetResult, IngestOptions, IngestRequest
from carrel.model.dark_views import RunProgress, WatchedRow
from carrel.model.figures import Losses
from carrel.model.iso_time import iso_now
from carrel.model.standing import Need
from support.archives import ingest, new_archive
from support.watching import (
    LOG,
    NEWER,
    RECORD,
    TIDES,
    WINDS,
    ChangingRepository,
    differences,
    look,
    rows,
    unwatch,
    watch,
    whats,
)
from support.wire import WireServer, html, reply


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


@pytest.fixture
def repository() -> Iterator[ChangingRepository]:
    repository = ChangingRepository(RECORD)
    yield repository
    repository.close()


@pytest.fixture
def captured(archive: Path, repository: ChangingRepository) -> str:
    """A dataset that is archived and watched, not looked at yet."""
    url = repository.url()
    (result,) = ingest(archive, url)
    assert result.hit
    watch(archive, url)
    return url


def the_row(archive: Path) -> WatchedRow:
    (row,) = rows(archive)
    return row


def test_a_dataset_that_was_not_looked_at_is_unchecked(archive: Path, captured: str) -> None:
    row = the_row(archive)

    assert (row.state, row.looked, row.title) == ("unchecked", None, RECORD.title)
    assert row.captured is not None
    assert row.message == "Not checked yet: check it now."


def test_a_dataset_that_is_as_it_was_is_the_same(archive: Path, captured: str) -> None:
    look(archive)

    row = the_row(archive)
    assert (row.state, row.same, row.changed, row.gone, row.added) == ("same", 3, 0, 0, 0)
    assert (row.version_then, row.version_now) == ("1", "1")
    assert row.message == (
        "The platform has published no change since it was captured. Published checksums were "
        "compared; the files were not downloaded."
    )
    assert {each.reason for each in differences(archive, captured)} == {
        "The published MD5 is the same."
    }


def test_a_file_with_another_digest_is_changed(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, is_digest_wrong=True), TIDES)))

    look(archive)

    row = the_row(archive)
    assert (row.state, row.changed, row.same) == ("changed", 1, 2)
    assert row.message.startswith("1 file changed. Archive it again")
    changed = differences(archive, captured)[-1]
    assert (changed.path, changed.what) == ("winds.txt", "changed")
    assert changed.digest_then != changed.digest_now
    assert changed.size_then == changed.size_now == 500


def test_files_that_are_listed_no_more_are_gone_and_new_ones_added(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(replace(RECORD, files=(LOG, WINDS, DemoFile("errata.txt", 90))))

    look(archive)

    row = the_row(archive)
    assert (row.state, row.same, row.gone, row.added) == ("changed", 2, 1, 1)
    assert whats(differences(archive, captured)) == {
        "errata.txt": "added",
        "log.txt": "same",
        "tides/1953.txt": "gone",
        "winds.txt": "same",
    }


def test_a_file_that_is_no_longer_listed_and_still_answers_is_not_lost(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.unlist(replace(RECORD, files=(LOG, WINDS)))

    (seen,) = look(archive)

    row = the_row(archive)
    file = {each.path: each for each in differences(archive, captured)}[TIDES.path]
    assert seen.requested == ["log.txt", "winds.txt", TIDES.path]
    assert (row.state, row.unlisted, row.gone, row.lost) == ("changed", 1, 0, None)
    assert row.message == (
        "1 file no longer listed. Nothing new is published, so there is nothing to archive; your "
        "capture stays."
    )
    assert file.what == "unlisted"
    assert file.reason.startswith("The platform no longer lists it. Its own address still answers.")
    assert losses(archive) == (0, 0)


def test_a_file_that_is_no_longer_listed_is_not_gone_where_its_address_was_not_requested(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(replace(RECORD, files=(LOG, WINDS)))

    look(archive, check_files=False)

    file = {each.path: each for each in differences(archive, captured)}[TIDES.path]
    assert (file.what, losses(archive)) == ("unlisted", (0, 0))
    assert file.reason == "The platform no longer lists it. Its own address was not requested."


def test_files_still_at_their_addresses_are_not_lost_where_the_page_leads_to_another_record(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    files = (DemoFile("errata.txt", 90),)
    repository.unlist(replace(RECORD, title="Another record", files=files))

    look(archive)

    row = the_row(archive)
    assert (row.unlisted, row.added, row.gone) == (3, 1, 0)
    assert losses(archive) == (0, 0)


def test_a_renamed_file_is_not_lost(archive: Path, captured: str) -> None:
    (seen,) = look(archive)
    assert seen.published is not None
    *others, last = seen.published.files
    files = (*others, replace(last, path="breezes.txt"))

    with Archive.create_or_open(archive) as opened:
        WatchList(opened).note(replace(seen, published=replace(seen.published, files=files)))

    row = the_row(archive)
    assert (row.state, row.gone, row.added, row.lost) == ("changed", 0, 0, None)
    assert row.renamed == 1
    assert losses(archive) == (0, 0)


def test_a_file_that_is_listed_and_not_at_its_address_is_gone(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )

    (seen,) = look(archive)

    assert (seen.asked, dict(seen.missing)) == (3, {"winds.txt": 404})
    gone = differences(archive, captured)[-1]
    assert (gone.path, gone.what) == ("winds.txt", "gone")
    assert gone.reason == "The platform lists it, but its address answers with HTTP 404."


def test_without_asking_for_files_only_the_manifest_counts(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )

    (seen,) = look(archive, check_files=False)

    assert (seen.asked, the_row(archive).state) == (0, "same")


def test_no_more_files_are_asked_for_than_the_settings_allow(
    tmp_path: Path, repository: ChangingRepository
) -> None:
    archive = new_archive(tmp_path / "small", "[limits]\nmax_file_count = 2\n")
    watch(archive, repository.url())

    (seen,) = look(archive)

    assert (seen.asked, seen.unasked, seen.sight) == (2, 1, Sight.DESCRIBED)
    assert (
        "The addresses of 1 file were not requested; the next check resumes there."
        in the_row(archive).message
    )


def test_the_next_check_goes_on_with_the_files_that_were_not_asked_for(
    tmp_path: Path, repository: ChangingRepository
) -> None:
    archive = new_archive(tmp_path / "small", "[limits]\nmax_file_count = 1\n")
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )
    watch(archive, repository.url())

    seen = [look(archive)[0] for _ in range(4)]

    assert [each.requested for each in seen] == [
        ["log.txt"],
        ["winds.txt"],
        ["tides/1953.txt"],
        ["log.txt"],
    ]
    assert [dict(each.missing) for each in seen] == [{}, *[{"winds.txt": 404}] * 3]


def test_an_attempt_that_brought_nothing_is_no_newer_capture(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )
    look(archive)
    assert the_row(archive).state == "changed"

    ingest(archive, captured)  # one file cannot be had, the others are here

    assert the_row(archive).state == "changed"


def test_a_file_that_is_cut_short_as_before_is_no_change(
    archive: Path, repository: ChangingRepository
) -> None:
    """Its address announces the whole file, at the attempt as at each check."""
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.BREAKS_OFF), TIDES))
    )
    url = repository.url()
    ingest(archive, url)
    watch(archive, url)

    look(archive)

    assert (the_row(archive).state, the_row(archive).unverified) == ("unverified", 1)
    assert "it never arrived whole" in differences(archive, url)[-1].reason


def test_what_is_said_of_a_file_that_is_not_here_follows_the_last_attempt_at_it(
    archive: Path, repository: ChangingRepository
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )
    url = repository.url()
    ingest(archive, url)
    watch(archive, url)
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.BREAKS_OFF), TIDES))
    )
    look(archive)
    assert the_row(archive).state == "changed"  # it was not there, and is announced

    ingest(archive, url)
    look(archive)

    assert the_row(archive).state == "unverified"


def test_only_the_heads_of_files_are_read(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    assert repository.running
    url = RECORD.file_url(repository, LOG)
    before = repository.running.times_fetched(url)

    look(archive)

    assert repository.running.times_fetched(url) == before + 1


def test_a_file_behind_a_redirect_is_asked_for_where_it_leads(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.REDIRECTED), TIDES))
    )

    (seen,) = look(archive)

    assert (seen.asked, dict(seen.missing)) == (3, {})


def test_a_dataset_that_the_platform_does_not_know_any_more_is_gone(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish()

    (seen,) = look(archive)

    row = the_row(archive)
    assert (seen.sight, row.state, row.gone) == (Sight.GONE, "gone", 3)
    assert row.title == RECORD.title
    assert "Your capture stays." in row.message
    assert set(whats(differences(archive, captured)).values()) == {"gone"}


def test_files_of_a_dataset_that_is_gone_are_gone_only_where_their_addresses_say_so(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.withdraw_pages(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )

    look(archive)

    row = the_row(archive)
    found = {each.path: each for each in differences(archive, captured)}
    assert (row.state, row.gone, row.unverified) == ("gone", 1, 2)
    assert "2 files still answer at their own addresses. Your capture stays." in row.message
    assert found["winds.txt"].what == "gone"
    assert found["winds.txt"].reason == (
        "The platform does not have its dataset. Its own address answers with HTTP 404."
    )
    assert found["log.txt"].what == "unverified"
    assert "Its own address still answers." in found["log.txt"].reason


def test_files_of_a_dataset_that_is_gone_are_not_called_gone_where_they_were_not_checked(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.withdraw_pages(RECORD)

    look(archive, check_files=False)

    row = the_row(archive)
    assert (row.state, row.gone, row.unverified) == ("gone", 0, 3)
    assert "The addresses of 3 files were not requested. Your capture stays." in row.message
    assert {each.reason for each in differences(archive, captured)} == {
        "The platform does not have its dataset. Its own address was not requested."
    }


def test_a_web_page_in_place_of_a_file_that_is_none_is_told(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.send_pages(RECORD)

    look(archive)

    row = the_row(archive)
    assert (row.state, row.gone, row.unverified) == ("unverified", 0, 3)
    assert row.message.startswith(
        "The addresses of 3 files answer with web pages in place of them. The platform has"
    )
    assert {each.reason for each in differences(archive, captured)} == {
        "The published MD5 is the same. Its address answers with a web page now in place of the "
        "file, which was announced as text/plain."
    }


def test_files_whose_addresses_fail_are_not_fully_compared(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.fail_for_files(RECORD)

    look(archive)

    row = the_row(archive)
    assert (row.state, row.same, row.unverified) == ("unverified", 0, 3)
    assert row.message.endswith("The addresses of 3 files gave no clear answer.")
    assert {each.reason for each in differences(archive, captured)} == {
        "The published MD5 is the same. Its address answered HTTP 503."
    }


def test_what_was_gone_stays_so_where_its_address_fails(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(
        replace(RECORD, files=(LOG, replace(WINDS, delivery=Delivery.MISSING), TIDES))
    )
    look(archive)
    repository.fail_for_files(RECORD)

    look(archive)

    found = {each.path: each for each in differences(archive, captured)}
    assert (the_row(archive).state, found["winds.txt"].what) == ("changed", "gone")
    assert found["winds.txt"].reason == (
        "The platform lists it, but at an earlier check its address answered with HTTP 404. Its "
        "address answered HTTP 503."
    )


def test_a_new_version_behind_a_concept_is_told(
    archive: Path, repository: ChangingRepository
) -> None:
    url = repository.concept_url()
    ingest(archive, url)
    watch(archive, url)
    repository.publish(RECORD, NEWER)

    look(archive)

    row = the_row(archive)
    assert (row.state, row.version_then, row.version_now) == ("new version", "1", "2")
    assert (row.changed, row.unlisted, row.added) == (2, 1, 1)
    assert row.message == (
        "Version 2 is published; it was version 1. 2 files changed, 1 file new, 1 file no longer "
        "listed. Archive it again to add what is published now; earlier captures stay."
    )


def test_a_newer_record_beside_the_captured_one_is_a_new_version(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(RECORD, NEWER)

    look(archive)

    row = the_row(archive)
    assert (row.state, row.same, row.changed) == ("new version", 3, 0)
    assert "There is a newer version of this record" in row.message


def test_an_older_version_that_was_captured_knowingly_is_the_same(
    archive: Path, repository: ChangingRepository
) -> None:
    repository.publish(RECORD, NEWER)
    ingest(archive, repository.url())
    watch(archive, repository.url())

    look(archive)

    assert the_row(archive).state == "same"


def test_a_dataset_that_is_closed_now_has_lost_no_files(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(replace(RECORD, gate=Gate.RESTRICTED))

    look(archive)

    row = the_row(archive)
    assert (row.state, row.gone, row.unverified) == ("restricted now", 0, 3)
    assert "Ask the depositor" in row.message


@pytest.mark.parametrize(
    ("gate", "state"), [(Gate.CHALLENGE, "unreachable"), (Gate.LOGIN, "restricted now")]
)
def test_what_stands_behind_a_wall_is_not_gone(
    archive: Path, repository: ChangingRepository, captured: str, gate: Gate, state: str
) -> None:
    look(archive)
    repository.publish(replace(RECORD, gate=gate))

    (seen,) = look(archive)

    row = the_row(archive)
    assert (seen.sight, row.state) == (Sight.UNSEEN, state)
    assert (row.same, row.gone) == (3, 0)
    assert not row.saw_files  # they are as the look before saw them
    assert len(differences(archive, captured)) == 3
    repository.publish(RECORD)
    look(archive)
    assert the_row(archive).saw_files


def test_a_host_that_is_down_has_lost_nothing(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.close()

    (seen,) = look(archive)

    row = the_row(archive)
    assert (seen.sight, row.state, row.gone) == (Sight.UNSEEN, "unreachable", 0)
    assert "try again" in row.message


def test_a_dataset_that_was_never_captured_is_compared_with_the_first_look(
    archive: Path, repository: ChangingRepository
) -> None:
    watch(archive, repository.url())
    look(archive)
    first = the_row(archive)
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, size=501), TIDES)))

    look(archive)

    row = the_row(archive)
    assert (first.state, first.captured) == ("as first seen", None)
    assert first.message == (
        "This was the first check: later ones are compared with it. It is not archived here: "
        "archive it."
    )
    assert (row.state, row.changed) == ("changed", 1)


def test_at_the_first_look_no_file_is_called_unchanged(
    archive: Path, repository: ChangingRepository
) -> None:
    watch(archive, repository.url())
    look(archive)
    first, row = differences(archive, repository.url()), the_row(archive)

    look(archive)

    assert {each.what for each in first} == {"first seen"}
    assert {each.reason for each in first} == {
        "This was the first check: later ones are compared with it."
    }
    assert (row.is_first_look, row.same, row.changed) == (True, 0, 0)
    assert set(whats(differences(archive, repository.url())).values()) == {"same"}
    assert the_row(archive).same == len(first) == 3


def test_a_dataset_that_was_never_captured_is_never_told_as_captured(
    archive: Path, repository: ChangingRepository
) -> None:
    watch(archive, repository.url())
    look(archive)

    look(archive)

    row = the_row(archive)
    assert row.state == "as first seen"
    assert row.message.startswith("The platform has published no change since the first check.")


def test_after_it_was_archived_again_it_is_compared_with_that(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, size=501), TIDES)))
    look(archive)
    before = the_row(archive)
    ingest(archive, captured)
    between = the_row(archive)

    look(archive)

    after = the_row(archive)
    assert (before.state, between.state, after.state) == ("changed", "archived since", "same")
    assert (before.last_state, between.last_state, after.last_state) == (None, "changed", None)
    assert (between.looked, between.changed) == (before.looked, before.changed)
    assert before.captured != between.captured == after.captured
    assert "archived again after the last check" in between.message


def test_a_change_of_licence_is_a_change(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    licence = replace(RECORD.licence, id="cc0-1.0", name="Creative Commons Zero")
    repository.publish(replace(RECORD, licence=licence))

    look(archive)

    row = the_row(archive)
    assert (row.state, row.same) == ("changed", 3)
    assert "licence was" in row.message


def test_progress_tells_each_dataset(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    told: list[RunProgress] = []

    look(archive, told=told)

    assert [(each.done, each.total) for each in told] == [(0, 1), (1, 1)]
    assert told[-1].words == f"Checked {captured}"


def test_a_look_that_is_stopped_notes_nothing(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    looks = look(archive, is_cancelled=lambda: True)

    assert looks == []
    assert the_row(archive).looked is None


def test_a_look_that_is_stopped_waits_for_no_host(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    asked = threading.Event()

    async def waiting(request: IngestRequest, __: IngestOptions) -> IngestFilesetResult:
        asked.set()
        await asyncio.Event().wait()  # as where a host asked for a long pause
        raise AssertionError

    async def run() -> list[Look]:
        async with Engine.open(archive) as engine:
            client, settings = engine._network.client, engine.archive.settings
            looking = Looking(WatchList(engine.archive), waiting, client, settings)
            return await looking.look((), lambda told: None, asked.is_set)

    assert asyncio.run(run()) == []
    assert the_row(archive).looked is None


def test_progress_names_what_is_waited_for(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    other = replace(NEWER, concept="other-all00", version_index=1)
    repository.publish(RECORD, other)
    slow = repository.url(other)
    watch(archive, slow)
    told: list[str] = []
    is_first_checked = asyncio.Event()

    def tell(progress: RunProgress) -> None:
        told.append(progress.words)
        if progress.done:
            is_first_checked.set()

    async def run() -> None:
        async with Engine.open(archive) as engine:

            async def preview(request: IngestRequest, _: IngestOptions) -> IngestFilesetResult:
                if request.base_url == slow:
                    await is_first_checked.wait()
                return await engine.preview(request)

            client, settings = engine._network.client, engine.archive.settings
            await Looking(WatchList(engine.archive), preview, client, settings).look((), tell)

    asyncio.run(run())

    assert told == [
        f"Checking {captured}",
        f"Checking {captured} and 1 more",
        f"Checking {slow}",
        f"Checked {slow}",
    ]


def test_one_dataset_can_be_looked_at_alone(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    other = replace(NEWER, concept="other-all00", version_index=1)
    repository.publish(RECORD, other)
    watch(archive, repository.url(other))

    look(archive, captured)

    states = {row.base_url: row.state for row in rows(archive)}
    assert states == {captured: "same", repository.url(other): "unchecked"}


def test_what_was_lost_before_the_first_look_counts_as_lost_once(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(NEWER)
    look(archive)
    first = rows(archive)[0]
    look(archive)

    with Archive.open_for_reading(archive) as opened:
        lost = opened.ledger.figures(iso_now()).lost

    assert first.state == "gone"
    assert rows(archive)[0].lost == first.lost == first.looked
    assert lost == [Losses(iso_now()[:7], 1)]


def test_what_no_check_has_seen_is_neither_gone_nor_lost(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    missing = f"{repository.url(RECORD)}0"
    watch(archive, missing)

    look(archive, missing)
    look(archive, missing)

    states = {row.base_url: row.state for row in rows(archive)}
    assert states[missing] == "no dataset"
    assert losses(archive) == (0, 0)


def losses(archive: Path) -> tuple[int, int]:
    """Return how many watched datasets are gone, and how many files of others, as the Overview
    counts them."""
    with Archive.open_for_reading(archive) as opened:
        lost = opened.ledger.figures(iso_now()).lost
    return sum(each.watched for each in lost), sum(each.files for each in lost)


def test_files_that_are_gone_are_counted_as_files_and_their_dataset_is_not(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(replace(RECORD, files=(LOG,)))
    look(archive)
    look(archive)

    assert rows(archive)[0].gone == 2
    assert losses(archive) == (0, 2)


def test_a_lost_file_that_is_published_under_another_name_is_lost_no_more(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    (whole,) = look(archive)
    repository.publish(replace(RECORD, files=(LOG, WINDS)))
    (cut,) = look(archive)
    lost = losses(archive)

    assert whole.published is not None
    listed = whole.published.files
    files = [replace(it, path="levels.csv") if it.path == TIDES.path else it for it in listed]
    named = replace(whole, at=cut.at + 1, published=replace(whole.published, files=tuple(files)))
    with Archive.create_or_open(archive) as opened:
        WatchList(opened).note(named)

    row = the_row(archive)
    assert lost == (0, 1)
    assert (row.renamed, row.gone, row.losses) == (1, 0, {})
    assert losses(archive) == (0, 0)


def test_a_lost_file_stays_counted_when_its_dataset_is_archived_without_it(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(replace(RECORD, files=(LOG,)))
    look(archive)
    first = the_row(archive)
    ingest(archive, captured)
    between = losses(archive)
    look(archive)
    row = the_row(archive)

    assert (row.state, row.gone, row.lost) == ("same", 0, None)
    assert {*row.losses.values()} == {first.looked}
    assert between == losses(archive) == (0, 2)

    repository.publish(RECORD)
    look(archive)

    assert the_row(archive).losses == {}
    assert losses(archive) == (0, 0)


def test_losses_that_an_earlier_carrel_noted_without_names_stay_counted(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(replace(RECORD, files=(LOG,)))
    look(archive)
    first = the_row(archive).lost
    change = "UPDATE watched SET state = json_remove(state, '$.losses')"
    with closing(sqlite3.connect(archive / "carrel.sqlite")) as db, db:
        db.execute(change)
    before = losses(archive)
    look(archive)

    assert before == losses(archive) == (0, 2)
    assert {*the_row(archive).losses.values()} == {first}


def test_a_loss_stays_counted_while_the_host_is_down_and_the_dataset_is_watched_no_more(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(NEWER)
    look(archive)
    first = the_row(archive)
    repository.close()
    look(archive)
    look(archive)
    row = the_row(archive)
    with Archive.open_for_reading(archive) as opened:
        needs = standing_of(opened).needs
    unwatch(archive, captured)

    assert (row.state, row.answered, needs.get(Need.GONE)) == ("gone", first.looked, 1)
    assert row.message.startswith(first.message)
    assert row.message.count("could not be checked on the last attempt") == 1
    assert losses(archive) == (1, 0)


def test_after_an_attempt_that_got_no_answer_a_check_tells_how_it_is(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(NEWER)
    look(archive)
    repository.close()
    look(archive)
    repository.publish(RECORD)
    look(archive)

    row = the_row(archive)
    assert (row.state, row.answered, row.attempt, row.lost) == ("same", None, "", None)
    assert row.last_answered == row.looked


def test_what_was_unchanged_before_a_host_is_down_is_not_said_to_be_so(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    look(archive)
    first = the_row(archive)
    repository.close()
    look(archive)

    row = the_row(archive)
    assert (row.state, row.last_answered) == ("unreachable", first.looked)


def test_what_is_there_again_was_not_lost(
    archive: Path, captured: str, repository: ChangingRepository
) -> None:
    repository.publish(NEWER)
    look(archive)
    repository.publish(RECORD)
    look(archive)

    assert rows(archive)[0].state == "same"
    assert losses(archive) == (0, 0)


def test_another_capture_that_a_rebuild_leaves_is_not_said_to_be_archived_since(
    archive: Path, repository: ChangingRepository, captured: str
) -> None:
    first = list((archive / "collections/main/archive").iterdir())
    ingest(archive, captured)  # it is archived already
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, size=502), TIDES)))
    time.sleep(1 - time.time() % 1)  # what is known of a look is its second
    look(archive)
    before = the_row(archive)
    for path in first:
        path.unlink()

    assert rebuild(archive, lambda done, total: None, replaces=True).is_replaced

    after = the_row(archive)
    assert after.captured != before.captured
    assert (before.state, after.state) == ("changed", "changed")
    assert after.message == before.message
    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.watched.counts() == {"changed": 1}


def test_chosen_links_of_a_page_are_watched_as_such(archive: Path) -> None:
    links = {f"/{name}.csv": reply(name.encode(), Content_Type="text/csv") for name in "ab"}
    with WireServer() as server:
        urls = [server.serve(path, answer) for path, answer in links.items()]
        both = "".join(f'<a href="{path}">data</a> ' for path in links)
        page = server.serve("/page", html(both))
        (result,) = ingest(archive, page, options=IngestOptions(page_links=tuple(urls)))
        assert result.hit
        watch(archive, page)

        look(archive)
        first = the_row(archive)
        server.serve("/page", html('<a href="/a.csv">data</a>'))
        look(archive)

    with Archive.open_for_reading(archive) as opened:
        (held,) = opened.ledger.catalogue.rows([1])
        ((options, asked),) = asked_again(Holdings(opened), [held])
    assert first.state == "unverified"
    assert the_row(archive).state == "changed"
    assert [each.path for each in differences(archive, page) if each.what == "unlisted"] == [
        "b.csv"
    ]
    assert (options, [each.base_url for each in asked]) == (
        IngestOptions(page_links=tuple(urls)),
        [page],
    )
