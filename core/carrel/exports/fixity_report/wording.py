# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a fixity report says: what was verified and what not, what was found, what was done."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from carrel.exports.certificate.document import (
    Blanks,
    Block,
    Document,
    Level,
    Pairs,
    Paragraph,
    Section,
    Summary,
    Table,
    Value,
)
from carrel.exports.certificate.facts import Issue
from carrel.exports.certificate.moments import moment
from carrel.exports.damages import RECORDS_COUNTED, what_was_done
from carrel.ledger.connection import Row
from carrel.ledger.fixity_history import Covered, FixityHistory, Period, Records, Runs
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.translation import tr

MOST_LISTED = 1000
_Cells = Sequence[Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Report:
    """A report to be worded: who states it, of which period, by what the ledger answers.

    `collection` is the name of the folder that has the WARC files.
    """

    issue: Issue
    period: Period
    history: FixityHistory
    collection: str

    @property
    def days(self) -> str:
        """The first and the last day of the period."""
        first, last = self.period.since[:10], last_day(self.period)
        return tr("{first} to {last}", first=first, last=last)


def last_day(period: Period) -> str:
    """Return the last day of a period, whose end is the beginning of the next one."""
    return (date.fromisoformat(period.until[:10]) - timedelta(days=1)).isoformat()


def document_of(report: Report) -> Document:
    """Return what a report says."""
    issue, history, period = report.issue, report.history, report.period
    covered, records = history.all(period), history.records(period)
    runs = history.run_sums(period)
    sections = _sections(report, covered, runs, records)
    return Document(
        kind=tr("Fixity report"),
        title=issue.operator or issue.archive,
        subtitle=[Value(report.days)],
        summary=_summary(covered, runs, records, history.archived_later(period)),
        sections=[each for each in sections if each.blocks],
        foot=tr(
            "{archive} · {days} · issued {issued}",
            archive=issue.archive,
            days=report.days,
            issued=issue.issued,
        ),
        author=issue.operator or f"Carrel {issue.carrel_version}",
        issued=issue.issued,
        file_count=covered.files,
        sha256="",
    )


def _summary(covered: Covered, runs: Runs, records: Records, later: int) -> Summary:
    sentences = [
        tr(
            "Verified in this period, and intact: {verified:,} of {holdings}, {size} of {whole}.",
            verified=covered.verified,
            holdings=counted(covered.holdings, "holding"),
            size=in_words(covered.verified_size),
            whole=in_words(covered.size),
        )
    ]
    if covered.faulty:
        sentences.append(_faulty(covered))
    if covered.not_verified:
        sentences.append(_not_verified(covered))
    if later:
        sentences.append(left_out(later))
    sentences.append(_found(runs, records))
    mended = records.damaged + records.missing - records.lost
    if mended:
        sentences.append(
            tr(
                "As of now, {records} not intact when last read, whose bytes are intact in others.",
                records=counted(mended, "record"),
            )
        )
    if records.lost_later:
        sentences.append(
            tr(
                "Found after this period, and not mended by now: {records} not intact.",
                records=counted(records.lost_later, "record"),
            )
        )
    if lost := records.lost - records.lost_later:
        words = tr(
            "As of now, {records} not intact when last read, and not mended since.",
            records=counted(lost, "record"),
        )
        return Summary(Level.BAD, tr("Damage is not mended"), [words, *sentences])
    if covered.faulty:
        return Summary(Level.UNPROVEN, tr("Not all holdings were intact"), sentences)
    if covered.not_verified:
        return Summary(Level.UNPROVEN, tr("Not all holdings were verified"), sentences)
    return Summary(Level.GOOD, tr("All holdings were verified"), sentences)


def left_out(later: int) -> str:
    """Say that holdings are not in a report, as they are dated after its period."""
    return tr(
        "Not in this report: {holdings} dated after its period.",
        holdings=counted(later, "holding"),
    )


def _faulty(covered: Covered) -> str:
    """Say that a verification covered holdings of which something was damaged, or not there."""
    words = tr(
        "Also verified, but not intact at the end of the period: {holdings}, {size}",
        holdings=counted(covered.faulty, "holding"),
        size=in_words(covered.faulty_size),
    )
    if covered.lacking:
        lacking = tr(
            "{lacking:,} with missing records, which could not be read", lacking=covered.lacking
        )
        return f"{words} ({lacking})."
    return f"{words}."


def _not_verified(covered: Covered) -> str:
    words = tr("Not verified: {holdings}", holdings=counted(covered.not_verified, "holding"))
    parts = []
    if covered.added_to:
        parts.append(
            tr(
                "{holdings:,} with files added after the last verification, and read back then",
                holdings=covered.added_to,
            )
        )
    if covered.new:
        parts.append(tr("{new:,} archived in this period, and read back then", new=covered.new))
    if covered.neglected:
        never = covered.neglected
        parts.append(tr("{never:,} archived before it, and never verified since", never=never))
    return f"{words} ({'; '.join(parts)})." if parts else f"{words}."


def _found(runs: Runs, records: Records) -> str:
    if not runs.runs:
        return tr("No verification was run in this period.")
    if not runs.failed and records.damaged + records.missing:
        return tr(
            "{runs}: no damage found. The damage listed here was found at other times, or when a "
            "file was exported or opened.",
            runs=counted(runs.runs, "verification"),
        )
    if not runs.failed:
        return tr("{runs}: nothing was found damaged.", runs=counted(runs.runs, "verification"))
    return tr(
        "{runs}; in {failed:,} of them records were not intact.",
        runs=counted(runs.runs, "verification"),
        failed=runs.failed_runs,
    )


def _sections(report: Report, covered: Covered, runs: Runs, records: Records) -> Iterator[Section]:
    yield Section(
        tr("Damage, as of now (ISO 16363, 4.4.1.2)"), list(_open_damages(report, records))
    )
    yield Section(
        tr("Active monitoring of integrity (ISO 16363, 4.4.1.2; CoreTrustSeal R14)"),
        [_monitoring(covered, runs, records), *_coverage(report, covered)],
    )
    yield Section(tr("Procedure (CoreTrustSeal R07 and R14)"), list(_procedure(report)))
    yield Section(
        tr("Contemporaneous record of actions (ISO 16363, 4.4.2; CoreTrustSeal R07)"),
        list(_actions(report)),
    )
    yield Section(tr("Not verified in this period"), list(_unverified(report, covered)))
    yield Section(tr("What this report does not prove"), [Paragraph(_LIMITS)])
    yield Section(tr("Issued by"), [_issuer(report), Paragraph(_STATEMENT), _SIGNATURE])


def _monitoring(covered: Covered, runs: Runs, records: Records) -> Pairs:
    read = in_words(runs.bytes)
    if runs.without_bytes:
        read = tr(
            "{read}, and what {runs} read without a note of their bytes",
            read=read,
            runs=counted(runs.without_bytes, "verification"),
        )
    rows = (
        (tr("Holdings at the end of the period"), _and_size(covered.holdings, covered.size)),
        (
            tr("Verified in the period, and intact"),
            _and_size(covered.verified, covered.verified_size),
        ),
        (tr("Verified, but not intact"), _and_size(covered.faulty, covered.faulty_size)),
        (
            tr("Verifications"),
            tr(
                "{runs:,}, of them {whole:,} of the whole archive",
                runs=runs.runs,
                whole=runs.whole_runs,
            ),
        ),
        (tr("WARC records read, or sought and missing"), f"{runs.records:,}"),
        (tr("Bytes read"), read),
        (tr("Of these, not intact"), f"{runs.failed:,}"),
        (
            tr("Records of files and pages, now"),
            tr(
                "{records:,}; last read in the period: {period:,}; never read again: {never:,}; "
                "missing: {missing:,}",
                missing=records.missing,
                records=records.records,
                period=records.read_in_period,
                never=records.records - records.read_again,
            ),
        ),
        (tr("Oldest last reading of one of these"), moment(records.oldest or "") or tr("none")),
    )
    return Pairs([(name, [Value(text)]) for name, text in rows])


def _coverage(report: Report, covered: Covered) -> Iterator[Block]:
    whole = [_covered(covered, tr("Collection {name}", name=report.collection))]
    platforms = report.history.by_platform(report.period)
    yield from _table(
        tr("By collection and platform"),
        _coverage_heads(),
        [*whole, *(_covered(each, each.name) for each in platforms)],
    )
    tags = (_covered(each, each.name) for each in report.history.by_tag(report.period))
    yield from _table(tr("By tag"), _coverage_heads(), tags)


def _coverage_heads() -> Sequence[str]:
    return (
        tr("Holdings of"),
        tr("Holdings"),
        tr("Verified, intact"),
        tr("Verified, not intact"),
        tr("Not verified"),
        tr("Of these never"),
        tr("Damaged, now"),
        tr("Oldest verification"),
    )


def _covered(each: Covered, name: str) -> _Cells:
    texts = (
        _and_size(each.holdings, each.size),
        _and_size(each.verified, each.verified_size),
        _and_size(each.faulty, each.faulty_size),
        f"{each.not_verified:,}",
        f"{each.never:,}",
        f"{each.damaged:,}",
        moment(each.oldest or "") or tr("none"),
    )
    return [[Value(name)], *([Value(text)] for text in texts)]


def _procedure(report: Report) -> Iterator[Block]:
    yield Paragraph(
        tr(
            "To verify a holding is to read every WARC record that its files rest on, to its end, "
            "to compute its checksums anew, and to compare them with those that were computed "
            "when it arrived (in the ledger) and with those in the record itself. Holdings are "
            "read back once when they are archived; that is not counted here. Files that are added "
            "to a holding, or archived again, are also read back once, and that is not counted "
            "either. A holding counts as verified only when all of it is; one with damaged or "
            "missing records is counted apart, as of the end of the period: what is missing "
            "was sought, but could not be read."
        )
    )
    heads = (tr("Software"), tr("Compared with"), tr("Verifications"))
    rows = (
        [
            [Value(row["software"] or tr("not noted by an older version"))],
            [Value(row["compared"] or tr("not noted"))],
            [Value(f"{row['runs']:,}")],
        ]
        for row in report.history.by_software(report.period)
    )
    yield from _table(tr("By what it was verified"), heads, rows)


def _actions(report: Report) -> Iterator[Block]:
    heads = (
        tr("Found"),
        tr("Record"),
        tr("Result"),
        tr("What was done"),
        tr("Software"),
    )
    events = map(_event, report.history.events(report.period))
    yield from _table(tr("Damage that was found, and what was done about it"), heads, events)
    runs_heads = (
        tr("Began"),
        tr("Ended"),
        tr("What was read"),
        tr("Records"),
        tr("Bytes"),
        tr("Not intact"),
        tr("Software"),
    )
    runs = map(_run, report.history.runs(report.period))
    yield from _table(tr("Verifications in this period"), runs_heads, runs)
    yield Paragraph(RECORDS_COUNTED)


def _event(row: Row) -> _Cells:
    is_mended = row["fate"] == "intact"
    result = [Value(tr("intact again") if is_mended else str(row["fate"]))]
    if row["message"]:
        result.append(Value(row["message"]))
    if is_mended:
        done = row["remedy"] or tr("Read intact again; by what is not recorded.")
    else:
        done = _done(row)
    return [
        [Value(moment(row["at"]))],
        _place(row),
        result,
        [Value(done)],
        [Value(row["software"])],
    ]


def _done(row: Row) -> str:
    return what_was_done(
        row.get("mended"),
        row.get("mended_by"),
        row["again_in"],
        row["again_at"],
        has_files_elsewhere=bool(row["has_files_elsewhere"]),
    )


def _open_damages(report: Report, records: Records) -> Iterator[Block]:
    if not records.damaged + records.missing:
        return
    heads = (tr("Found"), tr("Record"), tr("Result"), tr("What was done"))
    for caption, is_lost in (
        (tr("Not intact when last read, and not mended"), True),
        (tr("Not intact when last read; the bytes are intact in other records"), False),
    ):
        found = report.history.open_damages()
        rows = (_open_damage(row) for row in found if bool(row["is_lost"]) is is_lost)
        yield from _table(caption, heads, rows)


def _open_damage(row: Row) -> _Cells:
    result = [Value(str(row["fate"])), Value(row["message"])]
    return [[Value(moment(row["at"]))], _place(row), result, [Value(_done(row))]]


def _run(row: Row) -> _Cells:
    scope = (
        [Value(row["base_url"] or "", is_code=True)]
        if row["ingest_id"]
        else [Value(tr("all of the archive"))]
    )
    size = "" if row["bytes"] is None else in_words(row["bytes"])
    return [
        [Value(moment(row["started"]))],
        [Value(moment(row["finished"] or ""))],
        scope,
        [Value(f"{row['records']:,}")],
        [Value(size)],
        [Value(f"{row['failed']:,}")],
        [Value(row["software"] or "")],
    ]


def _unverified(report: Report, covered: Covered) -> Iterator[Block]:
    if not covered.not_verified:
        return
    heads = (tr("Holding"), tr("Platform"), tr("Archived"), tr("Not verified since"), tr("Size"))
    rows = map(_holding, report.history.not_verified(report.period))
    yield from _table(tr("Holdings that were not verified, the longest time first"), heads, rows)


def _holding(row: Row) -> _Cells:
    name = [Value(row["title"])] if row["title"] else []
    since = moment(row["checked"]) if row["checked"] else tr("never verified since archived")
    if row["before"] > row["checked"]:
        since = tr("{moment}, before its last files were added", moment=moment(row["before"]))
    return [
        [*name, Value(row["identifier"] or row["base_url"], is_code=True)],
        [Value(f"{row['platform_name']} {row['domain']}".strip())],
        [Value(moment(row["archived"]))],
        [Value(since)],
        [Value(in_words(row["kept_size"]))],
    ]


def _place(row: Row) -> Sequence[Value]:
    url = Value(row["url"], is_code=True)
    if row["offset"] is None:  # where it was then, an older Carrel did not note
        return [url]
    place = tr("{filename}, byte {offset:,}", filename=row["filename"], offset=row["offset"])
    return [Value(place, is_code=True), url]


def _table(caption: str, heads: Sequence[str], rows: Iterable[_Cells]) -> Iterator[Block]:
    """Yield a table, nothing where it has no row; of many rows the first ones."""
    listed = list(islice(rows, MOST_LISTED + 1))
    if not listed:
        return
    yield Table(caption, heads, listed[:MOST_LISTED])
    if len(listed) > MOST_LISTED:
        yield Paragraph(
            tr(
                "These are the first {most:,}. A report that ends in .csv has them all.",
                most=MOST_LISTED,
            )
        )


def _issuer(report: Report) -> Pairs:
    issue = report.issue
    rows = (
        (tr("Operator"), issue.operator),
        (tr("Contact"), issue.contact),
        (tr("Archive"), issue.archive),
        (tr("Issued on"), issue.issued),
        (tr("Program"), f"Carrel {issue.carrel_version}"),
    )
    return Pairs([(name, [Value(text)]) for name, text in rows if text])


def _and_size(count: int, size: int) -> str:
    return tr("{count:,} ({size})", count=count, size=in_words(size))


_LIMITS = tr(
    "It states what the archive's ledger recorded: verifications that were ended early count as "
    "readings of single records only. Whether records are intact is stated as of the last reading, "
    "not as of today. It says nothing about copies elsewhere, nor whether the clock was right."
)
_STATEMENT = tr(
    "A responsible person may state here that this report was reviewed. Carrel states only what "
    "its ledger contains."
)
_SIGNATURE = Blanks(
    [tr("Name"), tr("Position and institution"), tr("Place and date"), tr("Signature")]
)
