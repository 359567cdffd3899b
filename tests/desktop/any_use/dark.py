# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Dark archive page: templates of two series that come, change, go, are renamed and return, run
by run, with the files that they name; and copies of ours that are found damaged, and repaired.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from PySide6.QtCore import Qt

from carrel.dark_archive.harvest import Gathering, Terms
from carrel.dark_archive.place import begin_folder, store_root
from carrel.dark_archive.sources import Directory
from carrel.dark_archive.store_session import StoreSession
from carrel.engine import Engine
from carrel.engine.dark import identified
from carrel.model.dark import FixityChecked, ObiKind
from carrel.model.dark_views import Life
from carrel_desktop.views.dark import texts
from carrel_desktop.views.dark.layout import EMPTY, FILLED, LISTED
from carrel_desktop.views.dark.life_pane import HINT, SHOWN, TEXT
from carrel_desktop.views.dark.questions import SAVED, Question
from desktop.any_use.hearing import spoken_of
from desktop.any_use.house import House, Move
from support.dark_archives import template, write_tree

SERIES = (("aaa", "wpaper"), ("bbb", "journl"))
EACH = 6  # templates of a series; the first of them always stays
RENAMED = 0.3  # of those that go
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
    heir: "Paper | None" = None  # what names its file from some run on
    has_left: bool = False  # for the heir, which came with its last loss and not before
    number: str = ""
    is_damaged: bool = False

    @property
    def handle(self) -> str:
        return f"RePEc:{self.archive}:{self.series}:{self.token}{self.number}"

    @property
    def url(self) -> str:
        """The file that it names, and that its heir does."""
        return f"http://files.example/{self.archive}/{int(self.token[1:4])}.pdf"

    @property
    def text(self) -> str:
        return template(self.handle, self.title, f"File-URL: {self.url}")

    @property
    def is_renamed(self) -> bool:
        return bool(self.events) and not self.is_there and self.has_left

    @property
    def is_lost(self) -> bool:
        return bool(self.events) and not self.is_there and not self.has_left

    @property
    def state(self) -> str:
        """How it stands in the words of its pane, what is wrong with our copy first."""
        stands = "Probably renamed" if self.is_renamed else "Lost" if self.is_lost else "Present"
        return f"Our copy is damaged · {stands}" if self.is_damaged else stands

    def told(self) -> list[str]:
        """Return its events; that it was lost last is none where it was renamed."""
        last = max((at for at, each in enumerate(self.events) if each == "Lost"), default=None)
        return [
            "Probably renamed" if self.is_renamed and at == last else each
            for at, each in enumerate(self.events)
        ]


class DarkRoom:
    """The page, the papers, and what was asked of it last."""

    def __init__(self, house: House) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.page = house.window.pages.dark
        numbers = range(EACH * len(SERIES))
        self.papers = [Paper(f"D{at:03}Z", *SERIES[at // EACH]) for at in numbers]
        self.runs: list[tuple[datetime, list[Paper]]] = []  # with what each found lost
        self.unnamed: set[str] = set()  # files that no template names any more
        self.newly_unnamed: set[str] = set()
        self.changed: list[str] = []
        self.found_again: list[str] = []
        self.sought = ""

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose, self.choose_tab, self.choose_version
        return *chosen, self.ask, self.ask, self.ask, self.search, self.sort, self.choose_run

    @property
    def events(self) -> Sequence[Move]:
        return self.gather, self.gather, self.verify

    # What one does

    def ask(self) -> None:
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
        named = self._named()
        heirs = []
        for number, paper in enumerate(self.papers):
            was_there = paper.is_there
            stays = bool(paper.number) or (number < EACH * len(SERIES) and number % EACH == 0)
            paper.is_there = stays or self.chance.random() < 0.75
            if paper.is_there and (not paper.title or self.chance.random() < 0.2):
                paper.title = f"On {paper.token}, {moment:%Y-%m-%d %H:%M:%S}"
                is_new = True
            else:
                is_new = False
            if was_there and not paper.is_there:
                paper.events.append("Lost")
                lost.append(paper)
                if paper.heir is None and self.chance.random() < RENAMED:
                    heirs.append(self._heir(paper, moment))
            elif paper.is_there and not was_there:
                paper.events.append("Reappeared" if paper.events else "Recorded")
                paper.has_left = False
                self.found_again += [paper.handle] if len(paper.events) > 1 else []
            elif paper.is_there and is_new:
                paper.events.append("Changed")
                self.changed.append(paper.handle)
        self.papers += heirs
        self.runs.append((moment, lost))
        now = self._named()
        self.newly_unnamed = named - now
        self.unnamed = (self.unnamed | named) - now
        self.house.write(lambda engine: self._run(engine, moment))
        self._do(lambda: self.page.runner.ended.emit(True))

    def _heir(self, paper: Paper, moment: datetime) -> Paper:
        """Have the file of a paper named under another handle from now on."""
        made = replace(paper, number="-2", events=["Recorded"], is_there=True, is_damaged=False)
        made.title = f"On {made.token} anew, {moment:%Y-%m-%d %H:%M:%S}"
        paper.heir, paper.has_left = made, True
        return made

    def _named(self) -> set[str]:
        return {each.url for each in self.papers if each.is_there}

    def verify(self) -> None:
        """Let a check find a copy damaged, or the one that was damaged intact again."""
        known = [each for each in self.papers if each.events]
        if not known:
            return
        paper = self.chance.choice(known)
        paper.is_damaged = not paper.is_damaged
        paper.events.append("Our copy verified")
        at = round(datetime.fromisoformat(self.world.moment()).timestamp())
        self.house.write(lambda engine: self._note(engine, paper, at))
        self._do(lambda: self.page.runner.ended.emit(False))

    def _note(self, engine: Engine, paper: Paper, at: int) -> None:
        """Journal what a check found of every version of a paper."""
        ledger = engine.archive.ledger.dark
        _, ident_n = identified(paper.handle)
        bytes_ = {each.sha256 for each in ledger.questions.versions(ObiKind.TOBI, ident_n)}
        bad = dict.fromkeys(bytes_, "damaged") if paper.is_damaged else {}
        mended = () if paper.is_damaged else tuple(bytes_)
        store = store_root(engine.archive.path)
        with StoreSession.open(store, ledger) as keeping:
            keeping.commit([FixityChecked(at, len(bytes_), 1, bad, mended)])

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
        return [each for each in self.papers if each.is_lost]

    def lost_by_month(self) -> Counter[str]:
        """How much each month's runs found lost that is neither back nor renamed."""
        last = {
            paper.handle: moment for moment, lost in self.runs for paper in lost if paper.is_lost
        }
        return Counter(f"{moment:%Y-%m}" for moment in last.values())

    def check(self) -> None:
        page = self.page
        assert page.ui.page.currentIndex() == (FILLED if self.runs else EMPTY)
        if not self.runs:
            return
        days = [texts.moment(round(moment.timestamp())) for moment, _ in reversed(self.runs)]
        assert [texts.moment(run.tist) for run in page.ui.side.runs.listed] == days
        self._check_counts()
        self._check_list()
        asked = page.listing.asked
        assert page.ui.side.search.text() == (
            asked.text if asked.question is Question.SEARCH else ""
        )
        if page.listing.has_lives and page.ui.model.rowCount():
            self._check_life()
        elif page.listing.has_lives:
            assert page.chosen.life is None
            assert page.ui.pane.stack.currentIndex() == HINT

    def _check_counts(self) -> None:
        count = self.page.ui.side.questions.count
        assert count(Question.SERIES) == str(len(SERIES))
        assert count(Question.LOST) == str(len(self.lost))
        assert count(Question.NEW) == str(len(self._new))
        assert count(Question.RENAMED) == str(sum(each.is_renamed for each in self.papers))
        assert count(Question.UNNAMED) == str(len(self.unnamed))
        assert count(Question.COPIES) == str(sum(each.is_damaged for each in self.papers))
        assert count(Question.CHANGED) == str(len(self.changed))
        assert count(Question.FOUND_AGAIN) == str(len(self.found_again))
        assert count(Question.SUSPECT) == count(Question.GONE) == "0"
        self._check_sums()
        self._check_series()

    @property
    def newly_lost(self) -> int:
        """How many templates the last run missed that are not just renamed."""
        missed = self.runs[-1][1] if self.runs else ()
        return sum(not each.is_renamed for each in missed)

    @property
    def _new(self) -> list[str]:
        return [*(each.handle for each in self.runs[-1][1]), *self.newly_unnamed]

    def _check_sums(self) -> None:
        """What the strip says of the last run adds up to what is newly missing or lost."""
        said = self.page.ui.strip.last.text()
        parts = re.findall(r"(\d+) (?:lost|probably renamed|no longer named|suspect)", said)
        assert sum(map(int, parts)) == len(self._new)

    def _check_list(self) -> None:
        ui, question = self.page.ui, self.page.listing.asked.question
        listed = [ui.model.ident(ui.model.index(at, 0)) for at in range(ui.model.rowCount())]
        assert (ui.results.currentIndex() == LISTED) is bool(listed)
        known = {
            Question.LOST: [each.handle for each in self.lost],
            Question.NEW: self._new,
            Question.RENAMED: [each.handle for each in self.papers if each.is_renamed],
            Question.UNNAMED: self.unnamed,
            Question.NEVER_HELD: {each.url for each in self.papers if each.events},
            Question.COPIES: [each.handle for each in self.papers if each.is_damaged],
            Question.CHANGED: self.changed,
            Question.FOUND_AGAIN: self.found_again,
            Question.SEARCH: [
                each.handle for each in self.papers if each.events and self._is_sought(each)
            ],
        }
        if question not in (Question.SERIES, Question.RUN):
            assert sorted(listed) == sorted(known.get(question, ()))

    def _check_series(self) -> None:
        """Each series says how many of its templates are lost, and apart from these, renamed."""
        columns = self.page.answers.kind(Question.SERIES).columns
        headings = "Series", "Templates", "Templates lost", "Renamed", "Newly missing or lost"
        by_heading = {each.heading: each for each in columns}
        asked = [by_heading[heading] for heading in headings]
        shown = [[each.text(row) for each in asked] for row in self.page.answers.board.series]
        assert sorted(shown) == sorted(map(self._series, SERIES))

    def _series(self, place: tuple[str, str]) -> list[str]:
        ours = [each for each in self.papers if (each.archive, each.series) == place]
        lost, renamed = sum(each.is_lost for each in ours), sum(each.is_renamed for each in ours)
        known = sum(bool(each.events) for each in ours)
        gone = sum(each in self.runs[-1][1] for each in ours)
        new = gone + len({each.url for each in ours} & self.newly_unnamed)
        figures = [str(each or "–") for each in (known, lost, renamed, new)]
        return [":".join(place), *figures]

    def _check_life(self) -> None:
        ui, pane = self.page.ui, self.page.ui.pane
        ident = ui.model.ident(ui.table.currentIndex())
        assert pane.is_whole
        assert pane.stack.currentIndex() == SHOWN
        assert pane.life
        assert ident == pane.life.ident
        if pane.life.kind is ObiKind.FOBI:
            assert pane.ident.text() == ident
            state = "No longer named" if ident in self.unnamed else "Never captured"
            assert pane.state.text() == state
            return
        paper = next(each for each in self.papers if each.handle == pane.life.ident)
        assert spoken_of(pane) == {paper.token}
        assert pane.ident.text() == paper.handle
        assert pane.state.text() == paper.state
        assert [row[2] for row in self._told_events()] == paper.told()
        self._check_clocks(pane.life)
        if pane.tab == TEXT and pane.versions.place is None:
            assert paper.title in pane.text.toPlainText()

    def _check_clocks(self, life: Life) -> None:
        """Each event is dated by the run or check that recorded it, and by no date of the data."""
        recorded = [row[0] for row in self._told_events()]
        assert recorded == [texts.moment(each.tist) for each in life.events]
        runs = {texts.moment(round(moment.timestamp())) for moment, _ in self.runs}
        own = [each for each in life.events if each.what not in ("damaged", "repaired")]
        assert {texts.moment(each.tist) for each in own} <= runs

    def _told_events(self) -> list[list[str]]:
        """Return the cells of the table of events."""
        model = self.page.ui.pane.events.rows
        return [[each.text(row) for each in model.kind.columns] for row in model.listed]

    def _is_sought(self, paper: Paper) -> bool:
        return self.sought.casefold() in paper.handle.casefold()

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.ui.pane] if self.page.ui.pane.isVisible() else []))
