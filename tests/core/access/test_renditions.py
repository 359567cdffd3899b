# SPDX-License-Identifier: AGPL-3.0-or-later
"""What there is to see of files, harmless and hostile, as the process apart answers it."""

import asyncio
import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PIL import Image

from carrel.access.reading_process import Limits
from carrel.access.renditions.apart import rendition_of
from carrel.model.rendition import (
    Members,
    Node,
    Nothing,
    Picture,
    Place,
    Rendition,
    Table,
    TableColumn,
    Text,
    Tree,
)
from support.bundles import RawMember, raw_zip, tarred, zipped
from support.netcdf import netcdf

T = TypeVar("T")
LIMITS = Limits()


@pytest.fixture
def look(tmp_path: Path) -> "Look":
    return Look(tmp_path)


class Look:
    """Looks at bytes as at a file of a dataset."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self,
        content: bytes,
        name: str = "file",
        *inside: str,
        limits: Limits = LIMITS,
        page: int = 0,
        as_text: bool = False,
    ) -> Rendition:
        path = self._folder / "copy"
        path.write_bytes(content)
        place = Place(name, inside=inside, page=page, as_text=as_text)
        return asyncio.run(rendition_of(path, place, limits))


def of(kind: type[T], rendition: Rendition) -> T:
    assert isinstance(rendition.content, kind), rendition.content
    return rendition.content


def why_not(rendition: Rendition) -> str:
    return of(Nothing, rendition).reason


def drawn(size: tuple[int, int], form: str, mode: str = "RGB") -> bytes:
    target = io.BytesIO()
    Image.new(mode, size).save(target, form)
    return target.getvalue()


ENCODED = {
    "utf-8": "Größe".encode(),
    "utf-8-sig": "Größe".encode("utf-8-sig"),
    "utf-16": "Größe über alles".encode("utf-16"),
    "utf-16-le": "plain letters in wide form".encode("utf-16-le"),
    "cp1252": "Größe, café, naïve".encode("cp1252"),
    "cp1251": "Привет, это текст на русском языке без пометы".encode("cp1251"),
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_the_encoding_of_a_text_is_found(look: Look, encoding: str) -> None:
    text = of(Text, look(ENCODED[encoding], "a.txt"))

    assert text.encoding == encoding
    assert text.text == ENCODED[encoding].decode(encoding)


def test_of_a_long_text_the_beginning_is_shown_and_that_is_said(look: Look) -> None:
    rendition = look(b"0123456789" * 99_999 + b"\n" + b"x\n" * 500_000, "a.log")

    assert len(of(Text, rendition).text) < 400_000
    assert any("are shown" in note for note in rendition.notes)
    assert any("cut at" in note for note in rendition.notes)


def test_of_one_endless_line_no_more_is_said_to_be_shown_than_is(look: Look) -> None:
    rendition = look(b"x" * 3_000_000, "a.txt")

    assert len(of(Text, rendition).text) == 2001
    assert "The first 2.0 KiB of 2.9 MiB are shown." in rendition.notes
    assert "1 long line cut at 2,000 characters." in rendition.notes


LINE = "Größe, die man kennt, 1234\n"


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ((LINE * 30_000).encode("cp1252"), "a.txt", "The first 293.0 KiB of 791.0 KiB are shown."),
        ((LINE * 30_000).encode("utf-16"), "a.txt", "The first 512.0 KiB of 1.5 MiB are shown."),
        (b"a\r\n" * 200_000, "a.txt", "The first 439.5 KiB of 585.9 KiB are shown."),
        (b"a\n" * 150_002, "a.txt", "All but the last 4 bytes are shown."),
        (
            b"<html>" + b"<p></p>" * 70_000,
            "a.html",
            "The first 227.9 KiB of 478.5 KiB are shown.",
        ),
    ],
)
def test_of_a_text_that_is_cut_the_bytes_of_the_file_are_counted(
    look: Look, content: bytes, name: str, words: str
) -> None:
    assert words in look(content, name).notes


def test_a_page_that_a_program_wrote_in_one_line_has_lines(look: Look) -> None:
    page = b"<!doctype html><html><body>" + b"<p>Tides</p>" * 20 + b"</body></html>"

    rendition = look(page, "index.html")

    lines = of(Text, rendition).text.split("\n")
    assert lines[2:4] == ["<body>", "<p>Tides</p>"]
    assert rendition.notes == ("HTML is shown as its source, its long lines broken between tags.",)
    assert look(b"<html><p>Tide</p></html>", "i.html").notes == ("HTML is shown as its source.",)


def test_bytes_that_are_not_valid_are_seen(look: Look) -> None:
    rendition = look("Größe ".encode() * 9 + b"\xe2\x28\xa1" + b"\x00\x01", "a.txt")

    assert rendition.kind == "Binary data"


def test_unknown_bytes_are_shown_as_digits(look: Look) -> None:
    assert of(Text, look(b"\x00\x01\xfe\xffABC", "a.dat")).text.startswith("00000000  00 01 fe ff")


@pytest.mark.parametrize(
    ("mark", "kind"), [(b"7z\xbc\xaf'\x1c\x00\x04", "7z"), (b"Rar!\x1a\x07\x01\x00", "RAR")]
)
def test_other_archives_are_named_with_what_opens_them(look: Look, mark: bytes, kind: str) -> None:
    reason = why_not(look(mark + bytes(64)))

    assert reason.startswith(f"This is a {kind} archive")
    assert "7-Zip" in reason


def test_separated_values_are_a_table_with_types(look: Look) -> None:
    table = of(
        Table,
        look(
            '\ufeffname;n;x;when\n"a;b";1;2,5;2020-01-02\n"c ""d""";2;NA;2021-01-01\n'.encode(),
            "a.csv",
        ),
    )

    assert table.columns == (
        TableColumn("name", "text"),
        TableColumn("n", "whole number", is_number=True),
        TableColumn("x", "number", is_number=True),
        TableColumn("when", "date"),
    )
    assert table.rows == (("a;b", "1", "2,5", "2020-01-02"), ('c "d"', "2", "NA", "2021-01-01"))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ("1900-02-28 1904-02-29", "date"),
        ("1900-02-28 1899-02-29", "text"),
        ("1899-02-29T10:00 1900-02-28T10:00", "text"),
        ("007 12", "text"),
        ("07.5 12", "text"),
        ("0 -12 +7", "whole number"),
        ("0.5 .5 12,25 1e-3", "number"),
    ],
)
def test_a_type_is_named_only_where_all_values_are_of_it(
    look: Look, values: str, kind: str
) -> None:
    lines = "".join(f"x;{value}\n" for value in values.split())

    table = of(Table, look(f"name;value\n{lines}".encode(), "a.csv"))

    assert table.columns[1].kind == kind


def test_a_first_row_with_a_code_is_no_header(look: Look) -> None:
    rendition = look(b"007,Bond\n008,Bill\n", "a.csv")

    assert [column.name for column in of(Table, rendition).columns] == ["1", "2"]
    assert "It has no header row." in rendition.notes


@pytest.mark.parametrize(
    ("rows", "names", "words"),
    [
        ("country,2019,2020\nDE,1,2\nFR,3,4\n", ["country", "2019", "2020"], ""),
        ("country,code,2019\nDE,1,0.5\n", ["country", "code", "2019"], ""),
        ("country,2019,2020\nDE,2001,2002\n", ["1", "2", "3"], "may be"),
        ("depth,0.5,1,2\nA,3,1,7\n", ["1", "2", "3", "4"], "may be"),
        ("missing,12\n3,4\n", ["1", "2"], "may be"),
        ("a,9,3\nb,1,2\n", ["1", "2", "3"], "no header"),
        ("name,city\nbob,paris\ncarl,rome\n", ["name", "city"], "may be a row like the others"),
        ("anna,rome\nbob,paris\ncarl,Rome\n", ["1", "2"], "may be its header"),
        ("name,name\nbob,paris\n", ["1", "2"], "may be its header"),
        ("name,\nbob,paris\n", ["1", "2"], "may be its header"),
        ("name\nbob,paris\ncarl,rome\n", ["1", "2"], "may be its header"),
        (f"name,{'why ' * 15}\nbob,paris\n", ["1", "2"], "may be its header"),
        ("name,since\nanna,2019-01-02\nbob,2020-03-04\n", ["name", "since"], ""),
    ],
)
def test_a_first_row_is_a_header_only_where_that_can_be_told(
    look: Look, rows: str, names: list[str], words: str
) -> None:
    rendition = look(rows.encode(), "a.csv")

    assert [column.name for column in of(Table, rendition).columns] == names
    said = [note for note in rendition.notes if "header" in note]
    assert [words in note for note in said] == ([True] if words else [])


def test_bytes_that_are_not_valid_are_told_of_a_table_and_a_tree(look: Look) -> None:
    table = look(b"name,n\n" + b"x,1\n" * 20_000 + b"\xff,2\n", "a.csv")
    early = look(b"name,n\n" + b"x" * 300 + b",1\n" + b"y" * 70_000 + b",1\n\xff,2\n", "a.csv")
    tree = look(b'["' + b"x" * 70_000 + b'", "\xff"]', "a.json")

    assert not any("not valid" in note for note in table.notes)  # what is shown is whole
    assert any("not valid" in note for note in early.notes)
    assert any("not valid" in note for note in tree.notes)


def test_of_a_single_row_it_is_not_known_whether_it_is_a_header(look: Look) -> None:
    rendition = look(b"a,b,c\n", "a.csv")

    assert rendition.notes == ("1 row, 3 columns.", "Its only row may be its header.")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("shift_jis", "駅,気温\n" + "東京の駅,12\n大阪の駅,13\n" * 30),
        ("cp1252", "Ort,Höhe\nKöln,53\n"),
    ],
)
def test_the_encoding_of_a_table_is_named_where_it_is_guessed(
    look: Look, encoding: str, text: str
) -> None:
    rendition = look(text.encode(encoding), "a.csv")

    assert of(Table, rendition).columns[0].name == text[: text.index(",")]
    assert any("No encoding is declared" in note for note in rendition.notes)
    plain = look(text.encode(), "b.csv")
    assert not any("encoding" in note for note in plain.notes)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("data.xml", '<?xml version="1.0" encoding="ISO-8859-2"?>\n<a>{text}</a>'),
        ("page.html", '<!DOCTYPE html><meta charset="iso-8859-2"><p>{text}</p>'),
        (
            "old.html",
            '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-2">{text}',
        ),
    ],
)
def test_an_encoding_that_xml_or_html_declares_is_no_guess(
    look: Look, name: str, head: str
) -> None:
    text = "Zażółć gęślą jaźń"

    rendition = look(head.format(text=text).encode("iso-8859-2"), name, as_text=True)

    assert text in of(Text, rendition).text
    assert of(Text, rendition).encoding == "iso8859-2"
    assert not any("encoding" in note for note in rendition.notes)


def test_of_members_with_one_name_the_first_is_listed_and_opened(look: Look) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr("same.txt", "first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("same.txt", "second!")

    listed = look(made.getvalue(), "dup.zip")
    opened = look(made.getvalue(), "dup.zip", "same.txt")

    (entry,) = of(Members, listed).members
    assert (entry.name, entry.size, entry.why_not) == ("same.txt", 5, "")
    assert listed.notes == (
        "2 members.",
        "Of several members with one name the first is opened: same.txt.",
    )
    assert of(Text, opened).text == "first"


def test_of_a_table_with_ten_thousand_columns_some_are_shown(look: Look) -> None:
    line = ",".join(f"c{number}" for number in range(10_000))

    rendition = look(f"{line}\n{line}\n".encode(), "wide.csv")

    assert len(of(Table, rendition).columns) == 200
    assert any("10,000" in note for note in rendition.notes)


def test_of_a_large_table_the_first_rows_are_shown(look: Look) -> None:
    rendition = look(b"a\tb\n" + b"1\t2\n" * 2_000_000, "large.tsv")

    assert len(of(Table, rendition).rows) == 1000
    assert any("Only the beginning" in note for note in rendition.notes)


def test_a_quote_that_is_never_closed_is_no_table(look: Look) -> None:
    of(Text, look(b'a,b\n"1,2\n' + b"3,4\n" * 2_000_000, "broken.csv"))


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ('name,n\nx,1\ny,2\nz,"3\n', True),
        ('name,n\nx,1\ny,2\nz,"3"\n', False),
        ("name,n\nx,1\ny,2", False),
    ],
)
def test_a_quote_that_is_open_at_the_end_is_told(look: Look, text: str, is_open: bool) -> None:
    rendition = look(text.encode(), "a.csv")

    assert any("never closed" in note for note in rendition.notes) is is_open
    cells = [cell for row in of(Table, rendition).rows for cell in row]
    assert not any("\0" in cell for cell in cells)


def test_half_a_letter_in_json_is_shown_as_it_is_written(look: Look) -> None:
    nodes = of(Tree, look(rb'{"s\udc00": "a\ud800"}', "a.json")).nodes

    assert (nodes[1].name, nodes[1].value) == (r"s\udc00", r"a\ud800")


@pytest.mark.parametrize(
    ("content", "name"),
    [(b'{"a": NaN, "b": -Infinity}', "a.json"), (b"[-Infinity]\n[NaN]\n", "a.jsonl")],
)
def test_values_that_json_does_not_have_are_shown_and_named(
    look: Look, content: bytes, name: str
) -> None:
    rendition = look(content, name)

    assert "NaN" in [node.value for node in of(Tree, rendition).nodes]
    assert (
        "It is not valid JSON: it has values that JSON does not know: -Infinity, NaN."
        in rendition.notes
    )


def test_json_is_a_tree_whose_numbers_stay_as_written(look: Look) -> None:
    nodes = of(Tree, look(b'{"a": [1, 2.50], "a": null, "b": true}', "a.json")).nodes

    assert nodes[0] == Node(-1, "", "3 names", "object")
    assert [(node.parent, node.name, node.value) for node in nodes[1:]] == [
        (0, "a", "2 values"),
        (0, "a", "null"),
        (0, "b", "true"),
        (1, "[0]", "1"),
        (1, "[1]", "2.50"),
    ]


def test_lines_of_json_are_a_tree_each(look: Look) -> None:
    rendition = look(b'{"a": 1}\n{"a": 2}\n', "a.ndjson")

    assert [node.name for node in of(Tree, rendition).nodes if node.parent < 0] == ["1", "2"]


def test_a_line_that_is_no_json_is_named_with_its_own_place(look: Look) -> None:
    rendition = look(b'{"a": 1}\n\n{"a": }\n', "a.jsonl")

    assert "Line 3 is not valid JSON: Expecting value at character 7." in rendition.notes


@pytest.mark.parametrize("content", [b"[" * 500_000, b'{"a":' * 200_000, b'{"a": 1,}'])
def test_json_that_is_too_deep_or_broken_is_a_text(look: Look, content: bytes) -> None:
    rendition = look(content, "a.json")

    assert of(Text, rendition).text.startswith(content[:20].decode())
    assert "JSON" in rendition.kind
    assert rendition.notes


def test_where_json_is_cut_for_its_depth_that_is_said(look: Look) -> None:
    deep, shallow = (look(b"[" * n + b"]" * n, "a.json") for n in (70, 61))

    assert "What is nested deeper than 60 levels is not shown." in deep.notes
    assert len(of(Tree, deep).nodes) == len(of(Tree, shallow).nodes) == 61
    assert shallow.notes == ()


def test_a_large_json_is_cut_from_its_depth(look: Look) -> None:
    rendition = look(json.dumps([{"a": n} for n in range(9000)]).encode(), "a.json")

    assert len(of(Tree, rendition).nodes) == 5000
    assert any("5,000" in note for note in rendition.notes)


def test_xml_is_a_tree(look: Look) -> None:
    xml = b'<?xml version="1.0"?><r a="1"><b>t</b><c>u<d/>v</c><!-- n --><?p q?></r>'

    nodes = of(Tree, look(xml, "a.xml")).nodes

    assert [(node.parent, node.name, node.value) for node in nodes] == [
        (-1, "r", ""),
        (0, "@a", "1"),
        (0, "b", "t"),
        (0, "c", "u"),
        (3, "d", ""),
        (3, "", "v"),
        (0, "", "n"),
        (0, "?p", "q"),
    ]


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
XML_BOMBS = {
    "laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><r>&l9;</r>',
    "external": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "parameter": '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]><r/>',
}


@pytest.mark.parametrize("bomb", XML_BOMBS)
def test_entities_are_neither_expanded_nor_fetched(look: Look, bomb: str) -> None:
    rendition = look(f'<?xml version="1.0"?>{XML_BOMBS[bomb]}'.encode(), "a.xml")

    assert of(Text, rendition).text.endswith(XML_BOMBS[bomb])
    assert any("entities" in note for note in rendition.notes)


def test_deep_xml_is_a_text(look: Look) -> None:
    of(Text, look(b"<?xml version='1.0'?>" + b"<a>" * 100_000, "a.xml"))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_an_image_is_handed_over_as_a_small_png(look: Look, form: str) -> None:
    rendition = look(drawn((3000, 500), form), "named.bin")
    picture = of(Picture, rendition)

    assert rendition.kind == form
    assert (picture.width, picture.height) == (2000, 333)
    with Image.open(io.BytesIO(picture.content), formats=["PNG"]) as image:
        assert image.size == (2000, 333)


@pytest.mark.parametrize(
    ("mode", "words"),
    [("P", "with a palette of colours"), ("L", "greyscale"), ("RGB", "RGB")],
)
def test_the_colours_of_an_image_are_said_in_words(look: Look, mode: str, words: str) -> None:
    rendition = look(drawn((40, 40), "PNG", mode), "a.png")

    assert rendition.notes[0] == f"40 × 40 pixels, {words}."


@pytest.mark.parametrize(
    ("size", "shown", "words"),
    [
        ((30_000, 20), (1000, 20), "Only the first 1,000 of 30,000 columns of pixels are shown."),
        ((20, 30_000), (20, 1000), "Only the first 1,000 of 30,000 rows of pixels are shown."),
        ((1, 9_000), (1, 500), "Only the first 500 of 9,000 rows of pixels are shown."),
    ],
)
def test_an_image_that_is_far_too_long_is_shown_in_part(
    look: Look, size: tuple[int, int], shown: tuple[int, int], words: str
) -> None:
    rendition = look(drawn(size, "PNG"), "a.png")

    picture = of(Picture, rendition)
    assert (picture.width, picture.height) == shown
    assert words in rendition.notes
    assert not any("reduced" in note for note in rendition.notes)


def test_sixteen_bits_of_grey_become_eight_and_that_is_said(look: Look) -> None:
    rendition = look(drawn((20, 20), "TIFF", "I;16"), "a.tif")

    assert any("black to white" in note for note in rendition.notes)


def test_an_image_of_huge_dimensions_is_not_unpacked(look: Look) -> None:
    size = struct.pack(">II", 60_000, 60_000)
    image = bytearray(drawn((1, 1), "PNG", "1"))
    image[16:24] = size
    image[29:33] = struct.pack(">I", zlib.crc32(image[12:29]))

    assert "too many pixels" in why_not(look(bytes(image), "a.png"))


def test_what_only_begins_as_an_image_gives_a_reason(look: Look) -> None:
    assert "cannot be read as an image" in why_not(look(b"\x89PNG\r\n\x1a\njunk", "a.png"))


def test_an_image_that_is_turned_is_called_as_large_as_it_is_shown(look: Look) -> None:
    target, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (300, 200)).save(target, "JPEG", exif=exif)

    rendition = look(target.getvalue(), "a.jpg")

    assert (of(Picture, rendition).width, of(Picture, rendition).height) == (200, 300)
    assert rendition.notes[0].startswith("200 × 300 pixels")


def test_a_text_that_mentions_a_pdf_is_a_text(look: Look) -> None:
    mention = b"A PDF begins with %PDF-1.7.\n"

    assert of(Text, look(mention, "a.txt")).text == mention.decode()
    assert "PDF" in why_not(look(mention, "a.pdf"))
    assert "PDF" in why_not(look(b"\0\1\2\3" + mention, "a.bin"))


def test_postscript_is_a_text_and_never_run(look: Look) -> None:
    assert of(Text, look(b"%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n", "a.eps")).text.startswith("%!PS")


def test_the_pages_of_a_pdf_are_pictures(look: Look) -> None:
    target = io.BytesIO()
    pages = [Image.new("RGB", (300, 400), colour) for colour in ("red", "blue")]
    pages[0].save(target, "PDF", save_all=True, append_images=pages[1:])

    picture = of(Picture, look(target.getvalue(), "a.pdf", page=1))

    assert (picture.page, picture.pages) == (1, 2)
    assert max(picture.width, picture.height) <= 1801
    assert "cannot be read as a PDF" in why_not(look(b"%PDF-1.7 nothing else", "b.pdf"))


PACKED = {
    "zip": zipped({"a/b.csv": b"x,y\n1,2\n"}),
    "tar": tarred(("a/b.csv", b"x,y\n1,2\n")),
    "tar.gz": gzip.compress(tarred(("a/b.csv", b"x,y\n1,2\n"))),
    "tar.bz2": bz2.compress(tarred(("a/b.csv", b"x,y\n1,2\n"))),
    "tar.xz": lzma.compress(tarred(("a/b.csv", b"x,y\n1,2\n"))),
}


@pytest.mark.parametrize("kind", PACKED)
def test_members_are_listed_and_open_in_place(look: Look, kind: str) -> None:
    (entry,) = of(Members, look(PACKED[kind], "any.bin")).members

    table = of(Table, look(PACKED[kind], "any.bin", "a/b.csv"))

    assert (entry.name, entry.size, entry.why_not) == ("a/b.csv", 8, "")
    assert table.rows == (("1", "2"),)


def test_an_archive_in_an_archive_opens_too(look: Look) -> None:
    outer = zipped({"inner.tar.xz": PACKED["tar.xz"]})

    assert of(Table, look(outer, "o.zip", "inner.tar.xz", "a/b.csv")).rows == (("1", "2"),)


def test_a_packed_table_is_shown_as_the_table_with_the_size_of_its_file(look: Look) -> None:
    packed = gzip.compress(b"x,y\n1,2\n")

    rendition = look(packed, "t.csv.gz")

    assert of(Table, rendition).rows == (("1", "2"),)
    assert rendition.size == len(packed)
    assert "Decompressed from gzip to 8 bytes." in rendition.notes


def test_members_that_lead_out_are_named_and_not_opened(look: Look) -> None:
    hostile = zipped({"../evil": b"x", "/etc/passwd": b"x", "good": b"x"})

    rendition = look(hostile)
    entries = {each.name: each.why_not for each in of(Members, rendition).members}

    assert entries["good"] == ""
    assert "2 of them cannot be opened; the list marks which." in rendition.notes
    assert all(entries[name] for name in ("../evil", "/etc/passwd"))
    assert "leads out" in why_not(look(hostile, "z.zip", "../evil"))


def test_a_member_whose_name_is_no_text_is_listed_among_the_others(look: Look) -> None:
    latin = tarred(("caf\udce9.txt", b"x\n"), ("good", b"x\n"), form=tarfile.GNU_FORMAT)

    odd, good = of(Members, look(latin, "old.tar")).members

    assert (odd.name, odd.why_not) == (r"caf\xe9.txt", "its name has characters that are not text")
    assert (good.name, good.why_not) == ("good", "")


def test_a_zip_bomb_is_read_to_its_limit_and_no_further(look: Look) -> None:
    bomb = zipped({"zeros.txt": b"0" * 300_000_000}, zipfile.ZIP_DEFLATED)

    listed, shown = look(bomb), look(bomb, "z.zip", "zeros.txt")

    assert of(Members, listed).members[0].size == 300_000_000
    assert len(of(Text, shown).text) < 400_000


def test_a_member_that_lies_of_its_size_is_refused(look: Look) -> None:
    lying = raw_zip(RawMember(b"a", b"x" * 5_000_000, size=10))

    refused = look(lying, "z.zip", "a")
    assert "cannot be opened" in why_not(refused)
    assert refused.size is None  # the ZIP's is not its own


def test_an_endless_packed_file_is_cut(look: Look) -> None:
    rendition = look(gzip.compress(b"0" * 400_000_000, 1), "zeros.txt.gz")

    assert len(of(Text, rendition).text) < 400_000
    assert "Decompressed from gzip." in rendition.notes


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_file_that_is_cut_off_is_said_to_end_too_early(
    look: Look, pack: Callable[[bytes], bytes]
) -> None:
    lines = "".join(f"{number * 7919 % 10007}\n" for number in range(9000)).encode()
    packed = pack(lines)

    rendition = look(packed[: len(packed) // 2], "a.txt.gz")

    shown = of(Text, rendition).text.encode()
    assert shown
    assert lines.startswith(shown)
    assert any(
        note.endswith("as far as it goes: it ends too early.") for note in rendition.notes
    ), rendition.notes


def test_a_packed_file_that_is_damaged_is_shown_up_to_there_and_said_to_be(look: Look) -> None:
    packed = gzip.compress(b"The tide came late.\n" * 100)[:-8] + b"no sums!"

    rendition = look(packed, "a.txt.gz")

    assert of(Text, rendition).text.count("late") == 100
    assert "Decompressed from gzip as far as it goes: its bytes are damaged." in rendition.notes


def test_what_stands_behind_a_packed_file_is_no_damage(look: Look) -> None:
    rendition = look(gzip.compress(b"a text\n") + b"trailing", "a.txt.gz")

    assert of(Text, rendition).text == "a text\n"
    assert (
        "Decompressed from gzip to 7 bytes; after its end there are other bytes." in rendition.notes
    )


def test_a_packed_image_that_is_cut_off_is_not_called_too_large(look: Look) -> None:
    packed = gzip.compress(drawn((300, 300), "BMP"))

    rendition = look(packed[: len(packed) // 2], "a.bmp.gz")

    assert why_not(rendition) == "Only its beginning could be unpacked: it ends too early."


def test_too_little_memory_is_a_reason(look: Look) -> None:
    small = Limits(memory_bytes=150 * 1024**2)

    rendition = look(drawn((9000, 9000), "PNG", "RGB"), "a.png", limits=small)

    assert "memory" in why_not(rendition) or "ended unexpectedly" in why_not(rendition)


def test_an_empty_file_has_nothing_to_see(look: Look) -> None:
    assert why_not(look(b"")) == "The file is empty."


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        asyncio.run(rendition_of(tmp_path / "none", Place("none")))


def test_parquet_has_columns_and_rows(look: Look) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    target = io.BytesIO()
    parquet.write_table(arrow.table({"a": [1, 2], "b": ["x", None]}), target)

    table = of(Table, look(target.getvalue(), "a.parquet"))

    assert table.columns == (TableColumn("a", "int64", is_number=True), TableColumn("b", "string"))
    assert table.rows == (("1", "x"), ("2", ""))


def test_hdf5_is_a_tree_whose_links_are_not_followed(look: Look) -> None:
    library = pytest.importorskip("h5py")
    target = io.BytesIO()
    with library.File(target, "w") as file:
        file["g/d"] = [[1, 2, 3], [4, 5, 6]]
        file.attrs["title"] = "Tides"
        file["elsewhere"] = library.ExternalLink("/etc/passwd", "/")
        file["g/loop"] = file["g"]

    nodes = of(Tree, look(target.getvalue(), "a.nc")).nodes

    told = {node.name: (node.kind, node.value) for node in nodes}
    assert told["@title"] == ("attribute", "Tides")
    assert told["d"] == ("dataset", "int64 2 × 3")
    assert told["elsewhere"] == ("link", "/etc/passwd /")


@pytest.mark.parametrize("form", [1, 2, 5])
def test_classic_netcdf_is_a_tree_of_its_header(look: Look, form: int) -> None:
    rendition = look(netcdf(form), "sea-level.nc")

    assert rendition.kind.endswith(f"(CDF-{form})")
    assert of(Tree, rendition).nodes == (
        Node(-1, "time", "unlimited, 12 records", "dimension"),
        Node(-1, "station", "3", "dimension"),
        Node(-1, "@title", "Sea levels", "attribute"),
        Node(-1, "@years", "1911, 1912", "attribute"),
        Node(-1, "level", "float time 12 × station 3", "variable"),
        Node(4, "@units", "m", "attribute"),
        Node(-1, "datum", "double", "variable"),
    )


def test_netcdf_that_is_still_written_has_no_number_of_records(look: Look) -> None:
    nodes = of(Tree, look(netcdf(1, records=2**32 - 1))).nodes

    assert nodes[0].value == "unlimited"
    assert nodes[4].value == "float time × station 3"


def test_netcdf_that_is_cut_shows_what_is_there_and_says_so(look: Look) -> None:
    content = netcdf(1)
    rendition = look(content[: content.rindex(b"level")])

    assert [node.name for node in of(Tree, rendition).nodes] == [
        *("time", "station", "@title", "@years")
    ]
    assert "cannot be read to its end: it ends early" in rendition.notes[-1]


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\xff" * 40,
        bytes(3) + b"\x0c\x00\x00\x00\x0b" + bytes(8),
        bytes(7) + b"\x0a\xff\xff\xff\xff" + b"\x7f\xff\xff\xff",
    ],
)
def test_hostile_netcdf_is_a_reason_or_a_short_tree(look: Look, head: bytes) -> None:
    rendition = look(b"CDF\x01" + head)

    assert isinstance(rendition.content, Nothing | Tree)
    assert len(rendition.notes) != 1 or isinstance(rendition.content, Nothing)


def test_without_its_library_a_format_says_what_to_install(look: Look) -> None:
    try:
        import h5py  # noqa: F401
    except ImportError:
        assert "carrel[formats]" in why_not(look(b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "a.h5"))
    else:
        assert "cannot be read as HDF5" in why_not(look(b"\x89HDF\r\n\x1a\n" + b"\0" * 99, "a.h5"))


def test_a_declared_encoding_counts_where_the_bytes_do_not_say(tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes("Zażółć gęślą jaźń".encode("cp1250"))
    known, unknown = (Place("a.txt", charset=each) for each in ("windows-1250", "no-such"))

    text = asyncio.run(rendition_of(tmp_path / "copy", known))
    other = asyncio.run(rendition_of(tmp_path / "copy", unknown))

    assert of(Text, text).text == "Zażółć gęślą jaźń"
    assert not text.notes
    assert of(Text, other).encoding


def test_of_a_beginning_no_more_is_claimed_than_was_read(tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes(b"a,b\n1,2\n3,")
    (tmp_path / "image").write_bytes(drawn((20, 20), "PNG")[:60])

    table = asyncio.run(rendition_of(tmp_path / "copy", Place("t.csv", size=9_000)))
    image = asyncio.run(rendition_of(tmp_path / "image", Place("a.png", size=9_000)))

    assert of(Table, table).rows == (("1", "2"),)
    assert any("Only the beginning" in note for note in table.notes)
    assert "only its beginning" in why_not(image)
