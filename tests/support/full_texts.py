# SPDX-License-Identifier: AGPL-3.0-or-later
"""Full texts as servers give them, and what they give in their place."""

import threading
from collections.abc import Iterable
from typing import Any

from support.wire import End, Reply, head, html, reply

BOT_WALL = "<html><title>Just a moment...</title><p>Checking your browser</p></html>"
LOGIN_PAGE = '<html><form><input name="p" type="password"></form></html>'
LANDING_PAGE = "<!DOCTYPE html><html><title>A paper</title><p>Abstract</p></html>"


def pdf(words: str, *, is_whole: bool = True) -> bytes:
    """Return a small PDF: enough of one for whoever looks at its marks only."""
    end = "\nstartxref\n9\n%%EOF\n" if is_whole else ""
    return f"%PDF-1.4\n1 0 obj\n({words})\nendobj{end}".encode()


def paper(words: str = "On Tides", **headers: Any) -> Reply:
    return reply(pdf(words), Content_Type="application/pdf", **headers)


def page(body: str = LANDING_PAGE) -> Reply:
    return html(body)


def bot_wall(status: str = "200 OK") -> Reply:
    return html(BOT_WALL, status)


def login_page() -> Reply:
    return html(LOGIN_PAGE)


def robots(*lines: str, status: str = "200 OK") -> Reply:
    return reply("\n".join(lines).encode(), status, Content_Type="text/plain")


def until_closed(body: bytes) -> Reply:
    """Return an answer that does not say how long it is: it ends with the connection."""
    return Reply(lambda: [head("200 OK", {"Content-Type": "application/pdf"}), body], End.CLOSE)


class Stall:
    """Answers that stand still in their middle, until `go_on`, or for as long as anybody waits."""

    def __init__(self) -> None:
        self._may_go_on = threading.Event()
        self.began = threading.Event()
        """Set once an answer stands still."""

    def go_on(self) -> None:
        self._may_go_on.set()

    def silence(self) -> Reply:
        """Return an answer that does not even begin."""
        return Reply(lambda: self._stalled(b"", paper()))

    def paper(self) -> Reply:
        """Return a PDF of which the first bytes come."""
        whole = pdf("On Stillness")
        first = head("200 OK", {"Content-Length": len(whole)}) + whole[:20]
        return Reply(lambda: self._stalled(first, Reply(lambda: [whole[20:]])))

    def _stalled(self, first: bytes, rest: Reply) -> Iterable[bytes]:
        yield first
        self.began.set()
        self._may_go_on.wait(30)
        yield from rest.pieces()
