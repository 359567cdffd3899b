# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives in which a little of everything happened, and what is in them."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from carrel.archive import LEDGER_NAME
from carrel.engine import Engine
from carrel.engine.verification import verify
from carrel.model import IngestRequest
from support.archives import SETTINGS, ingest, new_archive
from support.wire import WireServer, dataset_page, html, reply

MOMENT = "2026-03-02T09:30:00Z"


def page_of(server: WireServer, name: str, bodies: Mapping[str, bytes]) -> str:
    """Serve a dataset with these files, and return its address."""
    files = [
        {
            "name": path,
            "contentUrl": server.serve(f"/{name}/{path}", reply(body)),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        for path, body in bodies.items()
    ]
    return dataset_page(server, files, f"/{name}", name=name, identifier=name)


def settings_of(host: str) -> str:
    """Return settings with a name of its own for each machine, which WARCs are called after."""
    return f'{SETTINGS}\n[warc]\nhost = "{host}"\n'


def worker(server: WireServer, path: Path, host: str, *names: str) -> Path:
    """Return the archive of a machine that archived datasets, and one that is gone."""
    archive = new_archive(path, settings_of(host))
    urls = [
        page_of(server, name, {"a": name.encode() * 50, "b": b"The tide came late.\n" * 20})
        for name in names
    ]
    ingest(archive, *urls, server.serve("/gone", html("gone", "404 Not Found")))
    return archive


def parts_of_one(server: WireServer, folder: Path) -> tuple[Path, Path, str]:
    """Return two archives that lack one file each of one dataset, "b" and "a", and its address."""
    one, two = (new_archive(folder / name, settings_of(name)) for name in ("one", "two"))
    bodies = {"a": b"The tide came late.\n", "b": b"It went.\n"}
    url = page_of(server, "tides", bodies)
    for archive, lacking in ((one, "b"), (two, "a")):
        server.serve(f"/tides/{lacking}", reply(b"", "404 Not Found"))
        ingest(archive, url)
        server.serve(f"/tides/{lacking}", reply(bodies[lacking]))
    return one, two, url


def live(archive: Path, url: str, tag: str) -> None:
    """Verify an archive, queue something, watch, tag and note a dataset."""
    asyncio.run(_live(archive, url, tag))


async def _live(archive: Path, url: str, tag: str) -> None:
    async with Engine.open(archive) as engine:
        ledger = engine.archive.ledger
        await verify(engine.archive)
        await engine.queue.add([IngestRequest(f"https://x.example/{tag}")])
        ledger.watched.add([IngestRequest(url)], MOMENT)
        dataset_id = ledger.catalogue.dataset_of(url)
        assert dataset_id is not None
        ledger.curation.add_tag([dataset_id], tag)
        ledger.curation.write_note(dataset_id, f"Asked for by {tag}.")


def rows(archive: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(archive / LEDGER_NAME)) as db:
        return db.execute(sql).fetchall()


def tree(folder: Path) -> dict[str, tuple[str, int]]:
    """Return SHA-256 and time of modification of every file in a folder, by its path."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def contents(archive: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of what a ledger tells."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    noted = ("unjournaled", "journal_head", "sqlite_sequence", "_sqlite_migrations", "index_files")
    return {
        name: sorted(rows(archive, f"SELECT * FROM {name}"), key=repr)
        for (name,) in rows(archive, named)
        if name not in noted and not name.startswith("holdings_text")
    }
