# SPDX-License-Identifier: AGPL-3.0-or-later
"""A list of addresses: one container whose one template names them all."""

import hashlib
import io
import os
from pathlib import Path

import pytest

from carrel.dark_archive.sources import ReadContainer, ReadTemplate, UrlList
from carrel.errors import UsageError
from carrel.model.dark import ContainerState, Reference, RunSource

NOW = 2_000_000_000


def url_list(
    folder: Path, content: bytes = b"https://e.org/", name: str = "my list.txt"
) -> UrlList:
    path = folder / name
    path.write_bytes(content)
    os.utime(path, (1_500_000_000, 1_500_000_000))
    return UrlList(path, now=lambda: NOW)


def read(folder: Path, content: bytes | str, name: str = "list.txt") -> ReadContainer:
    raw = content.encode() if isinstance(content, str) else content
    source = url_list(folder, raw, name)
    (container,) = source.containers()
    with container.opened() as file:
        return source.read(file, container.path)


def template(folder: Path, content: bytes | str, name: str = "list.txt") -> ReadTemplate:
    (found,) = read(folder, content, name).templates()
    return found


def raw_urls(folder: Path, content: bytes | str) -> list[str]:
    return [reference.raw_url for reference in template(folder, content).references()]


def test_a_list_is_one_container(tmp_path: Path) -> None:
    source = url_list(tmp_path)

    (container,) = source.containers()

    assert (container.path, container.modified) == ("my list.txt", 1_500_000_000)
    assert container.size == len("https://e.org/")
    assert (source.source, source.date) == (RunSource.LIST, 1_500_000_000)
    assert (source.unread, source.notes) == ((), ())
    assert source.reference == str(tmp_path / "my list.txt")
    source.close()


def test_a_list_is_one_template(tmp_path: Path) -> None:
    content = "https://b.org/x\nHTTP://A.org:80/%7Ey\n\nhttps://b.org/x#top\n"

    reading = read(tmp_path, content)
    (found,) = reading.templates()

    assert (reading.state, reading.problem) == (ContainerState.READ, None)
    assert reading.size == len(content)
    assert reading.sha256 == hashlib.sha256(content.encode()).hexdigest()
    assert found.text == "http://a.org/~y\nhttps://b.org/x\n"
    assert found.text_md5 == hashlib.md5(found.text.encode()).hexdigest()
    assert (found.position, found.type, found.handle) == (0, "list", "list:list")
    assert found.restriction is None
    assert found.references() == (
        Reference("https://b.org/x", "https://b.org/x"),
        Reference("HTTP://A.org:80/%7Ey", "http://a.org/~y"),
    )


@pytest.mark.parametrize(
    ("name", "handle"),
    [
        ("seeds.txt", "list:seeds"),
        ("my own list.csv", "list:my-own-list"),
        ("a:b c?d.txt", "list:a-b-c-d"),
        ("Grüße 2019.01.txt", "list:Grüße-2019.01"),
        ("noending", "list:noending"),
        ("?.txt", "list:list"),
    ],
)
def test_a_list_is_called_after_its_file(tmp_path: Path, name: str, handle: str) -> None:
    source = url_list(tmp_path)

    (found,) = source.read(io.BytesIO(b"https://e.org/"), name).templates()

    assert found.handle == handle


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("https://e.org/a", ["https://e.org/a"]),
        ("  https://e.org/a.  ", ["https://e.org/a."]),
        ("https://e.org/a_(b)", ["https://e.org/a_(b)"]),
        ("https://e.org/a?x={1}|2", ["https://e.org/a?x={1}|2"]),
        ("https://e.org/#part", ["https://e.org/#part"]),
        ("https://e.org/a # a remark on http://not.org/", ["https://e.org/a"]),
        ("# http://not.org/\nhttps://e.org/a", ["https://e.org/a"]),
        (
            "See https://e.org/a, and (https://e.org/b_(c)).",
            ["https://e.org/a", "https://e.org/b_(c)"],
        ),
        ("<https://e.org/a> [x](https://e.org/b)!", ["https://e.org/a", "https://e.org/b"]),
        ('"https://e.org/a,b","A title",7', ["https://e.org/a,b"]),
        (
            "https://e.org/a,https://e.org/b;http://e.org/c",
            ["https://e.org/a", "https://e.org/b", "http://e.org/c"],
        ),
        (
            "https://web.archive.org/web/2019/http://e.org/",
            ["https://web.archive.org/web/2019/http://e.org/"],
        ),
        (
            "https://e.org/a\r\nhttps://e.org/b\rhttps://e.org/c",
            ["https://e.org/a", "https://e.org/b", "https://e.org/c"],
        ),
    ],
)
def test_addresses_are_found(tmp_path: Path, line: str, found: list[str]) -> None:
    assert raw_urls(tmp_path, line) == found


def test_an_address_that_goes_on_behind_a_blank_is_told(tmp_path: Path) -> None:
    source = url_list(tmp_path)

    source.read(io.BytesIO(b"https://e.org/a b.pdf\nhttps://e.org/c\ttitle # x"), "list.txt")

    (note,) = source.notes
    assert note.startswith(
        "Line 1, “https://e.org/a b.pdf”, has text after a blank; only the address"
    )


def test_what_can_not_be_fetched_is_named_and_has_no_address(tmp_path: Path) -> None:
    content = "https://e.org/a\nftp://e.org/b\nfile:///etc/passwd\n"

    found = template(tmp_path, content)

    assert found.text == "https://e.org/a\n"
    assert [reference.url for reference in found.references()] == [
        "https://e.org/a",
        None,
        None,
    ]


def test_a_list_with_a_password_in_it_is_refused_whole(tmp_path: Path) -> None:
    content = "https://e.org/a\nhttps://me:secret@e.org/\n"

    with pytest.raises(OSError, match="line 2 has a user name or password") as refusal:
        template(tmp_path, content)

    assert "secret" not in str(refusal.value)


def test_another_order_is_the_same_text(tmp_path: Path) -> None:
    one = template(tmp_path, "https://e.org/a\nhttps://e.org/b\n")
    other = template(tmp_path, "https://e.org/b\n# new\nhttps://e.org/a\nhttps://e.org/b\n")

    assert one.text_md5 == other.text_md5


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16-le"),
        ("cp1252", "iso-8859-1"),
    ],
)
def test_a_list_may_be_in_any_encoding(tmp_path: Path, encoding: str, told: str) -> None:
    reading = read(tmp_path, "https://e.org/café\n".encode(encoding))
    (found,) = reading.templates()

    assert reading.encoding == told
    assert [reference.raw_url for reference in found.references()] == ["https://e.org/café"]


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"no address\n", b"ftp://e.org/\n"])
def test_a_list_without_an_address_is_unreadable(tmp_path: Path, content: bytes) -> None:
    reading = read(tmp_path, content)

    assert reading.state is ContainerState.UNREADABLE
    assert reading.problem == "it has no web address"
    assert list(reading.templates()) == []


def test_what_is_no_file_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no list"):
        UrlList(tmp_path / "missing.txt")
    with pytest.raises(UsageError, match="There is no list"):
        UrlList(tmp_path)


def test_a_list_that_went_away_can_not_be_opened(tmp_path: Path) -> None:
    (container,) = url_list(tmp_path).containers()
    (tmp_path / "my list.txt").unlink()

    with pytest.raises(FileNotFoundError):
        container.opened()
