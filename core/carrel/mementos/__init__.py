# SPDX-License-Identifier: AGPL-3.0-or-later
"""Mementos: the keys and indexes by which captures are found again."""
