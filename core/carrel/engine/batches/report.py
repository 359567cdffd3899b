# SPDX-License-Identifier: AGPL-3.0-or-later
"""The report of a batch: what became of each dataset, and the lines that named none, for people or
a table. Which lines repeated others is not kept.

The HTML has no script and asks for nothing from elsewhere; whatever comes from outside is escaped.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, islice
from pathlib import Path

from carrel.archive import Archive
from carrel.engine.recovery import as_they_are, jobs_as_they_are, removed_jobs
from carrel.errors import UsageError
from carrel.exports.certificate.moments import moment
from carrel.exports.texts import csv_row
from carrel.ledger.batches import Brought, KeptFiles
from carrel.model import Job, JobState, Status
from carrel.model.batch import BadLine, LeftOut, ListedBatch
from carrel.model.counts import counted
from carrel.model.holdings import HoldingRow
from carrel.model.iso_time import iso_now
from carrel.model.outcome_words import ends, job_state, outcome
from carrel.model.prose import visible
from carrel.model.sizes import in_words
from carrel.translation import is_right_to_left, language, plural, tr
from carrel.whole_file import whole_file

Tell = Callable[[int, int], None]
_COLUMNS = (
    "line",
    "dataset",
    "title",
    "outcome",
    "outcome in words",
    "reason",
    "advice",
    "files",
    "size",
    "proof",
    "removed from the list",
)
_SOME = 500
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 78rem; margin: 2.5rem auto; padding: 0 1.5rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem }
p.quiet, td.quiet { opacity: .75 }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem }
dt { font-size: .85rem; opacity: .75 } dd { margin: 0; font-size: 1.35rem; font-weight: 600 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: start; vertical-align: top; padding: .45rem .7rem .45rem 0;
    border-bottom: 1px solid #8886 }
td.number { text-align: end; white-space: nowrap }
td { overflow-wrap: anywhere } bdi.code { font-family: ui-monospace, monospace; font-size: .9em }
@media print { body { margin: 0; max-width: none } tr { break-inside: avoid } }
"""


@dataclass(frozen=True, slots=True)
class _Line:
    """One dataset of the report, in words."""

    line: int | None
    dataset: str
    title: str
    code: str
    outcome: str
    reason: str
    advice: str
    files: str
    size: str
    proof: str
    is_removed: bool = False

    @classmethod
    def of(cls, job: Job, kept: KeptFiles | None, *, is_removed: bool) -> "_Line":
        status = job.status
        is_kept = status is not None and status.is_success
        return cls(
            line=job.line,
            dataset=job.request.link_source_id or job.request.base_url,
            title=job.title or "",
            code=str(status) if status and not job.state.is_open else str(job.state),
            outcome=_outcome(job),
            reason="" if is_kept else job.message or "",
            advice=status.meaning.advice if status and not is_kept and _is_told(job) else "",
            files=_of_all(job.kept_count, job.file_count),
            size="" if job.kept_size is None else in_words(job.kept_size),
            proof=_proof(kept),
            is_removed=is_removed,
        )


@dataclass(frozen=True, slots=True)
class _Told:
    """What there is to tell of a batch. `jobs` are in the queue's list, `removed` not any more;
    `listed` is None where its list was not kept."""

    name: str
    listed: ListedBatch | None
    jobs: Sequence[Job]
    removed: Sequence[Job]

    @property
    def every_job(self) -> Sequence[Job]:
        return [*self.jobs, *self.removed]

    @property
    def before(self) -> Sequence[LeftOut]:
        """What was archived before, and so left out of the queue."""
        left_out = self.listed.archived_before if self.listed else ()
        return [each for each in left_out if not each.was_queued]

    @property
    def queued_before(self) -> Sequence[LeftOut]:
        """What was in the queue already, by another list, say."""
        left_out = self.listed.archived_before if self.listed else ()
        return [each for each in left_out if each.was_queued]

    @property
    def problems(self) -> Sequence[BadLine]:
        return self.listed.problems if self.listed else ()

    @property
    def untold(self) -> int:
        """How many datasets of the list nothing is known of: no job, nor why there is none."""
        known = len(self.every_job) + len(self.queued_before)
        return max(0, self.listed.total - known) if self.listed else 0


def write_report(archive: Archive, name: str, output: Path, tell: Tell) -> None:
    """Write the report of a batch; `tell` is told how many datasets were written, and of how many.

    Raises UsageError for a batch that is not there, or a file that cannot be written.
    """
    told = _Told(
        name,
        archive.ledger.batches.get(name),
        jobs_as_they_are(archive, name),
        removed_jobs(archive, name),
    )
    if told.listed is None and not told.every_job:
        raise UsageError(
            tr("There is no batch “{name}” here; “carrel batch list” shows the jobs.", name=name)
        )
    every = chain(
        _lines(archive, told.jobs),
        _lines_before(archive, told.before),
        _lines_queued_before(archive, told.queued_before),
        _lines(archive, told.removed, is_removed=True),
    )
    others = len(told.before) + len(told.queued_before)
    lines = _telling(every, len(told.every_job) + others, tell)
    totals = _totals(told, archive.ledger.batches.brought(told.every_job))
    is_table = output.suffix.lower() == ".csv"
    pieces = _csv(told, lines) if is_table else _html(told, lines, totals)
    try:
        with whole_file(output) as file:
            for piece in pieces:
                file.write(piece.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(
            tr(
                "{output} cannot be written: {strerror}.",
                output=output,
                strerror=error.strerror or error,
            )
        ) from error


def _lines(archive: Archive, jobs: Sequence[Job], *, is_removed: bool = False) -> Iterator[_Line]:
    for start in range(0, len(jobs), _SOME):
        some = jobs[start : start + _SOME]
        kept = _kept(archive, [job.ingest_id for job in some if job.ingest_id])
        for job in some:
            yield _Line.of(job, kept.get(job.ingest_id or ""), is_removed=is_removed)


def _kept(archive: Archive, ingest_ids: Sequence[str]) -> Mapping[str, KeptFiles]:
    """Return what attempts keep, with the damage of all records that they rest on: also of those
    that are no file's."""
    ledger = archive.ledger
    fixity = ledger.fixity.of_ingests(ingest_ids)
    return {
        name: replace(kept, faults=max(kept.faults, fixity[name].failed if name in fixity else 0))
        for name, kept in ledger.batches.kept_files(ingest_ids).items()
    }


def _lines_before(archive: Archive, before: Sequence[LeftOut]) -> Iterator[_Line]:
    """Yield what is held of datasets that were archived before, and so left out of the queue."""
    for start in range(0, len(before), _SOME):
        some = before[start : start + _SOME]
        held = archive.ledger.catalogue.held_at([each.base_url for each in some])
        kept = _kept(archive, [row.ingest_id for row in held.values()])
        for each in some:
            row = held.get(each.base_url)
            yield _before(each, row, kept.get(row.ingest_id) if row else None)


def _before(left_out: LeftOut, row: HoldingRow | None, kept: KeptFiles | None) -> _Line:
    named = left_out.line, left_out.base_url
    if row is None:
        return _Line(*named, "", "", tr("Archived before; removed since"), "", "", "", "", "")
    reason = tr("Archived {moment}, and left out of this batch", moment=moment(row.archived))
    files, size = _of_all(row.kept_count, row.file_count), in_words(row.kept_size)
    told = (row.title, str(row.status), tr("Archived before"), reason, "", files, size)
    return _Line(*named, *told, _proof(kept))


def _lines_queued_before(archive: Archive, before: Sequence[LeftOut]) -> Iterator[_Line]:
    """Yield how datasets stand that were queued by something else, and so are no jobs here."""
    for start in range(0, len(before), _SOME):
        some = before[start : start + _SOME]
        newest = archive.ledger.jobs.newest_at([each.base_url for each in some])
        jobs = {job.request.base_url: job for job in as_they_are(archive, [*newest.values()])}
        kept = _kept(archive, [job.ingest_id for job in jobs.values() if job.ingest_id])
        for each in some:
            job = jobs.get(each.base_url)
            yield _queued_before(each, job, kept.get(job.ingest_id or "") if job else None)


def _queued_before(left_out: LeftOut, job: Job | None, kept: KeptFiles | None) -> _Line:
    was_there = tr("It was in the queue already, and is no job of this batch.")
    if job is None:
        gone = tr("Removed from the queue since")
        named = left_out.line, left_out.base_url
        return _Line(*named, "", "", gone, was_there, "", "", "", "")
    if job.batch:
        was_there = tr("It was in the queue already, by the batch {name}.", name=job.batch)
    line = _Line.of(job, kept, is_removed=False)
    reason = " ".join(filter(None, (was_there, line.reason)))
    return replace(line, line=left_out.line, reason=reason)


def _telling(lines: Iterable[_Line], total: int, tell: Tell) -> Iterator[_Line]:
    for done, line in enumerate(lines, 1):
        yield line
        if done % _SOME == 0 or done == total:
            tell(done, total)


def _is_told(job: Job) -> bool:
    """Say whether an outcome stands for how a job is now: one that waits its turn has none yet."""
    return not job.state.is_open or job.state is JobState.ASKING or job.is_on_hold


def _outcome(job: Job) -> str:
    """Return in a word or two how a job ended, or how it stands."""
    if job.is_interrupted:
        return tr("Stopped, will resume")
    is_ended = job.status is not None and not job.state.is_open
    return outcome(job.status) if job.status and is_ended else job_state(job.state)


def _of_all(kept: int | None, count: int | None) -> str:
    """Return "3 of 5", or "" where nothing is known."""
    if count is None:
        return "" if kept is None else f"{kept:,}"
    return tr("{kept} of {count}", kept=f"{kept or 0:,}", count=f"{count:,}")


def _proof(kept: KeptFiles | None) -> str:
    """Return what proves the files that an attempt keeps, and what the last check of them found."""
    if kept is None or not kept.files:
        return ""
    recorded = tr("SHA-256 of {files} recorded", files=counted(kept.with_sha256, "file"))
    if kept.faults:
        check = tr(
            "{records} damaged or missing at the last check",
            records=counted(kept.faults, "record"),
        )
    elif kept.checked:
        check = tr("read again without a fault on {day}", day=kept.checked[:10])
    else:
        check = tr("not read again since")
    return "; ".join(filter(None, (_compared(kept), recorded, check)))


def _compared(kept: KeptFiles) -> str:
    """Return how many files were compared with a published checksum, "" if it is not told."""
    if kept.compared is None:
        return ""
    if not kept.compared:
        return tr("no published checksum to compare with")
    files = counted(kept.files, "file")
    if kept.compared < kept.files:
        files = tr("{compared:,} of {files}", compared=kept.compared, files=files)
    return tr("{files} compared with published checksums", files=files)


# A table


def _csv(told: _Told, lines: Iterable[_Line]) -> Iterator[str]:
    yield "\ufeff" + csv_row(_COLUMNS)
    for line in lines:
        yield csv_row(
            (
                "" if line.line is None else str(line.line),
                line.dataset,
                line.title,
                line.code,
                line.outcome,
                line.reason,
                line.advice,
                line.files,
                line.size,
                line.proof,
                "yes" if line.is_removed else "no",
            )
        )
    for bad in told.problems:
        yield csv_row((str(bad.line), bad.text, "", "no-dataset", "", bad.message, *[""] * 5))


# A page


def _html(told: _Told, lines: Iterator[_Line], totals: str) -> Iterator[str]:
    direction = "rtl" if is_right_to_left() else "ltr"
    title = tr("Report of the batch {name}", name=told.name)
    yield f'<!doctype html><html lang="{language()}" dir="{direction}"><head><meta charset="utf-8">'
    yield '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    yield f"style-src 'unsafe-inline'\"><title>{_text(title)}</title><style>{_STYLE}</style></head>"
    yield f"<body><h1>{_text(title)}</h1>"
    yield f'<p class="quiet">{_text(_origin(told.listed))}</p>{totals}'
    if told.untold:
        yield f'<p class="quiet">{_text(_untold(told.untold))}</p>'
    yield _table(
        (tr("Why not"), tr("Datasets"), tr("What to do")),
        ((each.outcome, f"{count:,}", each.advice) for each, count in _causes(told.every_job)),
        tr("Causes"),
    )
    in_list = len(told.jobs) + len(told.before) + len(told.queued_before)
    yield from _datasets(tr("Datasets"), islice(lines, in_list))
    if told.removed:
        counts = Counter(job.state for job in told.removed)
        heading = tr("Removed from the queue’s list: {jobs}", jobs=ends(counts))
        yield from _datasets(heading, lines)
    yield _table(
        (tr("Line"), tr("Text"), tr("Why not")),
        ((f"{bad.line:,}", bad.text, bad.message) for bad in told.problems),
        tr("Lines without a dataset"),
    )
    written = tr("Written {moment}", moment=moment(iso_now()))
    yield f'<p class="quiet">{_text(written)}</p></body></html>'


def _datasets(heading: str, lines: Iterable[_Line]) -> Iterator[str]:
    yield f"<h2>{_text(heading)}</h2><table><thead><tr>"
    heads = (
        tr("Line"),
        tr("Dataset"),
        tr("Outcome"),
        tr("Files"),
        tr("Size"),
        tr("Reason"),
        tr("Proof"),
    )
    yield "".join(f"<th>{_text(head)}</th>" for head in heads) + "</tr></thead><tbody>"
    for line in lines:
        yield _html_row(line)
    yield "</tbody></table>"


def _untold(count: int) -> str:
    return plural(
        "1 dataset of the list has no row here: it was in the queue already, or its job was "
        "removed by an earlier version of Carrel.",
        "{count} datasets of the list have no row here: they were in the queue already, or their "
        "jobs were removed by an earlier version of Carrel.",
        count,
        count=f"{count:,}",
    )


def _origin(listed: ListedBatch | None) -> str:
    if listed is None:
        return tr("Its list was not kept.")
    return tr(
        "{source} ({kind}), added {moment}",
        source=listed.source or tr("Pasted"),
        kind=listed.kind,
        moment=moment(listed.added),
    )


def _totals(told: _Told, brought: Brought) -> str:
    listed, before = told.listed, len(told.before)
    states = Counter(job.state for job in told.every_job)
    done = [job.status for job in told.every_job if job.state is JobState.DONE]
    existing = done.count(Status.SUCCESS_EXISTING)
    figures = [
        (tr("Datasets in the list"), f"{listed.total + before:,}" if listed else "–"),
        (tr("Left out, archived before"), f"{before:,}"),
        (tr("In the queue already"), f"{len(told.queued_before):,}"),
        (tr("Archived"), f"{len(done) - existing:,}"),
        (tr("Checked, already archived"), f"{existing:,}"),
        (tr("Failed"), f"{states[JobState.FAILED]:,}"),
        (tr("Cancelled"), f"{states[JobState.CANCELLED]:,}"),
        (tr("Open"), f"{sum(states[each] for each in JobState if each.is_open):,}"),
        (tr("New files"), f"{brought.files:,}"),
        (tr("Size of new files"), in_words(brought.size_bytes)),
        (tr("Lines without a dataset"), f"{listed.problem_count:,}" if listed else "–"),
        (tr("Repeated lines"), f"{listed.duplicate_count:,}" if listed else "–"),
    ]
    pairs = (f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in figures)
    return f"<dl>{''.join(pairs)}</dl>"


@dataclass(frozen=True, slots=True)
class _Cause:
    outcome: str
    advice: str


def _causes(jobs: Sequence[Job]) -> Sequence[tuple[_Cause, int]]:
    failed = (job.status for job in jobs if job.state in (JobState.FAILED, JobState.ASKING))
    return [
        (_Cause(outcome(status), status.meaning.advice), count)
        for status, count in Counter(each for each in failed if each).most_common()
    ]


def _html_row(line: _Line) -> str:
    dataset = f'<bdi class="code">{_text(line.dataset)}</bdi>'
    first = f"<bdi>{_text(line.title)}</bdi><br>{dataset}" if line.title else dataset
    reason = " ".join(filter(None, (line.reason, line.advice)))
    number = "" if line.line is None else f"{line.line:,}"
    return (
        f'<tr><td class="number">{number}</td><td>{first}</td>'
        f"<td>{_text(line.outcome)}</td>"
        f'<td class="number">{_text(line.files)}</td><td class="number">{_text(line.size)}</td>'
        f"<td>{_text(reason)}</td><td>{_text(line.proof)}</td></tr>"
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], heading: str) -> str:
    """Return a table under its heading, "" where it has no row."""
    body = "".join(
        "<tr>" + "".join(f"<td><bdi>{_text(cell)}</bdi></td>" for cell in row) + "</tr>"
        for row in rows
    )
    if not body:
        return ""
    head = "".join(f"<th>{_text(each)}</th>" for each in heads)
    return (
        f"<h2>{_text(heading)}</h2><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _text(text: str) -> str:
    return escape(visible(text))
