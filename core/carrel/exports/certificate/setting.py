# SPDX-License-Identifier: AGPL-3.0-or-later
"""A certificate's document as the template `certificate.typ` reads it: JSON, all texts as texts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from carrel.exports.certificate.document import (
    Blanks,
    Block,
    Commands,
    Document,
    FileRow,
    Files,
    Level,
    Pairs,
    Paragraph,
    Section,
    Summary,
    Table,
    Value,
)
from carrel.model.counts import counted
from carrel.model.prose import code_point, visible
from carrel.translation import is_right_to_left, language, tr

# So many files are printed, as each takes 0.1 MB of memory to set; of more, those that are not
# proven. All are in the attachment.
MOST_LISTED = 1000
# A line may end after so many characters of a name: in a table, and in the list of files.
_LONGEST_PART, _LONGEST_NAME = 12, 60
# A digest is whole where it can be; the columns of a table have room for half a SHA-256.
_WHOLE_DIGEST, _DIGEST_IN_COLUMN = 128, 32
# Marks of Unicode's bidirectional algorithm (UAX 9, 2.4): a stretch with a direction of its own.
_LEFT_TO_RIGHT, _BY_ITSELF, _END_OF_APART = "\u2066", "\u2068", "\u2069"
_USUAL_WIDTHS: Mapping[int, Sequence[int]] = {3: (4, 3, 4), 4: (3, 1, 4, 4), 5: (4, 6, 2, 2, 4)}


def is_packed(count: int) -> bool:
    """Say whether the facts on so many files are attached as a gzip file."""
    return count > MOST_LISTED


class Setting:
    """A document as the template reads it, with the characters that no font has by their number."""

    def __init__(self, document: Document, undrawn: set[str]) -> None:
        self._document = document
        self._numbers = {ord(each): code_point(each) for each in undrawn}

    def to_json(self) -> dict[str, Any]:
        document = self._document
        year, month, day = document.issued.split("-")
        return {
            "title": self._text(document.title),
            "kind": self._text(document.kind),
            "author": self._text(document.author),
            "date": [int(year), int(month), int(day)],
            "lang": _iso_language(),
            "rtl": is_right_to_left(),
            "foot": self._text(document.foot),
            "digest": f"SHA-256 {document.sha256}",
            "attached": self._attached(),
            "subtitle": self._values(document.subtitle),
            "summary": self._block(document.summary),
            "sections": [*map(self._section, document.sections), *self._notes()],
        }

    def _attached(self) -> dict[str, Any]:
        name, kind = "certificate.json", "application/json"
        if is_packed(self._document.file_count):
            name, kind = f"{name}.gz", "application/gzip"
        return {"name": name, "type": kind, "text": self._text(tr("The facts as JSON"))}

    def _notes(self) -> Iterator[dict[str, Any]]:
        if not self._numbers:
            return
        text = tr(
            "{characters} in this document: no font on this system has them. They are printed by "
            "their Unicode numbers, between ⟨ and ⟩; the attached JSON has them as they are.",
            characters=counted(len(self._numbers), "character"),
        )
        heading = tr("Characters that could not be printed")
        yield self._section(Section(heading, [Paragraph(text)]))

    def _section(self, section: Section) -> dict[str, Any]:
        blocks = [self._block(each) for each in section.blocks]
        return {"heading": self._text(section.heading), "blocks": blocks}

    def _block(self, block: Block) -> dict[str, Any]:
        match block:
            case Summary(level, heading, sentences):
                texts = [self._text(each) for each in sentences]
                return {
                    "kind": "summary",
                    "level": level,
                    "heading": self._text(heading),
                    "sentences": texts,
                }
            case Paragraph(text):
                return {"kind": "paragraph", "text": self._text(text)}
            case Pairs(rows):
                pairs = [
                    {"name": self._text(name), "values": self._values(each)} for name, each in rows
                ]
                return {"kind": "pairs", "rows": pairs}
            case Table():
                return self._table(block)
            case Files():
                return self._files(block)
            case Commands(lines):
                return {"kind": "commands", "lines": [self._text(line) for line in lines]}
            case Blanks(labels):
                return {"kind": "blanks", "labels": [self._text(label) for label in labels]}

    def _table(self, table: Table) -> dict[str, Any]:
        rows = [
            [{"values": self._values(cell, _DIGEST_IN_COLUMN)} for cell in row]
            for row in table.rows
        ]
        return {
            "kind": "table",
            "caption": self._text(table.caption),
            "heads": [self._text(head) for head in table.heads],
            "widths": table.widths or _USUAL_WIDTHS[len(table.heads)],
            "rows": rows,
        }

    def _files(self, block: Files) -> dict[str, Any]:
        is_all = block.count <= MOST_LISTED
        rows = block.rows() if is_all else _that_need_attention(block.rows())
        listed = [self._file(row) for row in islice(rows, MOST_LISTED)]
        return {
            "kind": "files",
            "caption": self._text(block.caption),
            "note": "" if is_all else self._text(_not_all(len(listed), block.count)),
            "heads": [self._text(head) for head in block.heads],
            "rows": listed,
        }

    def _file(self, row: FileRow) -> dict[str, Any]:
        (name,), *others = row.cells
        return {
            "level": row.level,
            "name": _parts(name, self._text(f"{row.number} {name.text}"), _LONGEST_NAME),
            "cells": [list(self._runs(cell)) for cell in others],
        }

    def _runs(self, values: Sequence[Value]) -> Iterator[dict[str, Any]]:
        """Yield a cell as runs of text in one face each."""
        before = ""
        for value in values:
            label = f"{self._text(value.label)} " if value.label else ""
            if value.is_code:
                if before or label:
                    yield {"code": False, "text": before + label}
                for part in _parts(value, self._apart(value), _LONGEST_NAME):
                    yield {"code": True, "text": part}
                before = " · "
            else:
                before += f"{self._apart(value)} · "
        if before.removesuffix(" · "):
            yield {"code": False, "text": before.removesuffix(" · ")}

    def _values(
        self, values: Sequence[Value], longest_digest: int = _WHOLE_DIGEST
    ) -> list[dict[str, Any]]:
        return [
            {
                "parts": _parts(value, self._apart(value), _LONGEST_PART, longest_digest),
                "code": value.is_code,
                "label": self._text(value.label),
            }
            for value in values
        ]

    def _apart(self, value: Value) -> str:
        """Return a value so that a document from right to left does not turn it around."""
        text = self._text(value.text)
        if not text or not is_right_to_left():
            return text
        return f"{_LEFT_TO_RIGHT if value.is_code else _BY_ITSELF}{text}{_END_OF_APART}"

    def _text(self, text: str) -> str:
        return visible(text).translate(self._numbers)


def _that_need_attention(rows: Iterator[FileRow]) -> Iterator[FileRow]:
    return (row for row in rows if row.level is not Level.GOOD)


def _not_all(listed: int, count: int) -> str:
    return tr(
        "Of {files}, these {listed:,} are printed: those that are not archived, not intact or not "
        "proven by a published checksum, up to {most:,}. All files are listed in "
        "certificate.json.gz, which is attached to this PDF; the certificate as HTML lists them "
        "all, too.",
        files=counted(count, "file"),
        listed=listed,
        most=MOST_LISTED,
    )


def _parts(value: Value, text: str, longest: int, longest_digest: int = _WHOLE_DIGEST) -> list[str]:
    """Return a text in parts between which a line may end; what has a label is a digest."""
    if not value.is_code or not text:
        return [text]
    if value.label:
        longest = longest_digest
    return [text[start : start + longest] for start in range(0, len(text), longest)]


def _iso_language() -> str:
    """Return the language as PDF knows it: English for those that are made up."""
    code = (language() or "en").partition("_")[0]
    return code if re.fullmatch("[a-z]{2,3}", code) else "en"
