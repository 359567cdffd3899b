# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an item on archive.org holds, as its metadata interface lists it, and how that compares."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from carrel.capture.client import Client
from carrel.capture.exchange import Exchange
from carrel.errors import ApiStop, IngestStop
from carrel.hosts.retry import RetryPolicy
from carrel.model import Fixity, Status
from carrel.platforms.api import HttpApi
from carrel.platforms.archiveorg.answers import File, Texts
from carrel.platforms.platform import Shape
from carrel.platforms.shapes import Flag, Part, Rows, Text
from carrel.strategies.item_metadata import PlannedItem
from carrel.translation import tr

_NOWHERE = 404


class Standing(StrEnum):
    """How a file compares with the one of its name in the item."""

    ABSENT = "absent"
    SAME = "same"
    OTHER = "other"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Listing:
    """An item as archive.org lists it; one that does not exist has nothing and no name taken.

    `files` are those of the item by their path, with the sizes and digests that are told.
    """

    exists: bool = False
    is_dark: bool = False
    files: Mapping[str, Fixity] = field(default_factory=dict)
    dois: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()

    def standing(self, path: str, wanted: Fixity) -> Standing:
        """Compare a file with what the item has under its path."""
        listed = self.files.get(path)
        if listed is None:
            return Standing.ABSENT
        shared = listed.digests.keys() & wanted.digests.keys()
        sizes = {size for size in (listed.size, wanted.size) if size is not None}
        if len(sizes) > 1 or any(listed.digests[each] != wanted.digests[each] for each in shared):
            return Standing.OTHER
        return Standing.SAME if shared else Standing.UNPROVEN

    def holds(self, path: str, wanted: Fixity) -> bool:
        """Say whether the item lists the file with this very size and each of these digests."""
        listed = self.files.get(path)
        return (
            listed is not None
            and listed.size == wanted.size
            and all(listed.digests.get(name) == value for name, value in wanted.digests.items())
        )

    def elsewhere(self, path: str, wanted: Fixity) -> str | None:
        """Return the path of another file with the same bytes and the same last part, if any."""
        last = path.rpartition("/")[2]
        for other in self.files:
            is_alike = other != path and other.rpartition("/")[2] == last
            if is_alike and self.standing(other, wanted) is Standing.SAME:
                return other
        return None

    def stranger(self, plan: PlannedItem, *, is_chosen: bool) -> str | None:
        """Return how the item shows to be about something else, None if it is the planned one.

        An item that does not say what it is about is only taken if the person has chosen it.
        """
        if self.is_dark:
            return tr("it is dark: archive.org holds it but does not show it")
        if not self.exists:
            return None
        for what, theirs, ours in (
            ("DOI", self.dois, plan.metadata.get("doi", ())),
            ("source", self.sources, plan.metadata.get("source", ())),
        ):
            if theirs and ours:
                is_same = {_bare(each) for each in theirs} & {_bare(each) for each in ours}
                return (
                    None
                    if is_same
                    else tr(
                        "its {what} is {theirs}, not {ours}",
                        what=what,
                        theirs=theirs[0][:200],
                        ours=ours[0],
                    )
                )
        return None if is_chosen else tr("neither its DOI nor its source identifies this dataset")


class _About(Shape):
    doi: Texts = ()
    source: Texts = ()
    collection: Texts = ()


class _Item(Shape):
    error: Text = None
    is_dark: Flag = None
    files: Rows[File] | None = None
    metadata: Part[_About] = None


async def read_listing(
    client: Client,
    url: str,
    name: str,
    *,
    keep: Callable[[Exchange], None] = lambda exchange: None,
    is_cancelled: Callable[[], bool] = lambda: False,
    patience: RetryPolicy | None = None,
) -> Listing:
    """Return what the item has, asked at `url`, archive.org's own. `keep` is given each exchange.

    Raises IngestStop (error-archiveorg-upload) when archive.org does not say.
    """
    api = HttpApi(client, keep, patience, is_cancelled)
    try:
        item = await api.read(f"{url}/metadata/{name}", _Item)
    except ApiStop as stop:
        if stop.http_status == _NOWHERE:
            return Listing()
        message = tr("The item {name} could not be checked: {stop}", name=name, stop=stop)
        raise IngestStop(
            Status.ERROR_ARCHIVEORG_UPLOAD, message, may_repeat=stop.may_repeat
        ) from stop
    if item.error and not item.metadata:
        message = tr(
            "The item {name} could not be checked; archive.org says: {error}",
            name=name,
            error=item.error[:300],
        )
        raise IngestStop(Status.ERROR_ARCHIVEORG_UPLOAD, message)
    about = item.metadata or _About()
    return Listing(
        exists=item.metadata is not None or bool(item.files),
        is_dark=bool(item.is_dark),
        files={file.name: _fixity(file) for file in item.files or () if file.name},
        dois=about.doi,
        sources=about.source,
        collections=about.collection,
    )


def _fixity(file: File) -> Fixity:
    digests = {"md5": file.md5, "sha1": file.sha1}
    return Fixity(file.size, {name: value.lower() for name, value in digests.items() if value})


def _bare(text: str) -> str:
    """Return a DOI or an address without what does not tell it from others."""
    bare = re.sub(r"https?://(?:www\.)?", "", text.strip().lower(), count=1)
    return re.sub(r"(?:dx\.)?doi\.org/|doi:", "", bare, count=1).rstrip("/")
