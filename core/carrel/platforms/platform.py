# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every platform is derived from, and the interface it asks through."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from carrel.model import AskedItem, Finding, Landing, PlatformItem
from carrel.platforms.about import About
from carrel.translation import tr


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


class Platform(ABC):
    """One data platform: what is known of it, which pages are its, and what it says of a dataset.

    A platform is a module with a class derived from this one, and a line in `catalogue.PLATFORMS`.
    Two declarations and two methods make it:

        class Answer(Shape):
            title: Text = None
            files: Rows[File] = ()

        class TideTables(Platform):
            name = "tidetables"
            about = About(title="Tide Tables", hosts=frozenset({"tides.example"}))

            def asked_for(self, landing: Landing) -> AskedItem | None:
                for address in addresses(landing):
                    if self.about.runs_at(address.host) and address.parts[:1] == ("sets",):
                        return AskedItem(self.name, address.netloc, address.parts[-1])
                return None

            async def describe(self, landing: Landing, api: Api) -> PlatformItem:
                asked = self.asked_for(landing)
                if asked is None:
                    raise NotThisPlatform("No address on the way to this page is a set of tides.")
                url = f"https://{asked.platform_domain}/api/{asked.platform_id}"
                answer = await api.read(url, Answer)
                return PlatformItem(self.name, ..., manifest=unique_paths(...))

    The whole of it stands in `docs/platforms-howto.md`. Instances may be asked from any thread.
    """

    name: ClassVar[str]
    """What results call it, for ever; lower case."""
    about: ClassVar[About]
    """What is known of it before it is asked: declared here, used everywhere."""
    tells_of_its_page_alone: ClassVar[bool] = False
    """Whether it reads pages of any site, and knows nothing but what such a page says of itself."""

    @abstractmethod
    def asked_for(self, landing: Landing) -> AskedItem | None:
        """Return what an ingest is found by of which nothing is known but what it asked for.

        None where the way to the page names no dataset.
        """

    @abstractmethod
    async def describe(self, landing: Landing, api: Api) -> PlatformItem:
        """Return what the platform says of the dataset.

        A dataset of which nothing can be had (restricted, withdrawn, without files) is returned
        with its `platform_status`. Raises IngestStop when no dataset is known at all (wrong scope,
        no answer), NotThisPlatform when a closer look shows that the match was mistaken.
        """

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is this platform's, in words, or None.

        Asks no one. Where it is not overridden, an address that names a dataset is the evidence.
        """
        found = self.asked_for(landing)
        if found is None:
            return None
        return tr(
            "the address names {platform_id} at {platform_domain}",
            platform_id=found.platform_id,
            platform_domain=found.platform_domain,
        )
