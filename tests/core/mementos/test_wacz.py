# SPDX-License-Identifier: AGPL-3.0-or-later
"""A WACZ is read in place, and one that is made to do harm is refused."""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from carrel.errors import NotLoaded
from carrel.mementos.warc.indexer import index_file
from carrel.mementos.warc.problems import Problem, ProblemKind
from carrel.mementos.warc.wacz import Wacz
from support.warcs import member, request, response, write_wacz, write_warc, zipnum

URL = "http://example.org/"


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """Return a WARC of four captures, one of them a POST's."""
    asked = request(f"{URL}d", method="POST", body=b"a=1")
    path = tmp_path / "data.warc.gz"
    made = [response(f"{URL}{name}", name.encode()) for name in "abc"]
    write_warc(path, *made, asked, response(f"{URL}d", b"d", concurrent_to=asked.record_id))
    return path


def lines(path: Path, problems: list[Problem] | None = None) -> Sequence[bytes]:
    told: list[Problem] = [] if problems is None else problems
    return sorted(Wacz(path).index_lines(told.append))


def expected(warc: Path) -> list[bytes]:
    """Return the lines of a WARC as they should be where it lies in a WACZ."""
    return sorted(
        line.replace(b'"data.warc.gz"', b'"archive/data.warc.gz"') for line in index_file(warc)
    )


@pytest.mark.parametrize("is_deflated", [False, True])
def test_a_record_is_opened_at_its_offset(tmp_path: Path, warc: Path, is_deflated: bool) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, is_deflated=is_deflated)
    fields = json.loads(lines(path)[1].split(b" ", 2)[2])

    opened = Wacz(path).open_member(
        fields["filename"], int(fields["offset"]), int(fields["length"])
    )

    assert opened.field("WARC-Target-URI") == f"{URL}b"
    assert b"".join(opened.payload) == b"b"
    opened.close()


@pytest.mark.parametrize("is_deflated", [False, True])
def test_without_an_index_its_warcs_are_indexed(
    tmp_path: Path, warc: Path, is_deflated: bool
) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, is_deflated=is_deflated)

    assert Wacz(path).warc_names == ["archive/data.warc.gz"]
    assert lines(path) == expected(warc)


@pytest.mark.parametrize("name", ["index.cdx", "index.cdxj", "index.cdx.gz"])
def test_its_own_index_is_used(tmp_path: Path, warc: Path, name: str) -> None:
    own = b"".join(line for line in sorted(index_file(warc)) if b"/b" not in line)
    path = tmp_path / "a.wacz"
    index = {name: member(own) if name.endswith(".gz") else own}
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, indexes=index)

    assert lines(path) == [line for line in expected(warc) if b"/b" not in line]


def test_an_index_in_blocks_is_used(tmp_path: Path, warc: Path) -> None:
    packed, places = zipnum(
        [line for line in sorted(index_file(warc)) if b"/b" not in line], most=2
    )
    path = tmp_path / "a.wacz"
    index = {"index.cdx.gz": packed, "index.idx": places}
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, indexes=index)

    assert lines(path) == [line for line in expected(warc) if b"/b" not in line]


def test_keys_of_another_kind_are_made_anew(tmp_path: Path, warc: Path) -> None:
    own = b"".join(line.replace(b"org,example)", b"org,example,www)") for line in index_file(warc))
    own = own.replace(b"www)/d", b"www)/x?__wb_method=POST")
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, indexes={"index.cdxj": own})

    keys = [line.split(b" ")[0] for line in lines(path)]

    assert keys[:3] == [b"org,example)/a", b"org,example)/b", b"org,example)/c"]
    assert b"__wb_method" in keys[3]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"data.warc.gz"', b'"gone.warc.gz"'),
        (b'"data.warc.gz"', b'"../data.warc.gz"'),
        (b'"offset": "', b'"offset": "99999999'),
        (b'"offset"', b'"nothing"'),
        (b"{", b"["),
    ],
)
def test_an_index_that_makes_no_sense_is_made_anew(
    tmp_path: Path, warc: Path, old: bytes, new: bytes
) -> None:
    own = b"".join(index_file(warc)).replace(old, new)
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, indexes={"index.cdxj": own})

    assert lines(path) == expected(warc)


def test_a_broken_index_is_made_anew(tmp_path: Path, warc: Path) -> None:
    packed = member(b"".join(index_file(warc)))[:-30]
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()}, indexes={"index.cdx.gz": packed})

    assert lines(path) == expected(warc)


def test_a_damaged_warc_in_it_is_told(tmp_path: Path, warc: Path) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()[:-10]})
    problems: list[Problem] = []

    assert len(lines(path, problems)) == 3
    assert [(each.kind, each.name) for each in problems] == [
        (ProblemKind.CUT_SHORT, "archive/data.warc.gz")
    ]


def test_a_name_that_is_not_in_it_is_not_loaded(tmp_path: Path, warc: Path) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()})

    with pytest.raises(NotLoaded, match="no WARC"):
        Wacz(path).open_member("archive/../datapackage.json", 0, 10)
    with pytest.raises(NotLoaded, match="no WARC"):
        Wacz(path).open_member("datapackage.json", 0, 10)
    with pytest.raises(NotLoaded, match="ends before"):
        Wacz(path).open_member("archive/data.warc.gz", 10**9, 10)


@pytest.mark.parametrize("name", ["../x.warc.gz", "/x.warc.gz", "archive/../../x", "C:/x.warc"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {name: b"x"})

    with pytest.raises(NotLoaded, match=r"a\.wacz is not opened"):
        Wacz(path)


def test_contents_that_inflate_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"x.warc": bytes(30 * 1024 * 1024)}, is_deflated=True)

    with pytest.raises(NotLoaded, match="far too much"):
        Wacz(path)


def test_encrypted_contents_are_refused(tmp_path: Path, warc: Path) -> None:
    path = tmp_path / "a.wacz"
    info = zipfile.ZipInfo("archive/data.warc.gz")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(info, warc.read_bytes())
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)

    with pytest.raises(NotLoaded, match="encrypted"):
        Wacz(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" * 9])
def test_what_is_no_zip_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.wacz"
    path.write_bytes(content)

    try:
        names = Wacz(path).warc_names
    except NotLoaded:
        names = []

    assert names == []


def test_a_zip_that_was_cut_is_refused(tmp_path: Path, warc: Path) -> None:
    path = tmp_path / "a.wacz"
    write_wacz(path, {"data.warc.gz": warc.read_bytes()})
    path.write_bytes(path.read_bytes()[:-30])

    with pytest.raises(NotLoaded, match=r"a\.wacz"):
        Wacz(path)
