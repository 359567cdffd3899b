# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a process that reads strange files is given: its environment, and how much of all else."""

import os
from dataclasses import dataclass

from carrel.model.sizes import MEBIBYTE

# What it gets of the environment: where its libraries are, and in what language it speaks.
_PASSED_ON = (
    *("PATH", "HOME", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "SYSTEMROOT", "APPDATA"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("CARREL_LANGUAGE", "CARREL_LOCALE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the process may take, by the clock and of the processor, and how much memory."""

    time_s: float = 40.0
    cpu_s: int = 20
    memory_bytes: int = 2048 * MEBIBYTE


def environment() -> dict[str, str]:
    """Return what the process gets of the environment."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
