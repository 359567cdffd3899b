# SPDX-License-Identifier: AGPL-3.0-or-later
"""The protocol that every platform follows, and the interface it asks through."""

from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from carrel.model import AskedItem, Finding, Landing, PlatformItem


class Shape(BaseModel):
    """The base of every model of an outside answer: unknown fields are let pass."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, coerce_numbers_to_str=True, defer_build=True
    )


S = TypeVar("S", bound=Shape)


class Api(Protocol):
    """What a platform asks its questions through. Every exchange is recorded as evidence.

    `findings` are on the answers as such, in the order in which they came.
    """

    findings: list[Finding]

    async def json(self, url: str) -> Any:
        """Return the parsed JSON at `url`, redirects followed.

        Raises ApiStop: `platform-404` for 404 and 410, `platform-restricted` for 401 and 403 with
        JSON, `blocked-challenge` for a bot check, `forbidden` for any other 403, `rate-limited` for
        429, `platform-http-error` for other HTTP errors, `platform-error` for no answer and for
        anything that is not JSON.
        """

    async def read(self, url: str, shape: type[S]) -> S:
        """Return the JSON at `url` as `shape`. Raises ApiStop as `json` does, and `platform-error`
        naming the offending field for an answer of another shape."""

    async def text(self, url: str, *, accept: str) -> str:
        """Return the text at `url`, decoded as its headers say. Raises ApiStop as `json` does, and
        `platform-error` for a body that cannot be read whole."""


class Platform(Protocol):
    """One data platform."""

    name: str

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is this platform's, in words, or None."""

    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return what an ingest is found by of which nothing is known but what it asked for.

        None where the way to the page names no dataset. Called for a page that matches.
        """

    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the platform says of the dataset.

        A dataset of which nothing can be had (restricted, withdrawn, without files) is returned
        with its `platform_status`. Raises IngestStop when no dataset is known at all (wrong scope,
        no answer), NotThisPlatform when a closer look shows that the match was mistaken.
        """
