# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strategies that are built."""

from carrel.model import IngestStrategy
from carrel.strategies.choice import AVAILABLE
from carrel.strategies.strategy import StrategyArchiver, Work
from carrel.strategies.web import WebArchiver


def strategy_for(strategy: IngestStrategy, work: Work) -> StrategyArchiver:
    """Return the archiver of a strategy; `choice.choose` never names one that is not built."""
    if strategy not in AVAILABLE:
        raise ValueError(f"{strategy} is not built")
    return WebArchiver(strategy, work)
