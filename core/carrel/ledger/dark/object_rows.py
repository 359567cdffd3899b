# SPDX-License-Identifier: AGPL-3.0-or-later
"""The rows of objects while the journal is applied: templates, full texts, and their references."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from carrel.model.dark import ObiKind, Reference, TemplateSeen

_NEW_OBI = "INSERT INTO obi (kind, ident, ident_n) VALUES (?, ?, ?) RETURNING obi_id"
_ADD_REFIPO = (
    "INSERT INTO refipo (tobi_id, seq, fobi_id, raw_url, format, func, restriction, size, since)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_LIVE_REFIPOS = (
    "SELECT seq, raw_url, format, func, restriction, size FROM refipo"
    " WHERE tobi_id = ? AND until IS NULL"
)
# A reference that was dropped and taken up within one run never was away.
_CLOSE_REFIPO = "UPDATE refipo SET until = ? WHERE tobi_id = ? AND seq = ? AND until IS NULL"


class ObjectRows:
    def __init__(self, execute: Callable[..., Any]) -> None:
        self._execute = execute

    def new_template(self, entry: TemplateSeen) -> int:
        """Add the object of a template that no one named before."""
        row = self._execute(
            "INSERT INTO obi (kind, ident, ident_n, scope, archive, series, ttype, restriction,"
            " state, text_md5) VALUES ('tobi', ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING obi_id",
            [
                entry.ident,
                entry.ident_n,
                entry.scope,
                entry.archive,
                entry.series,
                entry.type,
                entry.restriction,
                "unseen" if entry.incidence is None else "present",
                entry.version and entry.version.text_md5,
            ],
        ).fetchone()
        return int(row[0])

    def known(self, kind: ObiKind, ident_n: str) -> int | None:
        """Return the number of an object, None if nothing named it yet."""
        row = self._execute(
            "SELECT obi_id FROM obi WHERE kind = ? AND ident_n = ?", [str(kind), ident_n]
        ).fetchone()
        return None if row is None else int(row[0])

    def full_text(self, url: str) -> int:
        """Return the number of the full text at an address, which becomes known with this."""
        known = self.known(ObiKind.FOBI, url)
        if known is None:
            known = int(self._execute(_NEW_OBI, [str(ObiKind.FOBI), url, url]).fetchone()[0])
        return known

    def set_references(self, tobi_id: int, tist: int, references: Iterable[Reference]) -> None:
        """Open those that are new, close those that are no more, leave alone those that stand."""
        wanted = dict(enumerate(references))
        for seq, *columns in self._execute(_LIVE_REFIPOS, [tobi_id]).fetchall():
            if seq in wanted and _columns(wanted[seq]) == columns:
                del wanted[seq]
            else:
                self._execute(_CLOSE_REFIPO, [tist, tobi_id, seq])
        self.open_references(tobi_id, tist, wanted.items())

    def open_references(
        self, tobi_id: int, tist: int, references: Iterable[tuple[int, Reference]]
    ) -> None:
        """Note what a template refers to from now on, by the places in it."""
        for seq, each in references:
            fobi_id = None if each.url is None else self.full_text(each.url)
            self._execute(_ADD_REFIPO, [tobi_id, seq, fobi_id, *_columns(each), tist])


def _columns(reference: Reference) -> Sequence[str | None]:
    return [
        reference.raw_url,
        reference.format,
        reference.function,
        reference.restriction,
        reference.size,
    ]
