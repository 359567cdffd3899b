# SPDX-License-Identifier: AGPL-3.0-or-later
"""Handles and addresses have one identity, however they are spelled, and no more is guessed."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.dark_archive.identifiers import (
    archive_of,
    differ_by_slash,
    no_handle,
    normal_handle,
    normal_url,
    redif_name,
    series_of,
    url_by_all_rules,
)
from carrel.errors import NotFetchable


def outcome(url: str) -> str:
    try:
        return normal_url(url)
    except NotFetchable as error:
        return str(error)


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("http://e.org/a.pdf", "http://e.org/a.pdf"),
        ("HTTP://WWW.E.ORG/A.PDF", "http://www.e.org/A.PDF"),
        ("http://e.org", "http://e.org/"),
        ("http://e.org?x=1", "http://e.org/?x=1"),
        ("http://e.org:80/a", "http://e.org/a"),
        ("http://e.org:/a", "http://e.org/a"),
        ("https://e.org:443/a", "https://e.org/a"),
        ("https://e.org:80/a", "https://e.org:80/a"),
        ("http://e.org:08080/a", "http://e.org:8080/a"),
        ("http://e.org/a#page=2", "http://e.org/a"),
        (" http://e.org/long- \r\n  name.pdf ", "http://e.org/long-name.pdf"),
        ("http://e.org/a b.pdf", "http://e.org/a%20b.pdf"),
        ("http://e.org/a  b.pdf?c d", "http://e.org/a%20%20b.pdf?c%20d"),
        ("http: //e.org /a.pdf", "http://e.org/a.pdf"),
        ("http://e.org/a\tb.pdf", "http://e.org/ab.pdf"),
        ("URL:http://e.org/a", "http://e.org/a"),
        ("url: http://e.org/a", "http://e.org/a"),
        ("http://e.org/a?x=1&amp;y=2", "http://e.org/a?x=1&y=2"),
        ("http://e.org/a?x=1&amp;amp;y=2", "http://e.org/a?x=1&y=2"),
        ("http://e.org/a&#38;b&#x26;c", "http://e.org/a&b&c"),
        ("http://e.org/a&#10;b", "http://e.org/ab"),
        ("http://e.org/%7euser/%41%2d%5f%2E", "http://e.org/~user/A-_."),
        ("http://e.org/%c3%a9%2fb%3f", "http://e.org/%C3%A9%2Fb%3F"),
        ("http://e.org/a/./b/../c/..", "http://e.org/a/"),
        ("http://e.org/../../a", "http://e.org/a"),
        ("http://e.org/a/%2e%2e/b", "http://e.org/b"),
        ("http://e.org//a//b", "http://e.org//a//b"),
        ("http://münchen.de/é", "http://xn--mnchen-3ya.de/é"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://192.0.2.7:8080/a", "http://192.0.2.7:8080/a"),
        ("http://[2001:DB8:0::1]:80/a", "http://[2001:db8::1]/a"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("http://my_host.e.org/", "http://my_host.e.org/"),
        ("http://localhost:8000/a", "http://localhost:8000/a"),
    ],
)
def test_spellings_that_make_no_difference_are_one_address(raw: str, normal: str) -> None:
    assert normal_url(raw) == normal


@pytest.mark.parametrize(
    "url",
    [
        "http://e.org/A",
        "http://e.org/a/",
        "http://e.org/?b=2&a=1",
        "http://e.org/?utm_source=x",
        "http://e.org/?",
        "https://e.org/a",
        "http://e.org/a;jsessionid=0123456789ABCDEF",
        "http://e.org./",
        "http://e.org/?q=a%20b",
        "http://e.org/?q=a+b",
        "http://e.org/é",
        "http://e.org/a@b",
        "http://e.org/%C3%A9",
    ],
)
def test_what_a_server_may_tell_apart_is_left_as_it_is(url: str) -> None:
    assert normal_url(url) == url


def test_what_merely_begins_like_an_entity_is_none() -> None:
    url = "http://e.org/a?section=1&copy=2&region=3&notit;"

    assert normal_url(url) == url


def test_a_stray_percent_sign_makes_no_escape_out_of_what_follows() -> None:
    assert normal_url("http://e.org/100%/%%34%31/%2%35") == "http://e.org/100%/%%341/%2%35"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("", "empty"),
        (" \r\n ", "empty"),
        ("URL:", "empty"),
        ("file:///C:/Users/someone/Downloads/paper.pdf", '"file:"'),
        ("ftp://ftp.e.org/a.pdf", '"ftp:"'),
        ("hhttp://e.org/a.pdf", '"hhttp:"'),
        ("mailto:someone@e.org", '"mailto:"'),
        ("javascript:alert(1)", '"javascript:"'),
        ("www.e.org/a.pdf", "does not begin with"),
        ("On the Wealth of Nations", "does not begin with"),
        ("Trade: a Survey", '"trade:"'),
        ("http:e.org/a", "no host"),
        ("http:/e.org/a", "no host"),
        ("http://", "invalid host"),
        ("http:///a", "invalid host"),
        ("http://a..org/", "invalid host"),
        ("http://e%2Eorg/", "invalid host"),
        ("http://e.org\\@evil.org/", "name or password"),
        ("http://e.org\\a/", "invalid host"),
        ("http://(e.org)/", "invalid host"),
        ("http://[::1/", "invalid host"),
        ("http://[fe80::1%25eth0]/", "invalid host"),
        ("http://300.1.1.1/", "invalid host"),
        ("http://127.1/", "invalid host"),
        ("http://0x7f000001/", "invalid host"),
        (f"http://{'a' * 64}.org/", "invalid host"),
        (f"http://{'a.' * 130}org/", "invalid host"),
        ("http://e.org../", "invalid host"),
        (f"http://{'ä' * 5000}.org/", "invalid host"),
        ("http://e.org:8x/", "broken port"),
        ("http://[::1]8/", "broken port"),
        ("http://e.org:65536/", "65536"),
        ("http://e.org:0/", "invalid port: 0"),
        ("http://e.org/\x00", "control"),
        ("http://e.org/\x1b[31m", "control"),
        ("http://e.org/\ud800", "control"),
        ("http://e.org/" + "a" * 70_000, "70,013 characters"),
        ("http://e.org/" + "&amp;" + "amp;" * 50, "too many"),
    ],
)
def test_what_can_not_be_fetched_says_why(raw: str, why: str) -> None:
    with pytest.raises(NotFetchable, match=r"^.") as raised:
        normal_url(raw)

    assert why in str(raised.value)


@pytest.mark.parametrize(
    "url", ["http://user:sesame@e.org/", "http://user@e.org/", "http://@e.org/"]
)
def test_an_address_with_a_password_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(NotFetchable) as raised:
        normal_url(url)

    assert "name or password" in str(raised.value)
    assert "sesame" not in str(raised.value)


def test_a_reason_holds_nothing_that_a_terminal_obeys() -> None:
    with pytest.raises(NotFetchable) as raised:
        normal_url("http://e.org/\x1b]0;owned\x07")

    assert str(raised.value).isprintable()


HOSTS = st.from_regex(r"[a-zA-Z0-9._-]{1,12}(:[0-9]{0,5})?", fullmatch=True)
TAILS = st.text("aZ09%2eE41/.?&;:#~@=+-_ é\t'()ampurl", max_size=40)


@given(st.sampled_from(["http://", "https://", "HTTP://", "url:http://"]), HOSTS, TAILS)
@example("http://", "e.org", "/&%61mp;")
@example("http://", "e.org", "/%%34%31")
@example("http://", "e.org", "/a/..%2f")
@example("http://", "a." * 125 + "org", "/")
@example("http://", "e.org", "/.")
def test_the_short_cut_gives_what_all_rules_give(scheme: str, host: str, tail: str) -> None:
    url = outcome(f"{scheme}{host}{tail}")

    try:
        by_all_rules = url_by_all_rules(f"{scheme}{host}{tail}")
    except NotFetchable as error:
        by_all_rules = str(error)

    assert url == by_all_rules


@given(st.sampled_from(["http://", "https://"]), HOSTS, TAILS)
def test_an_identity_is_its_own_identity(scheme: str, host: str, tail: str) -> None:
    url = outcome(f"{scheme}{host}{tail}")

    assert outcome(url) == url or not url.startswith("http")


@pytest.mark.parametrize(
    ("raw", "normal"),
    [
        ("RePEc:aaa:wpaper:2015-01", "RePEc:aaa:wpaper:2015-01"),
        ("repec:AAA:WPaper:2015-A", "RePEc:aaa:wpaper:2015-a"),
        ("REPEC:aaa", "RePEc:aaa"),
        (" RePEc:aaa:wpaper:\t15 -\u00a001\r\n", "RePEc:aaa:wpaper:15-01"),
        ("RePEc:per:1965-06-05:THOMAS_KRICHEL", "RePEc:per:1965-06-05:thomas_krichel"),
        ("Foo:Bar:1", "foo:bar:1"),
        ("pkr1", "pkr1"),
        ("", ""),
    ],
)
def test_a_handle_is_the_same_in_any_case_and_with_any_space(raw: str, normal: str) -> None:
    assert normal_handle(raw) == normal


@given(st.text(max_size=30))
@example("RePEc:ΑΣ:İ")
def test_the_identity_of_a_handle_is_its_own_identity(raw: str) -> None:
    normal = normal_handle(raw)

    assert normal_handle(normal) == normal


@pytest.mark.parametrize(
    ("handle", "archive", "series"),
    [
        ("RePEc:aaa:wpaper:2015-01", "aaa", "wpaper"),
        ("repec:AAA:WPaper:a:b:c", "aaa", "wpaper"),
        ("RePEc:aaa:wpaper", "aaa", "wpaper"),
        ("RePEc:aaa", "aaa", None),
        ("RePEc:per:1965-06-05:thomas_krichel", "per", None),
        ("RePEc:edi:abcdeuk", "edi", None),
        ("RePEc:", None, None),
        ("RePEc", None, None),
        ("RePEc:aaa::1", "aaa", None),
        ("x-nohandle:0123", None, None),
        ("http://e.org/a", None, None),
        ("", None, None),
    ],
)
def test_a_handle_names_its_archive_and_its_series(
    handle: str, archive: str | None, series: str | None
) -> None:
    assert (archive_of(handle), series_of(handle)) == (archive, series)


def test_what_has_no_handle_is_named_after_its_text_or_path() -> None:
    assert no_handle("d41d8cd98f00b204e9800998ecf8427e") == (
        "x-nohandle:d41d8cd98f00b204e9800998ecf8427e"
    )
    assert redif_name("RePEc/aaa/aaaarch.rdf") == "redif:RePEc/aaa/aaaarch.rdf"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("http://e.org/a", "http://e.org/a/", True),
        ("http://e.org/a/", "http://e.org/a", True),
        ("http://e.org/a?x=1", "http://e.org/a/?x=1", True),
        ("http://e.org/a", "http://e.org/a", False),
        ("http://e.org/a", "http://e.org/a//", False),
        ("http://e.org/a", "https://e.org/a/", False),
        ("http://e.org/a", "http://www.e.org/a/", False),
        ("http://e.org/a?x=1", "http://e.org/a/?x=2", False),
        ("http://e.org/a?x=1", "http://e.org/a?x=1/", False),
        ("http://e.org/a", "http://e.org/a/?", False),
    ],
)
def test_only_a_final_slash_of_the_path_is_a_trailing_slash(
    one: str, other: str, expected: bool
) -> None:
    assert differ_by_slash(one, other) is expected
