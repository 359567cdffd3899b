# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run reads from: a folder, a tarball, or a list of addresses. Nothing here writes to it."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.dark_archive.sources.directory import Directory
    from carrel.dark_archive.sources.source import Container, ReadContainer, ReadTemplate, Source
    from carrel.dark_archive.sources.tarball import Tarball
    from carrel.dark_archive.sources.url_list import UrlList

__getattr__ = offering(
    __name__,
    {
        "directory": ["Directory"],
        "source": ["Container", "ReadContainer", "ReadTemplate", "Source"],
        "tarball": ["Tarball"],
        "url_list": ["UrlList"],
    },
)
__all__ = [
    "Container",
    "Directory",
    "ReadContainer",
    "ReadTemplate",
    "Source",
    "Tarball",
    "UrlList",
]
