# SPDX-License-Identifier: AGPL-3.0-or-later
"""The record of a DOI, read from DataCite or Crossref.

DataCite: REST API, "Retrieve a DOI" (support.datacite.org/docs/api-get-doi), metadata schema 4.6.
Crossref: REST API, `/works/{doi}` (api.crossref.org/swagger-ui). Which of them registered a DOI
tells `doi.org/ra/DOI` (DOI Handbook, "Registration agency lookup").
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from carrel.errors import ApiStop
from carrel.model import Status
from carrel.platforms.platform import Api, S, Shape
from carrel.platforms.shapes import Objects, Part, Text

_CROSSREF = "Crossref"
_DATACITE = "DataCite"
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Record:
    """What a registration agency says of a DOI.

    `kind` is DataCite's `resourceTypeGeneral` or Crossref's `type`, each in lower case with hyphens
    ("physical-object", "journal-article"); `content_urls` are the addresses of its files, seldom
    told; `sizes` are in the words of the depositor.
    """

    agency: str
    kind: str
    title: str | None = None
    creators: tuple[str, ...] = ()
    publisher: str | None = None
    published: str | None = None
    version: str | None = None
    license: str | None = None
    sizes: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    content_urls: tuple[str, ...] = ()


class _Agency(Shape):
    RA: Text = None


class _Named(Shape):
    name: Text = None
    title: Text = None


class _Rights(Shape):
    rights: Text = None
    rightsIdentifier: Text = None
    rightsUri: Text = None

    @property
    def words(self) -> str | None:
        return self.rightsIdentifier or self.rights or self.rightsUri


class _Types(Shape):
    resourceTypeGeneral: Text = None


class _Attributes(Shape):
    titles: Objects[_Named] = ()
    creators: Objects[_Named] = ()
    publisher: Any = None
    publicationYear: Text = None
    version: Text = None
    types: Part[_Types] = None
    rightsList: Objects[_Rights] = ()
    sizes: Any = ()
    formats: Any = ()
    contentUrl: Any = None


class _Data(Shape):
    attributes: Part[_Attributes] = None


class _DataCite(Shape):
    data: Part[_Data] = None


class _Author(Shape):
    name: Text = None
    given: Text = None
    family: Text = None

    @property
    def words(self) -> str:
        return self.name or ", ".join(filter(None, (self.family, self.given)))


class _License(Shape):
    URL: Text = None


class _Work(Shape):
    type: Text = None
    title: Any = ()
    publisher: Text = None
    author: Objects[_Author] = ()
    license: Objects[_License] = ()
    issued: Any = None


class _Crossref(Shape):
    message: Part[_Work] = None


def named_publisher(publisher: Any) -> str | None:
    """Return a publisher, None for a word that says why none is named (DataCite 4.6, appendix 3:
    ":unav")."""
    text = " ".join(publisher.split()) if isinstance(publisher, str) else ""
    return None if text.startswith((":", "(:")) else text or None


async def record_of(doi: str, api: Api) -> Record | None:
    """Return what is registered for a DOI, None if its agency has no such record.

    Raises ApiStop for an agency that gives no answer, or one of another shape.
    """
    path = quote(doi, safe="/")
    if await _agency(path, api) == _CROSSREF:
        work = await _read(f"https://api.crossref.org/works/{path}", _Crossref, api)
        return _from_crossref(work.message) if work and work.message else None
    found = await _read(f"https://api.datacite.org/dois/{path}", _DataCite, api)
    attributes = found.data.attributes if found and found.data else None
    return _from_datacite(attributes) if attributes else None


def record_in(attributes: Mapping[str, Any]) -> Record:
    """Return the record in the attributes of a DOI, as DataCite writes them."""
    return _from_datacite(_Attributes.model_validate(attributes))


async def _agency(path: str, api: Api) -> str | None:
    """Return the agency of a DOI, None where the resolver does not say."""
    try:
        rows = await api.json(f"https://doi.org/ra/{path}")
    except ApiStop:
        return None  # most that have data are DataCite's: it is asked anyway
    first = rows[0] if isinstance(rows, list) and rows else None
    return _Agency.model_validate(first).RA if isinstance(first, dict) else None


async def _read(url: str, shape: type[S], api: Api) -> S | None:
    try:
        return await api.read(url, shape)
    except ApiStop as stop:
        if stop.status is Status.PLATFORM_404:
            return None
        raise


def _from_datacite(about: _Attributes) -> Record:
    publisher = about.publisher
    if isinstance(publisher, dict):  # from schema 4.5 on an object
        publisher = publisher.get("name")
    return Record(
        agency=_DATACITE,
        kind=_hyphened(about.types.resourceTypeGeneral if about.types else None),
        title=next((one.title for one in about.titles if one.title), None),
        creators=tuple(one.name for one in about.creators if one.name),
        publisher=named_publisher(publisher),
        published=about.publicationYear,
        version=about.version,
        license=next((one.words for one in about.rightsList if one.words), None),
        sizes=_texts(about.sizes),
        formats=_texts(about.formats),
        content_urls=_texts(about.contentUrl),
    )


def _from_crossref(work: _Work) -> Record:
    return Record(
        agency=_CROSSREF,
        kind=(work.type or "").lower(),
        title=next(iter(_texts(work.title)), None),
        creators=tuple(one.words for one in work.author if one.words),
        publisher=named_publisher(work.publisher),
        published=_year(work.issued),
        license=next((one.URL for one in work.license if one.URL), None),
    )


def _year(issued: Any) -> str | None:
    """Return the year in Crossref's `{"date-parts": [[2016, 3]]}`."""
    try:
        year = issued["date-parts"][0][0]
    except (TypeError, KeyError, IndexError):
        return None
    return str(year) if isinstance(year, int) else None


def _hyphened(name: str | None) -> str:
    return _WORD.sub("-", name or "").lower()


def _texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in values if isinstance(text, str) and text.strip())
