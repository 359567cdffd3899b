# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the registration agency of a DOI says of what the DOI names."""

from carrel.platforms.doi_record.doi_record import DoiRecord

__all__ = ["DoiRecord"]
