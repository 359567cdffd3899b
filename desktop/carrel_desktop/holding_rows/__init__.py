# SPDX-License-Identifier: AGPL-3.0-or-later
"""Rows of holdings, for every page or dialog that lists them."""
