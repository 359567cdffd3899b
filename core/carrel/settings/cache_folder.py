# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where is kept what can be made again, and what archives asked of this machine."""

import os
from pathlib import Path

import platformdirs

ENVIRONMENT_VARIABLE = "CARREL_CACHE"


def cache_folder() -> Path:
    """Return the folder, made if need be; `CARREL_CACHE` names another than the usual one.

    Raises OSError.
    """
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    folder = Path(named) if named else platformdirs.user_cache_path("carrel")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
