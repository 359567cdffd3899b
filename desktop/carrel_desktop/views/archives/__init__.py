# SPDX-License-Identifier: AGPL-3.0-or-later
"""The page of the archives that are asked: added, tried, put in order, and taken out."""
