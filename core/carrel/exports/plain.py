# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a holding as a plain tree, with a list of checksums for sha256sum."""

from carrel.exports.checksums import payload_list
from carrel.exports.folder import WholeFolder
from carrel.exports.papers import Papers

ALGORITHMS = ("sha256",)
CHECKING = "To check them again: sha256sum -c manifest-sha256.txt"


def write_plain(folder: WholeFolder, papers: Papers) -> None:
    """Write what stands beside the files. Raises OSError."""
    for name, content in papers.written():
        folder.write(name, content)
    folder.write("manifest-sha256.txt", payload_list(papers.payload.copied, "sha256"))
