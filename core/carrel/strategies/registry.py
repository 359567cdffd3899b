# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which archiver a strategy's name stands for.

Those that few datasets need are loaded when one does: it is time at each start.
"""

from carrel.model import Destination, IngestStrategy
from carrel.strategies.strategy import StrategyArchiver, Work
from carrel.strategies.web import WebArchiver


def strategy_for(strategy: IngestStrategy, work: Work) -> StrategyArchiver:
    """Return the archiver of a strategy, for the destinations that were requested."""
    match strategy:
        case IngestStrategy.WEB_FILE | IngestStrategy.WEB_FILESET:
            return _web(strategy, work)
        case IngestStrategy.WEB_FILESET_BUNDLED:
            from carrel.strategies.bundled import BundledArchiver

            return BundledArchiver(work)
        case _:
            from carrel.strategies.archiveorg import ArchiveOrgArchiver

            return ArchiveOrgArchiver(strategy, work)


def _web(strategy: IngestStrategy, work: Work) -> StrategyArchiver:
    if Destination.WAYBACK not in work.options.to:
        return WebArchiver(strategy, work)
    if Destination.ARCHIVE not in work.options.to:
        from carrel.strategies.wayback import WaybackArchiver

        return WaybackArchiver(strategy, work)
    from carrel.strategies.both import BothArchiver

    return BothArchiver(strategy, work)
