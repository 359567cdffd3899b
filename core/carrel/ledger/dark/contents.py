# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the ledger knows of the bytes in the dark archive's store: where each lies, where it came
from, and whether it is sound. Long lists come in pages, so that memory stays flat."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from carrel.ledger.connection import Connection
from carrel.model.dark import Content

_PAGE = 1000


class Contents:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows

    def probed(self) -> dict[str, Any] | None:
        """Return what was found out about the store's file system, None if no store was made."""
        rows = self._rows("SELECT probed FROM object_store")
        return json.loads(rows[0]["probed"]) if rows else None

    def paths_of(self, tist: int) -> frozenset[str]:
        """Return the paths of what was stored under a number, and not purged."""
        rows = self._rows("SELECT path FROM content WHERE stored = ? AND purged IS NULL", [tist])
        return frozenset(row["path"] for row in rows)

    def count(self) -> int:
        return int(self._rows("SELECT count(*) AS n FROM content WHERE purged IS NULL")[0]["n"])

    def all(self) -> Iterator[Content]:
        """Yield everything that is stored, in the order in which it was."""
        after = (0, "")
        while True:
            page = self._rows(
                "SELECT sha256, md5, size, path, media, identifier, stored FROM content WHERE "
                "(stored, sha256) > (?, ?) AND purged IS NULL ORDER BY stored, sha256 LIMIT ?",
                [*after, _PAGE],
            )
            for row in page:
                after = (row.pop("stored"), row["sha256"])
                yield Content(**row)
            if len(page) < _PAGE:
                return

    def get(self, sha256: str) -> Content | None:
        """Return where these bytes are stored, None if they are not (any more)."""
        rows = self._rows(
            "SELECT sha256, md5, size, path, media, identifier FROM content WHERE sha256 = ?"
            " AND purged IS NULL",
            [sha256],
        )
        return Content(**rows[0]) if rows else None

    def was_stored(self, sha256: str) -> bool:
        """Say whether these bytes were ever stored, also if they are purged."""
        return bool(self._rows("SELECT 1 AS one FROM content WHERE sha256 = ?", [sha256]))

    def template_places(self, sha256: str) -> list[tuple[str, str, int]]:
        """Return where a template's bytes can be had again: the digest and the path of a container
        that is kept, and the place of the template in it."""
        rows = self._rows(
            # An interrupted reading was repeated by a later run, and a template that came to
            # stand first was read by an earlier one.
            "SELECT g.sha256, c.path, v.position FROM version AS v JOIN run AS r USING (tist) JOIN "
            "container AS c ON c.container_id = v.container_id JOIN reading AS g ON g.container_id "
            "= v.container_id WHERE v.sha256 = ? ORDER BY abs(g.run - r.run) LIMIT 8",
            [sha256],
        )
        return [(row["sha256"], row["path"], row["position"]) for row in rows]

    def containers_with(self, sha256: str) -> list[tuple[str, str]]:
        """Return where a container of this digest was read: the source's address, and its path."""
        rows = self._rows(
            "SELECT DISTINCT r.source_ref, c.path FROM reading AS g JOIN run AS r"
            " ON r.tist = g.run JOIN container AS c USING (container_id)"
            " WHERE g.sha256 = ? AND r.source = 'directory'",
            [sha256],
        )
        return [(row["source_ref"], row["path"]) for row in rows]

    def identifiers(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield, by number, the identifiers that names in the store do not say, by name."""
        rows = self._rows(
            "SELECT stored, path, identifier FROM content WHERE identifier IS NOT NULL"
            " ORDER BY stored"
        )
        for stored, group in groupby(rows, key=lambda row: int(row["stored"])):
            yield stored, {each["path"].rpartition("/")[2]: each["identifier"] for each in group}

    def faulty(self) -> list[str]:
        """Return the digests of what the last look at it found bad."""
        rows = self._rows(
            "SELECT sha256 FROM fixity AS f WHERE result <> 'ok'"
            " AND at = (SELECT max(at) FROM fixity AS g WHERE g.sha256 = f.sha256)"
        )
        return [row["sha256"] for row in rows]

    def is_faulty(self, sha256: str) -> bool:
        """Say whether the last look at stored bytes found them bad."""
        rows = self._rows(
            "SELECT result FROM fixity WHERE sha256 = ? ORDER BY at DESC LIMIT 1", [sha256]
        )
        return bool(rows) and rows[0]["result"] != "ok"

    def is_purged(self, sha256: str) -> bool:
        return bool(self._rows("SELECT 1 AS one FROM purge WHERE sha256 = ?", [sha256]))

    def is_opened(self, sha256: str) -> bool:
        """Say whether a copy of these bytes was ever made."""
        return bool(self._rows("SELECT 1 AS one FROM opening WHERE sha256 = ? LIMIT 1", [sha256]))

    def purged_paths(self) -> list[str]:
        rows = self._rows("SELECT path FROM content WHERE purged IS NOT NULL")
        return [row["path"] for row in rows]
