# SPDX-License-Identifier: AGPL-3.0-or-later
"""What runs of the dark archive make of looks."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.dark_archive.harvest import Gathering, Terms
from carrel.dark_archive.place import begin_folder, store_root
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.watch.look import Look, Sight
from carrel.engine.watch.manifest_text import manifest_text
from carrel.engine.watch.published import Published
from carrel.engine.watch.source import SCOPE, WatchSource
from carrel.model import Fixity, ManifestFile, Status
from carrel.model.dark_views import RunReport
from support.archives import new_archive

ONE, OTHER = "https://e.org/1", "https://e.org/2"
BEFORE = Published("zenodo", "e.org", "1", "1", files=(ManifestFile("a", declared=Fixity(5)),))
AFTER = replace(BEFORE, version="2")
Run = Callable[..., RunReport]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.create_or_open(new_archive(tmp_path / "archive")) as opened:
        yield opened


@pytest.fixture
def run(archive: Archive) -> Run:
    def make(*looks: Look) -> RunReport:
        source = WatchSource(looks, [ONE, OTHER])
        begin_folder(archive.path)
        with StoreSession.open(store_root(archive.path), archive.ledger.dark) as keeping:
            return Gathering(keeping, source, Terms(scope=SCOPE), lambda progress: None).run()

    return make


def seen(url: str, published: Published = BEFORE) -> Look:
    return Look(url, 100, Sight.DESCRIBED, published=published)


def unseen(url: str) -> Look:
    return Look(url, 100, Sight.UNSEEN, Status.NETWORK_ERROR, "Nobody answers.")


def incidences(archive: Archive) -> list[tuple[str, str]]:
    changes = archive.ledger.dark.questions.changes()
    return [(each.incidence.value, each.ident) for each in changes]


def test_the_first_manifest_appears_and_an_equal_one_is_nothing(archive: Archive, run: Run) -> None:
    run(seen(ONE))

    report = run(seen(ONE))

    assert report.scope_ok
    assert incidences(archive) == [("appearance", f"dataset:{ONE}")]
    assert archive.ledger.dark.questions.series() == []


def test_another_manifest_is_a_change_and_a_version(archive: Archive, run: Run) -> None:
    run(seen(ONE))

    run(seen(ONE, AFTER))

    assert incidences(archive)[-1] == ("change", f"dataset:{ONE}")
    stored = {path.read_text() for path in store_root(archive.path).rglob("dataset*")}
    assert stored == {manifest_text(ONE, BEFORE), manifest_text(ONE, AFTER)}


@pytest.mark.parametrize("looks", [(), (unseen(ONE),)], ids=["not looked at", "not reached"])
def test_what_was_not_observed_is_not_lost(
    archive: Archive, run: Run, looks: tuple[Look, ...]
) -> None:
    run(seen(ONE), seen(OTHER))

    run(seen(OTHER), *looks)

    assert [name for name, _ in incidences(archive)] == ["appearance", "appearance"]
    assert list(archive.ledger.dark.questions.losses()) == []
