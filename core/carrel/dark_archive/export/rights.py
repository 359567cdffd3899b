# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a reason says whose rights allow that a copy is given out of what is not lost."""

import re

_RIGHTS = re.compile(r"\b(?:rights?|licen[cs]ed?)\b", re.IGNORECASE)


def states_rights(reason: str) -> bool:
    """Say whether a reason speaks of rights, or of a licence."""
    return bool(_RIGHTS.search(reason))
