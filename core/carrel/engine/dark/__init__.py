# SPDX-License-Identifier: AGPL-3.0-or-later
"""The dark archive for both faces: runs, questions, checks, and the opening of what is dark."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.dark.config import GatheringConfig
    from carrel.engine.dark.dark import Dark
    from carrel.engine.dark.questions import (
        Questions,
        identified,
        open_questions,
        stored_text,
        unrequestable,
    )
    from carrel.engine.dark.verification import check, rebuild

__getattr__ = offering(
    __name__,
    {
        "verification": ["check", "rebuild"],
        "config": ["GatheringConfig"],
        "dark": ["Dark"],
        "questions": ["Questions", "identified", "open_questions", "stored_text", "unrequestable"],
    },
)
__all__ = [
    "Dark",
    "GatheringConfig",
    "Questions",
    "check",
    "identified",
    "open_questions",
    "rebuild",
    "stored_text",
    "unrequestable",
]
