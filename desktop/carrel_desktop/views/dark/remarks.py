# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run remarked: every sentence, in a list that scrolls where they are many."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QPlainTextEdit

from carrel.translation import tr
from carrel_desktop import quantities
from carrel_desktop.theme import Theme, space, strong_font
from carrel_desktop.widgets.labels import IconLabel, named, plain_label
from carrel_desktop.widgets.layouts import framed, horizontal, rest, vertical
from carrel_desktop.widgets.text_views import visible

MOST_LINES = 4  # in sight; to others one scrolls


class Remarks(QFrame):
    """Each sentence is told once, with how often it was said."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("remarks")
        self.heading = plain_label("", "warning", strong_font())
        text = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self.text = named(text, "remark_list", tr("Remarks of the run"))
        head = horizontal(IconLabel(theme, "warning", "warning"), rest(self.heading), gap=2)
        card = framed(vertical(head, self.text, gap=1.5, margins=3), "notice")
        vertical(card, on=self)
        self.has_any = False
        self.hide()

    def show_remarks(self, sentences: Sequence[str], unlisted: int) -> None:
        """Replace what is shown; `unlisted` counts remarks of which the run kept no sentence."""
        count = len(sentences) + unlisted
        self.heading.setText(quantities.counted(count, "1 remark", "{count} remarks"))
        lines = [_line(sentence, times) for sentence, times in Counter(sentences).items()]
        if unlisted:
            more = tr("The run kept no text of {count} more.", count=quantities.number(unlisted))
            lines.append(more)
        self.text.setPlainText(visible("\n".join(lines)))
        shown = min(MOST_LINES, len(lines)) + 1
        self.text.setFixedHeight(shown * self.text.fontMetrics().lineSpacing() + space(5))
        self.has_any = bool(count)


def _line(sentence: str, times: int) -> str:
    sentence = sentence.replace("\n", " ")
    if times == 1:
        return sentence
    return tr("{sentence} ({times} times)", sentence=sentence, times=quantities.number(times))
