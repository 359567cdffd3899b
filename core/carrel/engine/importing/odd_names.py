# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files whose names in their package are no UTF-8, and have to have others here."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from carrel.model import ManifestFile
from carrel.model.names import is_in_utf8, name_bytes, readable
from carrel.translation import forms, plural, tr

_NAME_BYTES = "name_bytes"
_MOST_TOLD = 5
_MORE = forms(
    "{count} more name in the package is no UTF-8.",
    "{count} more names in the package are no UTF-8.",
)


def extra_of(name: str) -> Mapping[str, str]:
    """Return what the entry of a file has beside its path: its name, percent-encoded, if that is no
    UTF-8. What else tells it from a file whose name is written as the escape?"""
    return {} if is_in_utf8(name) else {_NAME_BYTES: quote(name_bytes(name))}


def said_of_names(files: Sequence[ManifestFile]) -> Iterator[str]:
    """Yield which files have other names in the package."""
    odd = [file for file in files if _NAME_BYTES in file.extra]
    for file in odd[:_MOST_TOLD]:
        yield tr(
            "{path} has another name in the package, which is no UTF-8: {name}, percent-encoded.",
            path=readable(file.path),
            name=file.extra[_NAME_BYTES],
        )
    if (more := len(odd) - _MOST_TOLD) > 0:
        yield plural(*_MORE, more, count=f"{more:,}")
