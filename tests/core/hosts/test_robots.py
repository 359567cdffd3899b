# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading robots.txt as RFC 9309 has it."""

import time

import pytest

from carrel.hosts.robots import ALLOW_ALL, UNREACHABLE, understood

HOST = "http://papers.example"


@pytest.mark.parametrize(
    ("lines", "path", "is_allowed"),
    [
        ("", "/a.pdf", True),
        ("User-agent: *\nDisallow: /", "/a.pdf", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: *\nDisallow:", "/a.pdf", True),
        ("Disallow: /", "/a.pdf", True),
        ("User-agent: other\nDisallow: /", "/a.pdf", True),
        ("User-agent: carrel\nDisallow: /", "/a.pdf", False),
        ("user-agent: CARREL/2.0\ndisallow: /", "/a.pdf", False),
        ("User-agent: carrel-other\nDisallow: /", "/a.pdf", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Carrel\nAllow: /", "/a.pdf", True),
        ("User-agent: Carrel\nAllow: /\nUser-agent: *\nDisallow: /", "/a.pdf", True),
        ("User-agent: Carrel\nUser-agent: other\nDisallow: /", "/a.pdf", False),
        ("User-agent: a\nDisallow: /x\nUser-agent: carrel\nDisallow: /y", "/x", True),
        ("User-agent: carrel\nDisallow: /x\nUser-agent: carrel\nDisallow: /y", "/y", False),
        ("User-agent: carrel\nCrawl-delay: 5\nUser-agent: a\nDisallow: /", "/a.pdf", True),
        ("User-agent: *\nDisallow: /p\nAllow: /p/a", "/p/a.pdf", True),
        ("User-agent: *\nAllow: /p\nDisallow: /p", "/p", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/p/a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/p/a.pdf?x=1", True),
        ("User-agent: *\nDisallow: /*.pdf", "/p/a.pdf?x=1", False),
        ("User-agent: *\nDisallow: /a*b*c$", "/abcbc", False),
        ("User-agent: *\nDisallow: /a*bc*bc$", "/abc", True),
        ("User-agent: *\nDisallow: /a$", "/a", False),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /*?", "/a?x", False),
        ("User-agent: *\nDisallow: /*?", "/a", True),
        ("User-agent: *\nDisallow: /%7Eme/", "/~me/a.pdf", False),
        ("User-agent: *\nDisallow: /~me/", "/%7eme/a.pdf", False),
        ("User-agent: *\nDisallow: /ü", "/%c3%bc", False),
        ("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
        ("User-agent: * # all\r\nDisallow: /p # private\r\n", "/p", False),
        ("User-agent: *\rDisallow: /p\r", "/p", False),
        ("\ufeffUser-agent: *\nDisallow: /p", "/p", False),
        ("User-agent: *\nSitemap: http://x/\nDisallow: /p", "/p", False),
        ("User-agent *\nDisallow /", "/p", True),
        ("User-agent: *\nDisallow: /p\n\nUser-agent: car\nAllow: /", "/p", False),
        ("User-agent: *\nDisallow: /p\n\nUser-agent:\nAllow: /", "/p", False),
        ("<html>Disallow: /</html>", "/p", True),
    ],
)
def test_what_may_be_asked_for(lines: str, path: str, is_allowed: bool) -> None:
    assert understood(lines.encode()).allows(HOST + path) is is_allowed


@pytest.mark.parametrize(
    ("lines", "delay_s"),
    [
        ("User-agent: *\nDisallow: /p", 0),
        ("User-agent: *\nCrawl-delay: 10", 10),
        ("User-agent: *\nCrawl-delay: 1.5", 1.5),
        ("User-agent: *\nCrawl-delay: 86400", 60),
        ("User-agent: *\nCrawl-delay: soon", 0),
        ("User-agent: *\nCrawl-delay: -1", 0),
        ("User-agent: *\nCrawl-delay: 10\n\nUser-agent: Carrel\nDisallow: /p", 0),
    ],
)
def test_a_wish_for_a_pause_is_heard_up_to_a_minute(lines: str, delay_s: float) -> None:
    assert understood(lines.encode()).delay_s == delay_s


def test_what_lies_behind_the_first_half_megabyte_is_not_read() -> None:
    padding = b"# nothing\n" * 52_000

    assert understood(padding + b"User-agent: *\nDisallow: /").allows(HOST + "/a")


def test_no_robots_txt_allows_and_one_that_is_not_known_forbids() -> None:
    assert ALLOW_ALL.allows(HOST)
    assert not UNREACHABLE.allows(HOST)


def test_a_hostile_pattern_takes_no_time() -> None:
    pattern = "/" + "a*" * 5_000 + "b$"

    robots = understood(f"User-agent: *\nDisallow: {pattern}".encode())

    assert robots.allows(HOST + "/" + "a" * 20_000)


def test_many_names_before_many_rules_take_no_time() -> None:
    names = "".join(f"User-agent: a{number}\n" for number in range(12_000))
    rules = "Disallow: /p\n" * 18_000

    before = time.process_time()
    robots = understood(f"{names}User-agent: *\n{rules}".encode())

    assert not robots.allows(HOST + "/p")
    assert time.process_time() - before < 5


@pytest.mark.parametrize("character", ["\v", "\f", "\x1c", "\x85", "\u2028"])
def test_a_line_within_a_line_names_nobody(character: str) -> None:
    lines = f"User-agent: *\nDisallow: /p{character}User-agent: car\nAllow: /"

    assert not understood(lines.encode()).allows(HOST + "/p")
