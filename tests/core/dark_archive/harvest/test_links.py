# SPDX-License-Identifier: AGPL-3.0-or-later
"""Redirects, shown in the folders of the store where that is wanted."""

from collections.abc import Iterator

import pytest

from carrel.model.dark import Links
from support.dark_archives import World, asking, file_url, handle, template
from support.full_texts import paper
from support.wire import WireServer, redirect


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as running:
        yield running


def gathered(world: World, server: WireServer, links: Links) -> None:
    target = server.serve("/bar.pdf", paper())
    server.serve("/foo.pdf", redirect(target))
    world.write(a=template(handle(1), "On Tides", file_url(server.origin + "/foo.pdf")))
    with asking() as asker:
        world.gather(asker=asker, links=links)


def shown(world: World) -> list[str]:
    """Return the names in the store under which the first address is shown."""
    return sorted(path.name for path in world.store.rglob("*foo.pdf*"))


def test_a_redirect_is_not_shown_unless_that_is_wanted(world: World, server: WireServer) -> None:
    gathered(world, server, Links.NO)

    assert shown(world) == []


def test_a_redirect_is_shown_as_a_text_file(world: World, server: WireServer) -> None:
    gathered(world, server, Links.TEXT)

    (link,) = world.store.rglob("*foo.pdf.link")
    target = link.parent / link.read_text().strip()
    assert target.resolve().name.endswith("bar.pdf")
    assert target.resolve().is_file()


def test_a_redirect_is_shown_as_a_symlink(world: World, server: WireServer) -> None:
    gathered(world, server, Links.SYMBOLIC)

    (link,) = world.store.rglob("*foo.pdf")
    assert link.is_symlink()
    assert link.resolve().name.endswith("bar.pdf")
