# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files out of the archive: proven as they are written, or not at all, with the reason."""

import asyncio
import hashlib
import re
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from carrel.access.copies import Copies
from carrel.access.holding_files import holding_files
from carrel.archive import Archive
from carrel.engine.access import Access
from carrel.errors import HeldElsewhere, NoAccessCopy, NotProven, NotRead, UsageError
from carrel.model import Fate, ManifestFile, Status
from carrel.model.access import SaveReport
from carrel.model.events import Event, FileSaved, SavingProgress
from carrel.settings.cache_folder import cache_folder
from support.bundles import gzipped, tarred, zipped
from support.held import hold, hold_bundle, hold_coded, spoil_payload, turn
from support.small_files import room_for
from support.unreadable import forbid
from support.wire import WireServer

FILES = {
    "README.txt": b"The tide came late.\n",
    "data/heights.csv": b"time,height\n1,2.5\n" * 4000,
    "empty": b"",
}


def saved(
    access: Access,
    ingest_id: str,
    folder: Path,
    paths: Sequence[str] | None = None,
    *,
    may_replace: bool = False,
) -> SaveReport:
    return asyncio.run(access.save_all(ingest_id, folder, paths=paths, may_replace=may_replace))


def content(folder: Path) -> dict[str, bytes]:
    """Return what is in a folder, by relative path, hidden files included."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_all_files_of_a_dataset_are_saved(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    report = saved(access, hold(archive, server, FILES), tmp_path / "out")

    assert content(tmp_path / "out") == FILES
    assert (len(report.files), report.failed, report.renamed) == (3, [], [])
    assert report.size == sum(map(len, FILES.values()))


def test_what_was_saved_before_the_disk_is_full_is_told_and_what_was_not_is_named(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, FILES)

    with room_for(1000):
        report = saved(access, ingest_id, tmp_path / "out")

    (first, *others) = report.failed
    assert [*content(tmp_path / "out")] == [each.file for each in report.files if each.copy]
    assert report.size
    assert first.reason.startswith(f"{first.file} was not saved. {tmp_path / 'out'} cannot be")
    assert [each.reason for each in others] == [
        f"{it.file} was not saved, either." for it in others
    ]
    assert len(report.files) == len(FILES)


def test_a_folder_in_which_nothing_could_be_saved_goes_again(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, {"data/heights.csv": FILES["data/heights.csv"]})

    with room_for(1000), pytest.raises(OSError, match="too large"):
        saved(access, ingest_id, tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_the_events_tell_of_each_file_and_of_all_bytes(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, {"large.bin": b"\x01" * 3_000_000})
    events: list[Event] = []

    asyncio.run(access.save_all(ingest_id, tmp_path / "out", events.append))

    assert [type(each) for each in events if not isinstance(each, SavingProgress)] == [FileSaved]
    last = events[-1]
    assert isinstance(last, FileSaved)
    assert (last.saved.file, last.done, last.total) == ("large.bin", 3_000_000, 3_000_000)
    assert any(isinstance(each, SavingProgress) for each in events)


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_members_of_a_bundle_are_saved_like_any_file(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path, kind: str
) -> None:
    plain = tarred(*FILES.items())
    bundle = {"zip": zipped(FILES), "tar": plain, "tar.gz": gzipped(plain)}[kind]
    ingest_id = hold_bundle(archive, server, FILES, bundle)

    report = saved(access, ingest_id, tmp_path / "out")
    one = asyncio.run(access.copy(ingest_id, 1))

    assert report.failed == []
    assert content(tmp_path / "out") == FILES
    assert one.path.read_bytes() == FILES["data/heights.csv"]


def test_a_file_that_was_sent_coded_is_saved_as_it_is_published(
    server: WireServer, archive: Archive, access: Access
) -> None:
    copy = asyncio.run(access.copy(hold_coded(archive, server, b"a,b\n1,2\n" * 99), 0))

    assert copy.path.read_bytes() == b"a,b\n1,2\n" * 99


def test_a_copy_to_open_is_private_and_for_reading_only(
    server: WireServer, archive: Archive, access: Access
) -> None:
    copy = asyncio.run(access.copy(hold(archive, server, FILES), 1))

    assert copy.path.name == "heights.csv"
    assert copy.sha256 == hashlib.sha256(FILES["data/heights.csv"]).hexdigest()
    assert stat.S_IMODE(copy.path.stat().st_mode) == 0o400
    above = [copy.path.parent, copy.path.parent.parent]
    assert [stat.S_IMODE(each.stat().st_mode) for each in above] == [0o700, 0o700]


def test_a_copy_that_was_changed_is_made_again(
    server: WireServer, archive: Archive, access: Access
) -> None:
    ingest_id = hold(archive, server, FILES)
    first = asyncio.run(access.copy(ingest_id, 0))
    first.path.chmod(0o600)
    first.path.write_bytes(b"The tide came soon.\n")

    second = asyncio.run(access.copy(ingest_id, 0))

    assert second.path.read_bytes() == FILES["README.txt"]


@pytest.mark.parametrize("is_bundle", [False, True])
def test_a_copy_whose_record_was_damaged_since_it_was_made_says_so(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path, *, is_bundle: bool
) -> None:
    if is_bundle:
        ingest_id = hold_bundle(archive, server, FILES, zipped(FILES))
    else:
        ingest_id = hold(archive, server, FILES)
    asyncio.run(access.copy(ingest_id, 1))
    assert asyncio.run(access.copy(ingest_id, 1)).doubt is None
    (record, *_) = holding_files(archive.ledger, ingest_id)[1].captures
    turn(archive.warcs / record.filename, record.offset + record.length // 2)

    copy = asyncio.run(access.copy(ingest_id, 1))

    assert copy.doubt
    assert copy.doubt.is_damaged
    assert copy.made.startswith("20")
    assert copy.path.read_bytes() == FILES["data/heights.csv"]
    assert archive.ledger.fixity.file_fates(ingest_id)["data/heights.csv"] is Fate.DAMAGED
    with pytest.raises(NotProven):
        asyncio.run(access.save(ingest_id, 1, tmp_path / "mine.csv"))


def test_a_copy_whose_warc_cannot_be_read_any_more_says_so_and_nothing_is_damaged(
    server: WireServer, archive: Archive, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest_id = hold(archive, server, FILES)
    asyncio.run(access.copy(ingest_id, 1))
    (warc,) = archive.warcs.iterdir()
    forbid(monkeypatch, warc)

    copy = asyncio.run(access.copy(ingest_id, 1))

    assert copy.doubt
    assert not copy.doubt.is_damaged
    assert "Make it readable" in copy.doubt.why
    assert archive.ledger.fixity.file_fates(ingest_id) == {}


def test_of_a_record_with_a_wrong_byte_there_is_no_copy(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, FILES)
    spoil_payload(archive, ingest_id, 1)

    report = saved(access, ingest_id, tmp_path / "out")
    with pytest.raises(NotProven) as caught:
        asyncio.run(access.copy(ingest_id, 1))

    assert set(content(tmp_path / "out")) == {"README.txt", "empty"}
    (failed,) = report.failed
    assert failed.file == "data/heights.csv"
    assert failed.reason == str(caught.value)
    assert failed.reason.startswith("data/heights.csv cannot be handed over: ")
    assert "fetches them again" in failed.reason
    assert archive.ledger.fixity.file_fates(ingest_id) == {"data/heights.csv": Fate.DAMAGED}
    assert content(cache_folder()) == {
        name: b"" for name in content(cache_folder()) if name.endswith(".lock")
    }


def test_another_record_with_the_same_bytes_serves_as_well(
    server: WireServer, archive: Archive, access: Access
) -> None:
    body = FILES["data/heights.csv"]
    hold(archive, server, {"a.csv": body}, "1")
    spoil_payload(archive, "1", 0)
    hold(archive, server, {"b.csv": body}, "2")  # the spoiled one is not referred to

    copy = asyncio.run(access.copy("1", 0))

    assert copy.path.read_bytes() == body


def test_without_the_warc_the_file_is_named_missing(
    server: WireServer, archive: Archive, access: Access
) -> None:
    ingest_id = hold(archive, server, FILES)
    for path in archive.warcs.iterdir():
        path.unlink()

    with pytest.raises(NotProven, match=r"there is no .*warc"):
        asyncio.run(access.copy(ingest_id, 0))

    missing = dict.fromkeys(FILES, Fate.MISSING)
    assert archive.ledger.fixity.file_fates(ingest_id) == missing


@pytest.mark.parametrize("is_bundle", [False, True])
def test_of_a_warc_that_cannot_be_read_nothing_is_said_to_be_damaged(
    server: WireServer,
    archive: Archive,
    access: Access,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_bundle: bool,
) -> None:
    if is_bundle:
        ingest_id = hold_bundle(archive, server, FILES, zipped(FILES))
    else:
        ingest_id = hold(archive, server, FILES)
    (warc,) = archive.warcs.iterdir()

    with monkeypatch.context() as spoiled:
        forbid(spoiled, warc)
        with pytest.raises(NotRead) as caught:
            asyncio.run(access.copy(ingest_id, 0))
        report = saved(access, ingest_id, tmp_path / "out")

    assert str(caught.value) == (
        f"README.txt cannot be handed over: {warc} cannot be read: Permission denied. Make it "
        "readable, then try again."
    )
    assert str(caught.value) in [each.reason for each in report.failed]
    assert len(report.failed) == 3
    assert not any(each.is_damaged or each.why for each in report.failed)
    assert archive.ledger.fixity.file_fates(ingest_id) == {}
    assert saved(access, ingest_id, tmp_path / "readable again").failed == []


def test_a_coded_file_of_a_warc_that_cannot_be_read_is_told_alike(
    server: WireServer, archive: Archive, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = FILES["data/heights.csv"]
    ingest_id = hold_coded(archive, server, body)
    (warc,) = archive.warcs.iterdir()
    forbid(monkeypatch, warc)

    with pytest.raises(NotRead, match="Make it readable, then try again"):
        asyncio.run(access.copy(ingest_id, 0))


def test_where_one_warc_cannot_be_read_another_with_the_same_bytes_serves(
    server: WireServer, archive: Archive, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = FILES["data/heights.csv"]
    hold(archive, server, {"a.csv": body}, "1")
    (first,) = archive.warcs.iterdir()
    spoil_payload(archive, "1", 0)
    hold(archive, server, {"b.csv": body}, "2")
    forbid(monkeypatch, first)

    assert asyncio.run(access.copy("1", 0)).path.read_bytes() == body


def test_a_damaged_bundle_gives_no_member(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold_bundle(archive, server, FILES, zipped(FILES))
    (capture,) = [each for each in archive.ledger.captures.all() if each.url.endswith("/bundle")]
    (path,) = archive.warcs.iterdir()
    raw = bytearray(path.read_bytes())
    raw[capture.offset + capture.length - 60] ^= 1
    path.write_bytes(raw)

    report = saved(access, ingest_id, tmp_path / "out")

    assert len(report.failed) == 3
    assert content(tmp_path / "out") == {}


def test_what_was_not_archived_says_why(
    server: WireServer, archive: Archive, access: Access
) -> None:
    file = ManifestFile("secret.txt", status=Status.PLATFORM_RESTRICTED, message="It is closed.")
    _note(archive, file)

    said = "secret.txt was not archived with this dataset. It is closed."
    with pytest.raises(NoAccessCopy, match=re.escape(said)):  # other datasets may have it
        asyncio.run(access.copy("9", 0))


def test_what_another_archive_holds_says_where(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    where = "https://web.archive.org/web/20260302093015id_/http://data.example/a.txt"
    file = ManifestFile("a.txt", status=Status.SUCCESS, extra={"wayback_url": where})
    _note(archive, file)

    with pytest.raises(HeldElsewhere) as caught:
        asyncio.run(access.copy("9", 0))
    report = saved(access, "9", tmp_path / "out")

    assert caught.value.address == where
    assert report.failed[0].address == where


def test_hostile_names_stay_within_the_folder(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    files = {"../../up.txt": b"1", "CON": b"2", "x/Y.txt": b"3", "X/y.txt": b"4"}

    report = saved(access, hold(archive, server, files), tmp_path / "a" / "out")

    assert set(content(tmp_path / "a")) == {
        "out/_/_/up.txt",
        "out/_CON",
        "out/x/Y.txt",
        "out/X (2)/y.txt",
    }
    assert len(report.renamed) == 3
    assert saved(access, "1", tmp_path / "a" / "out").renamed == []  # nothing was saved again


def test_a_file_that_is_there_is_left_as_it_is(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, FILES)
    (tmp_path / "README.txt").write_text("mine")

    report = saved(access, ingest_id, tmp_path, ["README.txt"])
    mine = (tmp_path / "README.txt").read_text()
    again = saved(access, ingest_id, tmp_path, ["README.txt"], may_replace=True)

    assert "was not replaced" in report.failed[0].reason
    assert mine == "mine"
    assert again.failed == []
    assert (tmp_path / "README.txt").read_bytes() == FILES["README.txt"]


def test_a_folder_of_the_dataset_stands_for_its_files(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, FILES)

    saved(access, ingest_id, tmp_path / "out", ["data/"])
    with pytest.raises(UsageError, match=r"no heights\.csv"):
        saved(access, ingest_id, tmp_path / "out", ["heights.csv"])

    assert set(content(tmp_path / "out")) == {"data/heights.csv"}


def test_what_is_cancelled_leaves_nothing_half(
    server: WireServer, archive: Archive, access: Access, tmp_path: Path
) -> None:
    ingest_id = hold(archive, server, {f"{n}.bin": bytes([n]) * 4_000_000 for n in range(3)})

    async def cancelled() -> None:
        task = asyncio.create_task(access.save_all(ingest_id, tmp_path / "out", stop))
        started.append(task)
        await asyncio.wait([task])
        assert task.cancelled()

    started: list[asyncio.Task[SaveReport]] = []

    def stop(event: Event) -> None:
        started[0].cancel()

    asyncio.run(cancelled())  # waits for its threads

    assert {len(each) for each in content(tmp_path / "out").values()} <= {4_000_000}
    assert len(content(tmp_path / "out")) < 3


def test_the_copies_go_with_the_session(
    server: WireServer, archive: Archive, access: Access
) -> None:
    copy = asyncio.run(access.copy(hold(archive, server, FILES), 0))

    access.close()

    assert not copy.path.exists()
    assert list((cache_folder() / "access-copies").iterdir()) == []


def test_what_a_killed_session_left_is_swept_and_what_is_used_is_not() -> None:
    used = Copies()
    place = used.place("a.txt")
    place.write_text("in use")
    left = cache_folder() / "access-copies" / "0123456789abcdef"
    left.mkdir()
    (left / "b.txt").write_text("left behind")
    (left / "b.txt").chmod(0o400)

    Copies().sweep()

    assert not left.exists()
    assert place.read_text() == "in use"
    used.close()


def test_a_file_that_rests_on_an_earlier_record_is_had(
    server: WireServer, archive: Archive, access: Access
) -> None:
    hold(archive, server, FILES, "1")
    hold(archive, server, FILES, "2")  # revisits

    copy = asyncio.run(access.copy("2", 1))

    assert copy.path.read_bytes() == FILES["data/heights.csv"]


def test_a_warc_that_is_cut_short_is_no_source(
    server: WireServer, archive: Archive, access: Access
) -> None:
    ingest_id = hold(archive, server, FILES)
    (path,) = archive.warcs.iterdir()
    path.write_bytes(path.read_bytes()[:200])

    with pytest.raises(NotProven, match="cannot be handed over"):
        asyncio.run(access.copy(ingest_id, 1))


def _note(archive: Archive, file: ManifestFile) -> None:
    """Have the ledger say of a dataset that it has this file, which no record holds."""
    from carrel.model import IngestFilesetResult, IngestRequest, PlatformItem

    request = IngestRequest("http://data.example/9")
    archive.ledger.ingests.start("9", request, "2026-03-02T09:30:00Z")
    item = PlatformItem("dataverse", "data.example", "doi:10.5072/9", (file,))
    ended = IngestFilesetResult(
        request,
        Status.SUCCESS,
        item=item,
        manifest=(file,),
        ingest_id="9",
        finished="2026-03-02T09:31:00Z",
    )
    archive.ledger.ingests.finish(ended, [], {})
