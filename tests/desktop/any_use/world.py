# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is true of the datasets: known from what is put into the ledger, not from what it answers.

All that is said of a dataset (titles, files, creators, addresses, messages) has its token in it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from carrel.archive import Archive
from carrel.model import (
    Capture,
    Fixity,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.model.holdings import Checked, State
from desktop.any_use.hearing import tokens

DATASETS = 24
NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)  # when the Overview is drawn
BEGINNING = NOW - timedelta(days=460)
BETWEEN = timedelta(days=9)  # two of the attempts that are there in the beginning
PLATFORMS = ("dataverse", "invenio", "figshare")
FAILURES = (Status.NETWORK_ERROR, Status.NOT_FOUND, Status.MISMATCH_MD5, Status.CANCELLED)
WITHIN_DAYS = {Checked.MONTH: 30, Checked.QUARTER: 90, Checked.YEAR: 365}


@dataclass
class Attempt:
    """What the test knows of an attempt: when it began, how it ended, and what of it is kept."""

    ingest_id: str
    url: str
    moment: str
    status: Status
    files: tuple[ManifestFile, ...] = ()
    verified: str = ""

    @property
    def kept(self) -> Sequence[ManifestFile]:
        return [file for file in self.files if file.is_kept]

    @property
    def size(self) -> int:
        return sum(file.declared.size or 0 for file in self.kept)


@dataclass
class Dataset:
    """What the test knows of a dataset; `bad` are the paths of those held files that were found
    damaged; `has_lost_before` says that some of an earlier attempt were.

    One without digests is of a platform that publishes none.
    """

    token: str
    platform: str
    has_digests: bool = True
    attempts: list[Attempt] = field(default_factory=list)
    bad: set[str] = field(default_factory=set)
    has_lost_before: bool = False
    tags: set[str] = field(default_factory=set)
    is_removed: bool = False

    @property
    def title(self) -> str:
        return f"Soundings {self.token}"

    @property
    def urls(self) -> Sequence[str]:
        """The two addresses by which it is asked for."""
        return f"https://doi.org/10.5072/{self.token}", f"https://data.example/page/{self.token}"

    @property
    def held(self) -> Attempt | None:
        """The newest attempt that succeeded; else the newest of those that kept most files."""
        good = [it for it in self.attempts if it.status.is_success]
        parts = sorted((it for it in self.attempts if it.kept), key=lambda it: len(it.kept))
        if good:
            return good[-1]
        most = [it for it in parts if len(it.kept) == len(parts[-1].kept)]
        return max(most, key=lambda it: it.moment) if most else None

    @property
    def is_damaged(self) -> bool:
        """Whether something of it is: damage of an earlier version is damage of its dataset."""
        return bool(self.bad) or self.has_lost_before

    @property
    def is_listed(self) -> bool:
        return self.held is not None and not self.is_removed

    @property
    def state(self) -> State:
        held = self.held
        assert held
        if self.is_damaged:
            return State.DAMAGED if self.bad else State.EARLIER_LOST
        return State.INCOMPLETE if self.lacks_files else State.COMPLETE

    @property
    def states(self) -> set[State]:
        """What it is found by: one that is damaged and lacks files is found by both."""
        return {self.state, State.INCOMPLETE} if self.lacks_files else {self.state}

    @property
    def lacks_files(self) -> bool:
        held = self.held
        assert held
        return not (held.status.is_success and len(held.kept) == len(held.files))

    @property
    def size(self) -> int:
        return self.held.size if self.held else 0

    @property
    def checked(self) -> Checked:
        """How long ago all of it was last read again."""
        assert self.held
        if self.is_damaged:
            return Checked.DAMAGED
        if not self.held.verified:
            return Checked.NEVER
        gone = NOW - datetime.fromisoformat(self.held.verified)
        ages = (age for age, days in WITHIN_DAYS.items() if gone <= timedelta(days=days))
        return next(ages, Checked.LONGER)

    def has_kept(self, url: str) -> bool:
        """Whether an attempt by an address kept anything."""
        return any(it.url == url and it.kept for it in self.attempts)

    def captured(self, url: str) -> Attempt | None:
        """What is held, of a dataset that an address was found to lead to."""
        is_known = any(it.url == url and it.files for it in self.attempts)
        return self.held if is_known else None


class World:
    """The datasets, and how attempts at them end: one after the other, and all before `NOW`."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self._last, self._attempts = chance, BEGINNING, 0
        self.datasets = [
            Dataset(f"Q{number:03d}Z", chance.choice(PLATFORMS), has_digests=number % 5 > 0)
            for number in range(DATASETS)
        ]

    @property
    def listed(self) -> Sequence[Dataset]:
        return [each for each in self.datasets if each.is_listed]

    def of(self, text: str) -> Dataset:
        """Return the one dataset that a text speaks of."""
        (token,) = tokens(text)
        return next(each for each in self.datasets if each.token == token)

    def moment(self) -> str:
        """Return the next moment at which something happens: steps shorten as `NOW` comes near."""
        rest = (NOW - self._last) / 200
        self._last += max(timedelta(seconds=1), min(BETWEEN, rest * 4))
        return self._last.strftime("%Y-%m-%dT%H:%M:%SZ")

    def attempt(self, dataset: Dataset) -> IngestFilesetResult:
        """Return how another attempt ends, and note it as known."""
        chance, moment = self.chance, self.moment()
        self._attempts += 1
        ingest_id = f"ingest-{self._attempts}"
        kind = chance.choice(("whole", "whole", "part", "nothing", "failed"))
        files = tuple(
            _file(dataset, at, is_kept=kind == "whole" or (kind == "part" and bool(at % 2)))
            for at in range(chance.randint(2, 6))
        )
        status = Status.SUCCESS if kind == "whole" else chance.choice(FAILURES)
        # An address that never led anywhere is not known to be one of the same dataset.
        seen = [each.url for each in dataset.attempts if each.files]
        if kind == "failed" and not seen:
            kind = "nothing"
        url = chance.choice(seen if kind == "failed" else dataset.urls)
        known = Attempt(ingest_id, url, moment, status, () if kind == "failed" else files)
        dataset.attempts.append(known)
        if dataset.held is known:
            dataset.has_lost_before |= bool(dataset.bad)  # no other record has those bytes
            dataset.bad = set()
        if status.is_success:
            dataset.is_removed = False
        return _result(dataset, known)


def store(archive: Archive, world: World, dataset: Dataset) -> IngestFilesetResult:
    """Put another attempt at a dataset into the ledger."""
    result = world.attempt(dataset)
    attempt = dataset.attempts[-1]
    captures = [capture_of(attempt.ingest_id, file) for file in attempt.kept]
    archive.ledger.ingests.start(attempt.ingest_id, result.request, attempt.moment)
    kept = [at for at, file in enumerate(result.files) if file.is_kept]
    records = {at: capture.record_id for at, capture in zip(kept, captures, strict=True)}
    archive.ledger.ingests.finish(result, captures, records)
    return result


def record_id(ingest_id: str, file: ManifestFile) -> str:
    return f"<urn:{ingest_id}:{file.path}>"


def capture_of(ingest_id: str, file: ManifestFile) -> Capture:
    url = file.platform_url or ""
    return Capture(
        record_id=record_id(ingest_id, file),
        url=url,
        surt=url,
        timestamp="20260301090000",
        mimetype="text/csv",
        status_code=200,
        size=file.declared.size or 0,
        md5="0" * 32,
        sha1="0" * 40,
        sha256=f"{ingest_id}{file.path}".encode().hex()[:64].ljust(64, "0"),
        filename=f"{file.path}.warc.gz",
        offset=0,
        length=10,
    )


def _result(dataset: Dataset, attempt: Attempt) -> IngestFilesetResult:
    item = PlatformItem(
        dataset.platform,
        "data.example",
        dataset.token,
        attempt.files,
        "1.0",
        title=dataset.title,
        creators=(f"Creator {dataset.token}",),
    )
    is_good = attempt.status.is_success
    return IngestFilesetResult(
        IngestRequest(attempt.url),
        attempt.status,
        hops=(attempt.url,),
        error_message=None if is_good else f"Trouble with {dataset.token}.",
        item=item if attempt.files else None,
        manifest=attempt.files or None,
        ingest_id=attempt.ingest_id,
        started=attempt.moment,
        finished=attempt.moment,
    )


def _file(dataset: Dataset, at: int, *, is_kept: bool) -> ManifestFile:
    """Return a file of the next attempt: each publishes other bytes."""
    number = len(dataset.attempts)
    digests = {"sha256": f"{number:032x}{at:032x}"} if dataset.has_digests else {}
    fixity = Fixity(100 * (at + 1), digests)
    return ManifestFile(
        f"{dataset.token}-{at}.csv",
        f"https://data.example/{dataset.token}/{at}",
        fixity,
        status=Status.SUCCESS if is_kept else Status.NETWORK_ERROR,
        observed=fixity if is_kept else None,
    )
