# SPDX-License-Identifier: AGPL-3.0-or-later
"""The file tree: sizes are read whole in any font, and rows are heard whole."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from carrel.model import Fate, Fixity, ManifestFile, Status
from carrel_desktop.theme import Theme
from carrel_desktop.widgets.file_tree import Column, FileTreeModel
from carrel_desktop.widgets.file_view import FileView

SIZES = (0, 640, 1023, 1024**2 - 1, 624_650_000, 1024**3 - 1, 1024**4 - 1)


@pytest.fixture(params=[1.0, 2.0])
def font(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[QFont]:
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(usual.pointSizeF() * request.param)
    qapp.setFont(larger)
    yield larger
    qapp.setFont(usual)


@pytest.mark.parametrize("width", [300, 600, 1200])
def test_no_size_is_cut(theme: Theme, font: QFont, width: int) -> None:
    view = FileView(theme)
    view.show_files([ManifestFile(f"{size}.csv", declared=Fixity(size)) for size in SIZES])

    view.resize(width, 400)
    view.show()

    assert view.columnWidth(Column.SIZE) >= view.sizeHintForColumn(Column.SIZE)
    view.hide()


def test_a_state_in_long_words_has_the_room_that_short_names_leave(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = "Checksum matches, said in a language of many words"
    monkeypatch.setattr(FileTreeModel, "state_of", lambda _model, _file: state)
    view = FileView(theme)
    view.resize(640, 200)
    view.show()

    view.show_files([ManifestFile("a.txt", declared=Fixity(9), status=Status.SUCCESS)])

    assert view.columnWidth(Column.STATE) > view.fontMetrics().horizontalAdvance(state)
    name = "a name so long that it needs what there is, as far as it goes.txt"
    view.resize(420, 200)
    view.show_files([ManifestFile(name, declared=Fixity(9), status=Status.SUCCESS)])
    assert view.columnWidth(Column.STATE) < view.fontMetrics().horizontalAdvance(state)
    view.hide()


def test_the_column_grows_with_the_font(theme: Theme) -> None:
    view = FileView(theme)
    view.show_files([ManifestFile("a.csv", declared=Fixity(1023))])
    larger = QFont(view.font())
    larger.setPointSizeF(2 * larger.pointSizeF())

    view.setFont(larger)

    assert view.columnWidth(Column.SIZE) >= view.sizeHintForColumn(Column.SIZE)


def test_a_tab_in_a_name_takes_the_room_of_one_letter(theme: Theme) -> None:
    model = FileTreeModel(theme)

    model.show_files([ManifestFile("tab\tand\nline.txt", declared=Fixity(9))])

    assert model.index(0, Column.NAME).data() == "tab\ufffdand\ufffdline.txt"


def test_a_file_is_heard_with_its_path_size_outcome_and_digests(theme: Theme) -> None:
    model = FileTreeModel(theme)
    declared = Fixity(1023, {"md5": "0" * 32})
    observed = Fixity(1023, {"md5": "0" * 32, "sha256": "a" * 64})
    model.show_files(
        [ManifestFile("data/a.csv", None, declared, status=Status.SUCCESS, observed=observed)]
    )
    folder = model.index(0, 0)
    model.fetchMore(folder)

    heard = model.index(0, Column.NAME, folder).data(Qt.ItemDataRole.AccessibleDescriptionRole)

    assert heard == (
        f"data/a.csv. 1023 bytes. Checksum matches. Published: MD5 {'0' * 32}."
        f" Observed: MD5 {'0' * 32}, SHA-256 {'a' * 64}"
    )


def test_what_became_of_a_kept_file_is_said_in_place_of_how_it_was_kept(theme: Theme) -> None:
    model = FileTreeModel(theme)
    kept = [ManifestFile(f"data/{name}.csv", status=Status.SUCCESS) for name in "abc"]
    model.show_files(kept, {"data/b.csv": Fate.MISSING})
    folder = model.index(0, 0)
    model.fetchMore(folder)

    def column(role: Qt.ItemDataRole) -> list[object]:
        return [model.index(row, Column.STATE, folder).data(role) for row in range(3)]

    shown = column(Qt.ItemDataRole.DisplayRole)
    tones = [color.name() for color in column(Qt.ItemDataRole.ForegroundRole)]  # type: ignore[attr-defined]
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    model.show_fates({"data/c.csv": Fate.DAMAGED})
    model.sort(Column.STATE)

    assert shown[1] == "Missing"
    assert folder.siblingAtColumn(Column.STATE).data() == "1 not intact"
    assert folder.data(Qt.ItemDataRole.ToolTipRole).endswith(", 1 not intact")
    assert tones[1] == theme.color("failed").name() != tones[0]
    assert (0, 2) in changed
    assert column(Qt.ItemDataRole.DisplayRole) == ["Damaged", shown[0], shown[2]]
    assert column(Qt.ItemDataRole.ToolTipRole)[0] == "Its bytes in the archive are damaged."


def test_a_state_is_told_of_its_file_alone(theme: Theme) -> None:
    """What an outcome means for a whole dataset says nothing of one file."""
    known = Fixity(3, {"md5": "0" * 32})
    file = ManifestFile("a.csv", declared=known, observed=known, status=Status.SUCCESS)
    view = FileView(theme)
    view.show_files([file])

    index = view.files.index(0, Column.STATE)

    assert index.data(Qt.ItemDataRole.ToolTipRole) == index.data() == "Checksum matches"


def test_a_file_that_did_not_arrive_is_heard_with_what_is_known(theme: Theme) -> None:
    model = FileTreeModel(theme)
    model.show_files(
        [
            ManifestFile("b.csv", declared=Fixity(5)),
            ManifestFile("c.csv", status=Status.TRUNCATED, message="It broke off."),
            ManifestFile("d.csv", declared=Fixity(5), message="Its path leads out."),
        ]
    )

    heard = [
        str(model.index(row, Column.NAME).data(Qt.ItemDataRole.AccessibleDescriptionRole))
        for row in range(3)
    ]

    assert heard[2] == "d.csv. 5 bytes. Not available. Its path leads out. No checksum published"
    assert heard[0] == "b.csv. 5 bytes. Available. No checksum published"
    assert heard[1].startswith("c.csv. ")
    assert heard[1].endswith("It broke off. No checksum published")


def test_what_is_chosen_is_one_of_the_files_that_were_read_last(theme: Theme) -> None:
    view = FileView(theme)
    view.show_files([ManifestFile("a.csv"), ManifestFile("b.csv")])
    view.setCurrentIndex(view.files.index(1, 0))
    anew = [ManifestFile("a.csv"), ManifestFile("b.csv")]

    view.show_files(anew)

    assert view.files.file_at(view.currentIndex()) is anew[1]


def test_a_folder_of_unknown_sizes_has_no_sum(theme: Theme) -> None:
    model = FileTreeModel(theme)
    model.show_files(
        [ManifestFile("a/1"), ManifestFile("a/2"), ManifestFile("b/1", None, Fixity(5)),
         ManifestFile("b/2"), ManifestFile("c/1", None, Fixity(0))]
    )  # fmt: skip

    told = [model.index(row, Column.SIZE).data() for row in range(3)]

    assert told == ["–", "5 bytes", "0 bytes"]
