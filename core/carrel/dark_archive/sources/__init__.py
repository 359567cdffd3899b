# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a run reads from: a folder, a tarball, or a list of addresses. Nothing here writes to it."""

from carrel.dark_archive.sources.directory import Directory
from carrel.dark_archive.sources.source import Container, ReadContainer, ReadTemplate, Source
from carrel.dark_archive.sources.tarball import Tarball
from carrel.dark_archive.sources.url_list import UrlList

__all__ = [
    "Container",
    "Directory",
    "ReadContainer",
    "ReadTemplate",
    "Source",
    "Tarball",
    "UrlList",
]
