# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whatever becomes of an archive, its log is what the rules make of it."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.dark_archives import HTML, Shelf, Stop, World, template
from support.dark_rules import File, Look, Rules

DAY_S = 86_400
NAMES = [f"RePEc:{archive}:wpaper:{number}" for archive in ("aaa", "bbb") for number in range(4)]
PATHS = ["aaa/w/a.rdf", "aaa/w/b.rdf", "aaa/x/a.rdf", "all/c.rdf", "bbb/w/a.rdf", "bbb/w/b.rdf"]
TEXTS = ["ebb", "flow", "slack"]

contents = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS)), max_size=4)
files = st.dictionaries(st.sampled_from(PATHS), st.none() | contents.filter(bool), max_size=5)


@st.composite
def histories(draw: st.DrawFn) -> list[Look]:
    """Draw what a few runs find; mostly the next one finds what the one before did, nearly."""
    looks: list[Look] = []
    standing: dict[str, File | None] = {}
    day = 0
    for _ in range(draw(st.integers(2, 7))):
        standing = draw(
            st.one_of(
                st.just(standing),
                st.builds(lambda new, old=standing: {**old, **new}, files),
                st.builds(
                    lambda gone, old=standing: {p: f for p, f in old.items() if p not in gone},
                    st.sets(st.sampled_from(PATHS), max_size=3),
                ),
                st.permutations(PATHS).map(
                    lambda order, old=standing: {order[PATHS.index(p)]: f for p, f in old.items()}
                ),
                files,
            )
        )
        day += draw(st.sampled_from([1, 1, 1, 8]))
        looks.append(
            Look(
                day,
                standing,
                draw(
                    st.one_of(
                        st.just(frozenset()), st.frozensets(st.sampled_from(PATHS), max_size=2)
                    )
                ),
                draw(st.sampled_from([(), (), (), (), ("aaa/",), ("aaa/w/",), ("all/",), ("",)])),
                draw(st.one_of(st.none(), st.none(), st.none(), st.integers(0, 5))),
            )
        )
    return looks


def shelf(look: Look) -> Shelf:
    return Shelf(
        {path: _bytes(file) for path, file in look.files.items()}, look.closed, look.unread
    )


def _bytes(file: File | None) -> bytes:
    return HTML if file is None else "".join(template(*each) for each in file).encode()


def gathered(looks: Sequence[Look], world: World, batch_objects: int) -> None:
    for look in looks:
        world.gather(
            shelf(look),
            days=look.day - (world.clock.moment - world.began).days,
            is_cancelled=Stop(look.stopped_before),
            confirm_after_s=7 * DAY_S,
            batch_objects=batch_objects,
        )


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(), st.sampled_from([2, 3, 10_000]))
def test_the_log_is_what_the_rules_make_of_it(looks: list[Look], batch_objects: int) -> None:
    rules = Rules(confirm_after=7)
    for look in looks:
        rules.run(look)

    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        gathered(looks, world, batch_objects)

        assert world.log() == sorted(rules.log, key=lambda each: (each.run, each.ident))
        assert world.states() == rules.states()
        assert world.is_sound()
