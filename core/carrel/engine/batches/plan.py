# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plan of a batch: what a dry run found, summed up, with no manifest kept in memory."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from carrel.model import (
    Held,
    IngestFilesetResult,
    IngestStrategy,
    ManifestFile,
    Status,
    total_size,
    unknown_sizes,
)

Dataset = tuple[str, str, str, str | None]
"""Platform, its domain, the id there, and the version: what makes a dataset the same."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One dataset of a plan. Sizes are bytes; `calls` counts what each host is asked for
    at least: the pages on the way to the dataset, and the files.

    `message` says why it cannot be kept, or which of its files, which `file_count` leaves out.
    `dataset` is None for what no platform knows. `is_held` says that all of it is in the archive
    already, as far as it can be had as it is published: nothing is to be fetched then; with
    `is_held_in_part` there are files that cannot be had. At `removed` the dataset was removed
    from the holdings, None if it was not.
    """

    base_url: str
    status: Status
    title: str | None
    message: str | None
    strategy: IngestStrategy | None
    file_count: int
    total_size: int
    unknown_sizes: int
    dataset: Dataset | None
    calls: Mapping[str, int]
    is_held: bool = False
    is_held_in_part: bool = False
    removed: str | None = None

    @classmethod
    def of(cls, result: IngestFilesetResult, held: Held | None = None) -> "Planned":
        """Return what a plan keeps of a preview, and of what is held of the dataset."""
        item, files = result.item, _archivable(result)
        is_held = result.hit and held is not None and held.is_as_published
        hosts = Counter(map(_host, result.hops))
        hosts.update(_host(file.platform_url) for file in files if file.platform_url)
        return cls(
            base_url=result.request.base_url,
            status=result.status,
            title=item.title if item else None,
            message=result.error_message or result.left_out,
            strategy=result.choice.strategy if result.choice else None,
            file_count=len(files),
            total_size=total_size(files),
            unknown_sizes=unknown_sizes(files),
            dataset=dataset_of(result),
            calls=hosts,
            is_held=is_held,
            is_held_in_part=is_held and held is not None and not held.is_whole,
            removed=held.removed if held is not None else None,
        )


def _archivable(result: IngestFilesetResult) -> Sequence[ManifestFile]:
    """Return the files that an ingest would fetch: not the closed ones, if others are open."""
    return [file for file in result.files if file.status is None] if result.hit else result.files


@dataclass(frozen=True, slots=True)
class Cause:
    """Why some of the datasets cannot be kept, and which."""

    status: Status
    base_urls: tuple[str, ...]


class Plan:
    """Sums up previews as they come. Sums count what nothing stands in the way of, and is not held.

    `previewed` counts the addresses, `datasets` what they lead to: each once, as its first address
    led to it. `held` counts those that are in the archive already, `held_in_part` which of them
    have files that cannot be had, `removed` which were removed from the holdings, `ready` those
    that can be kept.
    """

    def __init__(self) -> None:
        self.previewed = self.datasets = self.held = self.held_in_part = self.removed = (
            self.ready
        ) = 0
        self.file_count = self.total_size = self.unknown_sizes = 0
        self._calls: Counter[str] = Counter()
        self._causes: defaultdict[Status, list[str]] = defaultdict(list)
        self._same: defaultdict[Dataset, list[str]] = defaultdict(list)

    def add(self, planned: Planned) -> None:
        """Count a dataset, unless another address led to it before."""
        self.previewed += 1
        if planned.dataset is not None:
            self._same[planned.dataset].append(planned.base_url)
            if len(self._same[planned.dataset]) > 1:
                return
        self.datasets += 1
        if planned.is_held:
            self.held += 1
            self.held_in_part += planned.is_held_in_part
            self.removed += planned.removed is not None
            return
        if not planned.status.is_success:
            self._causes[planned.status].append(planned.base_url)
            return
        self.ready += 1
        self.file_count += planned.file_count
        self.total_size += planned.total_size
        self.unknown_sizes += planned.unknown_sizes
        self._calls.update(planned.calls)

    @property
    def causes(self) -> list[Cause]:
        """Why datasets cannot be kept, what concerns most of them first."""
        causes = [Cause(status, tuple(urls)) for status, urls in self._causes.items()]
        return sorted(causes, key=lambda cause: -len(cause.base_urls))

    @property
    def same(self) -> list[tuple[str, ...]]:
        """The addresses that lead to one dataset, for each that more than one leads to."""
        return [tuple(urls) for urls in self._same.values() if len(urls) > 1]

    @property
    def calls(self) -> Sequence[tuple[str, int]]:
        """How often each host is asked at least, the busiest first."""
        return self._calls.most_common()


def same_datasets(
    results: Iterable[IngestFilesetResult],
) -> list[tuple[IngestFilesetResult, ...]]:
    """Return the results that are of one dataset in one version, for each of which there are more.

    Only the platform can tell that a DOI and a landing page are the same: results of which none is
    known are in no group.
    """
    groups: defaultdict[Dataset, list[IngestFilesetResult]] = defaultdict(list)
    for result in results:
        if dataset := dataset_of(result):
            groups[dataset].append(result)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def dataset_of(result: IngestFilesetResult) -> Dataset | None:
    """Return what makes the dataset of a preview the same as another, None if no one knows it."""
    item = result.item
    if item is None:
        return None
    return item.platform_name, item.platform_domain, item.platform_id, item.platform_version


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower() or url
    except ValueError:
        return url
