# SPDX-License-Identifier: AGPL-3.0-or-later
"""One template beside what is known of its handle.

Where a handle stands twice in the data, the first template by path and position speaks for it; the
others are conflicts, and their texts stay in the containers that are kept.
"""

import hashlib

from carrel.dark_archive.gathering.run import Run
from carrel.dark_archive.identifiers import no_handle, normal_handle, series_of
from carrel.dark_archive.sources import Container, ReadTemplate
from carrel.ledger.dark.lookups import KnownObi
from carrel.model.dark import IncidenceKind, ObiKind, TemplateSeen, Version

_INCIDENCES = {
    IncidenceKind.APPEARANCE: "appeared",
    IncidenceKind.CHANGE: "changed",
    IncidenceKind.REAPPEARANCE: "reappeared",
}


class Comparing:
    """`place` is the archive and series of the last template, for who watches."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._taken: set[str] = set()
        self._commits = 0
        self.place = ""

    def take(self, container: Container, template: ReadTemplate) -> None:
        """Compare a template; have the run keep what is new about it."""
        ident = template.handle or ""
        if ":" not in ident:  # else nothing could be told from a file's name
            ident = no_handle(template.text_md5)
        ident_n = normal_handle(ident)
        known = self._run.lookups.obi(ObiKind.TOBI, ident_n)
        if self._speaks(ident_n, known, container.path, template.position):
            self._speak(container, template, ident, ident_n, known)
        else:
            self._run.counts["conflicts"] += 1
            self._run.found(
                f"{container.path}: the handle {ident} stands elsewhere before; the first counts."
            )
            self._run.group.add(self._seen(container, template, ident, ident_n, speaks=False))

    def _speaks(self, ident_n: str, known: KnownObi | None, path: str, position: int) -> bool:
        group = self._run.group
        if group.commits != self._commits:  # from now on the ledger knows them
            self._taken.clear()
            self._commits = group.commits
        if ident_n in self._taken:
            return False
        self._taken.add(ident_n)
        return known is None or not self._run.lookups.speaks_before(
            known.obi_id, self._run.scope, path, position, group.run
        )

    def _speak(
        self,
        container: Container,
        template: ReadTemplate,
        ident: str,
        ident_n: str,
        known: KnownObi | None,
    ) -> None:
        run = self._run
        incidence, is_new_text = self._incidence(template, known)
        if incidence is None and not is_new_text:
            run.group.add(self._seen(container, template, ident, ident_n))
            return
        if incidence is not None:
            run.counts[_INCIDENCES[incidence]] += 1
        version = self._version(container, template, ident_n) if is_new_text else None
        self.place = ident.partition(":")[2]
        run.group.add(
            TemplateSeen(
                run.group.tist,
                run.scope,
                container.path,
                template.position,
                ident,
                ident_n,
                template.text_md5,
                True,
                archive=run.archive_of(ident_n),
                series=series_of(ident_n),
                type=template.type,
                restriction=template.restriction,
                incidence=incidence,
                version=version,
                references=None if incidence is None else template.references(),
                cause=_cause(incidence, is_new_text=is_new_text),
            )
        )

    def _incidence(
        self, template: ReadTemplate, known: KnownObi | None
    ) -> tuple[IncidenceKind | None, bool]:
        """Return what befell the object, and whether its text is a new version."""
        if known is None or known.state == "unseen":
            return IncidenceKind.APPEARANCE, True
        if self._run.is_backfill:
            return None, not self._run.lookups.has_text(known.obi_id, template.text_md5)
        is_new_text = template.text_md5 != known.text_md5
        if known.state == "lost":
            return IncidenceKind.REAPPEARANCE, is_new_text
        return (IncidenceKind.CHANGE if is_new_text else None), is_new_text

    def _version(self, container: Container, template: ReadTemplate, ident_n: str) -> Version:
        data = template.text.encode("utf-8", "surrogatepass")
        content = self._run.group.keep(ident_n, data, template.text_md5)
        sha256 = hashlib.sha256(data).hexdigest() if content is None else content.sha256
        return Version(sha256, template.text_md5, container.modified, content)

    def _seen(
        self,
        container: Container,
        template: ReadTemplate,
        ident: str,
        ident_n: str,
        *,
        speaks: bool = True,
    ) -> TemplateSeen:
        return TemplateSeen(
            self._run.group.tist,
            self._run.scope,
            container.path,
            template.position,
            ident,
            ident_n,
            template.text_md5,
            speaks,
        )


def _cause(incidence: IncidenceKind | None, *, is_new_text: bool) -> str | None:
    """Return what is to be said of a reappearance."""
    if incidence is not IncidenceKind.REAPPEARANCE:
        return None
    return "new text" if is_new_text else "same text"
