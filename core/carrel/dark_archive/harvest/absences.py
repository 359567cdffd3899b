# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is concluded about the templates that a whole reading did not find where they were.

Only called once a source was walked to its end. A template that stands elsewhere is not missing. Of
an archive of which nothing at all could be read nothing is concluded at the first look: a folder
that was not mounted and a host that was down look just so. Nor is anything concluded of an archive
of which something could not be looked at: what is missed may stand there.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from carrel.dark_archive.harvest.run import Run
from carrel.dark_archive.identifiers import series_of
from carrel.dark_archive.sources import ReadTemplate
from carrel.ledger.dark.lookups import Occurrence, Pending
from carrel.ledger.dark.projection import STANDS_FIRST_NOW
from carrel.model.dark import (
    ArchiveMissed,
    IncidenceKind,
    Lost,
    ObiKind,
    RunSource,
    TemplateSeen,
    Version,
)
from carrel.translation import forms, plural, tr

_MOST_STANDING = 20
_AWAY = forms(
    "Nothing of the archive {archive} could be read; its 1 template is a suspect until another "
    "harvest misses it too.",
    "Nothing of the archive {archive} could be read; its {count:,} templates are suspects until "
    "another harvest misses them too.",
)
_AWAY_FOR_DAYS = forms(
    "Nothing of the archive {archive} could be read; its 1 template is a suspect until another "
    "harvest, some days from now, misses it too.",
    "Nothing of the archive {archive} could be read; its {count:,} templates are suspects until "
    "another harvest, some days from now, misses them too.",
)


_NAMELESS = forms(
    "The file of 1 template without a handle could not be read; it is a suspect until another "
    "harvest misses it too.",
    "The files of {count:,} templates without a handle could not be read; they are suspects until "
    "another harvest misses them too.",
)
_NAMELESS_FOR_DAYS = forms(
    "The file of 1 template without a handle could not be read; it is a suspect until another "
    "harvest, some days from now, misses it too.",
    "The files of {count:,} templates without a handle could not be read; they are suspects until "
    "another harvest, some days from now, misses them too.",
)


def conclude(run: Run) -> None:
    """Say of each missed template that it stands elsewhere, is lost, or is waited for."""
    run.group.commit()
    _name_rivals(run)
    _name_standing(run)
    missed: Counter[str] = Counter()
    hidden, is_readable_now = _Hidden(run), _Readable(run)
    for pending in run.lookups.pending(run.scope, ObiKind.TOBI):
        occurrence = run.lookups.first_occurrence(pending.obi_id, run.scope)
        if occurrence is not None:
            _speaks_from(run, pending, occurrence)
            continue
        if hidden.may_hold(pending):
            run.counts["not concluded"] += 1
            continue
        is_readable = is_readable_now(pending)
        if is_readable or run.is_confirmed(pending):
            cause = pending.cause if is_readable else "archive-not-in-data"
            run.counts["lost"] += 1
            since = run.group.run if pending.since is None else pending.since
            run.group.add(Lost(run.group.tist, ObiKind.TOBI, pending.ident_n, since, cause))
        else:
            missed[pending.archive or ""] += 1
    for archive, count in sorted(missed.items()):
        run.counts["suspect"] += count
        run.found(plural(*_words_for(run, archive), count, archive=archive, count=count))
        run.group.add(ArchiveMissed(run.group.tist, run.scope, archive, count))
    run.group.commit()


def _words_for(run: Run, archive: str) -> tuple[str, str]:
    """Return what is said of an archive that is away, or of templates that are of none."""
    if run.terms.confirm_after_s:
        return _AWAY_FOR_DAYS if archive else _NAMELESS_FOR_DAYS
    return _AWAY if archive else _NAMELESS


def _name_rivals(run: Run) -> None:
    """Tell of handles that came to stand before where they stood, if they still stand there."""
    for ident_n, (path, ident) in run.rivals.items():
        known = run.lookups.obi(ObiKind.TOBI, ident_n)
        others = () if known is None else run.lookups.paths_after(known.obi_id, run.scope, path)
        for other in others:
            run.counts["conflicts"] += 1
            run.found(_earlier(other, ident, path), other)


def _name_standing(run: Run) -> None:
    """Tell of handles that occur earlier in files that are as they were, and were not read: it
    stands until someone corrects it. The first ones by name: other remarks are to have room."""
    doubles = run.lookups.standing_doubles(run.scope, run.group.run)
    doubles = [each for each in doubles if each.ident_n not in run.rivals]
    if doubles:
        run.counts["conflicts"] += len(doubles)
    for each in doubles[:_MOST_STANDING]:
        run.found(_earlier(each.path, each.ident, each.first), each.path)
    if (more := len(doubles) - _MOST_STANDING) > 0:
        words = forms(
            "In files that have not changed, 1 more handle occurs earlier elsewhere.",
            "In files that have not changed, {count:,} more handles occur earlier elsewhere.",
        )
        run.found(plural(*words, more, count=more))


def _earlier(path: str, ident: str, first: str) -> str:
    return tr(
        "{path}: the handle {ident} occurs earlier in {first}; the first one counts.",
        path=path,
        ident=ident,
        first=first,
    )


def _speaks_from(run: Run, pending: Pending, occurrence: Occurrence) -> None:
    """Have the template that is first now speak for an object whose first one went."""
    known = run.lookups.obi(ObiKind.TOBI, pending.ident_n)
    is_silent = not occurrence.is_readable  # what it would say now is not known
    if known is None or is_silent or known.text_md5 == occurrence.text_md5:
        run.group.add(_entry(run, pending, occurrence))
        return
    template = next(_template_at(run, occurrence), None)
    if template is None:
        run.found(
            tr(
                "{path}: the template that speaks for {ident_n} is not archived.",
                path=occurrence.path,
                ident_n=pending.ident_n,
            )
        )
        return
    version = run.group.keep_text(pending.ident_n, template.text, template.text_md5, None)
    run.counts["changed"] += 1
    run.group.add(_entry(run, pending, occurrence, template, version))


def _entry(
    run: Run,
    pending: Pending,
    occurrence: Occurrence,
    template: ReadTemplate | None = None,
    version: Version | None = None,
) -> TemplateSeen:
    return TemplateSeen(
        run.group.tist,
        run.scope,
        occurrence.path,
        occurrence.position,
        pending.ident_n,
        pending.ident_n,
        occurrence.text_md5,
        True,
        archive=run.archive_of(pending.ident_n),
        series=series_of(pending.ident_n),
        type=template.type if template else None,
        restriction=template.restriction if template else None,
        incidence=IncidenceKind.CHANGE if version else None,
        version=version,
        references=template.references() if template else None,
        cause=STANDS_FIRST_NOW,
    )


def _template_at(run: Run, occurrence: Occurrence) -> Iterator[ReadTemplate]:
    """Yield the template at a place of a container that is kept, nothing if that is not there."""
    content = occurrence.sha256 and run.contents.get(occurrence.sha256)
    if not content:
        return
    with suppress(OSError), run.keeping.store.open_object(content.path) as file:
        for template in run.source.read(file, occurrence.path).templates():
            if template.position == occurrence.position:
                if template.text_md5 == occurrence.text_md5:  # else it is damaged
                    yield template
                return


class _Readable:
    """Says whether something of the archive of what was missed can be read."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._archives: dict[str, bool] = {}

    def __call__(self, pending: Pending) -> bool:
        lookups, archive = self._run.lookups, pending.archive
        if archive is None:  # it had no handle; its file speaks for it
            return lookups.stood_in_readable(pending.obi_id)
        if archive not in self._archives:
            self._archives[archive] = lookups.has_readable(self._run.scope, archive)
        return self._archives[archive]


# Where what could not be looked at may hold anything; elsewhere it is what it is named after.
_FOLDERS = (RunSource.DIRECTORY, RunSource.TARBALL)


class _Hidden:
    """The parts of a source that could not be looked at, and whose templates may stand there.

    A folder, or a file, belongs to the archives whose templates stood there, and to those that it
    is named after; it may belong to any, if that is none.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._archives: set[str | None] = set()
        self._is_anything = False
        for prefix in [*run.source.unread, *run.closed]:
            named = {part for part in prefix.lower().split("/") if run.lookups.knows_archive(part)}
            archives = named | run.lookups.archives_below(run.scope, prefix)
            self._archives |= archives
            is_folder = run.source.source in _FOLDERS
            self._is_anything = self._is_anything or not prefix or (is_folder and not archives)

    def may_hold(self, pending: Pending) -> bool:
        """Say whether what was missed may stand there, or in a page that lies where its file is."""
        if self._is_anything or pending.archive in self._archives:
            return True
        return self._run.lookups.has_page_instead(self._run.scope, pending.obi_id)
