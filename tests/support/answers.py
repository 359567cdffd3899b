# SPDX-License-Identifier: AGPL-3.0-or-later
"""A platform's interface for tests: a table of addresses and what they answer."""

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from carrel.errors import ApiStop
from carrel.model import Finding, Landing, Link, Status
from carrel.platforms.links import next_link
from carrel.platforms.platform import Answer, S, shaped
from carrel.platforms.whole_texts import last_of_each, whole_texts

_REFUSALS = {
    401: Status.PLATFORM_RESTRICTED,
    403: Status.PLATFORM_RESTRICTED,
    404: Status.PLATFORM_404,
    410: Status.PLATFORM_404,
    429: Status.RATE_LIMITED,
}


class Answers:
    """An `Api` that answers from a table and remembers what it was asked.

    A number in the table is an HTTP status, an `ApiStop` is raised, a function is called with the
    question that is sent, an `Answer` is one with headers or at another address, all else is the
    JSON; a string is the body itself where text is asked for. What is not in the table answers 502,
    as a proxy without a recording does. A token goes along to the addresses in `opened`.
    """

    def __init__(
        self,
        table: Mapping[str, Any],
        *,
        opened: Collection[str] = (),
        most_files: int = 1_000_000,
    ) -> None:
        self.table = dict(table)
        self.opened, self.most_files = opened, most_files
        self.asked: list[str] = []
        self.findings: list[Finding] = []

    def has_token(self, url: str) -> bool:
        return url in self.opened

    async def json(self, url: str) -> Any:
        answer = self._answer(url)
        return parsed(answer.text if isinstance(answer, Answer) else json.dumps(answer))

    async def query(self, url: str, question: Mapping[str, Any]) -> Any:
        answer = self._answer(url)
        return parsed(json.dumps(answer(question) if callable(answer) else answer))

    async def text(self, url: str, *, accept: str) -> str:
        return (await self.answer(url, accept=accept)).text

    async def head(self, url: str) -> Answer:
        return await self.answer(url)

    async def answer(self, url: str, *, accept: str = "application/json") -> Answer:
        answer = self._answer(url)
        if isinstance(answer, Answer):
            return answer
        return Answer(url, answer if isinstance(answer, str) else json.dumps(answer))

    def _answer(self, url: str) -> Any:
        self.asked.append(url)
        answer = self.table.get(url, 502)
        if isinstance(answer, ApiStop):
            raise answer
        if isinstance(answer, int):
            status = _REFUSALS.get(answer, Status.PLATFORM_HTTP_ERROR)
            raise ApiStop(status, f"{url} answered with HTTP {answer}.", answer)
        return answer

    async def read(self, url: str, shape: type[S]) -> S:
        return shaped(url, await self.json(url), shape)

    async def read_page(self, url: str, shape: type[S]) -> tuple[S, str | None]:
        answer = self.table.get(url)
        headers = answer.headers if isinstance(answer, Answer) else {}
        return shaped(url, await self.json(url), shape), next_link(headers, url)


def parsed(text: str) -> Any:
    """Return JSON as the real interface does."""
    return whole_texts(json.loads(text, object_pairs_hook=lambda pairs: last_of_each(pairs, {})))


class Silence(Answers):
    """An `Api` to which nobody answers."""

    def __init__(self) -> None:
        super().__init__({})

    def _answer(self, url: str) -> Any:
        self.asked.append(url)
        raise ApiStop(Status.PLATFORM_ERROR, f"{url} does not answer.")


def landing(*hops: str, html: str = "", links: tuple[Link, ...] = ()) -> Landing:
    """Return a page that was reached by way of these addresses, the first one asked for."""
    return Landing(asked=hops[0], hops=hops, status_code=200, html=html, links=links)


def lost_landing(*hops: str) -> Landing:
    """Return a page that could not be read; the last address answered with an error."""
    return Landing(
        asked=hops[0],
        hops=hops,
        status_code=502,
        outcome=Status.REMOTE_SERVER_ERROR,
        message=f"{hops[-1]} answered with HTTP 502.",
    )


def sample(path: str) -> bytes:
    """Return a recorded answer; for tests that are marked `samples`."""
    return (Path(os.environ["CARREL_SAMPLES"]) / "platforms" / path).read_bytes()


def expected(path: str) -> tuple[str, dict[str, Any]]:
    """Return the address of a recorded answer and what an independent reader made of it."""
    entries = json.loads(sample("SOURCES.json"))["entries"]
    entry = next(entry for entry in entries if entry["file"] == path)
    return entry["url"], entry["expected"]
