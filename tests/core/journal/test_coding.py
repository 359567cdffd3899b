# SPDX-License-Identifier: AGPL-3.0-or-later
"""Entries come back from JSON as they went in; what another Carrel wrote is told from nonsense."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.dark_archive.entries import ENTRIES
from carrel.errors import JournalTooNew
from carrel.journal import lines
from carrel.journal.lines import NOTHING
from carrel.model.dark import (
    ArchiveMissed,
    BatchBegan,
    ContainerSeen,
    ContainerState,
    Content,
    Entry,
    FixityChecked,
    IncidenceKind,
    Looked,
    Lost,
    ObiKind,
    Opened,
    Purged,
    Redirect,
    Reference,
    RunBegan,
    RunEnded,
    RunSource,
    ScopeRead,
    StoreMade,
    TemplateSeen,
    Version,
)
from carrel.model.remarks import Remark
from support.journals import began, seen

CONTENT = Content("a" * 64, "b" * 32, 12, "151/176/6771/RePEc%3Aaaa", "text/plain")
VERSION = Version("a" * 64, "b" * 32, 1700000000, CONTENT)
REFERENCES = (
    Reference(" http://e.org/a b.pdf", "http://e.org/ab.pdf", "application/pdf", None, None, "9"),
    Reference("file:///C:/a.pdf", None),
)
FULL: tuple[Entry, ...] = (
    StoreMade({"is_case_sensitive": True, "longest_name": 255, "link": None}),
    RunBegan(1, "RePEc", RunSource.TARBALL, "a.tgz", 2, "2026-04-20T07:45:51Z", 3),
    BatchBegan(2, 1, "2026-04-20T07:45:51Z"),
    ContainerSeen(
        1, "RePEc", "a.rdf", ContainerState.UNREADABLE, "a" * 64, 2, "utf-8", 3, "HTML", CONTENT
    ),
    TemplateSeen(
        *(1, "RePEc", "a.rdf", 0, "RePEc:AAA", "RePEc:aaa", "b" * 32, True, "aaa", "wpaper"),
        *("ReDIF-Paper 1.0", "no", IncidenceKind.REAPPEARANCE, VERSION, REFERENCES, "same text"),
    ),
    Looked(
        *(1, "http://e.org/", "http-404", True, "Not Found", (Redirect(301, "http://e.org/"),)),
        *(IncidenceKind.CHANGE, VERSION, CONTENT, {"request": {"User-Agent": ["Carrel"]}}),
    ),
    Lost(1, ObiKind.FOBI, "http://e.org/", 0, "http-410"),
    ArchiveMissed(1, "RePEc", "aaa", 12),
    ScopeRead(1, {"appearance": 1}),
    RunEnded(1, True, "2026-04-20T07:45:51Z", {"appearance": 1}, 3, (Remark("A.", "a"),), 2),
    FixityChecked(1, 2, 3, {"a" * 64: "damaged"}, ("a" * 64,)),
    Opened(1, "opened", ObiKind.TOBI, "RePEc:aaa", 1, "a" * 64, "asked for", "lost since 1"),
    Opened(
        1, "opened", ObiKind.TOBI, "RePEc:aaa", 1, "a" * 64, "asked for", "lost", "/copies/a.pdf"
    ),
    Purged(1, "a" * 64, "taken down"),
)

# A lone surrogate comes back; two that make a character come back as that character.
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.just("\udc80"))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=5,
)


def _written(entry: Entry, prev: str) -> bytes:
    return lines.entry_line(ENTRIES.encode(entry), prev)


def _read(line: bytes) -> Entry:
    return ENTRIES.decode(lines.read_entry(line))


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


@pytest.mark.parametrize("entry", FULL, ids=lambda entry: type(entry).__name__)
def test_an_entry_with_every_field_comes_back(entry: Entry) -> None:
    back = _read(_written(entry, NOTHING))

    assert back == entry


def test_every_class_of_entries_is_tried_above() -> None:
    tried = {type(entry) for entry in FULL}

    assert tried == set(get_args(Entry))


@settings(max_examples=200, deadline=None)
@given(ident=_TEXTS, cause=st.none() | _TEXTS, tist=st.integers(), has_references=st.booleans())
def test_any_text_and_number_comes_back(
    ident: str, cause: str | None, tist: int, has_references: bool
) -> None:
    references = (Reference(ident, cause),) if has_references else None
    entry = TemplateSeen(
        tist, ident, "", 0, ident, ident, "", False, cause=cause, references=references
    )

    line = _written(entry, NOTHING)

    assert _read(line) == entry
    assert len(line.decode().splitlines()) == 1


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(_TEXTS, _JSON, max_size=4))
def test_whatever_an_exchange_holds_comes_back(exchange: Mapping[str, Any]) -> None:
    entry = Looked(1, "http://e.org/", "ok", exchange=exchange)

    back = _read(_written(entry, NOTHING))

    assert back == entry


def test_what_is_as_by_default_is_left_out() -> None:
    coded = ENTRIES.encode(seen())

    assert list(coded) == [
        *("entry", "tist", "scope", "path", "position", "ident", "ident_n", "text_md5", "speaks")
    ]


def test_references_that_are_none_now_are_told_from_those_that_are_as_they_were() -> None:
    gone = TemplateSeen(1, "RePEc", "a", 0, "x", "x", "m", True, references=())

    coded = ENTRIES.encode(gone)

    assert coded["references"] == []
    assert ENTRIES.decode(coded) == gone


def test_a_line_is_for_reading() -> None:
    line = _written(seen(ident="RePEc:aaa:wpaper:Å"), "a" * 64).decode()

    assert line.startswith('{"entry":"templateseen","tist":1776671151,"scope":"RePEc",')
    assert '"ident":"RePEc:aaa:wpaper:Å"' in line
    assert line.endswith(f',"prev":"{"a" * 64}"}}')


@pytest.mark.parametrize(
    "character",
    list("\0\n\r\t\x1b\x7f\x85\x9b\u2028\u2029\u202e\u2066\ufeff\uffff\ud800\udcff"),
    ids=ascii,
)
def test_what_breaks_lines_or_is_not_seen_is_escaped(character: str) -> None:
    line = _written(seen(ident=f"a{character}z"), NOTHING)

    assert character.encode("utf-8", "surrogatepass") not in line
    assert _read(line) == seen(ident=f"a{character}z")


@pytest.mark.parametrize(
    "fields",
    [
        {"entry": "tombstone"},
        {**ENTRIES.encode(began()), "colour": "red"},
        {**ENTRIES.encode(began()), "source": "satellite"},
        {**ENTRIES.encode(seen()), "version": {"sha256": "a", "text_md5": "b", "sha512": "c"}},
    ],
    ids=["entry", "field", "word", "nested field"],
)
def test_what_is_unknown_was_written_by_a_newer_carrel(fields: dict[str, Any]) -> None:
    with pytest.raises(JournalTooNew, match="newer one wrote it"):
        _read(_line(**fields))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"[]", "not an object"),
        (b"{}", "kind is missing"),
        (_line(entry=7), "kind is missing"),
        (_line(entry="purged", at=1), "missing"),
        (_line(entry="purged", at="1", sha256="a", reason="b"), "at of a purged: a number"),
        (_line(entry="purged", at=True, sha256="a", reason="b"), "at of a purged: a number"),
        (_line(**{**ENTRIES.encode(seen()), "speaks": 1}), "true or false"),
        (_line(**{**ENTRIES.encode(seen()), "version": []}), "an object"),
        (_line(**{**ENTRIES.encode(seen()), "references": [1]}), "an object"),
        (_line(**{**ENTRIES.encode(seen()), "references": {}}), "a list"),
        (_line(**{**ENTRIES.encode(began()), "source": 5}), "a text"),
        (_line(entry="storemade", probed=None), "an object"),
        (_line(entry="runended", tist=1, scope_ok=True, wall_clock="", counts={"a": "b"}), "numb"),
        (b'{"entry":"purged","at":' + b"9" * 5000 + b"}", "digits"),
        (b'{"entry":' + b"[" * 100_000, "nested too deep"),
        (b'{"entry":"\xff"}', "utf-8"),
    ],
)
def test_what_no_carrel_writes_is_refused(line: bytes, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        _read(line)


def test_a_number_that_json_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        _written(StoreMade({"free": float("nan")}), NOTHING)
