# SPDX-License-Identifier: AGPL-3.0-or-later
"""The order of versions as people count them: v2 stands before v10."""

import re

_NUMBER = re.compile(r"[0-9]+")
_LETTER = re.compile(r"v(?:ersion)?[ .]*(?=[0-9])")


def version_key(version: str) -> str:
    """Return a text by which versions are sorted: each number in it by its value."""
    return _NUMBER.sub(_by_value, _LETTER.sub("", version.casefold(), count=1))


def _by_value(found: re.Match[str]) -> str:
    digits = found[0].lstrip("0")
    return f"{len(digits):04}{digits}"  # of two numbers the one with more digits is the larger
