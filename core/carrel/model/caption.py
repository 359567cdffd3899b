# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is known of a dataset before its job has run: by its list, and by its preview."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caption:
    """A title, until the platform says its own ("" for none), tags for the holding, and the line of
    the list, from 1 on.

    A preview has seen more: the platform's name, the version, how many files, how many bytes as far
    as known.
    """

    title: str = ""
    tags: tuple[str, ...] = ()
    platform_name: str | None = None
    file_count: int | None = None
    total_size: int | None = None
    version: str | None = None
    line: int | None = None
