# SPDX-License-Identifier: AGPL-3.0-or-later
"""One look: what came, what it is taken for, and whether it speaks for a loss."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carrel.capture.client import Cancelled
from carrel.dark_archive.probes import Asker, Look, Question
from carrel.model.dark import Redirect
from support.full_texts import (
    LANDING_PAGE,
    Stall,
    bot_wall,
    login_page,
    page,
    paper,
    pdf,
    until_closed,
)
from support.wire import End, Reply, WireServer, chunked, cut_off, head, html, raw, redirect, reply

PDF = "application/pdf"
Ask = Callable[..., Look]


def files_in(folder: Path) -> list[bytes]:
    return [each.read_bytes() for each in sorted(folder.iterdir())]


def test_a_full_text_is_streamed_and_hashed(server: WireServer, look: Ask, folder: Path) -> None:
    whole = pdf("On Tides")

    found = look(server.serve("/a.pdf", paper("On Tides")), media="Application/pdf")

    assert (found.outcome, found.is_evidence, found.is_final) == ("ok", False, False)
    assert found.payload is not None
    assert found.payload.path.read_bytes() == whole
    assert found.payload.path.parent == folder
    assert (found.payload.size, found.payload.media) == (len(whole), PDF)
    assert found.payload.sha256 == hashlib.sha256(whole).hexdigest()
    assert found.payload.md5 == hashlib.md5(whole).hexdigest()
    assert (found.evidence, found.redirects, found.flags) == (None, (), ())
    assert found.final_url == f"{server.origin}/a.pdf"


def test_a_large_full_text_comes_whole(
    server: WireServer, make_asker: Callable[..., Asker], incoming: Callable[[], Path]
) -> None:
    whole = pdf("surf " * 1_200_000)
    url = server.serve("/a.pdf", reply(whole))

    found = make_asker(max_bytes=len(whole)).look(Question(url), incoming, lambda: False)

    assert found.payload is not None
    assert found.payload.sha256 == hashlib.sha256(whole).hexdigest()
    assert found.payload.path.read_bytes() == whole


def test_nobody_is_told_who_asks(server: WireServer, look: Ask) -> None:
    look(server.serve("/a.pdf", paper(Set_Cookie="id=1")))
    look(server.origin.replace("://", "://me:secret@") + "/a.pdf")

    sent = server.seen[-1].headers
    assert sent["accept"] == "*/*"
    assert sent["accept-encoding"] == "identity"
    assert "archivist@example.org" in sent["user-agent"]
    assert not {"cookie", "authorization"} & set(sent)


def test_the_heads_are_told_for_an_export(server: WireServer, look: Ask) -> None:
    found = look(server.serve("/a.pdf?x=%20", paper(X_Name="Åsa".encode().decode("latin-1"))))

    assert found.exchange is not None
    assert found.exchange["method"] == "GET"
    assert found.exchange["target"] == "/a.pdf?x=%20"
    assert (found.exchange["http_version"], found.exchange["status"]) == ("HTTP/1.1", 200)
    assert ["Accept", "*/*"] in list(found.exchange["request_headers"])  # type: ignore[arg-type]
    assert ["Content-Type", PDF] in list(found.exchange["response_headers"])  # type: ignore[arg-type]
    assert str(found.exchange["started"]).endswith("+00:00")


@pytest.mark.parametrize(
    ("answer", "question", "outcome", "is_evidence"),
    [
        (html("no", "404 Not Found"), {}, "http-404", True),
        (html("gone", "410 Gone"), {}, "http-410", True),
        (html("who?", "401 Unauthorized"), {}, "forbidden", False),
        (html("no", "403 Forbidden"), {}, "forbidden", False),
        (html("law", "451 Unavailable"), {}, "http-451", False),
        (html("what?", "400 Bad Request"), {}, "http-400", False),
        (html("oops", "500 Internal Server Error"), {}, "http-500", False),
        (reply(b"x", "206 Partial Content"), {}, "http-206", False),
        (reply(b"", "302 Found"), {}, "http-302", False),
        (reply(b"", "202 Accepted"), {}, "bot-wall", False),
        (bot_wall(), {}, "bot-wall", False),
        (bot_wall(), {"last_media": PDF}, "bot-wall", False),
        (bot_wall("403 Forbidden"), {}, "bot-wall", False),
        (bot_wall("404 Not Found"), {}, "bot-wall", False),
        (reply(b""), {}, "empty", False),
        (reply(b""), {"last_size": 9}, "empty", True),
        (reply(b"", "204 No Content"), {"last_size": 9}, "empty", True),
        (raw(b""), {}, "no-answer", False),
        (raw(b"SSH-2.0\r\n"), {}, "no-answer", False),
        (redirect("mailto:me@example.org"), {}, "bad-redirect", False),
        (redirect("//[bad"), {}, "bad-redirect", False),
        (cut_off(pdf("x"), announced=9999), {}, "truncated", False),
        (cut_off(pdf("x"), announced=9999, end=End.RESET), {}, "truncated", False),
        (chunked(pdf("x"), is_ended=False), {}, "truncated", False),
        (until_closed(pdf("x", is_whole=False)), {}, "truncated", False),
        (reply(b"x" * (1024 * 1024 + 1)), {}, "too-large", False),
        (chunked(b"x" * 1024 * 1024, b"x"), {}, "too-large", False),
        (page(), {"last_media": PDF}, "wrong-content", True),
        (page(), {"last_size": 9}, "wrong-content", True),
        (page(), {"last_media": "text/plain"}, "wrong-content", True),
        (reply(b"Not found."), {"media": PDF}, "wrong-content", True),
        (reply(b"Not found."), {"last_media": "application/zip"}, "wrong-content", True),
        (login_page(), {"media": PDF}, "login", True),
        (login_page(), {"last_media": PDF}, "login", True),
    ],
)
def test_what_is_no_full_text_has_its_name(
    server: WireServer,
    look: Ask,
    answer: Reply,
    question: dict[str, Any],
    outcome: str,
    is_evidence: bool,
) -> None:
    found = look(server.serve("/a.pdf", answer), **question)

    assert (found.outcome, found.is_evidence) == (outcome, is_evidence)
    assert found.payload is None
    assert found.is_final is (outcome == "http-410")
    assert found.detail.endswith(".")


@pytest.mark.parametrize(
    ("answer", "question", "media", "flags"),
    [
        (page(), {}, "text/html", ("landing-page",)),
        (page(), {"media": PDF}, "text/html", ("landing-page",)),
        (page(), {"media": "text/html"}, "text/html", ("landing-page",)),
        (page(), {"last_media": "text/html"}, "text/html", ("landing-page",)),
        (login_page(), {"media": "text/html"}, "text/html", ("landing-page",)),
        (html("Removed."), {}, "text/html", ("landing-page",)),
        (paper(), {"last_media": "text/html"}, PDF, ()),
        (paper(), {"last_media": PDF, "last_size": 900}, PDF, ("likely-disguise",)),
        (reply(pdf("x", is_whole=False)), {}, PDF, ("likely-cut",)),
        (reply(pdf("x"), Content_Type="text/html"), {}, PDF, ()),
        (reply(pdf("x"), "203 Non-Authoritative Information"), {}, PDF, ()),
        (until_closed(pdf("x")), {}, PDF, ()),
        (reply(b"plain words"), {}, "text/plain", ()),
        (reply(b"plain words"), {"media": "text/plain"}, "text/plain", ()),
        (reply(b"PK\x03\x04zip"), {"last_media": PDF}, "application/zip", ()),
        (reply(b"\x00\x01"), {"media": PDF}, None, ()),
        (
            reply(gzip.compress(pdf("x")), Content_Encoding="gzip"),
            {"last_media": PDF},
            "application/gzip",
            ("content-coded",),
        ),
    ],
)
def test_what_is_given_is_taken(
    server: WireServer,
    look: Ask,
    answer: Reply,
    question: dict[str, Any],
    media: str | None,
    flags: tuple[str, ...],
) -> None:
    found = look(server.serve("/a.pdf", answer), **question)

    assert (found.outcome, found.is_evidence, found.flags) == ("ok", False, flags)
    assert found.payload is not None
    assert found.payload.media == media


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        (page(), {"last_media": PDF}),
        (page(), {"media": PDF}),
        (
            reply(gzip.compress(LANDING_PAGE.encode()), Content_Encoding="gzip"),
            {"last_media": PDF},
        ),
        (html("Removed.", Content_Encoding="br"), {"last_media": PDF}),
    ],
)
def test_a_page_is_known_by_its_bytes_and_in_any_coding(
    server: WireServer, look: Ask, answer: Reply, question: dict[str, Any]
) -> None:
    found = look(server.serve("/a.pdf", answer), **question)

    assert (found.outcome == "wrong-content") is ("last_media" in question)
    assert "landing-page" in found.flags


def test_what_came_in_place_is_kept_as_evidence(
    server: WireServer, look: Ask, folder: Path
) -> None:
    found = look(server.serve("/a.pdf", page()), last_media=PDF)

    assert found.evidence is not None
    assert found.evidence.media == "text/html"
    assert files_in(folder) == [LANDING_PAGE.encode()]


def test_evidence_is_cut(
    server: WireServer, make_asker: Callable[..., Asker], incoming: Callable[[], Path]
) -> None:
    long = LANDING_PAGE.encode() + b" " * 2 * 1024 * 1024
    asker = make_asker(max_bytes=len(long))
    question = Question(server.serve("/a.pdf", reply(long)), last_media=PDF)

    found = asker.look(question, incoming, lambda: False)

    kept = long[: 1024 * 1024]
    assert found.evidence is not None
    assert found.evidence.path.read_bytes() == kept
    assert (found.evidence.size, found.evidence.sha256, found.evidence.md5) == (
        len(kept),
        hashlib.sha256(kept).hexdigest(),
        hashlib.md5(kept).hexdigest(),
    )


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone"])
def test_what_a_host_says_about_a_loss_is_kept(
    server: WireServer, look: Ask, folder: Path, status: str
) -> None:
    url = server.serve("/a.pdf", html("<h1>Withdrawn</h1>", status))

    never_held, held = look(url), look(url, last_media=PDF)

    assert (never_held.evidence, held.evidence is None) == (None, False)
    assert files_in(folder) == [b"<h1>Withdrawn</h1>"]


@pytest.mark.parametrize(
    "answer",
    [
        cut_off(pdf("x"), announced=9999),
        chunked(b"x" * 1024 * 1024, b"x"),
        until_closed(pdf("x", is_whole=False)),
        reply(b""),
        html("no", "403 Forbidden"),
        cut_off(b"x" * 5_000_000, announced=6_000_000),
    ],
)
def test_nothing_is_left_of_what_is_not_kept(
    server: WireServer, look: Ask, folder: Path, answer: Reply
) -> None:
    look(server.serve("/a.pdf", answer))

    assert files_in(folder) == []


def test_redirects_are_followed_and_told(server: WireServer, look: Ask) -> None:
    server.serve("/b", redirect("/c/#page=2", "301 Moved Permanently"))
    server.serve("/c/", paper())

    found = look(server.serve("/a", redirect("/b")))

    assert found.outcome == "ok"
    assert found.redirects == (
        Redirect(302, f"{server.origin}/b"),
        Redirect(301, f"{server.origin}/c/"),
    )
    assert found.final_url == f"{server.origin}/c/"


def test_a_slash_more_is_a_redirect_like_others(server: WireServer, look: Ask) -> None:
    server.serve("/a/", page())

    found = look(server.serve("/a", redirect("/a/")))

    assert (found.outcome, found.redirects) == ("ok", (Redirect(302, f"{server.origin}/a/"),))


def test_a_circle_is_an_error_and_no_loss(server: WireServer, look: Ask) -> None:
    server.serve("/b", redirect("/a"))

    found = look(server.serve("/a", redirect("/b")))

    assert (found.outcome, found.is_evidence) == ("redirect-loop", False)


@pytest.mark.parametrize(("hops", "outcome"), [(10, "ok"), (11, "redirects-exceeded")])
def test_ten_redirects_are_followed(server: WireServer, look: Ask, hops: int, outcome: str) -> None:
    addresses = [server.serve(f"/{each}", redirect(f"/{each + 1}")) for each in range(hops)]
    server.serve(f"/{hops}", paper())

    found = look(addresses[0])

    assert (found.outcome, found.is_evidence) == (outcome, False)


@pytest.mark.parametrize("target", ["/login?next=a", "/idp/profile/SAML2", "/users/sign_in"])
def test_a_redirect_to_a_login_is_not_followed(server: WireServer, look: Ask, target: str) -> None:
    found = look(server.serve("/a.pdf", redirect(target)))

    assert (found.outcome, found.is_evidence) == ("login", True)
    assert found.redirects == (Redirect(302, server.origin + target),)
    assert found.final_url == server.origin + target
    assert server.times_asked(target) == 0


@pytest.mark.parametrize("question", [{}, {"media": PDF}, {"last_media": "text/html"}])
def test_a_redirect_to_the_home_page_is_a_loss(
    server: WireServer, look: Ask, question: dict[str, Any]
) -> None:
    server.serve("/", page())

    found = look(server.serve("/papers/a.pdf", redirect("/")), **question)

    assert (found.outcome, found.is_evidence) == ("redirect-home", True)
    assert found.evidence is not None


def test_who_asks_for_a_home_page_gets_it(server: WireServer, look: Ask) -> None:
    found = look(server.serve("/", page()))

    assert (found.outcome, found.flags) == ("ok", ("landing-page",))


def test_a_document_at_the_root_is_no_home_page(server: WireServer, look: Ask) -> None:
    server.serve("/", paper())

    found = look(server.serve("/a.pdf", redirect("/")), last_media=PDF)

    assert found.outcome == "ok"


def test_a_page_of_another_host_in_place_of_a_document_is_a_loss(
    server: WireServer, elsewhere: WireServer, look: Ask
) -> None:
    there = elsewhere.serve("/ads", page()).replace("127.0.0.1", "localhost")

    found = look(server.serve("/a.pdf", redirect(there)), last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("redirect-home", True)


def test_a_first_page_of_another_host_is_a_landing_page(
    server: WireServer, elsewhere: WireServer, look: Ask
) -> None:
    there = elsewhere.serve("/paper", page()).replace("127.0.0.1", "localhost")

    found = look(server.serve("/a.pdf", redirect(there)), media=PDF)

    assert (found.outcome, found.flags) == ("ok", ("landing-page",))


@pytest.mark.parametrize("target", ["/index.html", "/en/search", "/error/404.php"])
def test_a_landing_page_may_be_a_disguise(server: WireServer, look: Ask, target: str) -> None:
    server.serve(target, page())

    found = look(server.serve("/papers/a.pdf", redirect(target)), media=PDF)

    assert found.flags == ("landing-page", "likely-disguise")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a book about tides",
        "file:///C:/Users/me/Downloads/a.pdf",
        "ftp://example.org/a.pdf",
        "hhttp://example.org/a.pdf",
        "http://",
        "http:///a.pdf",
        "http://[::1",
        "http://a.example:99999/",
        "http://a.example:0/",
        "http://\u2100.example/",
        "http://" + "a" * 300 + ".example/",
        "http://xn--a\u0301.example/",
        "http://a..example/",
        "http://.../",
    ],
)
def test_what_is_no_address_is_not_fetchable_and_no_loss(look: Ask, url: str) -> None:
    found = look(url, last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("not-fetchable", False)
    assert (found.exchange, found.final_url) == (None, url)


@pytest.mark.parametrize("path", ["/\x00", "/" + "a" * 70_000])
def test_what_can_not_be_put_into_a_request_is_not_fetchable(
    server: WireServer, look: Ask, path: str
) -> None:
    found = look(server.origin + path, last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("not-fetchable", False)


def test_a_host_that_answers_others_and_not_this_one_is_slow_and_no_loss(
    server: WireServer, impatient: Ask, stall: Stall
) -> None:
    found = impatient(server.serve("/a.pdf", stall.silence()), last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("too-slow", False)
    assert found.detail.endswith("Its host answered other requests.")
    assert server.times_asked("/a.pdf") == 2


def test_what_stops_coming_is_no_loss(
    server: WireServer, impatient: Ask, stall: Stall, folder: Path
) -> None:
    found = impatient(server.serve("/a.pdf", stall.paper()), last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("too-slow", False)
    assert files_in(folder) == []


def test_what_takes_longer_than_it_may_is_given_up(
    server: WireServer,
    make_asker: Callable[..., Asker],
    incoming: Callable[[], Path],
    folder: Path,
) -> None:
    url = server.serve("/a.pdf", chunked(*[b"x" * 1024 * 1024] * 3))
    asker = make_asker(max_seconds=0.0, max_bytes=9 * 1024 * 1024)

    found = asker.look(Question(url), incoming, lambda: False)

    assert (found.outcome, found.is_evidence) == ("too-slow", False)
    assert (files_in(folder), server.times_asked("/a.pdf")) == ([], 1)


def test_a_body_longer_than_it_says_ends_where_it_says(server: WireServer, look: Ask) -> None:
    whole = pdf("x")
    liar = Reply(lambda: [head("200 OK", {"Content-Length": len(whole) - 9}) + whole])

    found = look(server.serve("/a.pdf", liar))

    assert found.payload is not None
    assert found.payload.path.read_bytes() == whole[:-9]
    assert found.flags == ("likely-cut",)


def test_a_cut_error_page_still_says_what_it_says(server: WireServer, look: Ask) -> None:
    cut = raw(head("404 Not Found", {"Content-Length": 99}) + b"<p>")

    found = look(server.serve("/a.pdf", cut))

    assert (found.outcome, found.evidence) == ("http-404", None)


def test_who_wishes_to_stop_leaves_nothing(
    server: WireServer,
    asker: Asker,
    incoming: Callable[[], Path],
    folder: Path,
    stall: Stall,
) -> None:
    question = Question(server.serve("/a.pdf", stall.paper()))

    with pytest.raises(Cancelled):
        asker.look(question, incoming, stall.began.is_set)

    assert files_in(folder) == []


def test_a_disk_that_fails_is_no_outcome(server: WireServer, asker: Asker, folder: Path) -> None:
    taken = folder / "taken"
    taken.write_bytes(b"other")

    with pytest.raises(FileExistsError):
        asker.look(Question(server.serve("/a.pdf", paper())), lambda: taken, lambda: False)

    assert files_in(folder) == [b"other"]
