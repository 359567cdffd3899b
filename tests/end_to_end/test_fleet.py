# SPDX-License-Identifier: AGPL-3.0-or-later
"""A fleet of workers that are killed, stopped and cut off: every request is answered all the same.

The faults are drawn by a seed, which stands in the name of the test.
"""

import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from carrel.demo import DemoRepository
from support.archives import carrel
from support.fleet import (
    Sent,
    WorkerProcess,
    read_all,
    request_of,
    submit,
    wait_until_done,
    workers,
)
from support.kafka_brokers import MockBroker, mock_broker, settings_for
from support.real_kafka import RealBroker, real_broker

_REPOSITORIES = 3
_POISON = (
    b"no JSON",
    json.dumps({"ingest_type": "dataset", "base_url": 7}).encode(),
    json.dumps({"ingest_type": "pdf", "base_url": "https://example.org/"}).encode(),
    request_of("https://example.org/", filler="x" * 2_000_000),
)


@pytest.fixture(params=["mock", "real"])
def any_broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MockBroker | RealBroker]:
    if request.param == "mock":
        with mock_broker() as mock:
            yield mock
    else:
        folder = tmp_path / "kafka"
        folder.mkdir()
        with real_broker(folder) as real:
            yield real


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [1])
def test_kills_and_outages_change_no_answer(
    any_broker: MockBroker | RealBroker, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    settings = settings_for(any_broker.addresses)
    any_broker.make_topics(settings)
    with ExitStack() as stack:
        sites = [stack.enter_context(DemoRepository()) for _ in range(_REPOSITORIES)]
        expected = {each.url(site): str(each.expected) for site in sites for each in site.datasets}
        wanted = [request_of(url) for url in expected]
        twice = chance.sample(wanted, 3)
        everything = [*wanted, *twice, *_POISON]
        chance.shuffle(everything)
        submit(settings, *everything)

        fleet = stack.enter_context(workers(tmp_path, settings, "w1", "w2"))
        for _ in range(3):
            time.sleep(chance.uniform(2, 4))
            victim = chance.choice(fleet)
            victim.kill()
            time.sleep(chance.uniform(0, 8))
            victim.start()
        any_broker.take_down()
        time.sleep(5)
        any_broker.bring_up()
        wait_until_done(settings, 300, lambda: mind(fleet))
        codes = [worker.stop() for worker in fleet]

    answers = by_url(read_all(settings, settings.topics.results))
    first = {url: said[0]["status"] for url, said in answers.items()}
    rejects = read_all(settings, settings.topics.rejects)
    assert first == expected
    assert codes == [0, 0]
    assert {each.value for each in rejects} == set(_POISON)
    assert all(each.headers["reason"] for each in rejects)
    assert_true_archives(tmp_path, ["w1", "w2"])


def mind(fleet: list[WorkerProcess]) -> None:
    for worker in fleet:
        worker.restart_if_ended()


def by_url(results: list[Sent]) -> dict[str, list[dict[str, object]]]:
    """Return the results of each address, successes that were not there before first."""
    found: dict[str, list[dict[str, object]]] = defaultdict(list)
    bodies = [each.body for each in results]
    for body in sorted(bodies, key=lambda each: each["status"] == "success-existing"):
        found[body["request"]["base_url"]].append(body)
    by_id: dict[str, dict[str, object]] = {}
    for body in bodies:  # the same attempt is told in the same words, however often
        assert by_id.setdefault(body["ingest_id"], body) == body
    return dict(found)


def assert_true_archives(folder: Path, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        archive = folder / name
        ran = carrel("verify", "--archive", archive)
        assert ran.code == 0, ran.out + ran.err
        left = [each.name for each in (archive / "staging").iterdir() if each.is_dir()]
        assert left in ([], ["unfinished"])
        warcs = {each.name for each in (archive / "collections/main/archive").iterdir()}
        assert all(f"-{name}" in each for each in warcs)
        assert not warcs & seen
        seen |= warcs
