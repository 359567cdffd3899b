# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Watch page: what is watched, and how each stood at the last check that a schedule made."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count

from PySide6.QtCore import Qt

from carrel.engine.watch import Look, Sight, WatchList
from carrel.engine.watch.published import Published
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.events import ScheduleChanged
from carrel.model.schedule import Ending, ScheduledRun, Task
from carrel_desktop.views.watch.columns import Watched
from carrel_desktop.views.watch.view import EMPTY, FILLED
from desktop.any_use.hearing import spoken_of, tokens
from desktop.any_use.house import House, Move
from desktop.any_use.world import Attempt

# As the page says it, what needs a person first.
RANKED = (
    *(
        "Gone",
        "No dataset found",
        "Changed",
        "New version",
        "Could not be checked",
        "Not checked yet",
        "Archived since",
    ),
    *("As first seen", "No change published"),
)
DIFFERING = "Gone", "No dataset found", "Changed", "New version"
FILE_RANKED = (
    *("Gone", "Changed", "New", "Renamed", "No longer listed", "Not compared yet", "First check"),
    "No change published",
)
ALTERED = "Changed", "Renamed", "No longer listed"
ELSEWHERE = tuple(f"https://elsewhere.example/W{number:03}Z" for number in range(4))


@dataclass
class Seen:
    """How a watched dataset stood at its last check: in a word, and file by file.

    `captured` is the attempt that it was compared with, `first` what was published at the first
    check of one that was never archived.
    """

    word: str = "Not checked yet"
    captured: str | None = None
    first: tuple[ManifestFile, ...] | None = None
    files: dict[str, str] = field(default_factory=dict)
    is_answered: bool = False  # at any check
    is_unanswered: bool = False  # at the last one
    is_gone: bool = False  # when it was seen last
    lost: str = ""  # the month of the first check that found gone what the last one did
    lost_files: dict[str, str] = field(default_factory=dict)  # and of files, till published again


class WatchRoom:
    """The page, and what is watched, or was."""

    def __init__(self, house: House) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.page = house.window.pages.watch
        self.watched: list[str] = []
        self.seen: dict[str, Seen] = {}
        self._digests = (f"{number:f>64}" for number in count(1))

    @property
    def moves(self) -> Sequence[Move]:
        chosen = self.choose, self.choose, self.choose, self.sort, self.list_unchanged
        return *chosen, self.choose_none, self.watch, self.watch, self.remove

    @property
    def events(self) -> Sequence[Move]:
        return self.look, self.look

    # What one does

    def choose(self) -> None:
        if count := self.page.model.rowCount():
            self._do(lambda: self.page.table.choose(self.chance.randrange(count)))

    def choose_none(self) -> None:
        """Click where no row is."""
        self._do(self.page.table.clearSelection)

    def sort(self) -> None:
        column, order = self.chance.choice(tuple(Watched)), self.chance.choice(tuple(Qt.SortOrder))
        self._do(lambda: self.page.table.sortByColumn(column, order))

    def list_unchanged(self) -> None:
        self._do(self.page.page_actions.same.trigger)

    def watch(self) -> None:
        """Watch something that is archived here, or elsewhere."""
        held = [url for each in self.world.listed for url in each.urls if each.has_kept(url)]
        url = self.chance.choice((*held, *ELSEWHERE))
        self._do(lambda: self.page.watch([url]))
        if url not in self.watched:
            self.watched.append(url)
            self.seen.setdefault(url, Seen())

    def remove(self) -> None:
        """Stop watching what is chosen, and maybe undo it."""
        urls = [row.base_url for row in self.page._chosen()]
        if not urls or not self.page.page_actions.remove.isEnabled():
            return
        self._do(self.page.page_actions.remove.trigger)
        self.watched = [url for url in self.watched if url not in urls]
        if self.chance.random() < 0.5:
            self.check()
            self._do(self.house.window.last_done.undo)
            self.watched += urls

    # What happens

    def look(self) -> None:
        """Let a scheduled check see how something stands now."""
        if not self.watched:
            return
        url = self.chance.choice(self.watched)
        seen, moment = self.seen[url], self.world.moment()
        look = self._look(url, seen, round(datetime.fromisoformat(moment).timestamp()))
        if look.is_plain and seen.word != "No dataset found":
            is_cut = seen.word == "Changed" and "Gone" in seen.files.values()
            seen.is_gone = seen.word == "Gone"
            seen.lost = (seen.lost or moment[:7]) if seen.is_gone or is_cut else ""
            self._note_lost_files(seen, look, moment[:7] if is_cut else "")
        self.house.write(lambda engine: WatchList(engine.archive).note(look))
        run = ScheduledRun(Task.WATCH, moment, moment, Ending.DONE)
        self._do(lambda: self.house.window.session.events.emit([ScheduleChanged("", run)]))

    def _note_lost_files(self, seen: Seen, look: Look, month: str) -> None:
        """Note which files are lost since when: those of before that are not published again."""
        published = {file.path for file in look.published.files} if look.published else set()
        renamed = {path for path, word in seen.files.items() if word == "Renamed"}
        gone = [path for path, word in seen.files.items() if word == "Gone" and month]
        there = {*published, *(renamed if published else ())}
        kept = {path: since for path, since in seen.lost_files.items() if path not in there}
        seen.lost_files = {**dict.fromkeys(gone, month), **kept}

    def _look(self, url: str, seen: Seen, at: int) -> Look:
        """Return what a check sees, and note it as known."""
        (token,) = tokens(url)
        captured = self._captured(url)
        then = captured.files if captured else seen.first
        can_be_compared = captured is None or all(it.is_kept for it in captured.files)
        kind = self.chance.choice(("gone", "unreachable", "there", "there", "there", "newer"))
        if kind == "unreachable" or not (can_be_compared and self._has_digests(url)):
            if self.word(url) not in DIFFERING:  # which stands until a check tells otherwise
                seen.word = "Could not be checked"
            seen.is_unanswered = True
            message = f"Nobody answers for {token}."
            return Look(url, at, Sight.UNSEEN, Status.NETWORK_ERROR, message)
        seen.is_answered, seen.is_unanswered = True, False
        seen.captured = captured.ingest_id if captured else None
        if kind == "gone" and then is None:
            seen.word = "No dataset found"
            return Look(url, at, Sight.GONE, Status.PLATFORM_404, f"There is no {token}.")
        if kind == "gone":
            paths = [it.path for it in then or ()]
            seen.word, seen.files = "Gone", dict.fromkeys(paths, "Gone")
            return Look(
                url,
                at,
                Sight.GONE,
                Status.PLATFORM_404,
                f"There is no {token}.",
                missing=dict.fromkeys(paths, 404),
                asked=len(paths),
                requested=paths,
            )
        files, what = self._published(token, then or _first_files(token))
        version = "2.0" if kind == "newer" else "1.0"
        published = Published(
            self._platform(url),
            "data.example",
            token,
            version,
            f"Soundings {token}",
            files=files,
        )
        is_same = set(what.values()) <= {"No change published"}
        seen.files, seen.word = what, "No change published" if is_same else "Changed"
        if captured is None and is_same:
            seen.word = "As first seen"
        if then is None:  # the first check
            seen.first, seen.word = files, "As first seen"
            seen.files = dict.fromkeys((file.path for file in files), "First check")
            published = replace(published, version="1.0")
        elif version != "1.0":
            seen.word = "New version"
        return Look(url, at, Sight.DESCRIBED, published=published)

    def _published(
        self, token: str, then: tuple[ManifestFile, ...]
    ) -> tuple[tuple[ManifestFile, ...], dict[str, str]]:
        """Return what is published of what there was then, and what became of each file."""
        files: list[ManifestFile] = []
        what: dict[str, str] = {}
        for file in then:
            became = self.chance.choice(
                ("No change published",) * 6 + ("Changed", "Gone", "Renamed")
            )
            if became == "Renamed":
                file = replace(file, path=f"renamed-{file.path}")
            is_cut = became == "Gone"
            if is_cut and file.platform_url:
                became = "No longer listed"  # its own address was not requested
            what[file.path] = became
            is_changed = became == "Changed"
            digests = {"sha256": next(self._digests)} if is_changed else file.declared.digests
            if not is_cut:
                files.append(replace(file, declared=Fixity(file.declared.size, digests)))
        path = f"{token}-new.csv"
        if path not in what and self.chance.random() < 0.2:
            files.append(ManifestFile(path, declared=Fixity(7, {"sha256": "a" * 64})))
            what[path] = "New"
        return tuple(files), what

    # What is so

    def lost_by_month(self) -> tuple[Counter[str], Counter[str]]:
        """How many datasets that were ever watched are gone, and how many files of them, by the
        month in which that was found."""
        seen = [each for each in self.seen.values() if each.lost]
        datasets = Counter(each.lost for each in seen if each.is_gone)
        files = Counter(since for it in self.seen.values() for since in it.lost_files.values())
        return datasets, files

    def word(self, url: str) -> str:
        """Return how a watched dataset stands: by its last check, unless archived anew since."""
        seen, captured = self.seen[url], self._captured(url)
        is_newer = (captured.ingest_id if captured else None) != seen.captured
        is_seen = seen.word not in ("Could not be checked", "Not checked yet")
        return "Archived since" if is_seen and is_newer else seen.word

    def counts(self) -> Counter[str]:
        return Counter(map(self.word, self.watched))

    def check(self) -> None:
        page = self.page
        assert page.stack.currentIndex() == (FILLED if self.watched else EMPTY)
        assert {row.base_url for row in page.model.listed} == set(self.watched)
        if not self.watched:
            return
        for at, row in enumerate(page.model.listed):
            self._check_row(at, row.base_url)
        assert page.strip.words.text() == _counted("dataset", self.counts(), RANKED)
        row_of_pane = page._current()
        assert (row_of_pane is not None) == (len(page._chosen()) == 1)
        is_one = page.beside.currentWidget() is page.detail
        assert is_one == (len(page._chosen()) < 2)
        assert page.page_actions.ingest.isEnabled() == (is_one and page.detail.is_whole)
        if row_of_pane:
            self._check_pane(row_of_pane.base_url)

    def _check_row(self, at: int, url: str) -> None:
        model, files = self.page.model, Counter(self.seen[url].files.values())
        assert tokens(str(model.index(at, Watched.DATASET).data())) == tokens(url)
        assert model.index(at, Watched.STATE).data() == self.word(url)
        for column, number in (
            (Watched.CHANGED, sum(files[word] for word in ALTERED)),
            (Watched.GONE, files["Gone"]),
            (Watched.ADDED, files["New"]),
        ):
            assert model.index(at, column).data() == str(number or "–"), (url, column)

    def _check_pane(self, url: str) -> None:
        pane, expected = self.page.detail, self.seen[url].files or self._unchecked(url)
        files = Counter(expected.values())
        assert pane.is_whole
        assert spoken_of(pane) == tokens(url)
        assert pane.state.word.text() == self.word(url)
        listed = {file.path: file.what for file in pane.files.all}
        assert listed.keys() == expected.keys()
        word, seen = self.word(url), self.seen[url]
        is_of_before = word == "Archived since"
        if files:
            when = "At the last check: " if is_of_before else ""
            is_unseen = seen.is_unanswered or word == "No dataset found"
            if not is_of_before and is_unseen and seen.files:
                when = "At the last check that could tell: "
            assert pane.count.text() == when + _counted("file", files, FILE_RANKED)
        assert ("Last checked" in pane.title.facts.text()) == seen.is_answered
        assert ("Last attempt" in pane.title.facts.text()) == seen.is_unanswered
        assert (f": {seen.word}" in pane.title.facts.text()) == is_of_before

    def _unchecked(self, url: str) -> dict[str, str]:
        """What is archived of a dataset that no check has seen."""
        captured = self._captured(url)
        return {file.path: "Not compared yet" for file in captured.kept} if captured else {}

    def _captured(self, url: str) -> Attempt | None:
        return next(
            (it for each in self.world.datasets if (it := each.captured(url)) is not None), None
        )

    def _has_digests(self, url: str) -> bool:
        return all(it.has_digests for it in self.world.datasets if it.token in url)

    def _platform(self, url: str) -> str:
        names = (it.platform for it in self.world.datasets if it.token in url)
        return next(names, "figshare")

    def _do(self, act: Move) -> None:
        self.house.do(act, *([self.page.detail] if self.page.isVisible() else []))


def _first_files(token: str) -> tuple[ManifestFile, ...]:
    fixities = (Fixity(100 * at, {"sha256": f"{at:064x}"}) for at in range(1, 4))
    return tuple(
        ManifestFile(f"{token}-{at}.csv", declared=fixity) for at, fixity in enumerate(fixities)
    )


def _counted(noun: str, counts: Counter[str], ranked: Sequence[str]) -> str:
    whole = counts.total()
    parts = (f"{word} {counts[word]}" for word in ranked if counts[word])
    return " · ".join([f"{whole} {noun}" if whole == 1 else f"{whole} {noun}s", *parts])
