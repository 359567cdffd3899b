# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which kind of list a text is: by what it begins with, then by the name of its file."""

import re

from carrel.engine.batches.batch import Kind
from carrel.engine.batches.bookmarks import BINARY_PLIST, is_html, is_shortcut
from carrel.engine.batches.table import looks_like_table
from carrel.engine.batches.text import Lines

_BY_NAME = {
    ".csv": Kind.CSV,
    ".tsv": Kind.TSV,
    ".tab": Kind.TSV,
    ".jsonl": Kind.JSONL,
    ".ndjson": Kind.JSONL,
    ".json": Kind.JSONL,
    ".bib": Kind.BIBTEX,
    ".bibtex": Kind.BIBTEX,
    ".ris": Kind.RIS,
    ".xml": Kind.OAI_PMH,
    ".url": Kind.SHORTCUT,
    ".desktop": Kind.SHORTCUT,
    ".webloc": Kind.SHORTCUT,
    ".html": Kind.BOOKMARKS,
    ".htm": Kind.BOOKMARKS,
}
_BIBTEX = re.compile(r"^[ \t]{0,20}@[A-Za-z]{3,20}[ \t]{0,20}[{(]", re.MULTILINE)
_RIS = re.compile(r"^TY {1,2}- ?[A-Z]", re.MULTILINE)
_LINES_LOOKED_AT = 50


def kind_of(lines: Lines, name: str) -> Kind:
    """Return the kind of the list that begins so, in a file of this name (or "").

    Raises UsageError for what is no list.
    """
    if lines.raw_head.startswith(BINARY_PLIST):
        return Kind.SHORTCUT
    head = lines.head
    start = head.lstrip()
    if is_shortcut(start):
        return Kind.SHORTCUT
    suffix = re.search(r"\.\w+$", name.lower())
    named = _BY_NAME.get(suffix[0]) if suffix else None
    if start.startswith("<"):
        is_page = named is not Kind.OAI_PMH and (is_html(start) or named is Kind.BOOKMARKS)
        return Kind.BOOKMARKS if is_page else Kind.OAI_PMH
    if re.match(r'\{\s*"', start):
        return Kind.JSONL
    if named:
        return named
    if _RIS.search(head[:4096]):
        return Kind.RIS
    if _BIBTEX.search(head):
        return Kind.BIBTEX
    first = head.splitlines()[:_LINES_LOOKED_AT]
    return Kind.CSV if looks_like_table(first) else Kind.PLAIN
