# SPDX-License-Identifier: AGPL-3.0-or-later
"""WARCs that are damaged or missing in the merged archive, and intact in a source: they come from
there, each record proven by what the ledger of the merged archive knows of it. Of one that is
damaged in both, each record comes from where it is intact; of one that is packed on one side, from
where it stands on the other."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from carrel.archive import Archive
from carrel.capture.stored import Damaged, member_pieces
from carrel.engine.lost_results import bring_back_results
from carrel.engine.merging.merged import MergedSource
from carrel.engine.merging.register import Register
from carrel.engine.merging.source import SourceArchive
from carrel.engine.replication.both_sides import complete, mends
from carrel.engine.replication.known_warc import KnownWarc, has_any, is_sound
from carrel.engine.replication.repaired import take_place
from carrel.engine.staging import attended, stage
from carrel.engine.verification.noting import note_all_of, note_damage_in
from carrel.ledger.merging import Merging, SharedWarc
from carrel.model.packed import WarcPart
from carrel.model.remedies import brought_from
from carrel.translation import tr

# The name of a WARC here, and those of the source that have records of it.
ToMend = tuple[str, Sequence[SharedWarc]]


def warcs_to_mend(archive: Archive, merging: Merging) -> Iterator[ToMend]:
    """Yield which WARCs with records of the source are known to be damaged, or are not there."""
    bad = merging.bad_warcs()
    for here in merging.warcs_in_common():
        if here in bad or not (archive.warcs / here).is_file():
            yield here, merging.shared_warcs(here)


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

    def mend(self, to_mend: ToMend, done: MergedSource) -> None:
        """Mend a WARC, or tell that it is not, unless it was told already. Raises OSError."""
        here, all_shared = to_mend
        path = self._archive.warcs / here
        if not note_damage_in(self._archive, path, self._attend):  # repaired by other means
            note_all_of(self._archive, path, self._attend)
            return
        shared = [each for each in all_shared if not each.is_of_other_import]
        if not shared:
            done.left.append(_imported_there(path, self._source.path))
            return
        is_brought = self._brought(path, shared)
        if is_brought:
            bring_back_results(self._archive)
        if self._is_whole(path, shared, is_brought=is_brought):
            done.mended += is_brought
        elif is_brought or not any(map(self._is_known_bad, shared)):
            done.left.append(_not_mended(path, self._source.path))

    def _is_whole(self, path: Path, shared: Sequence[SharedWarc], *, is_brought: bool) -> bool:
        """Note how a WARC is now, and say whether all is intact in it that the source has of it:
        what else was packed into it is none of its."""
        remedy = brought_from(str(self._source.path))
        if is_brought and note_all_of(self._archive, path, self._attend, remedy):
            for each in shared:
                if each.is_same:
                    warc = self._source.warcs / each.name
                    self._register.note(self._source.path, warc, path, ())
            return True
        return all(self._is_sound(path, each) for each in shared)

    def _is_sound(self, path: Path, shared: SharedWarc) -> bool:
        """Say whether all is intact that a WARC of the source has of one here."""
        in_part = self._archive.ledger.captures.in_part
        parts = [
            WarcPart(path.name, path.name, each.here, each.length) for each in shared.stretches
        ]
        return not shared.is_same and all(
            is_sound(path, each.offset, each.length, in_part(each)) for each in parts
        )

    def _is_known_bad(self, shared: SharedWarc) -> bool:
        return any(self._register.faults(self._source.path, shared.name))

    def _brought(self, path: Path, shared: Sequence[SharedWarc]) -> bool:
        """Have all that is intact in the source, and not in a WARC here, be in that; say whether
        there was anything."""
        parts = [each for each in shared if not each.is_same]
        found = [self._brought_whole(path, each.name) for each in shared if each.is_same]
        if parts:
            found.append(self._brought_in_part(path, parts))
        return any(found)

    def _brought_whole(self, path: Path, there: str) -> bool:
        """Have a WARC of the source, with all that is intact here, take its place here if there is
        more intact in it than in what is here; say so."""
        warc, staged = self._source.warcs / there, self._folder / path.name
        known = KnownWarc(self._archive, path.name)
        if not warc.is_file():
            return False
        try:
            self._bring(warc, staged)
            if mends(path, staged, known):  # what was linked is the source's own
                staged.unlink()
                stage(staged, attended(member_pieces(warc, 0, warc.stat().st_size), self._attend))
                complete(staged, path, known)
            return self._took_place(staged, path, known)
        finally:
            staged.unlink(missing_ok=True)

    def _brought_in_part(self, path: Path, parts: Sequence[SharedWarc]) -> bool:
        """Complete a WARC by records that stand elsewhere in WARCs of the source; say whether any
        was more than is here."""
        staged, laid = self._folder / path.name, self._folder / f"{path.name}.laid"
        known = KnownWarc(self._archive, path.name)
        try:
            self._lay(parts, laid)
            if not (has_any(laid, known.captures) and mends(laid, path, known)):
                return False
            if path.exists() and path.stat().st_size:
                stage(staged, attended(_what_can_be_read(path), self._attend))
                complete(staged, path, known)
                complete(staged, laid, known)
            else:
                laid.replace(staged)
            return self._took_place(staged, path, known)
        finally:
            for each in (staged, laid):
                each.unlink(missing_ok=True)

    def _lay(self, parts: Sequence[SharedWarc], laid: Path) -> None:
        """Write what the source has of a WARC to where it stands in that. What is known to be bad
        comes first: another WARC may have the same."""
        with laid.open("xb") as file:
            for each in sorted(parts, key=self._is_known_bad, reverse=True):
                warc = self._source.warcs / each.name
                for stretch in each.stretches:
                    file.seek(stretch.here)
                    pieces = member_pieces(warc, stretch.there, stretch.length)
                    with suppress(Damaged, FileNotFoundError):
                        file.writelines(attended(pieces, self._attend))
            file.flush()
            os.fsync(file.fileno())

    def _took_place(self, staged: Path, path: Path, known: KnownWarc) -> bool:
        is_it = has_any(staged, known.captures) or not known.captures
        if not (is_it and mends(staged, path, known)):
            return False
        self._archive.check_place()
        take_place(staged, path)
        return True


def _what_can_be_read(path: Path) -> Iterator[bytes]:
    with suppress(Damaged, OSError):
        yield from member_pieces(path, 0, path.stat().st_size)


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
