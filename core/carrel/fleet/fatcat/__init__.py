# SPDX-License-Identifier: AGPL-3.0-or-later
"""Pushing datasets to fatcat: looked up first, submitted for review, never twice.

https://api.fatcat.wiki/redoc, version 0.5 of the API.
"""
