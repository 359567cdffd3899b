# SPDX-License-Identifier: AGPL-3.0-or-later
"""An export as one collection, as other people's tools open it."""

import hashlib
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from carrel.errors import ArchiveError, UsageError
from support.dark_archives import World, handle
from support.dark_exports import BIN, DAYS, FOUR, ONE, REVISED, TWO, Export
from support.pywb_server import pywb
from support.records import ReadRecord, files_in, read_warcs
from support.wire import WireServer

FIRST, SECOND, THIRD = DAYS


def of_kind(out: Path, *kinds: str) -> Sequence[ReadRecord]:
    return [each for each in read_warcs(out / "archive") if each.kind in kinds]


def captures(out: Path, origin: str) -> set[tuple[str, str, str]]:
    """Return target, date and kind of whatever is a capture."""
    found = of_kind(out, "response", "revisit", "resource")
    return {
        (str(each.uri).removeprefix(origin), each.headers["WARC-Date"], each.kind) for each in found
    }


def index_rows(text: str) -> list[tuple[str, ...]]:
    rows = []
    for line in text.splitlines():
        key, timestamp, raw = line.split(" ", 2)
        fields: dict[str, Any] = json.loads(raw)
        rows.append((key, timestamp, *(f"{name}={fields[name]}" for name in sorted(fields))))
    return sorted(rows)


def test_every_version_is_there_and_equal_bytes_are_there_once(
    export: Export, out: Path, server: WireServer
) -> None:
    report = export()

    assert captures(out, server.origin) == {
        ("/four.pdf", FIRST, "response"),
        ("/one.pdf", FIRST, "response"),
        ("/one.pdf", SECOND, "response"),
        ("/one.pdf", THIRD, "revisit"),
        ("/two", FIRST, "response"),
        ("/landing?id=2", FIRST, "response"),
        ("/files/two.pdf", FIRST, "response"),
        ("/three.pdf", FIRST, "revisit"),
    }
    assert (report.warcs, report.captures, report.versions, report.not_lost) == (1, 8, 6, 5)
    assert (report.is_complete, report.left_out, report.problems) == (True, [], [])


def test_every_payload_is_byte_identical(export: Export, out: Path, server: WireServer) -> None:
    export()

    payloads = {
        (str(each.uri).removeprefix(server.origin), each.headers["WARC-Date"]): each.payload
        for each in of_kind(out, "response")
        if each.payload
    }
    assert payloads == {
        ("/four.pdf", FIRST): FOUR,
        ("/one.pdf", FIRST): ONE,
        ("/one.pdf", SECOND): REVISED,
        ("/files/two.pdf", FIRST): TWO,
    }


def test_warcio_and_gzip_accept_every_warc(export: Export, out: Path) -> None:
    export(templates=True, max_size=2000)

    warcs = sorted((out / "archive").iterdir())
    checked = subprocess.run(
        [BIN / "warcio", "check", *warcs], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout) == (0, "")
    assert subprocess.run(["gzip", "-t", *warcs], check=False).returncode == 0


def test_the_index_is_the_one_that_cdxj_indexer_makes(export: Export, out: Path) -> None:
    export(templates=True, max_size=2000)

    warcs = sorted((out / "archive").iterdir())
    made = subprocess.run(
        [BIN / "cdxj-indexer", "-s", *warcs], capture_output=True, text=True, check=True
    )
    ours = (out / "indexes/index.cdxj").read_text()
    assert index_rows(ours) == index_rows(made.stdout)
    assert ours.splitlines() == sorted(ours.splitlines())


def test_pywb_replays_every_version_byte_for_byte(
    export: Export, tmp_path: Path, server: WireServer
) -> None:
    export(folder=tmp_path / "collections/dark", max_size=2000)

    asked = {
        "20250107120000id_": {"one.pdf": ONE, "two": TWO, "three.pdf": ONE, "four.pdf": FOUR},
        "20250108120000id_": {"one.pdf": REVISED},
        "20250109120000id_": {"one.pdf": ONE},
    }
    with (
        pywb(tmp_path) as origin,
        httpx.Client(trust_env=False, timeout=30, follow_redirects=True) as client,
    ):
        given = {
            day: {
                name: client.get(f"{origin}/dark/{day}/{server.origin}/{name}").content
                for name in names
            }
            for day, names in asked.items()
        }
    assert {day: _digests(names) for day, names in given.items()} == {
        day: _digests(names) for day, names in asked.items()
    }


def _digests(contents: dict[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(each).hexdigest() for name, each in contents.items()}


def test_heads_are_those_that_were_sent(export: Export, out: Path, server: WireServer) -> None:
    export()

    two = f"{server.origin}/files/two.pdf"
    (response,) = [each for each in of_kind(out, "response") if each.uri == two]
    (request,) = [each for each in of_kind(out, "request") if each.uri == two]
    assert response.http_status == "200 OK"
    assert response.http_headers == [
        ("Content-Length", str(len(TWO))),
        ("Content-Type", "application/pdf"),
        ("X-Powered-By", "Tides"),
    ]
    assert request.payload == b""
    assert ("Accept-Encoding", "identity") in request.http_headers
    assert request.headers["WARC-Concurrent-To"] == response.headers["WARC-Record-ID"]


def test_redirects_lead_from_the_address_that_a_template_names(
    export: Export, out: Path, server: WireServer
) -> None:
    export()

    hops = {
        str(each.uri).removeprefix(server.origin): (each.http_status, dict(each.http_headers))
        for each in of_kind(out, "response")
        if not each.payload
    }
    assert hops == {
        "/two": (
            "301 Moved Permanently",
            {"Location": f"{server.origin}/landing?id=2", "Content-Length": "0"},
        ),
        "/landing?id=2": (
            "302 Found",
            {"Location": f"{server.origin}/files/two.pdf", "Content-Length": "0"},
        ),
    }


def test_a_revisit_refers_to_the_record_that_has_the_bytes(
    export: Export, out: Path, server: WireServer
) -> None:
    export()

    one = f"{server.origin}/one.pdf"
    original = next(each for each in of_kind(out, "response") if each.uri == one).headers
    referring = [
        (
            each.headers["WARC-Refers-To"],
            each.headers["WARC-Refers-To-Target-URI"],
            each.headers["WARC-Refers-To-Date"],
            each.headers["WARC-Payload-Digest"],
        )
        for each in of_kind(out, "revisit")
    ]
    named = (original["WARC-Record-ID"], one, FIRST, original["WARC-Payload-Digest"])
    assert referring == [named, named]


def test_each_file_says_what_it_is_and_why(export: Export, out: Path) -> None:
    export(lost=True, archive="aaa", reason="asked for\r\nby its author")

    (info,) = of_kind(out, "warcinfo")
    fields = dict(line.split(": ", 1) for line in info.payload.decode().splitlines())
    assert fields["reason"] == "asked for  by its author"
    assert fields["selection"] == "archive aaa, what is lost, all versions"
    assert fields["operator"] == "The Library"
    assert "no licence" in fields["description"]
    assert [info.headers["WARC-Filename"]] == [path.name for path in (out / "archive").iterdir()]


def test_a_full_text_is_told_who_named_it_and_how_it_stood(
    export: Export, out: Path, server: WireServer
) -> None:
    export(lost=True)

    (note,) = of_kind(out, "metadata")
    fields = dict(line.split(": ", 1) for line in note.payload.decode().splitlines())
    assert fields["namedAs"] == f"{server.origin}/three.pdf"
    assert fields["namedBy"] == handle(3)
    assert fields["standing"] == "lost since 2025-01-09, last requested 2025-01-09"
    assert fields["sha256"] == hashlib.sha256(ONE).hexdigest()


def test_a_file_is_ended_where_it_would_get_too_large(export: Export, out: Path) -> None:
    report = export(max_size=2500)

    sizes = [path.stat().st_size for path in (out / "archive").iterdir()]
    assert report.warcs == len(sizes) == 4
    assert sum(size > 5000 for size in sizes) == 1
    assert files_in(out)[-1] == "indexes/index.cdxj"


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ({"lost": True}, {("/three.pdf", FIRST)}),
        ({"series": "journl"}, {("/four.pdf", FIRST)}),
        ({"archive": "aaa", "series": "journl"}, {("/four.pdf", FIRST)}),
        ({"archive": "bbb"}, set()),
        ({"since": 1736337600}, {("/one.pdf", SECOND), ("/one.pdf", THIRD)}),
        ({"series": "wpaper", "last": True, "since": 1736337600}, {("/one.pdf", THIRD)}),
    ],
)
def test_an_order_can_be_narrowed(
    export: Export,
    out: Path,
    server: WireServer,
    order: dict[str, Any],
    expected: set[tuple[str, str]],
) -> None:
    export(**order)

    assert {each[:2] for each in captures(out, server.origin)} == expected


def test_what_is_narrowed_needs_no_record_outside(
    export: Export, out: Path, server: WireServer
) -> None:
    """A revisit may only refer to what is exported, too."""
    export(lost=True)

    (three,) = of_kind(out, "response", "revisit")
    assert (three.kind, three.payload) == ("response", ONE)


def test_templates_come_on_request(export: Export, out: Path) -> None:
    report = export(templates=True, series="journl")

    (resource,) = of_kind(out, "resource")
    assert report.templates == 1
    assert resource.uri == "urn:x-redif:repec:aaa:journl:4/a"
    assert resource.payload.decode().startswith("Template-Type: ReDIF-Paper 1.0\nHandle: ")


def test_without_an_exchange_the_bytes_are_a_resource(
    world: World, export: Export, tmp_path: Path, server: WireServer
) -> None:
    with world.ledger.dark._connection.writing() as db:
        db.execute("UPDATE version SET exchange = NULL")

    out = tmp_path / "collections/dark"
    export(folder=out)

    found = captures(out, server.origin)
    assert ("/files/two.pdf", FIRST, "resource") in found
    assert ("/two", FIRST, "response") in found
    assert ("/one.pdf", THIRD, "revisit") in found
    with (
        pywb(tmp_path) as origin,
        httpx.Client(trust_env=False, timeout=30, follow_redirects=True) as client,
    ):
        replay = f"{origin}/dark/20250107120000id_/{server.origin}"
        assert client.get(f"{replay}/two").content == TWO
        assert client.get(f"{replay}/three.pdf").content == ONE


def test_nothing_to_export_writes_nothing(export: Export, out: Path) -> None:
    report = export(archive="bbb")

    assert (report.warcs, report.is_complete, out.exists()) == (0, True, False)


def test_a_folder_that_holds_something_is_left_alone(export: Export, out: Path) -> None:
    out.mkdir()
    (out / "mine.txt").write_text("mine")

    with pytest.raises(UsageError, match="is not empty"):
        export()

    assert files_in(out) == ["mine.txt"]


def test_the_object_store_is_no_place_for_an_export(world: World, export: Export) -> None:
    with pytest.raises(UsageError, match="is in the object store"):
        export(folder=world.store / "out")


def test_an_export_without_a_reason_is_refused(export: Export) -> None:
    with pytest.raises(UsageError, match="A reason is required"):
        export(reason=" \n")


def test_a_folder_that_can_not_be_written_is_told(export: Export, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ArchiveError, match="cannot be written"):
        export(folder=tmp_path / "file/below")
