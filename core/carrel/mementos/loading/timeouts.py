# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long an archive may take over a record, and the words for what goes wrong meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import monotonic

import httpx

from carrel.capture.network_faults import translated
from carrel.capture.throughput import Throughput
from carrel.errors import CarrelError, IngestStop, NotLoaded, SourceTrouble
from carrel.mementos.loading.places import NotThere
from carrel.mementos.loading.record import ResourceRequest
from carrel.mementos.web import Web
from carrel.model import SourceState, Status


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds until the head of an answer, and of silence within its body; bytes per second below
    which, over `window_s` seconds, a body comes to nothing."""

    head_s: float = 15.0
    stall_s: float = 10.0
    min_rate: int = 1024
    window_s: float = 15.0


class SilentServer(CarrelError):
    """There was no answer at all, so that asking for something else is of no use; says why."""


@asynccontextmanager
async def answer_of(
    web: Web, url: str, request: ResourceRequest, purpose: str, timeouts: Timeouts
) -> AsyncIterator[httpx.Response]:
    """Give the answer to a request, its body still to come.

    Raises SilentServer, and what `told_as` tells.
    """
    async with AsyncExitStack() as stack:
        opening = web.open(
            url,
            method=request.method,
            headers=request.headers,
            body=request.body,
            purpose=purpose,
        )
        try:
            async with asyncio.timeout(timeouts.head_s):
                answer = await stack.enter_async_context(opening)
        except SourceTrouble as trouble:
            raise SilentServer(str(trouble)) from trouble
        yield answer


async def body_of(answer: httpx.Response, timeouts: Timeouts) -> AsyncIterator[bytes]:
    """Yield the body as it was transferred, without its transfer coding, while it comes on."""
    flow = Throughput(timeouts.min_rate, timeouts.window_s)
    pieces = answer.aiter_raw()
    while True:
        asked = monotonic()
        async with asyncio.timeout(timeouts.stall_s):
            piece = await anext(pieces, None)
        if piece is None:
            return
        yield piece
        flow.took(len(piece), monotonic() - asked)


@contextmanager
def told_as(name: str, url: str) -> Iterator[None]:
    """Turn what goes wrong on the network into NotLoaded, or its kind NotThere, under a name."""
    try:
        with translated(url):
            yield
    except IngestStop as stop:
        kind = NotThere if stop.status is Status.READ_TIMEOUT else NotLoaded
        raise kind(name, str(stop)) from stop
    except SourceTrouble as trouble:
        kind = NotThere if trouble.state is SourceState.TIMED_OUT else NotLoaded
        raise kind(name, str(trouble)) from trouble
    except SilentServer as error:
        raise NotThere(name, str(error)) from error
