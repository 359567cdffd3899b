# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a push made of each result."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.model.fatcat import Entity, NoEntity
from carrel.translation import tr


class State(StrEnum):
    """What became of a result, for programs."""

    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    EXISTS = "exists"
    IN_REVIEW = "in-review"
    REPEATED = "repeated"
    WOULD_PUSH = "would-push"
    REFUSED = "refused"
    NO_RELEASE = "no-release"
    OTHER_STAGE = "other-stage"
    REJECTED = "rejected"
    FAILED = "failed"
    NOT_PUSHED = "not-pushed"

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to do for it."""
        return self in _SETTLED


_SETTLED = frozenset(list(State)[: list(State).index(State.REFUSED)])
_WORDS = {
    State.SUBMITTED: tr("submitted for review"),
    State.ACCEPTED: tr("accepted"),
    State.EXISTS: tr("in fatcat already"),
    State.IN_REVIEW: tr("submitted before, waiting for review"),
    State.REPEATED: tr("the same as an earlier one"),
    State.WOULD_PUSH: tr("would be pushed"),
    State.REFUSED: tr("not pushed"),
    State.NO_RELEASE: tr("not pushed: no release"),
    State.OTHER_STAGE: tr("not pushed: another stage"),
    State.REJECTED: tr("rejected"),
    State.FAILED: tr("failed"),
    State.NOT_PUSHED: tr("not reached"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one result: `ident` is that of the entity in fatcat, `message` why, or more.

    `code` says why there is no entity of it. "" is what is not known.
    """

    state: State
    of: Entity | NoEntity
    release: str = ""
    ident: str = ""
    editgroup: str = ""
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        fields = {
            "ingest_id": self.of.ingest_id,
            "base_url": self.of.base_url,
            "outcome": self.state,
            "code": self.of.code if isinstance(self.of, NoEntity) else "",
            "entity": self.of.kind if isinstance(self.of, Entity) else "",
            "release": self.release,
            "ident": self.ident,
            "editgroup": self.editgroup,
            "message": self.message,
        }
        return {name: value for name, value in fields.items() if value}

    def __str__(self) -> str:
        """It as a line for people."""
        who = self.of.base_url or self.of.ingest_id or tr("a line")
        kind = self.of.kind if isinstance(self.of, Entity) else ""
        where = f"{kind} {self.ident}" if self.ident else ""
        group = tr("editgroup {id}", id=self.editgroup) if self.editgroup else ""
        parts = [each for each in (where, group, self.message) if each]
        return f"{who}: {_WORDS[self.state]}" + (f" ({'; '.join(parts)})" if parts else "")
