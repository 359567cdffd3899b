# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plan of a batch: sums, causes, calls, and one dataset under two identifiers."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from carrel.engine.batches import (
    Coverage,
    Plan,
    Planned,
    Verdict,
    preview_each,
    same_datasets,
)
from carrel.model import (
    AskedItem,
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


def test_of_what_is_held_it_is_counted_how_much_is_held_in_part() -> None:
    now = PublishedNow(Standing.SAME, same=1)
    held = Held("an-id", "a", Status.SUCCESS, "2026-03-03T09:10:00Z", 1, 1, now=now)
    plan = Plan()

    plan.add(Planned.of(result("a", 10, dataset="1"), held))
    plan.add(Planned.of(result("b", 5, dataset="2"), replace(held, file_count=3)))

    assert (plan.held, plan.held_in_part) == (2, 1)


def test_of_what_is_held_it_is_counted_how_much_was_removed_from_the_holdings() -> None:
    now = PublishedNow(Standing.SAME, same=1)
    held = Held("an-id", "a", Status.SUCCESS, "2026-03-03T09:10:00Z", 1, 1, now=now)
    plan = Plan()

    plan.add(Planned.of(result("a", 10, dataset="1"), held))
    plan.add(Planned.of(result("b", 5, dataset="2"), replace(held, removed="2026-04-01T00:00:00Z")))

    assert (plan.held, plan.removed) == (2, 1)


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
    assert (plan.previewed, plan.datasets, plan.ready) == (4, 3, 2)
    assert (plan.file_count, plan.total_size) == (2, 2)
    assert same_datasets([doi, page, newer, unknown]) == [(doi, page)]


def previewed(*urls: str) -> list[str]:
    """Return what was previewed, in the order in which it was given away."""
    taken: list[str] = []
    settings = Settings(network=Network(attempts=1))
    asyncio.run(
        preview_each(
            map(IngestRequest, urls), settings, lambda each: taken.append(each.request.base_url)
        )
    )
    return taken


def test_hosts_are_asked_side_by_side_and_previews_come_in_the_order_of_the_list(
    server: WireServer,
) -> None:
    second_is_asked = threading.Event()

    def first() -> Iterator[bytes]:
        second_is_asked.wait()  # would wait for ever if one host was asked after the other
        yield from html("<p>Nothing</p>").pieces()

    def second() -> Iterator[bytes]:
        second_is_asked.set()
        yield from html("<p>Nothing</p>").pieces()

    one = server.serve("/1", Reply(first))
    other = server.serve("/2", Reply(second)).replace("127.0.0.1", "localhost")

    assert previewed(one, other) == [one, other]


def test_a_host_is_asked_for_one_dataset_at_a_time(server: WireServer) -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def page() -> Iterator[bytes]:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        yield from html("<p>Nothing</p>").pieces()
        with lock:
            running[0] -= 1

    urls = [server.serve(f"/{number}", Reply(page)) for number in range(40)]

    assert previewed(*urls) == urls
    assert most == [1]


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (Status.REMOTE_SERVER_ERROR, Verdict.SERVER_ERROR),
        (Status.PLATFORM_HTTP_ERROR, Verdict.SERVER_ERROR),
        (Status.PLATFORM_NOT_READY, Verdict.NOT_READY),
        (Status.PLATFORM_404, Verdict.NOT_FOUND),
        (Status.RATE_LIMITED, Verdict.REFUSED),
        (Status.NETWORK_ERROR, Verdict.FAILED),
    ],
)
def test_only_what_is_refused_is_called_so(status: Status, verdict: Verdict) -> None:
    assert Verdict.of(lost("a", status)) is verdict


def test_what_previews_come_to_is_counted_by_platform() -> None:
    coverage = Coverage()
    closed = replace(result("b"), status=Status.PLATFORM_RESTRICTED)
    assert closed.item
    closed_item = replace(closed.item, platform_status=Status.PLATFORM_RESTRICTED)
    for each in (
        result("a", 1),
        replace(closed, item=closed_item),
        replace(result("c", 1), status=Status.TOO_MANY_FILES),
        replace(lost("d", Status.NOT_A_DATASET), asked=AskedItem("figshare", "figshare.com", "4")),
        lost("e", Status.NO_PLATFORM_MATCH),
        lost("f", Status.READ_TIMEOUT),
        replace(lost("g", Status.EMPTY_MANIFEST), asked=AskedItem("figshare", "figshare.com", "5")),
    ):
        coverage.add(each)

    assert [(row.platform, dict(row.counts)) for row in coverage.rows] == [
        ("zenodo", {Verdict.DESCRIBED: 2, Verdict.REFUSED: 1}),
        ("figshare", {Verdict.TOLD_APART: 1, Verdict.NO_FILES: 1}),
        ("", {Verdict.UNKNOWN: 1, Verdict.FAILED: 1}),
    ]
    assert coverage.total.counts.total() == 7
    assert not coverage.are_all_clear
