# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-file and web-fileset: every file by itself, none at the cost of another."""

import gzip
import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.model import (
    Capture,
    FindingLevel,
    Fixity,
    ManifestFile,
    PlatformItem,
    Stage,
    Status,
    StrategyResult,
)
from carrel.model.manifest import UNNAMED
from support.archives import new_archive
from support.records import files_in, read_warcs
from support.strategies import LANDING_URL, Told, strategy_at_work
from support.wire import Reply, WireServer, cut_off, head, html, raw, redirect, reply

BODIES = {name: f"{name} was here.\n".encode() * 50 for name in ("a", "b", "c", "d")}
LARGE = hashlib.shake_128(b"surf").digest(6 * 1024 * 1024)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


def declared(body: bytes) -> Fixity:
    return Fixity(len(body), {"md5": hashlib.md5(body).hexdigest()})


def serve(server: WireServer, **replies: Reply) -> list[ManifestFile]:
    """Serve the known bodies, or what is given instead; return what is declared of them."""
    names = sorted({*BODIES, *replies})
    return [
        ManifestFile(
            f"{name}.txt",
            server.serve(f"/{name}", replies.get(name) or reply(BODIES[name])),
            declared(BODIES.get(name, b"")),
            "text/plain",
        )
        for name in names
    ]


def keep(
    archive: Archive,
    files: Sequence[ManifestFile],
    *,
    budget: int = 10**9,
    events: Told | None = None,
    cancelled: threading.Event | None = None,
    ingest_id: str = "1",
    is_interrupted: bool = False,
    landing_url: str = LANDING_URL,
) -> tuple[StrategyResult, list[Capture]]:
    """Have each file kept by itself; an interrupted attempt leaves all in staging."""
    done = strategy_at_work(
        archive,
        PlatformItem("dataverse", "data.example", "1", tuple(files)),
        budget=budget,
        events=events,
        is_cancelled=(cancelled or threading.Event()).is_set,
        ingest_id=ingest_id,
        is_interrupted=is_interrupted,
        landing_url=landing_url,
    )
    return done.result, done.captures


def statuses(result: StrategyResult) -> list[str]:
    return [str(file.status) for file in result.manifest]


def stored_payloads(archive: Archive) -> list[bytes]:
    return sorted(each.payload for each in read_warcs(archive.warcs) if each.kind == "response")


def test_every_file_is_kept_with_both_fixities(server: WireServer, archive: Archive) -> None:
    result, captures = keep(archive, serve(server))

    assert (result.status, statuses(result)) == (Status.SUCCESS, ["success"] * 4)
    assert stored_payloads(archive) == sorted(BODIES.values())
    first = result.manifest[0]
    assert first.declared == declared(BODIES["a"])
    assert first.observed is not None
    assert first.observed.digests["sha256"] == hashlib.sha256(BODIES["a"]).hexdigest()
    assert (first.terminal_url, len(captures)) == (f"{server.origin}/a", 4)


def test_a_single_file_is_a_capture_of_its_own(server: WireServer, archive: Archive) -> None:
    result, captures = keep(archive, serve(server)[:1])

    assert result.status is Status.SUCCESS_FILE
    assert result.file_capture == captures[0]


def test_each_response_has_its_request_and_its_description(
    server: WireServer, archive: Archive
) -> None:
    keep(archive, serve(server)[:1])

    info, response, request, metadata = read_warcs(archive.warcs)
    assert [each.kind for each in (info, response, request, metadata)] == [
        "warcinfo",
        "response",
        "request",
        "metadata",
    ]
    assert request.headers["WARC-Concurrent-To"] == response.headers["WARC-Record-ID"]
    assert metadata.headers["WARC-Refers-To"] == response.headers["WARC-Record-ID"]
    lines = metadata.payload.decode().splitlines()
    assert "path: a.txt" in lines
    assert "via: http://127.0.0.1/dataset" in lines
    assert f"sha256: {hashlib.sha256(BODIES['a']).hexdigest()}" in lines
    assert f"declared-md5: {hashlib.md5(BODIES['a']).hexdigest()}" in lines


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (cut_off(b"half", announced=100), Status.TRUNCATED),
        (html("gone", "404 Not Found"), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("no", "403 Forbidden"), Status.PLATFORM_RESTRICTED),
        (html("later", "503 Later", Retry_After=0), Status.ERROR_PLATFORM_DOWNLOAD),
        (html("slowly", "429 Slowly", Retry_After=0), Status.RATE_LIMITED),
        (reply(b"other bytes"), Status.MISMATCH_SIZE),
        (reply(BODIES["b"].upper()), Status.MISMATCH_MD5),
        (reply(b"", "202 Accepted"), Status.BLOCKED_CHALLENGE),
        (html("<title>Just a moment...</title>"), Status.BLOCKED_CHALLENGE),
        (redirect("/b"), Status.REDIRECT_LOOP),
        (redirect("ftp://other/"), Status.BAD_REDIRECT),
    ],
)
def test_one_bad_file_never_loses_the_others(
    server: WireServer, archive: Archive, fault: Reply, status: Status
) -> None:
    result, _ = keep(archive, serve(server, b=fault))

    assert result.status is status
    assert statuses(result) == ["success", str(status), "success", "success"]
    assert result.error_message is not None
    assert result.error_message.startswith("3 of 4 files are archived. Not archived: b.txt: ")
    assert sorted(stored_payloads(archive)) == sorted(BODIES[name] for name in ("a", "c", "d"))
    assert [name for name in files_in(archive.staging) if "writer" not in name] == []


def test_a_file_that_may_not_be_had_is_not_asked_for(server: WireServer, archive: Archive) -> None:
    files = serve(server)
    files[1] = ManifestFile("b.txt", files[1].platform_url, status=Status.PLATFORM_RESTRICTED)

    result, _ = keep(archive, files)

    assert result.status is Status.PLATFORM_RESTRICTED
    assert statuses(result) == ["success", "platform-restricted", "success", "success"]
    assert server.times_asked("/b") == 0


def test_a_file_without_an_address_is_named(server: WireServer, archive: Archive) -> None:
    result, _ = keep(archive, [*serve(server), ManifestFile("e.txt")])

    assert result.manifest[4].status is Status.ERROR_PLATFORM_DOWNLOAD
    assert "no address" in (result.manifest[4].message or "")


def test_a_public_page_does_not_lead_inside(server: WireServer, archive: Archive) -> None:
    result, _ = keep(archive, serve(server), landing_url="https://data.example/dataset")

    assert set(statuses(result)) == {"error-platform-download"}
    assert "inside a private network" in (result.manifest[0].message or "")
    assert server.seen == []


def test_files_that_no_index_could_tell_apart_have_each_a_second_of_its_own(
    server: WireServer, archive: Archive
) -> None:
    bodies = {"A.csv": BODIES["a"], "a.csv": BODIES["b"], "b.csv": BODIES["c"]}
    files = [
        ManifestFile(name, server.serve(f"/{name}", reply(body)), declared(body))
        for name, body in bodies.items()
    ]

    result, captures = keep(archive, files)

    assert result.status is Status.SUCCESS
    keys = {(capture.surt, capture.timestamp) for capture in captures}
    assert len({key for key, _ in keys}) == 2
    assert len(keys) == 3


def test_of_a_file_that_is_far_too_long_no_more_is_taken(
    server: WireServer, archive: Archive
) -> None:
    object.__setattr__(archive.settings.network, "attempts", 2)
    entry = ManifestFile("a.txt", server.serve("/a", reply(LARGE)), Fixity(2_000_000))

    result, _ = keep(archive, [entry])

    assert server.times_asked("/a") == 1
    assert result.status is Status.MISMATCH_SIZE
    assert result.manifest[0].message == "More bytes arrive than the published 2000000."


def test_what_is_kept_already_is_not_fetched_again(server: WireServer, archive: Archive) -> None:
    files = serve(server)
    keep(archive, files)
    asked = len(server.seen)

    result, captures = keep(archive, files, ingest_id="2")

    assert (result.status, captures) == (Status.SUCCESS_EXISTING, [])
    assert statuses(result) == ["success-existing"] * 4
    assert len(server.seen) == asked
    assert result.manifest[0].terminal_dt is not None


def test_only_what_is_missing_is_fetched(server: WireServer, archive: Archive) -> None:
    keep(archive, serve(server, b=html("gone", "404 Not Found")))

    result, captures = keep(archive, serve(server), ingest_id="2")

    assert statuses(result) == ["success-existing", "success"] + ["success-existing"] * 2
    assert result.status is Status.SUCCESS
    assert [capture.url for capture in captures] == [f"{server.origin}/b"]
    assert server.times_asked("/a") == 1


def test_a_file_that_changed_is_fetched_again(server: WireServer, archive: Archive) -> None:
    keep(archive, serve(server))
    server.serve("/a", reply(b"Corrected."))
    changed = ManifestFile("a.txt", f"{server.origin}/a", declared(b"Corrected."))

    result, captures = keep(archive, [changed], ingest_id="2")

    assert result.status is Status.SUCCESS_FILE
    assert len(captures) == 1


def test_a_file_without_a_published_digest_is_fetched_again_and_stored_once(
    server: WireServer, archive: Archive
) -> None:
    files = [ManifestFile("a.txt", server.serve("/a", reply(BODIES["a"])))]
    keep(archive, files)

    result, (capture,) = keep(archive, files, ingest_id="2")

    assert result.status is Status.SUCCESS_FILE
    assert capture.is_revisit
    assert server.times_asked("/a") == 2


@pytest.mark.parametrize("body", [BODIES["a"], LARGE])
def test_the_same_payload_elsewhere_becomes_a_revisit(
    server: WireServer, archive: Archive, body: bytes
) -> None:
    first = ManifestFile("a", server.serve("/a", reply(body)), declared(body))
    _, (original,) = keep(archive, [first])
    elsewhere = ManifestFile("b", server.serve("/elsewhere", reply(body)), declared(body))

    result, (capture,) = keep(archive, [elsewhere], ingest_id="2")

    assert result.status is Status.SUCCESS_FILE
    assert capture.is_revisit
    assert capture.refers_to_url == original.url == f"{server.origin}/a"
    assert capture.refers_to_timestamp == original.timestamp
    (revisit,) = [each for each in read_warcs(archive.warcs) if each.kind == "revisit"]
    assert revisit.uri == f"{server.origin}/elsewhere"
    assert stored_payloads(archive) == [body]


def test_empty_files_are_not_revisits_of_each_other(server: WireServer, archive: Archive) -> None:
    files = [
        ManifestFile(name, server.serve(f"/{name}", reply(b"")), declared(b""))
        for name in ("x", "y")
    ]

    result, captures = keep(archive, files)

    assert result.status is Status.SUCCESS
    assert [capture.is_revisit for capture in captures] == [False, False]


def test_a_damaged_copy_is_fetched_again(server: WireServer, archive: Archive) -> None:
    files = serve(server)[:1]
    _, (capture,) = keep(archive, files)
    path = archive.warcs / capture.filename
    content = bytearray(path.read_bytes())
    content[capture.offset + capture.length // 2] ^= 0xFF
    path.write_bytes(content)

    result, (again,) = keep(archive, files, ingest_id="2")

    assert result.status is Status.SUCCESS_FILE
    assert not again.is_revisit
    assert server.times_asked("/a") == 2


def test_a_copy_that_is_gone_is_fetched_again(server: WireServer, archive: Archive) -> None:
    files = serve(server)[:1]
    _, (capture,) = keep(archive, files)
    (archive.warcs / capture.filename).unlink()

    result, (again,) = keep(archive, files, ingest_id="2")

    assert result.status is Status.SUCCESS_FILE
    assert not again.is_revisit


def test_what_was_stored_before_an_interruption_is_not_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    object.__setattr__(archive.settings.network, "transfers", 1)  # so that the last is a revisit
    files = [*serve(server), ManifestFile("e.txt", server.serve("/e", reply(BODIES["a"])))]
    keep(archive, files, is_interrupted=True)
    before = len(stored_payloads(archive))

    result, captures = keep(archive, files)

    assert (result.status, statuses(result)) == (Status.SUCCESS, ["success"] * 5)
    assert (before, stored_payloads(archive)) == (0, sorted(BODIES.values()))
    assert [capture.is_revisit for capture in captures].count(True) == 1
    assert [server.times_asked(f"/{name}") for name in "abcde"] == [1] * 5
    again, _ = keep(archive, files[:4], ingest_id="2")
    assert again.status is Status.SUCCESS_EXISTING


def test_a_single_file_that_was_stored_before_an_interruption_is_a_capture_of_its_own(
    server: WireServer, archive: Archive
) -> None:
    files = serve(server)[:1]
    keep(archive, files, is_interrupted=True)

    result, captures = keep(archive, files)

    assert (result.status, result.file_capture) == (Status.SUCCESS_FILE, captures[0])
    assert len(captures) == 1


def test_what_was_damaged_in_an_interruption_is_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    files = serve(server)[:1]
    _, (capture,) = keep(archive, files, is_interrupted=True)
    path = archive.staging / "1" / capture.filename
    content = bytearray(path.read_bytes())
    content[capture.offset + capture.length // 2] ^= 0xFF
    path.write_bytes(content)

    result, (again,) = keep(archive, files)

    assert result.status is Status.SUCCESS_FILE
    assert again.filename != capture.filename
    assert stored_payloads(archive) == [BODIES["a"]]
    assert server.times_asked("/a") == 2


@pytest.mark.parametrize("algorithm", ["sha256", "sha512"])
def test_what_was_stored_before_an_interruption_is_held_against_what_is_published_now(
    server: WireServer, archive: Archive, algorithm: str
) -> None:
    keep(archive, serve(server)[:1], is_interrupted=True)
    corrected = BODIES["a"].swapcase()
    url = server.serve("/a", reply(corrected))
    published = Fixity(len(corrected), {algorithm: hashlib.new(algorithm, corrected).hexdigest()})

    result, _ = keep(archive, [ManifestFile("a.txt", url, published)])

    assert result.status is Status.SUCCESS_FILE
    assert result.manifest[0].digest("md5") == hashlib.md5(corrected).hexdigest()
    assert server.times_asked("/a") == 2


def test_an_ingest_that_is_stopped_reads_no_more_of_what_is_kept(
    server: WireServer, archive: Archive
) -> None:
    files = serve(server)
    keep(archive, files)
    cancelled = threading.Event()
    cancelled.set()

    result, _ = keep(archive, files, cancelled=cancelled, ingest_id="2")

    assert (result.status, set(statuses(result))) == (Status.CANCELLED, {"cancelled"})


def test_unknown_sizes_stop_at_the_limit_and_what_was_whole_is_kept(
    server: WireServer, archive: Archive
) -> None:
    files = [
        ManifestFile("a.txt", server.serve("/a", reply(BODIES["a"]))),
        ManifestFile("large", server.serve("/large", reply(LARGE))),
        ManifestFile("c.txt", server.serve("/c", reply(BODIES["c"]))),
    ]
    object.__setattr__(archive.settings.network, "transfers", 1)

    result, _ = keep(archive, files, budget=3_000_000)

    assert result.status is Status.TOO_LARGE_SIZE
    assert statuses(result) == ["success", "too-large-size", "not-processed"]
    assert stored_payloads(archive) == [BODIES["a"]]


def test_what_came_to_nothing_is_not_counted(server: WireServer, archive: Archive) -> None:
    object.__setattr__(archive.settings.network, "attempts", 2)
    broken = cut_off(BODIES["a"][:-1], announced=len(BODIES["a"]))
    url = server.serve("/a", broken, reply(BODIES["a"], Content_Type="text/csv"))

    result, _ = keep(archive, [ManifestFile("a.txt", url)], budget=len(BODIES["a"]))

    assert (result.status, server.times_asked("/a")) == (Status.SUCCESS_FILE, 2)
    assert result.manifest[0].mimetype == "text/csv"


def test_declared_sizes_are_not_counted_twice(server: WireServer, archive: Archive) -> None:
    result, _ = keep(archive, serve(server), budget=0)

    assert result.status is Status.SUCCESS


def test_an_ingest_that_is_stopped_keeps_what_was_verified(
    server: WireServer, archive: Archive
) -> None:
    cancelled, events = threading.Event(), Told()

    def after_the_first() -> Iterator[bytes]:
        events.on_finish.wait()
        cancelled.set()
        yield from reply(BODIES["b"]).pieces()

    files = serve(server, b=Reply(after_the_first))

    result, _ = keep(archive, files, events=events, cancelled=cancelled)

    assert result.status is Status.CANCELLED
    assert statuses(result)[:2] == ["success", "cancelled"]
    assert "cancelled" in statuses(result)
    assert len(stored_payloads(archive)) == statuses(result).count("success")


def test_files_tell_of_themselves_in_order(server: WireServer, archive: Archive) -> None:
    events = Told()

    keep(archive, serve(server), events=events)

    for index in range(4):
        told = [what for what, which in events.told if which == index]
        assert (told[0], told[-2:]) == ("started", [Stage.STORE, "finished"])
    assert len(events.files) == 4


def test_a_hop_on_the_way_is_stored_too(server: WireServer, archive: Archive) -> None:
    server.serve("/store", reply(BODIES["a"]))
    files = serve(server, a=redirect("/store"))[:1]

    result, captures = keep(archive, files)

    assert result.manifest[0].terminal_url == f"{server.origin}/store"
    assert [(each.status_code, each.url[-6:]) for each in captures] == [
        (302, f"{server.origin}/a"[-6:]),
        (200, "/store"),
    ]


def test_a_redirected_file_is_found_again_by_its_stable_address(
    server: WireServer, archive: Archive
) -> None:
    server.serve("/store", reply(BODIES["a"]))
    files = serve(server, a=redirect("/store"))[:1]
    keep(archive, files)

    result, _ = keep(archive, files, ingest_id="2")

    assert result.status is Status.SUCCESS_EXISTING


def test_a_file_that_came_in_a_content_coding_is_not_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    body = b"station,level\nNLK,2.401\n" * 50
    url = server.serve("/a", reply(gzip.compress(body, mtime=0), Content_Encoding="gzip"))
    files = [ManifestFile("a.csv", url, declared(body))]

    first, _ = keep(archive, files)
    again, captures = keep(archive, files, ingest_id="2")

    assert (first.status, again.status) == (Status.SUCCESS_FILE, Status.SUCCESS_EXISTING)
    assert server.times_asked("/a") == 1
    assert captures == []
    for result in (first, again):
        (file,) = result.manifest
        assert file.to_json()["size"] == len(body)
        for name in ("md5", "sha1", "sha256"):
            assert file.digest(name) == hashlib.new(name, body).hexdigest()
        assert file.extra["stored_payload"] == {
            "size": len(gzip.compress(body)),
            "sha256": hashlib.sha256(gzip.compress(body, mtime=0)).hexdigest(),
        }
        assert [finding.code for finding in result.findings] == ["content-coded"]


def test_a_coding_that_can_not_be_undone_is_named_where_the_bytes_differ(
    server: WireServer, archive: Archive
) -> None:
    url = server.serve("/a", reply(b"brotli, they say", Content_Encoding="br"))

    result, _ = keep(archive, [ManifestFile("a.csv", url, declared(b"the file"))])

    assert "in the content coding “br”" in (result.manifest[0].message or "")


@pytest.mark.parametrize(
    "named", [{"Content-Length": len(BODIES["a"])}, {}, {"Transfer-Encoding": "identity"}]
)
@pytest.mark.parametrize("published", [Fixity(), Fixity(len(BODIES["a"]))])
def test_a_file_that_nobody_says_the_length_of_is_warned_of(
    server: WireServer, archive: Archive, named: dict[str, object], published: Fixity
) -> None:
    body = BODIES["a"]
    url = server.serve("/a", raw(head("200 OK", named) + body))

    result, _ = keep(archive, [ManifestFile("a.txt", url, published)])

    assert result.status is Status.SUCCESS_FILE
    codes = [(finding.code, finding.level) for finding in result.findings]
    is_open = "Content-Length" not in named and published == Fixity()
    assert codes == ([("open-ended", FindingLevel.WARNING)] if is_open else [])


@pytest.mark.parametrize(
    ("path", "mimetype", "status", "findings"),
    [
        ("download", None, Status.SUCCESS_FILE, ["came-as-page"]),
        ("download", "text/html", Status.SUCCESS_FILE, []),
        ("data.zip", None, Status.WRONG_MIMETYPE, []),
        ("data.csv", "text/csv", Status.WRONG_MIMETYPE, []),
    ],
)
def test_a_page_of_which_nobody_says_that_it_is_the_file_is_warned_of(
    archive: Archive,
    server: WireServer,
    path: str,
    mimetype: str | None,
    status: Status,
    findings: list[str],
) -> None:
    url = server.serve("/a", reply(b"<p>Choose a format", Content_Type="text/html"))

    result, _ = keep(archive, [ManifestFile(path, url, mimetype=mimetype)])

    assert result.status is status
    assert [finding.code for finding in result.findings] == findings


@pytest.mark.parametrize(("body", "is_told"), [(b"a,b\n1,2\n", True), (b"PK\x03\x04", False)])
def test_data_that_its_server_calls_a_page_is_kept(
    archive: Archive, server: WireServer, body: bytes, is_told: bool
) -> None:
    url = server.serve("/a", reply(body, Content_Type="text/html"))

    result, _ = keep(archive, [ManifestFile("data.csv", url, mimetype="text/csv")])

    assert result.status is Status.SUCCESS_FILE
    assert [finding.code for finding in result.findings] == ["came-as-page"] * is_told


def unnamed(server: WireServer, path: str, disposition: str) -> ManifestFile:
    body = reply(BODIES["a"], Content_Disposition=disposition)
    url = server.serve(f"/bitstreams/{path}", body)
    return ManifestFile(path, url, declared(BODIES["a"]), extra=UNNAMED)


def test_the_name_that_comes_with_a_file_is_noted_beside_its_path(
    archive: Archive, server: WireServer
) -> None:
    files = [
        unnamed(server, "download", "attachment; filename*=UTF-8''%C3%A4.csv"),
        unnamed(server, "2/download", 'attachment; filename="../../2.csv"'),
        unnamed(server, "3/download", 'attachment; filename="C:drive"'),
        replace(unnamed(server, "named.csv", "attachment; filename=other.csv"), extra={}),
    ]

    first, _ = keep(archive, files)
    again, _ = keep(archive, files, ingest_id="2")

    assert statuses(again) == ["success-existing"] * 4
    for result in (first, again):
        assert [file.path for file in result.manifest] == [file.path for file in files]
        names = [file.extra.get("served_name") for file in result.manifest]
        assert names == ["ä.csv", "2.csv", None, None]
        (finding,) = result.findings
        assert finding.message.endswith("download is ä.csv, 2/download is 2.csv.")
