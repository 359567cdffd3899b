# SPDX-License-Identifier: AGPL-3.0-or-later
"""Events of a run arrive in their order, all of them, and few wait."""

import asyncio

from carrel.engine.verification import delivery
from carrel.engine.verification.delivery import Delivery
from carrel.model.events import Event


def sent_and_told(count: int) -> tuple[list[str], list[int]]:
    """Send so many events from a thread; return which were told, and how many waited at most."""
    told: list[str] = []
    waiting: list[int] = []

    async def run() -> None:
        events = Delivery(lambda event: told.append(event.ingest_id))

        def send() -> None:
            for number in range(count):
                events.send(Event(str(number)))
                waiting.append(number + 1 - len(told))

        await asyncio.to_thread(send)
        await events.finish()
        assert len(told) == count

    asyncio.run(run())
    return told, waiting


def test_all_events_are_told_in_their_order() -> None:
    told, _ = sent_and_told(5000)

    assert told == list(map(str, range(5000)))


def test_no_more_events_wait_than_may() -> None:
    _, waiting = sent_and_told(5000)

    assert max(waiting) <= delivery._MOST_WAITING


def test_an_event_is_told_although_no_other_follows() -> None:
    async def run() -> None:
        told = asyncio.Event()
        events = Delivery(lambda event: told.set())
        await asyncio.to_thread(events.send, Event("1"))
        await asyncio.wait_for(told.wait(), 60)

    asyncio.run(run())


def test_a_fault_in_showing_an_event_keeps_no_other_from_being_shown() -> None:
    told: list[str] = []
    faults: list[BaseException] = []

    def emit(event: Event) -> None:
        if event.ingest_id == "1":
            raise ValueError("it cannot be shown")
        told.append(event.ingest_id)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: faults.append(context["exception"]))
        events = Delivery(emit)
        for each in range(3):
            await asyncio.to_thread(events.send, Event(str(each)))
        await events.finish()

    asyncio.run(run())

    assert told == ["0", "2"]
    assert [type(fault) for fault in faults] == [ValueError]
