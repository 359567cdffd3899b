# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a browser is told about archived pages."""

from carrel.mementos.server.replay_policy import Door, embedded_source, page_policy, replay_headers
from carrel.mementos.server.rewriting import Links


def test_policy_allows_no_script_no_origin_and_one_place() -> None:
    policy = page_policy("127.0.0.1:8080/_embedded/k/c/")

    assert "sandbox allow-downloads;" in policy
    assert "allow-scripts" not in policy
    assert "allow-same-origin" not in policy
    assert "script-src 'none'" in policy
    assert "default-src 'none'" in policy
    assert "img-src 127.0.0.1:8080/_embedded/k/c/ data:" in policy
    assert "frame-ancestors 'self'" in policy


def test_what_is_embedded_may_be_loaded_by_a_page_without_origin() -> None:
    headers = dict(replay_headers("font/woff2", "h/e/", is_embedded=True))

    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["Access-Control-Allow-Origin"] == "null"
    assert "frame-ancestors" not in headers["Content-Security-Policy"]


def test_what_a_person_opens_is_for_no_other_site() -> None:
    headers = dict(replay_headers("text/html", "h/e/"))

    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_pdf_is_not_in_a_sandbox_but_gets_nothing() -> None:
    policy = dict(replay_headers("application/pdf", "h/e/"))["Content-Security-Policy"]

    assert "sandbox" not in policy
    assert "default-src 'none'" in policy


def test_door_opens_with_its_key_only() -> None:
    door = Door("key")

    assert door.prefix("/c/") == "/_embedded/key/c/"
    assert door.prefix("http://127.0.0.1:8/c/") == "http://127.0.0.1:8/_embedded/key/c/"
    assert door.behind("/_embedded/key/c/2020im_/http://h/?x") == "/c/2020im_/http://h/?x"
    assert door.behind("/_embedded/other/c/2020im_/http://h/") is None
    assert door.behind("/_embedded/ü/c") is None
    assert door.behind("/key/c/2020im_/http://h/") is None


def test_no_two_doors_have_one_key() -> None:
    assert Door().prefix("/c/") != Door().prefix("/c/")


def test_source_can_not_add_to_the_policy() -> None:
    links = Links("/a;b,c d/", "2020", "http://h/")

    assert embedded_source(links, "127.0.0.1:8") == "127.0.0.1:8/a%3Bb%2Cc%20d/"
