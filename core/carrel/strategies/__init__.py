# SPDX-License-Identifier: AGPL-3.0-or-later
"""The strategies a dataset, and the choice between them.

Each strategy has the two methods of the ingest proposal: `check_existing(item)` returns a result if
the archive holds everything already, else None; `process(item)` keeps what is missing and returns
what came of it. `registry.strategy_for` gives the strategy of a name.
"""
