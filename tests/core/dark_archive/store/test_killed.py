# SPDX-License-Identifier: AGPL-3.0-or-later
"""Killed at whatever step: what has a name is whole, nothing is overwritten, the rest is swept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from carrel.dark_archive.store import ObjectStore
from carrel.dark_archive.store.names import object_path, says_all
from core.dark_archive.store import placing_killed
from core.dark_archive.store.placing_killed import FIRST, OBJECTS, TIST, place_all
from support.archives import environment

EXPECTED = {object_path(TIST, identifier): data for identifier, data in OBJECTS.items()}
IDENTIFIERS = {object_path(TIST, identifier): identifier for identifier in OBJECTS}

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that split")


def killed_at_every_step(folder: Path, kinds: str) -> list[Path]:
    """Return the stores that killed processes left, and last one that was not killed."""
    script = [sys.executable, placing_killed.__file__, str(folder), *kinds.split()]
    ran = subprocess.run(
        script, env=environment(), capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return sorted(folder.iterdir(), key=lambda path: int(path.name))


def seen(store: ObjectStore) -> dict[str, bytes]:
    return {path: (store.root / path).read_bytes() for path in store.all_files()}


def is_told(store: ObjectStore, path: str) -> bool:
    """Say whether the identifier of what has a name can be told."""
    name, identifier = Path(path).name, IDENTIFIERS[path]
    return says_all(name, identifier) or store.read_names(TIST).get(name) == identifier


@pytest.mark.parametrize(
    ("kinds", "before"),
    [
        ("", TIST - 1),
        ("added", TIST),
        ("eachsync", TIST - 1),
        ("eachsync added", TIST),
        ("nolinks added", TIST),
    ],
)
def test_killed_at_every_step_what_has_a_name_is_whole_and_all_can_be_done_again(
    tmp_path: Path, kinds: str, before: int
) -> None:
    first = {object_path(before, FIRST[0]): FIRST[1]}
    # Without hard links a name is taken, empty, before it is filled.
    begun = {b""} if "nolinks" in kinds else set()

    *left, whole = killed_at_every_step(tmp_path, kinds)

    assert len(left) > 20
    assert seen(ObjectStore.open(whole, writing=False)) == first | EXPECTED
    for root in left:
        store = ObjectStore.open(root, writing=True)
        found = seen(store)
        placed = {path: data for path, data in found.items() if path not in first}
        assert first.items() <= found.items()
        assert all(data in {EXPECTED[path], *begun} for path, data in placed.items())
        assert all(is_told(store, path) for path in placed)
        assert list(store.strays()) == []

        store.sweep()
        kept = [store.quarantine(path, "no line of the journal lists it") for path in placed]
        place_all(store)

        assert seen(store) == first | EXPECTED
        assert all(is_told(store, path) for path in EXPECTED)
        assert len(kept) == len(placed)
        assert list((root / ".incoming").iterdir()) == []
