# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark watch`, as a shell sees it; runs of the dark archive are only noted."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from carrel.cli.dark.dates import when
from carrel.cli.dark.watch import watch
from carrel.cli.program import carrel as whole_program
from carrel.engine import Engine
from carrel.engine.watch import Watching
from carrel.engine.watch.source import WatchSource
from carrel.errors import CarrelError, UsageError
from carrel.model.dark_views import RunReport, TellRun
from support.archives import ingest, new_archive
from support.watching import LOG, RECORD, TIDES, WINDS, ChangingRepository
from support.wire import WireServer, dataset_page, reply

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def gathered(monkeypatch: pytest.MonkeyPatch) -> list[WatchSource]:
    """What the dark archive would have read."""
    sources: list[WatchSource] = []
    made: dict[Engine, Watching] = {}

    async def gather(source: WatchSource, tell: TellRun) -> RunReport:
        sources.append(source)
        return RunReport(1, "watch", True, {})

    def watching(engine: Engine) -> Watching:
        if engine not in made:
            made[engine] = Watching(engine.archive, engine.preview, engine._network.client, gather)
        return made[engine]

    monkeypatch.setattr(Engine, "watching", property(watching))
    return sources


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


@pytest.fixture
def repository() -> Iterator[ChangingRepository]:
    repository = ChangingRepository(RECORD)
    yield repository
    repository.close()


@pytest.fixture
def url(archive: Path, repository: ChangingRepository) -> str:
    """A dataset that is archived and not watched."""
    ingest(archive, repository.url())
    return repository.url()


@pytest.fixture
def run(archive: Path) -> Run:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(watch, [*arguments, "--archive", str(archive)])

    return invoke


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_group_is_part_of_the_program() -> None:
    context = click.Context(whole_program)

    dark = whole_program.get_command(context, "dark")

    assert isinstance(dark, click.Group)
    assert dark.get_command(context, "watch") is watch


def test_adding_and_listing(run: Run, url: str) -> None:
    added = run("add", url, "--json")
    listed = run("list", "--json")

    (row,) = lines(added)
    assert (added.exit_code, listed.exit_code) == (0, 0)
    assert lines(listed) == [row]
    assert (row["base_url"], row["state"], row["title"]) == (url, "unchecked", RECORD.title)


def test_adding_all_that_were_archived(run: Run, url: str) -> None:
    added = run("add", "--all")

    assert added.exit_code == 0
    assert added.stdout.startswith("1 more is watched now.")
    assert [row["base_url"] for row in lines(run("list", "--json"))] == [url]


@pytest.mark.parametrize("arguments", [["add"], ["add", "10.5072/x", "--all"]])
def test_datasets_are_named_or_all_are_meant(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)

    assert ran.exit_code == 2
    assert "Give datasets, or --all." in ran.stderr


def test_a_look_shows_a_line_with_state_and_counts(
    run: Run, url: str, repository: ChangingRepository, gathered: list[WatchSource]
) -> None:
    run("add", url)
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, size=510))))

    looked = run("look")

    first, address, message = looked.stdout.splitlines()
    assert looked.exit_code == 0
    assert first.startswith("changed")
    assert f"  {when(lines(run('list', '--json'))[0]['looked'])}  " in first  # with its Z
    assert "1 same, 1 changed, 1 gone" in first
    assert RECORD.title in first
    assert address.strip() == url
    assert "Archive it again" in message
    assert [len(list(source.containers())) for source in gathered] == [1]


def test_a_file_that_could_not_be_compared_is_not_the_same_and_another_size_is_a_change(
    run: Run, archive: Path
) -> None:
    with WireServer() as server:
        data = server.serve("/data.csv", reply(b"a" * 25, content_type="text/csv"))
        page = dataset_page(server, [{"contentUrl": data, "name": "data.csv"}])
        (result,) = ingest(archive, page)
        assert result.hit
        run("add", page)
        first = lines(run("look", "--json"))[0]
        server.serve("/data.csv", reply(b"b" * 39, content_type="text/csv"))

        second = run("look")

    assert (first["state"], first["same"], first["unverified"]) == ("unverified", 0, 1)
    assert second.stdout.startswith("changed ")
    shown = run("show", page)
    assert "Its address announces 39 bytes; it had 25 before." in shown.stdout


def test_a_look_at_a_host_that_is_down_ends_with_1(
    run: Run, url: str, repository: ChangingRepository, gathered: list[WatchSource]
) -> None:
    run("add", url)
    repository.close()

    looked = run("look", url, "--json")

    (row,) = lines(looked)
    assert (looked.exit_code, row["state"]) == (1, "unreachable")
    assert gathered == []


def test_a_dataset_that_is_gone_was_looked_at_all_the_same(
    run: Run, url: str, repository: ChangingRepository, gathered: list[WatchSource]
) -> None:
    run("add", url)
    repository.publish()

    looked = run("look", "--json")

    (row,) = lines(looked)
    assert (looked.exit_code, row["state"], row["gone"]) == (0, "gone", 3)
    assert [(list(source.containers()), source.unread) for source in gathered] == [([], ())]


def test_showing_lists_the_files_that_differ(
    run: Run, url: str, repository: ChangingRepository
) -> None:
    run("add", url)
    repository.publish(replace(RECORD, files=(LOG, replace(WINDS, size=510), TIDES)))
    run("look")

    shown = run("show", url)
    row, only = lines(run("show", url, "--json"))
    everything = run("show", url, "--all-files", "--json")

    assert "500 bytes → 510 bytes  winds.txt" in shown.stdout
    assert "The published MD5 differs." in shown.stdout
    assert (row["state"], only["path"], only["what"]) == ("changed", "winds.txt", "changed")
    assert len(lines(everything)) == 4


def test_removing(run: Run, url: str) -> None:
    run("add", url)

    removed = run("remove", url)
    listed = run("list")

    assert removed.stdout == "1 is no longer watched; captures stay.\n"
    assert (listed.exit_code, listed.stdout) == (0, "")
    assert listed.stderr.startswith("No dataset is watched.")


@pytest.mark.parametrize("command", ["look", "show", "remove"])
def test_what_is_not_watched_is_refused(run: Run, url: str, command: str) -> None:
    ran = run(command, url)

    assert isinstance(ran.exception, UsageError)
    assert "is not watched" in str(ran.exception)


def test_listing_needs_an_archive(tmp_path: Path) -> None:
    ran = CliRunner().invoke(watch, ["list", "--archive", str(tmp_path / "none")])

    assert isinstance(ran.exception, CarrelError)
