# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far what was kept is proven to be what was published: three grades, counted and in words.

The strategies compare; here it is only told what there was to compare with. What was published
without a digest is kept all the same, and no more is claimed of it than can be.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carrel.model.manifest import Manifest, ManifestFile


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
    if any(algorithm in computed for algorithm in file.declared.digests):
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


def in_words(proof: Proof) -> str:
    """Return what is proven of what was kept, as the end of a sentence that says that it was."""
    if proof.is_whole:
        return " and verified."
    if proof.kept == 1:
        also = ", only its size, which is right" if proof.size else ""
        return f"; the platform published no checksum{also}, so only {_ARRIVED}."
    if not proof.digest:
        return f"; the platform published no checksums{_sizes(proof)}, so only {_ARRIVED}."
    return (
        f"; {proof.digest} of {proof.kept} files were compared with a published checksum"
        f"{_others(proof)}. Of these others only {_ARRIVED}."
    )


_ARRIVED = "what arrived is proven to be what is stored"


def _sizes(proof: Proof) -> str:
    if not proof.size:
        return ""
    which = "" if not proof.nothing else f" of {proof.size} of {proof.kept} files"
    return f", only sizes{which}, which are right"


def _others(proof: Proof) -> str:
    """Return how the files without a checksum were compared."""
    parts = [
        f"{proof.size} only with a published size" if proof.size else "",
        f"{proof.nothing} with nothing, for nothing was published" if proof.nothing else "",
    ]
    return "".join(f", {part}" for part in parts if part)
