# SPDX-License-Identifier: AGPL-3.0-or-later
"""Writing a certificate in one of its forms."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import BinaryIO

from carrel.archive import Archive
from carrel.exports.certificate.certificate import Certificate
from carrel.exports.certificate.reading import Tell, certificate_of
from carrel.model.certificate import CertificateForm, Certified
from carrel.whole_file import whole_file


def write_certificate(
    archive: Archive,
    ingest_id: str,
    output: Path | BinaryIO,
    form: CertificateForm,
    issued: date,
    tell: Tell,
    *,
    reads_warcs: bool = True,
) -> Certified:
    """Write the certificate of what an attempt keeps, and return what it certifies.

    A file is there whole or not at all. Raises UsageError for an attempt that is not there or keeps
    nothing, NotDrawn, ArchiveError, and OSError with the path.
    """
    reading = certificate_of(archive, ingest_id, issued, tell, reads_warcs=reads_warcs)
    with reading as certificate:
        written = _pieces(certificate, form)
        if isinstance(output, Path):
            with whole_file(output) as file:
                file.writelines(written)
        else:
            output.writelines(written)
        facts = certificate.facts
        tell(facts.tally.files, facts.tally.files)
        return Certified(
            ingest_id=ingest_id,
            sha256=certificate.sha256,
            files=facts.tally.files,
            kept=facts.tally.kept,
            failed=facts.checks.failed,
            verified=facts.checks.verified,
        )


def _pieces(certificate: Certificate, form: CertificateForm) -> Iterator[bytes]:
    match form:
        case CertificateForm.JSON:
            return certificate.data()
        case CertificateForm.HTML:
            from carrel.exports.certificate import html

            return html.pieces(certificate)
        case CertificateForm.PDF:
            from carrel.exports.certificate import pdf  # its library is large

            return pdf.pieces(certificate)
