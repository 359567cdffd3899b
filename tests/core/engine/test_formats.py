# SPDX-License-Identifier: AGPL-3.0-or-later
"""The formats of what is held: noted with each content, counted, and there again after a loss."""

import asyncio
import gzip
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.access.formats.apart import Identifier
from carrel.access.formats.identifying import Identifying
from carrel.access.holding_files import HoldingFile
from carrel.archive import Archive
from carrel.engine import Engine
from carrel.engine.formats import holdings_to_identify, identify_all, risky_files, totals
from carrel.errors import FormatsUnavailable, NoAccessCopy
from carrel.model import IngestRequest
from carrel.model.formats import Format, FormatRisk
from carrel.model.holdings import Facet, HoldingsQuery
from core.access.test_formats import PNG
from support.archives import carrel, ingest, new_archive
from support.bundles import zipped
from support.held import hold, hold_bundle, spoil_payload
from support.wire import WireServer, dataset_page, reply

NOW = "2026-06-01T00:00:00Z"
FILES = {"a.png": PNG, "b.jpg": PNG, "sub/c.csv": b"a,b\n1,2\n", "d.txt": b"tide\n", "e": b""}


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


def puids(archive: Archive, ingest_id: str = "1") -> list[str]:
    formats = archive.ledger.formats.of_files(ingest_id)
    return [formats[position].puid for position in sorted(formats)]


def counted(archive: Archive) -> dict[tuple[str, str], tuple[int, int, int]]:
    return {
        (each.puid, str(each.risk or "")): (each.datasets, each.files, each.size_bytes)
        for each in totals(archive)
    }


def test_what_an_ingest_archives_is_identified_by_itself(
    server: WireServer, tmp_path: Path
) -> None:
    files = [{"name": "a.png", "contentUrl": server.serve("/a.png", reply(PNG))}]
    path = new_archive(tmp_path / "archive")

    (result,) = ingest(path, dataset_page(server, files, "/tides", name="tides", identifier="t"))

    with Archive.open_for_reading(path) as opened:
        assert puids(opened, result.ingest_id or "") == ["fmt/11"]


def test_what_arrives_is_not_read_again_for_its_format(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = b"a,b\n1,2\n"
    declared = {"c.csv": {"sha256": hashlib.sha256(table).hexdigest()}}
    coded = reply(gzip.compress(table), Content_Encoding="gzip")
    answers = {"a.png": reply(PNG), "large.txt": reply(b"tide\n" * 2_000_000), "c.csv": coded}
    files = [
        {"name": path, "contentUrl": server.serve(f"/{path}", answer), **declared.get(path, {})}
        for path, answer in answers.items()
    ]
    read = list[str]()

    def note(self: Identifying, held: HoldingFile) -> Format | NoAccessCopy:
        read.append(held.file.path)
        return of_record(self, held)

    of_record = Identifying._of_record
    monkeypatch.setattr(Identifying, "_of_record", note)
    path = new_archive(tmp_path / "archive")

    (result,) = ingest(path, dataset_page(server, files, "/tides", name="tides", identifier="t"))

    assert read == ["c.csv"]  # whose record has it in another form
    with Archive.open_for_reading(path) as opened:
        found = opened.ledger.formats.of_files(result.ingest_id or "")
    assert [(found[at].puid, found[at].is_cut) for at in sorted(found)] == [
        ("fmt/11", False),
        ("x-fmt/111", True),
        ("x-fmt/18", False),
    ]


def test_without_the_package_an_ingest_ends_as_ever_and_nothing_is_identified(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygfried", None)
    files = [{"name": "a.png", "contentUrl": server.serve("/a.png", reply(PNG))}]
    path = new_archive(tmp_path / "archive")

    (result,) = ingest(path, dataset_page(server, files, "/tides", name="tides", identifier="t"))

    assert result.hit
    with Archive.open_for_reading(path) as opened:
        assert counted(opened) == {("", ""): (1, 1, len(PNG))}
        with pytest.raises(FormatsUnavailable, match=r"carrel\[formats\]"):
            identify_all(opened, holdings_to_identify(opened))


def test_files_are_told_apart_by_content_and_extension(
    server: WireServer, archive: Archive
) -> None:
    hold(archive, server, FILES)

    run = identify_all(archive, holdings_to_identify(archive))

    assert (run.holdings, run.identified, run.unread) == (1, 5, [])
    assert puids(archive) == ["fmt/11", "fmt/11", "x-fmt/18", "x-fmt/111", "UNKNOWN"]
    assert counted(archive) == {
        ("fmt/11", ""): (1, 1, len(PNG)),
        ("fmt/11", "mismatch"): (1, 1, len(PNG)),
        ("x-fmt/18", "extension-only"): (1, 1, 8),
        ("x-fmt/111", ""): (1, 1, 5),
        ("UNKNOWN", "unknown"): (1, 1, 0),
    }
    assert [each.file for each in risky_files(archive, FormatRisk.MISMATCH, 9)] == ["b.jpg"]
    assert list(holdings_to_identify(archive)) == []


def test_what_is_identified_is_not_read_again_unless_asked(
    server: WireServer, archive: Archive
) -> None:
    hold(archive, server, FILES)
    hold(archive, server, {"again.txt": b"tide\n", "new.txt": b"ebb\n"}, ingest="2")
    identify_all(archive, ["1"])

    second = identify_all(archive, ["1", "2"])
    anew = identify_all(archive, ["1", "2"], again=True)

    assert (second.identified, anew.identified) == (1, 7)


def test_members_of_a_bundle_are_identified(server: WireServer, archive: Archive) -> None:
    hold_bundle(archive, server, FILES, zipped(FILES))

    run = identify_all(archive, holdings_to_identify(archive))

    assert run.unread == []
    assert puids(archive) == ["fmt/11", "fmt/11", "x-fmt/18", "x-fmt/111", "UNKNOWN"]


def test_a_file_whose_record_is_damaged_is_named_and_the_others_are_identified(
    server: WireServer, archive: Archive
) -> None:
    hold(archive, server, {"a.txt": b"tide\n" * 50, "b.txt": b"ebb\n" * 50})
    spoil_payload(archive, "1", 0)

    run = identify_all(archive, ["1"])

    assert [each.file for each in run.unread] == ["a.txt"]
    assert puids(archive) == ["x-fmt/111"]
    assert counted(archive)[("", "")] == (1, 1, 250)


def test_what_is_not_listed_any_more_is_not_counted(server: WireServer, archive: Archive) -> None:
    hold(archive, server, {"a.png": PNG})
    identify_all(archive, ["1"])
    dataset = archive.ledger.catalogue.find(HoldingsQuery(), NOW)

    archive.ledger.curation.remove(dataset, NOW)
    without = counted(archive)
    archive.ledger.curation.restore(dataset)

    assert without == {}
    assert counted(archive) == {("fmt/11", ""): (1, 1, len(PNG))}


def test_holdings_are_found_by_format_and_by_what_needs_attention(
    server: WireServer, archive: Archive
) -> None:
    hold(archive, server, {"a.png": PNG, "b.jpg": PNG, "c.txt": b"tide\n"})
    identify_all(archive, ["1"])
    catalogue = archive.ledger.catalogue
    png, text = "fmt/11 Portable Network Graphics 1.0", "x-fmt/111 Plain Text File"

    counts = catalogue.counts(HoldingsQuery(), NOW)
    narrowed = HoldingsQuery("Tides", {Facet.FORMAT_RISK: frozenset(["mismatch"])})

    assert counts[Facet.FORMAT] == {png: 1, text: 1}
    assert counts[Facet.FORMAT_RISK] == {"mismatch": 1}
    assert len(catalogue.find(HoldingsQuery(chosen={Facet.FORMAT: frozenset([png])}), NOW)) == 1
    assert catalogue.counts(narrowed, NOW)[Facet.FORMAT] == {png: 1, text: 1}
    assert not catalogue.find(HoldingsQuery(chosen={Facet.FORMAT: frozenset(["fmt/1"])}), NOW)


def test_the_commands_identify_list_and_say_what_needs_attention(
    server: WireServer, tmp_path: Path
) -> None:
    folder = new_archive(tmp_path / "archive")
    with Archive.create_or_open(folder) as archive:
        hold(archive, server, FILES)

    ran = carrel("formats", "--archive", folder)
    listed = carrel("formats", "--list", "--archive", folder)
    as_json = carrel("formats", "--list", "--json", "--archive", folder)
    status = carrel("status", "--archive", folder)

    assert (ran.code, ran.out.splitlines()[0]) == (0, "5 files of 1 dataset identified.")
    assert "Portable Network Graphics 1.0 (fmt/11): 1 file in 1 dataset" in listed.out
    assert "1 file another format than the extension says\n  b.jpg" in listed.out
    risks = {each["file"]: each["format"]["risk"] for each in as_json.lines if "file" in each}
    assert risks == {"b.jpg": "mismatch", "sub/c.csv": "extension-only", "e": "unknown"}
    assert status.out.lower().count("unknown to pronom") == 1


def test_the_command_says_what_to_install_and_still_lists(
    server: WireServer, tmp_path: Path
) -> None:
    folder = new_archive(tmp_path / "archive")
    with Archive.create_or_open(folder) as archive:
        hold(archive, server, {"a.txt": b"tide\n"})
    # Found before the real one, by this process alone.
    (tmp_path / "without" / "sitecustomize.py").parent.mkdir()
    (tmp_path / "without" / "sitecustomize.py").write_text(
        "import sys; sys.modules['pygfried'] = None\n"
    )
    env = {"PYTHONPATH": f"{tmp_path / 'without'}:{Path(__file__).parents[3] / 'core'}"}

    ran = carrel("formats", "--archive", folder, env=env)
    listed = carrel("formats", "--list", "--json", "--archive", folder, env=env)

    assert ran.code == 2
    assert "Install carrel[formats]" in ran.err
    assert json.loads(listed.out)["files"] == 1


def test_a_stopped_ingest_is_not_held_up_by_its_formats(
    server: WireServer, archive: Archive
) -> None:
    from carrel.engine.formats import FormatIdentification

    hold(archive, server, {"a.txt": b"tide\n"})
    formats = FormatIdentification(archive)

    asyncio.run(asyncio.to_thread(formats.after_ingest, "1", lambda: True))

    formats.close()
    assert puids(archive) == []


def test_jobs_one_after_the_other_share_one_process(
    server: WireServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Identifier] = []
    begin = Identifier._begin

    def begin_and_count(identifier: Identifier) -> None:
        begun.append(identifier)
        begin(identifier)

    monkeypatch.setattr(Identifier, "_begin", begin_and_count)
    pages = []
    for number in range(4):
        files = [
            {
                "name": "a.png",
                "contentUrl": server.serve(f"/{number}.png", reply(PNG + bytes([number]))),
            }
        ]
        pages.append(dataset_page(server, files, f"/t{number}", name=f"T{number}"))

    async def run() -> None:
        one_at_a_time = new_archive(tmp_path / "archive", "[network]\ningests = 1\n")
        async with Engine.open(one_at_a_time) as engine:
            await engine.queue.add([IngestRequest(page) for page in pages])
            engine.queue.start()
            await engine.queue.wait_until_idle()
            assert begun[0]._process is None  # it ends once none is left

    asyncio.run(run())

    assert len(begun) == 1
