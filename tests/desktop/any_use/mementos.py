# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Mementos page: captures in two archives on this machine and in a WARC, and who has which."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt

from carrel.archive import Archive
from carrel_desktop.views.mementos.layout import ASKED, EMPTY, LISTED, NOBODY, NONE_FOUND
from carrel_desktop.views.mementos.preview import ONE, TWO
from carrel_desktop.views.mementos.rows import time_text
from desktop.any_use.hearing import heard, spoken_of, tokens
from desktop.any_use.house import House, Move
from desktop.any_use.world import Attempt, Dataset
from support.memento_archives import StandIn
from support.warcs import response, write_warc

PRIVATE = "http://10.1.2.3/M900Z"  # no archive elsewhere is asked for it
URLS = (*(f"http://pages.example/M{number:03}Z" for number in range(6)), PRIVATE)
OWN, NORTH, SOUTH = "own", "north", "south"
CONFIG = """\
collections:
  all:
    index_group:
      own: ./own.warc.gz
      north:
        type: memento
        timegate_url: {north}/timegate/{{url}}
        timemap_url: {north}/timemap/link/{{url}}
        replay_url: {north}/web/{{timestamp}}id_/{{url}}
      south: cdx+{south}/cdx {south}/web/
  here:
    index_group:
      own: ./own.warc.gz
"""


@dataclass(frozen=True)
class Captured:
    """A capture, and who has it."""

    url: str
    timestamp: str
    who: str

    @property
    def body(self) -> bytes:
        (token,) = tokens(self.url)
        return f"{token} as of {self.timestamp}, {self.who}".encode()


class MementosRoom:
    """The page, the captures, and what was looked up last, with what there was by then."""

    def __init__(self, house: House, north: StandIn, south: StandIn) -> None:
        self.house, self.chance = house, house.chance
        self.page = house.window.pages.mementos
        self.archives = {NORTH: north, SOUTH: south}
        self.captures: list[Captured] = []
        self._numbers = count()
        self.dataset: Dataset | None = None  # the one whose parts were listed last
        self.parts: Attempt | None = None
        self.asked = ""
        self.found: list[Captured] = []
        self.word, self.is_local = "", False

    def furnish(self, archive: Archive) -> None:
        """Have each archive have captures of most of the URLs, none of the others."""
        for url in URLS[:5]:
            for who in (OWN, NORTH, SOUTH):
                self.captures += [self._capture(url, who) for _ in range(self.chance.randrange(4))]
        write(archive.path, self.captures, self.archives[NORTH].origin, self.archives[SOUTH].origin)
        for each in self.captures:
            self._hold(each)

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose, self.choose_two, self.preview, self.compare
        asked = self.look_up, self.look_up, self.ask_others, self.show_dataset
        return *chosen, *asked, self.filter, self.sort

    @property
    def events(self) -> Sequence[Move]:
        return ()

    # What one does

    def look_up(self) -> None:
        url = self.chance.choice(URLS)
        if url != PRIVATE and self.chance.random() < 0.5:  # an archive has one more by now
            who = self.chance.choice((NORTH, SOUTH))
            self.captures.append(self._capture(url, who))
            self._hold(self.captures[-1])
        self._note(url)
        self._do(lambda: self.page.show_url(url))

    def ask_others(self) -> None:
        """Ask another collection for the same."""
        box = self.page.ui.collection
        box.setCurrentIndex(self.chance.randrange(box.count()))
        if self.asked:
            self._note(self.asked)
        self._do(lambda: box.activated.emit(box.currentIndex()))

    def show_dataset(self) -> None:
        """Have the parts of a held dataset listed, and the first looked up: no one else has it."""
        self.dataset = self.chance.choice(self.house.world.listed)
        held = self.dataset.held
        assert held
        self._do(lambda: self.page.show_dataset(held.ingest_id, held.url))
        self.parts = held
        self.asked, self.found = self.page.look_up_now.asked, []

    def choose(self) -> None:
        if rows := self.page.model.rowCount():
            self._do(lambda: self.page.ui.table.choose(self.chance.randrange(rows)))

    def choose_two(self) -> None:
        if (rows := self.page.model.rowCount()) > 1:
            places = self.chance.sample(range(rows), 2)
            self._do(lambda: self.page.ui.table.choose_all(places))

    def preview(self) -> None:
        if self.page.page_actions.preview.isEnabled():
            self._do(self.page.page_actions.preview.trigger)

    def compare(self) -> None:
        if self.page.page_actions.compare.isEnabled():
            self._do(self.page.page_actions.compare.trigger)

    def sort(self) -> None:
        column = self.chance.randrange(self.page.model.columnCount())
        order = self.chance.choice(tuple(Qt.SortOrder))
        self._do(lambda: self.page.ui.table.sortByColumn(column, order))

    def filter(self) -> None:
        filters = self.page.ui.filters
        self.word = self.chance.choice(("", "", "2019", "2020", NORTH, "nowhere"))
        self.is_local = self.chance.random() < 0.2
        filters.search.setText(self.word)
        filters.local.setChecked(self.is_local)
        self._do(filters.search.seek_now)

    # What is so

    @property
    def expected(self) -> list[Captured]:
        """What is to be listed of what was found."""
        return [
            each
            for each in self.found
            if self.word in f"{time_text(each.timestamp)} {each.who}"
            and (each.who == OWN or not self.is_local)
        ]

    def check(self) -> None:
        page = self.page
        assert page.ui.page.currentIndex() == (ASKED if self.asked else EMPTY)
        if not self.asked:
            return
        self._check_dataset()
        found = LISTED if self.expected else NONE_FOUND if self.found else NOBODY
        assert page.ui.results.currentIndex() == found
        rows = {(row.memento.timestamp, row.memento.source) for row in page.model.listed}
        assert rows == {(each.timestamp, each.who) for each in self.expected}
        for at, row in enumerate(page.model.listed):
            said = page.model.index(at, 0).data(Qt.ItemDataRole.AccessibleTextRole)
            assert said.startswith(f"{time_text(row.memento.timestamp)}, {row.memento.source}")
        self._check_sources()
        if found == NOBODY:
            self._check_nobody()
        if self.expected:
            self._check_pane()

    def _check_dataset(self) -> None:
        """The parts of a dataset are listed as long as one of them is looked up."""
        pane = self.page.ui.dataset
        assert pane.isVisible() is (self.asked not in URLS)
        if not pane.isVisible():
            return
        assert self.dataset
        assert self.parts
        assert spoken_of(pane) == {self.dataset.token}
        assert pane.title.text() == self.dataset.title
        here = {part.part.path for part in pane.model.listed if part.is_here} - {""}
        assert here == {file.path for file in self.parts.kept}
        listed = [part.part.path for part in pane.model.listed if part.part.path]
        assert sorted(listed) == sorted(file.path for file in self.parts.files)

    def _check_nobody(self) -> None:
        """Only what answered is said to have nothing."""
        said = "\n".join(heard(self.page.ui.results))
        is_cut = self.asked == PRIVATE and self.page.look_up_now.collection != "here"
        assert ("All archives of the collection answered" in said) is not is_cut
        if is_cut:
            assert "1 archive answered; it has no capture" in said
            assert "2 were not queried" in said

    def _check_sources(self) -> None:
        said = [each.accessibleName() for each in self.page.ui.board.indicators.indicators]
        for words in said:
            who = words.partition(":")[0]
            assert "This archive" not in words  # it is none of these
            if self.asked == PRIVATE and who != OWN:
                assert "Answered" not in words
                continue
            told = _captures(sum(each.who == who for each in self.found))
            assert f"Answered: {told}." in words

    def _check_pane(self) -> None:
        pane, chosen = self.page.ui.pane, self.page.ui.table.chosen()
        if not chosen:
            return
        assert pane.is_whole
        assert spoken_of(pane) <= tokens(self.asked)
        if len(chosen) == 1:
            memento = chosen[0].memento
            assert pane.stack.currentIndex() == ONE
            assert pane.time.text() == f"{time_text(memento.timestamp)} UTC"
            others = {each.body.decode() for each in self.captures}
            own = Captured(self.asked, memento.timestamp, memento.source).body.decode()
            told = "\n".join(heard(pane))
            assert not any(each in told for each in others - {own})
            if self.page.chosen.is_peeked:
                assert own in told
        elif len(chosen) == 2:
            assert pane.stack.currentIndex() == TWO
            told = "\n".join(heard(pane))
            assert all(time_text(row.memento.timestamp) in told for row in chosen)

    def _note(self, url: str) -> None:
        """Note what a look-up finds that begins now."""
        is_here = self.page.ui.collection_name() == "here"
        found = [each for each in self.captures if each.url == url]
        self.asked = url
        self.found = [each for each in found if not is_here or each.who == OWN]

    def _capture(self, url: str, who: str) -> Captured:
        number = next(self._numbers)
        return Captured(url, f"{2018 + number % 4}0304{number // 60:02}{number % 60:02}07", who)

    def _hold(self, each: Captured) -> None:
        if each.who in self.archives:
            self.archives[each.who].hold(each.url, each.timestamp, body=each.body)

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.ui.pane] if self.page.ui.pane.isVisible() else []))


def _captures(number: int) -> str:
    return {0: "no captures", 1: "1 capture"}.get(number, f"{number} captures")


def write(folder: Path, captures: Sequence[Captured], north: str, south: str) -> None:
    """Write the WARC of what is held here, and the collections file that names all three."""
    own = [each for each in captures if each.who == OWN]
    plain = (("Content-Type", "text/plain"),)
    records = [
        response(each.url, each.body, date=_iso(each.timestamp), headers=plain) for each in own
    ]
    write_warc(folder / "own.warc.gz", *records)
    (folder / "collections.yaml").write_text(CONFIG.format(north=north, south=south))


def _iso(timestamp: str) -> str:
    return f"{time_text(timestamp).replace(' ', 'T')}Z"
