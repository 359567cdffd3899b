# SPDX-License-Identifier: AGPL-3.0-or-later
"""What goes on at a page that an end of the window stops. No Qt."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What goes on, in one sentence, and what becomes of it if the window is closed."""

    sentence: str
    end: str
