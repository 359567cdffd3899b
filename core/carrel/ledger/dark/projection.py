# SPDX-License-Identifier: AGPL-3.0-or-later
"""What each entry of the journal does to the tables. Nothing else writes to them.

Every statement depends on the entry and the tables alone, never on the clock or the order of a
dictionary: the same entries make the same rows, whenever they are applied.
"""

import json
from collections.abc import Callable, Mapping
from functools import singledispatchmethod
from sqlite3 import Connection
from typing import Any

from carrel.ledger.dark.container_rows import ContainerRows
from carrel.ledger.dark.object_rows import ObjectRows
from carrel.ledger.dark.run_numbers import RunNumbers, contradiction
from carrel.model.dark import (
    REPEC,
    ArchiveMissed,
    BatchBegan,
    ContainerSeen,
    ContainerState,
    Content,
    Entry,
    FixityChecked,
    IncidenceKind,
    Looked,
    Lost,
    ObiKind,
    Opened,
    Purged,
    RunBegan,
    RunEnded,
    ScopeRead,
    StoreMade,
    TemplateSeen,
    Version,
)
from carrel.translation import tr

Execute = Callable[..., Any]

_ADD_INCIDENCE = "INSERT INTO incidence (obi_id, tist, kind, since, cause) VALUES (?, ?, ?, ?, ?)"
_ADD_CONTENT = (
    "INSERT OR IGNORE INTO content (sha256, md5, size, path, media, identifier, stored)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_ADD_VERSION = (
    "INSERT INTO version (obi_id, tist, src_tist, sha256, text_md5, exchange, container_id,"
    " position) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
# A check that was recorded before this one was made before it, whatever the clock said then: it
# may have been ahead. Of what it found the date is moved; it is the last result that counts.
_WAS_BEFORE = "UPDATE OR REPLACE fixity SET at = ? WHERE sha256 = ? AND at > ?"
# One of everything may be in several lines of the journal, with some of its faults in each, and
# another may have been made in the same second.
_ADD_CHECK = (
    "INSERT OR REPLACE INTO fixity_run SELECT ?, ?, ?, count(*) FROM fixity"
    " WHERE at = ? AND result <> 'ok'"
)
# Why a template is told of though its container was not read: what stood before it went.
STANDS_FIRST_NOW = "stands-first-now"
# What only a backfill knew of belongs to the data that names it now.
_CLAIM = "UPDATE obi SET scope = ? WHERE obi_id = ? AND scope IS NOT ?"


class Applying:
    """One transaction's worth of applying."""

    def __init__(self, connection: Connection) -> None:
        self._execute: Execute = connection.execute
        self._runs = RunNumbers(self._execute)
        self._containers = ContainerRows(self._execute, self._runs)
        self._objects = ObjectRows(self._execute)

    @singledispatchmethod
    def apply(self, entry: Entry) -> None:
        """Do to the tables what an entry says."""
        raise TypeError(f"{type(entry).__name__} is no entry of the journal")

    @apply.register
    def _(self, entry: StoreMade) -> None:
        self._execute("DELETE FROM object_store")
        self._execute(
            "INSERT INTO object_store VALUES (?)", [json.dumps(entry.probed, sort_keys=True)]
        )

    @apply.register
    def _(self, entry: RunBegan) -> None:
        self._execute(
            "INSERT INTO run (tist, run, scope, source, source_ref, source_tist, moment,"
            " wall_clock) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                entry.tist,
                entry.tist,
                entry.scope,
                str(entry.source),
                entry.source_ref,
                entry.source_tist,
                entry.moment,
                entry.wall_clock,
            ],
        )

    @apply.register
    def _(self, entry: BatchBegan) -> None:
        self._execute(
            "INSERT INTO run (tist, run, scope, source, source_ref, source_tist, moment,"
            " wall_clock) SELECT ?, run, scope, source, source_ref, source_tist, moment, ?"
            " FROM run WHERE tist = ?",
            [entry.tist, entry.wall_clock, entry.run],
        )

    @apply.register
    def _(self, entry: TemplateSeen) -> None:
        obi_id = self._objects.known(ObiKind.TOBI, entry.ident_n)
        is_new = obi_id is None
        if obi_id is None:
            obi_id = self._objects.new_template(entry)
        if entry.cause == STANDS_FIRST_NOW:
            container_id = self._containers.known(entry.scope, entry.path)
        else:
            container_id = self._containers.begun(entry.scope, entry.path, entry.tist)
            self._execute(
                "INSERT OR REPLACE INTO occurrence VALUES (?, ?, ?, ?, ?)",
                [
                    container_id,
                    self._runs.run_of(entry.tist),
                    entry.position,
                    obi_id,
                    entry.text_md5,
                ],
            )
        if not entry.speaks:
            return
        if entry.version is not None:
            place = (container_id, entry.position)
            self._add_version(obi_id, entry.tist, entry.version, place=place)
        if entry.incidence is not None:
            cause = None if entry.cause == STANDS_FIRST_NOW else entry.cause
            self._log(obi_id, entry.tist, entry.incidence, cause=cause)
        if is_new:
            self._objects.open_references(obi_id, entry.tist, enumerate(entry.references or ()))
        elif not self._runs.is_backfill(entry.tist) or entry.incidence is not None:
            self._speak_again(obi_id, entry)
        if self._runs.is_backfill(entry.tist) and entry.incidence is not None:
            self._doubt(obi_id, entry.tist)

    def _speak_again(self, obi_id: int, entry: TemplateSeen) -> None:
        """Have a template say of an object that was known how it is now."""
        self._execute("DELETE FROM pending WHERE obi_id = ?", [obi_id])
        if entry.incidence is None:
            self._execute(_CLAIM, [entry.scope, obi_id, entry.scope])
            return
        self._execute(
            "UPDATE obi SET scope = ?, archive = ?, series = ?, ttype = ?, restriction = ?,"
            " state = 'present', text_md5 = coalesce(?, text_md5) WHERE obi_id = ?",
            [
                entry.scope,
                entry.archive,
                entry.series,
                entry.type,
                entry.restriction,
                entry.version and entry.version.text_md5,
                obi_id,
            ],
        )
        if entry.references is not None:
            self._objects.set_references(obi_id, entry.tist, entry.references)

    @apply.register
    def _(self, entry: ContainerSeen) -> None:
        container_id = self._containers.end(entry)
        if entry.content is not None:
            self._add_content(entry.content, entry.tist)
        run = self._runs.run_of(entry.tist)
        if entry.state is ContainerState.UNREADABLE:
            # What could not be read says nothing of what was known.
            self._execute(
                "DELETE FROM occurrence WHERE container_id = ? AND reading = ?",
                [container_id, run],
            )
        else:
            self._containers.drop_stale(container_id, run, entry)
        if entry.sha256 is not None:
            self._execute(
                "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?)",
                [container_id, run, entry.sha256, entry.source_tist],
            )
        self._execute(
            "UPDATE container SET state = ?, sha256 = ?, src_tist = ?, encoding = ?,"
            " templates = ?, problem = ?, tist = ? WHERE container_id = ?",
            [
                str(entry.state),
                entry.sha256,
                entry.source_tist,
                entry.encoding,
                entry.templates,
                entry.problem,
                entry.tist,
                container_id,
            ],
        )

    @apply.register
    def _(self, entry: Looked) -> None:
        obi_id = self._objects.full_text(entry.ident_n)
        if entry.evidence is not None:
            self._add_content(entry.evidence, entry.tist)
        self._extend_probe(obi_id, entry)
        for hop, redirect in enumerate(entry.redirects, 1):
            self._execute(
                "INSERT OR REPLACE INTO redirect VALUES (?, ?, ?, ?, ?, ?)",
                [
                    obi_id,
                    entry.tist,
                    hop,
                    redirect.status,
                    redirect.to_url,
                    self._objects.known(ObiKind.FOBI, redirect.to_url),
                ],
            )
        if entry.outcome == "ok":
            self._execute("DELETE FROM pending WHERE obi_id = ?", [obi_id])
        elif entry.is_evidence:
            self._execute(
                "INSERT OR IGNORE INTO pending SELECT obi_id, r.scope, r.run, ? FROM obi, run AS r"
                " WHERE obi_id = ? AND state = 'present' AND r.tist = ?",
                [entry.outcome, obi_id, entry.tist],
            )
        if entry.version is not None:
            exchange = None if entry.exchange is None else json.dumps(entry.exchange)
            self._add_version(obi_id, entry.tist, entry.version, exchange=exchange)
            self._execute(
                "UPDATE obi SET text_md5 = ? WHERE obi_id = ?", [entry.version.text_md5, obi_id]
            )
        if entry.incidence is not None:
            self._log(obi_id, entry.tist, entry.incidence)
            self._execute("UPDATE obi SET state = 'present' WHERE obi_id = ?", [obi_id])

    @apply.register
    def _(self, entry: Lost) -> None:
        obi_id = self._objects.known(entry.kind, entry.ident_n)
        if obi_id is None:
            raise contradiction(tr("{handle} was lost and never known", handle=entry.ident_n))
        self._execute("DELETE FROM pending WHERE obi_id = ?", [obi_id])
        self._log(obi_id, entry.tist, IncidenceKind.DELETION, since=entry.since, cause=entry.cause)
        self._execute("UPDATE obi SET state = 'lost' WHERE obi_id = ?", [obi_id])
        if entry.kind is ObiKind.TOBI:
            self._objects.set_references(obi_id, entry.tist, ())

    @apply.register
    def _(self, entry: ArchiveMissed) -> None:
        self._execute(
            "INSERT OR REPLACE INTO archive_missed VALUES (?, ?, ?, ?)",
            [entry.tist, entry.scope, entry.archive, entry.pending],
        )

    @apply.register
    def _(self, entry: ScopeRead) -> None:
        run = self._runs.run_of(entry.tist)
        self._execute("UPDATE run SET scope_ok = 1 WHERE run = ?", [run])
        self._count(run, entry.counts)

    @apply.register
    def _(self, entry: RunEnded) -> None:
        run = self._runs.run_of(entry.tist)
        self._execute(
            "UPDATE run SET finished = ?, scope_ok = ?, source_tist = coalesce(?, source_tist)"
            " WHERE run = ?",
            [entry.wall_clock, int(entry.scope_ok), entry.source_tist, run],
        )
        self._count(run, entry.counts)

    @apply.register
    def _(self, entry: FixityChecked) -> None:
        for sha256, result in [*entry.faults.items(), *((each, "ok") for each in entry.mended)]:
            self._execute(_WAS_BEFORE, [entry.at - 1, sha256, entry.at])
            self._execute(
                "INSERT OR REPLACE INTO fixity (sha256, at, result) VALUES (?, ?, ?)",
                [sha256, entry.at, result],
            )
        if entry.is_of_all:
            self._execute("DELETE FROM fixity_run WHERE at > ?", [entry.at])
            self._execute(_ADD_CHECK, [entry.at, entry.contents, entry.size, entry.at])

    @apply.register
    def _(self, entry: Opened) -> None:
        self._execute(
            "INSERT INTO opening (at, deed, obi_id, tist, sha256, reason, occasion)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                entry.at,
                entry.deed,
                self._objects.known(entry.kind, entry.ident_n),
                entry.tist,
                entry.sha256,
                entry.reason,
                entry.trigger,
            ],
        )

    @apply.register
    def _(self, entry: Purged) -> None:
        self._execute(
            "INSERT OR REPLACE INTO purge VALUES (?, ?, ?)", [entry.sha256, entry.at, entry.reason]
        )
        self._execute("UPDATE content SET purged = ? WHERE sha256 = ?", [entry.at, entry.sha256])

    def _count(self, run: int, counts: Mapping[str, int]) -> None:
        told = json.dumps(counts, sort_keys=True)
        self._execute("UPDATE run SET counts = ? WHERE tist = ?", [told, run])

    def _doubt(self, obi_id: int, tist: int) -> None:
        """Note that only older data named an object: the next run in turn says whether it is."""
        self._execute(
            "INSERT OR IGNORE INTO pending VALUES (?, ?, ?, 'not-in-data')",
            [obi_id, REPEC, self._runs.run_of(tist)],
        )

    def _add_content(self, content: Content, tist: int) -> None:
        self._execute(
            _ADD_CONTENT,
            [
                content.sha256,
                content.md5,
                content.size,
                content.path,
                content.media,
                content.identifier,
                tist,
            ],
        )

    def _add_version(
        self,
        obi_id: int,
        tist: int,
        version: Version,
        *,
        exchange: str | None = None,
        place: tuple[int | None, int | None] = (None, None),
    ) -> None:
        if version.content is not None:
            self._add_content(version.content, tist)
        self._execute(
            _ADD_VERSION,
            [
                obi_id,
                tist,
                version.source_tist,
                version.sha256,
                version.text_md5,
                exchange,
                *place,
            ],
        )

    def _log(
        self,
        obi_id: int,
        tist: int,
        kind: IncidenceKind,
        *,
        since: int | None = None,
        cause: str | None = None,
    ) -> None:
        self._execute(_ADD_INCIDENCE, [obi_id, tist, str(kind), since, cause])

    def _extend_probe(self, obi_id: int, entry: Looked) -> None:
        """Lengthen the span of equal outcomes, or begin another."""
        row = self._execute(
            "SELECT first, outcome FROM probe WHERE obi_id = ? ORDER BY first DESC LIMIT 1",
            [obi_id],
        ).fetchone()
        evidence = entry.evidence.sha256 if entry.evidence else None
        if row is not None and row[1] == entry.outcome:
            self._execute(
                "UPDATE probe SET last = ?, n = n + 1, detail = ?,"
                " evidence = coalesce(?, evidence) WHERE obi_id = ? AND first = ?",
                [entry.tist, entry.detail, evidence, obi_id, row[0]],
            )
        else:
            self._execute(
                "INSERT INTO probe VALUES (?, ?, ?, ?, 1, ?, ?)",
                [obi_id, entry.outcome, entry.tist, entry.tist, entry.detail, evidence],
            )
