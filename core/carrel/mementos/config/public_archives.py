# SPDX-License-Identifier: AGPL-3.0-or-later
"""The public archives that are known, and what each can bear: dated data, from the file beside."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class PublicArchive:
    """An archive that speaks Memento, as it was on a date.

    `replay_url` is "" where captures cannot be had as they were stored. `budgets` are requests and
    seconds by purpose (lookup, memento), for all its `hosts` together; none where none is known.
    """

    id: str
    name: str
    homepage: str
    hosts: tuple[str, ...]
    timegate_url: str
    timemap_url: str
    replay_url: str
    budgets: Mapping[str, tuple[int, float]]
    note: str
    observed: date


@cache
def public_archives() -> tuple[PublicArchive, ...]:
    """Return the known archives, in the order of the data."""
    text = resources.files(__package__).joinpath("public_archives.toml").read_text("utf-8")
    content = tomllib.loads(text)
    return tuple(
        PublicArchive(
            id=each["id"],
            name=each["name"],
            homepage=each["homepage"],
            hosts=tuple(each["hosts"]),
            timegate_url=each["timegate_url"],
            timemap_url=each["timemap_url"],
            replay_url=each.get("replay_url", ""),
            budgets=MappingProxyType(
                {
                    purpose: (int(requests), float(seconds))
                    for purpose, (requests, seconds) in each.get("budgets", {}).items()
                }
            ),
            note=each.get("note", ""),
            observed=content["observed"],
        )
        for each in content["archives"]
    )
