# SPDX-License-Identifier: AGPL-3.0-or-later
"""web-fileset-bundled: one capture, every file accounted for, what lacks fetched or named."""

import asyncio
import hashlib
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.credentials import Credentials
from carrel.errors import IngestStop
from carrel.model import (
    Fixity,
    IngestOptions,
    IngestStrategy,
    ManifestFile,
    PlatformItem,
    Status,
)
from carrel.strategies.bundled import BundledArchiver
from carrel.strategies.capture_store import CaptureStore
from carrel.strategies.limits import Budget
from carrel.strategies.strategy import Work
from support.archives import new_archive
from support.bundles import RawMember, gzipped, raw_zip, tar_header, tarred, zipped
from support.records import files_in, read_warcs
from support.strategies import Done, Told, strategy_at_work
from support.wire import Reply, WireServer, cut_off, html, redirect, reply

BODIES = {name: f"{name} was here.\n".encode() * 50 for name in ("a", "b", "c", "d", "e")}
FILES = {f"{name}.txt": body for name, body in BODIES.items()}
SINGLY = IngestOptions(fetch_missing=True)
ONLY_NAMED = IngestOptions(fetch_missing=False)
BUNDLE = "/api/access/dataset/:persistentId/?persistentId=doi:10.5072/X&format=original"


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


def dataset(server: WireServer, bundle: Reply | bytes, **changes: object) -> PlatformItem:
    """Serve five files, each singly too, and a bundle."""
    files = tuple(
        ManifestFile(
            path,
            server.serve(f"/{path}", reply(body)),
            Fixity(len(body), {"md5": hashlib.md5(body).hexdigest()}),
            "text/plain",
        )
        for path, body in FILES.items()
    )
    answer = reply(bundle, Content_Type="application/zip") if isinstance(bundle, bytes) else bundle
    url = server.serve(BUNDLE, answer)
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/X", files, web_bundle_url=url)
    return replace(item, **changes)  # type: ignore[arg-type]  # its own fields


def without(*names: str) -> dict[str, bytes]:
    return {name: body for name, body in FILES.items() if name not in names}


def keep(
    archive: Archive,
    item: PlatformItem,
    options: IngestOptions = SINGLY,
    *,
    ingest_id: str = "1",
    budget: int = 10**9,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Done:
    """Have the dataset kept as a bundle, with a budget for what is beyond its published sizes."""
    return strategy_at_work(
        archive,
        item,
        IngestStrategy.WEB_FILESET_BUNDLED,
        options=options,
        budget=budget - sum(entry.size or 0 for entry in item.manifest),
        ingest_id=ingest_id,
        is_cancelled=is_cancelled,
    )


def stored_payloads(archive: Archive) -> list[bytes]:
    return [each.payload for each in read_warcs(archive.warcs) if each.kind == "response"]


KINDS = {
    "zip": zipped(FILES),
    "stored": zipped(FILES, zipfile.ZIP_STORED),
    "folder": zipped({f"dataset/{name}": body for name, body in FILES.items()}),
    "tar": tarred(*FILES.items()),
    "tar.gz": gzipped(tarred(*FILES.items())),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_bundle_is_one_capture_and_every_file_a_member(
    server: WireServer, archive: Archive, kind: str
) -> None:
    kept = keep(archive, dataset(server, KINDS[kind]))

    assert (kept.result.status, kept.result.findings) == (Status.SUCCESS, ())
    assert kept.result.ingest_strategy is IngestStrategy.WEB_FILESET_BUNDLED
    assert stored_payloads(archive) == [KINDS[kind]]
    assert (kept.result.bundle, kept.capture_of) == (kept.captures[0], {})
    first = kept.result.manifest[0]
    assert first.observed is not None
    assert first.observed.digests["sha256"] == hashlib.sha256(BODIES["a"]).hexdigest()
    assert first.extra["bundle_member"].endswith("a.txt")
    assert (first.mimetype, first.terminal_url) == ("text/plain", kept.captures[0].url)
    assert first.terminal_dt == kept.captures[0].timestamp
    assert [seen.target for seen in server.seen] == [BUNDLE]
    assert sorted(kept.events.files) == [0, 1, 2, 3, 4]


def test_the_bundles_record_says_what_it_is(server: WireServer, archive: Archive) -> None:
    item = dataset(server, KINDS["zip"], archiveorg_item_name="data.example-X-v1.0")

    keep(archive, item)

    (about,) = [each for each in read_warcs(archive.warcs) if each.kind == "metadata"]
    assert "path: data.example-X-v1.0.zip" in about.payload.decode().splitlines()


def test_a_bundle_without_two_members_names_them(server: WireServer, archive: Archive) -> None:
    kept = keep(archive, dataset(server, zipped(without("b.txt", "d.txt"))), ONLY_NAMED)

    assert kept.result.status is Status.BUNDLE_INCOMPLETE
    assert kept.statuses == [
        "success",
        "bundle-incomplete",
        "success",
        "bundle-incomplete",
        "success",
    ]
    message = kept.result.error_message or ""
    assert "3 of 5 files are archived" in message
    assert "b.txt: The bundle does not have b.txt; " in message
    assert "d.txt" in message
    assert kept.finding("bundle-incomplete").endswith("b.txt, d.txt.")
    assert kept.result.bundle == kept.captures[0]


def test_what_a_bundle_lacks_is_fetched_singly_when_asked(
    server: WireServer, archive: Archive
) -> None:
    kept = keep(archive, dataset(server, zipped(without("b.txt", "d.txt"))))

    assert (kept.result.status, set(kept.statuses)) == (Status.SUCCESS, {"success"})
    assert sorted(seen.target for seen in server.seen) == [BUNDLE, "/b.txt", "/d.txt"]
    assert {index: capture.url for index, capture in kept.capture_of.items()} == {
        1: f"{server.origin}/b.txt",
        3: f"{server.origin}/d.txt",
    }
    assert kept.result.manifest[3].terminal_url == f"{server.origin}/d.txt"
    assert "bundle_member" not in kept.result.manifest[3].extra
    assert kept.finding("bundle-incomplete").endswith("b.txt, d.txt.")
    assert "b.txt, d.txt" in kept.finding("fetched-singly")
    assert kept.events.turns == ["what the repository's bundle lacks"]


def test_each_file_starts_and_ends_once(server: WireServer, archive: Archive) -> None:
    kept = keep(archive, dataset(server, zipped(without("b.txt"))))

    starts = [index for word, index in kept.events.told if word == "started"]
    ends = [index for word, index in kept.events.told if word == "finished"]
    assert (sorted(starts), sorted(ends)) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert [kept.events.files[index] for index in range(5)] == list(kept.result.manifest)


def test_what_can_not_be_had_singly_either_is_named(server: WireServer, archive: Archive) -> None:
    item = dataset(server, zipped(without("b.txt")))
    server.serve("/b.txt", html("gone", "404 Not Found"))

    kept = keep(archive, item)

    assert kept.result.status is Status.ERROR_PLATFORM_DOWNLOAD
    assert kept.statuses.count("success") == 4
    assert "b.txt" in (kept.result.error_message or "")


def test_a_wrong_member_is_told_apart_and_fetched_singly(
    server: WireServer, archive: Archive
) -> None:
    wrong = zipped({**FILES, "c.txt": BODIES["c"].upper()})
    named = keep(archive, dataset(server, wrong), ONLY_NAMED)

    assert named.result.status is Status.MISMATCH_MD5
    assert named.result.manifest[2].observed is not None
    assert keep(archive, dataset(server, wrong), ingest_id="2").result.status is Status.SUCCESS


def test_extra_members_are_named_up_to_twenty(server: WireServer, archive: Archive) -> None:
    extras = {f"extra-{number:02}": b"x" for number in range(23)}

    kept = keep(archive, dataset(server, zipped({**FILES, **extras})))

    assert kept.result.status is Status.SUCCESS
    told = kept.finding("extra-members")
    assert told.startswith("23 members")
    assert "extra-19" in told
    assert "extra-20" not in told
    assert told.endswith("and 3 more.")


def test_what_dataverse_says_inside_the_bundle_is_quoted(
    server: WireServer, archive: Archive
) -> None:
    notes = "b.txt skipped because the total size exceeded the limit of 9 bytes.\r\n"
    item = dataset(server, zipped({**without("b.txt"), "MANIFEST.TXT": notes.encode()}))

    kept = keep(archive, item, ONLY_NAMED)

    assert f"The bundle says: “{notes.strip()}”" in (kept.result.manifest[1].message or "")
    assert "MANIFEST.TXT" in kept.finding("bundle-notes")
    assert kept.finding("extra-members") == ""


def test_a_closed_file_stays_closed_and_keeps_its_reason(
    server: WireServer, archive: Archive
) -> None:
    item = dataset(server, zipped({**without("b.txt"), "MANIFEST.TXT": b"b.txt IS RESTRICTED"}))
    shut = replace(
        item.manifest[1], status=Status.PLATFORM_RESTRICTED, message="The file is restricted."
    )
    item = replace(item, manifest=(item.manifest[0], shut, *item.manifest[2:]))

    kept = keep(archive, item)

    assert kept.result.status is Status.PLATFORM_RESTRICTED
    said = "The file is restricted. The bundle says: “b.txt IS RESTRICTED”"
    assert kept.result.manifest[1].message == said
    assert server.times_asked("/b.txt") == 0
    assert kept.finding("bundle-incomplete") == ""


def test_a_renamed_member_is_found_by_its_digest(server: WireServer, archive: Archive) -> None:
    kept = keep(archive, dataset(server, zipped({**without("b.txt"), "b.tab": BODIES["b"]})))

    second = kept.result.manifest[1]
    assert (second.status, second.extra) == (Status.SUCCESS, {"bundle_member": "b.tab"})
    assert "is in the bundle as b.tab" in (second.message or "")


HOSTILE = raw_zip(
    RawMember(b"../../evil.txt", b"x"),
    RawMember(b"/etc/evil.txt", b"x"),
    RawMember(b"link", b"/etc/passwd", mode=0o120777),
    RawMember(b"a.txt", BODIES["a"]),
    RawMember(b"b.txt", BODIES["b"], flags=1),
    RawMember(b"c.txt", BODIES["c"], crc=1),
    RawMember(b"d.txt", BODIES["d"], method=9),
    RawMember(b"e.txt", bytes(10**6)),
)


def test_hostile_members_are_refused_by_name_and_nothing_is_written_outside(
    server: WireServer, archive: Archive, tmp_path: Path
) -> None:
    kept = keep(archive, dataset(server, HOSTILE), ONLY_NAMED)

    told = kept.finding("refused-members")
    names = ("../../evil.txt", "/etc/evil.txt", "link", "b.txt", "c.txt", "d.txt", "e.txt")
    assert all(name in told for name in names)
    assert kept.statuses == ["success", *["bundle-incomplete"] * 3, "mismatch-size"]
    assert {Path(name).suffix for name in kept.staged} == {".gz", ".jsonl"}
    assert {name for name in files_in(tmp_path) if "sqlite" not in name} == {
        "archive/README.txt",
        "archive/collections.yaml",
        "archive/settings.toml",
        "archive/staging/writer.json",
        "archive/staging/writer.lock",
        "archive/collections/main/indexes/index.cdxj",
        f"archive/collections/main/archive/{kept.captures[0].filename}",
    }


def test_hostile_members_cost_nothing_when_the_files_can_be_had_singly(
    server: WireServer, archive: Archive
) -> None:
    kept = keep(archive, dataset(server, HOSTILE))

    assert kept.result.status is Status.SUCCESS
    assert sorted(kept.capture_of) == [1, 2, 3, 4]


def test_a_tar_with_links_keeps_the_files(server: WireServer, archive: Archive) -> None:
    link = tar_header("a.txt", tarfile.SYMTYPE, linkname="/etc/passwd")

    kept = keep(archive, dataset(server, tarred(link, *without("a.txt").items())), ONLY_NAMED)

    assert kept.statuses == ["bundle-incomplete", *["success"] * 4]
    assert "a.txt in the bundle was refused: it is a link." in (kept.result.error_message or "")


def test_a_bundle_that_is_cut_keeps_what_came_whole(server: WireServer, archive: Archive) -> None:
    cut = tarred(*FILES.items())[: 3 * (512 + 1024) + 600]

    kept = keep(archive, dataset(server, cut), ONLY_NAMED)

    assert kept.statuses == ["success"] * 3 + ["bundle-incomplete"] * 2
    assert "to its end" in kept.finding("bundle-broken")


UNUSABLE = {
    "page": (html("<h1>Please wait</h1>"), Status.BUNDLE_INCOMPLETE),
    "json": (reply(b'{"status":"ERROR"}'), Status.BUNDLE_INCOMPLETE),
    "nothing": (reply(b""), Status.EMPTY_BLOB),
    "error": (html("down", "500 Down"), Status.ERROR_PLATFORM_DOWNLOAD),
    "refusal": (html("no", "403 Forbidden"), Status.PLATFORM_RESTRICTED),
    "bot check": (reply(b"", "202 Accepted"), Status.BLOCKED_CHALLENGE),
    "log-in": (redirect("/loginpage.xhtml?x"), Status.BLOCKED_WALL),
    "cut off": (cut_off(KINDS["zip"][:500], announced=5000), Status.TRUNCATED),
    "far too large": (reply(bytes(6 * 1024 * 1024)), Status.MISMATCH_SIZE),
    "no table": (reply(KINDS["zip"][:-40]), Status.BUNDLE_INCOMPLETE),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_an_unusable_bundle_has_a_named_outcome(
    server: WireServer, archive: Archive, kind: str
) -> None:
    answer, status = UNUSABLE[kind]

    kept = keep(archive, dataset(server, answer), ONLY_NAMED)

    assert (kept.result.status, set(kept.statuses)) == (status, {str(status)})
    assert kept.finding("bundle-unusable") or kept.finding("bundle-broken")


@pytest.mark.parametrize("kind", UNUSABLE)
def test_without_a_usable_bundle_every_file_is_fetched_singly_and_that_is_said(
    server: WireServer, archive: Archive, kind: str
) -> None:
    kept = keep(archive, dataset(server, UNUSABLE[kind][0]))

    assert (kept.result.status, sorted(kept.capture_of)) == (Status.SUCCESS, [0, 1, 2, 3, 4])
    assert "5 files" in kept.finding("fetched-singly")
    whole = "file by file, since the repository's bundle could not be used"
    is_unusable = bool(kept.finding("bundle-unusable"))
    assert kept.events.turns == [whole if is_unusable else "what the repository's bundle lacks"]


def test_a_page_in_place_of_the_bundle_is_not_stored(server: WireServer, archive: Archive) -> None:
    kept = keep(archive, dataset(server, html("<h1>Please wait</h1>")), ONLY_NAMED)

    assert (kept.captures, kept.result.bundle) == ([], None)


def test_a_content_coding_around_the_zip_is_undone(server: WireServer, archive: Archive) -> None:
    coded = reply(gzipped(KINDS["zip"]), Content_Encoding="gzip")

    assert keep(archive, dataset(server, coded)).result.status is Status.SUCCESS


@pytest.mark.parametrize("is_single", [True, False])
def test_a_zip_that_is_the_dataset_s_own_file_is_no_bundle(
    server: WireServer, archive: Archive, is_single: bool
) -> None:
    item = dataset(server, KINDS["zip"])
    own = replace(item.manifest[0], path="all.zip", platform_url=item.web_bundle_url)
    item = replace(item, manifest=(own,) if is_single else (own, *item.manifest[1:]))

    with pytest.raises(IngestStop, match="is a file of the dataset") as stop:
        keep(archive, item)

    assert stop.value.status is Status.NO_STRATEGY_HELPER


def test_an_item_without_a_bundle_says_so(server: WireServer, archive: Archive) -> None:
    with pytest.raises(IngestStop, match="offers no bundle of all files") as stop:
        keep(archive, dataset(server, b"", web_bundle_url=None))

    assert stop.value.status is Status.NO_STRATEGY_HELPER


def test_a_whole_bundle_in_the_archive_is_not_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    first = keep(archive, dataset(server, KINDS["zip"]))

    again = keep(archive, dataset(server, KINDS["zip"]), ingest_id="2")

    assert (again.result.status, again.captures) == (Status.SUCCESS_EXISTING, [])
    assert again.result.bundle == first.result.bundle
    assert again.result.manifest[0].extra == {"bundle_member": "a.txt"}
    assert len(server.seen) == 1


def test_an_earlier_bundle_and_what_was_fetched_beside_it_are_whole_together(
    server: WireServer, archive: Archive
) -> None:
    item = dataset(server, zipped(without("b.txt")))
    keep(archive, item)

    again = keep(archive, item, ingest_id="2")

    assert (again.result.status, again.captures) == (Status.SUCCESS_EXISTING, [])
    assert sorted(again.capture_of) == [1]
    assert len(server.seen) == 2


def test_a_retry_fetches_only_what_is_missing(server: WireServer, archive: Archive) -> None:
    item = dataset(server, zipped(without("b.txt")))
    keep(archive, item, ONLY_NAMED)

    again = keep(archive, item, ingest_id="2")

    assert again.result.status is Status.SUCCESS
    assert again.statuses[0] == "success-existing"
    assert [seen.target for seen in server.seen][1:] == ["/b.txt"]


def test_files_kept_singly_before_are_kept(server: WireServer, archive: Archive) -> None:
    item = dataset(server, html("<h1>no bundle</h1>"))
    keep(archive, item)

    again = keep(archive, item, ingest_id="2")

    assert (again.result.status, again.result.bundle) == (Status.SUCCESS_EXISTING, None)
    assert sorted(again.capture_of) == [0, 1, 2, 3, 4]


def test_a_damaged_bundle_in_the_archive_is_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    first = keep(archive, dataset(server, KINDS["zip"]))
    (warc,) = archive.warcs.iterdir()
    damaged = bytearray(warc.read_bytes())
    damaged[first.captures[0].offset + first.captures[0].length - 5] ^= 1
    warc.write_bytes(damaged)

    again = keep(archive, dataset(server, KINDS["zip"]), ingest_id="2")

    assert (again.result.status, len(again.captures)) == (Status.SUCCESS, 1)

    once_more = keep(archive, dataset(server, KINDS["zip"]), ingest_id="3")

    assert (once_more.result.status, once_more.captures) == (Status.SUCCESS_EXISTING, [])


def test_files_that_nothing_proves_are_not_taken_from_an_earlier_bundle(
    server: WireServer, archive: Archive
) -> None:
    item = dataset(server, KINDS["zip"])
    unknown = replace(item.manifest[0], declared=Fixity(len(BODIES["a"])))
    item = replace(item, manifest=(unknown, *item.manifest[1:]))
    keep(archive, item)

    again = keep(archive, item, ingest_id="2")

    assert again.statuses == ["success", *["success-existing"] * 4]
    assert sorted(again.capture_of) == [0]


def test_a_stop_leaves_every_file_cancelled(server: WireServer, archive: Archive) -> None:
    stop = threading.Event()
    stop.set()

    kept = keep(archive, dataset(server, KINDS["zip"]), is_cancelled=stop.is_set)

    assert (kept.result.status, set(kept.statuses)) == (Status.CANCELLED, {"cancelled"})
    assert server.seen == []


def test_a_bundle_beyond_the_limit_gives_way_to_the_single_files(
    server: WireServer, archive: Archive
) -> None:
    stored = zipped({**FILES, "extra": hashlib.shake_128(b"x").digest(200_000)}, zipfile.ZIP_STORED)
    needed = sum(len(body) for body in BODIES.values())

    kept = keep(archive, dataset(server, stored), budget=needed + 50_000)

    assert (kept.result.status, len(kept.capture_of)) == (Status.SUCCESS, 5)
    assert "larger than the limit" in kept.finding("bundle-unusable")


def test_single_files_beside_a_bundle_may_not_exceed_the_limit_together(
    server: WireServer, archive: Archive
) -> None:
    needed = sum(len(body) for body in BODIES.values())

    kept = keep(archive, dataset(server, zipped(without("b.txt"))), budget=needed)

    assert kept.result.status is Status.TOO_LARGE_SIZE
    assert kept.statuses.count("success") == 4


def test_a_bundle_of_files_of_unknown_size_is_accounted_for(
    server: WireServer, archive: Archive
) -> None:
    item = dataset(server, KINDS["zip"])
    files = tuple(replace(entry, declared=Fixity()) for entry in item.manifest)

    kept = keep(archive, replace(item, manifest=files))

    assert (kept.result.status, set(kept.statuses)) == (Status.SUCCESS, {"success"})


def test_a_large_bundle_goes_through_the_disk_and_leaves_nothing_there(
    server: WireServer, archive: Archive
) -> None:
    large = hashlib.shake_128(b"surf").digest(6 * 1024 * 1024)
    item = dataset(server, zipped({**FILES, "large.bin": large}))
    entry = ManifestFile("large.bin", "http://127.0.0.1/x", Fixity(len(large)))
    item = replace(item, manifest=(*item.manifest, entry))

    kept = keep(archive, item)

    assert kept.result.status is Status.SUCCESS
    assert {Path(name).suffix for name in kept.staged} == {".gz", ".jsonl"}


def test_what_was_fetched_before_an_interruption_is_not_fetched_again(
    server: WireServer, archive: Archive
) -> None:
    item = dataset(server, KINDS["zip"])
    series = archive.new_series("1")
    with Client(archive.settings.network) as client:
        for is_second in (False, True):
            capture_store = CaptureStore(archive, series)
            capture_store.take_up()
            work = Work(
                archive=archive,
                client=client,
                series=series,
                capture_store=capture_store,
                budget=Budget(10**9),
                events=Told(),
                is_cancelled=lambda: False,
                landing_url="http://127.0.0.1/dataset",
                options=ONLY_NAMED,
                credentials=Credentials(),
            )
            result = asyncio.run(BundledArchiver(work).process(item))
            assert result.status is Status.SUCCESS, is_second
            series.close()
            series = archive.new_series("1")
    series.discard()

    assert len(server.seen) == 1
