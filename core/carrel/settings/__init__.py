# SPDX-License-Identifier: AGPL-3.0-or-later
"""Settings in typed sections, read from TOML. Nothing secret belongs here.

There are two files of one grammar: the person's own configuration, and `settings.toml` in an
archive folder. `sections.py` lists every key with its default, and says which of them an archive
may decide by itself; what an archive asks for beyond those is the person's to decide.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.settings.answers import Answer as Answer
    from carrel.settings.answers import Answers as Answers
    from carrel.settings.effective import InForce as InForce
    from carrel.settings.effective import Origin as Origin
    from carrel.settings.effective import in_force as in_force
    from carrel.settings.effective import own_settings as own_settings
    from carrel.settings.effective import settings_of as settings_of
    from carrel.settings.file import SETTINGS_NAME as SETTINGS_NAME
    from carrel.settings.file import load as load
    from carrel.settings.file import save as save
    from carrel.settings.request import Request as Request
    from carrel.settings.request import Value as Value
    from carrel.settings.sections import SECTIONS as SECTIONS
    from carrel.settings.sections import ArchiveOrg as ArchiveOrg
    from carrel.settings.sections import Limits as Limits
    from carrel.settings.sections import Mementos as Mementos
    from carrel.settings.sections import Network as Network
    from carrel.settings.sections import Schedule as Schedule
    from carrel.settings.sections import Settings as Settings
    from carrel.settings.sections import Strategy as Strategy
    from carrel.settings.sections import Warc as Warc
    from carrel.settings.sections import Wayback as Wayback
    from carrel.settings.sections import is_personal as is_personal

__getattr__ = offering(
    __name__,
    {
        "answers": ["Answer", "Answers"],
        "file": ["SETTINGS_NAME", "load", "save"],
        "effective": ["InForce", "Origin", "in_force", "own_settings", "settings_of"],
        "request": ["Request", "Value"],
        "sections": [
            "SECTIONS",
            "ArchiveOrg",
            "Limits",
            "Mementos",
            "Network",
            "Schedule",
            "Settings",
            "Strategy",
            "Warc",
            "Wayback",
            "is_personal",
        ],
    },
)
__all__ = [
    "SECTIONS",
    "SETTINGS_NAME",
    "Answer",
    "Answers",
    "ArchiveOrg",
    "InForce",
    "Limits",
    "Mementos",
    "Network",
    "Origin",
    "Request",
    "Schedule",
    "Settings",
    "Strategy",
    "Value",
    "Warc",
    "Wayback",
    "in_force",
    "is_personal",
    "load",
    "own_settings",
    "save",
    "settings_of",
]
