# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking for files without their bytes: what says that one is gone, and what does not."""

import pytest

from carrel.capture.client import Client
from carrel.engine.watch.heads import Heads, ask_heads
from carrel.model import ManifestFile, Status
from carrel.settings import Network
from support.wire import Reply, WireServer, cut_off, html, raw, redirect, reply

NETWORK = Network(timeout_s=5, connect_timeout_s=5)


def asked(*files: ManifestFile, page: str = "http://127.0.0.1/", most: int = 100) -> Heads:
    with Client(NETWORK) as client:
        return ask_heads(client, files, page=page, most=most, is_cancelled=lambda: False)


def test_only_401_and_403_say_that_a_file_is_refused(
    server: WireServer,
) -> None:
    shut = [
        ManifestFile(f"{at}", server.serve(f"/{at}", html("", status)))
        for at, status in enumerate(("401 Unauthorized", "403 Forbidden", "404 Not Found"))
    ]
    wall = html("", "403 Forbidden", cf_mitigated="challenge")

    heads = asked(*shut, ManifestFile("wall", server.serve("/wall", wall)))

    assert (heads.refused, heads.missing) == ({"0": 401, "1": 403}, {"2": 404})


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        (reply(b"12345"), {}),
        (html("", "404 Not Found"), {"a": 404}),
        (html("", "410 Gone"), {"a": 410}),
        (html("", "403 Forbidden"), {}),
        (html("", "500 Internal Server Error"), {}),
        (html("", "404 Not Found", cf_mitigated="challenge"), {}),
        (cut_off(b"1", announced=10**9), {}),
    ],
    ids=["there", "404", "410", "403", "500", "bot check", "large"],
)
def test_only_404_and_410_say_that_a_file_is_gone(
    server: WireServer, answer: Reply, missing: dict[str, int]
) -> None:
    url = server.serve("/a", answer)

    heads = asked(ManifestFile("a", url))

    assert (heads.missing, heads.asked, heads.unasked) == (missing, 1, 0)


@pytest.mark.parametrize(
    ("path", "answer", "sizes"),
    [
        ("a.csv", reply(b"12345"), {"a.csv": 5}),
        ("a.csv", cut_off(b"1", announced=10**9), {"a.csv": 10**9}),
        ("a.csv", reply(b"12345", content_encoding="gzip"), {}),
        ("a.csv", reply(b"12345", "404 Not Found"), {}),
        ("a.csv", html("12345"), {}),
        ("a.html", html("12345"), {"a.html": 5}),
        ("a.csv", raw(b"HTTP/1.1 200 OK\r\n\r\n12345"), {}),
    ],
    ids=["there", "large", "coded", "404", "page", "page that is the file", "no length"],
)
def test_a_size_is_told_where_the_answer_announces_that_of_the_file(
    server: WireServer, path: str, answer: Reply, sizes: dict[str, int]
) -> None:
    url = server.serve("/a", answer)

    heads = asked(ManifestFile(path, url))

    assert heads.sizes == sizes


@pytest.mark.parametrize(
    ("answer", "looks"),
    [
        (html("<!doctype html><title>Sorry</title>"), "text/html"),
        (html("gone fishing"), "text/plain"),
        (html("PK\x03\x04\0\0\x01"), None),
        (reply(b"<!doctype html>"), None),
        (html("<!doctype html>", "404 Not Found"), None),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"), "text/html"),
        (html("<title>Just a moment...</title>"), "text/html"),
    ],
    ids=["page", "text", "data", "not by its word", "404", "no length", "bot check"],
)
def test_a_page_that_comes_with_status_200_is_noted(
    server: WireServer, answer: Reply, looks: str | None
) -> None:
    url = server.serve("/a", answer)

    heads = asked(ManifestFile("a.csv", url))

    assert (heads.pages.get("a.csv"), heads.asked) == (looks, 1)


def test_what_is_neither_a_file_nor_a_plain_no_is_unclear(server: WireServer) -> None:
    answers = (
        *(html("", "500 Internal Server Error"), html("", "403 Forbidden")),
        *(html("", "404 Not Found", cf_mitigated="challenge"), reply(b"1")),
    )
    files = [ManifestFile(f"{at}", server.serve(f"/{at}", it)) for at, it in enumerate(answers)]

    assert asked(*files).unclear == {"0": "500", "2": "blocked-challenge"}


@pytest.mark.parametrize("status", ["401 Unauthorized", "403 Forbidden", "404 Not Found"])
def test_a_bot_check_that_only_its_page_tells_of_is_one_whatever_its_status(
    server: WireServer, status: str
) -> None:
    page = html("<title>Just a moment...</title>", status)

    heads = asked(ManifestFile("a", server.serve("/a", page)))

    assert heads.unclear == {"a": "blocked-challenge"}
    assert (heads.refused, heads.missing) == ({}, {})


def test_one_that_does_not_answer_has_had_its_turn(server: WireServer) -> None:
    files = [ManifestFile(f"{n}", server.serve(f"/{n}", raw(b""))) for n in range(5)]

    heads = asked(*files)

    assert heads.unclear == dict.fromkeys("012", "network-error")
    assert (heads.requested, heads.asked, heads.unasked) == (["0", "1", "2"], 0, 2)


def test_of_files_with_one_path_no_size_is_told(server: WireServer) -> None:
    url = server.serve("/a", reply(b"12345"))

    heads = asked(ManifestFile("a", url), ManifestFile("a", url))

    assert (heads.sizes, heads.asked) == ({}, 2)


def test_redirects_are_followed(server: WireServer) -> None:
    url = server.serve("/a", redirect("/b"))

    heads = asked(ManifestFile("a", url))

    assert (heads.missing, server.times_asked("/b")) == ({"a": 404}, 1)


def test_a_circle_of_redirects_says_nothing(server: WireServer) -> None:
    url = server.serve("/a", redirect("/a"))

    heads = asked(ManifestFile("a", url))

    assert (heads.missing, heads.unclear) == ({}, {"a": "redirect-loop"})
    assert (heads.asked, heads.unasked) == (0, 0)


def test_files_that_nobody_may_have_or_that_have_no_address_are_not_asked_for(
    server: WireServer,
) -> None:
    closed = ManifestFile("a", server.serve("/a"), status=Status.PLATFORM_RESTRICTED)

    heads = asked(closed, ManifestFile("b"))

    assert (heads, server.seen) == (Heads(), [])


def test_a_public_page_does_not_have_carrel_knock_inside(server: WireServer) -> None:
    url = server.serve("/a", reply(b"secret"))

    heads = asked(ManifestFile("a", url), page="https://repository.example/1")

    assert (heads.unclear, server.seen) == ({"a": "inside"}, [])
    assert (heads.asked, heads.unasked, heads.requested) == (0, 0, [])


def test_after_three_failures_the_rest_is_left_alone(server: WireServer) -> None:
    files = [ManifestFile(f"{n}", server.serve(f"/{n}", raw(b"nonsense\r\n"))) for n in range(6)]

    heads = asked(*files)

    assert (len(server.seen), heads.asked, heads.unasked) == (3, 0, 3)


def test_no_more_are_asked_than_wanted(server: WireServer) -> None:
    files = [ManifestFile(f"{n}", server.serve(f"/{n}", reply(b"1"))) for n in range(4)]

    heads = asked(*files, most=3)

    assert (len(server.seen), heads.asked, heads.unasked) == (3, 3, 1)


def test_a_wish_to_stop_is_heeded(server: WireServer) -> None:
    url = server.serve("/a", reply(b"1"))
    with Client(NETWORK) as client:
        heads = ask_heads(
            client, [ManifestFile("a", url)], page=url, most=9, is_cancelled=lambda: True
        )

    assert (heads.asked, heads.unasked, server.seen) == (0, 1, [])
