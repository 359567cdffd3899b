# SPDX-License-Identifier: AGPL-3.0-or-later
"""Handles that stand twice, and templates that move: the first by path and position speaks."""

import pytest

from support.dark_archives import HTML, CaptureStore, Incidence, World, damage, handle, template

A, B, C = "aaa/wpaper/a.rdf", "aaa/wpaper/b.rdf", "aaa/wpaper/c.rdf"
ONE = handle(1)


def capture_store(**files: str | bytes) -> CaptureStore:
    """Return files with texts of one handle each; several are parted by a comma."""
    return CaptureStore(
        {f"aaa/wpaper/{name}.rdf": _bytes(titles) for name, titles in files.items()},
    )


def _bytes(titles: str | bytes) -> bytes:
    if isinstance(titles, bytes):
        return titles
    return "".join(template(ONE, title) for title in titles.split(",")).encode()


def titles(world: World) -> list[str]:
    """Return the title of each version of the one handle."""
    found = world.rows(
        "SELECT c.path FROM version AS v JOIN content AS c USING (sha256) JOIN obi USING (obi_id)"
        " WHERE ident_n = ? ORDER BY v.tist",
        ONE,
    )
    texts = [(world.store / path).read_text() for (path,) in found]
    return [text.partition("Title: ")[2].strip() for text in texts]


def kinds(world: World) -> list[tuple[int, str]]:
    return [(each.run, each.kind) for each in world.log() if each.ident == ONE]


@pytest.mark.parametrize("first", [capture_store(a="Ebb,Flow"), capture_store(a="Ebb", b="Flow")])
def test_the_first_speaks_and_the_other_is_a_conflict(world: World, first: CaptureStore) -> None:
    report = world.gather(first)

    assert titles(world) == ["Ebb"]
    assert report.counts["conflicts"] == 1
    assert report.problems[0].endswith(
        f"the handle {ONE} occurs earlier elsewhere; the first one counts."
    )


def test_one_that_comes_to_stand_before_an_unchanged_file_is_a_conflict(world: World) -> None:
    world.gather(capture_store(b="Flow"))

    report = world.gather(capture_store(a="Ebb", b="Flow"))

    assert report.counts["conflicts"] == 1
    assert report.problems == [
        f"{B}: the handle {ONE} occurs earlier in {A}; the first one counts."
    ]


@pytest.mark.parametrize("first", [capture_store(a="Ebb,Flow"), capture_store(a="Ebb", b="Flow")])
def test_one_that_stands_is_told_by_each_run(world: World, first: CaptureStore) -> None:
    world.gather(first)

    report = world.gather(CaptureStore(first.files))

    assert report.counts["conflicts"] == 1
    (told,) = report.problems
    assert told.endswith(f"the handle {ONE} occurs earlier in {A}; the first one counts.")


def test_one_that_was_corrected_is_told_no_more(world: World) -> None:
    world.gather(capture_store(a="Ebb", b="Flow"))
    world.gather(capture_store(a="Ebb", b=template(handle(2), "Flow").encode()))

    report = world.gather(capture_store(a="Ebb", b=template(handle(2), "Flow").encode()))

    assert (report.problems, "conflicts" in report.counts) == ([], False)


def test_of_many_that_stand_the_first_are_named_and_the_others_counted(world: World) -> None:
    twice = [template(handle(number)) * 2 for number in range(25)]
    files = {A: "".join(twice).encode()}
    world.gather(CaptureStore(files))

    report = world.gather(CaptureStore(files))

    assert report.counts["conflicts"] == 25
    assert len(report.problems) == 21
    assert report.problems[-1] == (
        "In files that have not changed, 5 more handles occur earlier elsewhere."
    )


def test_one_that_moves_to_an_earlier_file_is_no_conflict(world: World) -> None:
    world.gather(capture_store(b="Flow"))

    report = world.gather(capture_store(a="Flow"))

    assert "conflicts" not in report.counts


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (capture_store(a="Ebb,Flow"), capture_store(a="Flow")),
        (capture_store(a="Ebb", b="Flow"), capture_store(b="Flow")),
        (capture_store(a="Ebb", b="Flow"), capture_store(a=template(handle(2)).encode(), b="Flow")),
    ],
)
def test_when_the_first_goes_the_other_speaks(
    world: World, first: CaptureStore, then: CaptureStore
) -> None:
    world.gather(first)

    world.gather(then)

    assert kinds(world) == [(1, "appearance"), (2, "change")]
    assert titles(world) == ["Ebb", "Flow"]
    assert world.is_sound()


def test_when_both_are_the_same_nothing_happens_as_one_goes(world: World) -> None:
    world.gather(capture_store(a="Ebb", b="Ebb"))

    world.gather(capture_store(b="Ebb"))

    assert kinds(world) == [(1, "appearance")]
    assert world.states() == {ONE: "present"}


def test_one_that_comes_to_stand_before_speaks(world: World) -> None:
    world.gather(capture_store(b="Flow"))

    world.gather(capture_store(a="Ebb", b="Flow"))

    assert titles(world) == ["Flow", "Ebb"]


def test_what_the_second_says_is_kept_in_its_file_and_not_logged(world: World) -> None:
    world.gather(capture_store(a="Ebb", b="Flow"))

    world.gather(capture_store(a="Ebb", b="Flood"))

    assert kinds(world) == [(1, "appearance")]


@pytest.mark.parametrize("batch_objects", [1, 2, 3, 4, 5])
def test_a_double_across_the_numbers_of_a_run_is_one_all_the_same(
    world: World, batch_objects: int
) -> None:
    files = {A: (template(ONE, "Ebb") + template(ONE, "Flow") + template(ONE, "Slack")).encode()}

    world.gather(CaptureStore(files), batch_objects=batch_objects)

    assert kinds(world) == [(1, "appearance")]
    assert titles(world) == ["Ebb"]


def test_while_the_first_can_not_be_read_a_second_that_stays_the_same_says_nothing(
    world: World,
) -> None:
    world.gather(capture_store(a="Ebb", b="Flow"))

    world.gather(capture_store(a=HTML, b="Flow"))
    world.gather(capture_store(a="Ebb", b="Flow"))

    assert kinds(world) == [(1, "appearance")]


def test_a_page_that_is_left_where_a_file_was_does_not_silence_the_file_it_moved_to(
    world: World,
) -> None:
    world.gather(capture_store(a="Ebb"))
    world.gather(capture_store(a=HTML, b="Ebb"))

    world.gather(capture_store(a=HTML, b="Revised"))

    assert kinds(world) == [(1, "appearance"), (3, "change")]


@pytest.mark.parametrize(("old", "new"), [("a", "b"), ("b", "a")])
def test_a_file_that_is_renamed_is_no_conflict_and_is_read_once(
    world: World, old: str, new: str
) -> None:
    world.gather(capture_store(**{old: "Ebb"}))
    moved, again = capture_store(**{new: "Ebb"}), capture_store(**{new: "Ebb"})

    report = world.gather(moved)
    world.gather(again)

    assert kinds(world) == [(1, "appearance")]
    assert (report.problems, "conflicts" in report.counts) == ([], False)
    assert (len(moved.read_paths), again.read_paths) == (1, [])


def test_templates_that_change_places_are_no_conflict(world: World) -> None:
    ebb, flow = template(handle(1), "Ebb").encode(), template(handle(2), "Flow").encode()
    world.gather(CaptureStore({A: ebb, B: flow}))

    report = world.gather(CaptureStore({A: flow, B: ebb}))

    assert world.log(2) == []
    assert report.problems == []
    assert world.is_sound()


def test_a_template_that_moves_and_changes_is_changed_once(world: World) -> None:
    other = template(handle(2)).encode()
    world.gather(CaptureStore({A: other + template(ONE, "Ebb").encode(), B: other}))

    world.gather(CaptureStore({A: other, B: template(ONE, "Ebb, revised").encode()}))

    assert world.log(2) == [Incidence(2, "change", ONE)]


def test_a_file_from_which_a_second_came_to_speak_is_not_read_again(world: World) -> None:
    world.gather(capture_store(a="Ebb", b="Flow"))
    world.gather(capture_store(b="Flow"))
    unchanged = capture_store(b="Flow")

    world.gather(unchanged)

    assert unchanged.read_paths == []


@pytest.mark.parametrize("batch_objects", [1, 2, 10_000])
def test_many_that_come_to_speak_from_one_file_all_do(world: World, batch_objects: int) -> None:
    numbers = range(1, 8)
    first = "".join(template(handle(each), "Ebb") for each in numbers).encode()
    second = "".join(template(handle(each), "Flow") for each in numbers).encode()
    world.gather(CaptureStore({A: first, B: second}), batch_objects=batch_objects)

    world.gather(CaptureStore({B: second}), batch_objects=batch_objects)

    assert world.log(2) == [Incidence(2, "change", handle(each)) for each in numbers]
    assert world.is_sound()


@pytest.mark.parametrize("harm", ["damaged", "missing"])
def test_a_second_whose_file_is_not_sound_does_not_speak_and_is_told(
    world: World, harm: str
) -> None:
    world.gather(capture_store(a="Ebb", b="Flow"))
    ((path,),) = world.rows("SELECT path FROM content WHERE path LIKE '%redif%b.rdf'")
    damage(world.store / path, template(ONE, "Forged").encode())
    {"damaged": lambda: None, "missing": (world.store / path).unlink}[harm]()

    report = world.gather(capture_store(b="Flow"))

    assert kinds(world) == [(1, "appearance")]
    assert report.problems == [f"{B}: the template that speaks for {ONE} is not archived."]
