# SPDX-License-Identifier: AGPL-3.0-or-later
"""The rows of containers while the journal is applied: begun, read, and what they held before."""

from collections.abc import Callable
from typing import Any

from carrel.ledger.dark.run_numbers import RunNumbers, contradiction
from carrel.model.dark import ContainerSeen
from carrel.translation import tr


class ContainerRows:
    """Remembers, for one transaction, which container is being read."""

    def __init__(self, execute: Callable[..., Any], runs: RunNumbers) -> None:
        self._execute, self._runs = execute, runs
        self._begun: dict[tuple[str, str], int] = {}

    def known(self, scope: str, path: str) -> int:
        """Return a container that is known."""
        row = self._execute(
            "SELECT container_id FROM container WHERE scope = ? AND path = ?", [scope, path]
        ).fetchone()
        if row is None:
            raise contradiction(tr("{path} was never read", path=path))
        return int(row[0])

    def begun(self, scope: str, path: str, tist: int) -> int:
        """Return the container, which from now on until it is ended has no digest.

        A run that ends early in its middle so leaves a container that the next one reads again.
        """
        known = self._begun.get((scope, path))
        if known is not None:
            return known
        row = self._execute(
            "UPDATE container SET sha256 = NULL WHERE scope = ? AND path = ?"
            " RETURNING container_id",
            [scope, path],
        ).fetchone()
        if row is None:
            row = self._execute(
                "INSERT INTO container (scope, path, state, tist) VALUES (?, ?, 'reading', ?)"
                " RETURNING container_id",
                [scope, path, tist],
            ).fetchone()
        self._begun = {(scope, path): int(row[0])}
        return int(row[0])

    def drop_stale(self, container_id: int, run: int, entry: ContainerSeen) -> None:
        """Forget what an earlier reading saw in a container, and note whose words are missing."""
        if not self._runs.is_backfill(entry.tist):  # older data say nothing of what there is now
            self._execute(
                "INSERT OR IGNORE INTO pending SELECT o.obi_id, ?, ?, 'not-in-data' FROM "
                "occurrence AS o JOIN obi USING (obi_id) WHERE o.container_id = ? AND o.reading <> "
                "? AND obi.state = 'present' AND NOT EXISTS (SELECT 1 FROM occurrence AS n WHERE "
                "n.obi_id = o.obi_id AND n.container_id = o.container_id AND n.reading = ?)",
                [entry.scope, run, container_id, run, run],
            )
        self._execute(
            "DELETE FROM occurrence WHERE container_id = ? AND reading <> ?", [container_id, run]
        )

    def end(self, entry: ContainerSeen) -> int:
        """Return the container whose reading is over."""
        container_id = self.begun(entry.scope, entry.path, entry.tist)
        self._begun.pop((entry.scope, entry.path), None)
        return container_id
