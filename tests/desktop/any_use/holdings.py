# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Holdings page: what is listed, in which order, and what the pane says of what is chosen."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtWidgets import QMessageBox

from carrel.engine import Engine
from carrel.ledger.fixity import RecordFixity, RunFixity
from carrel.model import Fate, IngestFilesetResult
from carrel.model.events import IngestFinished, ScheduleChanged
from carrel.model.holdings import Facet, Order, State
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel.translation import tr
from carrel_desktop import quantities, words
from carrel_desktop.holding_rows import columns
from carrel_desktop.views.holdings.layout import FILLED
from carrel_desktop.widgets.file_tree import Column as FileColumn
from carrel_desktop.widgets.file_tree import FileTreeModel
from carrel_desktop.widgets.file_view import FileView
from desktop.any_use.hearing import spoken_of, tokens
from desktop.any_use.house import House, Move
from desktop.any_use.world import Dataset, record_id, store

SUMMED = (Order.TITLE, Order.ARCHIVED, Order.SIZE, Order.FILES)
TEXTS = ("", "", "soundings", "Q00", "Q017Z", "maps", "nowhere")
NAMES = 11  # the column of identifiers


class HoldingsRoom:
    """The page, and what the person asked it for."""

    def __init__(self, house: House) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.page = house.window.pages.holdings
        self.order, self.is_descending = Order.ARCHIVED, True
        self.text = ""
        self.state: State | None = None

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose, self.choose_several
        asked = self.sort, self.sort_files, self.sort_files, self.search, self.narrow
        return *chosen, *asked, self.hide_columns, self.tag, self.remove

    @property
    def events(self) -> Sequence[Move]:
        return self.ingest, self.ingest, self.damage, self.verify

    # What one does

    def sort(self) -> None:
        self.order, self.is_descending = self.chance.choice(SUMMED), self.chance.random() < 0.5
        order = Qt.SortOrder.DescendingOrder if self.is_descending else Qt.SortOrder.AscendingOrder
        column = columns.ORDERS.index(self.order)
        self._do(lambda: self.page.ui.table.sortByColumn(column, order))

    def sort_files(self) -> None:
        files = self.page.ui.detail.files
        column = self.chance.randrange(-1, files.files.columnCount())
        self._do(lambda: files.sortByColumn(column, self.chance.choice(tuple(Qt.SortOrder))))

    def choose(self) -> None:
        if count := self.page.model.rowCount():
            self._do(lambda: self.page.ui.table.choose(self.chance.randrange(count)))

    def choose_several(self) -> None:
        table, count = self.page.ui.table, self.page.model.rowCount()
        flags = QItemSelectionModel.SelectionFlag
        for at in self.chance.sample(range(count), min(count, 3)):
            index = self.page.model.index(at, 0)
            add = partial(table.selectionModel().select, index, flags.Select | flags.Rows)
            self.house.stage.do(add)
        self.house.settle()

    def search(self) -> None:
        self.text = self.chance.choice(TEXTS)
        self.page.ui.search.setText(self.text)
        self._do(self.page.ui.search.seek_now)

    def narrow(self) -> None:
        # Of no damaged record in this world another one has the bytes, and no links were chosen.
        states = (each for each in State if each not in (State.TWINNED, State.COMPLETENESS_UNKNOWN))
        self.state = self.chance.choice((None, None, *states))
        chosen = {Facet.STATE: frozenset([self.state])} if self.state else {}
        self._do(lambda: self.page.listing.ask(chosen=chosen))

    def hide_columns(self) -> None:
        unwanted = {at for at in range(1, len(columns.ORDERS)) if self.chance.random() < 0.5}
        self._do(lambda: self.page.ui.table.hide_columns(unwanted))

    def tag(self) -> None:
        if not self.world.listed:
            return
        dataset = self.chance.choice(self.world.listed)
        is_added = "maps" not in dataset.tags
        (dataset.tags.add if is_added else dataset.tags.discard)("maps")

        def change(engine: Engine) -> None:
            dataset_id = engine.holdings.dataset_of(dataset.attempts[0].url) or 0
            curation = engine.holdings.curation
            (curation.add_tag if is_added else curation.remove_tag)([dataset_id], "maps")

        self.house.write(change)
        self._do(self.page.refresh)

    def remove(self) -> None:
        """Remove what is chosen, and maybe undo it."""
        record = self.page.choice.record
        if record is None or not self.page.page_actions.remove.isEnabled():
            return
        dataset = self.world.of(record.title.title)
        self._do(self.page.page_actions.remove.trigger)
        box = self.page.ui.findChild(QMessageBox, "removing")
        assert isinstance(box, QMessageBox)
        self._do(lambda: _accept(box))
        dataset.is_removed = True
        if self.chance.random() < 0.5:
            self.check()
            self._do(self.house.window.last_done.undo)
            dataset.is_removed = False

    # What happens

    def ingest(self) -> None:
        """Let an attempt at something end, while whatever is on show is on show."""
        dataset = self.chance.choice(self.world.datasets)
        ended: list[IngestFilesetResult] = []
        self.house.write(lambda engine: ended.append(store(engine.archive, self.world, dataset)))
        event = IngestFinished(ended[0].ingest_id or "", ended[0])
        before = list(self.page.model.numbers)
        self._do(lambda: self.house.window.session.events.emit([event]))
        if self.page.listing.arrived:
            assert set(self.page.model.numbers) <= set(before), "no new row among those in use"

    def damage(self) -> None:
        """Let a scheduled fixity run find a file of something damaged, or intact again."""
        held = [each for each in self.world.datasets if each.held and each.held.kept]
        if not held:
            return
        dataset = self.chance.choice(held)
        assert dataset.held
        file, is_bad = self.chance.choice(dataset.held.kept), self.chance.random() < 0.6
        (dataset.bad.add if is_bad else dataset.bad.discard)(file.path)
        fate = Fate.DAMAGED if is_bad else Fate.INTACT
        record = record_id(dataset.held.ingest_id, file)
        check = RecordFixity(record, self.world.moment(), fate, f"Bad {dataset.token}.")
        self.house.write(lambda engine: engine.archive.ledger.fixity.note([check]))
        self._tell_scheduled(check.checked)

    def verify(self) -> None:
        """Let a scheduled fixity run read all of something again, of which nothing is damaged."""
        held = [each for each in self.world.datasets if each.held and not each.is_damaged]
        if not held:
            return
        attempt = self.chance.choice(held).held
        assert attempt
        attempt.verified, count = self.world.moment(), len(attempt.kept)
        note = attempt.ingest_id, attempt.verified, count, 0
        self.house.write(lambda engine: engine.archive.ledger.fixity.note_run(RunFixity(*note)))
        self._tell_scheduled(attempt.verified)

    def _tell_scheduled(self, moment: str) -> None:
        run = ScheduledRun(Task.VERIFY, moment, moment, Ending.DONE)
        self._do(lambda: self.house.window.session.events.emit([ScheduleChanged("", run)]))

    # What is so

    @property
    def expected(self) -> Sequence[Dataset]:
        """What the page is to list, in its order."""
        found = [each for each in self._sought() if not self.state or self.state in each.states]
        keys: dict[Order, Callable[[Dataset], str | int]] = {
            Order.TITLE: lambda each: each.title.casefold(),
            Order.ARCHIVED: lambda each: each.held.moment if each.held else "",
            Order.SIZE: lambda each: each.size,
            Order.FILES: lambda each: len(each.held.kept) if each.held else 0,
        }
        return sorted(found, key=keys[self.order], reverse=self.is_descending)

    def check(self) -> None:
        if self.page.listing.arrived:
            self._do(self.page.refresh)
        self._check_list()
        self._check_pane()
        self._check_facets()

    def _sought(self) -> Sequence[Dataset]:
        listed, text = self.world.listed, self.text.casefold()
        return [it for it in listed if text in f"{it.title} {' '.join(it.tags)}".casefold()]

    def _check_list(self) -> None:
        model, ui, expected = self.page.model, self.page.ui, self.expected
        shown = model.rowCount() if ui.state == FILLED else 0
        assert shown == len(expected)
        total = quantities.counted(len(self.world.listed), "1 dataset", "{count} datasets")
        assert not self.world.listed or ui.count.text().endswith(total)
        titles = [title for at in range(shown) if (title := self._check_row(at))]
        if self.order in (Order.TITLE, Order.ARCHIVED) and len(titles) == len(expected):
            assert titles == [each.title for each in expected]

    def _check_row(self, at: int) -> str:
        """Check a row, and return its title; "" for one that is out of sight."""
        model = self.page.model
        row = model.at(model.index(at, 0))
        if row is None:
            return ""
        dataset = self.world.of(row.title)
        assert tokens(str(model.index(at, 0).data(NAMES))) <= {dataset.token}
        state = model.index(at, columns.ORDERS.index(Order.STATE)).data()
        word = columns.state(dataset.state)
        both = f"{word}, incomplete" if dataset.is_damaged and dataset.lacks_files else word
        assert state == both, dataset
        size = model.index(at, columns.ORDERS.index(Order.SIZE)).data()
        assert size == quantities.size(dataset.size)
        return dataset.title

    def _check_pane(self) -> None:
        page = self.page
        if not self.expected or page.ui.state != FILLED:
            return
        places = [place for part in page.ui.table.chosen_places for place in part]
        assert places, "something is chosen"
        numbers = [page.model.numbers[place] for place in places]
        rows = self.house.stage.run(page.session.read(lambda engine: engine.holdings.rows(numbers)))
        chosen = [self.world.of(row.title) for row in rows]
        if len(chosen) > 1:
            self._check_several(chosen)
        else:
            self._check_one(*chosen)

    def _check_several(self, chosen: Sequence[Dataset]) -> None:
        several = self.page.ui.several
        files = sum(len(each.held.kept) for each in chosen if each.held)
        size = quantities.size(sum(each.size for each in chosen))
        assert self.page.ui.chosen.currentWidget() is several
        assert several.title.text() == f"{len(chosen)} datasets selected"
        assert several.amount.text() == f"{quantities.files(files)} · {size}"

    def _check_one(self, dataset: Dataset) -> None:
        held, pane = dataset.held, self.page.ui.detail
        assert held
        assert pane.is_whole
        assert spoken_of(pane) == {dataset.token}
        assert pane.title.title.text() == dataset.title
        assert sorted(paths(pane.files.files)) == sorted(file.path for file in held.files)
        self._check_ticks(dataset, pane.files)
        if dataset.is_damaged:
            assert not pane.check.isHidden()
        else:
            assert pane.card.word.text() == words.outcome(held.status)
        is_last = dataset.attempts[-1] is held
        assert pane.later.isHidden() is is_last
        if not is_last:
            last = words.outcome(dataset.attempts[-1].status)
            assert pane.later.word.text() == tr("Last attempt: {outcome}", outcome=last)
        tags = ", ".join(sorted(dataset.tags))
        assert pane.tags.text() == (tr("Tags: {tags}", tags=tags) if tags else "")

    def _check_ticks(self, dataset: Dataset, files: FileView) -> None:
        """No tick stands for what is not here, or is damaged."""
        assert dataset.held
        well = {file.path for file in dataset.held.kept} - dataset.bad
        proof = "Checksum matches" if dataset.has_digests else "size matches"
        for at in range(files.files.rowCount()):
            file = files.files.file_at(files.files.index(at, 0))
            says = str(files.files.index(at, FileColumn.STATE).data() or "")
            assert file is None or (proof in says) is (file.path in well), (file.path, says)

    def _check_facets(self) -> None:
        answer = self.page.listing.answer
        if answer is None or answer.counts is None or not self.world.listed:
            return
        found = self._sought()
        states = Counter(str(state) for each in found for state in each.states)
        assert dict(answer.counts[Facet.STATE]) == states
        narrowed = Counter(it.platform for it in found if not self.state or self.state in it.states)
        assert dict(answer.counts[Facet.PLATFORM]) == narrowed

    def _do(self, act: Callable[[], object]) -> None:
        self.house.do(act, *([self.page.ui.detail] if self.page.isVisible() else []))


def paths(model: FileTreeModel, below: QModelIndex | None = None) -> Iterator[str]:
    """Yield the paths of all files of a tree."""
    parent = below or QModelIndex()
    while model.canFetchMore(parent):
        model.fetchMore(parent)
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        file = model.file_at(index)
        if file is not None:
            yield file.path
        else:
            yield from paths(model, index)


def _accept(box: QMessageBox) -> None:
    role = QMessageBox.ButtonRole.AcceptRole
    next(each for each in box.buttons() if box.buttonRole(each) is role).click()
