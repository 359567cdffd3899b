# SPDX-License-Identifier: AGPL-3.0-or-later
"""What browsers save, shortcuts and bookmarks: the addresses in them, and nothing else."""

import io
import plistlib
from pathlib import Path

import pytest

from carrel.engine.batches import Batch, Kind, read, read_file
from carrel.engine.batches.text import LONGEST_LINE_BYTES
from carrel.errors import UsageError

URL = "https://zenodo.org/records/7041152?page=1&size=2"
INTERNET_SHORTCUT = (
    f"[DEFAULT]\r\nBASEURL=https://a.example/\r\n[InternetShortcut]\r\nURL={URL}\r\n"
)
DESKTOP_ENTRY = f"[Desktop Entry]\nType=Link\nName=Dunes\nIcon=text-html\nURL[$e]={URL}\n"


def batch(content: str | bytes, source: str = "", kind: Kind | None = None) -> Batch:
    raw = content.encode() if isinstance(content, str) else content
    return read(io.BytesIO(raw), source=source, kind=kind)


def urls(of: Batch) -> list[str]:
    return [request.base_url for request in of.requests]


@pytest.mark.parametrize("name", ["dunes.url", "dunes.desktop", "dunes.webloc", ""])
@pytest.mark.parametrize(
    "content",
    [
        INTERNET_SHORTCUT.encode(),
        INTERNET_SHORTCUT.encode("utf-16"),
        DESKTOP_ENTRY.encode(),
        plistlib.dumps({"URL": URL}),
        plistlib.dumps({"URL": URL, "title": "10.5281/zenodo.1"}, fmt=plistlib.FMT_BINARY),
    ],
    ids=["url", "url-utf-16", "desktop", "webloc", "webloc-binary"],
)
def test_a_shortcut_gives_its_address_and_nothing_else(content: bytes, name: str) -> None:
    got = batch(content, name)

    assert got.kind is Kind.SHORTCUT
    assert urls(got) == [URL]
    assert got.problems == ()


def test_a_shortcut_to_what_can_not_be_archived_says_so() -> None:
    got = batch("[InternetShortcut]\nURL=file:///C:/notes.txt\n", "notes.url")

    assert [(it.line, it.text) for it in got.problems] == [(2, "file:///C:/notes.txt")]


@pytest.mark.parametrize(
    "content",
    [
        b"bplist00\x00\x01",
        b'<?xml version="1.0"?><plist><dict><key>URL</key>',
        b"bplist00" * 200_000,
    ],
    ids=["binary", "xml", "large"],
)
def test_a_damaged_property_list_is_refused_by_name(content: bytes) -> None:
    with pytest.raises(UsageError, match=r"^dunes\.webloc: "):
        batch(content, "dunes.webloc")


def test_a_property_list_with_entities_is_refused() -> None:
    entity = '<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa">]>'
    bomb = f"{entity}<plist><dict><key>URL</key><string>&a;</string></dict></plist>"

    with pytest.raises(UsageError, match="cannot be read"):
        batch(bomb, "dunes.webloc")


def test_bookmarks_are_read_link_by_link() -> None:
    got = batch(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
        "<!-- https://a.example/made-by -->\n"
        "<TITLE>Bookmarks</TITLE>\n"
        f'<DT><A HREF="{URL.replace("&", "&amp;")}" ICON="data:image/png;base64,AA">Dunes</A>\n'
        "<DT><A HREF='place:sort=8'>Recent</A>\n"
        "<DT><a add_date=1\n   href=https://doi.org/10.5281/zenodo.2>Tides, https://b.example/</a>\n"
    )

    assert got.kind is Kind.BOOKMARKS
    assert urls(got) == [URL, "https://doi.org/10.5281/zenodo.2"]
    assert got.problems == ()


@pytest.mark.parametrize(
    "start", ["<html>", "<!doctype html>", '<?xml version="1.0"?>\n<html>', ""]
)
def test_a_saved_page_gives_its_links(start: str) -> None:
    got = batch(f'{start}<p><a class="x" href="{URL}">Dunes</a></p>', "page.html")

    assert (got.kind, urls(got)) == (Kind.BOOKMARKS, [URL])


def test_a_page_without_links_is_bare() -> None:
    assert batch("<html><p>Nothing</p></html>", "page.html").is_bare


def test_a_line_of_html_that_is_far_too_long_is_told() -> None:
    got = batch("<html>" + "x" * (2 * LONGEST_LINE_BYTES) + f'\n<a href="{URL}">Dunes</a>')

    assert [it.line for it in got.problems] == [1]
    assert urls(got) == [URL]


def test_a_folder_is_refused_as_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=rf"{tmp_path.name} is a folder\."):
        read_file(tmp_path)
