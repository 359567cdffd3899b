# SPDX-License-Identifier: AGPL-3.0-or-later
"""archiveorg-*: first into our own collection, then into an item, never over what is there."""

import asyncio
import hashlib
import io
import ssl
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import trustme

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.credentials import Credentials, Keys
from carrel.errors import IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import (
    Fixity,
    IngestOptions,
    IngestRequest,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
)
from carrel.settings import Settings
from carrel.strategies.archiveorg import ArchiveOrgArchiver
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.limits import Budget
from carrel.strategies.strategy import Work
from support.archiveorg import ACCESS, SECRET, FakeArchiveOrg, Fault
from support.archives import new_archive
from support.own_settings import configure
from support.records import read_warcs
from support.wire import WireServer, html, reply

KEYS = Keys(ACCESS, SECRET)
NAME = "data.example-77"
DOI = "10.5072/tide"
BODIES = {"readme.txt": b"The tide.\n", "2026/a.csv": b"1;2\n" * 900, "2026/05/b.csv": b"3;4\n"}
LARGE = hashlib.shake_128(b"surf").digest(6 * 1024 * 1024)
SETTINGS = """\
[network]
contact = "archivist@example.org"
attempts = 3
timeout_s = 20
[archiveorg]
url = "{url}"
s3_url = "{url}"
"""


class StoredKeys(Credentials):
    """Credentials of which only the keys for archive.org are told."""

    def __init__(self, keys: Keys | None) -> None:
        super().__init__()
        self._keys = keys

    def archiveorg(self) -> Keys | None:
        return self._keys

    def unusable(self) -> str | None:
        return None


@dataclass
class Events:
    told: list[tuple[str, int]] = field(default_factory=list)
    files: dict[int, ManifestFile] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    on_store: Callable[[], None] = lambda: None

    def turned_to(self, what: str) -> None:
        self.reasons.append(what)

    def started(self, index: int) -> None:
        self.told.append(("started", index))

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None:
        self.told.append((phase, index))

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self.reasons.append(reason)
        self.on_store()

    def finished(self, index: int, file: ManifestFile) -> None:
        self.told.append(("finished", index))
        self.files[index] = file


@pytest.fixture
def ia() -> Iterator[FakeArchiveOrg]:
    with FakeArchiveOrg() as running:
        yield running


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing between two tries of an upload."""
    monkeypatch.setattr("carrel.strategies.item_delivery._FIRST_PAUSE_S", 0.0)
    once = RetryPolicy(tries=3, first_pause_s=0.0)
    monkeypatch.setattr("carrel.strategies.item_delivery._WHILE_OVERLOADED", once)


@pytest.fixture
def archive(tmp_path: Path, ia: FakeArchiveOrg) -> Iterator[Archive]:
    configure(SETTINGS.format(url=ia.url))
    with Archive.create_or_open(new_archive(tmp_path / "archive", "")) as opened:
        yield opened


def declared(body: bytes) -> Fixity:
    return Fixity(len(body), {"md5": hashlib.md5(body).hexdigest()})


def serve(server: WireServer, bodies: dict[str, bytes] = BODIES) -> tuple[ManifestFile, ...]:
    return tuple(
        ManifestFile(path, server.serve(f"/{at}", reply(body)), declared(body))
        for at, (path, body) in enumerate(bodies.items())
    )


def dataset(files: Sequence[ManifestFile], **fields: object) -> PlatformItem:
    item = PlatformItem(
        "inveniordm",
        "data.example",
        "77",
        tuple(files),
        title="Tide gauges",
        creators=("Doe, Jane", "Müller, Ån"),
        doi=DOI,
        archiveorg_item_name=NAME,
    )
    return replace(item, **fields)  # type: ignore[arg-type]  # checked by name


@dataclass
class Kept:
    result: StrategyResult
    events: Events

    @property
    def statuses(self) -> list[str]:
        return [str(file.status) for file in self.result.manifest]

    @property
    def messages(self) -> str:
        return " ".join(file.message or "" for file in self.result.manifest)


Keep = Callable[..., Kept]


@pytest.fixture
def keep(archive: Archive) -> Keep:
    """Let the strategy do its work as an ingest does."""

    def run(
        item: PlatformItem,
        strategy: IngestStrategy = IngestStrategy.ARCHIVEORG_FILESET,
        *,
        keys: Keys | None = KEYS,
        options: IngestOptions = IngestOptions(),
        events: Events | None = None,
        cancelled: threading.Event | None = None,
        ingest_id: str = "1",
    ) -> Kept:
        series = archive.new_series(ingest_id)
        events = events or Events()
        archive.ledger.ingests.start(
            ingest_id, IngestRequest("http://127.0.0.1/dataset"), "2026-03-02"
        )

        async def archived(work: Work) -> StrategyResult:
            quickly = RetryPolicy(tries=4, first_pause_s=0.0)
            archiver = ArchiveOrgArchiver(strategy, work, quickly)
            return await archiver.check_existing(item) or await archiver.process(item)

        with Client(archive.settings.network) as client:
            capture_store = CaptureStore(archive, series)
            work = Work(
                archive=archive,
                client=client,
                series=series,
                capture_store=capture_store,
                budget=Budget(10**9),
                events=events,
                is_cancelled=(cancelled or threading.Event()).is_set,
                landing_url="http://127.0.0.1/dataset",
                options=options,
                credentials=StoredKeys(keys),
                ingest_id=ingest_id,
            )
            result = asyncio.run(archived(work))
        archive.keep(series, capture_store.captures)
        return Kept(result, events)

    return run


def test_without_keys_it_says_so_before_anything_is_fetched(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    with pytest.raises(IngestStop, match="carrel credentials set archive") as stop:
        keep(dataset(serve(server)), keys=None)

    assert stop.value.status is Status.CREDENTIALS_REQUIRED
    assert (server.seen, ia.asked, ia.puts) == ([], [], [])


def test_every_file_stands_in_the_item_and_in_the_archive(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    kept = keep(dataset(serve(server)))

    assert (kept.result.status, kept.statuses) == (Status.SUCCESS, ["success"] * 3)
    assert kept.result.archiveorg_item_name == NAME
    assert sorted(ia.items[NAME].files) == sorted(BODIES)
    listed = ia.items[NAME].files["2026/05/b.csv"]
    assert listed["sha1"] == hashlib.sha1(b"3;4\n").hexdigest()
    stored = [each.payload for each in read_warcs(archive.warcs) if each.kind == "response"]
    assert set(BODIES.values()) <= set(stored)
    assert kept.result.findings[0].code == "archiveorg-item"


def test_the_item_says_what_it_is_and_nothing_is_derived_from_it(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    keep(dataset(serve(server), license="cc-by-4.0", published="2026-03-01T00:00:00Z"))

    assert ia.items[NAME].metadata == {
        "identifier": NAME,
        "title": "Tide gauges",
        "creator": ["Doe, Jane", "Müller, Ån"],
        "doi": DOI,
        "date": "2026-03-01",
        "source": "http://127.0.0.1/dataset",
        "licenseurl": "https://creativecommons.org/licenses/by/4.0/",
        "collection": "opensource",
        "mediatype": "data",
    }
    headers = ia.puts[0].headers
    assert headers["x-archive-auto-make-bucket"] == "1"
    assert headers["x-archive-queue-derive"] == "0"
    assert headers["x-archive-keep-old-version"] == "1"
    assert headers["x-archive-size-hint"] == str(sum(map(len, BODIES.values())))
    assert "transfer-encoding" not in headers


def test_archive_org_is_told_who_calls_and_no_key_beside_the_signature(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    keep(dataset(serve(server)))

    assert all("Carrel/" in agent and "archivist@example.org" in agent for agent in ia.agents)
    assert ACCESS not in "".join(ia.agents) + "".join(ia.asked)
    assert any("internetarchive/" in agent for agent in ia.agents)


def test_the_list_of_the_item_is_kept_as_evidence_without_keys(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    keep(dataset(serve(server)))

    records = read_warcs(archive.warcs)
    (listing,) = [
        each
        for each in records
        if each.uri == f"{ia.url}/metadata/{NAME}" and each.kind == "response"
    ]
    assert b"2026/a.csv" in listing.payload
    whole = b"".join(path.read_bytes() for path in archive.warcs.iterdir())
    assert SECRET.encode() not in whole + b"".join(each.payload for each in records)


@pytest.mark.parametrize("body", [b"", b"1;2\n", LARGE])
def test_a_single_file_of_any_size_is_streamed_from_its_record(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, body: bytes
) -> None:
    files = serve(server, {"waves.bin": body})

    kept = keep(dataset(files), IngestStrategy.ARCHIVEORG_FILE)

    assert kept.result.status is Status.SUCCESS_FILE
    assert kept.result.file_capture is not None
    assert kept.result.ingest_strategy is IngestStrategy.ARCHIVEORG_FILE
    assert ia.items[NAME].files["waves.bin"]["md5"] == hashlib.md5(body).hexdigest()


def test_the_same_bytes_under_two_names_are_both_sent(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    kept = keep(dataset(serve(server, {"a/x.txt": b"same\n" * 99, "b/x.txt": b"same\n" * 99})))

    assert kept.result.status is Status.SUCCESS
    assert sorted(ia.items[NAME].files) == ["a/x.txt", "b/x.txt"]


def test_a_file_is_done_only_when_the_item_lists_it(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    kept = keep(dataset(serve(server)))

    for index in range(3):
        told = [what for what, which in kept.events.told if which == index]
        assert (told[0], told[-1]) == ("started", "finished")
        assert told.count("finished") == 1
    last_fetch = max(at for at, each in enumerate(kept.events.told) if each[0] == "started")
    assert kept.events.told.index(("finished", 0)) > last_fetch


def test_an_item_that_has_everything_is_asked_and_nothing_else_happens(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold(NAME, BODIES, doi=DOI)

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS_EXISTING
    assert kept.statuses == ["success-existing"] * 3
    assert (server.seen, ia.puts) == ([], [])
    assert len(kept.events.files) == 3


def test_what_the_item_has_already_is_not_sent_again(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold(NAME, {"readme.txt": BODIES["readme.txt"]}, doi=DOI)

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS
    assert kept.statuses == ["success-existing", "success", "success"]
    assert sorted(ia.paths_sent) == ["2026/05/b.csv", "2026/a.csv"]


def test_other_bytes_under_a_name_are_a_conflict_and_are_left_alone(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    held = ia.hold(NAME, {"readme.txt": b"Mine.", "2026/a.csv": BODIES["2026/a.csv"]}, doi=DOI)

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.MISMATCH_EXISTING
    assert kept.statuses == ["mismatch-existing", "success-existing", "not-processed"]
    assert (server.seen, ia.puts) == ([], [])
    assert held.files["readme.txt"]["md5"] == hashlib.md5(b"Mine.").hexdigest()
    assert "another file named readme.txt" in (kept.result.error_message or "")


def test_a_conflict_that_only_the_fetched_bytes_show_sends_nothing_either(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    held = ia.hold(NAME, {"readme.txt": b"Mine."}, doi=DOI)
    files = [replace(file, declared=Fixity()) for file in serve(server)]

    kept = keep(dataset(files))

    assert kept.result.status is Status.MISMATCH_EXISTING
    assert kept.statuses == ["mismatch-existing", "not-processed", "not-processed"]
    assert ia.puts == []
    assert held.files["readme.txt"]["size"] == "5"


def test_what_appears_in_the_item_meanwhile_is_not_overwritten(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.faults = [Fault.SLOW_DOWN]

    def somebody_is_quicker() -> None:
        ia.hold(NAME, {"readme.txt": b"Quick."}, doi=DOI)

    kept = keep(dataset(serve(server)), events=Events(on_store=somebody_is_quicker))

    assert kept.result.status is Status.MISMATCH_EXISTING
    assert kept.statuses == ["mismatch-existing", "success", "success"]
    assert ia.items[NAME].files["readme.txt"]["size"] == "6"


@pytest.mark.parametrize(
    "metadata",
    [{"doi": "10.5072/another"}, {"source": "https://other.example/records/1"}, {"title": "?"}],
)
def test_an_item_about_something_else_is_not_added_to(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, metadata: dict[str, str]
) -> None:
    ia.hold(NAME, {}, **metadata)

    with pytest.raises(IngestStop, match="is not of this dataset") as stop:
        keep(dataset(serve(server)))

    assert stop.value.status is Status.MISMATCH_EXISTING
    assert (server.seen, ia.puts) == ([], [])


def test_an_item_that_archive_org_hides_is_not_added_to(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold(NAME, {}).is_dark = True

    with pytest.raises(IngestStop, match="it is dark"):
        keep(dataset(serve(server)))


def test_an_item_that_the_person_names_may_say_nothing_of_itself(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold("our-item", {}, title="Prepared by hand")

    kept = keep(dataset(serve(server)), options=IngestOptions(item_name="our-item"))

    assert kept.result.status is Status.SUCCESS
    assert kept.result.archiveorg_item_name == "our-item"
    assert sorted(ia.items["our-item"].files) == sorted(BODIES)


def test_an_item_of_archive_org_is_not_completed_from_itself(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold("ICE", {}, title="Ice")
    item = dataset(serve(server), platform_name="archiveorg", platform_id="ICE", doi=None)

    with pytest.raises(IngestStop, match="itself") as stop:
        keep(replace(item, archiveorg_item_name="ICE"))

    assert stop.value.status is Status.NO_STRATEGY_HELPER


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../up.txt", "a/../b", "a//b", "a\\b", "li\nne", "name", f"{NAME}_meta.xml"],
)
def test_a_name_that_can_not_stand_in_an_item_is_refused_and_the_others_are_sent(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, path: str
) -> None:
    kept = keep(dataset(serve(server, {path: b"bad", "good.txt": b"good"})))

    assert kept.result.status is Status.UNSAFE_PATH
    assert kept.statuses == ["unsafe-path", "success"]
    assert ia.paths_sent == ["good.txt"]
    assert server.times_asked("/0") == 0


@pytest.mark.parametrize("path", ["über straße #1 & 50%.csv", "a/b c/d+e?.txt", "日本語/波.csv"])
def test_a_name_is_kept_letter_by_letter(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, path: str
) -> None:
    kept = keep(dataset(serve(server, {path: b"x", "y": b"y"})))

    assert kept.result.status is Status.SUCCESS
    assert sorted(ia.items[NAME].files) == sorted([path, "y"])


def test_a_file_that_can_not_be_had_does_not_keep_the_others_from_the_item(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    files = serve(server)
    server.serve("/1", html("gone", "404 Not Found"))

    kept = keep(dataset(files))

    assert kept.result.status is Status.ERROR_PLATFORM_DOWNLOAD
    assert kept.statuses == ["success", "error-platform-download", "success"]
    assert sorted(ia.items[NAME].files) == ["2026/05/b.csv", "readme.txt"]


@pytest.mark.parametrize(
    "faults",
    [
        [Fault.SLOW_DOWN],
        [Fault.RESET],
        [Fault.LOST_ANSWER],
        [Fault.BAD_DIGEST],
        [Fault.RESET, Fault.SLOW_DOWN],
    ],
)
def test_a_fault_that_passes_is_waited_out(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, faults: list[Fault | None]
) -> None:
    ia.faults = faults

    kept = keep(dataset(serve(server)))

    assert (kept.result.status, kept.statuses) == (Status.SUCCESS, ["success"] * 3)
    assert sorted(ia.items[NAME].files) == sorted(BODIES)
    assert kept.events.reasons


def test_a_file_that_was_taken_though_nobody_said_so_is_not_sent_twice(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.faults = [Fault.LOST_ANSWER]

    keep(dataset(serve(server)))

    assert ia.paths_sent.count("readme.txt") == 1


def test_a_full_queue_is_waited_for(server: WireServer, ia: FakeArchiveOrg, keep: Keep) -> None:
    ia.faults, ia.refusals = [Fault.SLOW_DOWN], 2

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS
    assert "archive.org is overloaded." in kept.events.reasons
    assert ia.times_asked("/?check_limit=1") == 3


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        (Fault.SPAM, Status.ERROR_ARCHIVEORG_UPLOAD, "appears to be spam"),
        (Fault.DENIED, Status.ERROR_ARCHIVEORG_UPLOAD, "AccessDenied"),
        (Fault.SENT_ON, Status.ERROR_ARCHIVEORG_UPLOAD, "given by a redirect"),
    ],
)
def test_a_fault_that_stays_is_named_and_not_tried_again(
    server: WireServer,
    ia: FakeArchiveOrg,
    keep: Keep,
    fault: Fault,
    status: Status,
    words: str,
) -> None:
    ia.faults = [fault]

    kept = keep(dataset(serve(server)))

    assert kept.result.status is status
    assert kept.statuses == [str(status), "success", "success"]
    assert words in kept.messages
    assert "archived here nevertheless" in kept.messages
    assert ia.paths_sent.count("readme.txt") == 1


@pytest.mark.parametrize(
    ("fault", "statuses"),
    [
        (Fault.BAD_KEYS, ["success", "credentials-required", "not-processed", "not-processed"]),
        (
            Fault.DENIED,
            ["success", "error-archiveorg-upload", "error-archiveorg-upload", "not-processed"],
        ),
    ],
)
def test_an_archive_that_takes_nothing_more_is_not_pressed(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, fault: Fault, statuses: list[str]
) -> None:
    ia.faults = [None, *[fault] * 3]

    kept = keep(dataset(serve(server, {name: name.encode() for name in "abcd"})))

    assert kept.statuses == statuses
    assert kept.result.status == statuses[1]
    assert len(ia.puts) == 1 + statuses.count(statuses[1])
    assert list(ia.items[NAME].files) == ["a"]


@pytest.mark.parametrize(
    "address",
    [
        "https://evilarchive.org/x",
        "https://archive.org.example/x",
        "https://archive.org@example.org/x",
        "http://s4.us.archive.org/x",
        "http://127.0.0.1:9/x",
    ],
)
def test_keys_and_files_go_nowhere_else(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, address: str
) -> None:
    ia.faults, ia.sends_on_to = [Fault.SENT_ON], address

    kept = keep(dataset(serve(server, {"a": b"a"})), IngestStrategy.ARCHIVEORG_FILE)

    assert kept.result.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert "Your keys for archive.org are not sent to" in kept.messages


@pytest.mark.parametrize("place", ["http://s3.example", "http://s3.us.archive.org"])
def test_the_persons_own_setting_does_not_cost_them_their_keys(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep, place: str
) -> None:
    moved = replace(archive.settings.archiveorg, s3_url=place)
    object.__setattr__(archive, "settings", replace(archive.settings, archiveorg=moved))

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert f"not sent to {place}, given by the setting" in kept.messages


def test_the_settings_of_the_library_are_neither_read_nor_written(
    server: WireServer,
    ia: FakeArchiveOrg,
    keep: Keep,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = tmp_path / "internetarchive" / "ia.ini"
    theirs.parent.mkdir()
    theirs.write_text("[s3]\naccess = x\nsecret = y\n[general]\nhost = nowhere\nsecure = maybe\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("IA_CONFIG_FILE", str(theirs))
    before = theirs.stat()

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS
    assert theirs.stat().st_mtime_ns == before.st_mtime_ns


def test_a_proxy_of_the_environment_is_used(
    server: WireServer,
    ia: FakeArchiveOrg,
    archive: Archive,
    keep: Keep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = "http://archive.internal"
    moved = replace(archive.settings.archiveorg, url=elsewhere, s3_url=elsewhere)
    object.__setattr__(archive, "settings", replace(archive.settings, archiveorg=moved))
    monkeypatch.setenv("http_proxy", ia.url)
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS
    assert ia.asked[0] == f"{elsewhere}/metadata/{NAME}"


def test_a_private_authority_of_the_environment_is_trusted(
    server: WireServer,
    archive: Archive,
    keep: Keep,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with FakeArchiveOrg(tls) as secure:
        moved = replace(archive.settings.archiveorg, url=secure.url, s3_url=secure.url)
        object.__setattr__(archive, "settings", replace(archive.settings, archiveorg=moved))

        kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS
    assert sorted(secure.items[NAME].files) == sorted(BODIES)


def test_keys_that_archive_org_repeats_are_not_repeated_further(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, caplog: pytest.LogCaptureFixture
) -> None:
    ia.faults = [Fault.BAD_KEYS] * 3
    caplog.set_level("DEBUG")

    kept = keep(dataset(serve(server)))

    said = repr(kept) + caplog.text
    assert "No … and … here" in said
    assert (ACCESS in said, SECRET in said) == (False, False)


def test_an_upload_that_never_succeeds_is_tried_as_often_as_the_settings_say(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    ia.faults = [Fault.SLOW_DOWN] * 3

    kept = keep(dataset(serve(server, {"a": b"a", "b": b"b"})))

    assert kept.statuses == ["error-archiveorg-upload", "success"]
    assert ia.paths_sent == ["a", "a", "a", "b"]
    assert b"a" in [each.payload for each in read_warcs(archive.warcs)]


def test_a_second_attempt_sends_only_what_is_missing(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.faults = [None, Fault.DENIED, None]
    keep(dataset(serve(server)))
    ia.puts.clear()

    kept = keep(dataset(serve(server)), ingest_id="2")

    assert kept.result.status is Status.SUCCESS
    assert kept.statuses == ["success-existing", "success", "success-existing"]
    assert ia.paths_sent == ["2026/a.csv"]


def test_a_list_that_comes_late_is_waited_for(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.lists_after = 3

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.SUCCESS


def test_a_file_that_is_never_listed_is_no_success(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.lists_after = 100

    kept = keep(dataset(serve(server, {"a": b"a", "b": b"b"})))

    assert kept.result.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert kept.statuses == ["error-archiveorg-upload"] * 2
    assert "a was uploaded, but archive.org does not list it yet" in kept.messages


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.LOST_FOLDER, "archive.org lists it as “b.csv”"),
        (Fault.WRONG_BYTES, "archive.org lists it with other bytes"),
    ],
)
def test_what_the_item_shows_otherwise_than_it_was_sent_is_no_success(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, fault: Fault, words: str
) -> None:
    ia.faults = [None, None, fault]

    kept = keep(dataset(serve(server)))

    assert kept.result.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert kept.statuses == ["success", "success", "error-archiveorg-upload"]
    assert words in kept.messages


@pytest.mark.parametrize(
    "answer",
    [(500, b"oops"), (200, b"not JSON"), (200, b"[]"), (200, b'{"files": 7}'),
     (200, b'{"error": "busy"}')],
)  # fmt: skip
def test_an_item_that_can_not_be_looked_at_stops_everything_before_it_begins(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep, answer: tuple[int, bytes]
) -> None:
    ia.answer_instead = answer

    with pytest.raises(IngestStop, match="could not be checked") as stop:
        keep(dataset(serve(server)))

    assert stop.value.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert server.seen == []


def test_a_stop_during_an_upload_ends_it(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    cancelled = threading.Event()
    ia.faults = [Fault.SLOW_DOWN]

    kept = keep(dataset(serve(server)), events=Events(on_store=cancelled.set), cancelled=cancelled)

    assert kept.result.status is Status.CANCELLED
    assert kept.statuses == ["cancelled"] * 3
    assert ia.items == {}
    stored = [each.payload for each in read_warcs(archive.warcs)]
    assert set(BODIES.values()) <= set(stored)


def test_trying_things_out_does_not_use_up_the_real_name(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    tested = replace(archive.settings.archiveorg, test=True)
    settings: Settings = replace(archive.settings, archiveorg=tested)
    object.__setattr__(archive, "settings", settings)

    kept = keep(dataset(serve(server)))

    (name,) = ia.items
    assert name == kept.result.archiveorg_item_name == f"{NAME}-test"
    assert ia.items[name].metadata["collection"] == "test_collection"
    assert "archiveorg-test" in [finding.code for finding in kept.result.findings]


def test_a_test_puts_nothing_into_an_item_that_is_none(
    server: WireServer, ia: FakeArchiveOrg, archive: Archive, keep: Keep
) -> None:
    tested = replace(archive.settings.archiveorg, test=True)
    object.__setattr__(archive, "settings", replace(archive.settings, archiveorg=tested))
    ia.hold("my-item", {}, doi=DOI, collection="opensource")

    with pytest.raises(IngestStop, match="is in opensource, but the settings allow tests") as stop:
        keep(dataset(serve(server)), options=IngestOptions(item_name="my-item"))

    assert stop.value.status is Status.MISMATCH_EXISTING
    assert ia.puts == []
    assert server.times_asked("/0") == 0


def test_an_item_that_is_there_is_said_to_be_in_its_own_collection(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.hold("my-item", {}, doi=DOI, collection=["test_collection"])

    kept = keep(dataset(serve(server)), options=IngestOptions(item_name="my-item"))

    told = {finding.code: finding.message for finding in kept.result.findings}
    assert "(test_collection)" in told["archiveorg-item"]
    assert "removes the item" in told["archiveorg-test"]


def zipped(bodies: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, body in bodies.items():
            archive.writestr(path, body)
    return file.getvalue()


def test_a_bundle_is_sent_as_it_came_and_its_members_are_accounted_for(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    bundle = zipped(BODIES)
    url = server.serve("/all", reply(bundle))

    kept = keep(
        dataset(serve(server), web_bundle_url=url), IngestStrategy.ARCHIVEORG_FILESET_BUNDLED
    )

    assert (kept.result.status, kept.statuses) == (Status.SUCCESS, ["success"] * 3)
    assert list(ia.items[NAME].files) == [f"{NAME}.zip"]
    assert ia.items[NAME].files[f"{NAME}.zip"]["md5"] == hashlib.md5(bundle).hexdigest()
    assert kept.result.archiveorg_bundle_path == f"{NAME}.zip"
    assert kept.result.bundle is not None


def test_what_a_bundle_lacks_is_sent_beside_it(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    lacking = {path: body for path, body in BODIES.items() if path != "2026/a.csv"}
    url = server.serve("/all", reply(zipped(lacking)))

    kept = keep(
        dataset(serve(server), web_bundle_url=url), IngestStrategy.ARCHIVEORG_FILESET_BUNDLED
    )

    assert kept.result.status is Status.SUCCESS
    assert ia.paths_sent == [f"{NAME}.zip", "2026/a.csv"]


def test_a_bundle_that_is_not_taken_leaves_its_members_without_a_place(
    server: WireServer, ia: FakeArchiveOrg, keep: Keep
) -> None:
    ia.faults = [Fault.DENIED]
    url = server.serve("/all", reply(zipped(BODIES)))

    kept = keep(
        dataset(serve(server), web_bundle_url=url), IngestStrategy.ARCHIVEORG_FILESET_BUNDLED
    )

    assert kept.result.status is Status.ERROR_ARCHIVEORG_UPLOAD
    assert kept.statuses == ["error-archiveorg-upload"] * 3
    assert kept.result.archiveorg_bundle_path is None
