# SPDX-License-Identifier: AGPL-3.0-or-later
"""Groups and sequences: who is asked, who is waited for, what each had to say."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest

from carrel.errors import NothingLoaded, NotLoaded, QueryError, SourceTrouble
from carrel.mementos.filters import parse_filter
from carrel.mementos.loading.record import Record, ResourceRequest
from carrel.mementos.lookup import Answer, OpenCollection, OpenStep
from carrel.mementos.query import Query, query_for
from carrel.mementos.sources.source import Rows
from carrel.mementos.throttle import ArchiveThrottle
from carrel.model import Memento, SourceReport, SourceState, SourceType

_URL = "http://example.com/"
_ALL = query_for(_URL)


def _row(source: str, timestamp: str, **fields: str) -> Memento:
    return Memento("com,example)/", timestamp, {"url": _URL, **fields}, source=source)


@dataclass
class CaptureStore:
    """A source that has these captures, and answers as it is told to."""

    name: str
    timestamps: Sequence[str] = ()
    takes_s: float = 0.0
    trouble: SourceTrouble | None = None
    breaks_off: bool = False
    address: str = ""
    kind: SourceType = SourceType.FILE
    questions: list[Query] = field(default_factory=list)

    async def rows(self, query: Query) -> Rows:
        self.questions.append(query)
        await asyncio.sleep(self.takes_s)
        if self.trouble:
            raise self.trouble
        return Rows(self._rows())

    def _rows(self) -> Iterator[Memento]:
        for timestamp in self.timestamps:
            yield _row(self.name, timestamp)
        if self.breaks_off:
            raise SourceTrouble(SourceState.WRONG_ANSWER, "its file is damaged")


class Shelves:
    """A loader that has the records of some moments only."""

    def __init__(self, *timestamps: str) -> None:
        self._timestamps = timestamps
        self.tried: list[str] = []

    async def load(
        self, memento: Memento, request: ResourceRequest, *, failed: dict[str, str] | None = None
    ) -> Record:
        self.tried.append(memento.timestamp)
        if memento.timestamp not in self._timestamps:
            raise NotLoaded(f"{memento.timestamp}.warc.gz", "It is missing.")
        fields = (("WARC-Type", "response"), ("WARC-Target-URI", memento.url))
        return Record(fields, b"", iter((b"bytes",)), 5)


def _step(
    *sources: CaptureStore, timeout_s: float = 5.0, loader: Shelves | None = None
) -> OpenStep:
    throttle = ArchiveThrottle()
    return OpenStep(sources, timeout_s, throttle, lambda step: loader or Shelves())  # type: ignore[arg-type, return-value]  # stands in


def _collection(*steps: OpenStep) -> OpenCollection:
    return OpenCollection("all", steps)


def _read(answer: Answer) -> list[str]:
    return [row.timestamp for row in answer.rows]


def _find(collection: OpenCollection, query: Query = _ALL) -> tuple[list[str], Answer]:
    async def run() -> tuple[list[str], Answer]:
        answer = await collection.find(query)
        return _read(answer), answer

    return asyncio.run(run())


def _load(collection: OpenCollection) -> Memento:
    return asyncio.run(collection.load(_ALL, ResourceRequest())).memento


def _states(answer: Answer) -> dict[str, SourceState]:
    return {report.source: report.state for report in answer.reports}


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/a", "10.0.0.7/a", "http://nas.local/a"])
def test_nobody_outside_is_told_of_an_address_inside(url: str) -> None:
    outside = CaptureStore("world", address="https://cdx.example/?url={url}", kind=SourceType.CDX)
    inside = CaptureStore("own", address="http://localhost:8080/?url={url}", kind=SourceType.CDX)

    _, answer = _find(_collection(_step(outside, inside, CaptureStore("folder"))), query_for(url))

    assert outside.questions == []
    assert _states(answer) == {
        "world": SourceState.REFUSED,
        "own": SourceState.NONE,
        "folder": SourceState.NONE,
    }
    assert "inside your own network" in answer.errors["world"]


def test_sources_of_a_group_are_asked_at_once() -> None:
    slow = [CaptureStore(name, ("20160101000000",), takes_s=0.4) for name in "abcd"]
    began = time.monotonic()

    rows, _ = _find(_collection(_step(*slow)))

    assert len(rows) == 4
    assert time.monotonic() - began < 1.2


def test_a_source_that_is_late_is_left_behind_and_named() -> None:
    late = CaptureStore("late", ("20150101000000",), takes_s=60.0)
    step = _step(late, CaptureStore("here", ("20160101000000",)), timeout_s=0.2)

    rows, answer = _find(_collection(step))

    assert rows == ["20160101000000"]
    assert _states(answer) == {"late": SourceState.TIMED_OUT, "here": SourceState.ANSWERED}
    assert "time" in answer.errors["late"]


def test_a_source_in_trouble_spoils_nothing() -> None:
    bad = CaptureStore("bad", trouble=SourceTrouble(SourceState.REFUSED, "bad said no (HTTP 403)."))

    rows, answer = _find(_collection(_step(bad, CaptureStore("good", ("20160101000000",)))))

    assert rows == ["20160101000000"]
    assert answer.errors == {"bad": "bad said no (HTTP 403)."}


def test_a_source_that_breaks_off_keeps_what_it_gave() -> None:
    broken = CaptureStore("broken", ("20150101000000",), breaks_off=True)

    rows, answer = _find(_collection(_step(broken, CaptureStore("good", ("20160101000000",)))))

    assert rows == ["20150101000000", "20160101000000"]
    assert _states(answer)["broken"] is SourceState.WRONG_ANSWER


def test_a_source_without_captures_is_no_trouble() -> None:
    _, answer = _find(
        _collection(_step(CaptureStore("empty"), CaptureStore("good", ("20160101000000",))))
    )

    assert _states(answer)["empty"] is SourceState.NONE
    assert answer.errors == {}


def test_a_sequence_goes_on_while_nothing_is_found() -> None:
    last = CaptureStore("last", ("20180101000000",))

    rows, answer = _find(
        _collection(
            _step(CaptureStore("none")),
            _step(CaptureStore("some", ("20160101000000",))),
            _step(last),
        )
    )

    assert rows == ["20160101000000"]
    assert last.questions == []
    assert list(_states(answer)) == ["none", "some"]


def test_only_the_named_sources_are_asked() -> None:
    one, other = (
        CaptureStore("one", ("20160101000000",)),
        CaptureStore("other", ("20170101000000",)),
    )
    collection = _collection(_step(one, other))

    assert _find(collection, replace(_ALL, only=frozenset(("one",))))[0] == ["20160101000000"]
    assert _find(collection, replace(_ALL, without=frozenset(("one",))))[0] == ["20170101000000"]


def test_a_name_that_no_source_has_is_refused() -> None:
    with pytest.raises(QueryError, match="nobody"):
        _find(_collection(_step(CaptureStore("one"))), replace(_ALL, only=frozenset(("nobody",))))


def test_an_endpoint_that_fails_three_times_in_a_row_is_skipped() -> None:
    dead = CaptureStore(
        "dead",
        trouble=SourceTrouble(SourceState.UNREACHABLE, "dead cannot be reached."),
        address="http://dead.example/{url}",
    )
    collection = _collection(_step(dead))
    for _ in range(3):
        _find(collection)

    _, answer = _find(collection)

    assert len(dead.questions) == 3
    assert _states(answer) == {"dead": SourceState.RESTING}
    assert "skip" in answer.errors["dead"]


def test_each_source_is_told_of_when_it_is_asked_and_when_it_answers() -> None:
    told: list[tuple[str, SourceState, int]] = []

    def tell(report: SourceReport, rows: Sequence[Memento]) -> None:
        told.append((report.source, report.state, len(rows)))

    collection = _collection(
        _step(CaptureStore("slow", takes_s=0.2), CaptureStore("fast", ("20160101000000",)))
    )
    asyncio.run(collection.find(_ALL, tell))

    assert told[:2] == [("slow", SourceState.ASKED, 0), ("fast", SourceState.ASKED, 0)]
    assert told[2:] == [("fast", SourceState.ANSWERED, 1), ("slow", SourceState.NONE, 0)]


def test_loading_falls_back_row_by_row() -> None:
    loader = Shelves("20180101000000")
    capture_store = CaptureStore("a", ("20160101000000", "20170101000000", "20180101000000"))

    row = _load(_collection(_step(capture_store, loader=loader)))

    assert row.timestamp == "20180101000000"
    assert loader.tried == ["20160101000000", "20170101000000", "20180101000000"]


def test_loading_goes_on_to_the_next_step_when_no_record_can_be_had() -> None:
    first = _step(CaptureStore("a", ("20160101000000",)), loader=Shelves())
    second = _step(CaptureStore("b", ("20170101000000",)), loader=Shelves("20170101000000"))

    assert _load(_collection(first, second)).source == "b"


def test_a_copy_in_another_archive_is_tried_where_the_first_can_not_be_had() -> None:
    class OnlyOf(Shelves):
        async def load(
            self,
            memento: Memento,
            request: ResourceRequest,
            *,
            failed: dict[str, str] | None = None,
        ) -> Record:
            if memento.source == "a":
                raise NotLoaded("a", "It is missing.")
            return await super().load(memento, request)

    moment = "20160101000000"
    step = _step(CaptureStore("a", (moment,)), CaptureStore("b", (moment,)), loader=OnlyOf(moment))

    assert _load(_collection(step)).source == "b"


def test_what_can_not_be_had_is_explained_by_name() -> None:
    with pytest.raises(NothingLoaded) as raised:
        _load(_collection(_step(CaptureStore("a", ("20160101000000",)))))

    assert raised.value.errors == {"20160101000000.warc.gz": "It is missing."}


def test_rows_that_make_no_sense_are_named_where_nothing_can_be_had() -> None:
    @dataclass
    class Torn(CaptureStore):
        async def rows(self, query: Query) -> Rows:
            return Rows((), skipped=3)

    with pytest.raises(NothingLoaded) as raised:
        _load(_collection(_step(Torn("torn"))))

    assert "3 rows" in raised.value.errors["torn"]


def test_reading_ends_when_nobody_waits_for_it() -> None:
    counted: list[int] = []

    @dataclass
    class Endless(CaptureStore):
        def _rows(self) -> Iterator[Memento]:
            while True:
                counted.append(1)
                yield _row(self.name, "20160101000000")

    async def run() -> None:
        query = replace(_ALL, filters=(parse_filter("=status:200"),))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await _collection(_step(Endless("endless"))).find(query)
        await asyncio.sleep(0.2)
        before = len(counted)
        await asyncio.sleep(0.3)
        assert len(counted) == before

    asyncio.run(run())
