# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dark archives of different things become one history; those of the same things do not."""

from pathlib import Path

import pytest

from carrel.archive import Archive
from carrel.engine.merging import Merged, merge, plan
from carrel.engine.merging import dark as merging_dark
from carrel.ledger.dark.schema import DERIVED
from support.archives import carrel
from support.dark_archives import Clock, World, checked, damage, papers, rebuilt, rows, tables

STATES = "SELECT ident_n, state, last_tist FROM obi_state ORDER BY ident_n"
INCIDENCES = (
    "SELECT ident_n, tist, i.kind, since, cause FROM incidence AS i JOIN obi USING (obi_id)"
    " ORDER BY ident_n, tist"
)


def world(folder: Path, archive: str, scope: str, clock: Clock) -> Path:
    """Return an archive folder with the history of a list in it: three runs, one thing lost."""
    with World(folder, clock) as made:
        for titles in (("On Tides", "On Surf"), ("On Tides", "On Swell"), ("On Tides",)):
            made.write(**{archive: papers(*titles, archive=archive)})
            made.gather(scope=scope)
            made.gather(scope=scope)
        made.check()
    return made.archive


def merged(target: Path, *sources: Path) -> Merged:
    with Archive.create_or_open(target) as archive:
        return merge(archive, sources, lambda done, total: None)


def asked(archive: Path, sql: str) -> list[tuple[object, ...]]:
    return rows(archive / "carrel.sqlite", sql)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    return world(tmp_path / "one", "aaa", "north", Clock())


@pytest.fixture
def two(tmp_path: Path, one: Path) -> Path:
    clock = Clock()
    clock.go_on(hours=5)
    return world(tmp_path / "two", "bbb", "south", clock)


def check(target: Path) -> None:
    """Assert that nothing is wrong in a dark archive, and that its journal makes its tables."""
    assert checked(target).faults == ()
    before = tables(target / "carrel.sqlite")
    assert rebuilt(target).faults == ()
    after = tables(target / "carrel.sqlite")
    assert [name for name in DERIVED if name[:6] != "fixity" and before[name] != after[name]] == []


def test_histories_of_different_things_are_joined(tmp_path: Path, one: Path, two: Path) -> None:
    target = tmp_path / "all"

    done = merged(target, one, two)

    assert done.is_whole, done
    for sql in (STATES, INCIDENCES):
        assert asked(target, sql) == sorted(
            asked(one, sql) + asked(two, sql), key=lambda row: row[:2]
        )
    check(target)


def test_a_history_is_recorded_once(tmp_path: Path, one: Path, two: Path) -> None:
    target = tmp_path / "all"
    merged(target, one, two)
    before = tables(target / "carrel.sqlite")

    done = merged(target, two, one)

    assert done.is_whole
    assert tables(target / "carrel.sqlite") == before


def test_histories_of_the_same_things_are_kept_apart_and_said_so(tmp_path: Path, one: Path) -> None:
    clock = Clock()
    clock.go_on(hours=5)
    other = world(tmp_path / "other", "aaa", "north", clock)
    target = tmp_path / "all"
    merged(target, one)
    before = tables(target / "carrel.sqlite")

    done = merged(target, other)

    assert not done.is_whole
    assert "both have runs over north" in done.sources[0].dark
    assert tables(target / "carrel.sqlite") == before
    assert not plan(target, [other]).is_whole


def test_a_joining_that_was_cut_short_goes_on(
    tmp_path: Path, one: Path, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "all"
    merged(target, one)
    calls = iter(range(3))
    join = merging_dark._Joining.join

    def cut_short(joining: merging_dark._Joining, entries: object) -> None:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        join(joining, entries)  # type: ignore[arg-type]

    monkeypatch.setattr(merging_dark._Joining, "join", cut_short)
    with pytest.raises(KeyboardInterrupt):
        merged(target, two)
    monkeypatch.undo()

    done = merged(target, two)

    assert done.is_whole, done
    assert asked(target, STATES) == sorted(asked(one, STATES) + asked(two, STATES))
    check(target)


def objects(archive: Path) -> list[Path]:
    found = asked(archive, "SELECT path FROM content ORDER BY path")
    return [archive / "dark_archive" / "archive" / str(path) for (path,) in found]


def faulty(archive: Path) -> set[tuple[object, ...]]:
    bad = (
        "SELECT path, result FROM fixity AS f JOIN content USING (sha256) WHERE result <> 'ok'"
        " AND at = (SELECT max(at) FROM fixity AS g WHERE g.sha256 = f.sha256)"
    )
    return set(asked(archive, bad))


def test_objects_that_are_damaged_or_missing_are_named_each_time_and_recorded(
    tmp_path: Path, one: Path
) -> None:
    bad, gone, *_ = objects(one)
    damage(bad, b"x" + bad.read_bytes()[1:])
    gone.parent.chmod(0o755)
    gone.unlink()
    target, store = tmp_path / "all", one / "dark_archive" / "archive"
    names = {str(bad.relative_to(store)): "damaged", str(gone.relative_to(store)): "missing"}

    for _ in range(2):
        done = merged(target, one)
        assert {each.name: each.fate for each in done.sources[0].faults} == names
        assert faulty(target) == set(names.items())
    assert not asked(target, "SELECT * FROM fixity_run")
    told = carrel("archive", "merge", one, "--into", target)
    assert told.code == 1
    assert f"damaged: {bad.relative_to(store)}: Its SHA-256 is not" in told.out


def test_objects_that_the_source_has_again_are_brought(tmp_path: Path, one: Path) -> None:
    bad, gone, *_ = objects(one)
    sound = {each: each.read_bytes() for each in (bad, gone)}
    damage(bad, b"x" + sound[bad][1:])
    gone.parent.chmod(0o755)
    gone.unlink()
    target = tmp_path / "all"
    merged(target, one)
    for path, data in sound.items():
        path.parent.chmod(0o755)
        path.unlink(missing_ok=True)
        path.write_bytes(data)

    done = merged(target, one)

    assert done.is_whole
    assert done.sources[0].mended == 2
    assert faulty(target) == set()
    assert [(target / each.relative_to(one)).read_bytes() for each in sound] == [*sound.values()]
    check(target)
    assert merged(target, one).sources[0].mended == 0
