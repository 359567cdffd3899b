# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a holding as a plain tree, with a list of checksums for sha256sum."""

from collections.abc import Iterator

from carrel.exports.checksums import MANIFEST, whole_list
from carrel.exports.papers import Papers

ALGORITHMS = ("sha256",)
CHECKING = "To check them again: sha256sum -c manifest-sha256.txt"


def plain_files(papers: Papers) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of what stands beside the files; the list of all comes last."""
    beside = dict(papers.written())
    yield from beside.items()
    yield MANIFEST, whole_list(papers.payload.copied, beside)
