# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which proxy leads where, in all the ways that institutions write it."""

import httpx
import pytest

from carrel.capture.client import Client, environment_fault
from carrel.capture.proxies import Proxies
from carrel.errors import SettingsError
from carrel.settings import Network

PROXY = "http://proxy.example:3128"


def leads(exceptions: str, url: str) -> bool:
    """Say whether an address is asked for through the proxy, with this NO_PROXY."""
    proxies = Proxies({"all": PROXY}, [each.strip() for each in exceptions.split(",")])
    return proxies.leading_to(url) == PROXY


@pytest.mark.parametrize(
    ("exceptions", "url"),
    [
        ("*", "https://example.org/"),
        ("example.org", "https://example.org/a"),
        ("example.org", "https://data.example.org/a"),
        (".example.org", "https://data.example.org/a"),
        (".example.org", "https://example.org/a"),
        ("*.example.org", "https://data.example.org/a"),
        ("EXAMPLE.org", "https://example.ORG/a"),
        ("other.example, example.org", "https://example.org/a"),
        ("data.example.org:443", "https://data.example.org/a"),
        ("data.example.org:8080", "http://data.example.org:8080/a"),
        ("https://example.org", "https://example.org/a"),
        ("localhost", "http://localhost:5000/"),
        ("127.0.0.0/8", "http://127.1.2.3/"),
        ("10.1.2.3", "http://10.1.2.3:8080/"),
        ("::1", "http://[::1]:8080/"),
        ("[::1]", "http://[::1]/"),
        ("[::1]:8080", "http://[::1]:8080/"),
        ("fe80::/10", "http://[fe80::7]/"),
        ("bücher.example", "https://www.bücher.example/"),
    ],
)
def test_what_is_excepted_is_asked_directly(exceptions: str, url: str) -> None:
    assert not leads(exceptions, url)


@pytest.mark.parametrize(
    ("exceptions", "url"),
    [
        ("", "https://example.org/"),
        (",,", "https://example.org/"),
        (".", "https://example.org/"),
        ("example.org", "https://badexample.org/"),
        ("data.example.org", "https://example.org/"),
        ("data.example.org:443", "http://data.example.org/"),
        ("data.example.org:8080", "https://data.example.org/"),
        ("http://example.org", "https://example.org/"),
        ("127.0.0.0/8", "http://128.0.0.1/"),
        ("10.0.0.0/8", "http://ten.example/"),
        ("fe80::/10", "http://[2001:db8::1]/"),
        ("a:b:c", "https://example.org/"),
        ("[::1", "https://example.org/"),
        ("[::1]:x", "http://[::2]/"),
    ],
)
def test_all_else_is_asked_through_the_proxy(exceptions: str, url: str) -> None:
    assert leads(exceptions, url)


def test_each_scheme_has_a_proxy_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://secure.example:1")
    monkeypatch.setenv("ALL_PROXY", "rest.example:2")
    monkeypatch.setenv("NO_PROXY", "near.example")

    proxies = Proxies.of_environment()

    assert proxies.leading_to("https://far.example/") == "http://secure.example:1"
    assert proxies.leading_to("http://far.example/") == "http://rest.example:2"
    assert proxies.leading_to("https://near.example/") is None
    assert proxies.addresses == {"http://secure.example:1", "http://rest.example:2"}


@pytest.mark.parametrize(
    "exceptions", ["fe80::/10", "[::1]", "a:b:c", "bücher.example", "://", ":"]
)
def test_no_exception_keeps_the_program_from_working(
    monkeypatch: pytest.MonkeyPatch, exceptions: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", PROXY)
    monkeypatch.setenv("NO_PROXY", exceptions)

    with Client(Network()):
        pass
    assert Proxies.of_environment().leading_to("https://example.org/") == PROXY


@pytest.mark.parametrize(
    "address", ["http://joe:s3cr3t/x@proxy.example", "ht!tp://joe:s3cr3t@@@::"]
)
def test_a_password_is_not_repeated(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)

    with pytest.raises(SettingsError) as fault:
        Client(Network())

    assert "s3cr3t" not in str(fault.value)
    assert "proxy settings" in str(fault.value)


def test_without_a_proxy_the_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)

    assert "no such thing" in environment_fault(httpx.InvalidURL("no such thing"))
