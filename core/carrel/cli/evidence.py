# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel verify --evidence`: signatures and time stamps, checked without a network."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import printable, say
from carrel.engine.evidence.checking import checked_evidence
from carrel.model.counts import counted
from carrel.model.evidence import Attestation, EvidenceReport, Standing
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 100
_KINDS = {"signature": tr("Signature"), "time stamp": tr("Time stamp")}


def verify_evidence(paths: Sequence[Path], trusted: Sequence[str], *, as_json: bool) -> bool:
    """Check, tell what was found, and return whether all is as it has to be. Raises UsageError."""
    with bytes_bar("verifying") as tell:
        reports = checked_evidence(paths, trusted, tell)
    for report in reports:
        if as_json:
            print_json(report.to_json())
        else:
            for line in _lines(report, has_roots=bool(trusted)):
                say(printable(line))
    return all(report.is_sound for report in reports)


def _lines(report: EvidenceReport, *, has_roots: bool) -> Iterator[str]:
    yield tr("{path}:", path=report.path)
    if report.trouble:
        yield f"  {report.trouble}"
        return
    for each in report.attestations:
        yield from _attestation(each)
    yield from _files(report)
    yield f"  {_sum(report)}"
    if not has_roots:
        yield "  " + tr(
            "Who signed is not proven: compare the SHA-256 of the certificates with what their "
            "owners publish, or name certificates that you trust with --trust."
        )
    yield "  " + tr(
        "This does not prove that what was signed is true, nor that a certificate was not "
        "revoked: a network would be needed for that."
    )


def _attestation(each: Attestation) -> Iterator[str]:
    kind = _KINDS[each.kind]
    if each.standing is Standing.INVALID:
        words = tr(
            "{kind} over {file}: NOT VALID: {why}.", kind=kind, file=each.of, why=each.message
        )
    elif each.signer is None:
        words = tr("{kind} over {file}: of this content.", kind=kind, file=each.of)
    else:
        words = tr("{kind} over {file}: valid.", kind=kind, file=each.of)
    yield f"  {words}"
    if each.signer is None:
        if each.standing is Standing.UNTRUSTED:
            yield f"    {each.message}"
        return
    by = each.signer
    if not by.subject:  # a key without a certificate
        yield "    " + tr("key SHA-256 {sha256}", sha256=by.key_sha256)
        return
    yield "    " + tr("by {subject}, issued by {issuer}", subject=by.subject, issuer=by.issuer)
    yield "    " + tr("certificate SHA-256 {sha256}", sha256=by.sha256)
    yield "    " + tr("key SHA-256 {sha256}", sha256=by.key_sha256)
    yield "    " + tr("valid from {begin} to {end}", begin=by.not_before, end=by.not_after)
    if each.moment and each.kind == "time stamp":
        yield "    " + tr("it was there at {moment}", moment=each.moment)
    elif each.moment:
        yield "    " + tr("the signer states the time {moment}", moment=each.moment)
    if each.root:
        yield "    " + tr("it leads to the trusted certificate {root}", root=each.root)
    elif each.standing is Standing.UNTRUSTED:
        yield "    " + tr("not compared with a trusted certificate")


def _files(report: EvidenceReport) -> Iterator[str]:
    for each in report.faults[:_MOST_SHOWN]:
        yield f"  {each.fate}: {each.file}. {each.message}"
    if (more := report.fault_count - _MOST_SHOWN) > 0:
        yield "  " + tr("… and {more:,} more; --json lists them", more=more)


def _sum(report: EvidenceReport) -> str:
    read = f"{counted(report.files, 'file')} ({in_words(report.size)})"
    if report.fault_count:
        files = counted(report.fault_count, "file")
        return tr("{files} not as they were attested; {read} read.", files=files, read=read)
    if not report.files and not report.is_sound:
        return tr("Nothing proves that the document is as it was attested.")
    if not report.files:
        return tr("The document is as it was attested.")
    return tr("All {read} are as listed in {lists}.", read=read, lists=", ".join(report.manifests))
