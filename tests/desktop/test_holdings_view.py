# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page, on a fake engine."""

import json
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from carrel.model import Fate, IngestFilesetResult, IngestRequest, RecordCheck, Status
from carrel.model.events import IngestFinished
from carrel_desktop.main_window import HOLDINGS
from carrel_desktop.views.holdings.model import Column, Place
from carrel_desktop.views.holdings.view import EMPTY, FILLED, NONE_FOUND, HoldingsView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine, Script

BAD = RecordCheck("https://x/wind.csv", "C-1.warc.gz", 7, 100, Fate.DAMAGED, "SHA-256 differs")


def filled(stage: Stage, **changes: object) -> tuple[HoldingsView, FakeEngine]:
    script: Script = replace(sets.script(), kept=sets.holdings(), **changes)  # type: ignore[arg-type]
    window, engine = stage.window(script)
    window.show_page(HOLDINGS)
    view = window.holdings_view
    stage.wait(lambda: view._record)
    return view, engine


def test_an_empty_archive_says_what_to_do(stage: Stage) -> None:
    window, _ = stage.window(sets.script())

    assert window.holdings_view.stack.currentIndex() == EMPTY


def test_results_are_listed_newest_first_and_the_first_is_open(stage: Stage) -> None:
    view, _ = filled(stage)

    assert view.stack.currentIndex() == FILLED
    assert view.model.index(0, 0).data() == sets.dunes().title
    assert view.detail.title.title.text() == sets.dunes().title
    assert view.detail.files.files.rowCount() == 4


def test_verifying_again_reports_that_all_is_intact(stage: Stage) -> None:
    view, engine = filled(stage)

    stage.do(view.verify_action.trigger)
    stage.wait(lambda: "h5" in view._reports)

    assert "verify h5" in engine.calls
    assert view.detail.check.word.text() == "All 12 records intact"


def test_verifying_again_lists_what_is_damaged(stage: Stage) -> None:
    view, _ = filled(stage, damaged=(BAD,))

    stage.do(view.verify_action.trigger)
    stage.wait(lambda: "h5" in view._reports)

    assert view.detail.check.word.text() == "1 of 12 records not intact"
    assert not view.detail.damaged.isHidden()


def test_what_is_found_damaged_and_mended_shows_in_the_list(stage: Stage) -> None:
    view, engine = filled(stage, damaged=(BAD,))
    outcome = view.model.index(0, Column.OUTCOME)
    assert outcome.data() == "Kept"

    stage.do(view.verify_action.trigger)
    stage.wait(lambda: view.model.index(0, Column.OUTCOME).data() == "Damaged")
    assert view.detail.check.word.text() == "1 of 12 records not intact"

    engine.script = replace(engine.script, damaged=())
    stage.do(view.verify_action.trigger)
    stage.wait(lambda: view.model.index(0, Column.OUTCOME).data() == "Kept")
    assert view.detail.check.word.text() == "All 12 records intact"


def test_verifying_a_failed_one_keeps_its_reason_on_show(stage: Stage) -> None:
    view, _ = filled(stage)
    stage.do(lambda: view.table.selectRow(2))
    stage.wait(lambda: view._record and view._record.ingest_id == "h3")
    assert view.detail.check.isHidden()

    stage.do(view.verify_action.trigger)
    stage.wait(lambda: "h3" in view._reports)

    assert view.detail.card.word.text() == "MD5 differs"
    assert view.detail.check.word.text() == "All 4 records intact"


def test_a_result_that_kept_nothing_can_not_be_verified(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(lambda: view.table.selectRow(5))
    stage.wait(lambda: view._record and view._record.ingest_id == "h0")

    assert not view.verify_action.isEnabled()
    assert view.detail.card.word.text() == "Restricted"


def test_searching_narrows_and_escape_shows_all(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(lambda: view.search.setText("lighthouse"))
    assert view.model.rowCount() == 1
    assert view.count.text() == "1 of 6 datasets"
    stage.do(lambda: view.search.setText("nothing like it"))
    assert view.stack.currentIndex() == NONE_FOUND
    stage.do(lambda: QTest.keyClick(view.search, Qt.Key.Key_Escape))

    assert view.model.rowCount() == 6


def test_the_result_can_be_copied_as_json(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(view.copy_action.trigger)

    assert json.loads(QGuiApplication.clipboard().text())["platform_id"] == "7041152"


def test_the_choice_survives_a_refresh(stage: Stage) -> None:
    view, _ = filled(stage)
    stage.do(lambda: view.table.selectRow(2))
    stage.wait(lambda: view._record and view._record.ingest_id == "h3")

    stage.do(view.refresh)
    stage.run(settled())

    assert view.table.currentIndex().row() == 2


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

    engine._results.append(a_failed_retry())
    stage.do(lambda: view._on_events([IngestFinished("h6", a_failed_retry())]))
    stage.wait(lambda: view._record and view._record.last)

    row = view.model.at(view.model.index(0, 0))
    assert row
    assert (row.title, row.ingest_id, row.file_count) == (sets.dunes().title, "h5", 12)
    assert view.detail.title.title.text() == sets.dunes().title
    assert view.detail.files.files.rowCount() == 4
    assert "Network failed" in view.detail.later.word.text()
    assert "zenodo.org did not answer" in view.detail.later.advice.text()
    assert view.verify_action.isEnabled()


def test_without_a_later_attempt_none_is_shown(stage: Stage) -> None:
    view, _ = filled(stage)

    assert view.detail.later.isHidden()


def test_places_tell_what_is_held_from_what_is_not(stage: Stage) -> None:
    view, _ = filled(stage)

    stage.do(lambda: view.places.choose(Place.NOTHING_HELD))
    unheld = [view.model.index(row, 0).data() for row in range(view.model.rowCount())]
    stage.do(lambda: view.places.choose(Place.HELD))

    assert unheld == [sets.INTERVIEWS]
    assert view.model.rowCount() == 5
    assert [view.model.count(place) for place in Place] == [6, 5, 1]


async def settled() -> None:
    import asyncio

    await asyncio.sleep(0.2)


def test_damage_that_was_found_before_is_not_forgotten(stage: Stage) -> None:
    view, engine = filled(stage)
    engine.fixities["h3"] = {
        "fate": "damaged",
        "verified": None,
        "failed": 2,
        "found": "2026-03-01T10:00:00Z",
        "message": "The record's gzip member is broken.",
    }

    stage.do(lambda: view.table.selectRow(2))
    stage.wait(lambda: view._record and view._record.ingest_id == "h3")

    assert "2 records found damaged or missing on 2026-03-01" in view.detail.check.word.text()
    assert "gzip member is broken" in view.detail.check.advice.text()
    assert not view.detail.check.isHidden()
