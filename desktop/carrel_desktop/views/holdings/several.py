# SPDX-License-Identifier: AGPL-3.0-or-later
"""Several chosen holdings: how much they are, and what is done with all of them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from carrel.model.figures import Amount
from carrel.model.holdings import NOT_INTACT, Facet, HoldingsQuery
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, strong_font
from carrel_desktop.views.holdings.verifying import Tally
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.labels import named, wrapped
from carrel_desktop.widgets.layouts import boxed, horizontal, rest, scrolled, vertical, wrapping
from carrel_desktop.widgets.pane import Pane


class SeveralPane(Pane):
    """Shows one amount, and how far a verification of all of them is.

    `wanted` carries the question for those that are not intact, where there are any.
    """

    wanted = Signal(object)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.title: QLabel = wrapped(font=strong_font())
        self.amount: QLabel = wrapped("", "secondary")
        self.bar = named(QProgressBar(textVisible=False), said=tr("Verification"))
        self.progress: QLabel = wrapped("", "secondary")
        self.not_intact = named(QPushButton(tr("Show damaged datasets")), "not_intact")
        self.not_intact.clicked.connect(
            lambda: self.wanted.emit(HoldingsQuery(chosen={Facet.STATE: NOT_INTACT}))
        )
        ways: list[QWidget] = [
            ActionButton(actions.verify, theme, "verify", role="primary"),
            ActionButton(actions.archive_again, theme, "retry"),
            ActionButton(actions.watch, theme, "watch"),
            ActionButton(actions.export, theme, "save"),
            ActionButton(actions.certificate, theme, "file", has_letter=False),
            ActionButton(actions.tag),
            ActionButton(actions.remove, theme, "remove"),
            ActionButton(actions.restore, hides=True),
        ]
        row = boxed(wrapping(*ways, gap=2))
        stop = ActionButton(actions.stop_verifying, hides=True)
        shows = horizontal(self.not_intact, rest())
        parts = self.title, self.amount, row, self.bar, self.progress, shows, stop, rest()
        self.fill(scrolled(boxed(vertical(*parts, gap=3, margins=4)), sideways=False))

    def show_amount(self, amount: Amount) -> None:
        """Show how much is chosen."""
        with self.showing():
            datasets = quantities.counted(amount.datasets, "1 dataset", "{count} datasets")
            self.title.setText(tr("{datasets} selected", datasets=datasets))
            size = quantities.size(amount.size_bytes)
            self.amount.setText(f"{quantities.files(amount.files)} · {size}")

    def show_tally(self, tally: Tally | None) -> None:
        """Show how far a verification of these is, or how it ended; nothing if there was none."""
        with self.adding():
            self.bar.setVisible(tally is not None and tally.is_running)
            self.progress.setVisible(tally is not None)
            self.not_intact.setVisible(tally is not None and tally.failed > 0)
            if tally is None:
                return
            self.bar.setRange(0, max(1, tally.total))
            self.bar.setValue(tally.done)
            text = tr(
                "{done} of {datasets} verified",
                done=quantities.number(tally.done),
                datasets=quantities.counted(tally.total, "1 dataset", "{count} datasets"),
            )
            if tally.done and not tally.failed:
                text = tr("{verified} · all intact", verified=text)
            elif tally.failed:
                bad = quantities.counted(tally.failed, "1 is not intact", "{count} are not intact")
                text = f"{text} · {bad}"
            if not tally.is_running and tally.done < tally.total:
                text = tr("{verified} · stopped", verified=text)
            self.progress.setText(text)
