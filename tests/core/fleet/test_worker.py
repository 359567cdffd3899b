# SPDX-License-Identifier: AGPL-3.0-or-later
"""A worker as a process: every request is answered, whatever happens to it."""

from pathlib import Path

from carrel.demo import DemoRepository, SeenRequest
from carrel.demo.answer import Answer
from carrel.fleet.settings import FleetSettings, Groups
from support.archives import carrel
from support.fleet import (
    WorkerProcess,
    read_all,
    request_of,
    submit,
    wait_until_done,
    workers,
    write_config,
)
from support.kafka_brokers import MockBroker


class Killing(DemoRepository):
    """A repository that kills who asks for something there."""

    worker: WorkerProcess | None = None
    killed = 0

    def __enter__(self) -> "Killing":
        super().__enter__()
        return self

    def answer(self, seen: SeenRequest) -> Answer:
        if self.worker is not None and self.worker.process is not None:
            self.killed += 1
            self.worker.process.kill()
        return super().answer(seen)


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


def test_of_many_requests_that_wait_none_is_passed_over(
    fleet: FleetSettings, tmp_path: Path
) -> None:
    submit(fleet, *(b"no request" for _ in range(250)))

    with workers(tmp_path, fleet, "w1") as (worker,):
        wait_until_done(fleet)
        worker.stop()

    assert len(read_all(fleet, fleet.topics.rejects)) == 250


def test_a_message_that_comes_again_is_answered_from_the_ledger(
    fleet: FleetSettings, repository: DemoRepository, tmp_path: Path
) -> None:
    url = repository.datasets[0].url(repository)
    submit(fleet, request_of(url), partition=0)
    with workers(tmp_path, fleet, "w1") as (worker,):
        wait_until_done(fleet)
        worker.stop()
        asked = len(repository.requests)
        another = fleet.model_copy(update={"groups": Groups(worker="another")})
        write_config(worker.config, another)
        worker.start()
        wait_until_done(another)
        worker.stop()

    sent = read_all(fleet, fleet.topics.results)
    assert len(sent) == 2
    assert sent[0].value == sent[1].value
    assert len(repository.requests) == asked


def test_packing_changes_no_answer(
    fleet: FleetSettings, repository: DemoRepository, tmp_path: Path
) -> None:
    datasets = repository.datasets[:6]
    submit(fleet, *(request_of(each.url(repository)) for each in datasets))
    with workers(tmp_path, fleet, "w1") as (worker,):
        wait_until_done(fleet)
        worker.stop()
        asked = len(repository.requests)
        packed = carrel("archive", "pack", worker.archive)
        another = fleet.model_copy(update={"groups": Groups(worker="another")})
        write_config(worker.config, another)
        worker.start()
        wait_until_done(another)
        worker.stop()

    assert packed.code == 0, packed.err
    for topic in (fleet.topics.results, fleet.topics.file_results):
        sent = [(each.headers["carrel-request"], each.value) for each in read_all(fleet, topic)]
        assert sorted(sent) == sorted([*set(sent)] * 2)
    assert len(repository.requests) == asked


def test_a_request_that_ends_the_program_is_given_up_and_none_beside_it(
    fleet: FleetSettings, tmp_path: Path
) -> None:
    with DemoRepository(slow_s=4) as slow, Killing() as killing:
        beside, killer = slow.dataset("SLOWBT").url(slow), f"{killing.origin}/killer"
        submit(fleet, request_of(beside), request_of(killer), partition=0)
        with workers(tmp_path, fleet, "w1") as (worker,):
            killing.worker = worker
            wait_until_done(fleet, meanwhile=worker.restart_if_ended)
            worker.stop()

    sent = read_all(fleet, fleet.topics.results)
    statuses = {each.body["request"]["base_url"]: each.body["status"] for each in sent}
    rejects = read_all(fleet, fleet.topics.rejects)
    assert statuses == {beside: "success-file", killer: "internal-error"}
    assert [each.body["base_url"] for each in rejects] == [killer]
    assert killing.killed == 3


def test_a_missing_topic_and_no_broker_have_their_exit_status(
    broker: MockBroker, tmp_path: Path
) -> None:
    said = ("worker", "--archive", tmp_path / "a", "--name", "w1", "--kafka")

    without_topics = carrel(*said, broker.addresses)
    broker.take_down()
    without_broker = carrel(*said, broker.addresses)

    assert (without_topics.code, without_broker.code) == (2, 69)
    assert "--create" in without_topics.err
    assert broker.addresses in without_broker.err


def test_a_new_group_has_to_be_told_where_to_begin(fleet: FleetSettings, tmp_path: Path) -> None:
    config = write_config(tmp_path / "fleet.toml", fleet)

    ran = carrel("worker", "--archive", tmp_path / "a", "--name", "w1", "--config", config)

    assert ran.code == 2
    assert "--from earliest" in ran.err
