# SPDX-License-Identifier: AGPL-3.0-or-later
"""Identifiers in what people type: found, spelt in every way, or said why there are none."""

from carrel.platforms.identifiers import find, spellings, why_nothing

__all__ = ["find", "spellings", "why_nothing"]
