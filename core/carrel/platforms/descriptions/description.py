# SPDX-License-Identifier: AGPL-3.0-or-later
"""What any description says of a dataset, whatever its format, and the text it is read from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from carrel.model import Finding, Landing
from carrel.platforms import json_ld, xml_tree
from carrel.platforms.distributions import Distribution
from carrel.platforms.xml_tree import Element, NotXml


@dataclass(frozen=True, slots=True)
class Description:
    """What a description says of the dataset as a whole, and of its files.

    `reference` is the address that it gives itself, which may be relative to where it stands.
    `found` is all that can be downloaded by it, with what is no file. `shortfall` says what the
    dataset has beyond that, None if it is complete; `restriction` that it is not for everybody.
    `parts` are the addresses of documents that describe further files of it, `listing` that of the
    first page of a listing of such parts. `others` are the names of datasets among which no one
    tells which is meant: then it describes none.
    """

    identifier: str | None = None
    title: str | None = None
    creators: tuple[str, ...] = ()
    license: str | None = None
    published: str | None = None
    publisher: str | None = None
    version: str | None = None
    description: str | None = None
    reference: str | None = None
    format: str = "schema.org"
    found: tuple[Distribution, ...] = ()
    findings: tuple[Finding, ...] = ()
    shortfall: str | None = None
    restriction: str | None = None
    parts: tuple[str, ...] = ()
    listing: str | None = None
    others: tuple[str, ...] = ()

    @property
    def files(self) -> list[Distribution]:
        return [one for one in self.found if one.is_file]


@dataclass(frozen=True)
class Document:
    """A text from outside and where it stands. `pages` are other addresses of what it is to
    describe: those of the page that links to it, and how that was reached."""

    text: str
    url: str
    pages: tuple[str, ...] = ()

    @cached_property
    def json(self) -> Any:
        """The text as JSON, None if it is none."""
        try:
            return json.loads(self.text.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return None

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the JSON object that the text is, none if it is no object."""
        return self.json if isinstance(self.json, dict) else {}

    @cached_property
    def xml(self) -> Element | None:
        """The root of the text as XML, None if it is none that is read here."""
        if not self.text.lstrip("\ufeff \t\r\n").startswith("<"):
            return None
        try:
            return xml_tree.parse(self.text.lstrip("\ufeff \t\r\n"))
        except NotXml:
            return None

    @cached_property
    def nodes(self) -> tuple[Mapping[str, Any], ...]:
        """The objects of the text as JSON-LD, names plain."""
        return json_ld.parse(self.text).objects if isinstance(self.json, dict | list) else ()

    @cached_property
    def page(self) -> Landing:
        """The document as if it were a page, in whose terms schema.org is read."""
        hops = (*self.pages, self.url)
        return Landing(hops[0], hops, 200, json_ld=self.nodes)
