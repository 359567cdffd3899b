# SPDX-License-Identifier: AGPL-3.0-or-later
"""The way of mementos to the network: one asynchronous client, and how archives are treated.

Redirects are never followed by the client, certificates are checked, proxies and private
certificate authorities come from the environment, cookies and credentials are sent to nobody.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from carrel.mementos.courtesy import Courtesy
from carrel.settings import Network


@dataclass(frozen=True, slots=True)
class Fetched:
    """A small answer that was read whole. Names of headers are lower-case."""

    url: str
    status_code: int
    headers: httpx.Headers
    body: bytes


class Web:
    """Asks archives, courteously. Lives on one loop."""

    def __init__(self, network: Network, courtesy: Courtesy) -> None:
        self.courtesy = courtesy
        raise NotImplementedError

    @asynccontextmanager
    async def open(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: tuple[tuple[str, str], ...] = (),
        body: bytes = b"",
        purpose: str = "lookup",
    ) -> AsyncIterator[httpx.Response]:
        """Give the answer to one request, its body still to come, once its host's budget allows.

        `purpose` names the budget: lookup (indexes), memento (records), live. Raises SourceTrouble
        (timed-out, refused, unreachable, resting).
        """
        raise NotImplementedError
        yield

    async def fetch(self, url: str, *, accept: str = "*/*", most: int = 64 * 1024**2) -> Fetched:
        """Return one whole answer whatever its status, for look-ups. Raises SourceTrouble.

        More than `most` bytes are a wrong answer.
        """
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError
