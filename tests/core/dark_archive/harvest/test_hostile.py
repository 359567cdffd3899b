# SPDX-License-Identifier: AGPL-3.0-or-later
"""Data that would do harm: nothing that was kept is lost, and nothing else is held up by them."""

import pytest

from carrel.dark_archive.place import dark_folder
from carrel.errors import ArchiveError
from carrel.model.dark import ObiKind, Opened, RunSource
from carrel.model.remarks import RunRemarks
from support.dark_archives import CaptureStore, World, handle, papers, template

ARCHIVE = "Template-Type: ReDIF-Archive 1.0\nHandle: RePEc:aaa\nName: A\n"


def test_what_the_ledger_can_not_take_is_not_journalled(world: World) -> None:
    world.gather_files(a=papers("On Tides"))
    unfit = Opened(1, "opened", ObiKind.TOBI, handle(1), 1, "0" * 64, "caf\udce9", "present")

    with world.keeping() as keeping:
        before = keeping.journal.head
        with pytest.raises(ArchiveError, match="cannot be written"):
            keeping.commit([unfit])
        after = keeping.journal.head

    assert after == before
    assert world.gather_files(a=papers("On Tides", "On Salt")).counts["appeared"] == 1


def test_addresses_without_end_hold_nobody_up(world: World) -> None:
    fat = "".join(
        template(handle(number, "fatter"), "Fat", f"File-URL: http://x.org/{'a' * 33_000}")
        for number in range(300)
    )
    world.write(a=papers("On Tides"), b=fat)

    report = world.gather()

    assert report.scope_ok
    assert report.counts["appeared"] == 301
    assert "are not requested" in report.problems[0]


def test_what_a_run_remarked_is_kept(world: World) -> None:
    world.write(a=papers("On Tides"), b="<html>")

    report = world.gather()

    with world.keeping() as keeping:
        kept = keeping.ledger.questions.remarks(report.tist)
    assert report.remarks
    assert kept == RunRemarks(report.remarks, report.unlisted)


def test_the_central_folder_does_not_vouch_for_an_archive(world: World) -> None:
    world.gather_tree({"aaa/wpaper/a.rdf": papers("On Tides"), "all/aaaarch.rdf": ARCHIVE})

    report = world.gather_tree({"all/aaaarch.rdf": ARCHIVE})

    assert report.counts["suspect"] == 1
    assert "lost" not in report.counts
    assert world.states()[handle(1)] == "suspect"


def test_a_template_can_not_claim_what_a_list_is_called(world: World) -> None:
    world.gather_files(a=template("list:mine") + template("dataset:https://x.org/"))

    idents = [ident for (ident,) in world.rows("SELECT ident_n FROM obi ORDER BY ident_n")]
    assert [ident.partition(":")[0] for ident in idents] == ["x-nohandle", "x-nohandle"]


def test_an_unlisted_dataset_says_nothing_of_the_others(world: World) -> None:
    files = {"one.rdf": template("dataset:https://one.example/").encode()}
    world.gather(CaptureStore(files, source=RunSource.WATCH), scope="watch")
    world.gather(CaptureStore({}, unread=["two.rdf"], source=RunSource.WATCH), scope="watch")

    world.gather(
        CaptureStore({}, unread=["two.rdf"], source=RunSource.WATCH), scope="watch", days=9
    )

    assert set(world.states().values()) == {"lost"}


def test_a_store_that_is_not_there_is_not_begun_anew(world: World) -> None:
    world.gather_files(a=papers("On Tides"))
    dark_folder(world.archive).rename(world.folder / "elsewhere")

    with pytest.raises(ArchiveError, match="Is its disk connected"):
        world.gather()

    assert not world.store.exists()
