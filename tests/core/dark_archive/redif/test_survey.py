# SPDX-License-Identifier: AGPL-3.0-or-later
"""All that a careful reader notices in a file, each with its line."""

import codecs
import io

import pytest

from carrel.dark_archive import redif

SOUND = "Template-Type: ReDIF-Paper 1.0\nTitle: Tides\nHandle: RePEc:aaa:wpaper:{}\n"


def survey(data: bytes | str, path: str = "a.rdf") -> redif.Survey:
    data = data.encode() if isinstance(data, str) else data
    return redif.survey(redif.read(io.BytesIO(data), path), lambda handles, addresses: None)


def problems(data: bytes | str, path: str = "a.rdf") -> list[tuple[str, int | None]]:
    return [(each.code.value, each.line) for each in survey(data, path).problems]


def test_a_sound_file_has_no_problems() -> None:
    text = "".join(SOUND.format(number) for number in range(50))

    told = survey(text + "File-URL: https://example.org/a.pdf\nFile-Format: application/pdf\n")

    assert (told.templates, told.handles, told.addresses) == (50, 50, 1)
    assert told.problems == []


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", [("empty", None)]),
        (b"<html>", [("html", None)]),
        (b"<?xml?>", [("xml", None)]),
        (b"denied", [("no-template", None)]),
        ("é" + SOUND, [("no-template", None)]),
        ("é\n" + SOUND, [("encoding-against-convention", None), ("text-before", 1)]),
        ("\n\n <?xml?>\n" + SOUND, [("text-before", 3)]),
        (codecs.BOM_UTF8 + SOUND.encode() + b"\xff", [("damaged-text", None)]),
        (SOUND.replace("\n", "\r\n", 1), [("mixed-line-ends", None)]),
        (SOUND.replace("\n", "\r", 1), [("mixed-line-ends", None)]),
        (SOUND.replace("Title", "\ufeffTitle").encode("utf-8-sig"), [("mark-inside", None)]),
        (SOUND.replace("Tides", "Ti\0des"), [("nul", None)]),
        (SOUND.replace("Tides", "Tides<br />"), [("html-line-breaks", 2)]),
        (SOUND.replace("Paper", "Poem"), [("unknown-type", 1)]),
        (SOUND.replace(" ReDIF-Paper 1.0", ""), [("unknown-type", 1)]),
        (SOUND.replace(" 1.0", ""), [("no-version", 1)]),
        (SOUND.replace(" 1.0", " 1."), [("no-version", 1)]),
        ("# one\n\n" + SOUND.replace("Handle", "X-Handle"), [("no-handle", 3)]),
        (SOUND + "Handle: RePEc:aaa:wpaper:2\n", [("several-handles", 4)]),
        (SOUND + "\n" + SOUND.replace("RePEc", "REPEC"), [("duplicate-handle", 7)]),
        (SOUND.replace("RePEc:", ""), [("odd-handle", 3)]),
        (SOUND.replace("wpaper", "w\x01"), [("odd-handle", 3)]),
        (SOUND + "Tilte: a\nTITLE: b\ntilte: c\n", [("unknown-field", 4)]),
        (SOUND + "DOI: 10.1/2\nX-One: 1\nAuthor-X-Name-First: A\n", []),
        (SOUND + "Maintainer-Email : a@b\n", [("blank-before-colon", 4)]),
        (SOUND + "Results : they came late\n", []),
        (SOUND.replace("\nHandle", "Handle"), [("no-handle", 1), ("glued-field", 2)]),
        (SOUND + " " + SOUND, [("several-handles", 6), ("glued-field", 4)]),
        (SOUND + "File-Format: text/html\n", [("file-field-before-url", 4)]),
        (SOUND + "File-URL:\n", [("empty-file-url", 4)]),
        (SOUND + "File-URL: www.example.org\n", [("file-url-no-address", 4)]),
        (SOUND + "File-URL: http:/example.org\n", [("file-url-no-address", 4)]),
        (SOUND + "File-URL: HTTPS://example.org/\n", []),
        (SOUND + "File-URL: file:///C:/a.pdf\n", [("file-url-scheme", 4)]),
        (SOUND + "File-URL: hhttp://example.org\n", [("file-url-scheme", 4)]),
        (SOUND + "File-URL: ftp://example.org\n", [("file-url-scheme", 4)]),
        (SOUND + "File-URL: http://e.org/a-\n b\n", [("file-url-folded-after-hyphen", 4)]),
        (SOUND + "File-URL: http://e.org/a\n b\n", []),
        ("Template-Type: ReDIF-Mirror 1.0\nArchive-Handle: RePEc:aaa\n", []),
        ("Template-Type: ReDIF-Archive 1.0\nHandle: RePEc:aaa\n", []),
        ("Template-Type: ReDIF-Person 1.0\nHandle: RePEc:per:1970-01-01:A_B\n", []),
    ],
)
def test_a_flaw_is_told(data: bytes | str, expected: list[tuple[str, int | None]]) -> None:
    found = problems(data)

    assert sorted(found, key=str) == sorted(expected, key=str)


def test_a_redif_in_another_encoding_than_utf_8_is_against_the_convention() -> None:
    data = SOUND.replace("Tides", "Größe").encode("windows-1252")

    assert problems(data, "a.redif") == [("encoding-against-convention", None)]
    assert problems(data, "a.rdf") == []


def test_lines_are_counted_as_they_stand() -> None:
    text = "# a comment\r\n\r\n" + SOUND.replace("\n", "\r\n") + "#\r\n\x1a\r\nFile-URL:\r\n"

    assert problems(text) == [("empty-file-url", 8)]


def test_a_long_list_is_cut_and_says_so() -> None:
    found = survey("Template-Type: ReDIF-Paper 1.0\n" * 1500).problems

    assert len(found) == 101
    assert [each.line for each in found[:100]] == list(range(1, 101))
    assert found[-1].code == "more"
    assert found[-1].message.startswith("1,400 more")


def test_what_is_found_is_handed_on_in_its_order() -> None:
    kept: list[tuple[list[str], list[str]]] = []
    text = SOUND + "File-URL: http://e.org/1\nFile-URL:\nFile-URL: http://e.org/2\n" + SOUND

    redif.survey(
        redif.read(io.BytesIO(text.encode()), "a.rdf"),
        lambda handles, addresses: kept.append((list(handles), list(addresses))),
    )

    assert kept == [(["RePEc:aaa:wpaper:{}"] * 2, ["http://e.org/1", "http://e.org/2"])]
