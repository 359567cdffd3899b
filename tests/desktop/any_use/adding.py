# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Add datasets page: what a repository on this machine publishes, as it is previewed."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt

from carrel.demo.dataset import DemoDataset, DemoFile
from carrel.demo.server import DemoRepository
from carrel_desktop.views.archive.detection import State
from carrel_desktop.widgets.file_tree import Column
from desktop.any_use.hearing import spoken_of, tokens
from desktop.any_use.holdings import paths
from desktop.any_use.house import House, Move
from support.watching import RECORD


def published() -> Sequence[DemoDataset]:
    """Return the datasets of the repository."""
    return [_dataset(number, f"A{number:03}Z") for number in range(5)]


def _dataset(number: int, token: str) -> DemoDataset:
    files = tuple(DemoFile(f"{token}/{at}.txt", 100 + at) for at in range(1 + number))
    return replace(
        RECORD,
        number=number + 700,
        key=f"log{number}b-tow3r",
        concept=f"log{number}b-all00",
        title=f"Log {token}",
        creators=(f"Guard of {token}",),
        files=files,
    )


class AddingRoom:
    """The page, what was pasted, and the strategies that the person chose."""

    def __init__(self, house: House, repository: DemoRepository) -> None:
        self.house, self.chance = house, house.chance
        self.page = house.window.pages.archive
        self.datasets = {it.page_url(repository): it for it in repository.datasets}
        self.pasted: dict[str, object] = {}  # with the strategy that was chosen
        self.folder = house.window.session.archive.parent
        self.lists: list[tuple[str, int]] = []  # with how many datasets each has
        self.shown_list = 0

    @property
    def moves(self) -> Sequence[Move]:
        rows = self.paste, self.choose, self.choose, self.sort_files, self.overrule, self.clear
        return *rows, self.choose, self.sort_files, self.open_list, self.choose_list, self.leave

    @property
    def events(self) -> Sequence[Move]:
        return ()

    # What one does

    def paste(self) -> None:
        urls = self.chance.sample(list(self.datasets), 2)
        self.page.ui.paste.setPlainText("\n".join(urls))
        self._do(self.page.look)
        self.pasted = {**dict.fromkeys(urls), **self.pasted}

    def choose(self) -> None:
        if count := self.page.model.rowCount():
            at = self.chance.randrange(count)
            self._do(lambda: self.page.ui.list.setCurrentIndex(self.page.model.index(at)))

    def sort_files(self) -> None:
        files, column = self.page.ui.detail.files, self.chance.randrange(-1, len(Column))
        self._do(lambda: files.sortByColumn(column, self.chance.choice(tuple(Qt.SortOrder))))

    def overrule(self) -> None:
        """Choose another strategy for what is on show."""
        pane, current = self.page.ui.detail, self.page.current()
        combo = pane.strategy.combo
        if current is None or pane.footer.isHidden() or not combo.isEnabled():
            return
        at = self.chance.randrange(combo.count())
        combo.setCurrentIndex(at)
        self._do(lambda: combo.activated.emit(at))
        self.pasted[current.request.base_url] = combo.itemData(at)

    def clear(self) -> None:
        if self.chance.random() < 0.3:
            self._do(self.page.clear)
            self.pasted = {}

    def open_list(self) -> None:
        """Open a list that is too long to be looked at line by line."""
        number = len(list(self.folder.glob("*.txt")))
        path, count = self.folder / f"list-L{number:03}Z.txt", 21 + number
        path.write_text("".join(f"10.5072/{number}.{line}\n" for line in range(count)))
        self._do(lambda: self.page.batches.read([path]))
        self.lists.append((path.name, count))
        self.shown_list = len(self.lists) - 1

    def choose_list(self) -> None:
        if len(self.lists) > 1:
            self.shown_list = self.chance.randrange(len(self.lists))
            self._do(lambda: self.page.batches.card.lists.chosen.emit(self.shown_list))

    def leave(self) -> None:
        if self.lists:
            self._do(self.page.batches.actions.leave.trigger)
            del self.lists[self.shown_list]
            self.shown_list = min(self.shown_list, len(self.lists) - 1)

    # What is so

    def check(self) -> None:
        self._check_lists()
        self._check_rows()

    def _check_lists(self) -> None:
        """The list that is shown is told of, and no other one but by its name."""
        card = self.page.batches.card
        assert card.isHidden() is not bool(self.lists)
        if self.lists:
            name, count = self.lists[self.shown_list]
            assert card.heading.text() == f"{count} datasets in {name}"
            assert spoken_of(card.facts) | spoken_of(card.heading) == tokens(name)
            names = [name for name, _ in self.lists] if len(self.lists) > 1 else []
            assert tokens("".join(names)) == spoken_of(card.lists)

    def _check_rows(self) -> None:
        rows = list(self.page.model)
        assert {row.request.base_url for row in rows} == self.pasted.keys()
        assert {row.state for row in rows} <= {State.READY}
        current = self.page.current()
        if current is None:
            return
        url, pane = current.request.base_url, self.page.ui.detail
        dataset = self.datasets[url]
        assert pane.is_whole
        assert spoken_of(pane) == {dataset.title.removeprefix("Log ")}
        assert pane.title.title.text() == dataset.title
        assert sorted(paths(pane.files.files)) == [file.path for file in dataset.files]
        if self.pasted[url] is not None:
            assert pane.strategy.combo.currentData() == self.pasted[url]

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.ui.detail] if self.page.ui.detail.isVisible() else []))
