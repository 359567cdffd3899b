# SPDX-License-Identifier: AGPL-3.0-or-later
"""Carrel, the archivist's desk for datasets: the headless core."""

__version__ = "0.1.0"
