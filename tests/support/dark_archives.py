# SPDX-License-Identifier: AGPL-3.0-or-later
"""A small world with a dark archive in it: files of templates, runs over them, a clock to set."""

import contextlib
import gzip
import io
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from carrel.archive import Archive
from carrel.capture.client import Client
from carrel.dark_archive import redif
from carrel.dark_archive.harvest import Gathering, Terms
from carrel.dark_archive.identifiers import normal_url
from carrel.dark_archive.place import begin_folder
from carrel.dark_archive.probes import Asker
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.dark_archive.repair import rebuild_ledger
from carrel.dark_archive.sources import Container, Directory, Source, Tarball
from carrel.dark_archive.sources.source import ReadContainer
from carrel.dark_archive.store_session import StoreSession
from carrel.engine.dark.access import Opening
from carrel.engine.dark.ledger_file import FoundLedger, found_ledger, sound_archive
from carrel.engine.dark.verification import check, rebuild
from carrel.ledger import Ledger
from carrel.ledger.dark.schema import DERIVED
from carrel.model.dark import REPEC, ObiKind, RunSource
from carrel.model.dark_views import DarkCheck, RunProgress, RunReport, TellRun
from carrel.settings import Network
from support.full_texts import paper
from support.wire import WireServer, html, redirect

Files = Mapping[str, str | bytes]

HTML = b"<!DOCTYPE html><html><title>404</title><p>Nothing here</p></html>"
# When the stories of the tests begin.
BEGINNING = datetime(2025, 1, 6, 12, tzinfo=UTC)
# What each check adds to; no run writes to it.
OF_CHECKS = frozenset({"fixity", "fixity_run"})


@dataclass(frozen=True, slots=True)
class Incidence:
    """A line of the incidence log; runs are counted from 1. `since` is told of deletions alone."""

    run: int
    kind: str
    ident: str
    cause: str | None = None
    since: int | None = None


class Clock:
    def __init__(self, moment: datetime = BEGINNING) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def seconds(self) -> float:
        return self.moment.timestamp()

    def go_on(self, **time: float) -> None:
        self.moment += timedelta(**time)


class Stop:
    """Says so often that a run may go on, then that it is to stop."""

    def __init__(self, after: int | None) -> None:
        self._after, self._asked = after, 0

    def __call__(self) -> bool:
        self._asked += 1
        return self._after is not None and self._asked > self._after


def handle(number: int | str, series: str = "wpaper", archive: str = "aaa") -> str:
    return f"RePEc:{archive}:{series}:{number}"


def template(
    ident: str | None, title: str = "On Tides", *more: str, kind: str = "ReDIF-Paper 1.0"
) -> str:
    """Return a template's text; `more` are further lines of it."""
    named = [] if ident is None else [f"Handle: {ident}"]
    return "\n".join([f"Template-Type: {kind}", *named, f"Title: {title}", *more, "", ""])


def papers(*titles: str, series: str = "wpaper", archive: str = "aaa") -> str:
    """Return templates with the handles 1, 2, 3 …"""
    numbered = enumerate(titles, 1)
    return "".join(template(handle(at, series, archive), title) for at, title in numbered)


def file_url(url: str, *more: str) -> str:
    """Return the lines of a template that point to a full text."""
    return "\n".join([f"File-URL: {url}", "File-Format: application/pdf", *more])


def write_tree(root: Path, files: Files) -> None:
    """Have a folder hold these files and no others."""
    for path in [each for each in root.rglob("*") if each.is_file()]:
        if path.relative_to(root).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


def write_tarball(path: Path, files: Files, modified: int) -> Path:
    """Pack files as one state of an archive, with a folder RePEc around them."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            member = tarfile.TarInfo(f"RePEc/{name}")
            member.size, member.mtime = len(data), modified
            tar.addfile(member, io.BytesIO(data))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return path


@dataclass
class CaptureStore:
    """A source whose files are held in memory. Those in `closed` are there and can not be opened;
    below the prefixes in `unread` nothing is listed."""

    files: Mapping[str, bytes]
    closed: frozenset[str] = frozenset()
    unread: Sequence[str] = ()
    notes: Sequence[str] = ()
    source: RunSource = RunSource.DIRECTORY
    reference: str = "/shelf"
    date: int | None = None
    read_paths: list[str] = field(default_factory=list)

    def containers(self) -> Iterator[Container]:
        for path in sorted({*self.files, *self.closed}):
            if not any(path.startswith(prefix) for prefix in self.unread):
                size = len(self.files.get(path, b""))
                yield Container(path, 1_000_000_000, size, self._opener(path))

    def read(self, file: BinaryIO, path: str) -> ReadContainer:
        self.read_paths.append(path)
        return redif.read(file, path)

    def close(self) -> None:
        """There is nothing to let go of."""

    def _opener(self, path: str) -> Callable[[], BinaryIO]:
        def opened() -> BinaryIO:
            if path in self.closed:
                raise PermissionError(13, "Permission denied", path)
            return io.BytesIO(self.files[path])

        return opened


class World:
    """A tree of ReDIF in `root`, an archive folder beside it, and what gathers the one into the
    other. Use it as a context."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self.folder, self.root = folder, folder / "RePEc"
        self.archive = folder / "archive"
        self.store = self.archive / "dark_archive" / "archive"
        self.clock = clock or Clock()
        self.began = self.clock.moment
        self.archive.mkdir(parents=True, exist_ok=True)
        self.root.mkdir(parents=True, exist_ok=True)
        self.ledger = Ledger(self.archive / "carrel.sqlite", writing=True)
        self.told: list[RunProgress] = []
        self.tell: TellRun = self.told.append

    def __enter__(self) -> "World":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.ledger.close()

    def write(self, **files: str | bytes) -> None:
        """Have the tree hold these files, in the series "wpaper" of "aaa", and no others."""
        write_tree(self.root, {f"aaa/wpaper/{name}.rdf": text for name, text in files.items()})

    def keeping(self) -> StoreSession:
        begin_folder(self.archive)
        return StoreSession.open(self.store, self.ledger.dark, self.clock)

    def gather(
        self,
        source: Source | None = None,
        *,
        days: float = 1,
        is_cancelled: Callable[[], bool] = lambda: False,
        **terms: Any,
    ) -> RunReport:
        """Make a run over the tree, or another source, some days after the last one."""
        self.clock.go_on(days=days)
        with self.keeping() as keeping:
            read = source or Directory(self.root, now=self.clock.seconds)
            gathering = Gathering(keeping, read, Terms(**terms), self.tell, is_cancelled)
            return gathering.run()

    def gather_files(self, **files: str | bytes) -> RunReport:
        """Have the tree hold these files, and make a run over it."""
        self.write(**files)
        return self.gather()

    def gather_tree(self, files: Files, **given: Any) -> RunReport:
        """Have the tree hold these files, by path, and make a run over it."""
        write_tree(self.root, files)
        return self.gather(**given)

    def gather_tarball(
        self,
        name: str,
        files: Files,
        *,
        backfill: str | None = None,
        modified: int = 1_000_000_000,
        **given: Any,
    ) -> RunReport:
        """Make a run over a tarball of this name that holds these files."""
        path = write_tarball(self.folder / name, files, modified)
        source = Tarball(path, self.folder, is_backfill=backfill is not None)
        scope = REPEC if backfill is None else f"backfill:{backfill}"
        with contextlib.closing(source):
            return self.gather(source, scope=scope, **given)

    def statements_of(self, source: Source) -> list[str]:
        """Make a run, and return what the ledger was asked and told for it."""
        found: list[str] = []
        connection = self.ledger._connection.db.conn
        connection.set_trace_callback(found.append)
        try:
            self.gather(source)
        finally:
            connection.set_trace_callback(None)
        return found

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return rows(self.archive / "carrel.sqlite", sql, *values)

    def log(self, run: int | None = None) -> list[Incidence]:
        """Return the incidences of all runs, or one (counted from 1), by run and name."""
        found = log_of(self.archive / "carrel.sqlite")
        return found if run is None else [each for each in found if each.run == run]

    def states(self) -> dict[str, str]:
        """Return how each template stands."""
        return dict(self.rows("SELECT ident_n, state FROM obi_state WHERE kind = 'tobi'"))

    def path_of(self, ident_n: str) -> Path:
        """Return where the last version of an object is stored."""
        ((path, *_),) = self.rows(
            "SELECT c.path FROM version AS v JOIN content AS c USING (sha256)"
            " JOIN obi USING (obi_id) WHERE ident_n = ? ORDER BY v.tist DESC LIMIT 1",
            ident_n,
        )
        return self.store / str(path)

    def text_of(self, ident_n: str) -> str:
        """Return the last text that was kept of a template."""
        return self.path_of(ident_n).read_text("utf-8")

    def check(self) -> DarkCheck:
        """Read everything again, as another process would that can not write."""
        return check(self.archive, FoundLedger(self.ledger.dark), lambda told: None)

    def is_sound(self) -> bool:
        """Say whether a check finds nothing, and the journal makes the very same tables again."""
        found = self.check()
        return not found.faults and self.tables() == self.tables_made_again()

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        return tables(self.archive / "carrel.sqlite")

    def tables_made_again(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the tables that the journal makes of an empty ledger."""
        path = self.folder / "again.sqlite"
        path.unlink(missing_ok=True)
        with self.keeping() as keeping, Ledger(path, writing=True) as ledger:
            rebuild_ledger(keeping.journal, ledger.dark, lambda told: None)
        return tables(path)


@contextlib.contextmanager
def asking() -> Iterator[Asker]:
    """Give somebody who asks hosts on this machine, without any pause."""
    with Client(Network(contact="archivist@example.org", timeout_s=20)) as client:
        yield Asker(
            client,
            max_bytes=1024 * 1024,
            private_networks=True,
            min_interval_s=0.0,
            own_network=OwnNetwork(has_way_out=lambda: True),
            sleep=lambda seconds: None,
        )


def checked(archive: Path) -> DarkCheck:
    """Do what `carrel dark verify` does."""
    with found_ledger(archive) as found:
        return check(archive, found, lambda told: None)


def rebuilt(archive: Path) -> DarkCheck:
    """Do what `carrel dark rebuild` does."""
    with sound_archive(archive) as (opened, done):
        found = rebuild(opened, lambda told: None)
    return replace(found, mended=[*done, *found.mended])


def rows(ledger: Path, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(ledger)) as connection:
        return connection.execute(sql, values).fetchall()


def log_of(ledger: Path) -> list[Incidence]:
    found = rows(
        ledger,
        "WITH began AS (SELECT run, dense_rank() OVER (ORDER BY run) AS number FROM run"
        " GROUP BY run)"
        " SELECT b.number, i.kind, o.ident_n, i.cause, s.number FROM incidence AS i"
        " JOIN obi AS o USING (obi_id) JOIN run AS r ON r.tist = i.tist"
        " JOIN began AS b ON b.run = r.run LEFT JOIN began AS s ON s.run = i.since"
        " ORDER BY b.number, o.ident_n, i.seq",
    )
    return [Incidence(*row) for row in found]


def tables(ledger: Path, without: frozenset[str] = frozenset()) -> dict[str, list[Any]]:
    """Return every row of every table that follows from the journal."""
    names = [name for name in (*DERIVED, "journal_group") if name not in without]
    return {name: sorted(rows(ledger, f"SELECT * FROM {name}"), key=repr) for name in names}


LONG = f"RePEc:aaa:wpaper:{'long' * 80}"


def furnish(folder: Path, server: WireServer) -> Path:
    """Make an archive in which every table has rows, and every kind of thing is stored; return it.

    Of its files of templates "a.rdf" as it was first can be had nowhere else, "b.rdf" can.
    """
    paper_url = server.serve("/paper.pdf", paper("On Ebb"), paper("On Ebb, revised"))
    moved_url = server.serve("/moved.pdf", redirect("/there.pdf"))
    server.serve("/there.pdf", paper("On Flow"))
    gone_url = server.serve("/gone.pdf", paper("On Slack"), html("gone", "404 Not Found"))
    first = template(handle(1), "Ebb", file_url(paper_url)) + template(
        handle(2), "Flow", file_url(moved_url)
    )
    second = template(handle(1), "Ebb II") + template(LONG, "Slack", file_url(gone_url))
    with World(folder) as world:
        a, b, c = "aaa/wpaper/a.rdf", "aaa/wpaper/b.rdf", "bbb/journl/c.rdf"
        fog = template(handle(1, "journl", "bbb"), "Fog")
        with asking() as asker:
            world.gather_tree({a: first, b: second, c: fog}, asker=asker)
            world.gather_tree({a: first.replace("Flow", "Flood"), b: second}, asker=asker)
        world.gather_tarball("1999-01-01.tar", {a: first.replace("Ebb", "Low water")}, backfill="x")
        spoiled = world.path_of(handle(2))
        kept = spoiled.read_bytes()
        damage(spoiled, kept[:-1])
    checked(world.archive)
    damage(spoiled, kept)
    with Archive.create_or_open(world.archive) as archive:
        opening = Opening(archive)
        opened = opening.open(ObiKind.FOBI, normal_url(paper_url), None, "a reader asks")
        shutil.rmtree(opened.parent)
        opening.purge(ObiKind.FOBI, normal_url(gone_url), None, "its author asks")
    return world.archive


def damage(path: Path, data: bytes) -> None:
    """Have a stored file hold other bytes."""
    path.parent.chmod(0o755)
    path.chmod(0o644)
    path.write_bytes(data)
