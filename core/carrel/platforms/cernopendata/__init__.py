# SPDX-License-Identifier: AGPL-3.0-or-later
"""The CERN Open Data portal: what its interface answers, and what that makes a dataset."""

from carrel.platforms.cernopendata.cernopendata import CernOpenData

__all__ = ["CernOpenData"]
