# SPDX-License-Identifier: AGPL-3.0-or-later
"""Searching holdings by SQLite's full text: what is indexed of each, and what words ask for.

https://www.sqlite.org/fts5.html, 3 and 4.3.1.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

from carrel.model.digest import digest_in

# All that stands beside the ledger's rows can be made from them again.
TABLES = """
CREATE VIRTUAL TABLE holdings_text USING fts5 (
    title, creators, identifiers, files, remarks,
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3 4'
);
"""
ADD = """
INSERT INTO holdings_text (rowid, title, creators, identifiers, files, remarks)
VALUES (?, ?, ?, ?, ?, ?)
"""
HAVE_WORDS = "SELECT rowid FROM holdings_text WHERE holdings_text MATCH :match"
# These are written without spaces between words: each sign is indexed as a word.
_IDEOGRAPHS = re.compile(r"([\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff])")
_TERM = re.compile(r"[\"“”„](?P<exact>[^\"“”„]+)[\"“”]|(?P<word>\S+)")
_WORD = re.compile(r"[^\W_]+")
# A DOI is indexed as such, and sought as people copy it as well.
_RESOLVER = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:)(?=10\.)", re.IGNORECASE)
# As few digits of a digest as are not met by chance in names.
_DIGEST = re.compile(r"[0-9a-f]{8,128}", re.IGNORECASE)


def indexed(texts: Iterable[str]) -> str:
    """Return texts as they go into a column of the index."""
    return _spaced("\n".join(texts))


def match(text: str) -> str | None:
    """Return what asks for all words of a text, each as the beginning of a word; None for none.

    A word with punctuation inside, as a file name or a DOI, asks for its parts side by side. What
    stands in quotation marks asks for these words as they are, side by side.
    """
    asked = [
        _phrase(_RESOLVER.sub("", found["word"]))
        if found["word"]
        else _phrase(found["exact"], is_whole=True)
        for found in _TERM.finditer(text)
    ]
    return " AND ".join(filter(None, asked)) or None


def matching(rows: Iterable[Sequence[Iterable[str]]], text: str) -> list[int]:
    """Return which of some rows, each of the texts of the five columns, have all words of a text;
    by the rules of the index, in an index of their own."""
    asked = match(text)
    if asked is None:
        return []
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(TABLES)
        for number, columns in enumerate(rows):
            db.execute(ADD, [number, *map(indexed, columns)])
        return [number for (number,) in db.execute(f"{HAVE_WORDS} ORDER BY rowid", [asked])]


def digest_prefix(text: str) -> str | None:
    """Return the first digits of a digest that a text is, in lower case; None if it is none.

    A whole one may be written as tools do, with the name of its algorithm.
    """
    if digest := digest_in(text):
        return digest.value
    stripped = text.strip()
    return stripped.lower() if _DIGEST.fullmatch(stripped) else None


def _phrase(text: str, *, is_whole: bool = False) -> str:
    parts = _WORD.findall(_spaced(text))
    return f'"{" ".join(parts)}"{"" if is_whole else " *"}' if parts else ""


def _spaced(text: str) -> str:
    return _IDEOGRAPHS.sub(r" \1 ", text)
