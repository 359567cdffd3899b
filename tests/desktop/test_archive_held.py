# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Archive page on what earlier sessions archived: it is known, and so is what differs."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from carrel.errors import ArchiveError
from carrel.model import (
    Fate,
    Finding,
    FindingLevel,
    Fixity,
    IngestFilesetResult,
    PlatformItem,
    Status,
)
from carrel.model.result import NEEDS_TOKEN
from carrel.platforms.about import TokenUse
from carrel.platforms.review import opened
from carrel_desktop.main_window import MainWindow
from carrel_desktop.views.archive.detection import State, look_of
from carrel_desktop.views.archive.view import ArchiveView
from desktop.conftest import Stage
from support import fake_datasets as sets
from support.fake_engine import FakeEngine

WHEN = "2026-03-03T11:31:45+00:00"
DUNES = sets.dunes()
OTHER_BYTES = (replace(DUNES.manifest[0], declared=Fixity(9, {"md5": "f" * 32})),)


def kept(item: PlatformItem = DUNES, url: str = sets.DUNES) -> IngestFilesetResult:
    return sets.kept_result(url, item, "h1", WHEN)


def looked(
    stage: Stage, *before: IngestFilesetResult, text: str = sets.DUNES
) -> tuple[ArchiveView, FakeEngine, MainWindow]:
    """Look at datasets in an archive that holds some from before."""
    window, engine = stage.window(replace(sets.script(), kept=before))
    window.show_page(window.pages.archive)
    window.activateWindow()
    return look(stage, window, text), engine, window


def look(stage: Stage, window: MainWindow, text: str) -> ArchiveView:
    view = window.pages.archive
    view.ui.paste.setPlainText(text)
    stage.do(view.look)
    stage.wait(lambda: len(view.model) > 0 and not view.model.count(State.LOOKING))
    return view


def summary(view: ArchiveView) -> str:
    return str(view.model.data(view.model.index(0), Qt.ItemDataRole.AccessibleTextRole))


def button(view: ArchiveView) -> tuple[str, str]:
    """Return what the main button says, and how it stands out."""
    role = view.ui.detail.archive.property("role")
    return view.page_actions.archive.text().replace("&", ""), role


def test_what_is_held_as_it_is_published_is_told_and_the_button_steps_back(stage: Stage) -> None:
    view, _, _ = looked(stage, kept())

    row, card = view.current(), view.ui.detail.held
    assert row is not None
    assert row.state is State.HELD
    assert look_of(row) == ("holdings", "ok")
    assert "Archived 2026-03-03 · Zenodo" in summary(view)
    assert card.isVisible()
    assert card.word.text().startswith("Archived 2026-03-03")
    assert card.advice.text() == "Version 2.1, 12 of 12 files; the same files are published today."
    assert button(view) == ("Archive again", "quiet")
    assert view.ui.counts.text() == "1 archived before"


def test_what_lacks_a_file_and_cannot_be_compared_is_partly_archived(stage: Stage) -> None:
    first, second, *others = (replace(file, declared=Fixity()) for file in DUNES.manifest)
    item = replace(DUNES, manifest=(first, second, *others))
    before = kept(item)
    failed = replace(second, status=Status.ERROR_PLATFORM_DOWNLOAD, observed=None)
    files = tuple(failed if each.path == second.path else each for each in before.files)
    window, _ = stage.window(
        replace(
            sets.script(),
            kept=(replace(before, manifest=files),),
            items={**sets.script().items, sets.DUNES: item},
        )
    )
    window.show_page(window.pages.archive)

    view = look(stage, window, sets.DUNES)

    assert "Partly archived" in summary(view)
    assert "not comparable" not in summary(view)


@pytest.mark.parametrize(
    ("before", "short"),
    [
        (replace(DUNES, platform_version="2.0"), "Partly archived in v2.0"),
        (replace(DUNES, manifest=(*OTHER_BYTES, *DUNES.manifest[1:])), "Partly archived; changed"),
        (
            replace(DUNES, platform_id="7041000", platform_version=None),
            "Partly archived as another record",
        ),
    ],
)
def test_what_lacks_a_file_is_partly_archived_whatever_else_there_is_to_say_of_it(
    stage: Stage, before: PlatformItem, short: str
) -> None:
    result = kept(before)
    *most, last = result.files
    failed = replace(last, status=Status.ERROR_PLATFORM_DOWNLOAD, observed=None)

    view, _, _ = looked(stage, replace(result, manifest=(*most, failed)))

    assert short in summary(view)


def test_no_token_is_named_for_a_file_that_is_held(stage: Stage) -> None:
    first, *others = DUNES.manifest
    closed = replace(first, status=Status.PLATFORM_RESTRICTED)
    item = opened(replace(DUNES, manifest=(closed, *others)), TokenUse(), lambda url: False)
    assert NEEDS_TOKEN in [each.code for each in item.findings]
    script = sets.script()
    items = {**script.items, sets.DUNES: item}
    window, _ = stage.window(replace(script, kept=(kept(),), items=items))
    window.show_page(window.pages.archive)

    row = look(stage, window, sets.DUNES).current()

    assert row is not None
    assert row.result is not None
    assert NEEDS_TOKEN not in [each.code for each in row.result.findings]


def test_why_some_files_cannot_be_had_is_said_once_in_the_pane(stage: Stage) -> None:
    why = "Not downloadable: data/interviews_raw.zip: Available only to permitted users."
    left_out = Finding("files-left-out", why, FindingLevel.WARNING)
    survey = replace(sets.survey(), findings=(left_out,))
    script = sets.script()
    window, _ = stage.window(replace(script, items={**script.items, sets.SURVEY: survey}))
    window.show_page(window.pages.archive)

    view = look(stage, window, sets.SURVEY)

    said = [label.text() for label in view.ui.detail.findChildren(QLabel) if label.isVisible()]
    assert said.count(why) == 1


def test_what_is_not_held_looks_as_ever(stage: Stage) -> None:
    view, _, _ = looked(stage, kept(sets.survey(), sets.SURVEY))

    assert view.model.count(State.READY) == 1
    assert view.ui.detail.held.isHidden()
    assert button(view) == ("Archive", "primary")
    assert not view.page_actions.holding.isEnabled()


@pytest.mark.parametrize(
    ("before", "short", "sentence"),
    [
        (
            replace(DUNES, manifest=DUNES.manifest[:-2]),
            "Archived; changed since",
            "10 of 10 files; today 2 files are new.",
        ),
        (
            replace(DUNES, manifest=(*OTHER_BYTES, *DUNES.manifest[1:])),
            "Archived; changed since",
            "12 of 12 files; today 1 file differs.",
        ),
        (
            replace(DUNES, platform_version="2.0"),
            "Archived in v2.0",
            "12 of 12 files; today it is version 2.1, with the same files.",
        ),
        (
            replace(DUNES, platform_id="7041000", platform_version=None),
            "Archived as another record",
            "12 of 12 files; today the address leads to another record, with the same files.",
        ),
    ],
)
def test_where_something_is_new_or_changed_the_button_stays_and_it_is_told_what(
    stage: Stage, before: PlatformItem, short: str, sentence: str
) -> None:
    view, _, _ = looked(stage, kept(before))

    assert view.model.count(State.READY) == 1
    assert short in summary(view)
    assert view.ui.detail.held.advice.text().endswith(sentence)
    assert button(view) == ("Archive again", "primary")


def test_what_is_held_in_part_can_be_archived_whole(stage: Stage) -> None:
    part = sets.kept_result(sets.DUNES, DUNES, "h1", WHEN, Status.NETWORK_ERROR)

    view, _, _ = looked(stage, part)

    card = view.ui.detail.held
    assert "Partly archived" in summary(view)
    assert card.word.text().endswith("· Network failed")
    assert card.advice.text().endswith("; 1 file offered for download is not archived.")
    assert button(view) == ("Archive again", "primary")


def test_what_is_held_in_part_and_cannot_be_had_whole_is_not_told_as_archived(
    stage: Stage,
) -> None:
    survey = sets.survey()
    before = sets.kept_result(sets.SURVEY, survey, "h1", WHEN, Status.PLATFORM_RESTRICTED)

    view, _, _ = looked(stage, before, text=sets.SURVEY)

    row, card = view.current(), view.ui.detail.held
    assert row is not None
    assert look_of(row) == ("holdings", "warning")
    assert "Partly archived 2026-03-03 · Dataverse" in summary(view)
    assert card.word.text().startswith("Partly archived 2026-03-03")
    assert card.word.property("tone") == "warning"
    assert view.ui.counts.text() == "1 partly archived before"
    assert not view.page_actions.archive_all.isEnabled()
    assert button(view) == ("Archive again", "quiet")


def test_what_is_held_and_damaged_is_worth_archiving_again(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), kept=[kept()]))
    window.show_page(window.pages.archive)
    engine.holdings.fixities["h1"] = {"fate": Fate.DAMAGED, "failed": 1}

    view = look(stage, window, sets.DUNES)

    row, card = view.current(), view.ui.detail.held
    assert row is not None
    assert look_of(row) == ("warning", "warning")
    assert "Archived, but damaged" in summary(view)
    assert "1 record damaged" in card.advice.text()
    assert card.detail.text() == "Check the disk, then archive it again."
    assert button(view) == ("Archive again", "primary")


def test_what_was_removed_from_the_holdings_is_not_told_as_held(stage: Stage) -> None:
    window, engine = stage.window(replace(sets.script(), kept=[kept()]))
    dataset = engine.holdings.dataset_of(sets.DUNES) or 0
    engine.holdings._ledger.curation.remove([dataset], "2026-05-02T10:00:00Z")
    window.show_page(window.pages.archive)

    view = look(stage, window, sets.DUNES)

    row, card = view.current(), view.ui.detail.held
    assert row is not None
    assert look_of(row) == ("warning", "warning")
    assert "Archived, but removed from the holdings" in summary(view)
    assert ", removed from the holdings on " in card.word.text()
    assert "Restore it in Holdings" in card.detail.text()


def test_what_can_not_be_had_any_more_is_known_to_be_held(stage: Stage) -> None:
    view, _, _ = looked(stage, kept(url=sets.ABSENT), text=sets.ABSENT)

    assert view.model.count(State.REFUSED) == 1
    assert summary(view).count("Archived 2026-03-03 · Not found at repository") == 1
    assert view.ui.detail.held.advice.text() == "Version 2.1, 12 of 12 files."
    assert view.page_actions.holding.isEnabled()


def test_a_ledger_that_can_not_be_asked_spoils_no_preview(stage: Stage) -> None:
    trouble = ArchiveError("carrel.sqlite cannot be read.")
    window, _ = stage.window(replace(sets.script(), ledger_error=trouble))
    window.show_page(window.pages.archive)

    view = look(stage, window, sets.DUNES)

    card = view.ui.detail.held
    assert view.model.count(State.READY) == 1
    assert (card.word.text(), card.advice.text()) == (
        "Could not check whether it is already archived",
        "carrel.sqlite cannot be read.",
    )
    assert button(view) == ("Archive", "primary")


def test_all_are_archived_but_for_what_is_held_as_it_is(stage: Stage) -> None:
    view, engine, _ = looked(stage, kept(), text=f"{sets.DUNES}\n{sets.SURVEY}\n{sets.GENOMES}")

    stage.do(view.page_actions.archive_all.trigger)
    stage.wait(lambda: not view.model.count(State.READY) and not view.model.count(State.QUEUED))

    assert [job.request.base_url for job in engine.jobs()] == [sets.SURVEY, sets.GENOMES]
    assert view.model.count(State.HELD) == 1


def test_what_is_held_is_archived_again_by_its_button_and_not_in_passing(stage: Stage) -> None:
    view, engine, _ = looked(stage, kept())

    stage.do(lambda: QTest.keyClick(view.ui.list, Qt.Key.Key_Return))
    assert engine.jobs() == []
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: view.model.count(State.DONE) == 1)

    assert len(engine.jobs()) == 1
    assert view.ui.detail.held.isHidden()
    assert button(view) == ("Archive again", "quiet")


def test_the_holding_is_one_press_away_wherever_it_is(stage: Stage) -> None:
    older = kept(url="https://zenodo.org/records/7041152")
    view, _, window = looked(
        stage, older, replace(kept(sets.seabirds(), sets.SEABIRDS), ingest_id="h2")
    )
    page = window.pages.holdings
    stage.wait(lambda: page.model.rowCount() == 2)
    page.ui.search.setText("nothing has this name")
    stage.wait(lambda: not page.model.rowCount())

    stage.do(lambda: QTest.keyClick(way(window), Qt.Key.Key_Space))
    stage.wait(lambda: page.model.rowCount() == 2 and page.choice.record)

    assert window.page is window.pages.holdings
    assert page.choice.record
    assert page.choice.record.asked == "https://zenodo.org/records/7041152"
    assert view.page_actions.holding.isEnabled()


def test_what_was_archived_just_now_leads_to_its_holding_too(stage: Stage) -> None:
    view, _, window = looked(stage)
    stage.do(view.page_actions.archive.trigger)
    stage.wait(lambda: view.model.count(State.DONE) == 1)
    stage.wait(lambda: window.pages.holdings.model.rowCount() == 1)

    stage.do(way(window).click)
    stage.wait(lambda: window.pages.holdings.choice.record)

    assert window.pages.holdings.choice.record
    assert window.pages.holdings.choice.record.asked == sets.DUNES


def way(window: MainWindow) -> QPushButton:
    """Return the button that leads to the holding, which is there to be pressed."""
    button = window.pages.archive.ui.detail.findChild(QPushButton, "show_holding_button")
    assert isinstance(button, QPushButton)
    assert button.isVisible()
    return button
