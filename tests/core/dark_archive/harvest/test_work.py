# SPDX-License-Identifier: AGPL-3.0-or-later
"""How much is done, and held in memory, for how many templates."""

import tracemalloc
from collections.abc import Iterator

import pytest

from support.dark_archives import CaptureStore, World, handle, template

LONG = "Abstract: " + "word " * 60


class Many:
    """A source of so many templates, made as they are asked for, a hundred to a file."""

    def __init__(self, templates: int) -> None:
        self._files = templates // 100

    def __iter__(self) -> Iterator[str]:
        return (f"aaa/wpaper/{number:04}.rdf" for number in range(self._files))

    def __len__(self) -> int:
        return self._files

    def keys(self) -> Iterator[str]:
        return iter(self)

    def get(self, path: str, default: bytes = b"") -> bytes:
        return self[path]

    def __getitem__(self, path: str) -> bytes:
        first = int(path[-8:-4]) * 100
        numbers = range(first, first + 100)
        return "".join(
            template(handle(each), f"On Tides {each}", LONG) for each in numbers
        ).encode()


@pytest.mark.parametrize("templates", [10, 1000])
def test_a_second_run_over_an_unchanged_tree_asks_nothing_for_a_template(
    world: World, templates: int
) -> None:
    text = "".join(template(handle(each)) for each in range(templates)).encode()
    capture_store = CaptureStore(
        {"aaa/wpaper/a.rdf": text, "aaa/wpaper/b.rdf": template("RePEc:aaa:b:1").encode()}
    )
    world.gather(capture_store)
    again = CaptureStore(capture_store.files)

    asked = world.statements_of(again)

    assert len(asked) < 40
    assert again.read_paths == []
    assert world.log(2) == []


def test_as_many_statements_for_ten_templates_as_for_a_thousand(world: World) -> None:
    few = "".join(template(handle(each)) for each in range(10)).encode()
    many = "".join(template(handle(each, "series")) for each in range(1000)).encode()
    world.gather(CaptureStore({"a.rdf": few, "b.rdf": many}))
    for_both = len(world.statements_of(CaptureStore({"a.rdf": few, "b.rdf": many})))
    world.gather(CaptureStore({"a.rdf": few}))

    for_few = len(world.statements_of(CaptureStore({"a.rdf": few})))

    assert for_both == for_few


def peak(world: World, templates: int) -> int:
    """Return how much memory a run takes at the most, in bytes."""
    source = CaptureStore(Many(templates))  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        world.gather(source)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_flat_whatever_there_is_to_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.dark_archive.harvest.group._GROUP_ENTRIES", 500)
    small = peak(world, 1000)

    large = peak(world, 5000)
    lost = peak(world, 100)

    assert large < 1.3 * small
    assert lost < 1.3 * small
    assert set(world.states().values()) == {"present", "lost"}
