# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run remarked: every sentence, in a list that scrolls where they are many."""

from collections.abc import Iterator

from PySide6.QtWidgets import QFrame, QPlainTextEdit

from carrel.model.remarks import RemarkGroup, RunRemarks, together
from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.labels import IconLabel, named, plain_label
from carrel_desktop.widgets.layouts import framed, horizontal, rest, vertical
from carrel_desktop.widgets.text_views import visible

MOST_LINES = 4  # in sight; to others one scrolls


class Remarks(QFrame):
    """What differs only in its address is told once, with how often, and the addresses below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("remarks")
        self.heading = plain_label("", "warning", strong_font())
        text = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.text = named(text, "remark_list", tr("Remarks of the run"))
        head = horizontal(IconLabel(theme, "warning", "warning"), rest(self.heading), gap=2)
        card = framed(vertical(head, self.text, gap=1.5, margins=3), "notice")
        vertical(card, on=self)
        self._said = RunRemarks()
        self.has_any = False
        self.hide()

    def show_remarks(self, said: RunRemarks) -> None:
        """Replace what is shown, unless it is the same: then it stays scrolled where it is."""
        if said == self._said:
            return
        self._said, unlisted = said, said.unlisted
        groups = together(said.remarks)
        count = len(groups) + bool(unlisted)
        self.heading.setText(quantities.counted(count, "1 remark", "{count} remarks"))
        lines = [line for group in groups for line in _lines(group)]
        if unlisted:
            more = tr("The run kept no text of {count} more.", count=quantities.number(unlisted))
            lines.append(more)
        self.text.setPlainText(visible("\n".join(lines)))
        shown = min(MOST_LINES, len(lines)) + 1
        self.text.setFixedHeight(shown * self.text.fontMetrics().lineSpacing() + space(5))
        self.has_any = bool(count)


def _lines(group: RemarkGroup) -> Iterator[str]:
    sentence = group.sentence.replace("\n", " ")
    times = quantities.number(group.count)
    yield (
        sentence if group.count == 1 else tr("{times} × {sentence}", times=times, sentence=sentence)
    )
    if len(group.about) > 1:
        yield from (f"    {each}" for each in group.about)
