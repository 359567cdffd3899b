# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive for both faces: runs, questions, checks, and the opening of what is dark."""

from carrel.engine.dark.checking import check, rebuild
from carrel.engine.dark.dark import Dark

__all__ = ["Dark", "check", "rebuild"]
