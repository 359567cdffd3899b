# SPDX-License-Identifier: AGPL-3.0-or-later
"""A record of EPrints, from its JSON or its XML export: the same fields under the same names."""

from typing import Any

from carrel.model import Fixity
from carrel.platforms.entries import digests
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Count, Objects, Rows, Text
from carrel.platforms.xml_tree import Element

# A document made from another one: a preview, the words for the search.
_MADE = ("isVolatileVersionOf", "isIndexCodesVersionOf", "ThumbnailVersionOf")


class File(Shape):
    filename: Text = None
    filesize: Count = None
    hash: Text = None
    hash_type: Text = None
    mime_type: Text = None
    uri: Text = None
    url: Text = None

    @property
    def declared(self) -> Fixity:
        return Fixity(self.filesize, digests(self.hash_type or "md5", self.hash))


class Relation(Shape):
    type: Text = None


class Document(Shape):
    docid: Text = None
    pos: Text = None
    main: Text = None
    security: Text = None
    license: Text = None
    date_embargo: Text = None
    files: Rows[File] = ()
    relation: Objects[Relation] = ()

    @property
    def is_made(self) -> bool:
        """Whether EPrints made it from another document."""
        return any((one.type or "").endswith(_MADE) for one in self.relation)


class Name(Shape):
    given: Text = None
    family: Text = None


class Creator(Shape):
    name: Any = None

    @property
    def words(self) -> str | None:
        if isinstance(self.name, dict):
            name = Name.model_validate(self.name)
            return ", ".join(filter(None, (name.family, name.given))) or None
        return self.name if isinstance(self.name, str) else None


class Record(Shape):
    eprintid: Text = None
    rev_number: Text = None
    eprint_status: Text = None
    title: Text = None
    abstract: Text = None
    type: Text = None
    date: Text = None
    doi: Text = None
    id_number: Text = None
    full_text_status: Text = None
    creators: Objects[Creator] = ()
    documents: Rows[Document] = ()


def from_xml(root: Element) -> Record | None:
    """Return the record in an export, None if there is none in it."""
    eprint = root if root.name == "eprint" else root.at("eprint")
    if eprint is None:
        return None
    fields: dict[str, Any] = {child.name: child.text.strip() for child in eprint.children}
    fields["documents"] = [_document(one) for one in _items(eprint, "documents", "document")]
    fields["creators"] = [
        {"name": {part.name: part.text for part in name.children} or name.text}
        for one in _items(eprint, "creators", "item")
        if (name := one.at("name"))
    ]
    return Record.model_validate(fields)


def _document(element: Element) -> dict[str, Any]:
    fields: dict[str, Any] = {child.name: child.text.strip() for child in element.children}
    fields["files"] = [
        {child.name: child.text.strip() for child in one.children}
        for one in _items(element, "files", "file")
    ]
    fields["relation"] = [{"type": one.told("type")} for one in _items(element, "relation", "item")]
    return fields


def _items(element: Element, group: str, name: str) -> list[Element]:
    found = element.at(group)
    return list(found.every(name)) if found else []
