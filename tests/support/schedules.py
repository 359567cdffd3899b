# SPDX-License-Identifier: AGPL-3.0-or-later
"""A clock that the test holds, archives with holdings, and damage to them."""

import gzip
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path

from carrel.engine import Engine
from carrel.model.events import Event
from carrel.model.hours import Hours
from support.archives import ingest, new_archive
from support.wire import WireServer, html, reply

SETTINGS = "[network]\nattempts = 1\ntransfers = 1\ningests = 1\n"


def where_it_is_noon() -> tzinfo:
    """Return a zone in which no day ends while a test runs."""
    return timezone(timedelta(hours=12 - datetime.now(UTC).hour))


def at_noon() -> dict[str, str]:
    """Return the environment of a process for which it is noon (POSIX, 8.3: hours to the west)."""
    return {"TZ": f"NOON{datetime.now(UTC).hour - 12:+}"}


@dataclass
class Clock:
    """The clock on the wall, which the test puts forward. It is noon at first, as far as hours go.

    It goes on by itself, too: what the ledger notes is by the clock of this machine.
    """

    ahead: timedelta = timedelta()
    zone: tzinfo = field(default_factory=where_it_is_noon)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def go_on(self, **passed: float) -> None:
        self.ahead += timedelta(**passed)


class Log:
    """The events of an engine."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)


def served(server: WireServer, count: int) -> list[str]:
    """Serve so many datasets of two files and return their addresses."""
    return [dataset(server, f"d{number}") for number in range(count)]


def body(name: str, kind: str) -> bytes:
    return f"{name} {kind}".encode()


def dataset(server: WireServer, name: str, kinds: Sequence[str] = ("tides", "winds")) -> str:
    """Serve a dataset with a file of each kind and return its address."""
    files = [
        {
            "@type": "DataDownload",
            "name": f"{kind}.txt",
            "contentUrl": server.serve(f"/{name}/{kind}.txt", reply(body(name, kind))),
            "sha256": hashlib.sha256(body(name, kind)).hexdigest(),
        }
        for kind in kinds
    ]
    block = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"Log of {name}",
        "identifier": f"https://doi.org/10.5072/{name}",
        "distribution": files,
    }
    script = f'<script type="application/ld+json">{json.dumps(block)}</script>'
    return server.serve(f"/{name}", html(f"<html><title>Log</title>{script}</html>"))


def archived(path: Path, urls: list[str], settings: str) -> Path:
    """Return an archive that holds these datasets, by its catalogue for a long time already."""
    archive = new_archive(path, SETTINGS + settings)
    assert all(result.hit for result in ingest(archive, *urls))
    if urls:
        with closing(sqlite3.connect(archive / "carrel.sqlite")) as ledger, ledger:
            ledger.execute("UPDATE holdings SET archived = '2020-01-01T00:00:00Z'")
    return archive


def hold(engine: Engine, clock: Clock) -> None:
    """Have an engine that was just opened live by this clock."""
    gate = engine.queue.gate
    gate.clock, gate.hours = clock, Hours(gate.hours.text, clock.zone)


def damage(archive: Path, word: bytes) -> None:
    """Damage the first WARC that has this in its bytes, where it begins."""
    for warc in sorted((archive / "collections").glob("*/archive/*.warc.gz")):
        content = bytearray(warc.read_bytes())
        at = 0
        while at < len(content):
            end = content.find(b"\x1f\x8b\x08", at + 3)
            end = len(content) if end < 0 else end
            if word in gzip.decompress(bytes(content[at:end])):
                content[end - 12] ^= 0xFF
                warc.write_bytes(content)
                return
            at = end
    raise AssertionError("no record has it")
