# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a template says: its text, its handle, the files it points to."""

import hashlib

import pytest

from carrel.dark_archive.redif.template import Template, template_of
from carrel.model.dark import Reference


def template(*lines: str) -> Template:
    return template_of("\n".join(["Template-Type: ReDIF-Paper 1.0", *lines]), 0)


def handle(*lines: str) -> str | None:
    return template(*lines).handle


def address(*lines: str) -> str:
    (found,) = template(*lines).addresses()
    return found


def test_its_text_is_without_what_can_not_be_seen() -> None:
    told = template("Title: The tide \t", "", " \xa0", "  comes late\xa0", "Handle: RePEc:a:b:c")

    assert told.text == (
        "Template-Type: ReDIF-Paper 1.0\nTitle: The tide\n  comes late\nHandle: RePEc:a:b:c\n"
    )
    assert told.text_md5 == hashlib.md5(told.text.encode()).hexdigest()


def test_fields_keep_their_order_spelling_and_lines() -> None:
    told = template("Title:The tide", " comes late", "AUTHOR-name: A. Ebb", "X-Note:", "a-1#: ")

    assert told.fields() == [
        ("Template-Type", "ReDIF-Paper 1.0"),
        ("Title", "The tide\n comes late"),
        ("AUTHOR-name", "A. Ebb"),
        ("X-Note", ""),
        ("a-1#", ""),
    ]


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ("ReDIF-Paper 1.0", "ReDIF-Paper"),
        ("redif-PAPER 1.0", "ReDIF-Paper"),
        (" ReDIF-Book", "ReDIF-Book"),
        ("ReDIF-Article1.", "ReDIF-Article"),
        ("ReDIF-Series\xa01.0 <br />", "ReDIF-Series"),
        ("ReDIF-Poem 1.0", "ReDIF-Poem"),
        ("Paper", "Paper"),
        ("", None),
        ("x" * 500, "x" * 100),
    ],
)
def test_the_type_is_spelled_as_usual(value: str, type: str | None) -> None:
    assert template_of(f"Template-Type:{value}\nHandle: RePEc:a:b:c", 0).type == type


@pytest.mark.parametrize(
    "lines",
    [
        ["Handle: RePEc:aaa:wpaper:1"],
        ["HANDLE:RePEc:aaa:wpaper:1"],
        ["Handle: RePEc: aaa:\twpaper:\xa01 "],
        ["Handle:", "", " RePEc:aaa:wpaper:1"],
        ["Handle: RePEc:aaa:", "", " wpaper:1"],
        ["Handle: RePEc:aaa:wpaper:1<br />"],
        ["Handle: RePEc:aaa:wpaper:1 <BR>", "</br>"],
        ["Handle: RePEc:aaa:wpaper:1<br clear='all'/>"],
        ["Handle:", "Title: of it", "Handle: RePEc:aaa:wpaper:1"],
        ["Handle: RePEc:aaa:wpaper:1", "Handle: RePEc:aaa:wpaper:2"],
        ["Paper-Handle: RePEc:x:y:z", "Handle: RePEc:aaa:wpaper:1", "Title: of it"],
    ],
)
def test_the_handle_is_the_first_that_is_not_empty(lines: list[str]) -> None:
    assert handle(*lines) == "RePEc:aaa:wpaper:1"


def test_the_handle_keeps_what_only_looks_like_a_tag() -> None:
    assert handle("Handle: RePEc:bla:x:53:6<1937:br>2.0") == "RePEc:bla:x:53:6<1937:br>2.0"


@pytest.mark.parametrize("lines", [[], ["Handle:"], ["Handle : RePEc:a:b:c"], [" Handle: RePEc:a"]])
def test_what_is_no_handle_gives_none(lines: list[str]) -> None:
    assert handle(*lines) is None


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["File-URL: http://e.org/a b.pdf"], "http://e.org/ab.pdf"),
        (["File-URL:", "  http://e.org/", "  a.pdf"], "http://e.org/a.pdf"),
        (["File-URL:", "http://e.org/a.pdf"], "http://e.org/a.pdf"),
        (["File-URL: url:http://e.org/a.pdf<br />"], "http://e.org/a.pdf"),
        (["File-URL: http://e.org/?a=1&amp;b=&#50;&#x33;"], "http://e.org/?a=1&b=23"),
        (["File-URL: http://e.org/?a=1&copy=2&nosuch;"], "http://e.org/?a=1&copy=2&nosuch;"),
        (["file-url: The Wealth of Nations"], "TheWealthofNations"),
        (["File-URL: <br />"], ""),
    ],
)
def test_addresses_are_unwrapped(lines: list[str], expected: str) -> None:
    assert address(*lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["File-URL: http://e.org/a b.pdf"], "http://e.org/a%20b.pdf"),
        (["File-URL: http://e.org/long-", "  name.pdf<br />"], "http://e.org/long-name.pdf"),
        (["File-URL: http://e.org/a<br/>b.pdf"], "http://e.org/ab.pdf"),
    ],
)
def test_a_blank_is_a_part_of_an_address_and_a_line_break_is_none(
    lines: list[str], expected: str
) -> None:
    (reference,) = template(*lines).references()

    assert reference.url == expected


def test_a_reference_is_a_cluster_that_begins_with_its_address() -> None:
    told = template(
        "File-Format: text/html",
        "File-URL: HTTP://E.org:80/a.pdf<br />",
        "File-Format: application/pdf <br />",
        "File-Format: text/plain",
        "Title: between",
        "File-Function: first",
        "  version",
        "File-Size: 20 KB",
        "File-URL: ftp://e.org/b.pdf",
        "File-Restriction: members only",
        "File-URL:",
    )

    assert told.references() == [
        Reference(
            "HTTP://E.org:80/a.pdf",
            "http://e.org/a.pdf",
            format="application/pdf",
            function="first version",
            size="20 KB",
        ),
        Reference("ftp://e.org/b.pdf", None, restriction="members only"),
        Reference("", None),
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], None),
        (["Restriction:"], None),
        (["Restriction: none of", "  your business"], "none of your business"),
        (["File-Restriction: misplaced", "File-URL: http://e.org/"], "misplaced"),
        (["File-URL: http://e.org/", "File-Restriction: of the file"], None),
    ],
)
def test_its_own_restriction_holds_for_all_its_files(
    lines: list[str], expected: str | None
) -> None:
    assert template(*lines).restriction == expected


def test_a_template_of_very_many_fields_is_read() -> None:
    told = template(*(f"Author-Paper: RePEc:a:b:{number}" for number in range(5000)))

    assert len(told.fields()) == 5001
