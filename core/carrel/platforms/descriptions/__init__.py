# SPDX-License-Identifier: AGPL-3.0-or-later
"""Formats in which datasets are described: one reader each, and one place that joins what they say.

A reader makes a `Description` of a `Document` and asks no one. `described.py` is the platform that
finds such documents, at the address itself or behind the typed links of a page.
"""
