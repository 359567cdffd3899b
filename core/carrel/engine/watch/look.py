# SPDX-License-Identifier: AGPL-3.0-or-later
"""One look at a watched dataset: what is published now, that it is gone, or why no one can tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from carrel.engine.watch.published import Published, published_now
from carrel.model import IngestFilesetResult, PlatformItem, Status

T = TypeVar("T")
# What a platform says of a dataset that it describes; any other word is a failure to describe it.
_DESCRIBED = frozenset(
    {
        Status.SUCCESS,
        Status.PLATFORM_RESTRICTED,
        Status.EMPTY_MANIFEST,
        Status.PLATFORM_NOT_READY,
        Status.LINK_ONLY,
        Status.TERMS_REQUIRED,
        Status.UNSAFE_PATH,
        Status.ERROR_PLATFORM_DOWNLOAD,
    }
)


class Sight(StrEnum):
    """What a look saw."""

    DESCRIBED = "described"
    GONE = "gone"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Look:
    """A look at `at` (Unix time, seconds). `published` is there when the dataset is described.

    `status` and `message` say why it is not. `missing` gives, by path, the HTTP status (404 or 410)
    of files that are listed and are not at their addresses, `refused` that (401 or 403) of those
    which need a login or permission, `sizes` the bytes that addresses announced, `pages` what those
    look like that answered with a web page; `unclear` gives the word of `unclear.py` of files whose
    addresses told neither that they are there nor that they are not. `asked` is how many answered,
    `unasked` how many have their turn at another look. `requested` are the paths of those that had
    it, in turn, None where that was not noted.
    """

    base_url: str
    at: int
    sight: Sight
    status: Status = Status.SUCCESS
    message: str = ""
    published: Published | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    asked: int = 0
    unasked: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    requested: Sequence[str] | None = None
    refused: Mapping[str, int] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    unclear: Mapping[str, str] = field(default_factory=dict)

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def is_plain(self) -> bool:
        """Whether the platform said how things are."""
        return self.sight is not Sight.UNSEEN

    @property
    def last_requested(self) -> str:
        """The file whose address was requested last, "" if none was."""
        return self.requested[-1] if self.requested else ""

    def going_on(self, before: "Look | None") -> "Look":
        """Return it with what a look before it saw of addresses that told this one nothing."""
        if before is None or self.requested is None or not (self.unasked or self.unclear):
            return self
        here = {*self.requested} - self.unclear.keys()

        def both(earlier: Mapping[str, T], now: Mapping[str, T]) -> Mapping[str, T]:
            return {**{path: it for path, it in earlier.items() if path not in here}, **now}

        return replace(
            self,
            missing=both(before.missing, self.missing),
            refused=both(before.refused, self.refused),
            sizes=both(before.sizes, self.sizes),
            pages={
                path: it
                for path, it in both(before.pages, self.pages).items()
                if path in self.pages or path not in self.unclear
            },
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "base_url": self.base_url,
            "at": self.at,
            "sight": self.sight,
            "status": self.status,
            "message": self.message,
            "published": self.published and self.published.to_json(),
            "missing": dict(self.missing),
            "asked": self.asked,
            "unasked": self.unasked,
            "sizes": dict(self.sizes),
            "requested": self.requested and [*self.requested],
            "refused": dict(self.refused),
            "pages": dict(self.pages),
            "unclear": dict(self.unclear),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Look":
        published = fields["published"]
        return cls(
            **{
                **fields,
                "sight": Sight(fields["sight"]),
                "status": Status(fields["status"]),
                "published": published and Published.from_json(published),
                # An earlier Carrel noted the paths alone.
                "unclear": _words(fields.get("unclear", ())),
            }
        )


def _words(unclear: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    return unclear if isinstance(unclear, Mapping) else dict.fromkeys(unclear, "")


def look_of(result: IngestFilesetResult, at: int) -> Look:
    """Return what a preview made at `at` says of a dataset.

    Limits, keys and strategies of an ingest make no difference: only what the platform says does.
    """
    url, item, message = result.request.base_url, result.item, result.error_message or ""
    if item is None:
        sight = Sight.GONE if result.status.is_gone else Sight.UNSEEN
        return Look(url, at, sight, result.status, message)
    if item.platform_status in _DESCRIBED and not _is_hidden(item):
        published = published_now(item, result)
        return Look(url, at, Sight.DESCRIBED, item.platform_status, message, published)
    return Look(url, at, Sight.UNSEEN, item.platform_status, item.platform_message or message)


def _is_hidden(item: PlatformItem) -> bool:
    """Say whether nothing but a name is known of a closed dataset: a log-in page stands there, or
    its platform refuses to speak of it."""
    told = (item.manifest, item.platform_version, item.license, item.creators, item.published)
    return item.platform_status is Status.PLATFORM_RESTRICTED and not any(told)
