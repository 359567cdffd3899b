# SPDX-License-Identifier: AGPL-3.0-or-later
"""Ways to a server: through proxies of each kind, with a password and without, by TLS and not."""

import asyncio
import hashlib
from typing import Any

import pytest
import trustme

from carrel.capture.client import Client
from carrel.errors import IngestStop
from carrel.model import Status
from carrel.settings import Network
from support.proxies import LeadingProxy
from support.wire import WireServer, certified, reply

WORD = "word"
BIG = hashlib.shake_128(b"by proxy").digest(5 * 1024 * 1024)


def body_of(url: str, network: Network | None = None) -> bytes:
    with Client(network or Network()) as client, client.open(url) as response:
        return b"".join(response.blocks())


def stop_of(url: str) -> IngestStop:
    with pytest.raises(IngestStop) as stop:
        body_of(url)
    return stop.value


@pytest.mark.parametrize("password", ["", "word p@ss"])
@pytest.mark.parametrize("is_socks", [False, True])
def test_a_proxy_leads_to_a_server_by_its_name(
    secure_server: WireServer, monkeypatch: pytest.MonkeyPatch, password: str, *, is_socks: bool
) -> None:
    secure_server.serve("/a", reply(BIG))

    with LeadingProxy(is_socks=is_socks, password=password) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address.replace("word p@ss", "word%20p%40ss"))
        body = body_of(f"https://far.example:{secure_server.port}/a")

    assert body == BIG
    assert proxy.asked == [f"far.example:{secure_server.port}"]


def test_a_socks_proxy_leads_without_tls_too(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/a", reply(BIG))

    with LeadingProxy(is_socks=True) as proxy:
        monkeypatch.setenv("ALL_PROXY", proxy.address.replace("socks5", "socks5h"))
        body = body_of(f"http://far.example:{server.port}/a")

    assert (body, server.seen[0].headers["host"]) == (BIG, f"far.example:{server.port}")


def test_a_proxy_may_itself_be_spoken_to_by_tls(
    secure_server: WireServer, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    secure_server.serve("/a", reply(BIG))

    with LeadingProxy(tls=certified(authority, "127.0.0.1")) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address)
        body = body_of(f"https://far.example:{secure_server.port}/a")

    assert body == BIG


@pytest.mark.parametrize("is_secure", [False, True])
def test_a_tunnel_is_used_again(
    secure_server: WireServer,
    authority: trustme.CA,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_secure: bool,
) -> None:
    urls = [secure_server.serve(f"/{number}", reply(b"whole")) for number in range(3)]

    with LeadingProxy(tls=certified(authority, "127.0.0.1") if is_secure else None) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address)
        with Client(Network()) as client:
            bodies = [asyncio.run(client.get(url)).body for url in urls]

    assert bodies == [b"whole"] * 3
    assert proxy.asked == [f"127.0.0.1:{secure_server.port}"]


def test_the_login_of_a_proxy_is_for_the_proxy_alone(
    secure_server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = secure_server.serve("/a", reply(b"x"))

    with LeadingProxy(password=WORD) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address)
        with Client(Network()) as client:
            answer = asyncio.run(client.get(url))

    assert "proxy-authorization" not in secure_server.seen[0].headers
    assert b"proxy-authorization" not in answer.request_bytes().lower()


def test_a_forwarding_proxy_is_asked_for_the_whole_address(
    server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("http://far.example/a?b", reply(b"forwarded"))
    monkeypatch.setenv("HTTP_PROXY", server.origin.replace("//", "//joe:word@"))

    with Client(Network()) as client:
        answer = asyncio.run(client.get("http://far.example/a?b#c"))

    assert answer.body == b"forwarded"
    assert server.seen[0].headers["host"] == "far.example"
    assert server.seen[0].headers["proxy-authorization"] == "Basic am9lOndvcmQ="
    assert answer.target == b"/a?b"
    assert b"am9lOndvcmQ" not in answer.request_bytes()


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ({"answer": b"HTTP/1.1 403 Not for you\r\n\r\n"}, "403 Not for you"),
        ({"answer": b"<html>hello</html>\r\n\r\n"}, "answer is not a proxy's answer"),
        ({"answer": b"HTTP/1.1 200 OK\r\n\r\nsurplus"}, "answered in place of the server"),
        ({"is_socks": True, "reply_code": 5}, "cannot connect: connection refused"),
        ({"is_socks": True, "password": WORD}, "rejects the user name and password"),
    ],
    ids=["forbidden", "a page", "answers itself", "refused", "wrong password"],
)
def test_a_proxy_that_does_not_lead_says_why(
    secure_server: WireServer, monkeypatch: pytest.MonkeyPatch, kind: dict[str, Any], reason: str
) -> None:
    url = secure_server.serve("/a", reply(b"x"))

    with LeadingProxy(**kind) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address.replace("joe:word", "joe:wrong"))
        stop = stop_of(url)

    assert stop.status is Status.NETWORK_ERROR
    assert reason in str(stop)
    assert "through the proxy" in str(stop)
    assert "wrong" not in str(stop)


def test_a_proxy_that_says_nothing_is_given_up(
    server: WireServer, secure_server: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = secure_server.serve("/a", reply(b"x"))
    monkeypatch.setenv("HTTPS_PROXY", f"socks5://127.0.0.1:{server.port}")

    with pytest.raises(IngestStop) as stop:
        body_of(url, Network(timeout_s=0.2))

    assert stop.value.status is Status.READ_TIMEOUT
