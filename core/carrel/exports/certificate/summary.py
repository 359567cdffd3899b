# SPDX-License-Identifier: AGPL-3.0-or-later
"""The result of a certificate: whether all is held, how far it is proven, how it was verified."""

from collections.abc import Iterator

from carrel.exports.certificate.document import Level, Summary
from carrel.exports.certificate.facts import Checks, Facts
from carrel.exports.certificate.moments import moment
from carrel.exports.certificate.terms import BY_SERVER, CHOSEN, terms_of
from carrel.ledger.repaired import Repaired
from carrel.model.beside import beside_among
from carrel.model.counts import counted
from carrel.model.format_words import RISKS
from carrel.model.formats import FormatRisk
from carrel.model.outcome_words import found_by_last
from carrel.model.proof import kept_in_words
from carrel.translation import plural, tr


def summary_of(facts: Facts) -> Summary:
    """Return the result in a few words, and the sentences that say what it rests on."""
    level, heading = _heading(facts)
    return Summary(level, heading, [each for each in _sentences(facts) if each])


def checked_in_words(facts: Facts) -> str:
    """Return when all that the holding rests on was last read, and how that ended."""
    checks = facts.checks
    if checks.verified is None:
        words = tr("Not fully verified again since it was archived.")
        if facts.keeping.imported:
            words = tr("Not fully verified again since it was imported.")
    elif checks.is_added_to and not checks.found_then:
        words = tr(
            "Last verified again {moment}, before its last files were added. These were read back "
            "when they arrived.",
            moment=moment(checks.verified),
        )
    else:
        words = tr(
            "Last verified again {moment}: {result}",
            moment=moment(checks.verified),
            result=_result(facts),
        )
    words += _found_later(checks)
    if checks.verified and facts.tally.elsewhere:
        words += " " + tr(
            "{files} in another archive {were} not read.",
            files=counted(facts.tally.elsewhere, "file"),
            were=tr("was") if facts.tally.elsewhere == 1 else tr("were"),
        )
    return words


def _found_later(checks: Checks) -> str:
    """Return what was found damaged otherwise than by the last verification, if anything was."""
    if checks.verified and checks.found_since and checks.found:
        return " " + tr(
            "Found damaged or missing since then: {records}, the last on {moment}.",
            records=counted(checks.found_since, "record"),
            moment=moment(checks.found),
        )
    if checks.failed and checks.found and not checks.verified:
        return " " + tr(
            "{records} found damaged or missing, the last on {moment}.",
            records=counted(checks.failed, "record"),
            moment=moment(checks.found),
        )
    return ""


def _heading(facts: Facts) -> tuple[Level, str]:
    tally, terms = facts.tally, terms_of(facts.keeping)
    if facts.checks.failed:
        return Level.BAD, tr("Damaged")
    if tally.kept < tally.files:
        return Level.BAD, tr("Incomplete")
    if tally.differing:
        return Level.BAD, terms.not_as_told
    if not facts.keeping.status.is_success:
        return Level.BAD, tr("Archived as listed, but the list is not complete")
    if not tally.proof.is_whole:
        return Level.UNPROVEN, terms.complete
    return (Level.UNPROVEN if terms in (CHOSEN, BY_SERVER) else Level.GOOD), terms.proven


def _sentences(facts: Facts) -> list[str]:
    checked = checked_in_words(facts)
    return [
        _removed(facts),
        _damaged(facts),
        _kept(facts),
        *(each.message for each in beside_among(facts.keeping.findings)),
        _ended(facts),
        checked,
        _formats(facts),
    ]


def _removed(facts: Facts) -> str:
    """Return that the dataset is not among the holdings any more, where it is not."""
    if not facts.keeping.removed:
        return ""
    return tr(
        "Removed from the holdings {moment}: what was archived is kept, and is not listed.",
        moment=moment(facts.keeping.removed),
    )


def _formats(facts: Facts) -> str:
    """Return of how many files the format was identified, and what in it needs attention."""
    tally = facts.tally
    if not tally.identified:
        return ""
    unknown = tally.format_risks.get(FormatRisk.UNKNOWN, 0)
    files = counted(tally.identified - unknown, "file")
    words = tr("Format identified by PRONOM: {files} of {kept:,}.", files=files, kept=tally.kept)
    counts = ((each, tally.format_risks.get(each, 0)) for each in FormatRisk)
    risks = "; ".join(f"{count:,} {RISKS[each]}" for each, count in counts if count)
    return f"{words} " + tr("Needs attention: {risks}.", risks=risks) if risks else words


def _kept(facts: Facts) -> str:
    """Return how much is held, and what it was compared with when it arrived."""
    tally = facts.tally
    kept = kept_in_words(tally.kept, tally.files)
    if tally.unfit:
        kept = plural(
            "{kept:,} of {files} archived; of these 1 is damaged or missing now.",
            "{kept:,} of {files} archived; of these {unfit:,} are damaged or missing now.",
            tally.unfit,
            kept=tally.kept,
            files=counted(tally.files, "file"),
            unfit=tally.unfit,
        )
    compared = "; ".join(_compared(facts))
    if not compared:
        return kept
    return f"{kept} " + tr("Compared on arrival: {compared}.", compared=compared)


def _compared(facts: Facts) -> Iterator[str]:
    proof, terms = facts.tally.proof, terms_of(facts.keeping)
    counts = (
        (terms.differ, facts.tally.differing),
        (terms.with_digest, proof.digest),
        (terms.with_size, proof.size),
        (terms.with_nothing, proof.nothing),
    )
    for words, count in counts:
        if count:
            yield words.format(files=counted(count, "file"))


def _ended(facts: Facts) -> str:
    keeping, tally = facts.keeping, facts.tally
    if keeping.status.is_success or tally.kept < tally.files:
        return ""
    return keeping.message or keeping.status.meaning.advice


def _damaged(facts: Facts) -> str:
    checks, tally = facts.checks, facts.tally
    if not checks.failed:
        return ""
    damaged = plural(
        "{count:,} record of it was damaged or missing when last read",
        "{count:,} records of it were damaged or missing when last read",
        checks.failed,
        count=checks.failed,
    )
    affected = plural(
        "{count:,} file is affected", "{count:,} files are affected", tally.unfit, count=tally.unfit
    )
    if not tally.unfit:
        affected = _none_affected(checks)
    return f"{damaged}; {affected}."


def _none_affected(checks: Checks) -> str:
    """Return that no file is affected; and why, where bytes of files were in these records."""
    if any(each.is_earlier for each in checks.failures):
        return tr("no file listed here is affected")
    if not any(each.files for each in checks.failures):
        return tr("no file is affected")
    return plural(
        "no file is affected, as the same bytes are intact in another record",
        "no file is affected, as the bytes of files in them are intact in other records",
        checks.failed,
    )


def _result(facts: Facts) -> str:
    checks = facts.checks
    if not checks.found_then:
        return tr("all intact.")
    repaired = checks.repaired or Repaired(0, "")
    at = moment(repaired.at) if repaired.at else ""
    return f"{found_by_last(checks.found_then, repaired.records, at)}."
