# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a person pasted, as it was understood."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Scheme(StrEnum):
    DOI = "doi"
    HANDLE = "hdl"
    ARK = "ark"
    URL = "url"


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier found in a text.

    `value` is its bare form in the case as given ("10.5281/zenodo.7078768", "ark:/13030/m5rg0r8q",
    a whole URL for a URL); `url` is where to resolve it; `line` counts from 1.
    """

    scheme: Scheme
    value: str
    url: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class Paste:
    """The identifiers in a text, each once, in order; and the lines in which none was found.

    `without_scheme` has, by line, what of such a line may be a web address that lacks its https://.
    `repeated` are the lines that name nothing which did not stand in an earlier one.
    """

    identifiers: tuple[Identifier, ...]
    not_understood: tuple[tuple[int, str], ...] = ()
    without_scheme: Mapping[int, str] = field(default_factory=dict)
    repeated: tuple[int, ...] = ()
