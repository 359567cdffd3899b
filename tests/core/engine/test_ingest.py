# SPDX-License-Identifier: AGPL-3.0-or-later
"""The story of an ingest: its events, what it keeps, and what it ends with."""

import asyncio
import contextlib
import errno
import gzip
import hashlib
import itertools
import json
import os
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Set
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from carrel import engine
from carrel.archive import Archive
from carrel.capture import warc_series
from carrel.capture.disk_room import RESERVE_BYTES
from carrel.demo import DemoRepository
from carrel.engine import Engine, IngestOptions
from carrel.engine.progress_reporter import FileProgressReporter, ProgressReporter
from carrel.model import (
    Destination,
    IngestFilesetResult,
    IngestRequest,
    IngestStrategy,
    Stage,
    Status,
)
from carrel.model.events import (
    Described,
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    IngestFinished,
    IngestStarted,
    StageEntered,
)
from carrel.schemas import schema
from carrel.settings import Network, Settings
from support.archives import ingest, new_archive
from support.records import files_in, read_warcs
from support.wire import (
    End,
    Reply,
    WireServer,
    cut_off,
    dataset_page,
    head,
    html,
    raw,
    redirect,
    reply,
)

BODIES = {"a.txt": b"The tide came late.\n" * 20, "b.txt": b"Heard the curlews.\n" * 30}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return new_archive(tmp_path / "archive")


def test_what_a_strategy_turns_to_is_told_as_it_happens() -> None:
    told: list[Event] = []

    async def run() -> None:
        reporter = ProgressReporter(told.append)
        FileProgressReporter("i", reporter).turned_to("file by file")
        reporter.flush()

    asyncio.run(run())

    assert told == [StageEntered("i", Stage.FETCH, "file by file")]


def described(server: WireServer, name: str, body: bytes, **changes: Any) -> dict[str, Any]:
    return {
        "name": name,
        "contentUrl": f"{server.origin}/{name}",
        "encodingFormat": "text/plain",
        "contentSize": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
        **changes,
    }


def serve_dataset(server: WireServer, **faults: Reply) -> str:
    """Serve a dataset of two files, with some answered otherwise; return its address."""
    for name, body in BODIES.items():
        server.serve(f"/{name}", faults.get(name[0]) or reply(body, Content_Type="text/plain"))
    return dataset_page(server, [described(server, name, body) for name, body in BODIES.items()])


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events if not isinstance(event, FileProgress)]


def stages(events: list[Event]) -> list[Stage]:
    return [event.stage for event in events if isinstance(event, StageEntered)]


class Kept(NamedTuple):
    """What an archive holds after an ingest."""

    warcs: list[str]
    captures: int
    staged: list[str]


def kept(path: Path) -> Kept:
    with Archive.open_for_reading(path) as archive:
        staged = [name for name in files_in(archive.staging) if not name.startswith("writer")]
        return Kept(list(files_in(archive.warcs)), len(archive.ledger.captures.all()), staged)


def schema_errors(result: IngestFilesetResult) -> list[str]:
    validator = Draft202012Validator(schema("ingest_fileset_result"))
    return [
        each.message for each in validator.iter_errors(json.loads(json.dumps(result.to_json())))
    ]


def test_a_result_tells_what_came_of_closed_files_and_not_what_was_foreseen(archive: Path) -> None:
    with DemoRepository() as repository:
        (result,) = ingest(archive, repository.dataset("PRISN5").url(repository))

    assert [file.path for file in result.files if not file.is_kept] == [
        "ledger-1925.txt",
        "ledger-1926.txt",
    ]
    assert "3 of 5 files are archived" in (result.error_message or "")
    assert [each.message for each in result.findings if "cannot be" in each.message] == []


def test_a_dataset_is_archived_and_everything_is_told_in_order(
    server: WireServer, archive: Path
) -> None:
    events: list[Event] = []

    (result,) = ingest(archive, serve_dataset(server), emit=events.append)

    assert result.status is Status.SUCCESS
    order = kinds(events)
    assert (order[0], order[-1]) == (IngestStarted, IngestFinished)
    assert order.index(Described) < order.index(FileStarted) < order.index(FileFinished)
    assert order.count(FileStarted) == order.count(FileFinished) == 2
    assert stages(events) == [
        Stage.RESOLVE,
        Stage.DESCRIBE,
        Stage.CHOOSE,
        Stage.VERIFY,
        Stage.FETCH,
        Stage.REPORT,
    ]
    assert events[-1] == IngestFinished(result.ingest_id or "", result)
    assert {event.ingest_id for event in events} == {result.ingest_id}
    assert schema_errors(result) == []


def test_all_is_told_when_the_result_is_there(server: WireServer, archive: Path) -> None:
    events: list[Event] = []

    async def run() -> type[Event]:
        async with Engine.open(archive) as opened:
            await opened.ingest(IngestRequest(serve_dataset(server)), emit=events.append)
            return type(events[-1])

    assert asyncio.run(run()) is IngestFinished


def test_the_ledger_holds_the_very_result(server: WireServer, archive: Path) -> None:
    (result,) = ingest(archive, serve_dataset(server))

    with Archive.open_for_reading(archive) as opened:
        assert opened.ledger.result(result.ingest_id or "") == json.loads(
            json.dumps(result.to_json())
        )
        assert len(opened.ledger.platform_rows()) == 1


def test_a_dataset_that_its_platform_does_not_give_is_found_by_platform_and_id(
    server: WireServer, archive: Path
) -> None:
    pid, host = "doi:10.5072/FK2/TIDE", server.origin.removeprefix("http://")
    page = server.serve(f"/dataset.xhtml?persistentId={pid}", html("<title>Dataverse</title>"))

    (result,) = ingest(archive, page)

    fields = result.to_json()
    assert fields["status"] == "platform-404"
    assert "file_count" not in fields
    assert schema_errors(result) == []
    columns = ("platform_name", "platform_domain", "platform_id")
    assert [fields[name] for name in columns] == ["dataverse", host, pid]
    with contextlib.closing(sqlite3.connect(archive / "carrel.sqlite")) as ledger:
        row = ledger.execute(f"SELECT {', '.join(columns)} FROM results").fetchone()
    assert row == ("dataverse", host, pid)


def test_the_landing_page_and_the_result_are_kept_beside_the_files(
    server: WireServer, archive: Path
) -> None:
    (result,) = ingest(archive, serve_dataset(server))

    records = read_warcs(archive / "collections/main/archive")
    assert {record.uri for record in records if record.kind == "response"} == {
        f"{server.origin}/{name}" for name in ("dataset", "a.txt", "b.txt")
    }
    document = json.loads(records[-1].payload)
    assert records[-1].uri == f"urn:x-carrel:ingest:{result.ingest_id}"
    assert (document["status"], document["ingest_id"]) == ("success", result.ingest_id)
    assert result.landing is not None
    assert result.landing.url == f"{server.origin}/dataset"
    assert result.html_biblio == {"title": "Soundings"}


def test_a_preview_fetches_no_file_and_keeps_nothing(server: WireServer, archive: Path) -> None:
    url = serve_dataset(server)
    Archive.create_or_open(archive).close()
    before = files_in(archive)

    async def run() -> IngestFilesetResult:
        async with Engine.open(archive) as opened:
            return await opened.preview(IngestRequest(url))

    result = asyncio.run(run())

    assert (result.status, len(result.files), result.ingest_id) == (Status.SUCCESS, 2, None)
    assert {seen.target for seen in server.seen} == {"/dataset"}
    assert files_in(archive) == before
    assert kept(archive) == Kept([], 0, [])
    assert schema_errors(result) == []


def test_a_preview_that_is_given_up_waits_for_no_server(server: WireServer) -> None:
    ended = threading.Event()
    watchdog = threading.Timer(200, ended.set)  # whoever waits for the server waits for this

    def silence() -> Iterator[bytes]:
        ended.wait()
        yield b""

    url = server.serve("/silent", Reply(silence))
    settings = Settings(network=Network(timeout_s=3600))

    async def give_up() -> None:
        look = asyncio.create_task(engine.preview(IngestRequest(url), settings))
        while not server.times_asked("/silent"):
            await asyncio.sleep(0.01)
        look.cancel()
        with pytest.raises(asyncio.CancelledError):
            await look

    watchdog.start()
    asyncio.run(give_up())  # which waits for all threads
    has_waited = ended.is_set()
    watchdog.cancel()
    ended.set()

    assert not has_waited


def test_a_preview_needs_no_archive(server: WireServer) -> None:
    events: list[Event] = []

    result = asyncio.run(
        engine.preview(IngestRequest(serve_dataset(server)), Settings(), emit=events.append)
    )

    assert result.status is Status.SUCCESS
    assert kinds(events)[-1] is Described


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (IngestOptions(max_file_count=1), Status.TOO_MANY_FILES),
        (IngestOptions(max_total_size=900), Status.TOO_LARGE_SIZE),
        (IngestOptions(IngestStrategy.WEB_FILESET_BUNDLED), Status.NO_STRATEGY_HELPER),
        (IngestOptions(IngestStrategy.WEB_FILE), Status.NO_STRATEGY_HELPER),
    ],
)
def test_what_exceeds_a_limit_is_refused_before_anything_is_fetched(
    server: WireServer, archive: Path, options: IngestOptions, status: Status
) -> None:
    (result,) = ingest(archive, serve_dataset(server), options=options)

    assert (result.status, result.stage) == (status, Stage.CHOOSE)
    assert server.times_asked("/a.txt") == 0
    assert schema_errors(result) == []


def test_limits_are_met_exactly(server: WireServer, archive: Path) -> None:
    total = sum(len(body) for body in BODIES.values())

    (result,) = ingest(
        archive, serve_dataset(server), options=IngestOptions(None, total, len(BODIES))
    )

    assert result.status is Status.SUCCESS


def test_a_list_that_is_known_to_be_short_is_no_success(server: WireServer, archive: Path) -> None:
    body = BODIES["a.txt"]
    file = {
        "key": "a.txt",
        "size": len(body),
        "checksum": f"md5:{hashlib.md5(body).hexdigest()}",
        "links": {"content": server.serve("/a.txt", reply(body))},
    }
    listing = {"enabled": True, "entries": [file]}
    record = {
        "id": "1",
        "metadata": {"title": "Tides"},
        "links": {"self": f"{server.origin}/api/records/1"},
        "files": {"enabled": True, "count": 2, "entries": {"a.txt": file}},
    }
    for path, answer in {"/api/records/1": record, "/api/records/1/files": listing}.items():
        server.serve(path, reply(json.dumps(answer).encode(), Content_Type="application/json"))
    url = server.serve("/records/1", html("<title>Tides</title>"))

    foreseen = asyncio.run(engine.preview(IngestRequest(url), Settings()))
    (result,) = ingest(archive, url)

    said = (Status.PLATFORM_ERROR, "The record reports 2 files but lists 1.")
    assert (foreseen.status, foreseen.error_message) == said
    assert (result.status, result.error_message) == said
    assert result.file_capture is None
    assert [each.status for each in result.files] == [Status.SUCCESS]


def test_what_is_declared_leaves_so_much_less_for_files_of_unknown_size(
    server: WireServer, archive: Path
) -> None:
    a, b = ({"name": name, "contentUrl": server.serve(f"/{name}", reply(BODIES[name]))}
            for name in BODIES)  # fmt: skip
    url = dataset_page(server, [{**a, "contentSize": len(BODIES["a.txt"])}, b])
    both = sum(map(len, BODIES.values()))

    (beyond,) = ingest(archive, url, options=IngestOptions(max_total_size=both - 1))
    (within,) = ingest(archive, url, options=IngestOptions(max_total_size=both))

    assert (beyond.status, within.status) == (Status.TOO_LARGE_SIZE, Status.SUCCESS)


def test_one_bad_file_leaves_the_others_in_the_archive(server: WireServer, archive: Path) -> None:
    url = serve_dataset(server, b=cut_off(b"half", announced=1000))

    (result,) = ingest(archive, url)

    assert result.status is Status.TRUNCATED
    assert [file.status for file in result.files] == [Status.SUCCESS, Status.TRUNCATED]
    assert kept(archive).captures == 2
    assert schema_errors(result) == []


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (html("gone", "404 Not Found"), Status.NOT_FOUND),
        (html("no", "403 Forbidden"), Status.FORBIDDEN),
        (html("log in", "401 Unauthorized"), Status.BLOCKED_WALL),
        (html("<p>nothing here</p>"), Status.NO_PLATFORM_MATCH),
        (html("<title>Just a moment...</title>"), Status.BLOCKED_CHALLENGE),
        (reply(b"", "202 Accepted"), Status.BLOCKED_CHALLENGE),
        (redirect("/page"), Status.REDIRECT_LOOP),
        (redirect("gopher://old/"), Status.BAD_REDIRECT),
        (redirect("/login?next=/page"), Status.BLOCKED_WALL),
        (reply(b"no such page", Content_Type="text/plain"), Status.WRONG_MIMETYPE),
        (reply(b"\x00" * 10, "418 Teapot"), Status.TERMINAL_BAD_STATUS),
        (html("half a page", "206 Partial Content"), Status.TERMINAL_BAD_STATUS),
        (redirect("http://127.0.0.1:9/away"), Status.NETWORK_ERROR),
    ],
)
def test_a_page_that_leads_nowhere_has_an_outcome_of_its_own(
    server: WireServer, archive: Path, answer: Reply, status: Status
) -> None:
    server.serve("/login?next=/page", html("<h1>Log in</h1>"))

    (result,) = ingest(archive, server.serve("/page", answer))

    assert result.status is status
    assert result.error_message
    assert result.error_message not in [finding.message for finding in result.findings]
    assert not result.hit
    assert schema_errors(result) == []


PAGE = (
    "<title>Tides</title><script type='application/ld+json'>"
    '{"@context": "https://schema.org/", "@type": "Dataset",'
    '"distribution": {"@type": "DataDownload", "contentUrl": "/a.txt"}}</script>'
    + "".join(f"<p>a file like {number}</p>" for number in range(900))
).encode()
ALL = {"Content-Type": "text/html", "Content-Length": len(PAGE)}


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (
            reply(gzip.compress(PAGE, mtime=0)[:-40], Content_Encoding="gzip"),
            Status.TRANSFER_ENCODING_ERROR,
        ),
        (
            reply(zlib.compress(PAGE)[:-40], Content_Encoding="deflate"),
            Status.TRANSFER_ENCODING_ERROR,
        ),
        (
            reply(gzip.compress(PAGE + bytes(20_000_000), mtime=0), Content_Encoding="gzip"),
            Status.BODY_TOO_LARGE,
        ),
        (reply(PAGE, Content_Range=f"bytes 0-{len(PAGE) - 1}/99999"), Status.TERMINAL_BAD_STATUS),
        (raw(head("200 OK", ALL) + PAGE + PAGE, end=End.KEEP), Status.TRUNCATED),
    ],
    ids=["gzip", "deflate", "large", "content-range", "surplus"],
)
def test_a_page_that_is_not_whole_tells_nothing_about_its_files(
    server: WireServer, archive: Path, answer: Reply, status: Status
) -> None:
    """Half of a page may name half of the files."""
    (result,) = ingest(archive, server.serve("/page", answer))

    assert (result.status, result.files) == (status, ())
    assert result.error_message
    assert server.times_asked("/a.txt") == 0


@pytest.mark.parametrize("end", ["http://127.0.0.1:9/away", "gopher://old/"])
def test_where_the_way_to_what_can_not_be_had_began_is_said(
    server: WireServer, archive: Path, end: str
) -> None:
    server.serve("/middle", redirect(end))
    url = server.serve("/page", redirect("/middle"))

    (result,) = ingest(archive, url)

    assert (result.error_message or "").startswith(f"{url} leads to ")


def test_nothing_is_fetched_twice_and_nothing_is_written_for_it(
    server: WireServer, archive: Path
) -> None:
    url = serve_dataset(server)
    ingest(archive, url)
    before = kept(archive)

    (again,) = ingest(archive, url)

    assert again.status is Status.SUCCESS_EXISTING
    assert kept(archive) == before
    assert (server.times_asked("/a.txt"), server.times_asked("/b.txt")) == (1, 1)
    assert schema_errors(again) == []


def test_a_request_can_insist_on_fetching_again(server: WireServer, archive: Path) -> None:
    url = serve_dataset(server)

    async def run() -> list[IngestFilesetResult]:
        async with Engine.open(archive) as opened:
            requests = [IngestRequest(url), IngestRequest(url, force_recrawl=True)]
            return [await opened.ingest(request) for request in requests]

    results = asyncio.run(run())

    assert [result.status for result in results] == [Status.SUCCESS] * 2
    assert server.times_asked("/a.txt") == 2


def test_too_little_room_is_noticed_before_anything_is_fetched(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(archive)
    free = RESERVE_BYTES + sum(map(len, BODIES.values())) - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=free))

    (result,) = ingest(archive, serve_dataset(server))

    assert result.status is Status.DISK_FULL
    assert server.times_asked("/a.txt") == 0


@pytest.mark.parametrize("call", ["rename", "fsync"])
def test_a_result_claims_nothing_that_could_not_be_sealed(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    url = serve_dataset(server)
    with monkeypatch.context() as context:
        context.setattr(*((Path, "rename", full) if call == "rename" else (os, "fsync", full)))
        (result,) = ingest(archive, url)

    assert result.status is Status.DISK_FULL
    assert [file.status for file in result.files] == [Status.DISK_FULL] * 2
    assert (result.landing, result.file_capture) == (None, None)
    assert kept(archive)[:2] == ([], 0)
    assert schema_errors(result) == []
    assert ingest(archive, url)[0].status is Status.SUCCESS
    assert server.times_asked("/a.txt") == 1  # what was fetched had waited in staging
    assert kept(archive).staged == []


def test_what_was_held_before_stays_held_where_the_rest_could_not_be_sealed(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    ingest(archive, serve_dataset(server, b=reply(b"", "404 Not Found")))
    url = serve_dataset(server)
    with monkeypatch.context() as context:
        context.setattr(Path, "rename", full)
        (result,) = ingest(archive, url)

    assert result.status is Status.DISK_FULL
    assert [file.status for file in result.files] == [Status.SUCCESS_EXISTING, Status.DISK_FULL]


def test_an_archive_that_is_taken_away_meanwhile_is_missed(
    server: WireServer, archive: Path, tmp_path: Path
) -> None:
    def pieces() -> Iterator[bytes]:
        archive.rename(tmp_path / "elsewhere")
        yield from reply(BODIES["a.txt"]).pieces()

    url = dataset_page(server, [{"contentUrl": server.serve("/a.txt", Reply(pieces))}])

    (result,) = ingest(archive, url)

    assert result.status is Status.STORE_DAMAGED
    assert "was removed while it was open" in (result.error_message or "")
    assert not archive.exists()
    assert kept(tmp_path / "elsewhere")[:2] == ([], 0)


@contextlib.contextmanager
def disk_failing_at(write: int, code: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the disk refuse the so many-th group of records that goes into a WARC."""
    writes = itertools.count(1)

    def refuse(file: FileIO, data: bytes) -> None:
        if next(writes) == write:
            raise OSError(code, os.strerror(code))
        append(file, data)

    append = warc_series._append
    with monkeypatch.context() as failing:
        failing.setattr(warc_series, "_append", refuse)
        yield


def test_what_waits_in_staging_for_a_full_disk_is_not_called_kept(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = serve_dataset(server)
    with disk_failing_at(3, errno.ENOSPC, monkeypatch):
        (result,) = ingest(archive, url)

    assert (result.status, result.hit) == (Status.DISK_FULL, False)
    assert [file.status for file in result.files] == [Status.DISK_FULL] * 2
    assert result.to_json()["kept_count"] == 0
    assert "stays in staging" in (result.error_message or "")
    assert schema_errors(result) == []
    assert ingest(archive, url)[0].status is Status.SUCCESS
    # Whichever came second met the full disk.
    assert sorted(server.times_asked(f"/{name}") for name in BODIES) == [1, 2]


def test_a_disk_that_fails_once_costs_one_file_and_is_no_fault_of_ours(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with disk_failing_at(3, errno.EIO, monkeypatch):
        (result,) = ingest(archive, serve_dataset(server))

    assert {file.status for file in result.files} == {Status.SUCCESS, Status.STORE_DAMAGED}
    assert result.status is Status.STORE_DAMAGED
    assert "The disk failed (Input/output error) while" in (result.error_message or "")


def test_a_ledger_without_room_is_an_outcome_and_not_a_fault(
    server: WireServer, archive: Path
) -> None:
    events: list[Event] = []
    files = [described(server, "a.txt", BODIES["a.txt"])]
    server.serve("/a.txt", reply(BODIES["a.txt"]))
    url = dataset_page(server, files, name="A long title. " * 20_000)

    async def run() -> IngestFilesetResult:
        async with Engine.open(archive) as opened:
            database = opened.archive.ledger._connection.db
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            database.execute(f"PRAGMA max_page_count = {pages + 10}")
            return await opened.ingest(IngestRequest(url), emit=events.append)

    result = asyncio.run(run())

    assert result.status is Status.DISK_FULL
    assert "but the ledger does not list them yet" in (result.error_message or "")
    assert result.file_capture is None
    assert type(events[-1]) is IngestFinished


@pytest.mark.parametrize("to", [(Destination.WAYBACK,), tuple(Destination)])
def test_what_a_strategy_cannot_do_is_refused_before_anything_is_fetched(
    server: WireServer, archive: Path, to: tuple[Destination, ...]
) -> None:
    url = serve_dataset(server)
    options = IngestOptions(IngestStrategy.ARCHIVEORG_FILESET, to=to)

    async def run() -> tuple[IngestFilesetResult, IngestFilesetResult]:
        async with Engine.open(archive) as opened:
            request = IngestRequest(url)
            return await opened.preview(request, options), await opened.ingest(request, options)

    foreseen, result = asyncio.run(run())

    assert (foreseen.status, result.status) == (Status.NO_STRATEGY_HELPER,) * 2
    assert "Wayback Machine" in (result.error_message or "")
    assert [server.times_asked(f"/{name}") for name in BODIES] == [0, 0]
    assert schema_errors(result) == []


def test_an_ingest_that_is_stopped_keeps_what_was_verified(
    server: WireServer, archive: Path
) -> None:
    first_is_kept = threading.Event()
    (archive / "settings.toml").write_text("[network]\nattempts = 1\ntransfers = 1\n")

    def second() -> Iterator[bytes]:
        first_is_kept.wait()
        yield from reply(BODIES["b.txt"]).pieces()

    url = serve_dataset(server, b=Reply(second))

    async def run() -> IngestFilesetResult:
        async with Engine.open(archive) as opened:

            def stop(event: Event) -> None:
                if isinstance(event, FileFinished):
                    opened.queue.cancel_all()
                    first_is_kept.set()

            return await opened.ingest(IngestRequest(url), emit=stop)

    result = asyncio.run(run())

    assert result.status is Status.CANCELLED
    assert [file.status for file in result.files] == [Status.SUCCESS, Status.CANCELLED]
    assert kept(archive).captures == 2
    assert schema_errors(result) == []


def test_a_fault_of_ours_is_an_outcome_too(
    server: WireServer, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **named: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("carrel.engine.ingest.choose", broken)

    (result,) = ingest(archive, serve_dataset(server))

    assert result.status is Status.INTERNAL_ERROR
    assert "a bug" in (result.error_message or "")
    assert kept(archive).staged == []


def test_a_file_that_was_packed_for_the_way_is_found_in_both_forms(
    server: WireServer, archive: Path
) -> None:
    packed = gzip.compress(BODIES["a.txt"], mtime=0)
    server.serve("/a.txt", reply(packed, Content_Encoding="gzip"))
    url = dataset_page(server, [described(server, "a.txt", BODIES["a.txt"])])

    (result,) = ingest(archive, url)

    assert result.status is Status.SUCCESS_FILE
    assert schema_errors(result) == []
    with Archive.open_for_reading(archive) as opened:
        for form in (BODIES["a.txt"], packed):
            digest = hashlib.sha256(form).hexdigest()
            assert [row["path"] for row in opened.ledger.datasets_with("sha256", digest)] == [
                "a.txt"
            ]


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
def test_the_datasets_that_hold_a_file_are_found_by_its_digest(
    server: WireServer, archive: Path, algorithm: str
) -> None:
    url = serve_dataset(server)
    ingest(archive, url)

    async def run() -> Set[str]:
        async with Engine.open(archive) as engine:
            return engine.holdings.datasets_with(algorithm, digest)

    digest = hashlib.new(algorithm, BODIES["b.txt"]).hexdigest()
    assert asyncio.run(run()) == {url}
