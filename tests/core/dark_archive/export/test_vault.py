# SPDX-License-Identifier: AGPL-3.0-or-later
"""An export as a vault: a file and an index for each handle, each for itself."""

import json
import subprocess
from pathlib import Path

import pytest

from carrel.dark_archive.export.vault import free_path, index_name, vault_path
from carrel.ledger.dark.exports import ExportedHandle
from support.dark_archives import World
from support.dark_exports import BIN, FOUR, ONE, REVISED, TWO, Export, overwrite, stored
from support.records import files_in, read_warc

WPAPER = "aaa/wpaper/RePEc:aaa:wpaper:"
FOUR_OF_IT = "aaa/journl/RePEc:aaa:journl:4%2Fa"


def test_each_handle_has_a_file_and_an_index(export: Export, out: Path) -> None:
    report = export(vault=True)

    assert files_in(out) == [
        f"{FOUR_OF_IT}.cdxj",
        f"{FOUR_OF_IT}.warc.gz",
        *(f"{WPAPER}{number}.{kind}" for number in "123" for kind in ("cdxj", "warc.gz")),
    ]
    assert (report.warcs, report.versions, report.is_complete) == (4, 9, True)


def test_each_file_has_all_that_its_handle_ever_named(export: Export, out: Path) -> None:
    export(vault=True)

    held = {
        name: {each.payload for each in read_warc(out / name) if each.kind == "response"} - {b""}
        for name in files_in(out)
        if name.endswith(".gz")
    }
    assert held == {
        f"{FOUR_OF_IT}.warc.gz": {FOUR},
        f"{WPAPER}1.warc.gz": {ONE, REVISED},
        f"{WPAPER}2.warc.gz": {TWO},
        f"{WPAPER}3.warc.gz": {ONE, REVISED},
    }


def test_no_file_refers_to_another(export: Export, out: Path) -> None:
    export(vault=True)

    records = read_warc(out / f"{WPAPER}3.warc.gz")
    ids = {each.headers["WARC-Record-ID"] for each in records}
    referring = [each for each in records if each.kind == "revisit"]
    assert len(referring) == 2
    assert {each.headers["WARC-Refers-To"] for each in referring} < ids


def test_the_index_is_that_of_the_file_beside_it(export: Export, out: Path) -> None:
    export(vault=True, templates=True)

    index, warc = out / f"{WPAPER}2.cdxj", out / f"{WPAPER}2.warc.gz"
    made = subprocess.run(
        [BIN / "cdxj-indexer", "-s", warc], capture_output=True, text=True, check=True
    )
    rows = [json.loads(line.split(" ", 2)[2]) for line in index.read_text().splitlines()]
    theirs = [json.loads(line.split(" ", 2)[2]) for line in made.stdout.splitlines()]
    assert rows == theirs
    assert {row["filename"] for row in rows} == {warc.name}
    assert len(rows) == 4


def test_templates_open_the_file_of_their_handle(export: Export, out: Path) -> None:
    export(vault=True, templates=True, series="journl")

    kinds = [each.kind for each in read_warc(out / f"{FOUR_OF_IT}.warc.gz")]
    assert kinds == ["warcinfo", "resource", "response", "request", "metadata"]


def test_a_handle_whose_copy_is_damaged_has_no_file(
    world: World, export: Export, out: Path
) -> None:
    overwrite(stored(world, "/two"), b"")

    report = export(vault=True)

    assert [each.why for each in report.left_out] == ["damaged"]
    assert f"{WPAPER}2.warc.gz" not in files_in(out)
    assert report.warcs == 3


@pytest.mark.parametrize("order", [{"lost": True}, {"lost": True, "last": True}])
def test_of_what_is_lost_other_files_of_the_handle_stay_behind(
    export: Export, out: Path, order: dict[str, bool]
) -> None:
    report = export(vault=True, **order)

    assert files_in(out) == [f"{WPAPER}3.cdxj", f"{WPAPER}3.warc.gz"]
    assert report.versions == 1


@pytest.mark.parametrize(
    ("ident", "archive", "series", "expected"),
    [
        ("RePEc:aaa:b:1-2_3.4", "aaa", "b", "aaa/b/RePEc:aaa:b:1-2_3.4"),
        ("RePEc:aaa:b:1/2", "aaa", "b", "aaa/b/RePEc:aaa:b:1%2F2"),
        ("RePEc:aaa:b:1%2F2", "aaa", "b", "aaa/b/RePEc:aaa:b:1%252F2"),
        ("RePEc:..:..:x", "..", "..", "%2E%2E/%2E%2E/RePEc:..:..:x"),
        ("RePEc:a/b:c\\d:x", "a/b", "c\\d", "a%2Fb/c%5Cd/RePEc:a%2Fb:c%5Cd:x"),
        ("RePEc:aaa", "aaa", None, "aaa/RePEc:aaa"),
        ("list:mine", None, None, "list:mine"),
        ("RePEc:a:b:\n\x1bé?", "a", "b", "a/b/RePEc:a:b:%0A%1B%C3%A9%3F"),
        ("RePEc:con:b:1", "con", "b", "con/b/RePEc:con:b:1"),
        ("-x:y", None, None, "%2Dx:y"),
    ],
)
def test_names_are_the_handles_with_what_does_not_fit_escaped(
    ident: str, archive: str | None, series: str | None, expected: str
) -> None:
    path = vault_path(ExportedHandle(1, ident, archive, series), on_windows=False)

    assert str(path) == f"{expected}.warc.gz"


def test_on_windows_names_have_no_colons_and_are_no_devices() -> None:
    path = vault_path(ExportedHandle(1, "RePEc:con:b:1", "con", "b"), on_windows=True)

    assert str(path) == "%63on/b/RePEc%3Acon%3Ab%3A1.warc.gz"


def test_long_handles_are_shortened_with_their_digest() -> None:
    names = {
        vault_path(ExportedHandle(1, f"RePEc:a:b:{'é' * 300}{end}", "a", "b")).name
        for end in ("1", "2")
    }

    assert len(names) == 2
    assert {len(name) < 220 for name in names} == {True}


def test_a_name_that_is_taken_is_told_apart(tmp_path: Path) -> None:
    handle = ExportedHandle(1, "list:Mine", None, None)
    taken = tmp_path / vault_path(handle)
    taken.write_bytes(b"")

    path = free_path(tmp_path, handle)

    assert path != taken
    assert index_name(path.name) != index_name(taken.name)
