# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is concluded about the templates that a whole reading did not find where they were.

Only called once a source was walked to its end. A template that stands elsewhere is not missing. Of
an archive of which nothing at all could be read nothing is concluded at the first look: a folder
that was not mounted and a host that was down look just so.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator

from carrel.dark_archive.gathering.run import Run
from carrel.dark_archive.identifiers import series_of
from carrel.dark_archive.sources import ReadTemplate
from carrel.ledger.dark.lookups import Occurrence, Pending
from carrel.model.dark import (
    ArchiveMissed,
    IncidenceKind,
    Lost,
    ObiKind,
    TemplateSeen,
    Version,
)


def conclude(run: Run) -> None:
    """Say of each missed template that it stands elsewhere, is lost, or is waited for."""
    run.group.commit()
    missed: Counter[str] = Counter()
    readable: dict[str | None, bool] = {}
    for pending in run.lookups.pending(run.scope, ObiKind.TOBI):
        occurrence = run.lookups.first_occurrence(pending.obi_id, run.scope)
        if occurrence is not None:
            _speaks_from(run, pending, occurrence)
            continue
        if run.is_unread(pending.path):
            continue
        if pending.archive not in readable:
            readable[pending.archive] = run.lookups.has_readable(run.scope, pending.archive)
        if readable[pending.archive] or run.is_confirmed(pending.moment):
            cause = pending.cause if readable[pending.archive] else "archive-not-in-data"
            run.counts["lost"] += 1
            run.group.add(Lost(run.group.tist, ObiKind.TOBI, pending.ident_n, pending.since, cause))
        else:
            missed[pending.archive or ""] += 1
    for archive, count in sorted(missed.items()):
        run.counts["suspect"] += count
        run.found(
            f"Nothing of the archive {archive} could be read; its {count} templates are waited for"
            " until another run, some days from now, misses them too."
        )
        run.group.add(ArchiveMissed(run.group.tist, run.scope, archive, count))
    run.group.commit()


def _speaks_from(run: Run, pending: Pending, occurrence: Occurrence) -> None:
    """Have the template that is first now speak for an object whose first one went."""
    known = run.lookups.obi(ObiKind.TOBI, pending.ident_n)
    if known is None or known.text_md5 == occurrence.text_md5:
        run.group.add(_entry(run, pending, occurrence))
        return
    template = next(_template_at(run, occurrence), None)
    if template is None:
        run.found(f"{occurrence.path}: the template that speaks for {pending.ident_n} is not kept.")
        return
    data = template.text.encode("utf-8", "surrogatepass")
    content = run.group.keep(pending.ident_n, data, template.text_md5)
    sha256 = hashlib.sha256(data).hexdigest()
    run.counts["changed"] += 1
    run.group.add(
        _entry(
            run, pending, occurrence, template, Version(sha256, template.text_md5, None, content)
        )
    )


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
    )


def _template_at(run: Run, occurrence: Occurrence) -> Iterator[ReadTemplate]:
    """Yield the template at a place of a container that is kept, nothing if that is not there."""
    content = occurrence.sha256 and run.lookups.content(occurrence.sha256)
    if not content:
        return
    with run.keeping.store.open_object(content.path) as file:
        for template in run.source.read(file, occurrence.path).templates():
            if template.position == occurrence.position:
                yield template
                return
