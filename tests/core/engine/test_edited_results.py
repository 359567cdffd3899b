# SPDX-License-Identifier: AGPL-3.0-or-later
"""Of a result that someone wrote into an export nothing is believed that its files contradict."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carrel.archive import Archive
from carrel.engine.importing import Imported, import_files
from carrel.engine.rebuilding import rebuild
from carrel.model import Status
from carrel.model.exports import ExportForm
from carrel.model.holdings import HoldingsQuery
from carrel.model.iso_time import iso_now
from support.archives import carrel, ingest, new_archive
from support.edited_warcs import edited_warc, other_ids, other_payload
from support.exports import exported, only
from support.held import hold
from support.packages import FILES
from support.warcs import write_wacz
from support.wire import WireServer, dataset_page, reply

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An export of a dataset."""
    with Archive.create_or_open(new_archive(tmp_path / "ours")) as archive, WireServer() as server:
        hold(archive, server, FILES)
        return only(exported(archive, ExportForm.FILES, tmp_path / "out", "1"))[1]


def edited(package: Path, edit: Edit) -> Path:
    """Change the result in a package, and the list that has its checksum."""
    result, listed = package / "metadata/result.json", package / "manifest-sha256.txt"
    before = hashlib.sha256(result.read_bytes()).hexdigest()
    fields = json.loads(result.read_bytes())
    edit(fields)
    result.write_text(json.dumps(fields))
    after = hashlib.sha256(result.read_bytes()).hexdigest()
    listed.write_text(listed.read_text().replace(before, after))
    return package


def imported(archive: Path, *paths: Path) -> list[Imported]:
    with Archive.create_or_open(archive) as opened:
        return list(import_files(opened, paths, lambda done, total: None))


def result_in(archive: Path) -> dict[str, Any]:
    with Archive.open_for_reading(archive) as opened:
        (row,) = opened.ledger.holdings.listed()
        return dict(opened.ledger.result(row["ingest_id"]) or {})


BELIEVED: dict[str, dict[str, object]] = {
    "counts": {"kept_count": 7, "file_count": 9, "total_size": 1, "kept_size": 99_999_999},
    "no counts": {"kept_count": None, "proof": None},
    "words": {"stage": "fetch", "advice": "All is proven.", "is_retryable": True, "hit": False},
    "proof": {"proof": {"digest": 0, "size": 0, "nothing": 70}, "unknown_sizes": 4},
}


@pytest.mark.parametrize("how", BELIEVED)
def test_what_follows_from_the_files_is_not_taken_from_the_result(
    how: str, package: Path, tmp_path: Path
) -> None:
    true = json.loads((package / "metadata/result.json").read_bytes())
    path = edited(package, lambda fields: fields.update(BELIEVED[how]))

    (done,) = imported(tmp_path / "theirs", path)

    assert done.attempts == ["1"]
    assert result_in(tmp_path / "theirs") == true


def test_sizes_and_digests_beside_those_that_were_observed_are_not_believed(
    package: Path, tmp_path: Path
) -> None:
    true = json.loads((package / "metadata/result.json").read_bytes())
    strange = {"size": 99_999, "sha256": "0" * 64}
    path = edited(package, lambda fields: fields["manifest"][0].update(strange))

    imported(tmp_path / "theirs", path)

    assert result_in(tmp_path / "theirs") == true


def test_an_export_is_no_other_result_in_the_archive_that_it_is_from(
    package: Path, tmp_path: Path
) -> None:
    (done,) = imported(tmp_path / "ours", package)

    assert done.was_there
    assert not any("another result" in each for each in done.remarks), done.remarks


def with_other_bytes(package: Path, path: str, content: bytes, **fields: str) -> Path:
    """Change a file of a package, and all that its lists and its result say of it."""
    place, listed = package / "data" / path, package / "manifest-sha256.txt"
    before = hashlib.sha256(place.read_bytes()).hexdigest()
    place.write_bytes(content)
    now: dict[str, Any] = {
        name: hashlib.new(name, content).hexdigest() for name in ("md5", "sha1", "sha256")
    }
    now["size"] = len(content)
    listed.write_text(listed.read_text().replace(before, now["sha256"]))

    def change(result: dict[str, Any]) -> None:
        result.update(fields)
        (entry,) = (each for each in result["manifest"] if each["path"] == path)
        entry["observed"] = now
        entry["declared"] = {name: now[name] for name in entry["declared"]}

    return edited(package, change)


def test_an_export_whose_bytes_were_changed_is_not_taken_where_its_ingest_is_known(
    package: Path, tmp_path: Path
) -> None:
    path = sorted(FILES)[0]
    before = result_in(tmp_path / "ours")

    (done,) = imported(tmp_path / "ours", with_other_bytes(package, path, b"Other bytes"))

    assert f"was changed since: {path} is not what was archived then" in done.trouble
    assert len(done.faults) == 1
    assert result_in(tmp_path / "ours") == before


def test_what_an_export_has_otherwise_than_the_archive_downloaded_is_named(
    package: Path, tmp_path: Path
) -> None:
    path = sorted(FILES)[0]

    (done,) = imported(
        tmp_path / "ours", with_other_bytes(package, path, b"Other bytes", ingest_id="elsewhere-2")
    )

    said = f"{path} is not what this archive itself downloaded on "
    assert [each.startswith(said) for each in done.remarks] == [True]
    assert done.attempts == ["elsewhere-2"]


def _declares(fields: dict[str, Any], **values: object) -> None:
    fields["manifest"][0]["declared"] |= values


def _observes(fields: dict[str, Any]) -> None:
    entry = fields["manifest"][0]
    entry["observed"]["md5"] = entry["declared"]["md5"] = "0" * 32


def _lacks(fields: dict[str, Any]) -> None:
    entry = {"path": "gone.txt", "status": "not-found"}
    fields["manifest"].append(entry)


DOUBTED: dict[str, Edit] = {
    "no moment": lambda fields: fields.update(finished="banana"),
    "no day": lambda fields: fields.update(finished="2026-02-30T10:00:00Z"),
    "a day": lambda fields: fields.update(finished="2026-02-20"),
    "future": lambda fields: fields.update(finished="2931-01-01T00:00:00Z"),
    "before": lambda fields: fields.update(finished="1970-01-01T00:00:00Z"),
    "began": lambda fields: fields.update(started="banana"),
    "status": lambda fields: fields.update(status="gloriously-fine"),
    "not all": _lacks,
    "declared": lambda fields: _declares(fields, sha256="0" * 64),
    "declared size": lambda fields: _declares(fields, size=7),
    "md5": _observes,
    "captured": lambda fields: fields["manifest"][0].update(terminal_dt="banana"),
}


@pytest.mark.parametrize("how", DOUBTED)
def test_a_result_that_cannot_be_so_is_named_and_its_files_are_of_the_import(
    how: str, package: Path, tmp_path: Path
) -> None:
    path, before = edited(package, DOUBTED[how]), iso_now()

    (done,) = imported(tmp_path / "theirs", path)

    assert (done.trouble, done.files) == ("", len(FILES))
    assert "1" not in done.attempts
    assert any("cannot be as it says" in each for each in done.remarks), done.remarks
    result = result_in(tmp_path / "theirs")
    assert any("cannot be as it says" in each["message"] for each in result["findings"])
    assert before <= result["finished"] <= iso_now()
    kept = [each for each in result["manifest"] if "observed" in each]
    assert [each["sha256"] for each in kept] == [each["observed"]["sha256"] for each in kept]


def test_why_a_file_was_not_archived_is_the_word_of_a_result_that_cannot_be_so(
    package: Path, tmp_path: Path
) -> None:
    why = "The server answered with HTTP 404."
    gone = {"path": "gone.txt", "status": str(Status.ERROR_PLATFORM_DOWNLOAD), "message": why}

    def edit(fields: dict[str, Any]) -> None:
        fields["manifest"].append(gone)
        fields.update(finished="2931-01-01T00:00:00Z")

    (done,) = imported(tmp_path / "theirs", edited(package, edit))

    (lacking,) = done.lacking
    assert "as the result in the package says: " in lacking
    (entry,) = [it for it in result_in(tmp_path / "theirs")["manifest"] if "observed" not in it]
    assert entry["status"] == Status.NOT_IMPORTED
    assert entry["message"].endswith(f"as the result in the package says: {why}")


STRANGE: dict[str, Edit] = {
    "finding": lambda fields: fields.update(findings=[{"code": "x", "message": "y"}]),
    "level": lambda fields: fields.update(findings=[{"code": "x", "message": "y", "level": "z"}]),
    "title": lambda fields: fields.update(title=5),
    "creators": lambda fields: fields.update(creators=5),
    "creator": lambda fields: fields.update(creators=[{"name": "x"}]),
    "hops": lambda fields: fields.update(hops=[5]),
    "size": lambda fields: _declares(fields, size="many"),
    "path": lambda fields: fields["manifest"][0].update(path=5),
    "file status": lambda fields: fields["manifest"][0].update(status="gloriously-fine"),
    "extra": lambda fields: fields["manifest"][0].update(extra=5),
    "bundle": lambda fields: fields.update(fileset_bundle=5),
    "message": lambda fields: fields["manifest"][0].update(message=5),
    "address": lambda fields: fields["manifest"][0].update(platform_url=5),
    "manifest": lambda fields: fields.update(manifest={"a": 5}),
}


@pytest.mark.parametrize("how", STRANGE)
def test_a_result_with_other_things_in_its_fields_is_none(
    how: str, package: Path, tmp_path: Path
) -> None:
    (done,) = imported(tmp_path / "theirs", edited(package, STRANGE[how]))

    assert (done.trouble, done.files) == ("", len(FILES))
    assert "1" not in done.attempts
    assert any("is not the result of an ingest" in each for each in done.remarks), done.remarks


def listed_anew(package: Path) -> None:
    """Have the list of a package say what its files are now."""
    lines = (package / "manifest-sha256.txt").read_text().splitlines()
    names = [line.split("  ", 1)[1] for line in lines]
    there = [name for name in names if (package / name).is_file()]
    digests = [hashlib.sha256((package / name).read_bytes()).hexdigest() for name in there]
    rows = (f"{digest}  {name}\n" for digest, name in zip(digests, there, strict=True))
    (package / "manifest-sha256.txt").write_text("".join(rows))


def test_the_last_attempt_is_the_one_that_came_last_whatever_date_it_bears(
    package: Path, tmp_path: Path
) -> None:
    changed, removed = tmp_path / "changed", tmp_path / "removed"
    for copy in (changed, removed):
        shutil.copytree(package, copy)
    (changed / "data/README.txt").write_bytes(b"Something else.\n")
    (removed / "data/README.txt").unlink()
    for copy in (changed, removed):
        listed_anew(copy)
    archive = tmp_path / "theirs"

    (first,), (last,) = imported(archive, changed), imported(archive, removed)

    with Archive.open_for_reading(archive) as opened:
        found = opened.ledger.catalogue.find(HoldingsQuery(), iso_now())
        (row,) = opened.ledger.catalogue.rows(found)
        (held,) = opened.ledger.holdings.listed()
        attempts = opened.ledger.history(row.dataset_id).attempts
    assert [each.ingest_id for each in attempts] == [*first.attempts, *last.attempts]
    assert attempts[-1].status is row.last_status is Status.IMPORT_INCOMPLETE
    assert attempts[-1].finished < attempts[0].finished
    assert attempts[0].came <= attempts[-1].came
    told = held["last_attempt"]
    assert (told["ingest_id"], told["imported"]) == (attempts[-1].ingest_id, attempts[-1].imported)
    out = carrel("results", "--archive", archive).out
    assert f"last attempt, imported {attempts[-1].imported}: import-incomplete" in out


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """An archive that downloaded a dataset."""
    path = new_archive(tmp_path / "downloaded")
    with WireServer() as server:
        files = [
            {"name": name, "contentUrl": server.serve(f"/{at}", reply(content))}
            for at, (name, content) in enumerate(FILES.items())
        ]
        ingest(path, dataset_page(server, files, name="Tides"))
    return path


def warc_of(archive: Path) -> bytes:
    (path,) = (archive / "collections/main/archive").iterdir()
    return path.read_bytes()


def changed_warc(archive: Path, how: str) -> bytes:
    """Return the WARC of an archive with all that is named changed in it."""
    content, payload = warc_of(archive), FILES[sorted(FILES)[0]]
    words: dict[bytes, bytes] = {}
    if "title" in how:
        words |= {b'"title": "Tides"': b'"title": "Waves"'}  # of the result, and not of the page
    if "future" in how:
        year = result_in(archive)["finished"][:4]
        words |= {f'"finished": "{year}'.encode(): b'"finished": "2931'}
    if "status" in how:
        words |= {b'"status": "success"': b'"status": "perfect"'}
    if "bytes" in how:
        words |= other_payload(payload, payload[::-1])
    if "ids" in how:
        words |= other_ids(content)
    if "ingest" in how:
        own = result_in(archive)["ingest_id"]
        words |= {own.encode(): other_id(own).encode()}
    return edited_warc(content, words)


def other_id(ingest_id: str) -> str:
    return f"{ingest_id[:-4]}0000"


CHANGED = ["title", "bytes", "bytes ids", "bytes ingest", "title ids", "future", "status ids"]


@pytest.mark.parametrize("how", CHANGED)
@pytest.mark.parametrize("form", ["warc.gz", "wacz"])
def test_a_changed_warc_of_what_is_here_is_refused_and_nothing_of_it_stays(
    how: str, form: str, ours: Path, tmp_path: Path
) -> None:
    path, before = tmp_path / f"changed.{form}", result_in(ours)
    content = changed_warc(ours, how)
    if form == "wacz":
        write_wacz(path, {"changed.warc.gz": content})
    else:
        path.write_bytes(content)

    (done,) = imported(ours, path)

    assert "one of the two was changed" in done.trouble
    assert result_in(ours) == before
    assert carrel("verify", "--archive", ours).code == 0
    assert rebuild(ours, lambda done, total: None).is_same


def test_a_warc_of_another_ingest_with_other_bytes_than_were_downloaded_is_told(
    ours: Path, tmp_path: Path
) -> None:
    path, own = tmp_path / "changed.warc.gz", result_in(ours)["ingest_id"]
    path.write_bytes(changed_warc(ours, "bytes ids ingest"))

    (done,) = imported(ours, path)

    said = f"{sorted(FILES)[0]} is not what this archive itself downloaded on "
    assert [each.startswith(said) for each in done.remarks] == [True]
    assert done.attempts == [other_id(own)]
    assert carrel("verify", "--archive", ours).code == 0


def test_a_warc_with_the_same_result_and_other_ids_is_no_contradiction(
    ours: Path, tmp_path: Path
) -> None:
    path = tmp_path / "again.warc.gz"
    path.write_bytes(changed_warc(ours, "ids"))

    (done,) = imported(ours, path)

    assert (done.trouble, done.remarks) == ("", [])
    assert carrel("verify", "--archive", ours).code == 0


@pytest.mark.parametrize("how", ["future ids ingest", "status ids ingest"])
def test_a_result_that_was_not_believed_is_not_believed_by_a_rebuild_either(
    how: str, ours: Path, tmp_path: Path
) -> None:
    path, before = tmp_path / "changed.warc.gz", result_in(ours)
    path.write_bytes(changed_warc(ours, how))
    (done,) = imported(ours, path)
    assert (done.trouble, done.attempts, len(done.remarks)) == ("", [], 1)

    made = rebuild(ours, lambda done, total: None)

    assert (made.is_same, made.is_whole) == (True, True)
    shutil.rmtree(ours / "journal")
    (ours / "carrel.sqlite").unlink()
    made = rebuild(ours, lambda done, total: None)
    assert made.is_replaced
    if "status" in how:
        assert result_in(ours) == before
