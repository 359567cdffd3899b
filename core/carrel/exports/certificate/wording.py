# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate says, in sentences: no more than the ledger knows, and what it does not."""

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest

from carrel.exports.certificate.by_hand import without_carrel
from carrel.exports.certificate.certificate import Certificate
from carrel.exports.certificate.document import (
    Blanks,
    Block,
    Commands,
    Document,
    Files,
    Pairs,
    Paragraph,
    Section,
    Table,
    Value,
)
from carrel.exports.certificate.facts import Attempt, Cause, Facts, Keeping, Run, Tally
from carrel.exports.certificate.file_wording import file_heads, file_row
from carrel.exports.certificate.moments import moment, moment_of_capture
from carrel.exports.certificate.server_wording import servers_in_words
from carrel.exports.certificate.servers import WarcFile
from carrel.exports.certificate.summary import checked_in_words, summary_of
from carrel.exports.certificate.terms import terms_of
from carrel.exports.damages import RECORDS_COUNTED, what_was_done
from carrel.exports.dataset import Dataset
from carrel.ledger.inventory import RecordPlace
from carrel.model import FailedRecord
from carrel.model.beside import beside_among
from carrel.model.counts import counted
from carrel.model.holdings import Damage
from carrel.model.item import A_PACKAGE
from carrel.model.licenses import short_license
from carrel.model.outcome_words import (
    ACCOMPANYING,
    IS_ACCOMPANYING,
    TWIN,
    instead_of_again,
    of_earlier,
    unfit,
)
from carrel.model.sizes import in_words
from carrel.platforms.titles import title_of
from carrel.translation import tr

_FOLDER = "collections/main/archive/"


def document_of(certificate: Certificate) -> Document:
    """Return what a certificate says."""
    facts = certificate.facts
    dataset, issue = facts.dataset, facts.issue
    return Document(
        kind=tr("Certificate of a holding"),
        title=dataset.name,
        subtitle=[Value(each) for each in (_names(dataset.creators),) if each],
        summary=summary_of(facts),
        sections=[each for each in _sections(certificate) if each.blocks],
        foot=tr(
            "{archive} · ingest {ingest_id} · issued {issued}",
            archive=issue.archive,
            ingest_id=facts.keeping.ingest_id,
            issued=issue.issued,
        ),
        author=issue.operator or f"Carrel {issue.carrel_version}",
        issued=issue.issued,
        file_count=facts.tally.files,
        sha256=certificate.sha256,
    )


def _names(creators: Sequence[str]) -> str:
    """Return who made a dataset; a name may have commas of its own."""
    names = "; ".join(creators[:_MOST_CREATORS])
    if (more := len(creators) - _MOST_CREATORS) > 0:
        return tr("{names}; and {count:,} more", names=names, count=more)
    return names


def _sections(certificate: Certificate) -> Iterator[Section]:
    facts = certificate.facts
    yield Section(tr("What is missing or damaged"), list(_troubles(facts)))
    yield Section(tr("The dataset"), [_dataset(facts)])
    yield Section(tr("What is archived"), [_held(facts)])
    yield Section(tr("Who answered, and by whose clock"), list(servers_in_words(facts.captured)))
    yield Section(tr("How it was checked"), list(_checks(facts)))
    yield Section(tr("Attempts to archive it"), list(_attempts(facts)))
    yield Section(tr("Files"), list(_files(certificate)))
    yield Section(tr("How to check this without Carrel"), list(without_carrel(facts)))
    yield Section(tr("What this certificate does not prove"), list(_limits()))
    yield Section(tr("Issued by"), [_issuer(certificate), Paragraph(_STATEMENT), _SIGNATURE])


def _troubles(facts: Facts) -> Iterator[Block]:
    if facts.tally.not_kept:
        heads = (tr("Why"), tr("Files"), tr("Which"), tr("Action"))
        rows = [_cause(each) for each in facts.tally.not_kept]
        beside = beside_among(facts.keeping.findings)
        title = tr("Files that are not archived")
        yield Table(tr("Files that this ingest lacks") if beside else title, heads, rows)
        yield from (Paragraph(each.message) for each in beside)
    if facts.checks.failed:
        yield from _damage(facts)
    if facts.keeping.message and facts.tally.not_kept:
        yield Paragraph(tr("The ingest ended with: {message}", message=facts.keeping.message))


def _cause(cause: Cause) -> Sequence[Sequence[Value]]:
    more = cause.files - len(cause.first)
    names = [value for each in _named(cause) for value in each]
    if more:
        names.append(Value(tr("and {files}, in the list of files", files=_more_files(more))))
    why = [Value(str(cause.status), is_code=True)]
    if cause.message:
        why.append(Value(cause.message))
    return why, [Value(f"{cause.files:,}")], names, [Value(cause.status.meaning.advice)]


def _named(cause: Cause) -> Iterator[Sequence[Value]]:
    """Yield the names of the first files, each with its own reason where these differ."""
    for name, message in zip_longest(cause.first, cause.messages):
        yield [Value(name, is_code=True), *([Value(message)] if message else ())]


def _damage(facts: Facts) -> Iterator[Block]:
    checks = facts.checks
    heads = (tr("Record"), tr("Found"), tr("Files"))
    yield Table(
        tr("Records that were not intact when last read"),
        heads,
        [_failure(each) for each in checks.failures],
    )
    if unlisted := checks.failed - len(checks.failures):
        yield Paragraph(tr("{records} are not listed.", records=counted(unlisted, "more record")))
    if words := instead_of_again(map(unfit, checks.failures)):
        yield Paragraph(words)
        return
    again = shlex.join(["carrel", "ingest", facts.dataset.requested])
    yield Paragraph(
        tr(
            "To repair: restore the WARC files from a copy of the archive, or archive the dataset "
            "again while it is still published. Intact files with a published checksum are not "
            "downloaded again."
        )
    )
    yield Commands([again])


def _failure(failed: FailedRecord) -> Sequence[Sequence[Value]]:
    place = Value(_place(failed.filename, failed.offset), is_code=True)
    names = [Value(name, is_code=True) for name in failed.files[:5]]
    if more := len(failed.files) - len(names):
        names.append(Value(tr("and {files}", files=_more_files(more))))
    if failed.is_accompanying:
        names = [Value(ACCOMPANYING)]
    names = names or [Value(failed.earlier_file or failed.url, is_code=True)]
    result = [Value(str(failed.fate)), Value(failed.message)]
    if failed.is_accompanying:
        result.append(Value(IS_ACCOMPANYING))
    if failed.has_twin:
        result.append(Value(TWIN))
    if failed.is_earlier:
        result.append(Value(of_earlier(failed.version)))
    return [place], result, names


def _dataset(facts: Facts) -> Pairs:
    it = facts.dataset
    is_on_platform = it.platform_name != A_PACKAGE
    name = _platform(it.platform_name) if is_on_platform else None
    platform = " · ".join(each for each in (name, it.platform_domain) if each)
    return Pairs(
        _known(
            (tr("Title"), [it.title]),
            (tr("Creators"), ["; ".join(it.creators)]),
            (tr("DOI"), [it.doi]),
            (tr("Version"), [it.version]),
            (tr("Published"), [moment(it.published or "")]),
            (tr("Licence"), [short_license(it.license) if it.license else None]),
            (tr("Platform") if is_on_platform else tr("Organization"), [platform]),
            (
                tr("Identifier on the platform") if is_on_platform else tr("Identifier"),
                [it.platform_id],
            ),
            *(_requested(it) if facts.keeping.is_published else ()),
            (tr("Citation"), [it.citation]),
        )
    )


def _requested(it: Dataset) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what was requested, and where that led."""
    yield tr("Requested as"), [it.requested]
    yield tr("Redirects"), it.hops[:-1] if it.hops[:-1] != (it.requested,) else ()
    yield tr("Landing page"), [it.landing_page]


def _platform(name: str | None) -> str | None:
    """Return a platform as its makers write it."""
    return title_of(name or "") or name


def _held(facts: Facts) -> Pairs:
    tally, keeping = facts.tally, facts.keeping
    terms, unknown = terms_of(keeping), None
    if tally.unknown_sizes:
        unknown = terms.unknown_sizes.format(files=counted(tally.unknown_sizes, "file"))
    unfit = tr("{unfit:,} damaged or missing now", unfit=tally.unfit) if tally.unfit else None
    program = f"Carrel {keeping.carrel_version}"
    rows = _known(
        (
            terms.head,
            [_published(tally), unknown],
        ),
        (tr("Archived"), [f"{counted(tally.kept, 'file')}, {_size(tally.kept_bytes)}", unfit]),
        (tr("Archived since"), [_in_archive(keeping, moment(keeping.archived))]),
        (tr("Last files added"), [moment(keeping.added) if keeping.added else None]),
        (
            tr("Archived by"),
            [_in_archive(keeping, program) if keeping.carrel_version else None],
        ),
        (
            tr("Imported"),
            [moment_of_capture(keeping.imported) if keeping.imported else None],
        ),
        (tr("Removed from the holdings"), [moment(keeping.removed) if keeping.removed else None]),
        (tr("Strategy"), [keeping.strategy, keeping.strategy_reason]),
    )
    places = [*rows, *_places(facts)]
    findings = [Value(each.message) for each in keeping.findings]
    return Pairs([*places, (tr("Findings"), findings)] if findings else places)


def _in_archive(keeping: Keeping, words: str) -> str:
    """Return what an archive did; which one, where that is not this one."""
    if not keeping.is_from_archive:
        return words
    return tr("{words}, in the archive that it was imported from", words=words)


def _places(facts: Facts) -> Iterator[tuple[str, Sequence[Value]]]:
    tally, keeping = facts.tally, facts.keeping
    read = {each.name: each for each in facts.captured.warcs}
    first = tally.warcs[:_MOST_WARCS]
    names = [value for name in first for value in _warc(name, read.get(name))]
    if more := len(tally.warcs) - len(first):
        names.append(Value(tr("and {warcs} more", warcs=counted(more, "WARC file"))))
    if names:
        yield tr("WARC files"), names
    if keeping.bundle:
        yield tr("Files are in one ZIP or tar file"), list(_bundle(keeping.bundle))
    if keeping.archiveorg_item:
        yield tr("Item at archive.org"), [Value(keeping.archiveorg_item, is_code=True)]
    if tally.elsewhere:
        yield (
            tr("Not in this archive"),
            [
                Value(
                    tr(
                        "{files} are in another archive; the list of files has their "
                        "addresses. Verification reads the WARC files of this archive only.",
                        files=counted(tally.elsewhere, "file"),
                    )
                )
            ],
        )


def _bundle(place: RecordPlace) -> Iterator[Value]:
    """Yield the record of the bundle, with the size and digest by which it is checked."""
    yield Value(_place(place.filename, place.offset), is_code=True)
    yield Value(counted(place.size, "byte"))
    yield Value(place.sha256, is_code=True, label="SHA-256")


def _warc(name: str, read: WarcFile | None) -> Iterator[Value]:
    """Yield a WARC file with its size and digest, as they are now."""
    yield Value(f"{_FOLDER}{name}", is_code=True)
    if read and read.sha256:
        yield Value(counted(read.size or 0, "byte"))
        yield Value(read.sha256, is_code=True, label="SHA-256")
    elif read and read.fault:
        yield Value(read.fault)


def _checks(facts: Facts) -> Iterator[Block]:
    proof, checks, terms = facts.tally.proof, facts.checks, terms_of(facts.keeping)
    yield Pairs(
        _known(
            (terms.digest_matched, [_files_or_none(proof.digest)]),
            (terms.size_matched, [_files_or_none(proof.size)]),
            (terms.nothing, [_files_or_none(proof.nothing)]),
            (
                terms.differing,
                [counted(facts.tally.differing, "file") if facts.tally.differing else None],
            ),
            (tr("Verified again"), [checked_in_words(facts)]),
        )
    )
    if checks.runs:
        heads = (tr("Began"), tr("Records"), tr("Not intact"), tr("What was read"))
        yield Table(
            tr("Verifications since the dataset was first archived"),
            heads,
            [_run(each, facts.keeping) for each in checks.runs],
        )
        yield Paragraph(RECORDS_COUNTED)
    if older := checks.run_count - len(checks.runs):
        yield Paragraph(tr("{older:,} older ones are not listed.", older=older))
    if checks.damages:
        heads = (tr("Found"), tr("Record"), tr("Result"), tr("What was done"))
        yield Table(
            tr("Damage found since the dataset was first archived"),
            heads,
            [_past(each, facts.dataset.version) for each in checks.damages],
            widths=(3, 4, 4, 3),
        )
    if older := checks.damage_count - len(checks.damages):
        yield Paragraph(tr("{older:,} older ones are not listed.", older=older))


def _past(damage: Damage, version: str | None) -> Sequence[Sequence[Value]]:
    place = [Value(damage.path or damage.url, is_code=True)]
    if damage.offset is not None:
        place.append(Value(_place(damage.filename, damage.offset), is_code=True))
    if damage.version and damage.version != version:
        place.insert(1, Value(tr("of version {version}", version=damage.version)))
    result = [Value(each) for each in (str(damage.fate), damage.message) if each]
    known = (damage.mended, damage.mended_by, damage.again_in, damage.again_at)
    done = what_was_done(*known, has_files_elsewhere=damage.has_files_elsewhere)
    return [Value(moment(damage.found))], place, result, [Value(done)]


def _run(run: Run, keeping: Keeping) -> Sequence[Sequence[Value]]:
    numbers = (f"{run.records:,}", f"{run.failed:,}")
    read = list(_read_by(run, keeping))
    return [[Value(moment(run.started))], *([Value(each)] for each in numbers), read]


def _read_by(run: Run, keeping: Keeping) -> Iterator[Value]:
    """Yield what a verification read: one of another attempt proves nothing of this holding, or
    only of a part of it."""
    if run.ingest_id == keeping.ingest_id:
        yield Value(tr("this holding"))
        return
    if run.is_of_archive:
        yield Value(tr("all of the archive"))
        if run.was_whole and not run.is_of_holding:
            yield Value(tr("with all files of this holding; some were archived again since"))
        elif not run.is_of_holding:
            yield Value(tr("not all of this holding was archived then"))
        return
    if run.version:
        yield Value(tr("version {version}", version=run.version))
    yield Value(run.ingest_id or "", is_code=True, label=tr("ingest"))
    all_of_it, part = tr("with all of this holding"), tr("not all of this holding")
    yield Value(all_of_it if run.is_of_holding else part)


def _attempts(facts: Facts) -> Iterator[Block]:
    heads = (tr("Began"), tr("Ended with"), tr("Files"), tr("Version"), tr("Ingest"))
    rows = [_attempt(each, facts) for each in facts.attempts]
    yield Table(tr("Every attempt at this dataset, oldest first"), heads, rows)
    if older := facts.attempt_count - len(facts.attempts):
        yield Paragraph(tr("{older:,} older ones are not listed.", older=older))


def _attempt(attempt: Attempt, facts: Facts) -> Sequence[Sequence[Value]]:
    ended = [Value(str(attempt.status), is_code=True)]
    if attempt.message:
        ended.append(Value(attempt.message))
    kept = ""
    if attempt.file_count is not None:
        kept = tr("{kept:,} of {count:,}", kept=attempt.kept_count or 0, count=attempt.file_count)
    names = [Value(attempt.ingest_id, is_code=True)]
    if attempt.base_url != facts.dataset.requested:
        names.append(Value(attempt.base_url, is_code=True, label=tr("requested as")))
    if attempt.ingest_id == facts.keeping.ingest_id:
        names.append(Value(_in_archive(facts.keeping, tr("this holding"))))
    version = attempt.platform_version or ""
    return [Value(moment(attempt.started))], ended, [Value(kept)], [Value(version)], names


def _files(certificate: Certificate) -> Iterator[Block]:
    count, keeping = certificate.facts.tally.files, certificate.facts.keeping
    terms, came = terms_of(keeping), keeping.imported if keeping.is_from_archive else None
    yield Files(
        terms.of_each,
        file_heads(terms),
        count,
        lambda: map(partial(file_row, terms, came), range(1, count + 1), certificate.files()),
    )


def _limits() -> Iterator[Block]:
    yield Paragraph(
        tr(
            "It states what the archive's ledger knew when it was issued: each check with its "
            "date. What has no date was not checked. It does not prove that the platform published "
            "what the authors "
            "wrote, nor that the clock of the archiving computer was right. TLS proves to the "
            "archiving computer who answered, but keeps nothing by which it could prove that to "
            "others: addresses, certificates and dates are stated as that computer noted them."
        )
    )


def _issuer(certificate: Certificate) -> Pairs:
    issue, keeping = certificate.facts.issue, certificate.facts.keeping
    rows = _known(
        (tr("Operator"), [issue.operator]),
        (tr("Contact"), [issue.contact]),
        (tr("Archive"), [issue.archive]),
        (tr("Ingest"), [keeping.ingest_id]),
        (tr("Issued on"), [issue.issued]),
        (tr("Program"), [f"Carrel {issue.carrel_version}"]),
    )
    digest = [Value(certificate.sha256, is_code=True, label="SHA-256")]
    return Pairs([*rows, (tr("The facts as JSON"), digest)])


_MOST_WARCS = 50
_MOST_CREATORS = 20
_STATEMENT = tr(
    "A qualified person may certify here, under penalty of perjury where that applies, that the "
    "process described above produces an accurate result, and that the copies were authenticated "
    "by the checksums above (in the United States: Federal Rules of Evidence 902(13) and (14)). "
    "Carrel states only what its ledger and its WARC files contain, and fills in none of this."
)
_SIGNATURE = Blanks(
    [
        tr("Name"),
        tr("Position and institution"),
        tr("Role in this process, and why qualified"),
        tr("Process, in your own words"),
        tr("Place and date"),
        tr("Signature"),
    ]
)


def _published(tally: Tally) -> str:
    """Return how much was published; no sum where no size was."""
    files = counted(tally.files, "file")
    is_untold = tally.unknown_sizes == tally.files
    return files if is_untold else f"{files}, {_size(tally.published_bytes)}"


def _known(
    *rows: tuple[str, Sequence[str | None]],
) -> list[tuple[str, Sequence[Value]]]:
    """Return the facts that have a value."""
    filled = ((name, [Value(each) for each in values if each]) for name, values in rows)
    return [(name, values) for name, values in filled if values]


def _place(filename: str, offset: int) -> str:
    return tr("{filename}, byte {offset:,}", filename=filename, offset=offset)


def _files_or_none(count: int) -> str:
    return counted(count, "file") if count else tr("no file")


def _more_files(count: int) -> str:
    return counted(count, "more file")


def _size(size_bytes: int) -> str:
    """Return a size for people, and to the byte."""
    if size_bytes < 1024:
        return in_words(size_bytes)
    return f"{in_words(size_bytes)} ({counted(size_bytes, 'byte')})"
