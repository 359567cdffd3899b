# SPDX-License-Identifier: AGPL-3.0-or-later
"""Our own WARCs and the Wayback Machine: what one of them lacks is told, and lost is nothing."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.model import (
    Destination,
    Fixity,
    IngestOptions,
    ManifestFile,
    PlatformItem,
    Status,
    StrategyResult,
)
from support.archives import new_archive
from support.own_settings import configure
from support.records import read_warcs
from support.strategies import strategy_at_work
from support.wayback import Wayback
from support.wire import WireServer, html, reply

BODIES = {name: f"{name} was here.\n".encode() * 50 for name in ("a", "b")}
OLD = "20200101000000"
SETTINGS = '[network]\nattempts = 1\n\n[wayback]\nurl = "{url}"\n'


@dataclass
class Desk:
    """An archive without keys for archive.org, a platform and a Wayback Machine."""

    archive: Archive
    server: WireServer
    wayback: Wayback
    cancelled: threading.Event = field(default_factory=threading.Event)

    def file(self, name: str) -> ManifestFile:
        digests = {"sha1": hashlib.sha1(BODIES[name]).hexdigest()}
        url = self.server.serve(f"/{name}", reply(BODIES[name]))
        return ManifestFile(f"{name}.txt", url, Fixity(len(BODIES[name]), digests))

    def hold(self, *files: ManifestFile) -> None:
        """Have the Wayback Machine hold files."""
        for file in files:
            self.wayback.hold(file.platform_url or "", BODIES[file.path[0]], OLD)

    def keep(self, *files: ManifestFile, ingest_id: str = "1") -> tuple[StrategyResult, list[int]]:
        """Have files kept here and there; return also which files were told of."""
        done = strategy_at_work(
            self.archive,
            PlatformItem("dataverse", "data.example", "1", files),
            options=IngestOptions(to=(Destination.ARCHIVE, Destination.WAYBACK)),
            budget=0,
            is_cancelled=self.cancelled.is_set,
            ingest_id=ingest_id,
        )
        return done.result, done.events.finished_indexes


@pytest.fixture
def desk(tmp_path: Path, server: WireServer) -> Iterator[Desk]:
    with Wayback() as wayback:
        configure(SETTINGS.format(url=wayback.origin))
        path = new_archive(tmp_path / "archive", "")
        with Archive.create_or_open(path) as opened:
            yield Desk(opened, server, wayback)


def stored(desk: Desk) -> list[bytes]:
    return sorted(
        each.payload for each in read_warcs(desk.archive.warcs) if each.kind == "response"
    )


def codes(result: StrategyResult) -> list[str]:
    return [finding.code for finding in result.findings]


def test_what_both_have_is_a_success_and_says_where_it_is(desk: Desk) -> None:
    files = [desk.file("a"), desk.file("b")]
    desk.hold(*files)

    result, told = desk.keep(*files)

    assert (result.status, codes(result), told) == (Status.SUCCESS, [], [0, 1])
    assert stored(desk) == sorted(BODIES.values())
    for file in result.manifest:
        assert file.status is Status.SUCCESS
        assert (
            file.extra["wayback_url"] == f"{desk.wayback.origin}/web/{OLD}id_/{file.platform_url}"
        )


def test_a_single_file_that_both_have_is_a_capture_of_its_own(desk: Desk) -> None:
    file = desk.file("a")
    desk.hold(file)

    result, _ = desk.keep(file)

    assert result.status is Status.SUCCESS_FILE
    assert result.file_capture is not None


def test_what_both_have_already_is_not_fetched_again(desk: Desk) -> None:
    file = desk.file("a")
    desk.hold(file)
    desk.keep(file)

    result, told = desk.keep(file, ingest_id="2")

    assert (result.status, told) == (Status.SUCCESS_EXISTING, [0])
    assert "wayback_url" in result.manifest[0].extra
    assert desk.server.times_asked("/a") == 1


def test_what_only_our_own_have_already_is_no_success(desk: Desk) -> None:
    file = desk.file("a")
    desk.keep(file)

    result, _ = desk.keep(file, ingest_id="2")

    assert result.status is Status.CREDENTIALS_REQUIRED
    assert desk.server.times_asked("/a") == 1


def test_what_can_not_be_brought_there_is_kept_here_and_no_success(desk: Desk) -> None:
    result, told = desk.keep(desk.file("a"))

    assert (result.status, codes(result)) == (Status.CREDENTIALS_REQUIRED, ["wayback-incomplete"])
    assert result.error_message == result.findings[0].message
    assert (result.manifest[0].status, result.file_capture) == (Status.SUCCESS, None)
    assert stored(desk) == [BODIES["a"]]
    assert told == [0]


def test_what_is_there_in_part_is_told_file_by_file(desk: Desk) -> None:
    files = [desk.file("a"), desk.file("b")]
    desk.hold(files[0])

    result, _ = desk.keep(*files)

    assert (result.status, codes(result)) == (Status.CREDENTIALS_REQUIRED, ["wayback-incomplete"])
    assert result.error_message is not None
    assert result.error_message.startswith(
        "The Wayback Machine lacks some. 1 of 2 files is archived."
    )
    assert [file.status for file in result.manifest] == [Status.SUCCESS] * 2
    assert ["wayback_url" in file.extra for file in result.manifest] == [True, False]


@pytest.mark.parametrize("is_one_there", [True, False])
def test_what_is_not_kept_here_is_what_the_dataset_ends_with(
    desk: Desk, is_one_there: bool
) -> None:
    files = [desk.file("a"), desk.file("b")]
    desk.server.serve("/b", html("gone", "404 Not Found"))
    desk.hold(*files[: int(is_one_there)])

    result, _ = desk.keep(*files)

    assert result.status is Status.ERROR_PLATFORM_DOWNLOAD
    assert codes(result) == ["wayback-incomplete"]
    assert (result.error_message or "").startswith(
        "1 of 2 files is archived. Not archived: b.txt: "
    )


def test_an_ingest_that_is_stopped_asks_the_wayback_machine_no_more(desk: Desk) -> None:
    desk.cancelled.set()

    result, told = desk.keep(desk.file("a"))

    assert (result.status, codes(result), told) == (Status.CANCELLED, [], [0])
    assert (desk.server.seen, desk.wayback.paths("/")) == ([], [])
