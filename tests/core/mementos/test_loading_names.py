# SPDX-License-Identifier: AGPL-3.0-or-later
"""Names from an index never lead outside the place where WARCs lie."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import NotLoaded
from carrel.mementos.config.collection import WarcPrefix
from carrel.mementos.loading.names import path_within, url_within
from support.warc_stores import load, stored, warc_store
from support.warcs import response

PREFIX = "http://store.example/warcs/"
HOSTILE = [
    "../secret.warc.gz",
    "sub/../../secret.warc.gz",
    "..",
    "/etc/passwd",
    "//host/share.warc.gz",
    "C:/secret.warc.gz",
    "C:\\secret.warc.gz",
    "..\\secret.warc.gz",
    "\\\\host\\share.warc.gz",
    "file:///etc/passwd",
    "http://10.0.0.1/secret.warc.gz",
    "a\0b.warc.gz",
    "a\nb.warc.gz",
    "\ud800.warc.gz",
    "",
    "x" * 5000,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_refused_in_folders(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotLoaded):
        path_within(tmp_path, name)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_refused_at_web_addresses(name: str) -> None:
    with pytest.raises(NotLoaded):
        url_within(PREFIX, name)


@given(st.text(max_size=40))
def test_no_name_leads_out_of_a_web_address(name: str) -> None:
    try:
        url = url_within(PREFIX, name)
    except NotLoaded:
        return
    rest = url.removeprefix(PREFIX)
    assert url.startswith(PREFIX)
    assert not {"..", ""}.intersection(rest.split("/")[:-1])
    assert not set(rest) & set("?#\\ \n")


def test_a_name_below_a_subfolder_is_found(tmp_path: Path) -> None:
    (tmp_path / "2020").mkdir()
    row = stored(tmp_path / "2020" / "a.warc.gz", response("http://example.org/page"))
    row.fields["filename"] = "2020/a.warc.gz"

    assert load(row, WarcPrefix(tmp_path)).payload == b"<p>hello"


def test_a_file_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "warcs"
    folder.mkdir()
    row = stored(tmp_path / "a.warc.gz", response("http://example.org/page"))
    (folder / "a.warc.gz").symlink_to(tmp_path / "a.warc.gz")

    with pytest.raises(NotLoaded, match="leads out"):
        load(row, WarcPrefix(folder))


def test_a_folder_that_is_a_link_itself_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    row = stored(tmp_path / "real" / "a.warc.gz", response("http://example.org/page"))
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert load(row, WarcPrefix(tmp_path / "link")).payload == b"<p>hello"


def test_a_hostile_name_asks_no_store(tmp_path: Path) -> None:
    row = stored(tmp_path / "a.warc.gz", response("http://example.org/page"))
    row.fields["filename"] = "../a.warc.gz"

    with warc_store(tmp_path) as store:
        with pytest.raises(NotLoaded) as raised:
            load(row, WarcPrefix(f"{store.origin}/warcs/deep/"))
        assert store.asked == []
    assert raised.value.name == "../a.warc.gz"


def test_what_would_begin_a_query_is_escaped() -> None:
    assert url_within(PREFIX, "a?b#c%2e d.warc") == PREFIX + "a%3Fb%23c%252e%20d.warc"
