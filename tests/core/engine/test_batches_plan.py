# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plan of a batch: sums, causes, calls, and one dataset under two identifiers."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

from carrel.engine.batches import Plan, Planned, preview_each, same_datasets
from carrel.model import (
    Fixity,
    Held,
    IngestFilesetResult,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    PublishedNow,
    Standing,
    Status,
)
from carrel.settings import Network, Settings
from support.wire import Reply, WireServer, html


def result(
    url: str, *sizes: int | None, dataset: str = "1", version: str = "1"
) -> IngestFilesetResult:
    """Return a preview of a dataset whose files are of these sizes."""
    files = tuple(
        ManifestFile(f"{number}.txt", f"https://files.example/{number}", Fixity(size))
        for number, size in enumerate(sizes)
    )
    item = PlatformItem("zenodo", "zenodo.org", dataset, files, platform_version=version)
    return IngestFilesetResult(IngestRequest(url), Status.SUCCESS, item=item)


def lost(url: str, status: Status) -> IngestFilesetResult:
    return IngestFilesetResult(IngestRequest(url), status)


def plan_of(*results: IngestFilesetResult) -> Plan:
    plan = Plan()
    for each in results:
        plan.add(Planned.of(each))
    return plan


def test_sums_count_what_nothing_stands_in_the_way_of() -> None:
    plan = plan_of(
        result("a", 10, 20, None, dataset="1"),
        result("b", 5, dataset="2"),
        lost("c", Status.PLATFORM_RESTRICTED),
    )

    assert (plan.datasets, plan.ready) == (3, 2)
    assert (plan.file_count, plan.total_size, plan.unknown_sizes) == (4, 35, 1)
    assert plan.calls == [("files.example", 4)]


def test_what_is_held_as_it_is_published_needs_nothing_fetched() -> None:
    now = PublishedNow(Standing.SAME, same=1)
    held = Held("an-id", "a", Status.SUCCESS, "2026-03-03T09:10:00Z", 1, 1, now=now)
    damaged, plan = replace(held, failed=1), Plan()

    plan.add(Planned.of(result("a", 10, dataset="1"), held))
    plan.add(Planned.of(result("b", 5, dataset="2"), damaged))

    assert (plan.held, plan.ready, plan.file_count, plan.total_size) == (1, 1, 1, 5)
    assert plan.calls == [("files.example", 1)]


def test_causes_are_grouped_the_largest_first() -> None:
    plan = plan_of(
        lost("a", Status.NOT_FOUND),
        lost("b", Status.PLATFORM_RESTRICTED),
        lost("c", Status.PLATFORM_RESTRICTED),
    )

    assert [(cause.status, cause.base_urls) for cause in plan.causes] == [
        (Status.PLATFORM_RESTRICTED, ("b", "c")),
        (Status.NOT_FOUND, ("a",)),
    ]


def test_a_dataset_under_two_identifiers_is_seen_and_another_version_is_another() -> None:
    doi, page = result("doi", 1, version="1"), result("page", 1, version="1")
    newer, unknown = result("newer", 1, version="2"), lost("lost", Status.NOT_FOUND)

    plan = plan_of(doi, page, newer, unknown)

    assert plan.same == [("doi", "page")]
    assert same_datasets([doi, page, newer, unknown]) == [(doi, page)]


def test_previews_come_in_the_order_of_the_list(server: WireServer) -> None:
    second_is_asked = threading.Event()

    def first() -> Iterator[bytes]:
        second_is_asked.wait()
        yield from html("<p>Nothing</p>").pieces()

    def second() -> Iterator[bytes]:
        second_is_asked.set()
        yield from html("<p>Nothing</p>").pieces()

    urls = [server.serve("/1", Reply(first)), server.serve("/2", Reply(second))]
    taken: list[str] = []

    asyncio.run(
        preview_each(
            map(IngestRequest, urls),
            Settings(network=Network(ingests=2, attempts=1)),
            lambda result: taken.append(result.request.base_url),
        )
    )

    assert taken == urls


def test_so_many_are_previewed_at_a_time_as_the_settings_say(server: WireServer) -> None:
    pair, lock = threading.Barrier(2), threading.Lock()
    running = [0]

    def page() -> Iterator[bytes]:
        with lock:
            running.append(running[-1] + 1)
        pair.wait()  # would wait for ever if only one was looked at
        with lock:
            running.append(running[-1] - 1)
        yield from html("<p>Nothing</p>").pieces()

    urls = [server.serve(f"/{number}", Reply(page)) for number in range(6)]
    taken: list[str] = []

    asyncio.run(
        preview_each(
            map(IngestRequest, urls),
            Settings(network=Network(ingests=2, attempts=1)),
            lambda result: taken.append(result.request.base_url),
        )
    )

    assert taken == urls
    assert max(running) == 2
