# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strategies that are built."""

from carrel.model import BUILT_STRATEGIES, IngestStrategy
from carrel.strategies.strategy import StrategyArchiver, Work
from carrel.strategies.web import WebArchiver


def strategy_for(strategy: IngestStrategy, work: Work) -> StrategyArchiver:
    """Return the archiver of a strategy; `choice.choose` never names one that is not built."""
    if strategy not in BUILT_STRATEGIES:
        raise ValueError(f"{strategy} is not built")
    return WebArchiver(strategy, work)
