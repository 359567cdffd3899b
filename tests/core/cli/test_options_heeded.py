# SPDX-License-Identifier: AGPL-3.0-or-later
"""An option is heeded, or refused before anything is fetched: it is never passed over in silence.

What a preview foresees is what the ingest then ends in.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel.demo import DemoRepository
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg
from support.archives import Ran, new_archive
from support.own_settings import configure
from support.wayback import Wayback
from support.wire import WireServer, dataset_page, reply

Carrel = Callable[..., Ran]
SETTINGS = """\
[network]
contact = "archivist@example.org"
attempts = 1
timeout_s = 20
api_interval_s = 0

[strategy]
web_max_file_count = 2
bundle_from_file_count = 3

[wayback]
url = "{wayback}"
max_file_count = 2

[archiveorg]
url = "{archiveorg}"
s3_url = "{archiveorg}"
by_rule = {by_rule}
"""
SINGLE, THREE_FILES = "OLAVE1", "DIARY3"
PLAIN = "f1dna-mes7q"  # of seven files


@pytest.fixture(scope="module")
def repository() -> Iterator[DemoRepository]:
    with DemoRepository() as running:
        yield running


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def archiveorg(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeArchiveOrg]:
    """The stand-in of archive.org, and keys for it."""
    monkeypatch.setenv("IA_ACCESS_KEY_ID", ACCESS)
    monkeypatch.setenv("IA_SECRET_ACCESS_KEY", SECRET)
    with FakeArchiveOrg() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path, wayback: Wayback, archiveorg: FakeArchiveOrg) -> Path:
    return _archive(tmp_path, wayback, archiveorg, by_rule="false")


def _archive(tmp_path: Path, wayback: Wayback, archiveorg: FakeArchiveOrg, by_rule: str) -> Path:
    configure(SETTINGS.format(wayback=wayback.origin, archiveorg=archiveorg.url, by_rule=by_rule))
    return new_archive(tmp_path / "archive")


def files_fetched(repository: DemoRepository, url: str) -> int:
    key = next(each for each in repository.datasets if each.url(repository) == url)
    return sum(repository.times_fetched(key.file_url(repository, file)) for file in key.files)


def serve_files(server: WireServer, *names: str) -> str:
    """Serve a dataset of files without digests, which no index is asked about."""
    body = b"The tide came late.\n"
    files = [
        {
            "name": name,
            "contentUrl": server.serve(f"/{name}", reply(body)),
            "contentSize": len(body),
        }
        for name in names
    ]
    return dataset_page(server, files, name="Soundings")


@pytest.mark.parametrize("to", ["wayback", "both"])
@pytest.mark.parametrize(
    ("strategy", "key"),
    [
        ("web-fileset-bundled", THREE_FILES),
        ("archiveorg-file", SINGLE),
        ("archiveorg-fileset", THREE_FILES),
        ("archiveorg-fileset-bundled", THREE_FILES),
    ],
)
def test_what_reaches_no_wayback_machine_is_refused_before_anything_is_fetched(
    carrel: Carrel,
    repository: DemoRepository,
    wayback: Wayback,
    archiveorg: FakeArchiveOrg,
    archive: Path,
    strategy: str,
    key: str,
    to: str,
) -> None:
    url = repository.dataset(key).url(repository)
    before = files_fetched(repository, url)
    call = (url, "--strategy", strategy, "--to", to, "--json", "--archive", archive)

    previewed = carrel("preview", *call)
    ingested = carrel("ingest", *call)

    for ran in (previewed, ingested):
        (fields,) = ran.lines
        assert (ran.code, fields["status"]) == (1, "no-strategy-helper")
        assert f"{strategy} captures nothing in the Wayback Machine" in fields["error_message"]
    assert (wayback.asked, archiveorg.asked, archiveorg.puts) == ([], [], [])
    assert files_fetched(repository, url) == before


@pytest.mark.parametrize("by_rule", ["true", "false"])
@pytest.mark.parametrize("to", ["wayback", "both"])
def test_neither_a_bundle_nor_an_item_is_chosen_for_the_wayback_machine(
    carrel: Carrel,
    repository: DemoRepository,
    wayback: Wayback,
    archiveorg: FakeArchiveOrg,
    tmp_path: Path,
    by_rule: str,
    to: str,
) -> None:
    archive = _archive(tmp_path, wayback, archiveorg, by_rule)
    url = repository.dataset(THREE_FILES).url(repository)

    (here,) = carrel("preview", url, "--json", "--archive", archive).lines
    (there,) = carrel("preview", url, "--to", to, "--json", "--archive", archive).lines

    by_itself = "archiveorg-fileset" if by_rule == "true" else "web-fileset-bundled"
    assert (here["ingest_strategy"], there["ingest_strategy"]) == (by_itself, "web-fileset")
    assert "You chose the Wayback Machine" in there["strategy_reason"]


@pytest.mark.parametrize("to", ["wayback", "both"])
def test_more_files_than_the_wayback_machine_is_given_are_foreseen(
    carrel: Carrel, server: WireServer, wayback: Wayback, archive: Path, to: str
) -> None:
    url = serve_files(server, "a.txt", "b.txt", "c.txt")
    call = (url, "--to", to, "--json", "--archive", archive)

    previewed = carrel("preview", *call)
    ingested = carrel("ingest", *call)

    assert previewed.lines[0]["status"] == ingested.lines[0]["status"] == "too-much-spn"
    assert wayback.submitted == []


def test_a_name_that_no_item_takes_is_foreseen(
    carrel: Carrel, server: WireServer, archiveorg: FakeArchiveOrg, archive: Path
) -> None:
    url = serve_files(server, "a.txt", "name")
    call = (url, "--strategy", "archiveorg-fileset", "--json", "--archive", archive)

    (previewed,) = carrel("preview", *call).lines
    (ingested,) = carrel("ingest", *call).lines

    assert ingested["status"] == "unsafe-path"
    assert previewed["status"] == "unsafe-path"
    assert [entry.get("status") for entry in previewed["manifest"]] == [None, "unsafe-path"]


@pytest.mark.parametrize("strategy", [None, "web-fileset", "web-fileset-bundled"])
def test_a_named_item_that_nothing_would_be_written_to_is_refused(
    carrel: Carrel,
    repository: DemoRepository,
    archiveorg: FakeArchiveOrg,
    archive: Path,
    strategy: str | None,
) -> None:
    url = repository.dataset(THREE_FILES).url(repository)
    asked = ["--strategy", strategy] if strategy else []
    call = (url, *asked, "--item-name", "our-item", "--json", "--archive", archive)

    previewed = carrel("preview", *call)
    ingested = carrel("ingest", *call)

    for ran in (previewed, ingested):
        (fields,) = ran.lines
        assert (ran.code, fields["status"]) == (1, "no-strategy-helper")
        assert "“our-item”" in fields["error_message"]
    assert archiveorg.asked == []


@pytest.mark.parametrize(("key", "is_told"), [(PLAIN, True), (THREE_FILES, False)])
def test_where_there_is_no_bundle_it_is_said_that_none_is_completed(
    carrel: Carrel, repository: DemoRepository, archive: Path, key: str, is_told: bool
) -> None:
    url = repository.dataset(key).url(repository)
    asked = ["--strategy", "web-fileset"] if is_told else []

    ran = carrel("ingest", url, *asked, "--no-fetch-missing", "--json", "--archive", archive)

    codes = [finding["code"] for finding in ran.lines[0]["findings"]]
    assert ("no-bundle-to-complete" in codes) is is_told


@pytest.mark.parametrize(
    "asked",
    [
        ["--strategy", "web-fileset-bundled", "--to", "both"],
        ["--strategy", "archiveorg-fileset", "--to", "wayback"],
        ["--strategy", "web-fileset", "--item-name", "our-item"],
    ],
)
def test_a_list_is_not_queued_with_options_that_no_dataset_can_be_archived_with(
    carrel: Carrel, archive: Path, tmp_path: Path, asked: list[str]
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("10.5072/a\n")

    added = carrel("batch", "add", path, *asked, "--archive", archive)
    run = carrel("batch", "run", path, *asked, "--archive", archive)

    for ran in (added, run):
        assert (ran.code, ran.out) == (2, "")
        assert "Nothing was queued." in ran.err
    assert not (archive / "carrel.sqlite").exists()


def test_a_dry_run_names_the_outcome_of_options_that_contradict_each_other(
    carrel: Carrel, repository: DemoRepository, archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(repository.dataset(THREE_FILES).url(repository) + "\n")
    asked = ["--strategy", "web-fileset-bundled", "--to", "wayback"]

    ran = carrel("batch", "add", path, *asked, "--dry-run", "--json", "--archive", archive)

    assert (ran.code, ran.lines[1]["status"]) == (1, "no-strategy-helper")


def test_what_waits_with_other_options_is_told(
    carrel: Carrel, archive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "list.txt"
    path.write_text("10.5072/a\n10.5072/b\n")
    carrel("batch", "add", path, "--archive", archive)

    in_words = carrel("batch", "add", path, "--to", "wayback", "--archive", archive)
    in_json = carrel("batch", "add", path, "--to", "wayback", "--json", "--archive", archive)
    same = carrel("batch", "add", path, "--json", "--archive", archive)

    assert "2 already in the queue keep their own options" in in_words.out
    assert [ran.lines[0]["queued_otherwise"] for ran in (in_json, same)] == [2, 0]
    waiting = carrel("batch", "list", "--json", "--archive", archive).lines
    assert ["options" in json.loads(json.dumps(line)) for line in waiting] == [False, False]
