# SPDX-License-Identifier: AGPL-3.0-or-later
"""A run: what a source names is read, compared with what is known, kept and logged.

Step by step: templates (`templates.py`), then what is missing
of them (`absences.py`), then the full texts they point to (`full_texts.py`). `group.py`
gathers what is to be kept into groups that happen whole or not at all.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.harvest.harvest import Gathering
    from carrel.dark_archive.harvest.run import Terms

__getattr__ = offering(
    __name__,
    {
        "harvest": ["Gathering"],
        "run": ["Terms"],
    },
)
__all__ = ["Gathering", "Terms"]
