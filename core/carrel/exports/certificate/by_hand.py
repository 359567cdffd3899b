# SPDX-License-Identifier: AGPL-3.0-or-later
"""How what a certificate states is checked without Carrel, by commands that every system has."""

from collections.abc import Iterator

from carrel.by_hand import CUT_RECORD, DECODED, DIGEST, OF_RESOURCE, OF_RESPONSE, OF_TAR, OF_ZIP
from carrel.exports.certificate.document import Block, Commands, Paragraph
from carrel.exports.certificate.facts import Facts
from carrel.translation import tr


def without_carrel(facts: Facts) -> Iterator[Block]:
    """Yield how files, WARC files, servers and signatures are checked."""
    if facts.tally.warcs:
        yield from _payloads()
    if facts.keeping.bundle:
        yield from _members()
    if facts.captured.is_read:
        yield from _warcs()
    yield from _signatures()
    yield Paragraph(
        tr(
            "README.txt in the archive's folder explains the rest. The facts stated here are also "
            "a JSON document, whose SHA-256 is printed below: “sha256sum” compares them."
        )
    )


def _payloads() -> Iterator[Block]:
    """Yield how a file is cut out: what stands before its bytes depends on the record's type."""
    yield Paragraph(
        tr(
            "The WARC files open with any tool for web archives. To cut one record out with "
            "the file, offset and length that the list of files gives:"
        )
    )
    yield Commands(CUT_RECORD)
    yield Paragraph(
        tr(
            "Its first lines name its type. “WARC-Type: response” has WARC headers, HTTP headers "
            "and the stored payload of SIZE bytes; to compute the SHA-256 of that:"
        )
    )
    yield Commands((*OF_RESPONSE, *DIGEST))
    yield Paragraph(
        tr(
            "“WARC-Type: resource”, as of files that were imported from a folder or a bag, has no "
            "HTTP headers:"
        )
    )
    yield Commands((*OF_RESOURCE, *DIGEST))
    yield Paragraph(
        tr(
            "Where the list of files says “stored as sent”, SIZE and SHA-256 of the stored payload "
            "are those that stand there. Its Content-Encoding is in the HTTP headers; of gzip, "
            "this computes the SHA-256 of the file:"
        )
    )
    yield Commands(DECODED)


def _members() -> Iterator[Block]:
    yield Paragraph(
        tr(
            "Of a file that is “in the bundle as” MEMBER, the record has the bundle, whose size "
            "and SHA-256 are stated above. To take the files out of it, if it is a ZIP file, or "
            "else a tar file, and to compute the SHA-256 of one:"
        )
    )
    yield Commands(OF_ZIP)
    yield Commands(OF_TAR)


def _warcs() -> Iterator[Block]:
    yield Paragraph(
        tr(
            "To compare a WARC file with its SHA-256 above; and to list the certificates that "
            "servers sent, with their subjects, from the WARC file:"
        )
    )
    yield Commands(
        [
            "sha256sum FILE",
            "gzip -dc FILE | sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' > chain.pem",
            "openssl x509 -in chain.pem -noout -subject -dates -fingerprint -sha256",
        ]
    )


def _signatures() -> Iterator[Block]:
    yield Paragraph(
        tr(
            "If a signature lies beside this document (.p7s) and a time stamp (.tsr), openssl "
            "verifies both, without a network:"
        )
    )
    yield Commands(
        [
            "openssl cms -verify -binary -inform PEM -in DOCUMENT.p7s -content DOCUMENT "
            "-CAfile ROOT.pem -out /dev/null",
            "openssl ts -verify -data DOCUMENT.p7s -in DOCUMENT.p7s.tsr -CAfile ROOT.pem",
        ]
    )
