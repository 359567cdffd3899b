# SPDX-License-Identifier: AGPL-3.0-or-later
"""What fatcat has already: the release of a dataset, and the entity itself."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from carrel.errors import ApiStop
from carrel.fleet.fatcat.answers import Release
from carrel.fleet.fatcat.api import Fatcat
from carrel.fleet.fatcat.outcome import Outcome, State
from carrel.model.fatcat import Entity, EntityKind
from carrel.translation import tr

_GONE = "deleted"
_ELSEWHERE = "redirect"


@dataclass(frozen=True, slots=True)
class Member:
    """An entity that is to go into an editgroup, at a release; `key` is told by the same files."""

    entity: Entity
    release: str

    @property
    def key(self) -> str:
        return self.entity.key(self.release)

    @property
    def body(self) -> dict[str, object]:
        """What is sent: the entity at its release, with the key by which it is found again."""
        edit_extra = {**self.entity.body["edit_extra"], "carrel_key": self.key}
        return {**self.entity.body, "release_ids": [self.release], "edit_extra": edit_extra}


def looked_up(fatcat: Fatcat, entity: Entity) -> Member | Outcome:
    """Return an entity at its release, or why it is not to be pushed. Raises IngestStop."""
    release = _release(fatcat, entity)
    if isinstance(release, Outcome):
        return release
    if entity.stage and release.release_stage and entity.stage != release.release_stage:
        message = tr(
            "the request is for “{asked}”, the release in fatcat is “{there}”",
            asked=entity.stage,
            there=release.release_stage,
        )
        return Outcome(State.OTHER_STAGE, entity, release.ident, message=message)
    if entity.kind is EntityKind.FILE:
        return _file(fatcat, entity, release)
    for each in release.filesets or ():
        # A release may list filesets without their manifests.
        fileset = each if each.manifest is not None else fatcat.fileset(each.ident)
        if fileset is not None and fileset.sha1s == entity.sha1s:
            return Outcome(State.EXISTS, entity, release.ident, fileset.ident)
    return Member(entity, release.ident)


def _file(fatcat: Fatcat, entity: Entity, release: Release) -> Member | Outcome:
    (sha1,) = entity.sha1s
    there = fatcat.file_by(sha1)
    if there is None:
        return Member(entity, release.ident)
    found = Outcome(State.EXISTS, entity, release.ident, there.ident)
    if release.ident in (there.release_ids or ()):
        return found
    return replace(found, message=tr("not at this release; add it in fatcat"))


def _release(fatcat: Fatcat, entity: Entity) -> Release | Outcome:
    """Return the release, the one that was named or that an identifier leads to."""
    asked = []
    for name, value in _names(entity):
        try:
            found = fatcat.release(value) if name == "ident" else fatcat.release_by(name, value)
        except ApiStop as stop:
            if stop.http_status != 400:
                raise
            asked.append(tr("{name} {value} (refused as malformed)", name=name, value=value))
            continue
        if found is not None and found.state == _ELSEWHERE and found.redirect:
            found = fatcat.release(found.redirect)
        if found is not None and found.state not in (_GONE, _ELSEWHERE):
            return found
        asked.append(f"{name} {value}")
    if not asked:
        message = tr("the result has no identifier that fatcat looks releases up by")
    else:
        message = tr("not in fatcat: {names}", names=", ".join(asked))
    return Outcome(State.NO_RELEASE, entity, message=message)


def _names(entity: Entity) -> Iterator[tuple[str, str]]:
    if entity.release_ident:
        yield "ident", entity.release_ident
        return
    yield from entity.ext_ids.items()
