# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page, on a fake engine."""

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from carrel.errors import ArchiveError
from carrel.model import (
    FailedRecord,
    Fate,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    RecordCheck,
    Status,
    VerificationReport,
)
from carrel.model.accession import Accession
from carrel.model.events import IngestFinished, ScheduleChanged
from carrel.model.holdings import Damage, History, Order
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel_desktop import quantities
from carrel_desktop.holding_rows.columns import ORDERS, beside
from carrel_desktop.views.holdings.choice import _no_result
from carrel_desktop.views.holdings.failures import told_of, what_was_found, what_was_read
from carrel_desktop.views.holdings.layout import (
    EMPTY,
    FILLED,
    NONE_FOUND,
    READING,
    UNOPENED,
)
from carrel_desktop.views.holdings.record import LastAttempt
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.widgets.file_tree import Column as FileColumn
from desktop.conftest import PATIENCE_S, Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine
from support.fake_holdings import FakeHoldings
from support.fake_script import Script

WIND = RecordCheck(
    "https://files.example.org/measurements/wind.csv",
    "C-1.warc.gz",
    48_211,
    12_804_311,
    Fate.DAMAGED,
    "The record is damaged.",
)
TITLE, SIZE, STATE, ARCHIVED = map(
    ORDERS.index, (Order.TITLE, Order.SIZE, Order.STATE, Order.ARCHIVED)
)
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
BAD = RecordCheck("https://x/wind.csv", "C-1.warc.gz", 7, 100, Fate.DAMAGED, "SHA-256 mismatch")


def filled(stage: Stage, **changes: object) -> tuple[HoldingsView, FakeEngine]:
    script: Script = replace(sets.script(), kept=sets.holdings(), **changes)  # type: ignore[arg-type]
    window, engine = stage.window(script)
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record)
    return view, engine


def test_an_empty_archive_says_what_to_do(stage: Stage) -> None:
    window, _ = stage.window(sets.script())
    ui = window.pages.holdings.ui

    stage.wait(lambda: ui.state != READING)

    assert ui.state == EMPTY


def test_what_was_not_read_yet_does_not_look_empty(stage: Stage) -> None:
    view = HoldingsView(stage.session(sets.script())[0], stage._theme)

    assert view.ui.state == READING
    view.deleteLater()


def test_results_are_listed_newest_first_and_the_first_is_open(stage: Stage) -> None:
    view, _ = filled(stage)

    assert view.ui.state == FILLED
    assert view.model.index(0, 0).data() == sets.dunes().title
    assert view.ui.detail.title.title.text() == sets.dunes().title
    assert view.ui.detail.files.files.rowCount() == 4


def test_what_nothing_tells_of_any_more_can_be_archived_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeHoldings, "result", lambda self, ingest_id: None)
    window, _ = stage.window(replace(sets.script(), kept=sets.holdings()))
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.chosen.address)

    assert view.choice.record is None
    assert view.page_actions.archive_again.isEnabled()
    assert _no_result(view.choice.chosen.address).endswith("archive the dataset again.")
    assert _no_result("").endswith("import it again.")


def test_verifying_again_reports_that_all_is_intact(stage: Stage) -> None:
    view, engine = filled(stage)

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)

    assert "verify h5" in engine.calls
    assert view.ui.detail.check.word.text().startswith("All 12 records intact on ")


def test_verifying_again_lists_what_is_damaged(stage: Stage) -> None:
    view, _ = filled(stage, damaged=(BAD,))

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)

    assert view.ui.detail.check.word.text() == "1 of 12 records not intact"
    assert not view.ui.detail.damaged.isHidden()


def test_what_is_found_damaged_and_mended_shows_in_the_list(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(BAD,))
    outcome = view.model.index(0, STATE)
    assert outcome.data() == "Complete"

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: view.model.index(0, STATE).data() == "Damaged")
    assert view.ui.detail.check.word.text() == "1 of 12 records not intact"

    engine.script = replace(engine.script, damaged=())
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: view.model.index(0, STATE).data() == "Complete")
    # The pane reads for itself, maybe after the list.
    stage.wait(lambda: view.ui.detail.check.word.text().startswith("All 12 records intact on "))


def test_verifying_a_failed_one_keeps_its_reason_on_show(stage: Stage) -> None:
    view, _ = filled(stage)
    stage.do(lambda: view.ui.table.selectRow(2))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h3")
    assert view.ui.detail.check.isHidden()

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h3" in view.verifications.reports)

    assert view.ui.detail.card.word.text() == "MD5 mismatch"
    assert view.ui.detail.check.word.text().startswith("All 4 records intact on ")


def test_what_kept_nothing_is_no_holding(stage: Stage) -> None:
    view, engine = filled(stage)
    tried = [result["request"]["base_url"] for result in engine.holdings.results()]

    stage.do(lambda: view.show_dataset(sets.INTERVIEWS))
    stage.wait(lambda: not view.session._tasks)

    assert sets.INTERVIEWS in tried
    assert view.model.rowCount() == 5
    assert view.choice.record
    assert view.choice.record.ingest_id == "h5"


def test_searching_narrows_and_escape_shows_all(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(lambda: view.ui.search.setText("lighthouse"))
    stage.wait(lambda: view.model.rowCount() == 1)
    assert view.ui.count.text() == "1 of 5 datasets"
    stage.do(lambda: view.ui.search.setText("nothing like it"))
    stage.wait(lambda: view.model.rowCount() == 0)
    assert view.ui.state == NONE_FOUND
    stage.do(lambda: QTest.keyClick(view.ui.search, Qt.Key.Key_Escape))

    stage.wait(lambda: view.model.rowCount() == 5)
    assert view.ui.count.text() == "5 datasets"


def test_the_file_whose_name_was_searched_for_is_chosen(stage: Stage) -> None:
    view, _ = filled(stage)
    assert view.choice.record
    name = view.choice.record.files[-1].path

    stage.do(lambda: view.ui.search.setText(name.upper()))
    stage.wait(lambda: view.choice.record and view.choice.record.matches)

    file = view.ui.detail.chosen_file()
    assert file
    assert file.path == name
    assert "1 file found by the search" in view.ui.detail.count.text()


def test_keys_that_follow_each_other_are_one_search(stage: Stage) -> None:
    view, _ = filled(stage)
    sought: list[str] = []
    view.model.modelReset.connect(lambda: sought.append(view.ui.search.text()))

    stage.do(lambda: QTest.keyClicks(view.ui.search, "lighthouse"))
    stage.wait(lambda: view.model.rowCount() == 1)

    assert sought == ["lighthouse"]


def test_the_newest_is_chosen_until_the_person_chooses(stage: Stage) -> None:
    view, engine = filled(stage)
    fresh = sets.kept_result(sets.GENOMES, sets.genomes(), "h9", "2026-04-01T08:01:00+00:00")

    engine.holdings.kept.append(fresh)
    stage.do(lambda: view._on_events([IngestFinished("h9", fresh)]))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h9")
    assert view.ui.table.currentIndex().row() == 0

    stage.do(lambda: view.ui.table.selectRow(1))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h5")
    other = replace(sets.genomes(), platform_id="21384907")
    later = sets.kept_result("https://x/", other, "h10", "2026-05-01T08:01:00+00:00")
    engine.holdings.kept.append(later)
    stage.do(lambda: view._on_events([IngestFinished("h10", later)]))
    arrived = view.page_actions.arrived
    stage.wait(arrived.isEnabled)
    assert arrived.text() == "1 new dataset – show"
    assert view.ui.count.text() == "6 of 7 datasets"
    assert (view.model.rowCount(), view.ui.table.currentIndex().row()) == (6, 1)

    stage.do(arrived.trigger)
    stage.wait(lambda: view.model.rowCount() == 7)
    assert not arrived.isEnabled()
    assert view.ui.table.currentIndex().row() == 2
    assert view.choice.record
    assert view.choice.record.ingest_id == "h5"


def test_what_came_while_another_page_was_open_is_listed(stage: Stage) -> None:
    view, engine = filled(stage)
    stage.do(lambda: view.ui.table.selectRow(1))
    fresh = sets.kept_result(sets.GENOMES, sets.genomes(), "h9", "2026-04-01T08:01:00+00:00")
    engine.holdings.kept.append(fresh)
    stage.do(lambda: view._on_events([IngestFinished("h9", fresh)]))
    stage.wait(view.page_actions.arrived.isEnabled)

    stage.do(view.hide)
    stage.do(view.show)

    stage.wait(lambda: view.model.rowCount() == 6)
    stage.wait(lambda: not view.page_actions.arrived.isEnabled())


def test_what_the_person_chose_is_chosen_again_after_a_search(stage: Stage) -> None:
    view, _ = filled(stage)
    stage.do(lambda: view.ui.table.selectRow(2))

    stage.do(lambda: view.ui.search.setText("lighthouse"))
    stage.wait(lambda: view.model.rowCount() == 1)
    stage.do(view.ui.search.clear)
    stage.wait(lambda: view.model.rowCount() == 5)

    assert view.ui.table.currentIndex().row() == 2


def test_a_file_that_is_gone_is_told_once(stage: Stage) -> None:
    path = "/a/collections/main/archive/C-1.warc.gz"
    gone = [
        RecordCheck(
            f"https://x/{number}",
            "C-1.warc.gz",
            number,
            9,
            Fate.MISSING,
            f"There is no {path}.",
            path,
        )
        for number in range(62)
    ]
    view, _ = filled(stage, damaged=gone)

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)

    assert told(view) == ["C-1.warc.gz is missing: 62 records"]
    assert "from a backup" in view.ui.detail.check.advice.text()


def test_of_many_damaged_records_it_is_said_where_all_are_listed(stage: Stage) -> None:
    bad = [replace(BAD, url=f"https://x/{number}") for number in range(62)]
    view, _ = filled(stage, damaged=bad)

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)

    assert len(told(view)) == 7
    assert "56 records more" in told(view)[-1]
    assert "carrel verify" in told(view)[-1]


def test_where_nothing_could_be_read_nothing_was_compared() -> None:
    gone = replace(BAD, fate=Fate.MISSING)
    report = VerificationReport(62, 0, (gone,))

    assert what_was_read(report) == "None of these records could be read."
    assert what_was_read(replace(report, failures=(gone, BAD))) == ""  # what is damaged was read
    assert what_was_read(replace(report, size_bytes=10)).startswith("Read 10 bytes")


def test_of_damage_that_an_earlier_version_has_alone_it_is_said_which() -> None:
    alone = replace(failed(Fate.DAMAGED, "Its digest differs."), is_earlier=True, version="1.0")

    (said,) = told_of([alone], 1)

    assert "It belongs to version 1.0 only; the version that is held has none of it." in said.why
    assert said.what == "Damaged: https://x/wind.csv"
    (named,) = told_of([replace(alone, earlier_file="wind.csv")], 1)
    assert named.what == "Damaged: wind.csv"
    assert what_was_found([alone], 1) == "1 record of another attempt found damaged"
    gone = [
        replace(failed(Fate.MISSING, "C-1.warc.gz is missing"), is_earlier=True, version=version)
        for version in ("1.0", "1.1", "1.1")
    ]
    assert [each.what for each in told_of(gone, 3)] == [
        "C-1.warc.gz is missing: 2 records",
        "C-1.warc.gz is missing: 1 record",
    ]


def titles_of(view: HoldingsView) -> list[str]:
    """Return the titles that are listed, in their order."""
    numbers = view.model.numbers
    return [row.title for row in view.session.engine.holdings.rows(numbers)]


def told(view: HoldingsView) -> list[str]:
    """Return what is said of single records and files, as far as it is shown."""
    rows = view.ui.detail.damaged.findChildren(QWidget, options=DIRECT)
    return [row.accessibleName() for row in rows if row.accessibleName() and not row.isHidden()]


def test_a_digest_can_be_copied_where_its_column_has_no_room(stage: Stage) -> None:
    view, _ = filled(stage)
    assert not view.page_actions.digest.isEnabled()
    files = view.ui.detail.files

    stage.do(lambda: files.setCurrentIndex(files.files.index(0, 0)))
    stage.do(view.page_actions.digest.trigger)

    file = files.files.file_at(files.currentIndex())
    assert file
    assert file.observed
    assert QGuiApplication.clipboard().text() == file.observed.digests["sha256"]


def test_holdings_are_sorted_from_a_menu(stage: Stage) -> None:
    view, _ = filled(stage)
    sorting = view.ui.sorting
    assert sorting.menu_action in view.ui.table.actions()
    assert sorting.action(ARCHIVED).isChecked()

    stage.do(sorting.action(TITLE).trigger)
    stage.wait(lambda: view.listing.is_settled)
    titles = titles_of(view)
    stage.do(sorting.turn_action.trigger)
    stage.wait(lambda: view.listing.is_settled)
    turned = titles_of(view)

    assert titles == sorted(titles, key=str.casefold)
    assert turned == titles[::-1]
    stage.do(lambda: view.ui.table.sortByColumn(SIZE, Qt.SortOrder.AscendingOrder))
    assert sorting.action(SIZE).isChecked()


def test_an_archive_that_can_not_be_opened_does_not_look_empty(
    stage: Stage, tmp_path: Path
) -> None:
    trouble = ArchiveError(f"{tmp_path} cannot be used: Permission denied.")
    window, engine = stage.window(replace(sets.script(), opening_error=trouble))
    view = window.pages.holdings
    asked: list[int] = []
    view.commands.wants_other_archive.connect(lambda: asked.append(1))

    reason = view.ui.unopened.sentence.text()
    stage.do(view.page_actions.other.trigger)

    assert view.ui.state == UNOPENED
    assert reason == f"{tmp_path} cannot be used: Permission denied."
    assert asked == [1]

    engine.script.opening_error = None
    stage.do(view.page_actions.again.trigger)
    stage.wait(lambda: view.ui.state == EMPTY)

    assert window.session.is_open
    assert window.notice.isHidden()


def test_opening_again_in_vain_says_why_again(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), opening_error=ArchiveError("Away.")))
    view = window.pages.holdings

    engine.script.opening_error = ArchiveError("Still away.")
    stage.do(view.page_actions.again.trigger)
    stage.wait(view.page_actions.again.isEnabled)

    assert "Still away." in view.ui.unopened.sentence.text()
    assert view.ui.state == UNOPENED


def test_the_result_can_be_copied_as_json(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(view.page_actions.copy.trigger)

    assert json.loads(QGuiApplication.clipboard().text())["platform_id"] == "7041152"


def test_the_choice_survives_a_refresh(stage: Stage) -> None:
    view, _ = filled(stage)
    stage.do(lambda: view.ui.table.selectRow(2))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h3")

    stage.do(view.refresh)
    stage.run(settled())

    assert view.ui.table.currentIndex().row() == 2


def a_failed_retry(number: int = 6) -> IngestFilesetResult:
    """Return an attempt at the dunes, which are held, that did not even reach the platform."""
    return IngestFilesetResult(
        IngestRequest(sets.DUNES),
        Status.NETWORK_ERROR,
        error_message="zenodo.org did not answer",
        ingest_id=f"h{number}",
        started="2026-03-04T08:00:00+00:00",
        finished="2026-03-04T08:00:09+00:00",
    )


def test_a_failed_retry_leaves_what_is_held_on_show(stage: Stage) -> None:
    view, engine = filled(stage)

    engine.holdings.kept.append(a_failed_retry())
    stage.do(lambda: view._on_events([IngestFinished("h6", a_failed_retry())]))
    stage.wait(lambda: view.choice.record and view.choice.record.last)

    row = view.model.at(view.model.index(0, 0))
    assert row
    assert (row.title, row.ingest_id, row.file_count) == (sets.dunes().title, "h5", 12)
    assert view.ui.detail.title.title.text() == sets.dunes().title
    assert view.ui.detail.files.files.rowCount() == 4
    assert "Network failed" in view.ui.detail.later.word.text()
    assert "zenodo.org did not answer" in view.ui.detail.later.advice.text()
    assert view.page_actions.verify.isEnabled()


def an_idle_retry() -> IngestFilesetResult:
    """Return a later attempt at what is held that found everything here already."""
    held = sets.holdings()[-1]
    there = tuple(replace(file, status=Status.SUCCESS_EXISTING) for file in held.files)
    return replace(
        held,
        status=Status.SUCCESS_EXISTING,
        manifest=there,
        ingest_id="h6",
        started="2026-03-04T08:00:00+00:00",
        finished="2026-03-04T08:00:09+00:00",
    )


def test_an_attempt_that_fetched_nothing_leaves_the_holding_as_it_was(stage: Stage) -> None:
    view, engine = filled(stage)
    before = view.ui.detail.card.word.text(), view.ui.detail.card.detail.text()
    when = view.model.index(0, ARCHIVED).data()

    engine.holdings.kept.append(an_idle_retry())
    stage.do(lambda: view._on_events([IngestFinished("h6", an_idle_retry())]))
    stage.wait(lambda: view.choice.record and view.choice.record.last)

    assert (view.ui.detail.card.word.text(), view.ui.detail.card.detail.text()) == before
    assert before[1].startswith("Archived 2026-03-03")
    assert view.model.index(0, ARCHIVED).data() == when
    assert view.model.index(0, STATE).data() == "Complete"
    row = view.model.at(view.model.index(0, 0))
    assert row
    assert beside(row) == ""
    assert view.ui.detail.later.word.text() == "Last attempt: Already archived"
    assert "nothing was downloaded" in view.ui.detail.later.advice.text()
    assert file_states(view) == {"Checksum matches"}


@pytest.mark.parametrize(
    ("brought", "said"),
    [
        (0, "That attempt archived no file: 2 of 3 files had been archived before."),
        (1, "That attempt archived 1 of 3 files."),
    ],
)
def test_a_failed_attempt_says_how_many_files_it_archived_itself(
    stage: Stage, brought: int, said: str
) -> None:
    detail = filled(stage)[0].ui.detail
    last = LastAttempt(Status.MISMATCH_MD5, "2026-03-04T08:00:00+00:00", "", 2, 3, brought)

    detail._show_later(last, "It failed.")

    assert detail.later.advice.text().splitlines()[0] == said


def test_a_last_attempt_that_was_imported_has_the_time_of_the_import(stage: Stage) -> None:
    detail, imported = filled(stage)[0].ui.detail, "2026-03-07T08:00:00Z"
    last = LastAttempt(Status.IMPORT_INCOMPLETE, "2026-03-04T08:00:00Z", "", 2, 3, 2, imported)

    detail._show_later(last, "It failed.")

    assert f"Imported {quantities.moment(imported)}." in detail.later.advice.text()


def file_states(view: HoldingsView) -> set[str]:
    """Return what is said of the files on the top of the tree."""
    model = view.ui.detail.files.files
    indexes = [model.index(row, FileColumn.STATE) for row in range(model.rowCount())]
    return {str(index.data()) for index in indexes if index.data()}


def came_in_parts(ingest_id: str) -> Accession:
    """Return that one file of a dataset came a year before the others."""
    files = {file.path: "2026-03-03T11:31:45Z" for file in sets.dunes().manifest}
    files["README.md"] = "2025-03-03T11:31:45Z"
    warcs = ("CARREL-1.warc.gz", "CARREL-2.warc.gz")
    return Accession("2025-03-03T11:31:45Z", "2026-03-03T11:31:45Z", files, warcs)


def test_files_that_came_later_keep_their_own_date(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeHoldings, "accession", lambda self, ingest_id: came_in_parts(ingest_id))
    view, _ = filled(stage)
    stage.wait(lambda: view.ui.detail.place.text())
    model = view.ui.detail.files.files

    readme = next(
        index
        for row in range(model.rowCount())
        if (file := model.file_at(index := model.index(row, FileColumn.ARCHIVED)))
        and file.path == "README.md"
    )

    assert str(readme.data()).startswith("2025-03-03")
    told = view.ui.detail.card.detail.text()
    assert told.startswith("Archived 2025-03-03")
    assert "11 files archived later, the last on 2026-03-03" in told
    assert view.ui.detail.place.text() == "Stored in CARREL-1.warc.gz and 1 other WARC file"
    assert view.ui.detail.place.toolTip() == "CARREL-1.warc.gz\nCARREL-2.warc.gz"


def test_what_another_address_brought_is_held_and_not_just_found(stage: Stage) -> None:
    window, _ = stage.window(replace(sets.script(), kept=[an_idle_retry()]))
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record)

    assert view.ui.detail.card.word.text() == "Archived"
    assert (
        view.ui.detail.card.advice.text() == "All files were archived, and their checksums match."
    )
    assert file_states(view) == {"Checksum matches"}


def test_how_much_of_an_incomplete_dataset_is_held_is_told_once(stage: Stage) -> None:
    view, _ = filled(stage)
    record = view.choice.record
    assert record
    (kept, *_), lacking = record.files, replace(record.files[0], status=Status.NETWORK_ERROR)
    record = replace(
        record,
        status=Status.NETWORK_ERROR,
        files=(kept, lacking),
        error_message="1 of 2 files is archived. Not archived: loads.txt: 5 of 9 bytes arrived.",
        tried=record.archived,
        last=None,
    )
    told = view.ui.detail._detail(record)
    assert told == f"{record.error_message}\nArchived {record.archived}."
    later = replace(record, tried="2099-01-01 00:00", error_message="It failed.")
    told = view.ui.detail._detail(later)
    assert told.startswith("It failed.\n1 of 2 files is archived. Archived ")
    assert told.endswith("Last tried 2099-01-01 00:00.")


def test_without_a_later_attempt_none_is_shown(stage: Stage) -> None:
    view, _ = filled(stage)

    assert view.ui.detail.later.isHidden()


async def settled() -> None:
    import asyncio

    await asyncio.sleep(0.2)


def test_damage_that_was_found_before_is_not_forgotten(stage: Stage) -> None:
    view, engine = filled(stage)
    engine.holdings.fixities["h3"] = {
        "fate": "damaged",
        "verified": None,
        "failed": 2,
        "found": "2026-03-01T10:00:00Z",
        "message": "The record is damaged.",
    }

    engine.holdings.failed["h3"] = [
        failed(Fate.DAMAGED, "The record is damaged.", "interviews/raw.csv"),
        replace(failed(Fate.MISSING, "There is no /a/C-2.warc.gz."), filename="C-2.warc.gz"),
    ]

    stage.do(lambda: view.ui.table.selectRow(2))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h3")

    assert "2 records found damaged or missing on 2026-03-01" in view.ui.detail.check.word.text()
    assert view.ui.detail.check.advice.text() == "Check the disk, then archive the dataset again."
    assert not view.ui.detail.check.isHidden()
    assert told(view) == [
        "C-2.warc.gz is missing: 1 record",
        "Damaged: interviews/raw.csv. C-1.warc.gz, byte 7. The record is damaged",
    ]


def test_what_the_last_verification_found_is_told_where_its_bytes_were_archived_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, engine = filled(stage)
    at = "2026-03-01T10:00:00Z"
    engine.holdings.fixities["h3"] = {"verified": at, "is_added_to": True}
    found = ("2026-03-01T10:00:02Z", Fate.MISSING, "There is no C-1.", "https://x/a", "a", "C-1", 7)
    damages = [
        Damage(*found, record_id="1", again_in="C-2", again_at="20260301110000"),
        Damage(*found, record_id="2", mended="2026-03-01T11:00:00Z"),
        Damage(*found, record_id="3", again_in="C-0", again_at="20260201110000"),
    ]
    monkeypatch.setattr(engine.holdings, "history", lambda dataset_id: History(damages=damages))

    stage.do(lambda: view.ui.table.selectRow(2))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h3")

    assert view.ui.detail.check.word.text().startswith("Last verified on 2026-03-01")
    assert view.ui.detail.check.advice.text() == (
        "It found 1 record damaged or missing, whose bytes were archived again since. Files that "
        "were added since were read back when they arrived."
    )


@pytest.mark.parametrize(
    ("fate", "filename", "word"),
    [(Fate.DAMAGED, "C-1.warc.gz", "damaged"), (Fate.MISSING, "C-2.warc.gz", "missing")],
)
def test_a_record_that_is_one_of_both_is_not_called_either(
    stage: Stage, fate: Fate, filename: str, word: str
) -> None:
    view, engine = filled(stage)
    engine.holdings.fixities["h3"] = {
        "fate": str(fate),
        "verified": None,
        "failed": 1,
        "found": "2026-03-01T10:00:00Z",
        "message": "",
    }
    engine.holdings.failed["h3"] = [replace(failed(fate, filename, "a.csv"), filename=filename)]
    stage.do(lambda: view.ui.table.selectRow(2))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h3")
    assert view.ui.detail.check.word.text().startswith(f"1 record found {word} on 2026-03-01")


def test_what_is_told_after_a_verification_is_told_in_later_sessions(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(WIND,))
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    then = told(view), state_of(view, "wind.csv")

    later, other = stage.window(engine.script)
    other.holdings.fixities = engine.holdings.fixities
    other.holdings.failed = engine.holdings.failed
    later.show_page(later.pages.holdings)
    stage.do(later.pages.holdings.refresh)
    stage.wait(
        lambda: later.pages.holdings.choice.record and later.pages.holdings.choice.record.failed
    )

    assert then[0][0].startswith("Damaged: measurements/wind.csv. C-1.warc.gz, byte 48,211. ")
    assert (told(later.pages.holdings), state_of(later.pages.holdings, "wind.csv")) == then


def test_what_a_scheduled_run_found_damaged_says_so_although_it_was_intact_before(
    stage: Stage,
) -> None:
    view, engine = filled(stage)
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    assert state_of(view, "wind.csv")[0] == "Checksum matches"
    engine.script = replace(engine.script, damaged=(WIND,))
    stage.run(engine.verify("h5"))
    run = ScheduledRun(Task.VERIFY, "2026-04-01T08:00:00Z", None, Ending.FOUND)

    stage.do(lambda: view._on_events([ScheduleChanged("", run)]))
    stage.wait(lambda: state_of(view, "wind.csv")[0] == "Damaged")

    assert view.ui.detail.check.word.text() != "Everything is intact"


def test_a_damaged_file_says_so_until_it_is_mended(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(WIND,))
    assert state_of(view, "wind.csv")[0] == "Checksum matches"

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    bad, other = state_of(view, "wind.csv"), state_of(view, "sand_flux.csv")

    engine.script = replace(engine.script, damaged=())
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: state_of(view, "wind.csv")[0] == "Checksum matches")

    assert bad[0] == "Damaged"
    assert "Damaged. Its bytes in the archive are damaged" in bad[1]
    assert other[0] == "Checksum matches"


def test_what_is_damaged_can_be_archived_again(stage: Stage) -> None:
    script: Script = replace(sets.script(), kept=sets.holdings(), damaged=(WIND,))
    window, engine = stage.window(script)
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record)
    assert not view.ui.detail.again.isVisible()
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    assert view.ui.detail.again.isVisible()
    assert view.ui.detail.again.accessibleName() == "Archive again"

    stage.do(view.ui.detail.again.click)
    stage.wait(lambda: view.ui.queued.isVisible())

    assert [job.request.base_url for job in engine.jobs()] == [sets.DUNES]
    assert window.page is view


def test_what_was_archived_again_is_intact_where_it_is_now(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(WIND,))
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)

    again = sets.kept_result(sets.DUNES, sets.dunes(), "h6", "2026-03-05T08:00:00+00:00")
    engine.holdings.kept.append(again)
    stage.do(lambda: view._on_events([IngestFinished("h6", again)]))
    stage.wait(lambda: view.choice.record and view.choice.record.ingest_id == "h6")
    stage.wait(lambda: view.model.index(0, STATE).data() == "Complete")

    assert (view.ui.detail.check.isHidden(), told(view)) == (True, [])
    assert state_of(view, "wind.csv")[0] == "Checksum matches"


def test_what_was_read_before_a_verification_ended_is_not_shown_after_it(stage: Stage) -> None:
    view, engine = filled(stage)
    stage.wait(lambda: not view.session._tasks)
    has_begun, may_end = threading.Event(), threading.Event()
    answer = engine.holdings.fixity

    def late(ingest_id: str) -> dict[str, Any]:
        known = answer(ingest_id)
        engine.holdings.fixity = answer  # type: ignore[method-assign]
        has_begun.set()
        may_end.wait(PATIENCE_S)
        return known

    engine.holdings.fixity = late  # type: ignore[method-assign]
    assert view.choice.record
    shown = [view.choice.record.dataset_id]
    opening: list[asyncio.Task[None]] = []
    reading = view.choice._read(shown, lambda: True)
    stage.do(lambda: opening.append(asyncio.ensure_future(reading)))
    stage.wait(has_begun.is_set)
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    may_end.set()
    stage.wait(opening[0].done)

    assert view.choice.record
    assert view.choice.record.fixity == engine.holdings.fixities["h5"]


def test_damage_found_with_another_dataset_goes_before_an_older_report(stage: Stage) -> None:
    view, engine = filled(stage)
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    engine.script = replace(engine.script, damaged=(WIND,))
    stage.run(engine.verify("h5"))

    stage.do(view.refresh)
    stage.wait(lambda: view.choice.record and view.choice.record.failed)

    assert "1 record found damaged on" in view.ui.detail.check.word.text()
    assert "measurements/wind.csv" in told(view)[0]


def test_a_damaged_record_whose_bytes_are_in_another_is_no_lost_file(stage: Stage) -> None:
    view, engine = filled(stage)
    twin = replace(failed(Fate.DAMAGED, "Its digest differs.", "wind.csv"), has_twin=True)
    engine.holdings.failed["h5"] = [twin]
    engine.holdings.fixities["h5"] = {"failed": 1, "found": "2026-03-04T10:00:00Z"}

    stage.do(view.refresh)
    stage.wait(lambda: view.choice.record and view.choice.record.failed)

    check = view.ui.detail.check
    assert check.advice.text() == (
        "No bytes are lost: they are intact in other records of this archive, which "
        "previews use, and exports in every form but WACZ. Archiving the dataset again downloads "
        "them anew, while they are published."
    )
    assert check.word.property("tone") == "warning"
    assert view.ui.detail.again.isHidden()
    assert told(view)[0].startswith("Damaged: a record of wind.csv. C-1.warc.gz, byte 7.")


def failed(fate: Fate, message: str, *files: str) -> FailedRecord:
    return FailedRecord("https://x/wind.csv", "C-1.warc.gz", 7, fate, message, "<urn:a>", files)


def state_of(view: HoldingsView, name: str) -> tuple[str, str]:
    """Return what the row of a file says of its state, and what is heard of it."""
    files = view.ui.detail.files.files
    (row,) = files.match(
        files.index(0, 0),
        Qt.ItemDataRole.DisplayRole,
        name,
        1,
        Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchExactly,
    )
    state = row.siblingAtColumn(FileColumn.STATE).data()
    return str(state), str(row.data(Qt.ItemDataRole.AccessibleDescriptionRole))


def test_a_digest_leads_to_what_holds_the_file(stage: Stage) -> None:
    view, _ = filled(stage)
    file = sets.kept_result(sets.CENSUS, sets.census(), "h2", "2026-03-01T10:02:54+00:00").files[3]
    assert file.observed
    sha256 = file.observed.digests["sha256"]

    stage.do(lambda: view.ui.search.setText(f"sha256:{sha256.upper()}"))
    stage.wait(lambda: view.model.rowCount() == 1)

    assert view.model.index(0, 0).data() == sets.census().title
    assert "digest" in view.ui.search.placeholderText()


def test_a_digest_that_nobody_holds_is_said_to_be_one(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(lambda: view.ui.search.setText("0" * 64))
    stage.wait(lambda: view.ui.state == NONE_FOUND)
    assert view.ui.none.sentence.text() == "No archived file has this digest."
    stage.do(lambda: view.ui.search.setText("nothing like it"))
    stage.wait(lambda: view.ui.none.sentence.text() == "Try fewer words.")
    stage.do(lambda: view.ui.search.setText("nothing"))
    stage.wait(lambda: view.ui.none.sentence.text() == "Try another word.")

    assert view.ui.state == NONE_FOUND


def test_what_comes_in_while_a_digest_is_sought_is_found(stage: Stage) -> None:
    view, engine = filled(stage)
    new = sets.kept_result(sets.GENOMES, sets.genomes(), "h9", "2026-03-05T08:00:00+00:00")
    file = new.files[0]
    assert file.observed
    digest = file.observed.digests["sha256"]
    stage.do(lambda: view.ui.search.setText(digest))
    stage.wait(lambda: view.ui.state == NONE_FOUND)

    engine.holdings.kept.append(new)
    stage.do(lambda: view._on_events([IngestFinished("h9", new)]))
    stage.wait(lambda: view.model.rowCount() == 1)

    stage.wait(lambda: view.model.index(0, 0).data() == sets.genomes().title)


def test_what_is_damaged_was_kept_and_is_not_said_to_be_well(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(WIND,))
    card = view.ui.detail.card
    assert (card.word.text(), card.word.property("tone")) == ("Archived", "ok")

    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: view.choice.record and view.choice.record.failed)
    stage.wait(lambda: "h5" in view.verifications.reports)
    assert card.word.text().startswith("Archived on 2026-03-03")
    assert card.word.property("tone") == "secondary"
    assert view.ui.detail._cards.indexOf(card) > view.ui.detail._cards.indexOf(view.ui.detail.check)

    engine.script = replace(engine.script, damaged=())
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: card.word.text() == "Archived")

    assert card.word.property("tone") == "ok"


def test_of_what_was_never_compared_nothing_is_said_to_have_been_verified(stage: Stage) -> None:
    view, _ = filled(stage, damaged=(WIND,))
    stage.do(view.page_actions.verify.trigger)
    stage.wait(lambda: "h5" in view.verifications.reports)
    record = view.choice.record
    assert record

    bare = tuple(replace(file, declared=Fixity()) for file in record.files)
    view.ui.detail.show_fixity(replace(record, files=bare, advice="It is unproven."), None)

    assert view.ui.detail.card.word.text().startswith("Archived on ")
    assert view.ui.detail.card.advice.text() == "Message then: It is unproven."


def test_the_keyboard_stays_on_the_page_while_a_verification_runs(stage: Stage) -> None:
    view, _ = filled(stage)
    button = view.findChild(QPushButton, "verify_button")
    assert button
    stage.do(button.setFocus)

    stage.do(button.click)

    assert QApplication.focusWidget() is view.ui.table
    stage.wait(lambda: "h5" in view.verifications.reports)


def test_a_dataset_is_shown_that_is_still_being_read(stage: Stage) -> None:
    session, _ = stage.session(replace(sets.script(), kept=sets.holdings()))
    view = HoldingsView(session, stage._theme)
    assert view.ui.state == READING

    stage.do(lambda: view.show_dataset(sets.CENSUS))
    stage.do(view.refresh)
    stage.wait(lambda: view.choice.record)

    assert view.choice.record
    assert view.choice.record.asked == sets.CENSUS
    assert view.ui.table.currentIndex().row() == view.model.place_of(view.choice.record.dataset_id)
    view.deleteLater()
