# SPDX-License-Identifier: AGPL-3.0-or-later
"""The shapes of CKAN's answers (docs.ckan.org/en/2.11/api), and those that extensions make of them.

Portals of the DCAT kind give texts as objects by language; EnviDat and others put JSON in strings.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from carrel.platforms.addresses import bare_doi
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Flag, Objects, Part, Rows, Text, as_count, as_text
from carrel.validation import BeforeValidator, Field

_NOT_FOUND = "Not Found Error"
_NOT_ALLOWED = "Authorization Error"
_LONGEST_JSON = 200_000


def in_words(value: Any) -> str | None:
    """Return a text, also one given by language: in English if there is one, else the first."""
    if isinstance(value, Mapping):
        texts = [value.get("en"), *value.values()]
        return next((text for one in texts if (text := as_text(one))), None)
    return as_text(value)


def unpacked(value: Any) -> Any:
    """Return what is written as JSON in a string, anything else as it is."""
    if not isinstance(value, str) or value[:1] not in ("{", "[") or len(value) > _LONGEST_JSON:
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _size(value: Any) -> int | None:
    """Return a size; 0 stands for one that is not known, "12.0" for a whole number."""
    if isinstance(value, str):
        value = value.strip().removesuffix(".0")
    return as_count(value) or None


Words = Annotated[str | None, BeforeValidator(in_words)]
Size = Annotated[int | None, BeforeValidator(_size)]


class Resource(Shape):
    """One file, table, page or service of a dataset."""

    id: Text = None
    name: Words = None
    title: Words = None
    url: Text = None
    download_url: Text = None
    size: Size = None
    byte_size: Size = None
    told_size: Text = Field(default=None, validation_alias="size")
    hash: Text = None
    hash_algorithm: Text = None
    mimetype: Text = None
    media_type: Text = None
    format: Words = None
    url_type: Text = None
    state: Text = None
    license: Words = None
    restricted: Any = None
    restricted_level: Text = None

    @property
    def level(self) -> str:
        """Who may have it, as the extension "restricted" says; "public" where nothing is said."""
        told = unpacked(self.restricted)
        level = as_text(told.get("level")) if isinstance(told, Mapping) else None
        return level or self.restricted_level or "public"


class _Extra(Shape):
    key: Text = None
    value: Any = None


class _Organization(Shape):
    title: Words = None


class Package(Shape):
    """A dataset."""

    id: Text = None
    name: Text = None
    title: Words = None
    notes: Words = None
    description: Words = None
    author: Any = None
    doi: Text = None
    license_id: Text = None
    license_title: Text = None
    license_url: Text = None
    issued: Text = None
    metadata_created: Text = None
    private: Flag = None
    state: Text = None
    type: Text = None
    num_resources: Count = None
    extras: Objects[_Extra] = ()
    resources: Rows[Resource]

    @property
    def files(self) -> tuple[Resource, ...]:
        """Its resources, without those that were deleted."""
        return tuple(one for one in self.resources if one.state in (None, "", "active"))

    @property
    def creators(self) -> tuple[str, ...]:
        """Whom it names as authors: as text, by language, or as JSON of people."""
        return tuple(dict.fromkeys(_people(unpacked(self.author))))

    @property
    def license(self) -> str | None:
        """The licence; where only its files have one, and all the same, that."""
        own = self.license_url or self.license_id or self.license_title
        if own and own != "notspecified":
            return own
        theirs = {one.license for one in self.files}
        return next(iter(theirs)) if len(theirs) == 1 else None

    @property
    def registered_doi(self) -> str | None:
        """Its DOI, which some portals keep among the extra fields."""
        told = [
            self.doi,
            *(as_text(self.among_extras(name)) for name in ("doi", "DOI", "identifier")),
        ]
        return next((doi for one in told if (doi := bare_doi(one))), None)

    def among_extras(self, key: str) -> Any:
        """Return what stands in the extra fields under a key, unpacked; None if nothing does."""
        return next((unpacked(one.value) for one in self.extras if one.key == key), None)


def _people(told: Any) -> Iterator[str]:
    if isinstance(told, list):
        for one in told:
            yield from _people(one)
    elif isinstance(told, Mapping) and ("given_name" in told or "name" in told):
        names = (as_text(told.get("name")), as_text(told.get("given_name")))
        if name := ", ".join(filter(None, names)):
            yield name
    elif text := in_words(told):
        yield text


class _Error(Shape):
    kind: Text = Field(default=None, validation_alias="__type")
    message: Text = None


class Answer(Shape):
    """What an action answers. One that failed may do so with HTTP 200."""

    success: Flag = None
    error: Part[_Error] = None

    @property
    def is_missing(self) -> bool:
        return self.error is not None and self.error.kind == _NOT_FOUND

    @property
    def is_refused(self) -> bool:
        return self.error is not None and self.error.kind == _NOT_ALLOWED

    @property
    def words(self) -> str:
        return (self.error.message or self.error.kind or "") if self.error else ""


class PackageAnswer(Answer):
    """What `package_show` answers."""

    result: Package | None = None


class _OfPackage(Shape):
    package_id: Text = None


class ResourceAnswer(Answer):
    """What `resource_show` answers."""

    result: Part[_OfPackage] = None


class _Site(Shape):
    ckan_version: Text = None
    site_title: Words = None


class StatusAnswer(Answer):
    """What `status_show` answers: that there is a CKAN."""

    result: Part[_Site] = None
