# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of files that are kept and still deserve a word."""

from carrel.model import FindingLevel, Fixity, ManifestFile, Status
from carrel.strategies.outcome import remarks

EMPTY = Fixity(0, {"md5": "d41d8cd98f00b204e9800998ecf8427e"})


def kept(path: str, declared: Fixity = Fixity(), observed: Fixity = EMPTY) -> ManifestFile:
    return ManifestFile(path, declared=declared, status=Status.SUCCESS, observed=observed)


def test_an_empty_file_that_nobody_announced_is_told_of() -> None:
    (finding,) = remarks([kept("a.txt"), kept("full.txt", observed=Fixity(4))])

    assert (finding.code, finding.level) == ("empty-file", FindingLevel.WARNING)
    assert finding.message.startswith("a.txt: kept as an empty file")


def test_an_empty_file_that_was_published_so_is_none_to_speak_of() -> None:
    missing = ManifestFile("b.txt", status=Status.EMPTY_BLOB, observed=EMPTY)

    assert list(remarks([kept("a.txt", Fixity(0)), missing])) == []
