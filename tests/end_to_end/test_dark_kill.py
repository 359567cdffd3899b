# SPDX-License-Identifier: AGPL-3.0-or-later
"""A gathering run killed at whatever step: the next one goes on, and nothing is made up."""

import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from support import dark_killed
from support.archives import CORE, environment
from support.dark_archives import World, checked, handle, papers, template, write_tree
from support.dark_killed import gather

STATES: Sequence[Mapping[str, str]] = (
    {
        "aaa/wpaper/a.rdf": papers("Ebb", "Flow", "Slack"),
        "aaa/wpaper/b.rdf": papers("Neap", "Spring", series="second"),
        "aaa/wpaper/c.rdf": template(handle(9), "Bore"),
        "bbb/journl/d.rdf": papers("Fog", archive="bbb"),
    },
    # One changed, one gone with its archive living, one moved to another file, two that are new
    # beyond what one number holds; a whole archive is away.
    {
        "aaa/wpaper/a.rdf": papers("Ebb, revised", "Flow") + template(handle(8), "Race"),
        "aaa/wpaper/b.rdf": papers("Neap", series="second") + template(handle(7), "Rip"),
        "aaa/wpaper/d.rdf": template(handle(9), "Bore"),
    },
    {
        "aaa/wpaper/a.rdf": papers("Ebb", "Flow", "Slack"),
        "aaa/wpaper/d.rdf": template(handle(9), "Bore, again"),
        "bbb/journl/d.rdf": papers("Fog", archive="bbb"),
    },
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A folder with three states, the first of them gathered."""
    folder = tmp_path / "base"
    for number, files in enumerate(STATES, 1):
        (folder / str(number)).mkdir(parents=True)
        write_tree(folder / str(number), files)
    with World(folder) as world:
        gather(world, 1)
    return folder


def lives(world: World) -> dict[str, list[tuple[str, str | None]]]:
    """Return what befell each object, in order; how many runs that took is left out."""
    found = defaultdict(list)
    for each in world.log():
        found[each.ident].append((each.kind, each.cause))
    return dict(found)


def texts(world: World) -> dict[str, str]:
    return {ident: world.text_of(ident) for ident in world.states()}


def gone_on(folder: Path) -> tuple[object, ...]:
    """Gather the second and the third state, and return what came of it all."""
    assert checked(folder / "archive").faults == ()
    with World(folder) as world:
        gather(world, 2)
        gather(world, 3)
        assert world.check().faults == ()
        return lives(world), texts(world), world.states()


def killed(*arguments: str | Path) -> "subprocess.Popen[str]":
    paths = f"{CORE}:{Path(dark_killed.__file__).parents[1]}"
    return subprocess.Popen(
        [sys.executable, dark_killed.__file__, *map(str, arguments)],
        env=environment(PYTHONPATH=paths),
        stdout=subprocess.PIPE,
        text=True,
    )


def test_killed_at_every_step_it_ends_as_if_nothing_had_happened(base: Path) -> None:
    with killed("steps", base) as running:
        steps = int(running.communicate(timeout=120)[0])

    ends = [gone_on(base.parent / str(step)) for step in range(1, steps + 1)]

    expected = gone_on(base)
    assert steps > 40
    assert [number for number, end in enumerate(ends, 1) if end != expected] == []


@pytest.mark.parametrize("runs", [1, 2, 4, 7])
def test_killed_while_it_gathers_again_and_again_it_goes_on(base: Path, runs: int) -> None:
    with killed("for-ever", base) as running:
        assert running.stdout is not None
        told = [running.stdout.readline() for _ in range(runs)]
        running.kill()
        assert running.wait(timeout=30) == -signal.SIGKILL

    with World(base) as world:
        gather(world, 1)
        report = gather(world, 3)

        assert told[-1].strip() == str((runs - 1) % 3 + 1)
        assert report.scope_ok
        assert world.is_sound()
        assert set(world.states().values()) <= {"present", "lost"}
    assert checked(base / "archive").faults == ()
    shutil.rmtree(base)
