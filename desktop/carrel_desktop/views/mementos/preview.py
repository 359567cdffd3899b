# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pane beside the table: the chosen capture, its content and heads, or two compared."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QWidget

from carrel.model.memento_part import PART_WORDS
from carrel.model.memento_views import Comparison, Peek, Saved, is_another, why_no_content
from carrel.model.rendition import Rendition
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.theme import Theme, fixed_font, space, strong_font
from carrel_desktop.viewing.content_view import ContentView
from carrel_desktop.views.mementos.rows import Row, time_text
from carrel_desktop.widgets.actions import ActionButton, Actions
from carrel_desktop.widgets.chips import Tabs
from carrel_desktop.widgets.icon_rows import clear
from carrel_desktop.widgets.labels import ElidedLabel, named, plain_label, wrapped
from carrel_desktop.widgets.layouts import boxed, grid, horizontal, rest, stacked, vertical
from carrel_desktop.widgets.outcome_card import OutcomeCard
from carrel_desktop.widgets.pane import Pane, PaneFooter, pane_footer
from carrel_desktop.widgets.text_views import DiffColours, text_view, visible

MOST_LINES = 5000
NOTHING, ONE, TWO = 0, 1, 2
CONTENT, HEADERS = 0, 1
STEPS = 1000  # of the bar: byte counts do not fit into its 32 bits


class ComparisonView(QWidget):
    """A verdict, the facts of both, and the lines that differ."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.card = OutcomeCard(theme)
        self._facts = grid(3, 1)
        self._facts.setColumnStretch(2, 1)
        self.diff = named(text_view(tr("Differences")), "diff")
        self.diff.setMinimumHeight(space(22))
        DiffColours(theme, self.diff.document())
        vertical(self.card, self._facts, rest(self.diff), rest(share=0), gap=3, on=self)

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
        parts, word = _of_parts(found), tr("Identical") if found.is_same else tr("Different")
        identical = tr("Every byte is identical.") if found.is_same else ""
        sentence = found.reason or identical or self._summary(found)
        if _is_any_another(older, newer, found):
            sentence = " ".join([_of_other_times(found), *parts])
            self.card.show_caution(tr("Other time than in its index"), sentence)
        elif parts:
            self.card.show_caution(word, " ".join(filter(None, [sentence, *parts])))
        elif found.is_same:
            self.card.show_success(word, sentence)
        else:
            self.card.show_note("compare", word, sentence)
        self._show_facts(older, newer, found)
        self._show_lines(None if found.is_same else found.diff)

    def _summary(self, found: Comparison) -> str:
        if found.diff is None:
            return ""
        added = sum(line[:1] == "+" and line[:3] != "+++" for line in found.diff)
        taken = sum(line[:1] == "-" and line[:3] != "---" for line in found.diff)
        lines = quantities.counted(added, "1 line added", "{count} lines added")
        return tr("{lines}, {taken} removed.", lines=lines, taken=quantities.number(taken))

    def _show_lines(self, diff: Sequence[str] | None) -> None:
        lines = diff or ()
        shown = [visible(line.rstrip("\n")) for line in lines[:MOST_LINES]]
        if len(lines) > MOST_LINES:
            more = tr("… and {count} more lines")
            shown.append(more.format(count=quantities.number(len(lines) - MOST_LINES)))
        self.diff.setPlainText("\n".join(shown))
        self.diff.setVisible(bool(shown))

    def _show_facts(self, older: Row, newer: Row, found: Comparison | None = None) -> None:
        clear(self._facts)
        rows: list[tuple[str, ...]] = [("", tr("Older  (−)"), tr("Newer  (+)"))]
        rows.append((tr("Time"), *(time_text(row.memento.timestamp) for row in (older, newer))))
        rows.append((tr("Source"), _who(older), _who(newer)))
        if found and _is_any_another(older, newer, found):
            rows.append(
                (tr("Delivered"), *(time_text(at) if at else "–" for at in found.delivered_at))
            )
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
        self._facts.addWidget(plain_label(name, "secondary"), number, 0)
        for column, value in enumerate(values, 1):
            shown = ElidedLabel(Qt.TextElideMode.ElideRight)
            shown.setText(value)
            if is_fixed:
                shown.setFont(fixed_font(0.9))
            if number == 0:
                shown.setProperty("tone", "secondary")
            self._facts.addWidget(shown, number, column)


class MementoPane(Pane):
    """Shows one capture, two, or what to choose; its URL where it is not `asked_url`."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self.asked_url = ""
        self.time = ElidedLabel(font=strong_font(1.1))
        self.facts = wrapped("", "secondary")
        self.url = ElidedLabel(Qt.TextElideMode.ElideMiddle, font=fixed_font(0.93))
        self.card = OutcomeCard(theme)
        self.card.hide()
        self.bar = named(QProgressBar(textVisible=False), said=tr("Saving"))
        self.bar.setRange(0, STEPS)
        self.bar.hide()
        self.content = ContentView(theme)
        self.heads = named(text_view(tr("Headers of the record")), "heads")
        self.comparison = ComparisonView(theme)
        self.tabs = Tabs(self, "tab", (tr("Content"), tr("Headers")))
        self._tabbed = stacked(self.content, self.heads)
        text = tr("Select a capture to see it, or two (with Ctrl) to compare.")
        hint = wrapped(text, "secondary")
        self.stack = stacked(
            boxed(vertical(hint, rest(), margins=4)),
            self._make_one(),
            boxed(vertical(self.comparison, margins=(4, 4, 4, 3))),
        )
        compare = ActionButton(actions.compare, theme, "compare", role="primary")
        self._footers = stacked(self._make_footer(theme, actions), pane_footer((), (compare,)))
        self.fill(self.stack, self._footers)
        self.tabs.idClicked.connect(self._tabbed.setCurrentIndex)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say what to choose."""
        with self.showing():
            self.stack.setCurrentIndex(NOTHING)
            self._footers.hide()

    def show_row(self, row: Row) -> None:
        """Show what the index says of a capture."""
        with self.showing():
            memento = row.memento
            self.stack.setCurrentIndex(ONE)
            self._footers.setCurrentIndex(0)
            self._footers.show()
            self.time.setText(f"{time_text(memento.timestamp)} UTC")
            self.facts.setText(self._facts(row))
            self.url.setText(memento.url)
            self.url.setVisible(memento.url != self.asked_url)
            self.card.hide()
            self.bar.hide()
            self.heads.setPlainText("")
            if row.is_local:
                self.content.show_sentence(tr("Reading…"))
            else:
                text = tr("Preview fetches its beginning from {source}.")
                self.content.show_sentence(text.format(source=_who(row)))

    def show_fetching(self, row: Row) -> None:
        with self.adding():
            text = tr("Reading…") if row.is_local else tr("Requesting it from {source}…")
            self.content.show_sentence(text.format(source=_who(row)))

    def show_peek(self, row: Row, peek: Peek, rendition: Rendition) -> None:
        """Show the beginning of a capture, and its heads."""
        with self.adding():
            self.content.show_rendition(rendition)
            heads = [head.strip() for head in (peek.warc_head, peek.http_head)]
            both = "\n\n".join(head for head in heads if head)
            self.heads.setPlainText(visible(both.replace("\r\n", "\n")))
            size = quantities.size(peek.length)
            kind = peek.mimetype or row.mimetype
            told = f"{kind} · {size}" if kind else size
            self.facts.setText(self._facts(row, told, peek.status))
            if doubt := _doubt(row, peek):
                self.card.show()
                self.card.show_caution(*doubt)

    def show_trouble(self, sentence: str) -> None:
        """Show why a capture cannot be had."""
        with self.adding():
            self.content.show_sentence("")
            self.card.show()
            self.card.show_trouble(tr("Not available"), sentence)

    def show_saving(self, done: int, total: int) -> None:
        """Show how far a file is."""
        with self.adding():
            self.card.show()
            self.bar.show()
            self.bar.setRange(0, STEPS if total else 0)
            self.bar.setValue(STEPS * done // total if total else 0)
            text = tr("{done} of {total}") if total else "{done}"
            said = text.format(done=quantities.size(done), total=quantities.size(total))
            self.card.show_note("save", tr("Saving…"), said)

    def show_saved(self, row: Row, saved: Saved) -> None:
        """Show that a file was written, and whether it is what the index says."""
        with self.adding():
            self.bar.hide()
            self.card.show()
            text = tr("{size} in {path}.", size=quantities.size(saved.size), path=saved.path)
            part = _of_part(saved)
            if is_another(row.memento, saved.delivered_at):
                other = f"{text} {_other_moment(saved.delivered_at)}{part}"
                self.card.show_caution(tr("Saved, but of another time"), other)
            elif saved.is_proven is False:
                doubt = f"{text} {tr('Its digest differs from the index.')}{part}"
                self.card.show_caution(tr("Saved, but does not match"), doubt)
            elif why := why_no_content(saved.status):
                self.card.show_caution(tr("Saved, but not the content"), f"{text} {why}{part}")
            elif part:
                self.card.show_caution(tr("Saved, but only a part"), f"{text}{part}")
            elif saved.is_proven:
                proof = tr("Its digest matches the index.")
                self.card.show_success(tr("Saved and verified"), f"{text} {proof}")
            else:
                self.card.show_success(tr("Saved"), text)

    def end_saving(self) -> None:
        """Show no more how far a file is, as it did not come to its end."""
        self.bar.hide()
        self.card.hide()

    def show_pair(self, older: Row, newer: Row) -> None:
        """Show two captures that can be compared."""
        with self.showing():
            self.stack.setCurrentIndex(TWO)
            self._footers.setCurrentIndex(1)
            self._footers.show()
            self.comparison.show_pair(older, newer)

    def _facts(self, row: Row, kind: str = "", delivered: str = "") -> str:
        memento, of_answer = row.memento, delivered or row.status
        status = tr("status {status}", status=of_answer) if of_answer else ""
        who = ", ".join((_who(row), *memento.also))
        revisit = tr("a revisit") if memento.is_revisit else ""
        parts = (who, status, kind or row.mimetype, revisit)
        return " · ".join(part for part in parts if part)

    def _make_one(self) -> QWidget:
        bar = horizontal(*self.tabs.chips, rest(), gap=1.5)
        above = self.time, self.facts, self.url, self.card, self.bar
        return boxed(vertical(*above, 1, bar, rest(self._tabbed), gap=1.5, margins=(4, 3, 4, 3)))

    @staticmethod
    def _make_footer(theme: Theme, actions: Actions) -> PaneFooter:
        save = ActionButton(actions.save, theme, "save", role="quiet")
        raw = ActionButton(actions.raw, role="quiet")
        preview = ActionButton(actions.preview, theme, "preview", hides=True)
        opening = ActionButton(actions.open, theme, "link", role="primary")
        return pane_footer((save, raw), (preview, opening))


def _other_moment(moment: str) -> str:
    return tr("The web archive delivered its capture of {moment} UTC.", moment=time_text(moment))


def _doubt(row: Row, peek: Peek) -> tuple[str, str] | None:
    """Return what is to be known before a capture is trusted: a word and a text; None if nothing
    is."""
    part = _of_part(peek)
    if is_another(row.memento, peek.delivered_at):
        text = f"{_other_moment(peek.delivered_at)}{part}"
        return tr("Other time than in its index"), text
    if peek.is_proven is False:
        text = tr("Its digest differs from the one in its index: do not trust it.")
        return tr("Does not match its index"), f"{text}{part}"
    if why := why_no_content(peek.status):
        return tr("Not the content of this address"), f"{why}{part}"
    return (tr("Only a part"), part.strip()) if part else None


def _of_part(found: Peek | Saved) -> str:
    """Return the sentence, behind others, that says that something is only a part; "" if not."""
    return f" {PART_WORDS[found.part]}" if found.part else ""


def _of_parts(found: Comparison) -> Sequence[str]:
    """Return the sentences that say of each capture that it is only a part, if it is."""
    names = (tr("Older: {why}"), tr("Newer: {why}"))
    return [
        name.format(why=PART_WORDS[part])
        for name, part in zip(names, found.parts, strict=True)
        if part
    ]


def _is_any_another(older: Row, newer: Row, found: Comparison) -> bool:
    """Say whether one of two captures was delivered as another one than its index lists."""
    pairs = zip((older, newer), found.delivered_at, strict=True)
    return any(is_another(row.memento, moment) for row, moment in pairs)


def _of_other_times(found: Comparison) -> str:
    """Say how those compare that were delivered in place of what was to be compared."""
    if found.are_one_capture:
        return tr("The web archive delivered the same capture for both: nothing was compared.")
    if found.is_same:
        return tr("What was delivered is identical.")
    older, newer = found.delivered_at
    if older and older == newer:
        moment = time_text(older)
        return tr("Both were delivered as of {moment} UTC, with different bytes.", moment=moment)
    return tr("What was delivered is different.")


def _who(row: Row) -> str:
    return words.source_name(row.memento.source, row.memento.source_type)
