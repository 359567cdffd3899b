# SPDX-License-Identifier: AGPL-3.0-or-later
"""The person's own configuration in a test, which has one to itself (see `conftest.py`)."""

import os
from pathlib import Path

from carrel.settings.person import own_file


def configure(text: str) -> Path:
    """Have the person's own settings say this; return their file."""
    path = own_file()
    assert path.is_relative_to(os.environ["XDG_CONFIG_HOME"])
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
