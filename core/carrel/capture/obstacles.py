# SPDX-License-Identifier: AGPL-3.0-or-later
"""What stands between us and a page while looking like one: bot checks, log-ins, cookie tests.

A status of 200 proves nothing: repositories answer robots with 202 and no body, with a page of
script that must be run first, or with a redirect to a log-in (seen in 2025 and 2026: AWS WAF,
Cloudflare, Anubis, perfdrive, DataDome). Carrel names such an answer; it never works round it.
"""

import re
from urllib.parse import urlsplit

from carrel.capture.exchange import Exchange

_HEAD_BYTES = 64 * 1024

_CHALLENGE_HEADERS = {
    "cf-mitigated": re.compile("challenge"),
    "x-amzn-waf-action": re.compile("challenge|captcha"),
}
# In lower case: to lower the page first takes a fifth of the time that IGNORECASE does.
_CHALLENGE_MARKS = re.compile(
    rb"/cdn-cgi/challenge-platform/(?!scripts/jsd/)|cf-chl-|<title>\s*just a moment|_cf_chl_opt"
    rb"|awswafintegration|challenge\.js[\"'?]|gokuprops"
    rb"|anubis_challenge|\.within\.website/x/cmd/anubis|making sure you(?:'|&#39;)re not a bot"
    rb"|captcha-delivery\.com|perfdrive\.com|_incapsula_resource|px-captcha"
    rb"|<title>\s*(?:ddos-guard|attention required|human verification|are you a robot)"
    rb"|please (?:enable|turn on) javascript and cookies to continue"
)
_CHALLENGE_HOSTS = ("perfdrive.com", "captcha-delivery.com", "hcaptcha.com")

_LOGIN_PATHS = re.compile(
    r"/(?:log[-_]?in|sign[-_]?in|signon|cas/login|oauth2?/(?:login|authorize)|idp/|saml2?/"
    r"|shibboleth|wayf|loginpage\.xhtml|account/login|users/sign_in)(?:[/.;]|$)|/idp/profile/",
    re.IGNORECASE,
)
_PASSWORD_FIELD = re.compile(rb"<input\b[^>]{0,500}\btype\s*=\s*[\"']?password\b", re.IGNORECASE)
_COOKIE_PATHS = re.compile(
    r"/(?:cookieabsent|cookie[-_]?(?:test|check|set)|nocookie)", re.IGNORECASE
)


def is_challenge(exchange: Exchange) -> bool:
    """Say whether an answer is a bot check, whatever its status."""
    for name, mark in _CHALLENGE_HEADERS.items():
        if mark.search(exchange.headers.get(name, "").lower()):
            return True
    if exchange.status_code in (403, 429) and "x-datadome" in exchange.headers:
        return True
    if any(host in exchange.url for host in _CHALLENGE_HOSTS) and (
        urlsplit(exchange.url).hostname or ""
    ).endswith(_CHALLENGE_HOSTS):
        return True
    if exchange.status_code == 202 and not exchange.body.strip():
        return True
    looks_like_page = exchange.mimetype in ("", "text/html", "application/xhtml+xml")
    return looks_like_page and bool(_CHALLENGE_MARKS.search(exchange.body[:_HEAD_BYTES].lower()))


def is_login(url: str) -> bool:
    """Say whether an address is that of a log-in page."""
    return bool(_LOGIN_PATHS.search(urlsplit(url).path))


def asks_for_password(exchange: Exchange) -> bool:
    """Say whether an answer is a page with a field for a password in its beginning.

    Many a page has a small log-in form in its corner: this tells something only of what should be
    no page at all.
    """
    looks_like_page = exchange.mimetype in ("", "text/html", "application/xhtml+xml")
    return looks_like_page and bool(_PASSWORD_FIELD.search(exchange.body[:_HEAD_BYTES]))


def is_cookie_test(url: str) -> bool:
    """Say whether an address is that of a test for cookies."""
    return bool(_COOKIE_PATHS.search(urlsplit(url).path))
