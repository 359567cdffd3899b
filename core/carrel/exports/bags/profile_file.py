# SPDX-License-Identifier: AGPL-3.0-or-later
"""Profiles by name, and from files as recipients publish them (BagIt Profiles 1.1 to 1.4)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from carrel.errors import UsageError
from carrel.exports.bags.known_profiles import KNOWN
from carrel.exports.bags.profile import (
    ANY,
    APTRUST_INFO,
    VERSIONS,
    Lists,
    Profile,
    Serialization,
    Tag,
)
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.validation import BaseModel, ConfigDict, Field, ValidationError

_Texts = tuple[str, ...]


class _Info(BaseModel):
    identifier: str = Field(alias="BagIt-Profile-Identifier", min_length=1)


class _Tag(BaseModel):
    required: bool = False
    repeatable: bool = True
    values: _Texts = ()


class _File(BaseModel):
    """What a file says. What else it requires Carrel could not hold to: it is refused."""

    model_config = ConfigDict(extra="forbid")

    info: _Info = Field(alias="BagIt-Profile-Info")
    tags: Mapping[str, _Tag] = Field(alias="Bag-Info", default={})
    manifests_required: _Texts = Field(alias="Manifests-Required", default=())
    manifests_allowed: _Texts = Field(alias="Manifests-Allowed", default=())
    tag_manifests_required: _Texts = Field(alias="Tag-Manifests-Required", default=())
    tag_manifests_allowed: _Texts = Field(alias="Tag-Manifests-Allowed", default=())
    tag_files_required: _Texts = Field(alias="Tag-Files-Required", default=())
    tag_files_allowed: _Texts = Field(alias="Tag-Files-Allowed", default=("*",))
    allow_fetch: bool = Field(alias="Allow-Fetch.txt", default=True)
    fetch_required: bool = Field(alias="Fetch.txt-Required", default=False)
    serialization: Serialization = Field(alias="Serialization", default=Serialization.OPTIONAL)
    accepted: _Texts = Field(alias="Accept-Serialization", default=())
    versions: _Texts = Field(alias="Accept-BagIt-Version", default=VERSIONS)
    data_empty: Literal[False] = Field(alias="Data-Empty", default=False)


def profile_named(name: str) -> Profile:
    """Return a profile that Carrel knows, or that is in a file; that which requires nothing for "".

    Raises UsageError.
    """
    if not name:
        return ANY
    if known := KNOWN.get(name.lower()):
        return known
    path = Path(name)
    try:
        if path.stat().st_size > MEBIBYTE:
            raise UsageError(tr("{path} is too large for a profile of bags.", path=path))
        said = _File.model_validate(json.loads(path.read_bytes()))
    except (FileNotFoundError, NotADirectoryError) as error:
        names = ", ".join(KNOWN)
        words = tr(
            "There is no file {path}; profiles known by name: {names}.", path=path, names=names
        )
        raise UsageError(words) from error
    except OSError as error:
        raise UsageError(
            tr("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error)
        ) from error
    except ValidationError as error:
        raise UsageError(_why_not(path, error)) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(tr("{path} is not JSON.", path=path)) from error
    return _profile(path, said)


def _profile(path: Path, said: _File) -> Profile:
    tags = {name: Tag(tag.required, tag.repeatable, tag.values) for name, tag in said.tags.items()}
    is_aptrust = APTRUST_INFO in said.tag_files_required
    return Profile(
        path.name,
        said.info.identifier,
        tags,
        aptrust=KNOWN["aptrust"].aptrust if is_aptrust else {},
        manifests=Lists(said.manifests_required, said.manifests_allowed),
        tag_manifests=Lists(said.tag_manifests_required, said.tag_manifests_allowed),
        tag_files_required=said.tag_files_required,
        tag_files_allowed=said.tag_files_allowed,
        versions=said.versions,
        serialization=said.serialization,
        accepted=said.accepted,
        may_fetch=said.allow_fetch,
        must_fetch=said.fetch_required,
    )


def _why_not(path: Path, error: ValidationError) -> str:
    first: Any = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or "."
    if first["type"] in ("extra_forbidden", "literal_error"):
        return tr("{path} requires {place}, which Carrel does not know.", path=path, place=place)
    return tr("{path} is not a profile of bags: {place}.", path=path, place=place)
