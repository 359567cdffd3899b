# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the name of a tarball tells of its day, and what of its members' paths is their identity."""

from datetime import UTC, datetime

import pytest

from carrel.dark_archive.sources.tar_names import date_in_name, dropped_prefix, member_path


def iso(moment: int | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat()[:19]


@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("2019-01-31.tar.gz", "2019-01-31T23:59:59"),
        ("RePEc-2019-01-31.tgz", "2019-01-31T23:59:59"),
        ("20190131.tar", "2019-01-31T23:59:59"),
        ("ten_2019_01_31_final.tar", "2019-01-31T23:59:59"),
        ("ten.2019.01.31.tar", "2019-01-31T23:59:59"),
        ("2019-01-31-1205.tar.gz", "2019-01-31T12:05:00"),
        ("2019-01-31T120506.tar.gz", "2019-01-31T12:05:06"),
        ("2019-01-31T12:05:06Z.tar.gz", "2019-01-31T12:05:06"),
        ("20190131T1205.tar.gz", "2019-01-31T12:05:00"),
        ("20190131120506.tar.gz", "2019-01-31T12:05:06"),
        ("2019-01-31-2.tar.gz", "2019-01-31T23:59:59"),
        ("2019-01-31-9999.tar.gz", "2019-01-31T23:59:59"),
        ("2019-01-31_2019-02-28.tar", "2019-01-31T23:59:59"),
        ("1997-07-07.tar", "1997-07-07T23:59:59"),
        ("v2019-13-01-2020-02-29.tar", "2020-02-29T23:59:59"),
    ],
)
def test_the_date_in_a_name_is_understood(name: str, moment: str) -> None:
    assert iso(date_in_name(name)) == moment


@pytest.mark.parametrize(
    "name",
    [
        "RePEc.tar.gz",
        "state-03.tar",
        "2019-02-30.tar",
        "2019-1-31.tar",
        "2019-0131.tar",
        "120190131.tar",
        "0000-00-00.tar",
        "1850-01-01.tar",
        "٢٠١٩-01-31.tar",
    ],
)
def test_a_name_without_a_date_tells_none(name: str) -> None:
    assert date_in_name(name) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("RePEc/aaa/x.rdf", "RePEc/aaa/x.rdf"),
        ("./aaa//b/./x.rdf", "aaa/b/x.rdf"),
        ("/etc/x.rdf", "etc/x.rdf"),
        ("caf\udce9.rdf", "caf\\xe9.rdf"),
        ("l\nf\x1b[2J.rdf", "l\\x0af\\x1b[2J.rdf"),
        ("\u202efdr.x.rdf", "\\u202efdr.x.rdf"),
        ("é/\U0001f30a.rdf", "é/\U0001f30a.rdf"),
        ("..rdf", "..rdf"),
        ("../x.rdf", None),
        ("a/../../x.rdf", None),
        ("a/..", None),
        ("./", None),
        ("", None),
    ],
)
def test_a_member_has_a_path_that_leads_nowhere(name: str, path: str | None) -> None:
    assert member_path(name) == path


@pytest.mark.parametrize(
    ("first", "last", "tarball", "prefix"),
    [
        ("state-03/RePEc/ten/a.rdf", "state-03/RePEc/ten/w/b.rdf", "x.tar", "state-03/RePEc/"),
        ("RePEc-2019-01-01/aaa/a.rdf", "RePEc-2019-01-01/bbb/b.rdf", "x.tar", "RePEc-2019-01-01/"),
        ("repec/aaa/a.rdf", "repec/bbb/b.rdf", "x.tar", "repec/"),
        ("mirror/RePEc/remo/aaa/a.rdf", "mirror/RePEc/remo/b.rdf", "x", "mirror/RePEc/remo/"),
        ("remo/aaa/a.rdf", "remo/bbb/b.rdf", "x.tar", "remo/"),
        ("all/RePEc/a.rdf", "all/RePEc/b.rdf", "x.tar", "all/RePEc/"),
        ("RePEc/all/a.rdf", "RePEc/ten/b.rdf", "x.tar", "RePEc/"),
        ("ten/a.rdf", "ten/w/b.rdf", "x.tar", ""),
        ("ten/a.rdf", "ten/w/b.rdf", "ten.tar.gz", "ten/"),
        ("ten/a.rdf", "ten/w/b.rdf", "ten.tgz", "ten/"),
        ("2019/ten/a.rdf", "2019/ten/b.rdf", "x.tar", "2019/"),
        ("aaa/a.rdf", "bbb/b.rdf", "x.tar", ""),
        ("2018/a.rdf", "2019/b.rdf", "x.tar", ""),
        ("a.rdf", "b.rdf", "x.tar", ""),
    ],
)
def test_what_tells_one_state_from_another_is_no_part_of_a_path(
    first: str, last: str, tarball: str, prefix: str
) -> None:
    assert dropped_prefix(first, last, tarball) == prefix
