# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a file is called that was set aside: its own name, why, and the moment."""

import os
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path


def aside_name(path: Path, why: str = "before") -> Path:
    """Return a name beside a file or folder that nothing has: what was set aside within this
    second stays, too."""
    first = path.with_name(f"{path.name}.{why}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    names = chain([first], (first.with_name(f"{first.name}-{nth}") for nth in count(2)))
    return next(each for each in names if not os.path.lexists(each))
