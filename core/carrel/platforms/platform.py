# SPDX-License-Identifier: AGPL-3.0-or-later
"""What every platform is derived from, and the interface it asks through."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from carrel.errors import ApiStop
from carrel.model import AskedItem, Finding, Landing, PlatformItem, Status
from carrel.model.prose import shown_address
from carrel.platforms.about import About
from carrel.platforms.shapes import misfit
from carrel.translation import tr
from carrel.validation import BaseModel, ConfigDict, ValidationError


class Shape(BaseModel):
    """The base of every model of an outside answer: unknown fields are let pass."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, coerce_numbers_to_str=True, defer_build=True
    )


S = TypeVar("S", bound=Shape)


@dataclass(frozen=True, slots=True)
class Answer:
    """An interface's answer, redirects followed: where it stands, its headers by lower-case name,
    and its text."""

    url: str
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


def shaped(url: str, body: Any, shape: type[S]) -> S:
    """Return parsed JSON as `shape`; a list is taken for its field `rows`, if it has one.

    Raises ApiStop (`platform-error`) naming the field that is otherwise.
    """
    is_list = isinstance(body, list) and "rows" in shape.model_fields
    try:
        return shape.model_validate({"rows": body} if is_list else body)
    except ValidationError as error:
        message = tr(
            "{url} answered with unexpected JSON: {misfit}.",
            url=shown_address(url),
            misfit=misfit(error),
        )
        raise ApiStop(Status.PLATFORM_ERROR, message, 200) from error


class Api(Protocol):
    """What a platform asks its questions through. Every exchange is recorded as evidence.

    `findings` are on the answers as such, in the order in which they came. `most_files` is how many
    files the person lets a dataset have: a listing of more is not read to its end.
    """

    findings: list[Finding]
    most_files: int

    def has_token(self, url: str) -> bool:
        """Return whether a token of the person's goes along when a file is fetched from `url`."""

    async def json(self, url: str) -> Any:
        """Return the parsed JSON at `url`, redirects followed.

        Raises ApiStop: `platform-404` for 404 and 410, `platform-restricted` for 401 and 403 with
        anything but a page, `blocked-challenge` for a bot check, `forbidden` for any other 403,
        `rate-limited` for 420 and 429, `platform-http-error` for other HTTP errors,
        `platform-error` for no answer and for anything that is not JSON.
        """

    async def query(self, url: str, question: Mapping[str, Any]) -> Any:
        """Return the parsed JSON that answers a question sent in JSON by POST, such as one in
        GraphQL: it only reads, and may be repeated. Raises ApiStop as `json` does."""

    async def read(self, url: str, shape: type[S]) -> S:
        """Return the JSON at `url` as `shape`. Raises ApiStop as `json` does, and `platform-error`
        naming the offending field for an answer of another shape."""

    async def text(self, url: str, *, accept: str) -> str:
        """Return the text at `url`, decoded as its headers say. Raises ApiStop as `json` does, and
        `platform-error` for a body that cannot be read whole."""

    async def read_page(self, url: str, shape: type[S]) -> tuple[S, str | None]:
        """Return the JSON at `url` as `shape`, and the address of the page that follows, as its
        `Link` header names it (RFC 8288, "next"). Raises ApiStop as `read` does."""

    async def head(self, url: str) -> Answer:
        """Return the headers of what `url` leads to, without its text: what comes is not read on.
        Raises ApiStop as `text` does."""

    async def answer(self, url: str, *, accept: str = "application/json") -> Answer:
        """Return what `url` leads to, with its headers. Raises ApiStop as `text` does."""


class Platform(ABC):
    """One data platform: what is known of it, which pages are its, and what it says of a dataset.

    A platform is a module with a class derived from this one, and a line in `catalogue.PLATFORMS`,
    or an entry point of an installed package (`added.GROUP`).
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

    name: str
    """What results call it, for ever; lower case."""
    about: About
    """What is known of it before it is asked: declared here, used everywhere."""
    tells_of_its_page_alone: bool = False
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

    def group_of(self, landing: Landing) -> str | None:
        """Return the page of this platform that groups datasets, as people write it; None where the
        way leads to none, and for platforms that know none."""
        return None

    def match(self, landing: Landing) -> str | None:
        """Return the evidence that the landing page is this platform's, in words, or None.

        Asks no one. Where it is not overridden, an address that names a dataset is the evidence, or
        one of a page that groups them.
        """
        found = self.asked_for(landing)
        if found is None:
            group, title = self.group_of(landing), self.about.title
            words = tr("the address is a page of {title}: {group}", title=title, group=group)
            return words if group else None
        return tr(
            "the address names {platform_id} at {platform_domain}",
            platform_id=found.platform_id,
            platform_domain=found.platform_domain,
        )
