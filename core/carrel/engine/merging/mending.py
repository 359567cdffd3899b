# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are damaged or missing in the merged archive, and intact in a source: they come from
there, each record proven by what the ledger of the merged archive knows of it. Of one that is
damaged in both, each record comes from where it is intact."""

from collections.abc import Callable, Iterator
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.stored import member_pieces
from carrel.engine.lost_results import bring_back_results
from carrel.engine.merging.merged import MergedSource
from carrel.engine.merging.register import Register
from carrel.engine.merging.source import SourceArchive
from carrel.engine.replication.both_sides import complete, has_any, mends
from carrel.engine.replication.repaired import take_place
from carrel.engine.staging import attended, stage
from carrel.engine.verification.noting import note_all_of, note_damage_in
from carrel.ledger.merging import Merging
from carrel.model.remedies import brought_from
from carrel.translation import tr

# The names of a WARC here and in the source, and whether that was written by another import of the
# same package: its records stand elsewhere in it, and have another date.
Pair = tuple[str, str, bool]


def warcs_to_mend(archive: Archive, merging: Merging) -> Iterator[Pair]:
    """Yield which WARCs with records of the source are known to be damaged, or are not there."""
    bad = merging.bad_warcs()
    for here, there in merging.shared_warcs():
        if here in bad or not (archive.warcs / here).is_file():
            yield here, there, merging.is_of_other_import(here, there)


class Mending:
    """For one source. `bring` links or copies a file to a fresh name in a `folder`; `attend` is
    told how many bytes were read since it was told last."""

    def __init__(
        self,
        archive: Archive,
        source: SourceArchive,
        register: Register,
        folder: Path,
        bring: Callable[[Path, Path], None],
        attend: Callable[[int], None],
    ) -> None:
        self._archive, self._source, self._register = archive, source, register
        self._folder, self._bring, self._attend = folder, bring, attend

    def mend(self, pair: Pair, done: MergedSource) -> None:
        """Mend a WARC, or tell that it is not, unless it was told already. Raises OSError."""
        here, there, is_of_other_import = pair
        path, warc = self._archive.warcs / here, self._source.warcs / there
        remedy = brought_from(str(self._source.path))
        if not note_damage_in(self._archive, path, self._attend):  # repaired by other means
            note_all_of(self._archive, path, self._attend)
            return
        if is_of_other_import:
            done.left.append(_imported_there(path, self._source.path))
            return
        is_brought = warc.is_file() and self._brought(warc, path)
        is_whole = is_brought and note_all_of(self._archive, path, self._attend, remedy)
        if is_brought:
            bring_back_results(self._archive)
        if is_whole:
            self._register.note(self._source.path, warc, path, ())
            done.mended += 1
        elif is_brought or not any(self._register.faults(self._source.path, there)):
            done.left.append(_not_mended(path, self._source.path))

    def _brought(self, warc: Path, path: Path) -> bool:
        """Have a WARC of the source, with all that is intact here, take its place here if there is
        more intact in it than in what is here; say so."""
        staged = self._folder / path.name
        captures = self._archive.ledger.captures.in_warc(path.name)
        try:
            self._bring(warc, staged)
            if mends(path, staged, captures):  # what was linked is the source's own
                staged.unlink()
                stage(staged, attended(member_pieces(warc, 0, warc.stat().st_size), self._attend))
                complete(staged, path, captures)
            is_it = has_any(staged, captures) or not captures
            if not (is_it and mends(staged, path, captures)):
                return False
            self._archive.check_place()
            take_place(staged, path)
        finally:
            staged.unlink(missing_ok=True)
        return True


def _imported_there(path: Path, source: Path) -> str:
    return tr(
        "{name} is damaged or missing in the merged archive. {source} has the same files by an "
        "import of its own, whose WARC cannot take that place: export the dataset there, and "
        "import it into the merged archive, which then stores again what is lost.",
        name=path.name,
        source=source,
    )


def _not_mended(path: Path, source: Path) -> str:
    return tr(
        "{name} is damaged or missing in the merged archive, and {source} does not have all that "
        "is damaged in it intact. Repair one of the two archives from a second copy, then merge "
        "again; or archive again what is still published.",
        name=path.name,
        source=source,
    )
