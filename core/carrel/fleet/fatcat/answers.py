# SPDX-License-Identifier: AGPL-3.0-or-later
"""What fatcat's API answers, as far as it is used (definitions of its Swagger description)."""

from datetime import datetime
from typing import Annotated, Any

from carrel.validation import BaseModel, ConfigDict, Field

Ident = Annotated[str, Field(pattern=r"^[a-zA-Z2-7]{26}$")]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class ManifestEntry(_Answer):
    """A file of a fileset."""

    sha1: str | None = None


class Fileset(_Answer):
    """A fileset that is there."""

    ident: Ident
    manifest: list[ManifestEntry] | None = None

    @property
    def sha1s(self) -> frozenset[str | None]:
        return frozenset(each.sha1 for each in self.manifest or ())


class Release(_Answer):
    """A release. `state` is active, wip, redirect or deleted; a redirect names another release."""

    ident: Ident
    state: str | None = None
    redirect: Ident | None = None
    release_stage: str | None = None
    filesets: list[Fileset] | None = None


class File(_Answer):
    """A file that is there."""

    ident: Ident
    release_ids: list[str] | None = None


class Edit(_Answer):
    """An entity that was put into an editgroup; `extra` is its `edit_extra`."""

    ident: Ident
    extra: dict[str, Any] | None = None

    @property
    def key(self) -> str:
        """The key that Carrel gave it, "" if it is not Carrel's."""
        return str((self.extra or {}).get("carrel_key") or "")

    @property
    def ingest_id(self) -> str:
        return str((self.extra or {}).get("ingest_id") or "")


class Edits(_Answer):
    """The edits of an editgroup, of the two kinds that Carrel makes."""

    filesets: list[Edit] | None = None
    files: list[Edit] | None = None


class Editgroup(_Answer):
    """Edits that are reviewed together: open, then submitted, then accepted (`changelog_index`)."""

    editgroup_id: Ident
    changelog_index: int | None = None
    created: str | None = None
    submitted: datetime | None = None
    extra: dict[str, Any] | None = None
    edits: Edits | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of what Carrel meant to put into it, none if it is not Carrel's."""
        extra = self.extra or {}
        if not str(extra.get("agent") or "").startswith("carrel/"):
            return ()
        keys = extra.get("keys")
        return tuple(map(str, keys)) if isinstance(keys, list) else ()

    @property
    def is_open(self) -> bool:
        """Whether it was neither submitted nor accepted."""
        return self.submitted is None and self.changelog_index is None

    @property
    def inside(self) -> dict[str, tuple[str, str]]:
        """By its key, ident and ingest id of each entity that Carrel put into it."""
        edits = self.edits or Edits()
        every = (*(edits.filesets or ()), *(edits.files or ()))
        return {each.key: (each.ident, each.ingest_id) for each in every if each.key}
