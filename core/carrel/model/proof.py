# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far what was kept is proven to be what was published: three grades, counted and in words.

The strategies compare; here it is only told what there was to compare with. What was published
without a digest is kept anyway, and no more is claimed of it than can be.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.model.manifest import Manifest, ManifestFile
from carrel.model.status import Status
from carrel.translation import plural, tr


class Grade(StrEnum):
    """What a kept file was compared with: a published digest, only a published size, or nothing."""

    DIGEST = "digest"
    SIZE = "size"
    NOTHING = "nothing"


def grade(file: ManifestFile) -> Grade | None:
    """Return the grade of a file, None for one that is not kept.

    A digest that was published counts only if it was computed of what arrived, too.
    """
    if not file.is_kept:
        return None
    computed = file.observed.digests if file.observed else {}
    if not computed.keys().isdisjoint(file.declared.digests):
        return Grade.DIGEST
    has_sizes = file.declared.size is not None and bool(file.observed)
    return Grade.SIZE if has_sizes else Grade.NOTHING


@dataclass(frozen=True, slots=True)
class Proof:
    """How many of the files that were kept have which grade."""

    digest: int = 0
    size: int = 0
    nothing: int = 0

    @classmethod
    def of(cls, files: Manifest) -> "Proof":
        grades = [grade(file) for file in files]
        return cls(*(grades.count(each) for each in Grade))

    @property
    def kept(self) -> int:
        return self.digest + self.size + self.nothing

    @property
    def is_whole(self) -> bool:
        """Whether each file that was kept matched a published digest."""
        return self.kept == self.digest

    def to_json(self) -> dict[str, Any]:
        return {"digest": self.digest, "size": self.size, "nothing": self.nothing}


def kept_in_words(kept: int, count: int) -> str:
    """Return how many of a dataset's files are kept, as a sentence."""
    if count == 1:
        return tr("The file is archived.") if kept else tr("The file is not archived.")
    if not kept:
        return tr("None of the {count:,} files is archived.", count=count)
    return plural(
        "{kept:,} of {count:,} files is archived.",
        "{kept:,} of {count:,} files are archived.",
        kept,
        kept=kept,
        count=count,
    )


def kept_and_proven(status: Status, proof: Proof, *, is_chosen: bool = False) -> str:
    """Return that everything was kept, as a success says it, and how far that is proven. What a
    person chose of a page is not everything, as far as anyone knows."""
    if is_chosen and status is Status.SUCCESS and proof.kept > 1:
        return tr("All chosen links were archived") + in_words(proof)
    if status is Status.SUCCESS and proof.kept == 1:
        status = Status.SUCCESS_FILE  # one file is not "all files"
    return f"{status.meaning.advice.removesuffix('.')}{in_words(proof)}"


def in_words(proof: Proof) -> str:
    """Return what is proven of what was kept, as the end of a sentence that says that it was."""
    if proof.is_whole:
        one, more = tr(", and its checksum matches."), tr(", and their checksums match.")
        return one if proof.kept == 1 else more
    if proof.kept == 1:
        if proof.size:
            return tr(", and its size matches; no checksum was published to compare with.")
        return tr("; there was no checksum to compare with, so {arrived}.", arrived=_ARRIVED)
    if not proof.digest:
        return _without_checksums(proof)
    were = tr("was") if proof.digest == 1 else tr("were")
    return tr(
        "; {digest:,} of {kept:,} files {were} compared with a published checksum. "
        "{others} {arrived}.",
        digest=proof.digest,
        kept=proof.kept,
        were=were,
        others=_others(proof),
        arrived=_ARRIVED,
    )


_ARRIVED = tr("the only proof is that the stored bytes are those that arrived")


def _without_checksums(proof: Proof) -> str:
    """Return what is proven of several files where no checksum was published of any."""
    if not proof.size:
        return tr("; there were no checksums to compare with, so {arrived}.", arrived=_ARRIVED)
    if not proof.nothing:
        return tr(", and their sizes match; no checksums were published to compare with.")
    return plural(
        ", and the size of {size:,} of {kept:,} files matches; of the others nothing was "
        "published to compare with, and no checksum of any.",
        ", and the sizes of {size:,} of {kept:,} files match; of the others nothing was "
        "published to compare with, and no checksum of any.",
        proof.size,
        size=proof.size,
        kept=proof.kept,
    )


def _others(proof: Proof) -> str:
    """Return what was published of the files that have no checksum, for the sentence to go on."""
    count = proof.size + proof.nothing
    others = tr("the other file") if count == 1 else tr("the other {count:,} files", count=count)
    if not proof.nothing:
        sizes = (
            tr("a size was published, which matches")
            if count == 1
            else tr("sizes were published, which match")
        )
        return tr("Of {others} only {sizes}:", others=others, sizes=sizes)
    if not proof.size:
        return tr("Of {others} nothing was known to compare with:", others=others)
    has = tr("has") if proof.size == 1 else tr("have")
    return tr(
        "Of {others} {size:,} {has} a published size, which matches, and {nothing:,} "
        "nothing to compare with: of them",
        others=others,
        size=proof.size,
        has=has,
        nothing=proof.nothing,
    )
