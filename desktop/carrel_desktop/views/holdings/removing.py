# SPDX-License-Identifier: AGPL-3.0-or-later
"""Datasets are removed from the holdings, and restored to them: now by Undo, or years later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from carrel.model.figures import Amount
from carrel.model.iso_time import iso_now
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.session import Session
from carrel_desktop.undoing import done_with
from carrel_desktop.views.holdings.record import Record
from carrel_desktop.widgets.labels import named
from carrel_desktop.widgets.question_box import lay_out


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen datasets, with how much they are. `address` is that of one whose files are not
    known any more, "" where it was imported."""

    datasets: Sequence[int] = ()
    amount: Amount = field(default_factory=Amount)
    address: str = ""


class Removing(QObject):
    """`changed` says that others are listed now, `done` carries a Done, and `wants_dialog` a dialog
    to open."""

    wants_dialog = Signal(object)
    changed = Signal()
    done = Signal(object)

    def __init__(
        self,
        session: Session,
        parent: QWidget,
        record: Callable[[], Record | None],
        chosen: Callable[[], Chosen],
    ) -> None:
        super().__init__(parent)
        self._session, self._parent, self._record, self._chosen = session, parent, record, chosen

    def remove(self) -> None:
        """Ask whether the chosen datasets are to be listed no longer."""
        chosen, record = self._chosen(), self._record()
        if not chosen.datasets:
            return
        box = removing_box(self._parent, record.title.title if record else "", chosen.amount)
        remove = partial(self._remove, chosen.datasets)
        box.accepted.connect(lambda: self._session.start(remove(), is_asked=True))
        self.wants_dialog.emit(box)

    def restore(self) -> None:
        """List the chosen datasets among the holdings again."""
        self._session.start(self._restore(self._chosen().datasets), is_asked=True)

    async def _remove(self, datasets: Sequence[int]) -> None:
        removed = await self._take_away(datasets)
        count = quantities.counted(
            len(removed), "1 dataset was removed", "{count} datasets were removed"
        )
        sentence = tr("{removed} from the holdings; archived files stay.", removed=count)
        self.done.emit(done_with(self._session, sentence, partial(self._bring_back, removed)))

    async def _restore(self, datasets: Sequence[int]) -> None:
        await self._bring_back(datasets)
        count = quantities.counted(
            len(datasets), "1 dataset was restored", "{count} datasets were restored"
        )
        sentence = tr("{restored} to the holdings.", restored=count)
        self.done.emit(done_with(self._session, sentence, partial(self._take_away, datasets)))

    async def _take_away(self, datasets: Sequence[int]) -> Sequence[int]:
        moment = iso_now()
        removed = await self._session.read(
            lambda engine: engine.holdings.curation.remove(datasets, moment)
        )
        self.changed.emit()
        return removed

    async def _bring_back(self, datasets: Sequence[int]) -> Sequence[int]:
        restored = await self._session.read(
            lambda engine: engine.holdings.curation.restore(datasets)
        )
        self.changed.emit()
        return restored


def removing_box(parent: QWidget, title: str, amount: Amount) -> QMessageBox:
    """Return the question whether to remove holdings; `title` is that of a single one."""
    box = named(QMessageBox(parent), "removing")
    box.setWindowTitle(tr("Remove from holdings"))
    datasets = quantities.counted(amount.datasets, "this dataset", "{count} datasets")
    box.setText(tr("Remove {datasets} from the holdings?", datasets=datasets))
    gone = quantities.counted(
        amount.datasets,
        "It will no longer be listed or counted.",
        "They will no longer be listed or counted.",
    )
    more = tr(
        "{gone} What is archived ({files}, {size}) stays in the WARC files, and is still found "
        "under Mementos: Carrel never deletes archived bytes. You can undo this, also later: the "
        "view “Removed datasets” lists what can be restored.",
        gone=gone,
        files=quantities.files(amount.files),
        size=quantities.size(amount.size_bytes),
    )
    box.setInformativeText(f"{title}\n\n{more}" if title else more)
    box.addButton(tr("&Remove"), QMessageBox.ButtonRole.AcceptRole)
    keep = box.addButton(tr("&Keep"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    lay_out(box)
    return box
