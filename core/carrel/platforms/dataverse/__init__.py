# SPDX-License-Identifier: AGPL-3.0-or-later
"""Dataverse: what its addresses ask for, what its interface answers, what that makes a dataset."""

from carrel.platforms.dataverse.dataverse import Dataverse

__all__ = ["Dataverse"]
