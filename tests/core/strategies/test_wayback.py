# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset to the Wayback Machine: nothing is kept that was not read back."""

import asyncio
import gzip
import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.capture.throttle import Throttle
from carrel.credentials import Credentials, Keys
from carrel.errors import IngestStop
from carrel.model import (
    Capture,
    Fixity,
    IngestOptions,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
)
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.limits import Budget
from carrel.strategies.strategy import Work
from carrel.strategies.wayback import WaybackArchiver
from support.archives import new_archive
from support.own_settings import configure
from support.proxies import LeadingProxy
from support.records import read_warcs
from support.wayback import (
    ACCESS,
    NEVER,
    SECRET,
    Answer,
    FakeClock,
    Plan,
    Wayback,
    html,
    json_answer,
    sha1_base32,
)

SITE = "http://data.example"
BODIES = {name: f"{name} was here.\n".encode() * 50 for name in ("a", "b", "c", "d")}
OLD = "20200101000000"
KEYS = Keys(ACCESS, SECRET)

SETTINGS = """\
[network]
contact = "archivist@example.org"
attempts = 2
transfers = 2

[wayback]
url = "{url}"
max_file_count = 4
"""


class Stored(Credentials):
    """A keyring with keys for archive.org in it, or without."""

    def __init__(self, keys: Keys | None) -> None:
        super().__init__()
        self._keys = keys

    def archiveorg(self) -> Keys | None:
        return self._keys


@dataclass
class Events:
    """What a strategy told, for looking at afterwards."""

    told: list[tuple[str, int]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def turned_to(self, what: str) -> None:
        self.reasons.append(what)

    def started(self, index: int) -> None:
        self._note("started", index)

    def progress(
        self, index: int, received: int, total: int | None, phase: Stage, *, found: int = 0
    ) -> None:
        self._note(phase, index)

    def waiting(self, index: int, reason: str, *, is_passing: bool = False) -> None:
        self.reasons.append(reason)

    def finished(self, index: int, file: ManifestFile) -> None:
        self._note("finished", index)

    def _note(self, what: str, index: int) -> None:
        with self.lock:
            self.told.append((what, index))


@dataclass
class Desk:
    """An archive, a Wayback Machine, a clock: all that a strategy needs."""

    archive: Archive
    wayback: Wayback
    clock: FakeClock = field(default_factory=FakeClock)
    events: Events = field(default_factory=Events)
    cancelled: threading.Event = field(default_factory=threading.Event)
    captures: list[Capture] = field(default_factory=list)

    def keep(
        self,
        files: Sequence[ManifestFile],
        *,
        keys: Keys | None = KEYS,
        capture_of: Mapping[int, Capture] | None = None,
        landing_url: str = f"{SITE}/dataset",
        budget: Budget | None = None,
        **more: Any,
    ) -> StrategyResult:
        """Let the strategy do its work as an ingest does."""
        item = PlatformItem("dataverse", "data.example", "1", tuple(files))
        one = IngestStrategy.WEB_FILE if len(files) == 1 else IngestStrategy.WEB_FILESET
        network = self.archive.settings.network
        series = self.archive.new_series("1")
        capture_store = CaptureStore(self.archive, series)
        throttle = Throttle(network, now=self.clock.wall, sleep=self.clock.sleep)

        async def run(work: Work) -> StrategyResult:
            archiver = WaybackArchiver(one, work, sleep=self.clock.sleep, now=self.clock.now)
            if not work.looks_for_existing:
                return await archiver.process(item)
            return await archiver.check_existing(item) or await archiver.process(item)

        with Client(network, throttle=throttle) as client:
            work = Work(
                archive=self.archive,
                client=client,
                series=series,
                capture_store=capture_store,
                budget=budget or Budget(0),
                events=self.events,
                is_cancelled=self.cancelled.is_set,
                landing_url=landing_url,
                options=IngestOptions(),
                credentials=Stored(keys),
                capture_of=dict(capture_of or {}),
                **more,
            )
            try:
                result = asyncio.run(run(work))
            finally:
                self.archive.keep(series, capture_store.captures)
                self.captures = capture_store.captures
        assert work.capture_of == dict(capture_of or {})
        return result


@pytest.fixture
def wayback() -> Iterator[Wayback]:
    with Wayback() as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, wayback: Wayback) -> Iterator[Desk]:
    configure(SETTINGS.format(url=wayback.origin))
    path = new_archive(tmp_path / "archive", "")
    with Archive.create_or_open(path) as opened:
        yield Desk(opened, wayback)


def md5(body: bytes) -> Fixity:
    return Fixity(len(body), {"md5": hashlib.md5(body).hexdigest()})


def sha1(body: bytes) -> Fixity:
    return Fixity(len(body), {"sha1": hashlib.sha1(body).hexdigest()})


def file(name: str, declared: Fixity | None = None) -> ManifestFile:
    known = md5(BODIES[name]) if declared is None else declared
    return ManifestFile(f"{name}.txt", f"{SITE}/{name}", known)


def files(*names: str) -> list[ManifestFile]:
    return [file(name) for name in names or BODIES]


def statuses(result: StrategyResult) -> list[str]:
    return [str(each.status) for each in result.manifest]


def will_capture(wayback: Wayback, *names: str) -> None:
    for name in names or BODIES:
        wayback.will_capture(f"{SITE}/{name}", BODIES[name])


def now(**ago: float) -> str:
    return f"{datetime.now(UTC) - timedelta(**ago):%Y%m%d%H%M%S}"


# What is there already


@pytest.mark.parametrize("declared", [md5, sha1])
def test_an_identical_capture_is_found_without_keys(desk: Desk, declared: Any) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)

    result = desk.keep([file("a", declared(BODIES["a"]))], keys=None)

    (kept,) = result.manifest
    assert (result.status, kept.status) == (Status.SUCCESS_EXISTING, Status.SUCCESS_EXISTING)
    assert (kept.terminal_url, kept.terminal_dt) == (f"{SITE}/a", OLD)
    assert kept.extra == {"wayback_url": f"{desk.wayback.origin}/web/{OLD}id_/{SITE}/a"}
    assert kept.observed is not None
    assert kept.observed.digests["sha256"] == hashlib.sha256(BODIES["a"]).hexdigest()
    assert (kept.message, result.error_message, desk.captures) == (None, None, [])
    assert desk.wayback.paths("/save") == []


def test_a_capture_of_other_bytes_is_not_read_where_the_index_tells(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", b"older", OLD)
    will_capture(desk.wayback, "a")

    result = desk.keep([file("a", sha1(BODIES["a"]))])

    assert result.status is Status.SUCCESS_FILE
    assert [path for path in desk.wayback.paths("/web") if OLD in path] == []


def test_an_older_identical_capture_is_found_behind_newer_other_ones(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    desk.wayback.hold(f"{SITE}/a", b"not found", "20210101000000", status=404)
    desk.wayback.hold(f"{SITE}/a", b"changed!", "20220101000000")

    result = desk.keep(files("a"))

    assert result.manifest[0].terminal_dt == OLD
    assert result.status is Status.SUCCESS_EXISTING


def test_a_revisit_is_a_capture_too(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD, is_revisit=True)

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_EXISTING
    assert result.manifest[0].mimetype is None


def test_a_captured_redirect_is_followed_to_the_bytes(desk: Desk) -> None:
    blob = "https://store.example/blob?sig=1"
    desk.wayback.hold(f"{SITE}/a", b"", OLD, status=302, location=blob)
    desk.wayback.hold(blob, BODIES["a"], "20200101000002")

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_EXISTING
    assert result.manifest[0].terminal_url == blob
    assert result.manifest[0].terminal_dt == "20200101000002"


def test_captured_redirects_in_circles_hold_nothing(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", b"", OLD, status=302, location=f"{SITE}/x")
    desk.wayback.hold(f"{SITE}/x", b"", OLD, status=302, location=f"{SITE}/a")

    with pytest.raises(IngestStop) as stop:
        desk.keep(files("a"), keys=None)

    assert stop.value.status is Status.CREDENTIALS_REQUIRED


def test_a_capture_that_replays_wrongly_is_not_there(desk: Desk) -> None:
    same_size = BODIES["a"].upper()
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD, replayed=same_size)
    will_capture(desk.wayback, "a")

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].terminal_dt != OLD


def test_what_this_archive_holds_gives_the_index_its_digest(desk: Desk) -> None:
    # The platform has an MD5, our own capture the SHA-1: the index alone shows the difference.
    own = capture_of(BODIES["a"])
    desk.wayback.hold(f"{SITE}/a", BODIES["a"].upper(), OLD)
    will_capture(desk.wayback, "a")

    result = desk.keep(files("a"), capture_of={0: own})

    assert result.status is Status.SUCCESS_FILE
    assert [path for path in desk.wayback.paths("/web") if OLD in path] == []


def test_a_file_nobody_published_a_digest_of_can_be_proven_by_our_own_capture(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)

    result = desk.keep([file("a", Fixity())], capture_of={0: capture_of(BODIES["a"])})

    assert result.status is Status.SUCCESS_EXISTING
    assert "what this archive holds" in (result.manifest[0].message or "")


def test_a_file_without_a_published_digest_is_not_taken_for_an_old_capture(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    will_capture(desk.wayback, "a")

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].terminal_dt != OLD


def test_it_is_where_an_earlier_attempt_brought_it_there(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)

    result = desk.keep([file("a", Fixity())], kept_earlier={f"{SITE}/a"})

    assert result.status is Status.SUCCESS_EXISTING


def test_who_insists_has_everything_captured_again(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    will_capture(desk.wayback, "a")

    result = desk.keep(files("a"), looks_for_existing=False)

    assert result.status is Status.SUCCESS_FILE
    (submitted,) = [asked for asked in desk.wayback.asked if asked.method == "POST"]
    assert "if_not_archived_within" not in submitted.form


# What is brought there


def test_what_is_missing_is_submitted_and_read_back(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    will_capture(desk.wayback, "b", "c", "d")

    result = desk.keep(files())

    assert result.status is Status.SUCCESS
    assert statuses(result) == ["success-existing", "success", "success", "success"]
    assert sorted(desk.wayback.submitted) == [f"{SITE}/{name}" for name in "bcd"]
    kept = result.manifest[1]
    assert kept.terminal_url == f"{SITE}/b"
    assert str(kept.extra["wayback_url"]).endswith(f"/web/{kept.terminal_dt}id_/{SITE}/b")


def test_the_answers_that_prove_it_are_evidence_without_the_keys(desk: Desk) -> None:
    will_capture(desk.wayback, "a")

    desk.keep(files("a"))

    stored = read_warcs(desk.archive.warcs)
    urls = [each.uri or "" for each in stored if each.kind == "response"]
    assert ["/save/status/spn2" in url for url in urls] == [True, False]
    assert "/cdx/search/cdx?" in urls[1]
    everything = b"".join(path.read_bytes() for path in desk.archive.warcs.iterdir())
    texts = [gzip.decompress(path.read_bytes()) for path in desk.archive.warcs.iterdir()]
    assert SECRET.encode() not in everything + b"".join(texts)
    assert b"uthorization" not in b"".join(texts)


def test_an_answer_that_begins_a_session_is_not_stored(desk: Desk) -> None:
    will_capture(desk.wayback, "a")
    done = {"status": "success", "original_url": f"{SITE}/a", "timestamp": now()}
    desk.wayback.answers["/save/status/job"] = [json_answer(done, Set_Cookie="logged-in=yes")]

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert [each.url for each in desk.captures if "/save/" in each.url] == []


def test_the_index_may_show_a_capture_late(desk: Desk) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], hidden_for=3)

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert desk.clock.now() > 3 + 6


def test_a_capture_that_the_index_never_shows_and_nobody_gives_back_is_named(desk: Desk) -> None:
    held = desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], hidden_for=NEVER, replayed_at=OLD)

    result = desk.keep(files("a"))

    assert result.status is Status.SPN2_CDX_LOOKUP_FAILURE
    assert held.timestamp in (result.error_message or "")


def test_a_capture_of_an_error_page_is_told_as_one(desk: Desk) -> None:
    desk.wayback.will_capture(f"{SITE}/a", b"not found", status=404)

    result = desk.keep(files("a"))

    assert result.status is Status.WAYBACK_ERROR
    assert "an error page (HTTP 404)" in (result.error_message or "")


def test_a_capture_that_is_given_back_with_the_published_bytes_need_not_be_listed(
    desk: Desk,
) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], hidden_for=NEVER)

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert "does not list it yet" in (result.manifest[0].message or "")


def test_without_published_digests_the_index_must_show_it(desk: Desk) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], hidden_for=NEVER)

    result = desk.keep([file("a", Fixity(len(BODIES["a"])))])

    assert result.status is Status.SPN2_CDX_LOOKUP_FAILURE


@pytest.mark.parametrize("declared", [Fixity(), Fixity(len(BODIES["a"]))])
def test_without_published_digests_the_index_is_what_it_is_compared_with(
    desk: Desk, declared: Fixity
) -> None:
    will_capture(desk.wayback, "a")

    result = desk.keep([file("a", declared)])

    assert result.status is Status.SUCCESS_FILE
    assert "could not be verified against the publisher" in (result.manifest[0].message or "")


@pytest.mark.parametrize("digest", ["error", sha1_base32(b"something else")])
def test_without_published_digests_other_bytes_than_the_index_names_are_refused(
    desk: Desk, digest: str
) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], digest=digest)

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.WAYBACK_ERROR


def test_a_digest_over_transfer_coded_bytes_does_not_hide_the_capture(desk: Desk) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], digest=sha1_base32(b"1f\r\n..."))

    result = desk.keep([file("a", sha1(BODIES["a"]))])

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].message is None


def test_a_content_coding_may_have_been_in_the_way(desk: Desk) -> None:
    coded = gzip.compress(BODIES["a"])
    headers = {"Content-Encoding": "gzip"}
    desk.wayback.will_capture(f"{SITE}/a", coded, headers=headers)

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE


@pytest.mark.parametrize(
    ("replayed", "status"),
    [
        (BODIES["a"].upper(), Status.MISMATCH_MD5),
        (b"half of it", Status.MISMATCH_SIZE),
    ],
)
def test_a_capture_of_other_bytes_is_a_mismatch(
    desk: Desk, replayed: bytes, status: Status
) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], replayed=replayed)

    result = desk.keep(files("a"))

    assert result.status is status
    assert result.manifest[0].terminal_dt is None


def test_a_capture_that_is_given_back_of_another_time_does_not_count(desk: Desk) -> None:
    desk.wayback.will_capture(f"{SITE}/a", BODIES["a"], replayed_at=OLD)

    result = desk.keep(files("a"))

    assert result.status is Status.WAYBACK_ERROR


def test_a_fresh_redirect_is_followed_without_published_digests(desk: Desk) -> None:
    blob = "https://store.example/blob?sig=1"
    desk.wayback.will_capture(f"{SITE}/a", b"", status=302, location=blob)
    desk.wayback.hold(blob, b"an older one", OLD)
    desk.wayback.hold(blob, BODIES["a"], now())

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].terminal_url == blob
    assert result.manifest[0].terminal_dt != OLD


def test_what_a_redirect_led_to_long_ago_proves_nothing(desk: Desk) -> None:
    blob = "https://store.example/blob?sig=1"
    desk.wayback.will_capture(f"{SITE}/a", b"", status=302, location=blob)
    desk.wayback.hold(blob, BODIES["a"], OLD)

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.SPN2_CDX_LOOKUP_FAILURE


def test_the_address_that_is_reported_is_looked_up_too(desk: Desk) -> None:
    blob = "https://store.example/blob"
    held = desk.wayback.hold(blob, BODIES["a"], now())
    final = {"original_url": blob, "timestamp": held.timestamp}
    desk.wayback.plan(f"{SITE}/a", Plan(final=final))

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].terminal_url == blob


def test_without_published_digests_another_address_proves_nothing(desk: Desk) -> None:
    held = desk.wayback.hold("https://store.example/blob", BODIES["a"], now())
    final = {"original_url": held.url, "timestamp": held.timestamp}
    desk.wayback.plan(f"{SITE}/a", Plan(final=final))

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.SPN2_CDX_LOOKUP_FAILURE


def test_a_recent_capture_will_do(desk: Desk) -> None:
    told = {"message": "The same snapshot had been made 12 minutes ago.", "job_id": None}
    desk.wayback.answers["/save"] = [json_answer(told)]
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], now(minutes=12), hidden_for=1)

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE


# What goes wrong


def test_a_reported_failure_is_not_believed(desk: Desk) -> None:
    held = desk.wayback.will_capture(f"{SITE}/a", BODIES["a"])
    desk.wayback.plans[f"{SITE}/a"] = [Plan(held, error="error:job-failed")]

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert "job-failed" in (result.manifest[0].message or "")
    assert "exists nevertheless" in (result.manifest[0].message or "")


def test_a_job_that_never_ends_may_have_made_its_capture(desk: Desk) -> None:
    held = desk.wayback.will_capture(f"{SITE}/a", BODIES["a"])
    desk.wayback.plans[f"{SITE}/a"] = [Plan(held, pending=NEVER)]

    result = desk.keep(files("a"))

    assert result.status is Status.SUCCESS_FILE
    assert desk.clock.now() == pytest.approx(600, abs=20)


def test_after_a_failure_an_old_capture_is_no_consolation(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], now(days=1))
    desk.wayback.plan(f"{SITE}/a", Plan(error="error:job-failed"))

    result = desk.keep([file("a", Fixity())])

    assert result.status is Status.SPN2_ERROR


def test_one_bad_file_never_loses_the_others(desk: Desk) -> None:
    will_capture(desk.wayback, "a", "c", "d")
    desk.wayback.plan(f"{SITE}/b", Plan(error="error:no-access", message="Not for you."))

    result = desk.keep(files())

    assert result.status is Status.FORBIDDEN
    assert statuses(result) == ["success", "forbidden", "success", "success"]
    assert (result.error_message or "").startswith(
        "3 of 4 files are archived. Not archived: b.txt: "
    )
    assert "no-access: “Not for you.”" in (result.error_message or "")
    assert "The index lists no capture of it either." in (result.error_message or "")


def test_without_keys_nothing_is_submitted(desk: Desk) -> None:
    with pytest.raises(IngestStop) as stop:
        desk.keep(files(), keys=None)

    assert stop.value.status is Status.CREDENTIALS_REQUIRED
    assert desk.wayback.paths("/save") == []


def test_without_keys_what_is_there_is_reported(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)

    result = desk.keep(files("a", "b"), keys=None)

    assert result.status is Status.CREDENTIALS_REQUIRED
    assert statuses(result) == ["success-existing", "credentials-required"]
    assert desk.wayback.paths("/save") == []


def test_without_keys_each_file_is_accounted_for(desk: Desk) -> None:
    busy = json_answer({}, 400)
    desk.wayback.answers["/cdx"] = [busy]

    told = "of 3 files: 1 not found; 1 not known, since its index did not respond; 1 not searched"
    with pytest.raises(IngestStop, match=told):
        desk.keep([*files("a", "b"), file("c", Fixity())], keys=None)


def test_keys_that_are_refused_end_it_for_all(desk: Desk) -> None:
    will_capture(desk.wayback)

    result = desk.keep(files(), keys=Keys("other", "keys"))

    assert result.status is Status.CREDENTIALS_REQUIRED
    assert set(statuses(result)) == {"credentials-required"}
    assert desk.wayback.submitted == []


def test_too_many_files_are_not_submitted_and_those_there_are_reported(desk: Desk) -> None:
    many = [
        ManifestFile(f"{number}.txt", f"{SITE}/{number}", md5(BODIES["a"])) for number in range(6)
    ]
    desk.wayback.hold(f"{SITE}/0", BODIES["a"], OLD)

    result = desk.keep(many)

    assert result.status is Status.TOO_MUCH_SPN
    assert statuses(result) == ["success-existing", *["too-much-spn"] * 5]
    assert desk.wayback.paths("/save") == []
    assert "5 files would have to be submitted, but at most 4" in str(result.error_message)
    assert "archiveorg-fileset" in str(result.error_message)


def test_files_that_are_there_do_not_count_against_the_limit(desk: Desk) -> None:
    many = [
        ManifestFile(f"{number}.txt", f"{SITE}/{number}", md5(BODIES["a"])) for number in range(6)
    ]
    for number in range(6):
        desk.wayback.hold(f"{SITE}/{number}", BODIES["a"], OLD)

    assert desk.keep(many).status is Status.SUCCESS_EXISTING


def test_files_that_turn_out_too_large_together_are_not_all_submitted(
    tmp_path: Path, wayback: Wayback
) -> None:
    settings = SETTINGS.format(url=wayback.origin).replace("transfers = 2", "transfers = 1")
    will_capture(wayback)
    unsized = [file(name, Fixity()) for name in ("a", "b", "c")]

    configure(settings)

    with Archive.create_or_open(tmp_path / "archive") as archive:
        desk = Desk(archive, wayback)
        result = desk.keep(unsized, budget=Budget(len(BODIES["a"])))

    assert result.status is Status.TOO_LARGE_SIZE
    assert statuses(result) == ["success", "success", "too-large-size"]
    assert "larger than the limit" in str(result.error_message)
    assert len(desk.wayback.submitted) == 2


def test_a_file_that_may_not_be_had_is_not_submitted(desk: Desk) -> None:
    closed = replace(file("b"), status=Status.PLATFORM_RESTRICTED)
    will_capture(desk.wayback, "a")

    result = desk.keep([file("a"), closed], looks_for_existing=False)

    assert statuses(result) == ["success", "platform-restricted"]
    assert desk.wayback.submitted == [f"{SITE}/a"]


@pytest.mark.parametrize(
    ("url", "status"),
    [
        (None, Status.ERROR_PLATFORM_DOWNLOAD),
        ("http://10.0.0.1/a", Status.ERROR_PLATFORM_DOWNLOAD),
        ("ftp://data.example/a", Status.INVALID_URL),
        ("http://", Status.INVALID_URL),
        ("http://[", Status.INVALID_URL),
    ],
)
def test_an_address_that_is_not_for_the_public_is_not_submitted(
    desk: Desk, url: str | None, status: Status
) -> None:
    result = desk.keep([ManifestFile("a.txt", url, md5(b"x"))])

    assert result.status is status
    assert desk.wayback.asked == []


def test_the_wayback_machine_is_not_told_a_password_in_an_address(desk: Desk) -> None:
    result = desk.keep([ManifestFile("a.txt", "https://me:p4ssw0rd@data.example/a", md5(b"x"))])

    assert desk.wayback.submitted == ["https://data.example/a"]
    assert "p4ssw0rd" not in repr((result, desk.wayback.asked))


@pytest.mark.parametrize("answer", [html(), html(429), html(503), Answer(200, b"[[]")])
def test_an_index_that_does_not_answer_is_an_error_and_nothing_is_submitted(
    desk: Desk, answer: Answer
) -> None:
    desk.wayback.answers["/cdx"] = [answer] * 9

    result = desk.keep(files())

    assert result.status is Status.CDX_ERROR
    assert desk.wayback.paths("/save") == []


def test_an_index_that_fails_after_the_capture_is_named(desk: Desk) -> None:
    will_capture(desk.wayback, "a")
    desk.wayback.answers["/cdx"] = [json_answer([]), html()]

    result = desk.keep(files("a"))

    assert result.status is Status.CDX_ERROR


def test_a_service_without_places_is_not_asked_for_every_file(desk: Desk) -> None:
    desk.wayback.places = [0]

    result = desk.keep(files())

    assert set(statuses(result)) == {"spn2-error"}
    assert desk.wayback.submitted == []
    assert "Save Page Now has no free slot for you." in desk.events.reasons
    assert desk.clock.now() < 700


def test_an_ingest_that_is_stopped_while_polling_keeps_what_is_proven(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    desk.wayback.plan(f"{SITE}/b", Plan(pending=NEVER))
    stopping = desk.clock.sleep

    def sleep(seconds: float) -> None:
        stopping(seconds)
        if len(desk.wayback.paths("/save/status/spn2")) >= 2:
            desk.cancelled.set()

    desk.clock.sleep = sleep  # type: ignore[method-assign]  # the clock is ours

    result = desk.keep(files("a", "b"))

    assert result.status is Status.CANCELLED
    assert statuses(result) == ["success-existing", "cancelled"]


def test_an_ingest_that_is_stopped_before_it_begins_asks_nobody(desk: Desk) -> None:
    desk.cancelled.set()

    result = desk.keep(files(), keys=None)

    assert set(statuses(result)) == {"cancelled"}
    assert desk.wayback.asked == []


def test_files_tell_of_themselves_in_order(desk: Desk) -> None:
    desk.wayback.hold(f"{SITE}/a", BODIES["a"], OLD)
    will_capture(desk.wayback, "b")

    desk.keep(files("a", "b"))

    told = {index: [what for what, which in desk.events.told if which == index] for index in (0, 1)}
    assert told[0] == ["started", Stage.VERIFY, "finished"]
    assert told[1] == ["started", Stage.STORE, Stage.VERIFY, "finished"]


def capture_of(body: bytes) -> Capture:
    """Return a capture that this archive holds."""
    return Capture(
        url=f"{SITE}/a",
        surt="example,data)/a",
        timestamp=OLD,
        mimetype="text/plain",
        status_code=200,
        size=len(body),
        md5=hashlib.md5(body).hexdigest(),
        sha1=hashlib.sha1(body).hexdigest(),
        sha256=hashlib.sha256(body).hexdigest(),
        filename="main.warc.gz",
        offset=0,
        length=1,
        record_id="<urn:uuid:1>",
    )


def test_the_public_archive_is_not_told_of_addresses_inside(
    tmp_path: Path, wayback: Wayback, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(SETTINGS.format(url="https://web.archive.org"))
    path = new_archive(tmp_path / "archive", "")
    inside = ManifestFile("a.txt", "http://10.1.2.3/a", md5(BODIES["a"]))

    with LeadingProxy() as proxy, Archive.create_or_open(path) as opened:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address)
        desk = Desk(opened, wayback)
        result = desk.keep([inside], landing_url="http://10.1.2.3/dataset")

    (entry,) = result.manifest
    assert "is inside a private network" in (entry.message or "")
    assert not result.status.is_success
    assert proxy.asked == []
