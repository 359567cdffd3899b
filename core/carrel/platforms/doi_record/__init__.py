# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the registration agency of a DOI says of what the DOI names."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.doi_record.doi_record import DoiRecord

__getattr__ = offering(
    __name__,
    {
        "doi_record": ["DoiRecord"],
    },
)
__all__ = ["DoiRecord"]
