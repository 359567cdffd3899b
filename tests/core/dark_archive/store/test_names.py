# SPDX-License-Identifier: AGPL-3.0-or-later
"""Places are made as the paper says, and fit every system."""

import hashlib
import re
import string
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.dark_archive.store.names import (
    folder_of,
    further_names,
    is_object_name,
    names_lines,
    names_read,
    object_name,
    object_path,
    says_all,
    split_path,
    tist_of,
)

IDENTIFIERS = st.builds("{}:{}".format, st.text(max_size=120), st.text(max_size=120))
DEVICES = {"con", "prn", "aux", "nul", "com1", "lpt1"}


@pytest.mark.parametrize(
    ("tist", "identifier", "path"),
    [
        (
            1352481230,
            "http://openlib.org/home/krichel",
            "032/184/2531/http%3A%2F%2Fopenlib.org%2Fhome%2Fkrichel",
        ),
        (
            1352481230,
            "http://openlib.org/home/krichel/",
            "032/184/2531/http%3A%2F%2Fopenlib.org%2Fhome%2Fkrichel%2F",
        ),
        (868319999, "RePEc:cre:crefwp:75", "999/913/868/RePEc%3Acre%3Acrefwp%3A75"),
        (1000000000, "RePEc:aaa:wpaper:2015-01", "000/000/0001/RePEc%3Aaaa%3Awpaper%3A2015-01"),
        (
            1776671151,
            "http://e.org/a b(1)*é.pdf?x=1&y=%20",
            "151/176/6771/http%3A%2F%2Fe.org%2Fa%20b%281%29%2A%C3%A9.pdf%3Fx%3D1%26y%3D%2520",
        ),
        (10000000000, "RePEc:awu:journl:v:16", "000/000/00001/RePEc%3Aawu%3Ajournl%3Av%3A16"),
    ],
)
def test_an_object_lies_where_time_and_name_say(tist: int, identifier: str, path: str) -> None:
    assert object_path(tist, identifier) == path


@pytest.mark.parametrize("tist", [0, -1352481230, 999_999])
def test_a_number_of_fewer_than_seven_digits_is_no_tist(tist: int) -> None:
    with pytest.raises(ValueError, match="fewer than seven digits"):
        folder_of(tist)


@given(st.integers(1_000_000, 10**14))
def test_a_folder_gives_its_tist_back(tist: int) -> None:
    assert tist_of(folder_of(tist)) == tist


def test_an_identifier_has_a_colon() -> None:
    with pytest.raises(ValueError, match="has a colon"):
        object_name("../../etc/passwd")


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        (".hidden:a", "%2Ehidden%3Aa"),
        ("a:b.", "a%3Ab%2E"),
        ("..:..", "%2E.%3A.%2E"),
        ("http://e.org/a.link", "http%3A%2F%2Fe.org%2Fa%2Elink"),
        ("http://e.org/a.LINK", "http%3A%2F%2Fe.org%2Fa%2ELINK"),
        ("con.a:b.c", "con%2Ea%3Ab.c"),
        ("LPT1.a:b", "LPT1%2Ea%3Ab"),
        ("redif:../../x\n\\y.rdf", "redif%3A..%2F..%2Fx%0A%5Cy.rdf"),
    ],
)
def test_no_name_means_something_to_a_system(identifier: str, name: str) -> None:
    assert object_name(identifier) == name
    assert unquote(name) == identifier


def test_a_long_name_is_its_beginning_and_its_digest() -> None:
    identifier = "http://e.org/" + "a" * 2000

    name = object_name(identifier)

    digest = hashlib.sha256(identifier.encode()).hexdigest()
    assert name == "http%3A%2F%2Fe.org%2F" + "a" * 79 + "-" + digest


def test_a_name_is_shortened_from_the_first_byte_over_the_limit() -> None:
    longest = "a:" + "b" * 236

    assert object_name(longest) == "a%3A" + "b" * 236
    assert len(object_name(longest + "b")) == 165


@pytest.mark.parametrize("letters", [96, 97, 98, 99, 100])
def test_a_shortened_name_is_not_cut_within_a_code(letters: int) -> None:
    name = object_name("a:" + "b" * letters + "é" * 100)

    head, _, _ = name.rpartition("-")
    assert len(head) > 95
    assert "%" not in head[-2:]


def is_shortened(name: str) -> bool:
    return re.search("-[0-9a-f]{64}$", name) is not None


@given(IDENTIFIERS, st.sampled_from([240, 128, 90]))
@example("RePEc:aaa:" + "\ud800" * 90, 240)
@example("x" * 400 + ":", 240)
@example("nul.x:" + "." * 300, 240)
def test_every_name_is_safe_and_within_its_limit(identifier: str, limit: int) -> None:
    name = object_name(identifier, limit)

    assert len(name) <= limit
    assert name.isascii()
    assert set(name) <= set("%-._~" + string.ascii_letters + string.digits)
    assert name[0] != "."
    assert name[-1] != "."
    assert name.lower().partition(".")[0] not in DEVICES
    assert is_object_name(name)


@given(IDENTIFIERS, IDENTIFIERS)
def test_two_identifiers_never_share_a_name(one: str, other: str) -> None:
    assert (object_name(one, 90) == object_name(other, 90)) == (one == other)


@given(IDENTIFIERS)
def test_what_a_name_says_can_be_read_off_it(identifier: str) -> None:
    name = object_name(identifier)

    assert says_all(name, identifier) == (len(name) <= 240 and not is_shortened(name))


def test_further_names_differ_and_are_object_names() -> None:
    names = list(further_names("RePEc:aaa:wpaper:1", "f" * 64))

    assert names[:2] == [
        "RePEc%3Aaaa%3Awpaper%3A1-" + "f" * 64,
        "RePEc%3Aaaa%3Awpaper%3A1-" + "f" * 64 + "-2",
    ]
    assert len(set(names)) == len(names)
    assert all(map(is_object_name, names))


@given(IDENTIFIERS, st.sampled_from([240, 128, 90]))
def test_further_names_are_within_the_limit_too(identifier: str, limit: int) -> None:
    assert max(map(len, further_names(identifier, "f" * 64, limit))) <= max(limit, 168)


@pytest.mark.parametrize(
    "name",
    ["names.tsv", "a%3Ab.link", "a:b", "a%3A/b", "a%3A\n", "é%3A", "Thumbs.db", "", "%3A.link"],
)
def test_other_names_are_no_names_of_objects(name: str) -> None:
    assert not is_object_name(name)


@pytest.mark.parametrize(
    "path",
    [
        "../store.json",
        "032/184/2531/../../../x%3A",
        "/032/184/2531/a%3A",
        "032/184/2531/a%3A/b%3A",
        "032/184//a%3A",
        "032/18/2531/a%3A",
        "٠٣٢/184/2531/a%3A",
        "032/184/2531/names.tsv",
        "032\\184\\2531\\a%3A",
        "032/184/2531/a%3A\x00",
        "",
    ],
)
def test_other_paths_are_no_paths_of_objects(path: str) -> None:
    assert split_path(path) is None


@given(st.dictionaries(st.from_regex(r"[a-z%3A]{1,9}", fullmatch=True), IDENTIFIERS))
@example({"a": "redif:a\tb\\n\n\r\\ \u2028 \\u0041 \udce9"})
def test_a_table_of_names_can_be_read_again(identifiers: dict[str, str]) -> None:
    assert names_read(names_lines(identifiers)) == identifiers


def test_a_broken_table_of_names_is_read_as_far_as_it_goes() -> None:
    assert names_read(b"\xff\xfe\na\tb\nc\td\te\n\n") == {"a": "b"}
