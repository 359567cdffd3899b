# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whose turn it is: hosts take turns, a resting one waits, a dataset is ingested once at a time."""

from carrel.fleet.fair_queue import FairQueue, Item
from carrel.ledger.deliveries import Coordinates
from carrel.model import IngestRequest


def item(url: str, offset: int = 0, *, partition: int = 0, is_urgent: bool = False) -> Item:
    at = Coordinates("c", "requests", partition, offset)
    return Item(at, IngestRequest(url), (None, b""), is_urgent=is_urgent)


def hosts_chosen(queue: FairQueue, count: int) -> list[str]:
    return [found.host for _ in range(count) if (found := queue.next())]


def test_a_host_with_many_requests_holds_up_no_other() -> None:
    queue = FairQueue(2, lambda host: False)
    for number in range(50):
        queue.add(item(f"https://slow.example/{number}", number))
    queue.add(item("https://quick.example/1", 50))

    assert hosts_chosen(queue, 3) == ["slow.example", "quick.example", "slow.example"]
    assert queue.next() is None


def test_a_host_that_rests_waits_and_others_do_not() -> None:
    queue = FairQueue(5, lambda host: host == "resting.example")
    queue.add(item("https://resting.example/1"))
    queue.add(item("https://other.example/1", 1))

    assert hosts_chosen(queue, 2) == ["other.example"]
    assert queue.hosts_paused == 1


def test_a_dataset_that_is_requested_twice_is_ingested_after_the_other_ended() -> None:
    queue = FairQueue(5, lambda host: False)
    queue.add(item("https://doi.org/10.5281/zenodo.1", 0))
    queue.add(item("https://doi.org/10.5281/ZENODO.1", 1))
    first = queue.next()
    assert first is not None
    assert queue.next() is None

    queue.end(first)

    assert queue.next() is not None


def test_urgent_requests_come_first() -> None:
    queue = FairQueue(5, lambda host: False)
    queue.add(item("https://a.example/1"))
    queue.add(item("https://b.example/1", 1, is_urgent=True))

    assert hosts_chosen(queue, 2) == ["b.example", "a.example"]


def test_what_is_withdrawn_is_forgotten_and_what_runs_of_it_is_named() -> None:
    queue = FairQueue(1, lambda host: False)
    queue.add(item("https://a.example/1", 0))
    queue.add(item("https://a.example/2", 1))
    queue.add(item("https://b.example/1", 2, partition=1))
    running = queue.next()

    assert queue.withdraw([("requests", 0)]) == [running]
    assert running is not None
    assert running.is_withdrawn
    assert hosts_chosen(queue, 2) == ["b.example"]


def test_one_that_runs_alone_waits_for_all_that_run_and_all_wait_for_it() -> None:
    queue = FairQueue(5, lambda host: False)
    suspect = item("https://a.example/1", 0)
    suspect.runs_alone = True
    queue.add(item("https://a.example/2", 1))
    before = queue.next()
    assert before is not None
    queue.add(suspect)
    queue.add(item("https://b.example/1", 2))

    assert queue.next() is None
    queue.end(before)
    assert queue.next() is suspect
    assert queue.next() is None
    queue.end(suspect)

    assert hosts_chosen(queue, 2) == ["b.example"]


def test_registrants_at_one_host_are_counted_together_once_that_is_known() -> None:
    queue = FairQueue(1, lambda host: False)
    for number in range(3):
        queue.add(item(f"https://doi.org/10.1234{number}/1", number))
    first = queue.next()
    assert first is not None
    queue.end(first)

    for number in range(3):
        queue.learn(f"10.1234{number}", "data.example")

    assert len(hosts_chosen(queue, 3)) == 1
    queue.add(item("https://doi.org/10.12340/2", 4))
    assert queue.next() is None


def test_a_host_that_rests_rests_for_its_registrants_as_well() -> None:
    queue = FairQueue(5, lambda host: host == "data.example")
    queue.learn("10.12345", "data.example")
    queue.add(item("https://doi.org/10.12345/1"))

    assert queue.next() is None
    assert queue.hosts_paused == 1
