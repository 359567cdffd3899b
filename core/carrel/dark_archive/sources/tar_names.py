# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the names in a tarball, and its own, say: which file it is, and of which day."""

import re
from datetime import UTC, datetime, timedelta

from carrel.model.names import readable

_DAY = r"(?<!\d)(?P<day>\d{4}([-_.]?)\d{2}\2\d{2})"
_TIME = r"[-_T. ]?(?P<time>\d{2}([-_.:]?)\d{2}(?:\4\d{2})?)Z?"
# They may overlap: what is no day in "2019-13-01-2020-02-29" leads up to one.
_DATED = (
    re.compile(rf"(?={_DAY}{_TIME}(?![-_.]?\d))", re.ASCII),
    re.compile(rf"(?={_DAY}(?!\d))", re.ASCII),
)
_ENDING = re.compile(r"(?:\.tar)?(?:\.(?:gz|bz2|xz|zst)|\.t(?:gz|bz2?|xz|zst))?\Z", re.IGNORECASE)
_DAY_S = 24 * 60 * 60
_ROOTS = frozenset({"repec", "remo", "all"})


def date_in_name(name: str) -> int | None:
    """Return the moment that a tarball's name tells, in seconds, None if it tells none.

    A day, as "2019-01-31", "20190131" or "2019_01_31", with a time behind it or without: "-1200",
    "T120000". All are UTC; a day without a time counts to its end.
    """
    for pattern in _DATED:
        for found in pattern.finditer(name):
            moment = _moment(**found.groupdict())
            if moment is not None:
                return moment
    return None


def _moment(day: str, time: str = "") -> int | None:
    digits = re.sub(r"\D", "", day + time)
    try:
        begin = datetime.strptime(digits.ljust(14, "0"), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    if begin.year < 1970:
        return None
    return int((begin if time else begin + timedelta(seconds=_DAY_S - 1)).timestamp())


def member_path(name: str) -> str | None:
    """Return a member's path as an identity, None where its name is none.

    Leading "/" and "./" mean nothing; what leads upward is refused.
    """
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return None if not parts or ".." in parts else readable("/".join(parts))


def dropped_prefix(first: str, last: str, tarball: str) -> str:
    """Return what all paths between two have in common and is no part of their identity.

    States of one archive are packed as "state-03/RePEc/ten/…" or "RePEc-2019-01-01/ten/…". Of the
    folders that all paths share those up to one that is called RePEc (else remo, or all) are
    dropped. Without such a one the topmost is, if it holds a digit or is called as the tarball is.
    """
    shared = _shared_folders(first, last)
    lower = [folder.lower() for folder in shared]
    roots = [at for at, folder in enumerate(lower) if folder in _ROOTS]
    if "repec" in lower:
        roots = [at for at in roots if at >= lower.index("repec")]
    if roots:
        end = roots[0] + 1
        while end < len(lower) and lower[end] in _ROOTS:
            end += 1
    else:
        end = 1 if shared and _is_of_one_state(shared[0], tarball) else 0
    return "".join(folder + "/" for folder in shared[:end])


def _is_of_one_state(folder: str, tarball: str) -> bool:
    return any(char.isdigit() for char in folder) or folder == _ENDING.sub("", tarball)


def _shared_folders(first: str, last: str) -> list[str]:
    shared = []
    for one, other in zip(first.split("/")[:-1], last.split("/")[:-1], strict=False):
        if one != other:
            break
        shared.append(one)
    return shared
