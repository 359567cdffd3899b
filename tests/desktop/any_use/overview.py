# SPDX-License-Identifier: AGPL-3.0-or-later
"""The Overview: its numbers, what needs the person, and its pictures, figure by figure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from carrel.model import Job, JobState
from carrel.model.holdings import Checked, Facet, State
from carrel.model.job import HINDRANCES
from carrel.model.need_words import sentence_on
from carrel.model.standing import Need
from carrel_desktop import quantities
from carrel_desktop.foreign import shown
from carrel_desktop.holding_rows import facets
from carrel_desktop.views.overview.view import FILLED
from carrel_desktop.widgets.charts.card import ChartCard
from desktop.any_use.dark import DarkRoom
from desktop.any_use.hearing import cells, heard
from desktop.any_use.house import House, Move
from desktop.any_use.queue import QueueRoom
from desktop.any_use.watch import WatchRoom
from desktop.any_use.world import NOW, WITHIN_DAYS, Dataset

CHANGED = ("Changed", "New version", "Restricted now")  # as the Watch page says it


@dataclass(frozen=True)
class Much:
    """So many datasets, with their files and bytes."""

    datasets: int
    files: int
    size: int


def much(datasets: Sequence[Dataset]) -> Much:
    kept = [each.held for each in datasets if each.held]
    return Much(len(kept), sum(len(it.kept) for it in kept), sum(it.size for it in kept))


class OverviewRoom:
    """The page, beside what the other pages are known to have."""

    def __init__(self, house: House, queue: QueueRoom, watch: WatchRoom, dark: DarkRoom) -> None:
        self.house, self.world, self.chance = house, house.world, house.chance
        self.queue, self.watch, self.dark = queue, watch, dark
        self.page = house.window.pages.overview

    @property
    def moves(self) -> Sequence[Move]:
        return self.choose_amount, self.show_as_table, self.show_all_as_tables, self.follow_number

    @property
    def events(self) -> Sequence[Move]:
        return ()

    def choose_amount(self) -> None:
        board = self.page.board
        card = self.chance.choice((board.growth, board.platforms))
        assert card.amounts
        self.house.do(self.chance.choice(card.amounts.chips).click)

    def show_as_table(self) -> None:
        self.house.do(self.chance.choice(self.page.board.cards).as_table.toggle)

    def show_all_as_tables(self) -> None:
        self.house.do(self.page.page_actions.tables.trigger)

    def follow_number(self) -> None:
        """See the needs that a number counts; the others lead away from here."""
        self.house.do(self.page.board.tiles[-1].click)

    # What is so

    def check(self) -> None:
        page = self.page
        assert page.stack.currentIndex() == FILLED
        assert page.board.is_whole
        told = set(heard(page.board))
        assert self._held() <= told
        assert self._verified() <= told
        assert self._running() <= told
        self._check_needs()
        board = page.board
        self._check_picture(board.growth, ("Archived", "Archived by then"), self._growth())
        self._check_picture(board.platforms, ("Datasets", "Files", "Bytes"), self._platforms())
        self._check_picture(board.ages, ("Share", "Datasets"), self._ages())
        watched = "Watched datasets", "Files of watched datasets"
        dark = "Templates by data date", "Full texts by request date"
        self._check_picture(board.losses, (*watched, *dark), self._losses())

    def _held(self) -> set[str]:
        all_, first = much(self.world.listed), (NOW - timedelta(days=30)).date().isoformat()
        new = much([it for it in self.world.listed if it.held and it.held.moment >= first])
        files, size = quantities.files(all_.files), quantities.size(all_.size)
        added = "None archived in the last 30 days."
        if new.datasets:
            datasets = quantities.datasets(new.datasets)
            added = f"{datasets}, {quantities.size(new.size)} archived in the last 30 days."
        return {f"Datasets held: {all_.datasets}", f"{files}, {size}.\n{added}"}

    def _verified(self) -> set[str]:
        listed = self.world.listed
        within = sum(each.checked in WITHIN_DAYS for each in listed)
        states = Counter(state for each in listed for state in each.states)
        damaged = sum(each.checked is Checked.DAMAGED for each in listed)
        due, told = (
            len(listed) - within - damaged,
            "In the last 365 days, and intact.",
        )
        if due:
            datasets = "1 dataset was" if due == 1 else f"{due} datasets were"
            told += f" {datasets} not verified in that time."
        unproven = sum(_is_unproven(each) for each in listed)
        faults = (
            (states[State.DAMAGED] + states[State.EARLIER_LOST], "damaged"),
            (states[State.INCOMPLETE], "incomplete"),
            (unproven, "with files not proven by a checksum"),
        )
        parts = " · ".join(f"{count} {word}" for count, word in faults if count)
        share = quantities.share(within, len(listed))
        return {f"Verified again: {share}", "\n".join(filter(None, (told, parts)))}

    def _running(self) -> set[str]:
        jobs = list(self.queue.jobs.values())
        states = Counter(job.state for job in jobs if not job.is_on_hold)
        counts = (
            (states[JobState.QUEUED], "queued"),
            (sum(job.is_on_hold for job in jobs), "on hold"),
            (states[JobState.PAUSED], "paused"),
            (states[JobState.ASKING], "awaiting answer"),
            (states[JobState.FAILED], "failed"),
            (states[JobState.CANCELLED], "cancelled"),
            (states[JobState.DONE], "done"),
        )
        told = " · ".join(f"{count} {word}" for count, word in counts if count)
        none = "No others." if states[JobState.RUNNING] else "The queue is empty."
        return {f"Jobs running now: {states[JobState.RUNNING]}", told or none}

    def _needs(self) -> dict[Need, int]:
        states = Counter(state for each in self.world.listed for state in each.states)
        jobs, watched = list(self.queue.jobs.values()), self.watch.counts()
        waiting = (JobState.QUEUED, JobState.PAUSED)
        counts = {
            Need.DAMAGED: states[State.DAMAGED] + states[State.EARLIER_LOST],
            Need.DARK_DAMAGED: sum(each.is_damaged for each in self.dark.papers),
            Need.ON_HOLD: sum(it.state in waiting and it.status in HINDRANCES for it in jobs),
            Need.ASKING: sum(it.state is JobState.ASKING for it in jobs),
            Need.DARK_LOST: self.dark.newly_lost,
            Need.GONE: watched["Gone"],
            Need.NO_DATASET: watched["No dataset found"],
            Need.CHANGED: sum(watched[name] for name in CHANGED),
            Need.FAILED: sum(it.state is JobState.FAILED for it in jobs if self._is_open(it)),
            Need.INCOMPLETE: states[State.INCOMPLETE],
        }
        return {need: count for need, count in counts.items() if count}

    def _is_open(self, job: Job) -> bool:
        """Say whether the dataset of a job was not archived since that ended."""
        attempts = self.world.of(job.request.base_url).attempts
        return not any(it.status.is_success and it.moment > (job.finished or "") for it in attempts)

    def _check_needs(self) -> None:
        needs, lines = self._needs(), self.page.board.needs.lines
        shown_needs = {it for it, line in lines.items() if not line.isHidden()} - {Need.ROOM}
        assert shown_needs == needs.keys()
        for need, count in needs.items():
            assert lines[need].sentence.text() == sentence_on(need, count, str(count))

    def _check_picture(
        self, card: ChartCard, headings: Sequence[str], expected: Sequence[Sequence[str]]
    ) -> None:
        """What a screen reader finds in the cells of a picture, or of its table, row by row."""
        widget = card.table if card.as_table.isChecked() else card.chart
        assert widget.isVisible() is bool(expected)
        if expected:
            assert cells(widget) == [_as_heard(row, headings) for row in expected]

    def _growth(self) -> Sequence[Sequence[str]]:
        card = self.page.board.growth
        assert card.amounts
        is_bytes = bool(card.amounts.checkedId())
        added: Counter[str] = Counter()
        for each in self.world.listed:
            assert each.held
            added[each.held.moment[:7]] += each.size if is_bytes else 1
        said, rows, whole = (quantities.size if is_bytes else quantities.number), [], 0
        for month in _months(min(added, default=""), NOW.strftime("%Y-%m")):
            whole += added[month]
            rows.append((month, said(added[month]), said(whole)))
        return rows

    def _platforms(self) -> Sequence[Sequence[str]]:
        card = self.page.board.platforms
        assert card.amounts
        names = {each.platform for each in self.world.listed}
        by_name = {
            name: much([it for it in self.world.listed if it.platform == name]) for name in names
        }
        is_bytes = bool(card.amounts.checkedId())
        most = sorted(names)
        most.sort(key=lambda name: -by_name[name].datasets)
        if is_bytes:
            most.sort(key=lambda name: -by_name[name].size)
        return [
            (
                shown(facets.value_in_words(Facet.PLATFORM, name)),
                quantities.number(by_name[name].datasets),
                quantities.number(by_name[name].files),
                quantities.size(by_name[name].size),
            )
            for name in most
        ]

    def _ages(self) -> Sequence[Sequence[str]]:
        listed = self.world.listed
        ages = Counter(each.checked for each in listed)
        return [
            (facets.checked(age), quantities.share(ages[age], len(listed)), str(ages[age]))
            for age in Checked
            if listed
        ]

    def _losses(self) -> Sequence[Sequence[str]]:
        datasets, files = self.watch.lost_by_month()
        dark = self.dark.lost_by_month()
        lost = datasets + files + dark
        return [
            (month, str(datasets[month]), str(files[month]), str(dark[month]), "0")
            for month in (_months(min(lost), NOW.strftime("%Y-%m")) if lost else ())
        ]


def _as_heard(row: Sequence[str], headings: Sequence[str]) -> list[str]:
    """Return what is said of a piece: all of it in a sentence, then figure by figure."""
    name, *figures = row
    told = ", ".join(f"{head} {figure}" for head, figure in zip(headings, figures, strict=True))
    return [f"{name}: {told}", *figures]


def _is_unproven(dataset: Dataset) -> bool:
    return not dataset.has_digests


def _months(first: str, last: str) -> Sequence[str]:
    """Return the months from one to another, six at least."""
    begin, end = _number(first or last), _number(last)
    numbers = range(min(begin, end - 5), end + 1)
    return [f"{each // 12:04}-{each % 12 + 1:02}" for each in numbers]


def _number(month: str) -> int:
    year, number = map(int, month.split("-"))
    return year * 12 + number - 1
