# SPDX-License-Identifier: AGPL-3.0-or-later
"""A platform's interface for tests: a table of addresses and what they answer."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from carrel.errors import ApiStop
from carrel.model import Finding, Landing, Link, Status
from carrel.platforms.platform import S
from carrel.platforms.shapes import misfit

_REFUSALS = {
    401: Status.PLATFORM_RESTRICTED,
    403: Status.PLATFORM_RESTRICTED,
    404: Status.PLATFORM_404,
    410: Status.PLATFORM_404,
    429: Status.RATE_LIMITED,
}


class Answers:
    """An `Api` that answers from a table and remembers what it was asked.

    A number in the table is an HTTP status, an `ApiStop` is raised, all else is the JSON; a string
    is the body itself where text is asked for. What is not in the table answers 502, as a proxy
    without a recording does.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.table = dict(table)
        self.asked: list[str] = []
        self.findings: list[Finding] = []

    async def json(self, url: str) -> Any:
        return json.loads(json.dumps(self._answer(url)))

    async def text(self, url: str, *, accept: str) -> str:
        answer = self._answer(url)
        return answer if isinstance(answer, str) else json.dumps(answer)

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
        answer = await self.json(url)
        try:
            return shape.model_validate(answer)
        except ValidationError as error:
            message = f"{url}: {misfit(error)}."
            raise ApiStop(Status.PLATFORM_ERROR, message, 200) from error


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
