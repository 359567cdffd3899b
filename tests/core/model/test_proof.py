# SPDX-License-Identifier: AGPL-3.0-or-later
"""No more is claimed of what was kept than there was to compare it with."""

import pytest

from carrel.model import Fixity, ManifestFile, Status
from carrel.model.proof import Grade, Proof, grade, in_words, kept_in_words

OBSERVED = Fixity(4, {"md5": "aa", "sha1": "bb", "sha256": "cc"})
STORED = "the only proof is that the stored bytes are those that arrived"


def file(declared: Fixity, status: Status = Status.SUCCESS) -> ManifestFile:
    return ManifestFile("a", declared=declared, status=status, observed=OBSERVED)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (Fixity(4, {"md5": "aa"}), Grade.DIGEST),
        (Fixity(None, {"sha256": "CC"}), Grade.DIGEST),
        (Fixity(4, {"adler32": "12"}), Grade.SIZE),
        (Fixity(0), Grade.SIZE),
        (Fixity(None, {"adler32": "12"}), Grade.NOTHING),
        (Fixity(), Grade.NOTHING),
    ],
)
def test_a_file_has_the_grade_of_what_was_published(declared: Fixity, expected: Grade) -> None:
    assert grade(file(declared)) is expected


def test_what_is_not_kept_has_no_grade() -> None:
    missing = file(Fixity(4, {"md5": "ff"}), Status.MISMATCH_MD5)

    assert grade(missing) is None
    assert Proof.of([missing, file(Fixity())]) == Proof(nothing=1)


@pytest.mark.parametrize(
    ("proof", "words"),
    [
        (Proof(digest=3), ", and their checksums match."),
        (Proof(nothing=1), f"; there was no checksum to compare with, so {STORED}."),
        (Proof(size=1), ", and its size matches; no checksum was published to compare with."),
        (Proof(nothing=2), f"; there were no checksums to compare with, so {STORED}."),
        (Proof(size=2), ", and their sizes match; no checksums were published to compare with."),
        (Proof(size=2, nothing=1), ", and the sizes of 2 of 3 files match; of the others"),
        (Proof(digest=2, size=1, nothing=2), "; 2 of 5 files were compared with a published check"),
        (Proof(digest=1, nothing=1), "; 1 of 2 files was compared with a published checksum. Of"),
        (
            Proof(digest=1, nothing=1),
            f"the other file nothing was known to compare with: {STORED}.",
        ),
        (
            Proof(digest=2, size=1),
            f"Of the other file only a size was published, which matches: {STORED}.",
        ),
        (
            Proof(digest=2, size=2),
            "Of the other 2 files only sizes were published, which match:",
        ),
        (
            Proof(digest=2, size=1, nothing=2),
            "Of the other 3 files 1 has a published size, which matches",
        ),
        (
            Proof(digest=2, size=1, nothing=2),
            f"matches, and 2 nothing to compare with: of them {STORED}.",
        ),
        (Proof(size=1, nothing=2), ", and the size of 1 of 3 files matches; of the others"),
    ],
)
def test_the_sentence_claims_what_is_proven(proof: Proof, words: str) -> None:
    assert words in in_words(proof)


@pytest.mark.parametrize(
    ("kept", "count", "sentence"),
    [
        (0, 1, "The file is not archived."),
        (1, 1, "The file is archived."),
        (0, 3, "None of the 3 files is archived."),
        (1, 3, "1 of 3 files is archived."),
        (2, 3, "2 of 3 files are archived."),
        (1199, 1200, "1,199 of 1,200 files are archived."),
    ],
)
def test_how_many_are_kept_is_a_sentence_of_its_number(
    kept: int, count: int, sentence: str
) -> None:
    assert kept_in_words(kept, count) == sentence
