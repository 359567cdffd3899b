# SPDX-License-Identifier: AGPL-3.0-or-later
"""A push: results in, editgroups submitted for review, one outcome a result out.

Each is looked up before; what is new goes into editgroups of at most 100, whose extra has the
ingest ids and the keys of what they are for. A crash leaves at most an editgroup that is open: the
same push continues it. Nothing is accepted unless the push was made to.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from carrel.errors import IngestStop
from carrel.fleet.fatcat.api import Fatcat
from carrel.fleet.fatcat.editgroups import Filling
from carrel.fleet.fatcat.lookup import Member, looked_up
from carrel.fleet.fatcat.outcome import Outcome, State
from carrel.fleet.fatcat.standing import Standing
from carrel.model.fatcat import Entity, NoEntity
from carrel.translation import tr

MOST_IN_EDITGROUP = 100
_NEW = ""


@dataclass(frozen=True, slots=True)
class PushOptions:
    """Whether a push accepts what it made, and whether it makes anything."""

    accepts: bool = False
    is_dry_run: bool = False


@dataclass
class Push:
    """One push with the token of `editor_id` ("" without a token, which only a dry run can do)."""

    fatcat: Fatcat
    editor_id: str
    options: PushOptions = PushOptions()
    _standing: Standing = field(default_factory=Standing, init=False)
    _batches: dict[str, list[Member]] = field(default_factory=dict, init=False)
    _taken: set[str] = field(default_factory=set, init=False)
    _continued: set[str] = field(default_factory=set, init=False)
    _over: str = field(default="", init=False)

    def begin(self) -> None:
        """Find out whether it may be made, and what earlier ones left. Raises IngestStop."""
        if not self.editor_id:
            return
        if not self.options.is_dry_run:
            self.fatcat.check("admin" if self.options.accepts else "editor")
        self._standing = Standing.of(self.fatcat.editgroups(self.editor_id))

    def run(self, found: Iterable[Entity | NoEntity]) -> Iterator[Outcome]:
        """Yield what becomes of each result, not in their order: when it is certain."""
        for each in found:
            if isinstance(each, NoEntity):
                state = State.REPEATED if each.is_told_elsewhere else State.REFUSED
                yield Outcome(state, each, message=each.reason)
            elif self._over:
                yield Outcome(State.NOT_PUSHED, each, message=self._over)
            else:
                yield from self._one(each)
        for editgroup in list(self._batches):
            yield from self._flush(editgroup)

    @property
    def left_open(self) -> list[str]:
        """The editgroups that earlier pushes left open, and this one had nothing for."""
        return [each for each in self._standing.open_keys if each not in self._continued]

    def _one(self, entity: Entity) -> Iterator[Outcome]:
        try:
            found = looked_up(self.fatcat, entity)
        except IngestStop as stop:
            yield Outcome(State.FAILED, entity, message=str(stop))
            self._over = str(stop)
            return
        if isinstance(found, Outcome):
            yield found
            return
        key, release = found.key, found.release
        if editgroup := self._standing.in_review.get(key):
            yield Outcome(State.IN_REVIEW, entity, release, editgroup=editgroup)
        elif key in self._taken:
            message = tr("its files are those of another result in this push")
            yield Outcome(State.REPEATED, entity, release, message=message)
        else:
            self._taken.add(key)
            yield from self._take(found)

    def _take(self, member: Member) -> Iterator[Outcome]:
        """Have an entity go into the editgroup that was made for it, or the next one."""
        editgroup = self._standing.open_for.get(member.key, _NEW)
        if self.options.is_dry_run:
            self._continued.add(editgroup)
            yield Outcome(State.WOULD_PUSH, member.entity, member.release, editgroup=editgroup)
            return
        batch = self._batches.setdefault(editgroup, [])
        batch.append(member)
        if len(batch) >= MOST_IN_EDITGROUP:
            yield from self._flush(editgroup)

    def _flush(self, editgroup: str) -> Iterator[Outcome]:
        """Fill an editgroup with its batch, and have it reviewed or accepted."""
        members = self._batches.pop(editgroup)
        self._continued.add(editgroup)
        if self._over:
            for each in members:
                yield Outcome(State.NOT_PUSHED, each.entity, each.release, message=self._over)
            return
        filling = Filling(self.fatcat, self.editor_id, members, accepts=self.options.accepts)
        try:
            filling.fill(editgroup, self._standing.open_keys.get(editgroup, ()))
        except IngestStop as stop:
            self._over = str(stop)
            filling.give_up(str(stop))
        yield from filling.outcomes()
