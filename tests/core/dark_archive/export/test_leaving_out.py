# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an export leaves out and names, what the journal says of it, and how it ends early."""

import hashlib
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path

import pytest

from carrel.dark_archive.export import export as exporting
from carrel.errors import ArchiveError
from carrel.model.dark import Purged
from carrel.model.dark_views import LeftOut
from support.dark_archives import World
from support.dark_exports import FOUR, TWO, Export, overwrite, stored
from support.read_only import read_only
from support.records import files_in, read_warcs
from support.wire import WireServer


def paths_in(out: Path, origin: str) -> set[str]:
    """Return which addresses the records of an export are about."""
    uris = {each.uri for each in read_warcs(out / "archive") if each.uri}
    return {uri.removeprefix(origin) for uri in uris}


def purge(world: World, path: Path, sha256: str, reason: str) -> None:
    with world.keeping() as keeping:
        keeping.commit([Purged(1_738_368_000, sha256, reason)])
        keeping.store.remove(str(path.relative_to(world.store)))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (FOUR[:-1], "damaged"),
        (FOUR + b"x", "damaged"),
        (FOUR[:4_000_000] + b"x" + FOUR[4_000_001:], "damaged"),
        (b"", "damaged"),
    ],
)
def test_what_is_damaged_is_left_out_and_named(
    world: World, export: Export, out: Path, server: WireServer, damage: bytes, why: str
) -> None:
    overwrite(stored(world, "/four.pdf"), damage)

    report = export()

    (left,) = report.left_out
    assert (left.ident, left.why) == (f"{server.origin}/four.pdf", why)
    assert not report.is_complete
    assert report.versions == 5
    assert paths_in(out, server.origin) == {
        "/one.pdf",
        "/two",
        "/landing?id=2",
        "/files/two.pdf",
        "/three.pdf",
    }
    assert len((out / "indexes/index.cdxj").read_text().splitlines()) == 7


def test_with_what_is_missing_its_redirects_are_left_out(
    world: World, export: Export, out: Path, server: WireServer
) -> None:
    stored(world, "/two").unlink()

    report = export(series="wpaper")

    assert [each.why for each in report.left_out] == ["missing"]
    assert paths_in(out, server.origin) == {"/one.pdf", "/three.pdf"}


def test_nothing_refers_to_bytes_that_are_damaged(world: World, export: Export) -> None:
    overwrite(stored(world, "/one.pdf"), b"%PDF-something else")

    report = export(lost=True)
    again = export(folder=world.folder / "all", series="wpaper")

    assert [each.why for each in report.left_out] == ["damaged"]
    assert [each.why for each in again.left_out] == ["damaged", "damaged", "damaged"]
    kinds = {each.kind for each in read_warcs(world.folder / "all/archive")}
    assert kinds == {"warcinfo", "response", "request", "metadata"}


def test_where_all_is_damaged_there_is_no_warc(world: World, export: Export, out: Path) -> None:
    overwrite(stored(world, "/three.pdf"), b"")

    report = export(lost=True)

    assert (report.warcs, files_in(out)) == (0, [])


def test_what_was_taken_down_is_named_and_no_fault(
    world: World, export: Export, server: WireServer
) -> None:
    path = stored(world, "/two")
    sha256 = hashlib.sha256(TWO).hexdigest()
    purge(world, path, sha256, "asked by the author")

    report = export()

    assert report.left_out == [
        LeftOut(
            f"{server.origin}/two",
            int(world.began.timestamp()) + 86_400,
            sha256,
            "taken-down",
            "It was purged on 2025-02-01: asked by the author",
        )
    ]
    assert (report.is_complete, report.versions) == (True, 5)
    assert world.rows("SELECT count(*) FROM opening WHERE sha256 = ?", sha256) == [(0,)]


def test_each_copy_is_journalled_with_its_reason(
    world: World, export: Export, server: WireServer
) -> None:
    export(lost=True, reason="the author asked for it")

    assert world.rows(
        "SELECT ident_n, p.deed, p.reason, p.occasion, p.sha256 = v.sha256 FROM opening AS p"
        " JOIN obi USING (obi_id) JOIN version AS v USING (obi_id, tist)"
    ) == [
        (
            f"{server.origin}/three.pdf",
            "released",
            "the author asked for it",
            "lost since 2025-01-09, last requested 2025-01-09",
            1,
        )
    ]
    assert world.is_sound()


def test_without_rights_only_what_is_lost_is_given_out_and_the_rest_is_named(
    world: World, export: Export, out: Path, server: WireServer
) -> None:
    report = export(reason="a reader asks")

    assert paths_in(out, server.origin) == {"/three.pdf"}
    assert {each.why for each in report.left_out} == {"not-lost"}
    assert "It is not lost" in report.left_out[0].message
    assert (report.versions, report.not_lost, report.is_complete) == (1, 0, False)
    assert world.rows("SELECT ident_n FROM opening JOIN obi USING (obi_id)") == [
        (f"{server.origin}/three.pdf",)
    ]


def test_what_is_not_lost_is_journalled_as_that(world: World, export: Export) -> None:
    report = export(series="journl")

    ((occasion,),) = world.rows("SELECT occasion FROM opening")
    assert occasion == "present, not lost, last requested 2025-01-09"
    assert report.not_lost == 1


@pytest.mark.parametrize("vault", [False, True])
def test_what_cannot_be_copied_is_not_said_to_be_released(
    world: World, export: Export, vault: bool
) -> None:
    stored(world, "/four.pdf").unlink()
    overwrite(stored(world, "/two"), b"x")

    report = export(vault=vault, templates=True)

    assert {each.ident.rpartition("/")[2] for each in report.left_out} == {"four.pdf", "two"}
    named = world.rows("SELECT ident_n FROM opening JOIN obi USING (obi_id)")
    assert len(named) == report.versions > 0
    assert not [name for (name,) in named if str(name).endswith(("/four.pdf", "/two"))]


def test_nothing_is_said_to_be_released_to_a_folder_that_cannot_be_written_to(
    world: World, export: Export, out: Path
) -> None:
    with read_only(out), pytest.raises(ArchiveError, match="cannot be written"):
        export()

    assert world.rows("SELECT count(*) FROM opening") == [(0,)]


def test_what_was_written_when_it_is_stopped_is_whole(
    export: Export, out: Path, monkeypatch: pytest.MonkeyPatch, server: WireServer
) -> None:
    monkeypatch.setattr(exporting, "_TOGETHER", 1)
    answers = chain([False, False], repeat(True))

    report = export(is_cancelled=lambda: next(answers))

    assert (report.is_whole, report.is_complete, report.versions) == (False, False, 2)
    assert paths_in(out, server.origin) == {"/four.pdf", "/one.pdf"}
    assert len((out / "indexes/index.cdxj").read_text().splitlines()) == 2


def test_what_was_not_copied_when_it_is_stopped_is_not_journalled(
    world: World, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_TOGETHER", 1)
    answers = chain([False, False], repeat(True))

    export(is_cancelled=lambda: next(answers))

    assert world.rows("SELECT count(*) FROM opening") == [(2,)]


@pytest.mark.parametrize("vault", [False, True])
def test_a_file_that_can_not_be_written_whole_is_not_there(
    export: Export, out: Path, vault: bool
) -> None:
    with files_up_to(1_000_000), pytest.raises(ArchiveError, match="cannot be written"):
        export(series="journl", vault=vault)

    assert files_in(out) == []


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Have this process fail to write longer files, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
