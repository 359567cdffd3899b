# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive from somebody else takes no keys, publishes nothing, and decides about nobody's hosts.

The stranger's host and the person's archive.org are servers on loopback that note what arrives.
"""

import asyncio
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.engine import Engine, IngestOptions
from carrel.engine.previewing import preview
from carrel.engine.seals import Seals
from carrel.ledger import Ledger
from carrel.model import (
    Answer,
    Destination,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    Job,
    JobState,
    Stage,
    Status,
)
from carrel.settings import Answer as Decision
from carrel.settings import Answers, in_force, settings_of
from carrel.settings.person import own_folder
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg
from support.archives import ingest, new_archive
from support.own_settings import configure
from support.wayback import ACCESS as WAYBACK_ACCESS
from support.wayback import SECRET as WAYBACK_SECRET
from support.wayback import Wayback
from support.wire import WireServer, dataset_page, reply

BODY = b"The tide came late.\n" * 20
UPLOAD = IngestOptions(strategy=IngestStrategy.ARCHIVEORG_FILE)
TO_WAYBACK = IngestOptions(to=(Destination.WAYBACK,))
TO_BOTH = IngestOptions(to=(Destination.ARCHIVE, Destination.WAYBACK))
BOUNDS = "[strategy]\nweb_file_max_size = 1\n"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", ACCESS)
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", SECRET)


@pytest.fixture
def ia() -> Iterator[FakeArchiveOrg]:
    """The archive.org of the person's own configuration."""
    with FakeArchiveOrg() as running:
        configure(f'[archiveorg]\nurl = "{running.url}"\ns3_url = "{running.url}"\n')
        yield running


@pytest.fixture
def stranger() -> Iterator[FakeArchiveOrg]:
    """A host that only an archive's settings name; it answers as archive.org would."""
    with FakeArchiveOrg() as running:
        yield running


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def page(server: WireServer) -> str:
    """A dataset of one file."""
    file = {
        "name": "0.txt",
        "contentUrl": server.serve("/0.txt", reply(BODY)),
        "contentSize": len(BODY),
        "sha256": hashlib.sha256(BODY).hexdigest(),
    }
    return dataset_page(server, [file])


def decide(archive: Path, decision: Decision) -> None:
    Answers().give(archive, in_force(archive).requests, decision)


def theirs(stranger: FakeArchiveOrg, more: str = "") -> str:
    return f'[archiveorg]\nurl = "{stranger.url}"\ns3_url = "{stranger.url}"\n{more}'


def was_left_alone(host: FakeArchiveOrg) -> bool:
    return not (host.puts or host.asked)


# Settings that an archive brings


def test_keys_do_not_arrive_at_a_host_that_only_an_archive_names(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path, server: WireServer
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))

    (result,) = ingest(archive, page, options=UPLOAD)

    assert (result.status, result.stage) == (Status.SETTINGS_UNCONFIRMED, Stage.CHOOSE)
    assert was_left_alone(stranger)
    assert was_left_alone(ia)
    assert server.times_asked("/0.txt") == 0
    assert f'archiveorg.s3_url = "{stranger.url}"' in (result.error_message or "")
    assert ACCESS not in str(result.to_json())


def test_what_is_accepted_is_used(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))
    decide(archive, Decision.ACCEPTED)

    (result,) = ingest(archive, page, options=UPLOAD)

    assert result.hit, result.error_message
    assert [put.path for put in stranger.puts] == ["0.txt"]
    assert was_left_alone(ia)


def test_what_is_rejected_leaves_the_persons_own(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))
    decide(archive, Decision.REJECTED)

    (result,) = ingest(archive, page, options=UPLOAD)

    assert result.hit, result.error_message
    assert [put.path for put in ia.puts] == ["0.txt"]
    assert was_left_alone(stranger)


def test_an_accepted_archive_that_names_another_host_later_gets_no_keys(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(ia, 'collection = "theirs"\n'))
    decide(archive, Decision.ACCEPTED)
    (archive / "settings.toml").write_text(theirs(stranger, 'collection = "theirs"\n'))

    (result,) = ingest(archive, page, options=UPLOAD)

    assert result.status is Status.SETTINGS_UNCONFIRMED
    assert was_left_alone(stranger)


def test_a_copy_of_an_accepted_archive_gets_no_keys(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))
    decide(archive, Decision.ACCEPTED)
    copy = Path(shutil.copytree(archive, tmp_path / "copy"))

    (result,) = ingest(copy, page, options=UPLOAD)

    assert result.status is Status.SETTINGS_UNCONFIRMED
    assert was_left_alone(stranger)


def test_a_test_collection_that_is_not_decided_about_is_not_published_for_good(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", "[archiveorg]\ntest = true\n")

    (result,) = ingest(archive, page, options=UPLOAD)

    assert result.status is Status.SETTINGS_UNCONFIRMED
    assert was_left_alone(ia)


def test_what_publishes_nothing_goes_on_with_the_persons_own_settings(
    stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger, "by_rule = true\n"))

    (result,) = ingest(archive, page)

    assert result.status is Status.SUCCESS_FILE
    assert was_left_alone(stranger)


@pytest.mark.parametrize("options", [TO_WAYBACK, TO_BOTH])
def test_no_capture_is_asked_for_at_a_host_that_only_an_archive_names(
    wayback: Wayback, page: str, tmp_path: Path, options: IngestOptions, server: WireServer
) -> None:
    archive = new_archive(tmp_path / "archive", f'[wayback]\nurl = "{wayback.origin}"\n')

    (result,) = ingest(archive, page, options=options)

    assert result.status is Status.SETTINGS_UNCONFIRMED
    assert wayback.asked == []
    assert server.times_asked("/0.txt") == 0


def test_captures_are_asked_for_where_the_persons_own_configuration_says(
    wayback: Wayback, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: WireServer
) -> None:
    monkeypatch.setenv("IA_ACCESS_KEY_ID", WAYBACK_ACCESS)
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", WAYBACK_SECRET)
    configure(f'[wayback]\nurl = "{wayback.origin}"\npoll_s = 0.01\n')
    file = f"{server.origin}/0.txt"
    wayback.will_capture(file, BODY)

    (result,) = ingest(new_archive(tmp_path / "archive", ""), page, options=TO_WAYBACK)

    assert result.hit, result.error_message
    assert wayback.submitted == [file]


def test_a_preview_foresees_that_something_is_to_be_decided(
    stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))

    result = asyncio.run(preview(IngestRequest(page), settings_of(archive), UPLOAD))

    assert result.status is Status.SETTINGS_UNCONFIRMED
    assert was_left_alone(stranger)


# Publication by rule


def test_no_archive_starts_publication_by_rule(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", f"[archiveorg]\nby_rule = true\n{BOUNDS}")

    (result,) = ingest(archive, page)

    assert result.status is Status.SUCCESS_FILE
    assert was_left_alone(ia)
    assert result.choice
    assert "the settings do not allow uploads" in result.choice.reason


def test_the_persons_own_rule_publishes(ia: FakeArchiveOrg, page: str, tmp_path: Path) -> None:
    configure(f"{theirs(ia, 'by_rule = true')}\n{BOUNDS}")

    (result,) = ingest(new_archive(tmp_path / "archive", ""), page)

    assert result.hit, result.error_message
    assert [put.path for put in ia.puts] == ["0.txt"]


def test_the_persons_own_rule_does_not_publish_what_only_an_archive_calls_large(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    configure(theirs(ia, "by_rule = true\n"))

    (result,) = ingest(new_archive(tmp_path / "archive", BOUNDS), page)

    assert result.status is Status.SUCCESS_FILE
    assert was_left_alone(ia)
    assert result.choice
    assert "your own configuration does not count it as large" in result.choice.reason


# The queue that an archive brings


def queue(archive: Path, page: str, options: IngestOptions) -> Job:
    async def run() -> Job:
        async with Engine.open(archive) as engine:
            (job,) = await engine.queue.add([IngestRequest(page)], options)
            return job

    return asyncio.run(run())


def work_off(archive: Path, *answers: Answer) -> Job:
    """Run the queue until nothing waits, answering the one job that is in it."""

    async def run() -> Job:
        async with Engine.open(archive) as engine:
            engine.queue.start()
            await engine.queue.wait_until_idle()
            for answer in answers:
                await engine.queue.answer(engine.jobs()[0].job_id, answer)
                await engine.queue.wait_until_idle()
            return engine.jobs()[0]

    return asyncio.run(run())


def as_somebody_else(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Go on as a person with another configuration: it is the archive that was handed over."""
    text = (own_folder() / "settings.toml").read_text()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    configure(text)


@pytest.mark.parametrize("options", [UPLOAD, TO_WAYBACK, TO_BOTH])
def test_a_job_that_came_with_the_archive_publishes_nothing_by_itself(
    ia: FakeArchiveOrg,
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: IngestOptions,
    server: WireServer,
) -> None:
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, options)
    as_somebody_else(monkeypatch, tmp_path / "other")

    job = work_off(archive)

    assert (job.state, job.status) == (JobState.ASKING, Status.PUBLICATION_UNCONFIRMED)
    assert job.question
    assert job.question.answers == (Answer.PUBLISH, Answer.LEAVE)
    assert was_left_alone(ia)
    assert server.times_asked("/0.txt") == 0


def test_a_job_that_came_with_the_archive_is_published_once_the_person_says_so(
    ia: FakeArchiveOrg, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, UPLOAD)
    as_somebody_else(monkeypatch, tmp_path / "other")

    job = work_off(archive, Answer.PUBLISH)

    assert (job.state, job.status) == (JobState.DONE, Status.SUCCESS_FILE), job.message
    assert [put.path for put in ia.puts] == ["0.txt"]


def test_ones_own_job_is_published_without_a_question(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, UPLOAD)

    job = work_off(archive)

    assert job.state is JobState.DONE, job.message
    assert [put.path for put in ia.puts] == ["0.txt"]


def test_a_job_that_somebody_changed_since_is_asked_about(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    """What was queued for this archive's WARCs only does not become a publication."""
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, IngestOptions())
    with Ledger(archive / "carrel.sqlite", writing=True) as ledger:
        ledger._connection.db.execute(
            "UPDATE jobs SET options = ?", ['{"strategy": "archiveorg-file"}']
        )
        ledger._connection.db.conn.commit()

    job = work_off(archive)

    assert job.status is Status.PUBLICATION_UNCONFIRMED
    assert was_left_alone(ia)


def test_a_seal_opens_no_other_job(ia: FakeArchiveOrg, page: str, tmp_path: Path) -> None:
    mine = queue(new_archive(tmp_path / "mine", ""), page, UPLOAD)
    other = queue(new_archive(tmp_path / "other", ""), f"{page}?other", UPLOAD)
    seals = Seals()

    assert mine.seal
    assert seals.holds(mine)
    assert not seals.holds(replace(other, seal=mine.seal))
    assert not seals.holds(replace(mine, seal=None))
    assert not seals.holds(replace(mine, seal=7))  # type: ignore[arg-type]  # SQLite keeps anything


def test_a_rule_of_ones_own_does_not_publish_what_came_in_an_archives_queue(
    ia: FakeArchiveOrg, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, IngestOptions())
    configure(f"{theirs(ia, 'by_rule = true')}\n{BOUNDS}")
    as_somebody_else(monkeypatch, tmp_path / "other")

    job = work_off(archive)

    assert job.status is Status.PUBLICATION_UNCONFIRMED
    assert was_left_alone(ia)


def test_a_job_that_publishes_nothing_runs_whoever_queued_it(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure("")
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, IngestOptions())
    as_somebody_else(monkeypatch, tmp_path / "other")

    assert work_off(archive).status is Status.SUCCESS_FILE


def test_a_key_that_is_damaged_has_the_queue_asked_about(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", "")
    queue(archive, page, UPLOAD)
    (own_folder() / "queue.key").write_bytes(b"short")

    job = work_off(archive)

    assert job.status is Status.PUBLICATION_UNCONFIRMED
    assert was_left_alone(ia)


def test_where_no_key_can_be_kept_ones_own_jobs_run_all_the_same(
    ia: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    (own_folder() / "queue.key").mkdir()
    archive = new_archive(tmp_path / "archive", "")

    (result,) = ingest(archive, page, options=UPLOAD)

    assert result.hit, result.error_message
    assert [put.path for put in ia.puts] == ["0.txt"]


def test_settings_that_are_undecided_stop_ones_own_jobs_too(
    ia: FakeArchiveOrg, stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    archive = new_archive(tmp_path / "archive", theirs(stranger))
    queue(archive, page, UPLOAD)

    job = work_off(archive)

    assert (job.state, job.status) == (JobState.FAILED, Status.SETTINGS_UNCONFIRMED)
    assert was_left_alone(stranger)


def test_every_result_says_how_it_ended(
    stranger: FakeArchiveOrg, page: str, tmp_path: Path
) -> None:
    results: list[IngestFilesetResult] = ingest(
        new_archive(tmp_path / "archive", theirs(stranger)), page, options=UPLOAD
    )

    (fields,) = [each.to_json() for each in results]
    assert fields["status"] == "settings-unconfirmed"
    assert "carrel settings accept" in fields["advice"]
    assert fields["stage"] == "choose"
