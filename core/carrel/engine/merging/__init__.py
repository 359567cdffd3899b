# SPDX-License-Identifier: AGPL-3.0-or-later
"""Archives joined in one: WARCs, ledgers, dark archives. The sources stay as they are."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.merging.merged import Merged, MergedSource
    from carrel.engine.merging.merging import merge, plan, refuse_unreadable
    from carrel.engine.merging.source import refuse_unfit

__getattr__ = offering(
    __name__,
    {
        "merged": ["Merged", "MergedSource"],
        "merging": ["merge", "plan", "refuse_unreadable"],
        "source": ["refuse_unfit"],
    },
)
__all__ = ["Merged", "MergedSource", "merge", "plan", "refuse_unfit", "refuse_unreadable"]
