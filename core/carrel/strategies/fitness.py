# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a strategy cannot do: keep this dataset, or heed an option that was given with it.

What was asked for is done or refused: an option that nothing comes of is never passed over.
"""

from collections.abc import Iterator

from carrel.errors import IngestStop
from carrel.model import (
    Destination,
    Finding,
    IngestOptions,
    IngestStrategy,
    PlatformItem,
    Status,
)

_ITEM_OF_ONE, _ITEM = IngestStrategy.ARCHIVEORG_FILE, IngestStrategy.ARCHIVEORG_FILESET


def refuse_unfit(strategy: IngestStrategy, item: PlatformItem) -> None:
    """Raise IngestStop (no-strategy-helper) for a strategy that does not fit a dataset."""
    count = len(item.manifest)
    if strategy.is_single and count != 1:
        message = (
            f"{strategy} archives a single file, but this dataset has {count}. Choose web-fileset."
        )
        raise IngestStop(Status.NO_STRATEGY_HELPER, message)
    if strategy.is_bundled:
        refuse_without_bundle(item)


def refuse_without_bundle(item: PlatformItem) -> None:
    """Raise IngestStop for an item of which there is no bundle, or whose bundle is its file."""
    if item.has_bundle:
        return
    message = (
        f"{item.platform_name} offers no bundle of all files of {item.platform_id}. Choose "
        f"{IngestStrategy.WEB_FILESET}."
    )
    if item.web_bundle_url:
        message = (
            f"{item.web_bundle_url} is a file of the dataset {item.platform_id} and not a bundle "
            f"of its files. Choose {IngestStrategy.WEB_FILE} or {IngestStrategy.WEB_FILESET}."
        )
    raise IngestStop(Status.NO_STRATEGY_HELPER, message)


def refuse_unheeded(strategy: IngestStrategy, options: IngestOptions) -> None:
    """Raise IngestStop (no-strategy-helper) for options that a strategy cannot heed."""
    if why := unheeded(strategy, options):
        raise IngestStop(Status.NO_STRATEGY_HELPER, why)


def unheeded(strategy: IngestStrategy, options: IngestOptions) -> str | None:
    """Return in sentences which option a strategy cannot heed, None if it heeds them all."""
    if Destination.WAYBACK in options.to and not strategy.makes_captures:
        by_file = IngestStrategy.WEB_FILE if strategy.is_single else IngestStrategy.WEB_FILESET
        return (
            f"{strategy} captures nothing in the Wayback Machine: only individual files go there. "
            f"Choose {by_file}, or archive it without the Wayback Machine."
        )
    if options.item_name is not None and not strategy.makes_item:
        item = _ITEM_OF_ONE if strategy.is_single else _ITEM
        return (
            f"{strategy} does not write to an item on archive.org, but "
            f"“{options.item_name[:120]}” was given as item name. Choose {item}, or omit the item "
            "name."
        )
    return None


def idle_options(strategy: IngestStrategy, options: IngestOptions) -> Iterator[Finding]:
    """Yield remarks on options that ask for nothing here, though they may elsewhere in a list."""
    if not options.fetch_missing and not strategy.is_bundled:
        message = (
            f"The option not to fetch missing files is for bundles only: {strategy} fetches each "
            "file individually."
        )
        yield Finding("no-bundle-to-complete", message)
