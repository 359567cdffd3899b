# SPDX-License-Identifier: AGPL-3.0-or-later
"""The names by which packages are recognised: to look for one, nothing that reads it is loaded."""

from pathlib import Path

from carrel.engine.packages.lists import algorithm_of

# The file that makes a folder a bag (RFC 8493, 2.1.1).
DECLARATION = "bagit.txt"
CRATES = ("ro-crate-metadata.json", "ro-crate-metadata.jsonld")
PACKED_ENDINGS = (".tar", ".tar.gz", ".tgz", ".zip")


def lists_checksums(path: Path) -> bool:
    """Say whether a folder is a package of which files can be compared with anything."""
    try:
        names = [each.name for each in path.iterdir()]
    except OSError:
        return False
    return CRATES[0] in names or any(map(algorithm_of, names))
