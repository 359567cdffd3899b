# SPDX-License-Identifier: AGPL-3.0-or-later
"""The reader, which works on whole blocks, against one that goes through a file line by line."""

import codecs
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from carrel.dark_archive import redif
from carrel.dark_archive.redif.encodings import Decoding, Encoding
from carrel.dark_archive.redif.stretches import LineEnds, stretches
from carrel.dark_archive.redif.template import Template, template_of

FIELD = re.compile(r"([A-Za-z0-9#-]+):(?!//)(.*)", re.DOTALL)
MARK = re.compile("(?:\ufeff|ï»¿)*")

LINES = [
    "Template-Type: ReDIF-Paper 1.0",
    "Template-Type: ReDIF-Paper 1.0",
    "template-TYPE:ReDIF-article",
    "Template-type:",
    "Template-Type://example.org",
    "Template-Type : ReDIF-Paper 1.0",
    " Template-Type: ReDIF-Paper 1.0",
    "#Template-Type: ReDIF-Paper 1.0",
    "\ufeffTemplate-Type: ReDIF-Book 1.0",
    "ï»¿ï»¿Template-Type: ReDIF-Book 1.0",
    "Handle: RePEc:aaa:wpaper:1",
    "handle:",
    "Handle: RePEc: aaa:b<br />",
    "HANDLE :RePEc:aaa:wpaper:2",
    "\ufeffHandle:\tRePEc:aaa:wpaper:3\xa0",
    "File-URL: http://example.org/a.pdf",
    "File-url:URL: http://example.org/?a=1&amp;b=2&copy=3",
    "File-URL:",
    "File-URL: <br>",
    "File-Format: Application/pdf ",
    "File-Restriction: members",
    "Restriction: no",
    "http://example.org/no-field",
    "word: goes on",
    "Größe: 5",
    "Abstract: “Größe” of one",
    " and on <br />",
    "a#b-9: known to nobody",
    "#",
    "# a comment",
    " # none",
    "\x1a",
    " \x1a\x1a \t",
    "\x1a text",
    "",
    "",
    " \t ",
    "\xa0",
    "\ufeff",
    "\ufeff\ufeff# a comment",
    "a\x0bb\x0cc\x1cd\x85e\u2028f",
    "\0\0",
]
ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}

files = st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\n", "\r\n", "\r"])))
cuts = st.lists(st.integers(3, 400), max_size=12)


@dataclass
class Slow:
    """A template as one reads it with a finger on the line."""

    lines: list[str]
    fields: list[list[str]] = field(default_factory=list)

    def take(self, line: str) -> None:
        self.lines.append(line)
        if found := FIELD.fullmatch(line):
            self.fields.append([found[1], found[2]])
        else:
            self.fields[-1][1] += "\n" + line

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    def named(self, name: str) -> list[str]:
        return [value for each, value in self.fields if each.lower() == name]


def slowly(text: str) -> Iterator[Slow]:
    current = None
    for line in re.split("\r\n|\n|\r", text):
        line = MARK.sub("", line, count=1).rstrip()
        if not line or line.startswith("#") or not line.replace("\x1a", "").strip():
            continue
        if re.match("template-type:(?!//)", line, re.IGNORECASE):
            if current:
                yield current
            current = Slow([])
        if current:
            current.take(line)
    if current:
        yield current


def cleaned(value: str) -> str:
    return "".join(re.sub(r"<br\s*/?>", "", value).split())


def expected(template: Slow) -> dict[str, object]:
    handles = [cleaned(value) for value in template.named("handle")]
    urls = [re.sub("^URL:", "", cleaned(value)) for value in template.named("file-url")]
    return {
        "text": template.text,
        "md5": hashlib.md5(template.text.encode(), usedforsecurity=False).hexdigest(),
        "handle": next(filter(None, handles), None),
        "urls": [url.replace("&amp;", "&") for url in urls],
        "fields": [(name, value.strip()) for name, value in template.fields],
    }


def found(template: Template) -> dict[str, object]:
    return {
        "text": template.text,
        "md5": template.text_md5,
        "handle": template.handle,
        "urls": template.addresses(),
        "fields": template.fields(),
    }


def in_blocks(data: bytes, sizes: Sequence[int]) -> list[bytes]:
    places = [0]
    for size in sizes:
        places.append(places[-1] + size)
    return [data[begin:end] for begin, end in pairwise([*places, len(data) + places[-1]])]


@given(files, st.sampled_from(list(ENCODINGS)))
def test_a_file_is_read_as_line_by_line(lines: list[tuple[str, str]], encoding: str) -> None:
    text = "".join(line + end for line, end in lines)
    data = ENCODINGS[encoding] + text.encode(encoding.removesuffix("-sig"))
    # What begins with a mark is taken for what that says; without one, ASCII is no UTF-8.
    text = text.removeprefix("\ufeff") if encoding == "utf-8" else text

    reading = redif.read(BytesIO(data), "a.rdf")

    assert [found(each) for each in reading.templates()] == [
        expected(each) for each in slowly(text)
    ]


@given(files, st.sampled_from(list(ENCODINGS)), cuts)
def test_where_blocks_end_makes_no_difference(
    lines: list[tuple[str, str]], encoding: str, sizes: list[int]
) -> None:
    text = "".join(line + end for line, end in lines)
    data = ENCODINGS[encoding] + text.encode(encoding.removesuffix("-sig"))
    texts = LineEnds().unify(Decoding(Encoding(encoding)).texts(in_blocks(data, sizes)))

    bodies = [body for stretch in stretches(texts) for body in stretch.bodies]

    assert [found(template_of(body, 0)) for body in bodies] == [
        expected(each) for each in slowly(text)
    ]


@given(st.binary(max_size=400))
def test_no_bytes_fail(data: bytes) -> None:
    reading = redif.read(BytesIO(data), "a.rdf")

    counted = redif.survey(reading, lambda handles, addresses: None)

    assert counted.templates == len(list(reading.templates()))
    assert reading.size == len(data)


@given(files, cuts)
def test_every_problem_is_on_a_line_of_the_file(
    lines: list[tuple[str, str]], sizes: list[int]
) -> None:
    data = "".join(line + end for line, end in lines).encode()
    count = len(re.split(b"\r\n|\n|\r", data))

    problems = redif.survey(redif.read(BytesIO(data), "a.rdf"), lambda *kept: None).problems

    assert all(problem.line is None or 1 <= problem.line <= count for problem in problems)
