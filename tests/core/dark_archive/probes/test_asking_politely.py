# SPDX-License-Identifier: AGPL-3.0-or-later
"""How hosts are treated: tried again, left alone, asked for their robots.txt first."""

import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from carrel.dark_archive.probes import Asker, Look, Question
from carrel.dark_archive.probes.own_network import OwnNetwork
from support.full_texts import page, paper, pdf, robots
from support.wire import Reply, WireServer, cut_off, html, raw, redirect, reply

PDF = "application/pdf"
NOBODY = "User-agent: *", "Disallow: /"
Ask = Callable[..., Look]
Names = dict[str, str | int]


def outcomes(look: Ask, *urls: str) -> list[str]:
    return [look(url).outcome for url in urls]


@pytest.fixture
def closed() -> str:
    """An address at which nobody listens."""
    with WireServer() as running:
        return running.origin


@pytest.mark.parametrize(
    "first",
    [
        html("later", "503 Service Unavailable"),
        html("later", "503 Service Unavailable", Retry_After=0),
        html("slow down", "429 Too Many Requests", Retry_After=0),
        html("oops", "500 Internal Server Error"),
        cut_off(pdf("x"), announced=9999),
        raw(b""),
    ],
)
def test_what_may_pass_is_tried_once_more(server: WireServer, look: Ask, first: Reply) -> None:
    found = look(server.serve("/a.pdf", first, paper()))

    assert found.outcome == "ok"
    assert server.times_asked("/a.pdf") == 2


@pytest.mark.parametrize(
    ("answer", "times"),
    [
        (html("slow down", "429 Too Many Requests"), 1),
        (html("slow down", "429 Too Many Requests", Retry_After=0), 2),
        (html("slow down", "429 Too Many Requests", Retry_After=61), 1),
        (html("oops", "500 Internal Server Error"), 2),
        (html("no", "404 Not Found"), 1),
        (html("no", "501 Not Implemented"), 1),
        (page(), 1),
    ],
)
def test_nothing_is_tried_three_times(
    server: WireServer, look: Ask, answer: Reply, times: int
) -> None:
    look(server.serve("/a.pdf", answer))

    assert server.times_asked("/a.pdf") == times


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_host_that_wants_a_long_pause_is_left_alone(
    server: WireServer, look: Ask, status: str
) -> None:
    first = look(server.serve("/a.pdf", html("no", status, Retry_After=3600)))
    second = look(server.serve("/b.pdf", paper()))

    assert (first.outcome, first.is_evidence) == (f"http-{status[:3]}", False)
    assert (second.outcome, second.is_evidence) == ("left-alone", False)
    assert server.times_asked("/b.pdf") == 0


def test_a_host_that_puts_up_a_wall_is_left_alone(server: WireServer, look: Ask) -> None:
    wall = html("<title>Just a moment...</title>")
    walls = [server.serve(f"/{each}.pdf", wall) for each in range(5)]

    said = outcomes(look, *walls, server.serve("/last.pdf", paper()))

    assert said == ["bot-wall"] * 5 + ["left-alone"]
    assert server.times_asked("/last.pdf") == 0


def test_a_host_that_is_down_is_asked_three_times(closed: str, look: Ask) -> None:
    found = [look(f"{closed}/{each}.pdf") for each in range(5)]

    assert [each.outcome for each in found] == ["refused"] * 3 + ["host-down"] * 2
    assert [each.is_evidence for each in found] == [True] * 3 + [False] * 2
    assert found[0].exchange is None


def test_a_redirect_to_a_host_that_is_down_is_a_loss(
    server: WireServer, look: Ask, closed: str
) -> None:
    found = look(server.serve("/a.pdf", redirect(f"{closed}/a.pdf")))

    assert (found.outcome, found.is_evidence) == ("refused", True)
    assert found.final_url == f"{closed}/a.pdf"


@pytest.fixture
def wrong_host() -> Iterator[WireServer]:
    """A host whose certificate nobody knows."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with WireServer(context) as running:
        yield running


def test_a_host_that_can_not_prove_to_be_itself_is_a_loss(
    wrong_host: WireServer, look: Ask
) -> None:
    found = look(wrong_host.serve("/a.pdf", paper()))

    assert (found.outcome, found.is_evidence) == ("tls", True)
    assert wrong_host.seen == []


@pytest.mark.parametrize(
    ("error", "has_way_out", "is_evidence"),
    [
        (socket.EAI_NONAME, True, True),
        (socket.EAI_NONAME, False, False),
        (socket.EAI_AGAIN, True, False),
    ],
)
def test_a_name_that_is_not_known_speaks_for_a_loss_unless_it_may_be_our_fault(
    names: Names,
    make_asker: Callable[..., Asker],
    incoming: Callable[[], Path],
    error: int,
    has_way_out: bool,
    is_evidence: bool,
) -> None:
    names["gone.example"] = error
    asker = make_asker(own_network=OwnNetwork(has_way_out=lambda: has_way_out))

    found = asker.look(Question("http://gone.example/a.pdf"), incoming, lambda: False)

    assert (found.outcome, found.is_evidence) == ("dns", is_evidence)
    assert ("our own network" in found.detail) is not is_evidence


def test_who_is_offline_stops_asking(names: Names, look: Ask) -> None:
    hosts = [f"host{each}.example" for each in range(11)]
    names.update(dict.fromkeys(hosts, socket.EAI_AGAIN))

    said = outcomes(look, *(f"http://{host}/a.pdf" for host in hosts))

    assert said == ["dns"] * 10 + ["offline"]


def test_robots_txt_is_asked_for_once_and_first(server: WireServer, look: Ask) -> None:
    server.serve("/robots.txt", robots("User-agent: *", "Disallow: /private/", "Allow: /"))
    server.serve("/private/a.pdf", paper())

    said = outcomes(look, server.serve("/a.pdf", paper()), server.origin + "/private/a.pdf")

    assert said == ["ok", "robots"]
    assert [seen.target for seen in server.seen] == ["/robots.txt", "/a.pdf"]


def test_what_robots_forbids_is_no_loss(server: WireServer, look: Ask) -> None:
    server.serve("/robots.txt", robots(*NOBODY))

    found = look(server.serve("/a.pdf", paper()), last_media=PDF)

    assert (found.outcome, found.is_evidence) == ("robots", False)


def test_a_redirect_is_checked_with_the_robots_txt_of_where_it_leads(
    server: WireServer, elsewhere: WireServer, look: Ask
) -> None:
    elsewhere.serve("/robots.txt", robots(*NOBODY))

    found = look(server.serve("/a.pdf", redirect(elsewhere.serve("/a.pdf", paper()))))

    assert found.outcome == "robots"
    assert elsewhere.times_asked("/a.pdf") == 0


@pytest.mark.parametrize(
    "answer",
    [
        html("no", "404 Not Found"),
        html("no", "403 Forbidden"),
        html("<html>Welcome</html>"),
        redirect("/robots.txt"),
        redirect("mailto:me@example.org"),
        reply(b"\xff\xfe\x00garbage"),
    ],
)
def test_no_robots_txt_forbids_nothing(server: WireServer, look: Ask, answer: Reply) -> None:
    server.serve("/robots.txt", answer)

    assert look(server.serve("/a.pdf", paper())).outcome == "ok"


@pytest.mark.parametrize(
    "answer",
    [
        html("oops", "500 Internal Server Error"),
        html("slow down", "429 Too Many Requests"),
        cut_off(b"User-agent: *\n", announced=999),
        raw(b""),
    ],
)
def test_a_robots_txt_that_does_not_come_forbids_everything(
    server: WireServer, look: Ask, answer: Reply
) -> None:
    server.serve("/robots.txt", answer)

    found = [look(server.serve(f"/{each}.pdf", paper())) for each in range(2)]

    assert [each.outcome for each in found] == ["robots-unreachable"] * 2
    assert [each.is_evidence for each in found] == [False, False]
    assert server.times_asked("/robots.txt") <= 2
    assert server.times_asked("/0.pdf") == 0


def test_a_redirect_of_robots_txt_is_followed(
    server: WireServer, elsewhere: WireServer, look: Ask
) -> None:
    server.serve("/robots.txt", redirect(elsewhere.serve("/r", robots(*NOBODY))))

    assert look(server.serve("/a.pdf", paper())).outcome == "robots"


@pytest.fixture
def public(make_asker: Callable[..., Asker], incoming: Callable[[], Path]) -> Ask:
    """Takes looks at what is public, as is usual."""
    asker = make_asker(private_networks=False)
    return lambda url: asker.look(Question(url, last_media=PDF), incoming, lambda: False)


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/a.pdf",
        "http://192.168.1.1:8080/a.pdf",
        "http://169.254.169.254/latest/meta-data",
        "http://[fe80::1]/a.pdf",
        "http://intranet.local/a.pdf",
        "http://127.0.0.1/a.pdf",
        "http://127.0.0.1:80/a.pdf",
        "http://127.0.0.1:631/a.pdf",
        "http://localhost/a.pdf",
        "http://2130706433:8080/a.pdf",
        "http://0x7f.1:8080/a.pdf",
        "http://127.0.0.1:8888/tree",
    ],
)
def test_only_what_is_public_is_asked(public: Ask, names: Names, url: str) -> None:
    found = public(url)

    assert (found.outcome, found.is_evidence) == ("not-public", False)


def test_a_private_network_is_asked_if_that_is_wanted(
    server: WireServer, look: Ask, names: Names
) -> None:
    names["papers.local"] = "127.0.0.1"
    server.serve("/a.pdf", paper())

    assert look(f"http://papers.local:{server.port}/a.pdf").outcome == "ok"


@pytest.mark.parametrize("via", ["/direct", "/round"])
def test_a_public_address_never_leads_inside(
    server: WireServer, look: Ask, names: Names, via: str
) -> None:
    names["public.example"] = "127.0.0.1"
    public = f"http://public.example:{server.port}"
    server.serve("/direct", redirect(server.serve("/a.pdf", paper())))
    server.serve("/round", redirect(public + "/direct"))
    start = {"/direct": public, "/round": server.origin}[via]

    found = look(start + via)

    assert (found.outcome, found.is_evidence) == ("bad-redirect", False)
    assert server.times_asked("/a.pdf") == 0


def test_a_public_name_that_leads_to_this_machine_is_not_public(
    server: WireServer, public: Ask, names: Names
) -> None:
    names["rebound.example"] = "127.0.0.1"
    server.serve("/robots.txt", robots("User-agent: *"))

    found = public(f"http://rebound.example:{server.port}/a.pdf")

    assert (found.outcome, found.is_evidence) == ("not-public", False)
    assert server.times_asked("/a.pdf") == 0


@pytest.fixture
def proxy(server: WireServer, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """A proxy for everything; to be there before any client is."""
    monkeypatch.setenv("HTTP_PROXY", server.origin)
    monkeypatch.setenv("HTTPS_PROXY", server.origin)
    return server


@pytest.fixture
def broken_proxy(closed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HTTP_PROXY", closed)
    return closed


@pytest.mark.parametrize("code", [502, 504])
@pytest.mark.parametrize("target", ["http://gone.example/robots.txt", "gone.example:443"])
def test_a_proxy_that_reaches_nobody_proves_no_loss(
    proxy: WireServer, look: Ask, code: int, target: str
) -> None:
    proxy.serve(target, html("nobody there", f"{code} Bad Gateway"))
    scheme = "http" if target.startswith("http") else "https"

    found = [look(f"{scheme}://gone.example/{each}.pdf") for each in range(4)]

    assert [each.outcome for each in found] == [f"http-{code}"] * 3 + ["host-down"]
    assert not any(each.is_evidence for each in found)


def test_what_comes_through_a_proxy_counts_as_from_anywhere(proxy: WireServer, look: Ask) -> None:
    papers = proxy.serve("http://papers.example/a.pdf", paper())

    assert look(papers.removeprefix(proxy.origin)).outcome == "ok"
    assert look("http://papers.example/b.pdf").outcome == "http-404"


def test_a_proxy_that_is_down_proves_no_loss(broken_proxy: str, look: Ask) -> None:
    found = look("http://papers.example/a.pdf")

    assert (found.outcome, found.is_evidence) == ("proxy", False)
