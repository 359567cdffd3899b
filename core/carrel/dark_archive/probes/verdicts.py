# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an answer means: the full text, or something that came in place of it.

A status of 200 proves nothing. What was held before says best what is wanted; the `File-Format` of
a template is a claim, and templates that claim a PDF do point to pages.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from carrel.capture.exchange import Exchange
from carrel.capture.media import TEXT, is_binary, is_document, is_page
from carrel.capture.obstacles import is_challenge, is_login
from carrel.dark_archive.probes.download import Received
from carrel.dark_archive.probes.look import Question
from carrel.dark_archive.probes.outcomes import OK
from carrel.translation import tr

_PASSWORD_FIELD = re.compile(
    rb"<input\b[^>]{0,500}?\btype\s{0,9}=\s{0,9}[\"']?password", re.IGNORECASE
)
# Where those land whose page is not there any more.
_DISGUISES = re.compile(
    r"/(?:index|default|home|search|error|errors|404|not[-_]?found|page[-_]?not[-_]?found)"
    r"(?:\.\w{1,5})?/?$",
    re.IGNORECASE,
)
# A version so much smaller than the last one may say "removed" on its only page.
_SHRUNK_TO = 0.1

_SAID = {
    401: ("forbidden", tr("it requires a log-in")),
    403: ("forbidden", tr("access is not allowed")),
    404: ("http-404", tr("there is nothing at this address")),
    410: ("http-410", tr("it was removed permanently")),
    429: ("http-429", tr("too many requests")),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`detail` is a sentence for people; `flags` are those of a look.

    `is_loss` is None where the word of the outcome says whether it speaks for one.
    """

    outcome: str
    detail: str
    flags: tuple[str, ...] = ()
    is_loss: bool | None = None


def of_status(exchange: Exchange, question: Question) -> Verdict:
    """Return what an answer without a payload means."""
    code = exchange.status_code
    said = tr("{url} answered with HTTP {code}", url=exchange.url, code=code)
    if is_challenge(exchange):
        return Verdict("bot-wall", tr("{said}: a bot check blocks the file.", said=said))
    if code in (204, 205):
        return Verdict(
            "empty", tr("{said}, without any content.", said=said), is_loss=question.is_held
        )
    if code in _SAID:
        outcome, meaning = _SAID[code]
        return Verdict(outcome, f"{said}: {meaning}.")
    return Verdict(f"http-{code}", f"{said}.")


def of_payload(
    exchange: Exchange, received: Received, question: Question, way: Sequence[str]
) -> Verdict:
    """Return what an answer with a payload means.

    The body of `exchange` is the beginning of the payload, if that is a page. `way` are the
    addresses behind us, the one that was requested first.
    """
    url = exchange.url
    if is_challenge(exchange):
        return Verdict("bot-wall", tr("{url} delivered a bot check in place of the file.", url=url))
    if received.payload.size == 0:
        return Verdict(
            "empty", tr("{url} delivered an empty file.", url=url), is_loss=question.is_held
        )
    if received.is_cut and not received.has_end:
        return Verdict("truncated", tr("{url} delivered an incomplete PDF.", url=url))
    verdict = _disguise(received, question, way) or _wrong_content(received, question, way)
    flags = _flags(received, question, way)
    return replace(verdict, flags=flags) if verdict else Verdict(OK, "", flags)


def leads_to_login(url: str) -> bool:
    """Say whether a redirect to this address leads to a log-in page."""
    return is_login(url)


def wants_document(question: Question) -> bool:
    """Say whether something else than a page is wanted."""
    if question.is_held:
        return not is_page(question.last_media)
    return is_document(question.media)


def _disguise(received: Received, question: Question, way: Sequence[str]) -> Verdict | None:
    """Return which page of another purpose came, None if none did."""
    asked, final = way[0], way[-1]
    if not is_page(received.shown):
        return None
    if wants_document(question) and _PASSWORD_FIELD.search(received.beginning):
        return Verdict(
            "login", tr("{asked} delivers a log-in page in place of a document.", asked=asked)
        )
    if _is_home(final) and not _is_home(asked):
        return Verdict(
            "redirect-home", tr("{asked} leads to the home page {final}.", asked=asked, final=final)
        )
    if question.is_held and wants_document(question) and _host(asked) != _host(final):
        message = tr(
            "{asked} leads to a page of another host, {final}, where a document was.",
            asked=asked,
            final=final,
        )
        return Verdict("redirect-home", message)
    return None


def _wrong_content(received: Received, question: Question, way: Sequence[str]) -> Verdict | None:
    """Return that something else came than what was there, or than can be, None if not."""
    shown = received.shown
    if question.is_held and wants_document(question) and is_page(shown):
        was = question.last_media or "a file"
        return Verdict(
            "wrong-content",
            tr("{way} delivered an HTML page where {was} was.", way=way[-1], was=was),
        )
    wanted = question.last_media if question.is_held else question.media
    if shown == TEXT and is_binary(wanted):
        return Verdict(
            "wrong-content",
            tr("{way} delivered plain text in place of {wanted}.", way=way[-1], wanted=wanted),
        )
    return None


def _flags(received: Received, question: Question, way: Sequence[str]) -> tuple[str, ...]:
    size, last_size = received.payload.size, question.last_size or 0
    is_shown_a_page = is_page(received.shown)
    is_elsewhere = is_shown_a_page and len(way) > 1 and bool(_DISGUISES.search(_path(way[-1])))
    flags = {
        "landing-page": is_shown_a_page,
        "likely-disguise": is_elsewhere or size < last_size * _SHRUNK_TO,
        "content-coded": received.is_coded,
        "likely-cut": received.is_cut,
    }
    return tuple(flag for flag, holds in flags.items() if holds)


def _is_home(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _path(url: str) -> str:
    return urlsplit(url).path
