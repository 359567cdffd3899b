# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether the files that a platform lists are at their addresses: of the answers only the heads are
read, and of web pages the beginning.

Only 404 and 410 say that a file is gone, and only 401 and 403 that it is not for everyone. A web
page with status 200 is noted: it may stand in a file's place. All else, from a bot check to a fault
of the server's, leaves it as the platform lists it. The size that an answer announces is kept,
where it is that of the file.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from carrel.capture.client import Cancelled, Client
from carrel.capture.exchange import Exchange
from carrel.capture.hops import Hops
from carrel.capture.obstacles import is_challenge, is_login
from carrel.engine.watch.unclear import INSIDE
from carrel.errors import IngestStop
from carrel.hosts.inside import leads_inside
from carrel.model import ManifestFile, Status
from carrel.strategies.comparison import LOOKED_AT_BYTES, looks_like

_OK = 200
_NOT_THERE = frozenset({404, 410})
_REFUSED = frozenset({401, 403})
_READ = frozenset({_OK}) | _NOT_THERE | _REFUSED
# So many in a row that could not be requested, and the rest is left alone.
_MOST_FAILURES = 3
# What a log-in page, or a word of excuse with status 200, comes as.
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_PAGE_ENDINGS = (".html", ".htm", ".xhtml")
# Nothing longer is a number of bytes.
_MOST_DIGITS = 18


@dataclass(slots=True)
class Heads:
    """`missing` and `refused` give the HTTP status by path, `sizes` the bytes that an answer
    announced, `pages` what an answer looks like that calls itself a web page. `unclear` gives the
    word of `unclear.py` of those that told neither that the file is there nor that it is not.

    `asked` is how many answered, `unasked` how many have their turn at another check; `requested`
    are the paths of those that had it, in turn.
    """

    missing: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    asked: int = 0
    unasked: int = 0


def ask_heads(
    client: Client,
    files: Sequence[ManifestFile],
    *,
    page: str,
    most: int,
    after: str = "",
    is_cancelled: Callable[[], bool],
) -> Heads:
    """Request the open files' addresses, at most so many, one after the other. Blocks.

    It begins behind the file `after`, where the last look ended, and goes round. `page` is the
    dataset's own address: a public one has no business to name addresses inside a private network,
    and such are not asked for. One that does not answer has had its turn: the next look begins
    behind it, or a host that is down would keep all others from theirs.
    """
    heads, failures, turns = Heads(), 0, 0
    open_files = [entry for entry in files if entry.platform_url and entry.status is None]
    times_listed = Counter(entry.path for entry in files)
    for entry in _from(open_files, after)[:most]:
        url = entry.platform_url or ""
        if failures >= _MOST_FAILURES or is_cancelled():
            break
        if leads_inside(page, url):
            heads.unclear[entry.path] = INSIDE
            turns += 1
            continue
        try:
            exchange = _exchange(client, url, is_cancelled)
        except Cancelled:
            break
        except IngestStop as stop:
            failures += 1
            heads.unclear[entry.path] = stop.status
        else:
            failures = 0
            heads.asked += 1
            _note(heads, entry.path, exchange, is_one=times_listed[entry.path] == 1)
        turns += 1
        heads.requested.append(entry.path)
    heads.unasked = len(open_files) - turns
    return heads


def _note(heads: Heads, path: str, exchange: Exchange, *, is_one: bool) -> None:
    """Note what an answer tells of a file. Of one of several with its path (not `is_one`) neither
    size nor page is: no one knows whose it is."""
    code = exchange.status_code
    page = looks_like(exchange) if code == _OK else None
    if page and is_one:
        heads.pages[path] = page
    if is_challenge(exchange):
        heads.unclear[path] = Status.BLOCKED_CHALLENGE
        return
    if code in _NOT_THERE:
        heads.missing[path] = code
    elif code in _REFUSED:
        heads.refused[path] = code
    elif code != _OK:
        heads.unclear[path] = str(code)
    size = _announced(exchange, path)
    if size is not None and is_one:
        heads.sizes[path] = size


def _from(files: Sequence[ManifestFile], after: str) -> Sequence[ManifestFile]:
    """Return files in their order, those behind one of them first."""
    start = next((at for at, each in enumerate(files, 1) if each.path == after), 0)
    return [*files[start:], *files[:start]]


def _exchange(client: Client, url: str, is_cancelled: Callable[[], bool]) -> Exchange:
    """Return what the redirects end at, or the bot check before it; of a page its beginning too.
    Raises IngestStop.
    """
    hops, target = Hops(url), url
    while True:
        with client.open(target, is_cancelled=is_cancelled, is_question=True) as response:
            exchange = response.exchange
            # Many a server calls data so; and a bot check refuses with no other sign of itself.
            if exchange.status_code in _READ and exchange.mimetype in _PAGES:
                exchange = response.read(LOOKED_AT_BYTES)
        following = None if is_challenge(exchange) else hops.next_after(exchange)
        if following is None:
            return exchange
        target = following


def _announced(exchange: Exchange, path: str) -> int | None:
    """Return how many bytes a file has by its answer's head, None if that does not say.

    The length of a coded body is not the file's (RFC 9110, section 8.6), and a page in place of a
    file tells nothing of it.
    """
    headers = exchange.headers
    is_coded = headers.get("content-encoding", "identity").strip().lower() != "identity"
    if exchange.status_code != _OK or is_coded or "transfer-encoding" in headers:
        return None
    is_page = exchange.mimetype in _PAGES and not path.lower().endswith(_PAGE_ENDINGS)
    if is_page or is_login(exchange.url):
        return None
    text = headers.get("content-length", "").strip()
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None
