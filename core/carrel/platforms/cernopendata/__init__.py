# SPDX-License-Identifier: AGPL-3.0-or-later
"""The CERN Open Data portal: what its interface answers, and what that makes a dataset."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.platforms.cernopendata.cernopendata import CernOpenData

__getattr__ = offering(
    __name__,
    {
        "cernopendata": ["CernOpenData"],
    },
)
__all__ = ["CernOpenData"]
