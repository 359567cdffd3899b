# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever becomes of an archive, its log is what the rules make of it."""

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.dark_archives import HTML, CaptureStore, Stop, World, template
from support.dark_rules import File, Look, Rules

DAY_S = 86_400
# An object appears, changes, is lost, reappears, and so on.
ALLOWED = re.compile("A(C*DR)*C*D?")
NAMES = [f"RePEc:{archive}:wpaper:{number}" for archive in ("aaa", "bbb") for number in range(4)]
PATHS = ["aaa/w/a.rdf", "aaa/w/b.rdf", "aaa/x/a.rdf", "all/c.rdf", "bbb/w/a.rdf", "bbb/w/b.rdf"]
TEXTS = ["ebb", "flow", "slack"]

Files = Mapping[str, File | None]

templates = st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS))
contents: st.SearchStrategy[File | None] = st.none() | st.lists(templates, min_size=1, max_size=4)
files: st.SearchStrategy[Files] = st.dictionaries(st.sampled_from(PATHS), contents, max_size=5)


def added(standing: Files, new: Files) -> Files:
    return {**standing, **new}


def removed(standing: Files, gone: set[str]) -> Files:
    return {path: file for path, file in standing.items() if path not in gone}


def renamed(standing: Files, order: Sequence[str]) -> Files:
    return {order[PATHS.index(path)]: file for path, file in standing.items()}


def following(standing: Files) -> st.SearchStrategy[Files]:
    """Mostly the next run finds what the one before did, nearly."""
    before = st.just(standing)
    return st.one_of(
        before,
        st.builds(added, before, files),
        st.builds(removed, before, st.sets(st.sampled_from(PATHS), max_size=3)),
        st.builds(renamed, before, st.permutations(PATHS)),
        files,
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Look]:
    """Draw what a few runs find."""
    looks: list[Look] = []
    standing: Files = {}
    day = 0
    for _ in range(draw(st.integers(2, 7))):
        standing = draw(following(standing))
        day += draw(st.sampled_from([1, 1, 1, 8]))
        closed = draw(st.sampled_from([0, 0, 1])) and draw(st.sampled_from(PATHS))
        looks.append(
            Look(
                day,
                standing,
                frozenset([closed] if closed else []),
                draw(st.sampled_from([(), (), (), (), ("aaa/",), ("aaa/w/",), ("all/",), ("",)])),
                draw(st.one_of(st.none(), st.none(), st.none(), st.integers(0, 5))),
            )
        )
    return looks


def capture_store(look: Look) -> CaptureStore:
    return CaptureStore(
        {path: _bytes(file) for path, file in look.files.items()}, look.closed, look.unread
    )


def _bytes(file: File | None) -> bytes:
    return HTML if file is None else "".join(template(*each) for each in file).encode()


def gathered(looks: Sequence[Look], world: World, batch_objects: int) -> None:
    for look in looks:
        world.gather(
            capture_store(look),
            days=look.day - (world.clock.moment - world.began).days,
            is_cancelled=Stop(look.stopped_before),
            confirm_after_s=7 * DAY_S,
            batch_objects=batch_objects,
        )


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(histories(), st.sampled_from([2, 3, 10_000]))
def test_the_log_is_what_the_rules_make_of_it(looks: list[Look], batch_objects: int) -> None:
    rules = Rules(confirm_after=7)
    for look in looks:
        rules.run(look)

    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        gathered(looks, world, batch_objects)

        assert world.log() == sorted(rules.log, key=lambda each: (each.run, each.ident))
        assert world.states() == rules.states()
        assert {name: world.text_of(name) for name in rules.texts} == {
            name: template(name, text).rstrip("\n") + "\n" for name, text in rules.texts.items()
        }
        assert all(ALLOWED.fullmatch(letters) for letters in lives(world))
        assert world.check().faults == ()


def lives(world: World) -> list[str]:
    """Return what befell each template, a letter each: A for an appearance, and so on."""
    letters: dict[str, str] = {}
    for each in world.log():
        letters[each.ident] = letters.get(each.ident, "") + each.kind[0].upper()
    return list(letters.values())
