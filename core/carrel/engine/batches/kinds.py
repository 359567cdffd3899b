# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which kind of list a text is: by what it begins with, then by the name of its file."""

import re

from carrel.engine.batches.batch import Kind
from carrel.engine.batches.table import looks_like_table

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
}
_BIBTEX = re.compile(r"^[ \t]{0,20}@[A-Za-z]{3,20}[ \t]{0,20}[{(]", re.MULTILINE)
_RIS = re.compile(r"^TY {1,2}- ?[A-Z]", re.MULTILINE)
_LINES_LOOKED_AT = 50


def kind_of(head: str, name: str) -> Kind:
    """Return the kind of the list that begins so, in a file of this name (or "")."""
    start = head.lstrip()
    if start.startswith("<"):
        return Kind.OAI_PMH
    if re.match(r'\{\s*"', start):
        return Kind.JSONL
    suffix = re.search(r"\.\w+$", name.lower())
    if suffix and suffix[0] in _BY_NAME:
        return _BY_NAME[suffix[0]]
    if _RIS.search(head[:4096]):
        return Kind.RIS
    if _BIBTEX.search(head):
        return Kind.BIBTEX
    lines = head.splitlines()[:_LINES_LOOKED_AT]
    return Kind.CSV if looks_like_table(lines) else Kind.PLAIN
