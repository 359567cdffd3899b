# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked before a window closes, or goes on with another archive; accepting does it.

The question and its buttons name what will happen: whoever asked for another archive is not asked
about closing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from carrel.translation import forms, tr
from carrel_desktop import quantities
from carrel_desktop.beginning import Beginning
from carrel_desktop.foreign import shown
from carrel_desktop.going_on import GoingOn
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.question_box import lay_out

SAVE_FIRST = "save_first"  # the name of the button that saves, and goes on
KEEP_A_COPY = "keep_a_copy"  # the name of the button that leads there
COUNTS_JOBS = "counts_jobs"  # the property of the question that says how many run


@dataclass(frozen=True, slots=True)
class Going:
    """Where a window goes, in the words of a question: its title, a sentence on it ("" where the
    title says all), and the buttons that go there or stay."""

    title: str
    sentence: str
    discard: str
    save: str
    delete: str
    anyway: str
    stay: str


def going(following: Beginning | None, archive: Path) -> Going:
    """Return the words for what follows on an archive; None is the end."""
    if following is None:
        return Going(
            title=tr("Close the window"),
            sentence="",
            discard=tr("&Discard and close"),
            save=tr("&Save and close"),
            delete=tr("&Delete and close"),
            anyway=tr("&Close anyway"),
            stay=tr("&Keep the window open"),
        )
    title, sentence = _opening(following, archive)
    return Going(
        title=title,
        sentence=sentence,
        discard=tr("&Discard and open"),
        save=tr("&Save and open"),
        delete=tr("&Delete and open"),
        anyway=tr("&Open anyway"),
        stay=tr("&Keep this archive open"),
    )


def unsaved_box(parent: QWidget, going: Going, *, is_setting: bool, can_save: bool) -> QMessageBox:
    """Return the question whether to go with settings, or else a source of mementos, that are not
    saved. With `can_save` a button saves them first."""
    settings = tr("Changes to the settings are not saved.")
    source = tr("Changes to a memento source are not saved.")
    more = tr("They are lost unless you save them first.")
    box = _box(parent, going, settings if is_setting else source, more, going.discard)
    if can_save:
        named(box.addButton(going.save, QMessageBox.ButtonRole.YesRole), SAVE_FIRST)
    return box


def passing_box(parent: QWidget, going: Going) -> QMessageBox:
    """Return the question whether to go from an archive that is deleted then; a button leads to
    where it is copied to a folder."""
    text = tr("The archive of the sample repository is deleted when you close it.")
    more = tr("To keep what you archived in it, make a second copy in a folder of your own first.")
    box = _box(parent, going, text, more, going.delete)
    named(box.addButton(tr("&Second copy…"), QMessageBox.ButtonRole.ActionRole), KEEP_A_COPY)
    return box


def running_box(
    parent: QWidget, going: Going, running: int, beside: Sequence[GoingOn] = ()
) -> QMessageBox:
    """Return the question whether to go while so many datasets are being archived, and what else
    goes on."""
    more = tr(
        "The queue runs only while this archive is open. If you close it now, verified files "
        "stay, and the queue resumes when you open this archive again."
    )
    told = [f"{each.sentence} {each.end}" for each in beside]
    box = _box(parent, going, how_many_run(running), " ".join([more, *told]), going.anyway)
    box.setProperty(COUNTS_JOBS, True)
    return box


def going_on_box(parent: QWidget, going: Going, those: Sequence[GoingOn]) -> QMessageBox:
    """Return the question whether to go while something goes on that is stopped then."""
    text = " ".join(each.sentence for each in those)
    return _box(parent, going, text, " ".join(each.end for each in those), going.anyway)


def how_many_run(running: int) -> str:
    """Return how many datasets are being archived, which changes while it is asked about."""
    if not running:
        return tr("No dataset is being archived any more.")
    text = forms("1 dataset is being archived.", "{count} datasets are being archived.")
    return quantities.counted(running, *text)


def pending_box(parent: QWidget, going: Going, pending: int) -> QMessageBox:
    """Return the question whether to go while so many datasets are listed that are not in the
    queue."""
    text = forms(
        "1 dataset is listed and not archived.", "{count} datasets are listed and not archived."
    )
    more = tr(
        "Lists on the page “Add datasets” are not kept. To have the datasets archived, put them "
        "into the queue first."
    )
    return _box(parent, going, quantities.counted(pending, *text), more, going.anyway)


def _opening(following: Beginning, archive: Path) -> tuple[str, str]:
    """Return the title and the sentence of a question before something else is opened."""
    if following.is_demo or following.archive is None:
        return tr("Open the sample repository"), tr(
            "This archive is closed when the sample repository is opened."
        )
    if following.archive == archive:
        return tr("Open this archive again"), tr("This archive is closed, and opened again.")
    return tr("Open another archive"), tr(
        "This archive is closed when {folder} is opened.", folder=shown(str(following.archive))
    )


def _box(parent: QWidget, going: Going, text: str, more: str, accepting: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setObjectName("closing")
    box.setWindowTitle(going.title)
    box.setText(text)
    box.setInformativeText(f"{more} {going.sentence}".rstrip())
    box.addButton(accepting, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(going.stay, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    lay_out(box)
    return box
