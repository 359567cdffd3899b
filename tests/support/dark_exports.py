# SPDX-License-Identifier: AGPL-3.0-or-later
"""A dark archive with full texts that servers gave, over some days: something to export."""

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.dark_archive.probes import Asker, Json, asker, heads
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.model.dark_views import ExportReport
from carrel.settings import Network
from support.dark_archives import World, file_url, handle, template, write_tree
from support.full_texts import paper, pdf
from support.wire import WireServer, redirect, reply

Export = Callable[..., ExportReport]
BIN = Path(sys.executable).parent
ONE, REVISED, TWO = pdf("One"), pdf("One, revised"), pdf("Two")
FOUR = (
    b"%PDF-1.4\n" + hashlib.shake_256(b"four").digest(3_000_000) + b" " * 2_000_000 + b"\n%%EOF\n"
)
# When the three runs of the story are, as WARC and as index have it.
DAYS = ("2025-01-07T12:00:00Z", "2025-01-08T12:00:00Z", "2025-01-09T12:00:00Z")


@contextmanager
def telling(folder: Path, server: WireServer, patch: pytest.MonkeyPatch) -> Iterator[World]:
    """Give a world after three runs. Its exchanges have the dates of its runs.

    Handle 1 names a text that changes, and changes back; 2 one behind two redirects; 3 names that
    of 1, and one with the same bytes, which is lost at last; 4/a, of another series, a large one.
    """
    with World(folder) as world, Client(Network(timeout_s=20)) as client:

        def told(exchange: Exchange) -> Mapping[str, Json]:
            return {**heads.told(exchange), "started": world.clock().isoformat()}

        patch.setattr(asker, "told", told)
        asking = Asker(
            client,
            max_bytes=10_000_000,
            private_networks=True,
            min_interval_s=0.0,
            own_network=OwnNetwork(has_way_out=lambda: True),
            sleep=lambda seconds: None,
        )
        _serve(server)
        _name(world, server.origin)
        for _ in DAYS:
            world.gather(asker=asking, confirm_after_s=0, workers=1)
        yield world


def _serve(server: WireServer) -> None:
    server.serve("/one.pdf", paper("One"), paper("One, revised"), paper("One"))
    server.serve("/two", redirect("/landing?id=2", "301 Moved Permanently"))
    server.serve("/landing?id=2", redirect("/files/two.pdf"))
    server.serve("/files/two.pdf", paper("Two", X_Powered_By="Tides"))
    server.serve("/three.pdf", paper("One"), paper("One"), reply(b"", "410 Gone"))
    server.serve("/four.pdf", reply(FOUR, Content_Type="application/pdf"))


def _name(world: World, origin: str) -> None:
    papers = (
        template(handle(1), "One", file_url(f"{origin}/one.pdf")),
        template(handle(2), "Two", file_url(f"{origin}/two")),
        template(
            handle(3), "Three", file_url(f"{origin}/three.pdf"), file_url(f"{origin}/one.pdf")
        ),
    )
    four = template(handle("4/a", "journl"), "Four", file_url(f"{origin}/four.pdf"))
    write_tree(world.root, {"aaa/journl/all.rdf": four, "aaa/wpaper/papers.rdf": "".join(papers)})


def stored(world: World, ident: str) -> Path:
    """Return where the first version of a full text (an address's end) or template lies."""
    ((path,),) = world.rows(
        "SELECT c.path FROM version AS v JOIN content AS c USING (sha256) JOIN obi USING (obi_id)"
        " WHERE ident_n LIKE '%' || ? ORDER BY v.tist LIMIT 1",
        ident,
    )
    return world.store / str(path)


def overwrite(path: Path, data: bytes) -> None:
    """Damage an object, which is kept read-only."""
    path.chmod(0o644)
    path.write_bytes(data)
