# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which strategy suits a dataset, and the rule that says so.

The thresholds are settings. Their defaults are sandcrawler's for single files (64 MiB) and those of
the ingest proposal for filesets (20 files, 1 GB): what is larger belongs into an archive.org item.
Where that way is not open, the archive's own WARCs take it: they hold files of any size.
"""

from collections.abc import Sequence

from carrel.errors import IngestStop
from carrel.model import (
    BUILT_STRATEGIES,
    IngestStrategy,
    ManifestFile,
    Status,
    StrategyChoice,
    total_size,
)
from carrel.settings import Strategy as Thresholds

_SINGLE = frozenset({IngestStrategy.WEB_FILE, IngestStrategy.ARCHIVEORG_FILE})


def choose(
    manifest: Sequence[ManifestFile], thresholds: Thresholds, asked: IngestStrategy | None = None
) -> StrategyChoice:
    """Return the strategy for a manifest with the reason in words; `asked` overrules the rules.

    Raises IngestStop (no-strategy-helper) when what was asked for can not be done.
    """
    if asked is not None:
        _refuse_unfit(asked, len(manifest))
        return StrategyChoice(asked, "You asked for it.", is_overruled=True)
    preferred, reason = _preferred(manifest, thresholds)
    if preferred in BUILT_STRATEGIES:
        return StrategyChoice(preferred, reason)
    instead = IngestStrategy.WEB_FILE if len(manifest) == 1 else IngestStrategy.WEB_FILESET
    return StrategyChoice(
        instead,
        f"{reason} The rule names {preferred}, which is not built yet; "
        "the archive's own WARCs take files of any size.",
    )


def _preferred(
    manifest: Sequence[ManifestFile], thresholds: Thresholds
) -> tuple[IngestStrategy, str]:
    count, total = len(manifest), total_size(manifest)
    largest = max((entry.size or 0 for entry in manifest), default=0)
    if count == 1:
        if largest < thresholds.web_file_max_size:
            size = "of unknown size" if manifest[0].size is None else f"of {in_words(largest)}"
            limit = in_words(thresholds.web_file_max_size)
            return IngestStrategy.WEB_FILE, f"One file {size}, below the limit of {limit}."
        limit = in_words(thresholds.web_file_max_size)
        reason = f"One file of {in_words(largest)}, from {limit} on."
        return IngestStrategy.ARCHIVEORG_FILE, reason
    what = f"{count} files, {in_words(total)} in all, the largest {in_words(largest)}"
    for is_over, limit in (
        (count > thresholds.web_max_file_count, f"{thresholds.web_max_file_count} files"),
        (
            total > thresholds.web_total_max_size,
            f"{in_words(thresholds.web_total_max_size)} in all",
        ),
        (
            largest >= thresholds.web_file_max_size,
            f"{in_words(thresholds.web_file_max_size)} a file",
        ),
    ):
        if is_over:
            return IngestStrategy.ARCHIVEORG_FILESET, f"{what}: over the limit of {limit}."
    return IngestStrategy.WEB_FILESET, f"{what}: within the limits for single captures."


def _refuse_unfit(asked: IngestStrategy, count: int) -> None:
    if asked not in BUILT_STRATEGIES:
        names = " and ".join(sorted(BUILT_STRATEGIES))
        message = f"The strategy {asked} is not built yet. Choose one of {names}."
        raise IngestStop(Status.NO_STRATEGY_HELPER, message)
    if asked in _SINGLE and count != 1:
        message = f"{asked} keeps one file, and this dataset has {count}. Choose web-fileset."
        raise IngestStop(Status.NO_STRATEGY_HELPER, message)


def in_words(size_bytes: int) -> str:
    """Return a size for people: "75.3 MiB"."""
    size = float(size_bytes)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} bytes" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
