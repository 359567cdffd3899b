# SPDX-License-Identifier: AGPL-3.0-or-later
"""What looks like a page and is none, and pages that only sound like an obstacle."""

import pytest

from carrel.capture.exchange import Exchange
from carrel.capture.http1.headers import RawHeaders
from carrel.capture.obstacles import is_challenge, is_cookie_test, is_login
from support.records import exchange

HTML = (b"Content-Type", b"text/html; charset=utf-8")


def answer(
    body: bytes,
    *headers: tuple[bytes, bytes],
    status: int = 200,
    url: str = "https://data.example.org/dataset/7",
) -> Exchange:
    named: RawHeaders = headers or (HTML,)
    return exchange(url, body, status=status, headers=named)


@pytest.mark.parametrize(
    "challenge",
    [
        answer(b"<html><head><title>Just a moment...</title></head></html>", status=403),
        answer(b'<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'),
        answer(b"<script>window.awsWafIntegration.getToken()</script>"),
        answer(b'<script id="anubis_challenge" type="application/json">{}</script>'),
        answer(b"<h1>Making sure you&#39;re not a bot!</h1>"),
        answer(b"<p>Please enable JavaScript and cookies to continue</p>"),
        answer(b"<title>Human Verification</title>", (b"X-Any", b"1")),
        answer(b"<html></html>", HTML, (b"cf-mitigated", b"challenge"), status=403),
        answer(b"", HTML, (b"x-amzn-waf-action", b"challenge"), status=202),
        answer(b"", (b"Server", b"awselb/2.0"), status=202),
        answer(b"", (b"X-DataDome", b"protected"), status=403),
        answer(b"", (b"X-DataDome", b"protected"), status=429),
        answer(b"", (b"X-Amzn-Waf-Action", b"Captcha"), status=405),
        answer(b"<html></html>", url="https://validate.perfdrive.com/x?ssa=1"),
    ],
)
def test_a_bot_check_is_seen(challenge: Exchange) -> None:
    assert is_challenge(challenge)


@pytest.mark.parametrize(
    "page",
    [
        answer(b"<title>A dataset</title>"),
        answer(b"<p>How we solved a captcha with statistics</p>"),
        answer(b'{"note": "just a moment"}', (b"Content-Type", b"application/json")),
        answer(b"<title>just a moment</title>", (b"Content-Type", b"text/csv")),
        answer(b'{"status": "queued"}', (b"Content-Type", b"application/json"), status=202),
        answer(b"", status=204),
        answer(b"a file", (b"X-DataDome", b"protected")),
        answer(b"<html></html>", url="https://data.example.org/on/perfdrive.com"),
        answer(b"x" * 70_000 + b"cf-chl-"),
    ],
)
def test_other_pages_are_not_bot_checks(page: Exchange) -> None:
    assert not is_challenge(page)


@pytest.mark.parametrize(
    "path",
    [
        "/login",
        "/login?next=/dataset/7",
        "/Login/",
        "/log-in",
        "/sign_in",
        "/users/sign_in",
        "/signin;jsessionid=1",
        "/loginpage.xhtml?redirect=dataset",
        "/login.php",
        "/cas/login?service=x",
        "/idp/profile/SAML2/Redirect/SSO?execution=e1s1",
        "/oauth2/authorize?client_id=1",
        "/Shibboleth.sso/Login",
    ],
)
def test_a_log_in_page_is_seen(path: str) -> None:
    assert is_login(f"https://data.example.org{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/blog/insignia",
        "/blog/incident",
        "/catalog/in/7",
        "/signings/treaty",
        "/dataset/login-times",
        "/dataset?next=/login",
        "/dataset#/login",
        "/loginess",
        "/wayfarers",
    ],
)
def test_an_address_that_only_sounds_like_a_log_in_is_none(path: str) -> None:
    assert not is_login(f"https://data.example.org{path}")


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("/action/cookieAbsent", True),
        ("/cookie-check", True),
        ("/recipes/cookies", False),
        ("/dataset/7?cookieset=1", False),
    ],
)
def test_a_cookie_test_is_told_from_cookies(path: str, is_test: bool) -> None:
    assert is_cookie_test(f"https://data.example.org{path}") is is_test
