# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the disk has still to do for one program is not to delay the next one."""

import os

# Set in the environment of a quick run, whose times mean nothing.
QUICK = "CARREL_BENCHMARK_QUICK"


def settle_disk() -> None:
    """Return when all is on the disk that was written; at once in a quick run."""
    if not os.environ.get(QUICK):
        os.sync()
