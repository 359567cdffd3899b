# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is done by itself: verifying in a rolling way, checking what is watched, quiet hours."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.schedule.plan import read_state
    from carrel.engine.schedule.schedule import Schedule

__getattr__ = offering(__name__, {"plan": ["read_state"], "schedule": ["Schedule"]})
__all__ = ["Schedule", "read_state"]
