# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page: templates of two series that come, change, go and return, run by run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from PySide6.QtCore import Qt

from carrel.dark_archive.harvest import Gathering, Terms
from carrel.dark_archive.place import begin_folder, store_root
from carrel.dark_archive.sources import Directory
from carrel.dark_archive.store_session import StoreSession
from carrel.engine import Engine
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.layout import EMPTY, FILLED, LISTED
from carrel_desktop.views.dark.life_pane import SHOWN, TEXT
from carrel_desktop.views.dark.questions import SAVED, Question
from desktop.any_use.hearing import cells, spoken_of
from desktop.any_use.house import House, Move
from support.dark_archives import template, write_tree

SERIES = (("aaa", "wpaper"), ("bbb", "journl"))
EACH = 6  # templates of a series; the first of them always stays
ASKED = tuple(each for each in SAVED if each not in (Question.PROGRESS, Question.CHECK))


@dataclass
class Paper:
    """A template: what it says now, and what befell it, in the words of its events."""

    token: str
    archive: str
    series: str
    title: str = ""
    is_there: bool = False
    events: list[str] = field(default_factory=list)

    @property
    def handle(self) -> str:
        return f"RePEc:{self.archive}:{self.series}:{self.token}"

    @property
    def text(self) -> str:
        return template(self.handle, self.title)


class DarkRoom:
    """The page, the papers, and what was asked of it last."""

    def __init__(self, house: House) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.page = house.window.pages.dark
        numbers = range(EACH * len(SERIES))
        self.papers = [Paper(f"D{at:03}Z", *SERIES[at // EACH]) for at in numbers]
        self.runs: list[tuple[datetime, list[Paper]]] = []  # with what each found lost
        self.changed: list[str] = []
        self.found_again: list[str] = []
        self.sought = ""

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose, self.choose_tab, self.choose_version
        return *chosen, self.ask, self.ask, self.ask, self.search, self.sort, self.choose_run

    @property
    def events(self) -> Sequence[Move]:
        return (self.gather,)

    # What one does

    def ask(self) -> None:
        self.page.ui.side.search.clear()
        self.sought = ""
        question = self.chance.choice(ASKED)
        index = self.page.ui.side.questions.index(SAVED.index(question), 0)
        self._do(lambda: self.page.ui.side.question_list.setCurrentIndex(index))

    def choose(self) -> None:
        if count := self.page.ui.model.rowCount():
            self._do(lambda: self.page.ui.table.choose(self.chance.randrange(count)))

    def choose_tab(self) -> None:
        tabs = [each for each in self.page.ui.pane.tabs.chips if not each.isHidden()]
        self._do(self.chance.choice(tabs).click)

    def choose_version(self) -> None:
        table = self.page.ui.pane.versions
        if count := table.rows.rowCount():
            self._do(lambda: table.choose(self.chance.randrange(count)))

    def search(self) -> None:
        self.sought = self.chance.choice(("D00", "D007Z", "journl", "nowhere"))
        self.page.ui.side.search.setText(self.sought)
        self._do(self.page.ui.side.search.seek_now)

    def choose_run(self) -> None:
        runs = self.page.ui.side.runs
        if runs.rowCount():
            index = runs.index(self.chance.randrange(runs.rowCount()), 0)
            self._do(lambda: self.page.ui.side.run_list.setCurrentIndex(index))

    def sort(self) -> None:
        column = self.chance.randrange(self.page.ui.model.columnCount())
        order = self.chance.choice(tuple(Qt.SortOrder))
        if self.page.ui.model.kind.is_sortable:
            self._do(lambda: self.page.ui.table.sortByColumn(column, order))

    # What happens

    def gather(self) -> None:
        """Let a run find the papers as they are by now, and the page come to its end."""
        moment, lost = datetime.fromisoformat(self.world.moment()), []
        for number, paper in enumerate(self.papers):
            was_there = paper.is_there
            paper.is_there = number % EACH == 0 or self.chance.random() < 0.75
            if paper.is_there and (not paper.title or self.chance.random() < 0.2):
                paper.title = f"On {paper.token}, {moment:%Y-%m-%d %H:%M:%S}"
                is_new = True
            else:
                is_new = False
            if was_there and not paper.is_there:
                paper.events.append("Lost")
                lost.append(paper)
            elif paper.is_there and not was_there:
                paper.events.append("Reappeared" if paper.events else "Recorded")
                self.found_again += [paper.handle] if len(paper.events) > 1 else []
            elif paper.is_there and is_new:
                paper.events.append("Changed")
                self.changed.append(paper.handle)
        self.runs.append((moment, lost))
        self.house.write(lambda engine: self._run(engine, moment))
        self._do(self.page.runner.ended.emit)

    def _run(self, engine: Engine, moment: datetime) -> None:
        root = engine.archive.path.parent / "RePEc"
        files = {
            f"{archive}/{series}/all.rdf": "".join(
                each.text for each in self.papers if each.is_there and each.series == series
            )
            for archive, series in SERIES
        }
        root.mkdir(exist_ok=True)
        write_tree(root, files)
        begin_folder(engine.archive.path)
        store = store_root(engine.archive.path)
        with StoreSession.open(store, engine.archive.ledger.dark, lambda: moment) as keeping:
            read = Directory(root, now=moment.timestamp)
            Gathering(keeping, read, Terms(), lambda told: None, lambda: False).run()

    # What is so

    @property
    def lost(self) -> list[Paper]:
        return [each for each in self.papers if each.events and not each.is_there]

    def lost_by_month(self) -> Counter[str]:
        """How much each month's runs found lost."""
        months: Counter[str] = Counter()
        for moment, lost in self.runs:
            months[f"{moment:%Y-%m}"] += len(lost)
        return +months

    def check(self) -> None:
        page = self.page
        assert page.ui.page.currentIndex() == (FILLED if self.runs else EMPTY)
        if not self.runs:
            return
        days = [texts.moment(round(moment.timestamp())) for moment, _ in reversed(self.runs)]
        assert [texts.moment(run.tist) for run in page.ui.side.runs.listed] == days
        self._check_counts()
        self._check_list()
        if page.listing.has_lives and page.ui.model.rowCount():
            self._check_life()

    def _check_counts(self) -> None:
        count = self.page.ui.side.questions.count
        assert count(Question.SERIES) == str(len(SERIES))
        assert count(Question.LOST) == str(len(self.lost))
        assert count(Question.NEW) == str(len(self.runs[-1][1]))
        assert count(Question.SUSPECT) == count(Question.COPIES) == count(Question.GONE) == "0"

    def _check_list(self) -> None:
        ui, question = self.page.ui, self.page.listing.asked.question
        listed = [ui.model.ident(ui.model.index(at, 0)) for at in range(ui.model.rowCount())]
        assert (ui.results.currentIndex() == LISTED) is bool(listed)
        known = {
            Question.LOST: [each.handle for each in self.lost],
            Question.NEW: [each.handle for each in self.runs[-1][1]],
            Question.CHANGED: self.changed,
            Question.FOUND_AGAIN: self.found_again,
            Question.SEARCH: [
                each.handle for each in self.papers if each.events and self._is_sought(each)
            ],
        }
        if question is Question.SERIES:
            said = [[row[0].partition(",")[0], *row[1:3]] for row in cells(ui.table)]
            assert sorted(said) == sorted(map(self._series, SERIES))
        elif question is not Question.RUN:
            assert sorted(listed) == sorted(known.get(question, ()))

    def _series(self, place: tuple[str, str]) -> list[str]:
        ours = [each for each in self.papers if (each.archive, each.series) == place]
        lost = sum(each in self.lost for each in ours)
        known = sum(bool(each.events) for each in ours)
        return [f"Series {place[0]}:{place[1]}", str(known), str(lost or "–")]

    def _check_life(self) -> None:
        ui, pane = self.page.ui, self.page.ui.pane
        ident = ui.model.ident(ui.table.currentIndex())
        assert pane.is_whole
        assert pane.stack.currentIndex() == SHOWN
        assert pane.life
        paper = next(each for each in self.papers if each.handle == pane.life.ident)
        assert self.page.listing.asked.question is Question.SEARCH or ident == paper.handle
        assert spoken_of(pane) == {paper.token}
        assert pane.ident.text() == paper.handle
        assert pane.state.text() == ("Present" if paper.is_there else "Lost")
        told = sorted((row[0], row[1]) for row in cells(pane.events))
        assert [word for _, word in told] == paper.events
        if pane.tab == TEXT and pane.versions.place is None:
            assert paper.title in pane.text.toPlainText()

    def _is_sought(self, paper: Paper) -> bool:
        return self.sought.casefold() in paper.handle.casefold()

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.ui.pane] if self.page.ui.pane.isVisible() else []))
