# SPDX-License-Identifier: AGPL-3.0-or-later
"""Filling one editgroup: made or continued, entity by entity, then submitted or accepted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from carrel import __version__
from carrel.errors import ApiStop, IngestStop
from carrel.fleet.fatcat.answers import Editgroup
from carrel.fleet.fatcat.api import Fatcat
from carrel.fleet.fatcat.lookup import Member
from carrel.fleet.fatcat.outcome import Outcome, State
from carrel.translation import tr

_DESCRIPTION = "Datasets archived with Carrel"
# One that fails may be at fault itself; so many in a row are not.
_MOST_FAILURES = 3
_NEWEST = 100
# What refuses all that would come after it, too.
_FOR_ALL = frozenset({401, 403, 408, 420, 429})


@dataclass
class Filling:
    """The way of a batch into an editgroup, and what became of each of it."""

    fatcat: Fatcat
    editor_id: str
    members: Sequence[Member]
    accepts: bool
    editgroup_id: str = ""
    _inside: dict[str, tuple[str, str]] = field(default_factory=dict)
    _ends: dict[str, tuple[State, str]] = field(default_factory=dict)

    def fill(self, editgroup_id: str, planned: Sequence[str]) -> None:
        """Put the batch into an editgroup, a new one if it is "", and finish that.

        `planned` are the keys that one which is continued was made for. Raises IngestStop.
        """
        editgroup = self.fatcat.editgroup(editgroup_id) if editgroup_id else self._created()
        self.editgroup_id = editgroup.editgroup_id
        self._inside = dict(editgroup.inside)
        failures = 0
        for member in self.members:
            if member.key in self._inside:
                continue
            try:
                self._add(member)
                failures = 0
            except IngestStop as stop:
                failures += 1
                if _is_for_all(stop) or failures >= _MOST_FAILURES:
                    raise
                self._ends[member.key] = State.FAILED, str(stop)
        if self._inside:
            self._finish({*planned} if editgroup_id else {each.key for each in self.members})

    def give_up(self, why: str) -> None:
        """Note that what has no end yet will get none now."""
        if self._inside:
            why = tr("{why} Its editgroup is open: the same push again continues it.", why=why)
        for member in self.members:
            self._ends.setdefault(member.key, (State.FAILED, why))

    def outcomes(self) -> Iterator[Outcome]:
        for member in self.members:
            state, message = self._ends[member.key]
            ident, _ = self._inside.get(member.key, ("", ""))
            yield Outcome(state, member.entity, member.release, ident, self.editgroup_id, message)

    def _created(self) -> Editgroup:
        keys = [each.key for each in self.members]
        fields = _fields({each.key: each.entity.ingest_id for each in self.members})

        def made() -> Editgroup | None:
            newest = islice(self.fatcat.editgroups(self.editor_id), _NEWEST)
            return next((each for each in newest if each.is_open and [*each.keys] == keys), None)

        return self.fatcat.create_editgroup(fields, made)

    def _add(self, member: Member) -> None:
        """Put an entity in, or note that the server refuses it. Raises IngestStop."""
        try:
            ident = self.fatcat.add(self.editgroup_id, member.entity.kind, member.body, member.key)
        except ApiStop as stop:
            code = stop.http_status or 0
            if not 400 <= code < 500 or code in _FOR_ALL:
                raise
            self._ends[member.key] = State.REJECTED, str(stop)
        else:
            self._inside[member.key] = ident, member.entity.ingest_id

    def _finish(self, planned: set[str]) -> None:
        """Have what is in it reviewed or accepted; its extra says nothing else. Raises
        IngestStop."""
        fields = _fields({key: ingest_id for key, (_, ingest_id) in self._inside.items()})
        if {*self._inside} != planned:
            self.fatcat.update(self.editgroup_id, fields)
        if self.accepts:
            self.fatcat.accept(self.editgroup_id)
        else:
            self.fatcat.submit(self.editgroup_id, fields)
        state = State.ACCEPTED if self.accepts else State.SUBMITTED
        for key in self._inside:
            self._ends[key] = state, ""


def _fields(ingests: dict[str, str]) -> dict[str, Any]:
    """Return what is said of an editgroup: by which it is found again after a crash."""
    extra = {
        "agent": f"carrel/{__version__}",
        "ingest_ids": [*ingests.values()],
        "keys": [*ingests],
    }
    return {"description": _DESCRIPTION, "extra": extra}


def _is_for_all(stop: IngestStop) -> bool:
    """Say whether what comes after would fail as well: the network does, or access is refused."""
    return not isinstance(stop, ApiStop) or stop.http_status in _FOR_ALL
