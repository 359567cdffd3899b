# SPDX-License-Identifier: AGPL-3.0-or-later
"""Every byte becomes text, in the encoding that it was written in."""

import codecs

import pytest

from carrel.dark_archive.redif.encodings import Decoding, Encoding, Sniffer, convention

TEMPLATE = "Template-Type: ReDIF-Paper 1.0\nTitle: Größe\nHandle: RePEc:aaa:wpaper:1\n"


def encoding_of(*blocks: bytes) -> str:
    sniffer = Sniffer()
    for block in blocks:
        sniffer.feed(block)
    return sniffer.encoding()


def text_of(encoding: Encoding, *blocks: bytes) -> str:
    return "".join(Decoding(encoding).texts(blocks))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"", "ascii"),
        (b"Template-Type: ReDIF-Paper 1.0", "ascii"),
        (b"NUL \0 in plain text", "ascii"),
        (TEMPLATE.encode(), "utf-8"),
        (TEMPLATE.encode("utf-8-sig"), "utf-8-sig"),
        (codecs.BOM_UTF8 + b"plain", "utf-8-sig"),
        (codecs.BOM_UTF8 + b"not valid: \xff", "utf-8-sig"),
        (TEMPLATE.encode("iso-8859-1"), "iso-8859-1"),
        (TEMPLATE.encode("windows-1252"), "iso-8859-1"),
        ("Title: “Größe” – €".encode("windows-1252"), "windows-1252"),
        (b"\x81\x8d\x8f\x90\x9d", "windows-1252"),
        (b"\xa0\xff", "iso-8859-1"),
        (codecs.BOM_UTF16_LE + TEMPLATE.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEMPLATE.encode("utf-16-be"), "utf-16-be"),
        (TEMPLATE.encode("utf-16-le"), "utf-16-le"),
        (TEMPLATE.encode("utf-16-be"), "utf-16-be"),
        ("Template-Type: ReDIF-Paper 1.0\nTitle: Спрос".encode("utf-16-le"), "utf-16-le"),
        (TEMPLATE.encode("utf-16-le") + b"\n", "utf-16-le"),
        (TEMPLATE.encode("iso-8859-1") + b"\0" * 200, "iso-8859-1"),
        (TEMPLATE.encode()[:-40] + b"\xc3", "iso-8859-1"),
        (b"\xed\xa0\x80 is half a pair", "windows-1252"),
        (b"\xc0\xaf is overlong", "iso-8859-1"),
    ],
)
def test_the_encoding_is_told_from_the_bytes(data: bytes, encoding: str) -> None:
    assert encoding_of(data) == encoding


def test_a_sign_may_lie_across_two_blocks() -> None:
    data = "Title: Größe".encode()
    middle = data.index("ö".encode()) + 1

    assert encoding_of(data[:middle], data[middle:]) == "utf-8"
    assert text_of(Encoding.UTF_8, data[:middle], data[middle:]) == "Title: Größe"


def test_utf_8_that_breaks_in_a_late_block_is_none() -> None:
    assert encoding_of(b"Gr\xc3\xb6\xc3\x9fe", b"plain", b"Gr\xf6\xdfe") == "windows-1252"


def test_utf_8_that_breaks_off_is_none() -> None:
    assert encoding_of(b"plain \xe4\xbf", b"") == "iso-8859-1"


def test_nothing_more_is_asked_for_than_is_needed() -> None:
    assert Sniffer().feed(codecs.BOM_UTF8 + b"x") is False
    assert Sniffer().feed(b"\x80 \xff") is False
    assert Sniffer().feed(b"\xe9 and then") is True


def test_the_five_bytes_that_windows_1252_lacks_are_kept() -> None:
    text = text_of(Encoding.WINDOWS_1252, bytes(range(256)))

    assert len(set(text)) == 256
    assert [text[byte] for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D)] == list("\x81\x8d\x8f\x90\x9d")
    assert text[0x80] == "€"
    assert text[0xE9] == "é"


@pytest.mark.parametrize(
    ("encoding", "data", "text"),
    [
        (Encoding.UTF_8_SIG, codecs.BOM_UTF8 + b"a \xe9 \x80 b", "a é € b"),
        (Encoding.UTF_8_SIG, codecs.BOM_UTF8 + "é".encode() + b"\xc3", "éÃ"),
        (Encoding.UTF_16_LE, codecs.BOM_UTF16_LE + b"a\0b\0\n", "ab\n"),
        (Encoding.UTF_16_LE, codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", "a\ufffdb"),
        (Encoding.UTF_16_BE, codecs.BOM_UTF16_BE + b"\0a\xdc\x00\0b", "a\ufffdb"),
        (Encoding.UTF_16_LE, b"a\0\x00\xd8x", "a\ufffdx"),
    ],
)
def test_what_is_not_valid_is_told_and_costs_nothing_else(
    encoding: Encoding, data: bytes, text: str
) -> None:
    decoding = Decoding(encoding)

    assert "".join(decoding.texts([data])) == text
    assert decoding.is_damaged


def test_pairs_and_marks_of_utf_16_are_read_across_blocks() -> None:
    data = codecs.BOM_UTF16_LE + "a😀b".encode("utf-16-le")
    decoding = Decoding(Encoding.UTF_16_LE)

    assert "".join(decoding.texts([data[:5], data[5:7], data[7:]])) == "a😀b"
    assert not decoding.is_damaged


@pytest.mark.parametrize(
    ("path", "encoding", "head", "expected"),
    [
        ("a.rdf", Encoding.ASCII, b"", None),
        ("a.rdf", Encoding.ISO_8859_1, b"", None),
        ("a.RDF", Encoding.UTF_8, b"", "windows-1252"),
        ("a.rdf", Encoding.UTF_8_SIG, codecs.BOM_UTF8, None),
        ("a.rdf", Encoding.UTF_16_LE, codecs.BOM_UTF16_LE, None),
        ("a.rdf", Encoding.UTF_16_LE, b"T\0", "windows-1252"),
        ("a.redif", Encoding.UTF_8, b"", None),
        ("a.redif", Encoding.WINDOWS_1252, b"", "utf-8"),
        ("a.txt", Encoding.UTF_8, b"", None),
    ],
)
def test_what_is_against_the_convention_is_told(
    path: str, encoding: Encoding, head: bytes, expected: str | None
) -> None:
    assert convention(path, encoding, head) == expected
