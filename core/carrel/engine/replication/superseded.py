# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is on the list of a copy, and what the copy has in another file by now: in a packed WARC, or
under the name that a WARC has here since. It is taken off the list; the file stays where it is."""

from collections.abc import Collection, Iterable, Sequence

from carrel.archive import Archive
from carrel.engine.replication.bad_objects import was_purged
from carrel.engine.replication.packed_parts import PackedParts
from carrel.engine.replication.register import Register
from carrel.engine.replication.renamed import name_here
from carrel.translation import tr


class Superseded:
    """The WARCs on the list of a copy that are another one here, or in another one."""

    def __init__(self, archive: Archive, register: Register, packed: PackedParts) -> None:
        self._archive, self._register, self._packed = archive, register, packed

    def strike_gone(self) -> None:
        """Take off the list what someone removed from the copy that has it in another file, or
        because it was purged here."""
        for name in self._register.gone():
            if was_purged(self._archive, self._register, name):
                self._register.strike(name)
            self._strike(name, ())

    def strike_damaged(self, damaged: Iterable[str], unless: Collection[str]) -> Sequence[str]:
        """Take off the list what is damaged in the copy that has it in another file, `unless` that
        is one of some; return what was."""
        return [name for name in damaged if self._strike(name, unless)]

    def _strike(self, name: str, unless: Collection[str]) -> bool:
        """Take a WARC off the list if the copy has the one that it is here, or is in, and that is
        none of some; say whether it was listed."""
        if self._register.part(name):
            return False
        part = self._packed.part_of(name)
        now = self._packed.name_of(part.filename) if part else self._renamed(name)
        is_there = now not in unless and self._register.has(now)
        return is_there and self._register.strike(name)

    def _renamed(self, name: str) -> str:
        return name_here(self._archive, self._register, name)


def taken_off(name: str) -> str:
    """Return what became of a damaged file of the copy that was taken off its list."""
    return tr(
        "{name} is damaged in the copy, which has its records in another file by now: it was taken "
        "off the list. It can be removed from the copy.",
        name=name,
    )
