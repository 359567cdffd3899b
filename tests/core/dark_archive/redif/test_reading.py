# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a file is: ReDIF in whole or in part, or something else under its name."""

import codecs
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.dark_archive import redif
from carrel.dark_archive.redif import reader as reading_module
from carrel.dark_archive.redif import stretches as stretches_module
from carrel.model.dark import ContainerState

BLOCK_BYTES = reading_module._BLOCK_BYTES


def template(number: int, more: str = "") -> str:
    return (
        f"Template-Type: ReDIF-Paper 1.0\nTitle: Größe {number}\n{more}\n"
        f"Handle: RePEc:aaa:wpaper:{number}\n\n"
    )


def read(data: bytes, path: str = "a.rdf") -> redif.Reading:
    return redif.read(io.BytesIO(data), path)


def handles(data: bytes) -> list[str | None]:
    return [each.handle for each in read(data).templates()]


@pytest.fixture
def large(tmp_path: Path) -> Iterator[tuple[redif.Reading, bytes]]:
    """A file of many blocks, the last of them with a sign that decides on the encoding."""
    text = "".join(template(number, "x" * 500) for number in range(3000))
    data = text.replace("ö", "o").replace("ß", "s").encode() + template(3000).encode()
    path = tmp_path / "large.rdf"
    path.write_bytes(data)
    with path.open("rb", buffering=0) as file:
        yield redif.read(file, "large.rdf"), data


@pytest.mark.parametrize(
    ("data", "flaw"),
    [
        (b"", "empty"),
        (codecs.BOM_UTF8, "empty"),
        (codecs.BOM_UTF16_LE, "empty"),
        (b"<!DOCTYPE html>\n<title>404 Template-Type: ReDIF-Paper</title>", "html"),
        (b"\n  <html><p>Template-Type: ReDIF-Paper 1.0</p>", "html"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html>", "html"),
        (b"<?xml version='1.0'?>\n<rdf:RDF>", "xml"),
        (b"<rdf:RDF>", "xml"),
        (b"Access denied.", "no-template"),
        (b"Handle: RePEc:aaa:wpaper:1\nTemplate-Type : ReDIF-Paper 1.0", "no-template"),
        (b"\0" * 600, "no-template"),
        (b"# " + b"x" * BLOCK_BYTES + b"\nforbidden", "no-template"),
    ],
)
def test_what_is_no_redif_is_unreadable(data: bytes, flaw: str) -> None:
    told = read(data)

    assert told.state is ContainerState.UNREADABLE
    assert told.flaw == flaw
    assert told.problem is not None
    assert list(told.templates()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"# nothing yet\r\n\r\n  \r\n",
        b"#Template-Type: ReDIF-Paper 1.0\n#Handle: RePEc:aaa:wpaper:1\n\x1a",
        b"# " + b"x" * BLOCK_BYTES + b"\n\n",
    ],
)
def test_a_file_of_comments_is_read_and_holds_nothing(data: bytes) -> None:
    told = read(data)

    assert told.state is ContainerState.READ
    assert told.problem is None
    assert list(told.templates()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"<?xml version='1.0'?>\n" + template(1).encode(),
        b"<html>\n<pre>\n" + template(1).encode(),
        template(1).encode("utf-16-le"),
        b"\n\n" + codecs.BOM_UTF8 + template(1).encode(),
        template(1).replace("\n", "\r").encode(),
        template(1).replace("\n", "<br />\r\n").encode("windows-1252"),
        b"\xef\xbb\xbf" * 2 + template(1).encode(),
    ],
)
def test_what_stands_around_templates_does_not_hide_them(data: bytes) -> None:
    told = read(data)

    assert told.state is ContainerState.READ
    assert [each.handle for each in told.templates()] == ["RePEc:aaa:wpaper:1"]


def test_files_that_were_put_together_are_all_read() -> None:
    utf_8 = template(1).encode("utf-8-sig") * 2
    mixed = template(1).encode("windows-1252") + template(2).encode("utf-8-sig")

    assert handles(utf_8) == ["RePEc:aaa:wpaper:1"] * 2
    assert handles(mixed) == ["RePEc:aaa:wpaper:1", "RePEc:aaa:wpaper:2"]


def test_a_large_file_is_read_in_blocks(large: tuple[redif.Reading, bytes]) -> None:
    told, data = large

    found = [each.handle for each in told.templates()]

    assert told.encoding == "utf-8"
    assert told.convention == "windows-1252"
    assert told.size == len(data) > 4 * BLOCK_BYTES
    assert told.sha256 == hashlib.sha256(data).hexdigest()
    assert found == [f"RePEc:aaa:wpaper:{number}" for number in range(3001)]


def test_what_is_asked_between_templates_does_not_disturb_them(
    large: tuple[redif.Reading, bytes],
) -> None:
    told, data = large
    assert told.state is ContainerState.READ

    templates = told.templates()
    texts = [next(templates).text]
    digest = told.sha256
    texts += [each.text for each in templates]

    assert digest == hashlib.sha256(data).hexdigest()
    assert len(texts) == 3001
    assert [each.text for each in told.templates()] == texts
    assert [each.position for each in told.templates()] == list(range(3001))


def test_the_spelling_of_the_first_field_does_not_matter_in_a_large_file() -> None:
    data = b"".join(
        template(number, "x" * 500).encode().replace(b"Template-Type", b"TEMPLATE-type")
        for number in range(1000)
    )

    assert handles(data) == [f"RePEc:aaa:wpaper:{number}" for number in range(1000)]


def test_a_file_that_gives_less_than_is_asked_for_is_read_to_its_end() -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 1, 7))

    data = template(1).encode()

    told = redif.read(Slow(data), "a.redif")

    assert told.size == len(data)
    assert [each.handle for each in told.templates()] == ["RePEc:aaa:wpaper:1"]


def test_a_template_longer_than_any_is_cut_and_the_next_one_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stretches_module, "_LONGEST_CHARS", 2 * BLOCK_BYTES)
    data = template(1).encode() + b"forever and ever \n" * BLOCK_BYTES + template(2).encode() * 2
    told = read(data)

    found = list(told.templates())

    assert [each.handle for each in found[1:]] == ["RePEc:aaa:wpaper:2"] * 2
    assert len(found[0].text) < 4 * BLOCK_BYTES
    survey = redif.survey(told, lambda kept, there: None)
    assert [each.code for each in survey.problems if each.line == 1] == ["template-too-long"]
    assert {each.line for each in survey.problems if each.code == "duplicate-handle"} == {
        BLOCK_BYTES + 14
    }
