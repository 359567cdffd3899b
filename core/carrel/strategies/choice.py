# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which strategy suits a dataset, and the rule that says so.

The thresholds are settings. Their defaults are sandcrawler's for single files (64 MiB) and those of
the ingest proposal for filesets (20 files, 1 GB): what is larger belongs into an archive.org item.
That publishes it, so it happens by rule only where the settings allow it and keys are stored. Else
the way back is open: the platform's own bundle for very many files, and at last the archive's own
WARCs, which hold files of any size. What was requested besides (the Wayback Machine, the name of an
item) is done, or refused here, before anything is fetched.
"""

from carrel.model import (
    Destination,
    IngestOptions,
    IngestStrategy,
    PlatformItem,
    StrategyChoice,
    total_size,
    unknown_sizes,
)
from carrel.model.sizes import in_words
from carrel.settings import Settings
from carrel.settings import Strategy as Thresholds
from carrel.strategies.fitness import refuse_unfit, refuse_unheeded
from carrel.translation import tr

_AS_IT_ARRIVES = tr("which is measured as it arrives")
_AS_THEY_ARRIVE = tr("which are measured as they arrive")


def choose(
    item: PlatformItem,
    settings: Settings,
    options: IngestOptions = IngestOptions(),
    *,
    has_keys: bool = False,
) -> StrategyChoice:
    """Return the strategy for a dataset with the reason in words; `options` overrule the rules.

    `has_keys` says whether keys for archive.org are stored. Raises IngestStop (no-strategy-helper)
    when what was requested does not fit the dataset, or cannot be done by the strategy.
    """
    choice = _chosen(item, settings, options, has_keys=has_keys)
    refuse_unheeded(choice.strategy, options)
    return choice


def _chosen(
    item: PlatformItem, settings: Settings, options: IngestOptions, *, has_keys: bool
) -> StrategyChoice:
    if options.strategy is not None:
        refuse_unfit(options.strategy, item)
        return StrategyChoice(options.strategy, tr("You chose this strategy."), is_overruled=True)
    excess, reason = _measured(item, settings.strategy)
    if not excess:
        return StrategyChoice(_by_file(item), reason)
    if Destination.WAYBACK in options.to:
        why = tr(
            "You chose the Wayback Machine, where each file is captured individually: neither a "
            "bundle nor an item on archive.org would put it there."
        )
        return StrategyChoice(_by_file(item), f"{reason} {why}")
    return _beyond(item, settings, reason, lacks=_lacking(item, settings, has_keys=has_keys))


def _by_file(item: PlatformItem) -> IngestStrategy:
    """Return the strategy by which each file is a capture of its own address."""
    is_single = len(item.manifest) == 1
    return IngestStrategy.WEB_FILE if is_single else IngestStrategy.WEB_FILESET


def _beyond(
    item: PlatformItem, settings: Settings, reason: str, *, lacks: str | None
) -> StrategyChoice:
    """Return the strategy for what exceeds the limits of single captures.

    `lacks` is why it is not published by rule, None if it is.
    """
    is_single = len(item.manifest) == 1
    best = IngestStrategy.ARCHIVEORG_FILE if is_single else IngestStrategy.ARCHIVEORG_FILESET
    if lacks is None:
        return StrategyChoice(
            best, tr("{reason} The settings send such datasets to archive.org.", reason=reason)
        )
    upload = tr(
        "No such item ({best}) is made: {lacks}.",
        best=best,
        lacks=lacks,
    )
    from_count = settings.strategy.bundle_from_file_count
    if item.has_bundle and len(item.manifest) >= from_count:
        why = tr(
            "From {from_count} files on, the repository's bundle is fetched instead.",
            from_count=from_count,
        )
        return StrategyChoice(IngestStrategy.WEB_FILESET_BUNDLED, f"{reason} {upload} {why}")
    why = tr("Each file is stored in the archive's own WARCs instead.")
    if is_single:
        why = tr("The file is stored in the archive's own WARCs instead.")
    return StrategyChoice(_by_file(item), f"{reason} {upload} {why}")


def _lacking(item: PlatformItem, settings: Settings, *, has_keys: bool) -> str | None:
    """Return why a dataset that is too large for single captures is not published by rule.

    An archive may have thresholds of its own; what it publishes is a matter of the person's.
    """
    if not settings.archiveorg.by_rule:
        return tr("the settings do not allow uploads")
    if not has_keys:
        return tr("no keys for it are stored")
    is_large, _ = _measured(item, settings.own_thresholds or settings.strategy)
    return None if is_large else tr("your own configuration does not count it as large")


def _measured(item: PlatformItem, thresholds: Thresholds) -> tuple[bool, str]:
    """Return whether a dataset exceeds the limits of single captures, and how it was measured."""
    manifest = item.manifest
    count, total = len(manifest), total_size(manifest)
    largest = max((entry.size or 0 for entry in manifest), default=0)
    file_limit = in_words(thresholds.web_file_max_size)
    if count == 1:
        if manifest[0].size is None:
            return False, tr(
                "One file of unknown size, {as_it_arrives}.", as_it_arrives=_AS_IT_ARRIVES
            )
        if largest >= thresholds.web_file_max_size:
            return True, tr(
                "One file of {size}: from {file_limit} on, an item at archive.org is the usual "
                "strategy.",
                size=in_words(largest),
                file_limit=file_limit,
            )
        return False, tr(
            "One file of {size}, below the limit of {file_limit}.",
            size=in_words(largest),
            file_limit=file_limit,
        )
    unknown = unknown_sizes(manifest)
    what = tr(
        "{count:,} files, {size} in all, the largest {largest}",
        count=count,
        size=in_words(total),
        largest=in_words(largest),
    )
    if unknown == count:
        what = tr("{count:,} files of unknown size", count=count)
    elif unknown:
        what = tr(
            "{count:,} files, {unknown:,} of unknown size, the others {size} in all",
            count=count,
            unknown=unknown,
            size=in_words(total),
        )
    total_limit = in_words(thresholds.web_total_max_size)
    for is_over, limit in (
        (
            count > thresholds.web_max_file_count,
            tr("{web_max_file_count:,} files", web_max_file_count=thresholds.web_max_file_count),
        ),
        (
            total > thresholds.web_total_max_size,
            tr("{total_limit} in all", total_limit=total_limit),
        ),
        (
            largest >= thresholds.web_file_max_size,
            tr("{file_limit} a file", file_limit=file_limit),
        ),
    ):
        if is_over:
            return True, tr(
                "{what}: beyond {limit}, an item at archive.org is the usual strategy.",
                what=what,
                limit=limit,
            )
    if unknown == count:
        return False, tr(
            "{what}, {as_they_arrive}: their number is within the limit.",
            what=what,
            as_they_arrive=_AS_THEY_ARRIVE,
        )
    within = tr("{what}: few and small enough for single captures", what=what)
    return (
        False,
        tr("{within} as far as is known; sizes are measured as the files arrive.", within=within)
        if unknown
        else f"{within}.",
    )
