# SPDX-License-Identifier: AGPL-3.0-or-later
"""A worker as a process: every request is answered, whatever happens to it."""

from pathlib import Path

from carrel.demo import DemoRepository
from carrel.fleet.settings import FleetSettings
from support.fleet import read_all, request_of, submit, wait_until_done, workers


def test_each_request_gets_the_result_that_it_has_on_one_machine(
    fleet: FleetSettings, repository: DemoRepository, tmp_path: Path
) -> None:
    datasets = repository.datasets
    submit(fleet, *(request_of(each.url(repository)) for each in datasets))

    with workers(tmp_path, fleet, "w1") as (worker,):
        wait_until_done(fleet)
        code = worker.stop()

    sent = {
        each.body["request"]["base_url"]: each.body
        for each in read_all(fleet, fleet.topics.results)
    }
    assert {url: body["status"] for url, body in sent.items()} == {
        each.url(repository): str(each.expected) for each in datasets
    }
    assert {body["worker"] for body in sent.values()} == {"w1"}
    assert code == 0
