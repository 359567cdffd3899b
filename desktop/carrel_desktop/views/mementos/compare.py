# SPDX-License-Identifier: AGPL-3.0-or-later
"""Two captures side by side: the same, or what differs."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from carrel.model.memento_views import Comparison
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, fixed_font, space
from carrel_desktop.views.mementos.rows import Row, time_text
from carrel_desktop.widgets.findings import clear
from carrel_desktop.widgets.labels import ElidedLabel
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.text_views import DiffColours, text_view, visible

MOST_LINES = 5000


class ComparisonView(QWidget):
    """A verdict, the facts of both, and the lines that differ."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.card = OutcomeCard(theme)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(space(3))
        self._facts.setVerticalSpacing(space(1))
        self._facts.setColumnStretch(1, 1)
        self._facts.setColumnStretch(2, 1)
        self.diff = text_view(tr("Differences"))
        self.diff.setObjectName("diff")
        self.diff.setMinimumHeight(space(22))
        self._colours = DiffColours(theme, self.diff.document())
        self._filler = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self.card)
        layout.addLayout(self._facts)
        layout.addWidget(self.diff, 1)
        layout.addWidget(self._filler, 1)

    def show_pair(self, older: Row, newer: Row) -> None:
        """Show what the index says of both, before anything is compared."""
        heading = tr("Two captures")
        sentence = tr("Compare reads both and shows differences.")
        if older.digest and older.digest == newer.digest:
            sentence = tr("Their indexes list the same digest.")
        self.card.show_note("compare", heading, sentence)
        self._show_facts(older, newer)
        self._show_lines(None)

    def show_comparing(self, older: Row, newer: Row) -> None:
        self.card.show_note("running", tr("Comparing…"), tr("Reading both captures."))
        self._show_facts(older, newer)
        self._show_lines(None)

    def show_trouble(self, sentence: str) -> None:
        self.card.show_trouble(tr("Cannot be compared"), sentence)

    def show_comparison(self, older: Row, newer: Row, found: Comparison) -> None:
        """Show how two captures compare."""
        if found.is_same:
            sentence = found.reason or tr("Every byte is identical.")
            self.card.show_success(tr("Identical"), sentence)
        else:
            sentence = found.reason or self._summary(found)
            self.card.show_note("compare", tr("Different"), sentence)
        self._show_facts(older, newer, found)
        self._show_lines(None if found.is_same else found.diff)

    def _summary(self, found: Comparison) -> str:
        if found.diff is None:
            return ""
        added = sum(line[:1] == "+" and line[:3] != "+++" for line in found.diff)
        taken = sum(line[:1] == "-" and line[:3] != "---" for line in found.diff)
        text = tr("{added} lines added, {taken} removed.")
        return text.format(added=quantities.number(added), taken=quantities.number(taken))

    def _show_lines(self, diff: Sequence[str] | None) -> None:
        lines = diff or ()
        shown = [visible(line.rstrip("\n")) for line in lines[:MOST_LINES]]
        if len(lines) > MOST_LINES:
            more = tr("… and {count} more lines")
            shown.append(more.format(count=quantities.number(len(lines) - MOST_LINES)))
        self.diff.setPlainText("\n".join(shown))
        self.diff.setVisible(bool(shown))
        self._filler.setVisible(not shown)

    def _show_facts(self, older: Row, newer: Row, found: Comparison | None = None) -> None:
        clear(self._facts)
        rows: list[tuple[str, ...]] = [("", tr("Older  (−)"), tr("Newer  (+)"))]
        rows.append((tr("Time"), *(time_text(row.memento.timestamp) for row in (older, newer))))
        rows.append((tr("Source"), older.memento.source, newer.memento.source))
        if found is None:
            rows.append((tr("Type"), older.mimetype or "–", newer.mimetype or "–"))
            rows.append((tr("Digest"), older.digest or "–", newer.digest or "–"))
        else:
            rows.append((tr("Type"), *(kind or "–" for kind in found.mimetypes)))
            rows.append((tr("Size"), *map(quantities.size, found.sizes)))
            rows.append(("SHA-256", *found.sha256))
        for number, (name, *values) in enumerate(rows):
            self._add_row(number, name, values, is_fixed=name in ("SHA-256", tr("Digest")))

    def _add_row(self, number: int, name: str, values: Sequence[str], *, is_fixed: bool) -> None:
        label = QLabel(name)
        label.setProperty("tone", "secondary")
        self._facts.addWidget(label, number, 0)
        for column, value in enumerate(values, 1):
            shown = ElidedLabel(Qt.TextElideMode.ElideRight)
            shown.setText(value)
            if is_fixed:
                shown.setFont(fixed_font(0.9))
            if number == 0:
                shown.setProperty("tone", "secondary")
            self._facts.addWidget(shown, number, column)
