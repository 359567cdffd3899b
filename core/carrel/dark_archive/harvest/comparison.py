# SPDX-License-Identifier: AGPL-3.0-or-later
"""One template beside what is known of its handle.

Where a handle stands twice in the data, the first template by path and position speaks for it; the
others are conflicts, and their texts stay in the containers that are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from carrel.dark_archive.harvest.run import Run
from carrel.dark_archive.identifiers import (
    is_made_here,
    no_handle,
    normal_handle,
    series_of,
)
from carrel.dark_archive.sources import Container, ReadTemplate
from carrel.ledger.dark.lookups import KnownObi
from carrel.model.dark import IncidenceKind, ObiKind, Reference, TemplateSeen, Version
from carrel.translation import tr

# What no template needs, and no server takes.
_LONGEST_URL = 8 * 1024
_MOST_REFERENCES = 100_000

_INCIDENCES = {
    IncidenceKind.APPEARANCE: "appeared",
    IncidenceKind.CHANGE: "changed",
    IncidenceKind.REAPPEARANCE: "reappeared",
}


@dataclass(frozen=True, slots=True)
class _Found:
    """A template where it stands, and the handle it goes by."""

    container: Container
    template: ReadTemplate
    ident: str
    ident_n: str
    text_md5: str

    @classmethod
    def at(cls, run: Run, container: Container, template: ReadTemplate) -> "_Found":
        text_md5, ident = template.text_md5, template.handle or ""
        is_claimed = run.is_repec and is_made_here(ident)  # which only lists and watches are called
        if ":" not in ident or is_claimed:
            ident = no_handle(text_md5)
        return cls(container, template, ident, normal_handle(ident), text_md5)


class Comparing:
    def __init__(self, run: Run) -> None:
        self._run = run

    def take(self, container: Container, template: ReadTemplate) -> None:
        """Compare a template; have the run keep what is new about it."""
        run, found = self._run, _Found.at(self._run, container, template)
        known = run.lookups.obi(ObiKind.TOBI, found.ident_n)
        if self._speaks(found, known):
            self._speak(found, known)
            return
        run.rivals.pop(found.ident_n, None)
        run.counts["conflicts"] += 1
        run.found(
            tr(
                "{path}: the handle {ident} occurs earlier elsewhere; the first one counts.",
                path=container.path,
                ident=found.ident,
            )
        )
        run.group.add(replace(self._entry(found), speaks=False))

    def _speaks(self, found: _Found, known: KnownObi | None) -> bool:
        """Say whether no template with this handle stands before this one.

        What the ledger knows of containers that the open group read to their end is past; what
        stands in them now is in the group.
        """
        run, group = self._run, self._run.group
        if found.ident_n in group.named:
            return False
        if known is None:
            return True
        places = run.lookups.places_before(
            known.obi_id, run.scope, found.container.path, found.template.position, group.run
        )
        return all(path in group.ended and reading != group.run for path, reading in places)

    def _speak(self, found: _Found, known: KnownObi | None) -> None:
        run = self._run
        if known is not None and self._later(found.container.path, known.obi_id):
            run.rivals[found.ident_n] = found.container.path, found.ident
        incidence, is_new_text = self._incidence(found, known)
        if incidence is not None:
            run.counts[_INCIDENCES[incidence]] += 1
        elif is_new_text:  # only a backfill adds one to which nothing happened
            run.counts["older versions"] += 1
        version = self._version(found) if is_new_text else None
        entry = self._entry(found, version)
        if incidence is not None:
            entry = replace(
                entry,
                archive=run.archive_of(found.ident_n),
                series=series_of(found.ident_n),
                type=found.template.type,
                restriction=found.template.restriction,
                incidence=incidence,
                references=self._references(found),
                cause=_cause(incidence, is_new_text=is_new_text),
            )
        run.group.add(entry)

    def _later(self, path: str, obi_id: int) -> Sequence[str]:
        return self._run.lookups.paths_after(obi_id, self._run.scope, path)

    def _incidence(
        self, found: _Found, known: KnownObi | None
    ) -> tuple[IncidenceKind | None, bool]:
        """Return what happened to the object, and whether its text is a new version."""
        if known is None or known.state == "unseen":
            return IncidenceKind.APPEARANCE, True
        if self._run.is_backfill:
            modified = found.container.modified
            return None, not self._run.lookups.has_text(known.obi_id, found.text_md5, modified)
        is_new_text = found.text_md5 != known.text_md5
        if known.state == "lost":
            return IncidenceKind.REAPPEARANCE, is_new_text
        return (IncidenceKind.CHANGE if is_new_text else None), is_new_text

    def _references(self, found: _Found) -> Sequence[Reference]:
        """Return what a template names, as far as it makes sense; its whole text is kept anyway."""
        references = found.template.references()
        fit = [each for each in references if len(each.raw_url) <= _LONGEST_URL]
        if len(fit) < len(references) or len(fit) > _MOST_REFERENCES:
            self._run.found(
                tr(
                    "{path}: {ident} names {references:,} files; those "
                    "with addresses over {longest_url:,} characters, and all after the first "
                    "{most_references:,}, are not requested.",
                    path=found.container.path,
                    ident=found.ident,
                    references=len(references),
                    longest_url=_LONGEST_URL,
                    most_references=_MOST_REFERENCES,
                )
            )
        return fit[:_MOST_REFERENCES]

    def _version(self, found: _Found) -> Version:
        return self._run.group.keep_text(
            found.ident_n, found.template.text, found.text_md5, found.container.modified
        )

    def _entry(self, found: _Found, version: Version | None = None) -> TemplateSeen:
        return TemplateSeen(
            self._run.group.tist,
            self._run.scope,
            found.container.path,
            found.template.position,
            found.ident,
            found.ident_n,
            found.text_md5,
            speaks=True,
            version=version,
        )


def _cause(incidence: IncidenceKind, *, is_new_text: bool) -> str | None:
    """Return what is to be said of a reappearance."""
    if incidence is not IncidenceKind.REAPPEARANCE:
        return None
    return "new text" if is_new_text else "same text"
