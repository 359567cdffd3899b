# SPDX-License-Identifier: AGPL-3.0-or-later
"""Exporting holdings from the window: a real archive, a real folder, and what is said of it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from carrel.archive import Archive
from carrel.engine.merging import merge
from carrel.errors import ArchiveError
from carrel.exports.holding import holding_of
from carrel.model.evidence import Signing
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport, NotExported
from carrel.model.holdings import HoldingRow
from carrel_desktop import quantities
from carrel_desktop.main_window import MainWindow
from carrel_desktop.session import Session
from carrel_desktop.views.holdings.export_dialog import ExportDialog
from carrel_desktop.views.holdings.view import HoldingsView
from carrel_desktop.words import WACZ_COPIES_RECORDS
from desktop.conftest import Stage
from support.archives import new_archive
from support.certified import archive_with, kept, lost, verified
from support.held import hold, spoil_payload
from support.lived_in import parts_of_one
from support.wire import WireServer

FILES = {"README.txt": b"The tide came late.\n", "data/heights.csv": b"1,2\n" * 4000}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = new_archive(tmp_path / "archive")
    with WireServer() as server, Archive.create_or_open(path) as opened:
        hold(opened, server, FILES)
    return path


def shown(stage: Stage, archive: Path) -> HoldingsView:
    """Return the Holdings page on an archive, with its newest holding on show."""
    session = Session(archive)
    window = MainWindow.furnished(session, stage._theme)
    stage.keep(session, window)
    window.show()
    stage.run(session.open())
    window.show_page(window.pages.holdings)
    view = window.pages.holdings
    stage.wait(lambda: view.choice.record)
    return view


def dialog_of(stage: Stage, page: HoldingsView) -> ExportDialog:
    """Return the dialog that asks how and where to."""
    page.page_actions.export.trigger()
    stage.wait(lambda: page.window().findChild(ExportDialog))
    dialog = page.window().findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    return dialog


def rows_of(stage: Stage, page: HoldingsView) -> Sequence[HoldingRow]:
    (dataset,) = page.choice.chosen.datasets
    return page.session.engine.holdings.rows([dataset])


def export(stage: Stage, page: HoldingsView, folder: Path, form: ExportForm) -> str:
    """Export what is chosen; return the heading of what is said then."""
    ids = [row.ingest_id for row in rows_of(stage, page)]
    page.commands.exporting.export(ids, folder, ExportOptions(form))
    stage.wait(lambda: not page.commands.exporting.is_running)
    return page.ui.exporting.card.word.text()


@pytest.mark.parametrize("form", list(ExportForm))
def test_what_is_chosen_in_the_dialog_is_exported(
    stage: Stage, archive: Path, tmp_path: Path, form: ExportForm
) -> None:
    page = shown(stage, archive)
    dialog = dialog_of(stage, page)

    dialog.button(form).setChecked(True)
    dialog.folder.setText(str(tmp_path / "out"))
    stage.do(dialog.accept)
    stage.wait(lambda: page.ui.exporting.isVisible() and not page.commands.exporting.is_running)

    assert page.ui.exporting.card.word.text() == "Exported and verified"
    assert str(tmp_path / "out") in page.ui.exporting.card.advice.text()
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_how_many_files_of_how_many_were_exported_is_said(stage: Stage, tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv"), lost("b.csv")])
    report = ExportReport(
        tmp_path,
        [
            Exported(
                *("1", "Tides", tmp_path / "t.wacz", 1, 2048, [NotExported("b.csv", "lost")]),
                file_count=2,
            )
        ],
        ExportForm.WACZ,
    )
    card = shown(stage, path).ui.exporting

    card.show_report(report)

    assert f"1 of 2 files as WACZ (2.0 KiB) in {tmp_path}." in card.card.advice.text()


def test_no_export_begins_without_a_folder(stage: Stage, archive: Path, tmp_path: Path) -> None:
    dialog = dialog_of(stage, shown(stage, archive))

    assert not dialog.go.isEnabled()
    assert dialog.hint.text() == "Choose the folder to export to."
    dialog.folder.setText("relative")
    assert not dialog.go.isEnabled()
    assert "Enter the whole path" in dialog.hint.text()
    assert dialog.hint.isVisible()
    dialog.folder.setText(str(tmp_path))
    assert dialog.go.isEnabled()
    assert not dialog.hint.isVisible()
    stage.do(dialog.reject)


def test_the_pane_says_how_many_of_the_published_files_there_are_to_export(
    stage: Stage, tmp_path: Path
) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv"), lost("b.csv")])

    page = shown(stage, path)

    size = quantities.size(kept("a.csv").size or 0)
    assert page.ui.detail.count.text() == f"1 of 2 files archived · {size}"


def test_the_dialog_says_first_what_will_lack(stage: Stage, tmp_path: Path) -> None:
    path = archive_with(tmp_path / "archive", [kept("a.csv"), lost("b.csv"), lost("c.csv")])

    dialog = dialog_of(stage, shown(stage, path))

    assert dialog.lacking.text() == "2 files are not archived, and will not be exported."
    assert not dialog.damaged.isVisible()
    stage.do(dialog.reject)


def test_what_another_ingest_archived_is_not_called_not_archived(
    stage: Stage, tmp_path: Path
) -> None:
    with WireServer() as server:
        one, two, _ = parts_of_one(server, tmp_path)
    with Archive.create_or_open(tmp_path / "all") as archive:
        merge(archive, [one, two], lambda done, total: None)

    dialog = dialog_of(stage, shown(stage, tmp_path / "all"))

    assert dialog.lacking.text() == (
        "1 file was archived by another ingest of the same version, and will not be exported: "
        "archive the dataset again to have them in one ingest, as far as they are still published."
    )
    stage.do(dialog.reject)


def test_damage_that_is_known_can_be_left_out_but_not_of_a_wacz(
    stage: Stage, tmp_path: Path
) -> None:
    from carrel.model import Fate

    path = archive_with(tmp_path / "archive", [kept("a.csv"), kept("b.csv")])
    verified(path, [(0, Fate.DAMAGED, "broken")])
    dialog = dialog_of(stage, shown(stage, path))

    assert "where the archive has the same bytes intact elsewhere" in dialog.lacking.text()
    assert dialog.damaged.isEnabled()
    dialog.button(ExportForm.WACZ).setChecked(True)
    assert dialog.lacking.text() == f"1 dataset has damaged records. {WACZ_COPIES_RECORDS}"
    assert not dialog.damaged.isEnabled()
    dialog.button(ExportForm.BAGIT).setChecked(True)
    assert WACZ_COPIES_RECORDS not in dialog.lacking.text()
    stage.do(dialog.reject)


def test_what_cannot_be_exported_is_named(stage: Stage, archive: Path, tmp_path: Path) -> None:
    with Archive.open_for_reading(archive) as opened:
        spoil_payload(opened, "1", 1)
    page = shown(stage, archive)

    heading = export(stage, page, tmp_path / "out", ExportForm.BAGIT)

    assert heading == "Nothing was exported"
    assert "data/heights.csv" in page.ui.exporting.card.advice.text()
    assert page.ui.exporting.folder.isHidden()


def test_a_folder_that_cannot_be_written_is_named(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")

    page = shown(stage, archive)
    heading = export(stage, page, tmp_path / "file" / "out", ExportForm.FILES)

    assert heading == "Nothing was exported"
    assert str(tmp_path / "file") in page.ui.exporting.card.advice.text()


def test_the_folder_is_shown_on_request(
    stage: Stage, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toLocalFile()))
    page = shown(stage, archive)
    export(stage, page, tmp_path / "out", ExportForm.FILES)

    page.ui.exporting.folder.click()
    page.ui.exporting.close_card.click()

    assert asked == [QUrl.fromLocalFile(str(tmp_path / "out")).toLocalFile()]
    assert page.ui.exporting.isHidden()


def test_an_export_can_be_stopped(stage: Stage, archive: Path, tmp_path: Path) -> None:
    page = shown(stage, archive)
    ids = [row.ingest_id for row in rows_of(stage, page)]
    page.commands.exporting.export(ids, tmp_path / "out", ExportOptions(ExportForm.FILES))
    assert not page.page_actions.export.isEnabled()

    page.commands.exporting.stop()
    stage.wait(lambda: page.ui.exporting.card.word.text() == "Export stopped")

    assert not page.commands.exporting.is_running
    assert page.page_actions.export.isEnabled()


def test_an_export_that_was_stopped_says_how_many_are_complete_and_what_was_begun(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    page = shown(stage, archive)
    ids = [row.ingest_id for row in rows_of(stage, page)]
    begun = tmp_path / "out" / ".Tides.part"
    begun.mkdir(parents=True)
    page.commands.exporting.export(ids, tmp_path / "out", ExportOptions(ExportForm.FILES))

    page.commands.exporting.stop()
    words = page.ui.exporting.card.advice
    stage.wait(lambda: begun.name in words.text())

    assert words.text().startswith("Complete: 0 of 1 dataset.")
    assert f"waits for that in {tmp_path / 'out'}, hidden: " in words.text()


def test_an_export_is_signed_where_that_is_set_up_and_only_then(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    page = shown(stage, archive)
    assert not dialog_of(stage, page).sign.isVisibleTo(page.window())
    signing = Signing("keyring", authority="https://time.example/")

    dialog = ExportDialog(page.window(), rows_of(stage, page), tmp_path / "out", signing)
    chosen: list[Signing] = []
    dialog.chosen.connect(lambda options, folder: chosen.append(options.signing))
    stage.do(dialog.accept)
    dialog.button(ExportForm.WACZ).setChecked(True)
    stage.do(dialog.accept)
    dialog.sign.setChecked(False)
    stage.do(dialog.accept)

    assert chosen == [signing, Signing("keyring"), Signing()]


def test_a_long_message_is_told_in_few_lines_by_cause_and_close_stays_on_screen(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    page = shown(stage, archive)
    card = page.ui.exporting
    lost_files = [
        NotExported(f"{n}.csv", "“carrel repair” brings it back.", is_damaged=True)
        for n in range(30)
    ]
    damaged = [
        Exported(
            str(n),
            f"Set {n}",
            refusal="“carrel ingest” fetches it.",
            lacking=lost_files,
            file_count=40,
            is_damaged=True,
        )
        for n in range(40)
    ]
    taken = [
        Exported(f"t{n}", f"Taken {n}", refusal="It is taken.", file_count=2) for n in range(9)
    ]
    written = Exported("w", "Tides", tmp_path / "t", 2, 9, file_count=2)

    stage.do(lambda: card.show_report(ExportReport(tmp_path, [written, *damaged, *taken])))

    assert card.card.word.text() == "1 of 50 datasets exported"
    assert "2 of 1,620 files" in card.card.advice.text()
    lines = card.card.detail.text().splitlines()
    assert len(lines) == 3
    assert "Set 0 (30 files); Set 1 (30 files); Set 2 (30 files); and 37 datasets more" in lines[0]
    assert "“Repair from it…”" in lines[0]
    assert "“Archive again”" in lines[0]
    assert "carrel " not in card.card.detail.text()
    assert lines[1].startswith("Left out with them: 400 files not found damaged.")
    assert lines[2] == "Taken 0; Taken 1; Taken 2; and 6 datasets more: It is taken."
    stage.do(lambda: card.card.detail.setText("\n".join(["It is so."] * 200)))
    window = page.window()
    stage.wait(
        lambda: (
            card.close_card.mapTo(window, card.close_card.rect().bottomLeft()).y() < window.height()
        )
    )
    assert card.card.height() < window.height() // 2


def test_damage_that_an_export_came_upon_is_shown_in_the_rows(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(archive) as opened:
        spoil_payload(opened, "1", 1)
    page = shown(stage, archive)
    assert not rows_of(stage, page)[0].failed

    export(stage, page, tmp_path / "out", ExportForm.WACZ)

    stage.wait(lambda: rows_of(stage, page)[0].failed)
    stage.wait(lambda: page.choice.record and page.choice.record.failed)


def spoilt(archive: Path) -> tuple[Path, bytes]:
    """Damage one of two files; return the WARC, and how it was."""
    warc = next((archive / "collections/main/archive").glob("*.warc.gz"))
    sound = warc.read_bytes()
    with Archive.open_for_reading(archive) as opened:
        spoil_payload(opened, "1", 1)
    return warc, sound


def test_what_is_said_of_damage_goes_once_it_is_otherwise(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    warc, sound = spoilt(archive)
    page = shown(stage, archive)
    export(stage, page, tmp_path / "out", ExportForm.BAGIT)
    assert "damaged or missing in this archive" in page.ui.exporting.card.advice.text()
    warc.write_bytes(sound)

    stage.do(page.page_actions.verify.trigger)

    advice = page.ui.exporting.card.advice
    stage.wait(lambda: "damaged or missing" not in advice.text())
    assert "Export again what is intact now." in advice.text()
    assert page.ui.exporting.rest.isHidden()


def test_what_is_said_of_a_damaged_record_that_is_no_capture_goes_too(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    with Archive.open_for_reading(archive) as opened:
        capture = opened.ledger.captures.by_position("1")[1]
        warc = opened.warcs / capture.filename
    sound = warc.read_bytes()
    warc.write_bytes(sound + b"no record of a WARC")
    page = shown(stage, archive)
    export(stage, page, tmp_path / "out", ExportForm.WACZ)
    advice = page.ui.exporting.card.advice
    assert "damaged or missing in this archive" in advice.text()
    warc.write_bytes(sound)

    stage.do(page.page_actions.verify.trigger)

    stage.wait(lambda: "damaged or missing" not in advice.text())


def test_intact_files_that_were_left_out_are_told_and_exported_on_request(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    spoilt(archive)
    page = shown(stage, archive)
    card = page.ui.exporting
    export(stage, page, tmp_path / "out", ExportForm.BAGIT)
    assert "Left out with them: 1 file not found damaged." in card.card.advice.text()
    assert card.folder.isHidden()

    stage.do(card.rest.click)
    stage.wait(lambda: not page.commands.exporting.is_running)

    assert card.card.word.text() == "1 dataset exported, incomplete"
    assert card.rest.isHidden()
    (bag,) = (tmp_path / "out").glob("*/data")
    assert [path.name for path in bag.rglob("*.*")] == ["README.txt"]


def test_a_wacz_is_not_offered_without_its_damaged_files(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    spoilt(archive)
    page = shown(stage, archive)

    export(stage, page, tmp_path / "out", ExportForm.WACZ)

    assert page.ui.exporting.rest.isHidden()


def test_a_wacz_that_cannot_be_made_names_the_damaged_record(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    warc, _ = spoilt(archive)
    page = shown(stage, archive)

    export(stage, page, tmp_path / "out", ExportForm.WACZ)

    said = page.ui.exporting.card.advice.text()
    assert f"Tides ({warc.name}, byte " in said
    assert WACZ_COPIES_RECORDS in said


def lines_of(stage: Stage, page: HoldingsView, *holdings: Exported) -> tuple[str, list[str]]:
    """Return the heading of a report of these, and what lacks, in lines."""
    card = page.ui.exporting
    stage.do(lambda: card.show_report(ExportReport(Path("/out"), holdings)))
    return card.card.word.text(), card.card.detail.text().splitlines()


def test_what_was_not_exported_at_all_is_named_before_what_lacks_files(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    lost_file = NotExported("a.csv", "It is damaged.", is_damaged=True)
    never = [NotExported(f"{n}.csv", "404 Not Found") for n in range(3)]
    gone = Exported("1", "Lake", refusal="No.", lacking=[lost_file], file_count=1)
    parts = [
        Exported(f"p{n}", f"Part {n}", tmp_path / f"p{n}", 5, 9, [lost_file], file_count=6)
        for n in range(3)
    ]
    gauges = Exported("g", "River gauges", tmp_path / "g", 2, 9, [lost_file, *never], file_count=6)

    heading, lines = lines_of(stage, shown(stage, archive), *parts, gauges, gone)

    assert heading == "4 of 5 datasets exported, 4 of them incomplete"
    assert lines[0].startswith("Not exported, as damaged or missing in this archive: Lake (a.csv).")
    assert lines[1] == (
        "Exported without files that are damaged or missing in this archive: Part 0 (a.csv); "
        "Part 1 (a.csv); Part 2 (a.csv); and 1 dataset more."
    )
    assert lines[2] == "River gauges: without 3 files, which metadata/not-kept.txt lists."


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (["earlier"], "1 dataset there already, incomplete"),
        (["earlier", "now"], "1 of 2 datasets exported, 1 there already, 2 of them incomplete"),
        (["earlier", "refused"], "1 dataset there already, incomplete, 1 not exported"),
        (["now", "now"], "2 datasets exported, 2 of them incomplete"),
    ],
)
def test_what_was_there_already_is_not_called_exported(
    stage: Stage, archive: Path, tmp_path: Path, states: list[str], words: str
) -> None:
    lacking = [NotExported("a.csv", "404 Not Found")]
    made = {
        "earlier": Exported("e", "E", tmp_path, 1, 9, lacking, file_count=2, was_there=True),
        "now": Exported("n", "N", tmp_path, 1, 9, lacking, file_count=2),
        "refused": Exported("r", "R", refusal="No room.", file_count=2),
    }

    heading, _ = lines_of(stage, shown(stage, archive), *(made[each] for each in states))

    assert heading == words


def test_what_did_not_fit_is_named_beside_what_was_exported(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    whole = Exported("1", "Tides", tmp_path / "t", 2, 9, file_count=2)
    large = Exported("2", "Map", refusal="It needs 57.0 MiB.", file_count=1)

    heading, lines = lines_of(stage, shown(stage, archive), large, whole)

    assert heading == "1 of 2 datasets exported"
    assert lines == ["Map: It needs 57.0 MiB."]


def test_an_earlier_export_that_was_spoilt_is_not_said_to_be_there(
    stage: Stage, archive: Path, tmp_path: Path
) -> None:
    page = shown(stage, archive)
    assert export(stage, page, tmp_path / "out", ExportForm.FILES) == "Exported and verified"
    again = export(stage, page, tmp_path / "out", ExportForm.FILES)
    assert again == "There already, and verified"
    assert "read again and are unchanged" in page.ui.exporting.card.advice.text()
    (there,) = (tmp_path / "out").glob("*/data/README.txt")
    there.write_bytes(b"The tide")

    assert export(stage, page, tmp_path / "out", ExportForm.FILES) == "Nothing was exported"

    said = page.ui.exporting.card.advice.text()
    assert "Changed or missing there: data/README.txt." in said
    assert "there already" not in said


def test_what_was_exported_before_an_export_failed_is_told(
    stage: Stage, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = shown(stage, archive)
    ids = [row.ingest_id for row in rows_of(stage, page)]
    monkeypatch.setattr(
        "carrel.engine.exports.holding_of",
        lambda archive, each: holding_of(archive, lost_at(each)),
    )

    page.commands.exporting.export([*ids, ""], tmp_path / "out", ExportOptions(ExportForm.FILES))
    stage.wait(lambda: not page.commands.exporting.is_running)

    card = page.ui.exporting
    assert card.card.word.text() == "Export ended early"
    assert card.card.advice.text() == "The ledger is gone. 1 dataset exported before."
    assert not card.folder.isHidden()


def lost_at(ingest_id: str) -> str:
    if not ingest_id:
        raise ArchiveError("The ledger is gone.")
    return ingest_id
