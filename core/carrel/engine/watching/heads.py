# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether the files that a platform lists are at their addresses: only the answers' heads are read.

Only 404 and 410 say that a file is gone. All else, from a log-in page to a fault of the server's,
leaves it as the platform lists it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from carrel.capture.client import Cancelled, Client
from carrel.capture.hops import Hops
from carrel.capture.inside import leads_inside
from carrel.capture.obstacles import is_challenge
from carrel.errors import IngestStop
from carrel.model import ManifestFile

_NOT_THERE = frozenset({404, 410})
# So many in a row that could not be asked for, and the rest is left alone.
_MOST_FAILURES = 3


@dataclass(slots=True)
class Heads:
    """`missing` gives the HTTP status by path; `asked` is how many answered, `unasked` how many
    were to be asked for and did not."""

    missing: dict[str, int] = field(default_factory=dict)
    asked: int = 0
    unasked: int = 0


def ask_heads(
    client: Client,
    files: Sequence[ManifestFile],
    *,
    page: str,
    most: int,
    is_cancelled: Callable[[], bool],
) -> Heads:
    """Ask for the open files' addresses, at most so many, one after the other. Blocks.

    `page` is the dataset's own address: a public one has no business to name addresses inside a
    private network, and such are not asked for.
    """
    heads, failures = Heads(), 0
    open_files = [entry for entry in files if entry.platform_url and entry.status is None]
    for entry in open_files[:most]:
        url = entry.platform_url or ""
        if failures >= _MOST_FAILURES or is_cancelled():
            break
        if leads_inside(page, url):
            continue
        try:
            status = _status(client, url, is_cancelled)
        except Cancelled:
            break
        except IngestStop:
            failures += 1
            continue
        failures = 0
        heads.asked += 1
        if status in _NOT_THERE:
            heads.missing[entry.path] = status
    heads.unasked = len(open_files) - heads.asked
    return heads


def _status(client: Client, url: str, is_cancelled: Callable[[], bool]) -> int:
    """Return the HTTP status at the end of the redirects, 0 for a bot check. Raises IngestStop."""
    hops, target = Hops(url), url
    while True:
        with client.open(target, is_cancelled=is_cancelled, is_question=True) as response:
            exchange = response.exchange
        if is_challenge(exchange):
            return 0
        following = hops.next_after(exchange)
        if following is None:
            return exchange.status_code
        target = following
