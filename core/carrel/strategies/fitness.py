# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a strategy cannot do: keep this dataset, or heed an option that was given with it.

What was requested is done or refused: an option that nothing comes of is never passed over.
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
from carrel.translation import tr

_ITEM_OF_ONE, _ITEM = IngestStrategy.ARCHIVEORG_FILE, IngestStrategy.ARCHIVEORG_FILESET


def refuse_unfit(strategy: IngestStrategy, item: PlatformItem) -> None:
    """Raise IngestStop (no-strategy-helper) for a strategy that does not fit a dataset."""
    count = len(item.manifest)
    if strategy.is_single and count != 1:
        message = tr(
            "{strategy} archives a single file, but this dataset has {count:,}. "
            "Choose web-fileset.",
            strategy=strategy,
            count=count,
        )
        raise IngestStop(Status.NO_STRATEGY_HELPER, message)
    if strategy.is_bundled:
        refuse_without_bundle(item)


def refuse_without_bundle(item: PlatformItem) -> None:
    """Raise IngestStop for an item of which there is no bundle, or whose bundle is its file."""
    if item.has_bundle:
        return
    message = tr(
        "{platform_name} offers no bundle of all files of {platform_id}. Choose {web_fileset}.",
        platform_name=item.platform_name,
        platform_id=item.platform_id,
        web_fileset=IngestStrategy.WEB_FILESET,
    )
    if item.web_bundle_url:
        message = tr(
            "{web_bundle_url} is a file of the dataset {platform_id} and not a bundle "
            "of its files. Choose {web_file} or {web_fileset}.",
            web_bundle_url=item.web_bundle_url,
            platform_id=item.platform_id,
            web_file=IngestStrategy.WEB_FILE,
            web_fileset=IngestStrategy.WEB_FILESET,
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
        return tr(
            "{strategy} captures nothing in the Wayback Machine: only individual files go there. "
            "Choose {by_file}, or archive it without the Wayback Machine.",
            strategy=strategy,
            by_file=by_file,
        )
    if options.item_name is not None and not strategy.makes_item:
        item = _ITEM_OF_ONE if strategy.is_single else _ITEM
        return tr(
            "{strategy} does not write to an item on archive.org, but “{item_name}” was given as "
            "item name. Choose {item}, or omit the item name.",
            strategy=strategy,
            item_name=options.item_name[:120],
            item=item,
        )
    return None


def idle_options(strategy: IngestStrategy, options: IngestOptions) -> Iterator[Finding]:
    """Yield remarks on options that ask for nothing here, though they may elsewhere in a list."""
    if not options.fetch_missing and not strategy.is_bundled:
        message = tr(
            "The option not to fetch missing files is for bundles only: {strategy} fetches each "
            "file individually.",
            strategy=strategy,
        )
        yield Finding("no-bundle-to-complete", message)
