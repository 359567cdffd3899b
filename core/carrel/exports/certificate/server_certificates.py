# SPDX-License-Identifier: AGPL-3.0-or-later
"""The certificate that a server sent, as a WARC has it (RFC 8555, 9.1)."""

import hashlib
import ssl
from dataclasses import dataclass, replace

from carrel.model.iso_time import iso_time

_BEGIN, _END = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"


@dataclass(frozen=True, slots=True)
class ServerCertificate:
    """A certificate by the SHA-256 of its DER. Subject, issuer (RFC 4514) and validity (UTC, ISO
    8601) are None where the library that reads them is not installed, or they cannot be read."""

    sha256: str
    subject: str | None = None
    issuer: str | None = None
    not_before: str | None = None
    not_after: str | None = None


def certificate_in(block: bytes) -> ServerCertificate | None:
    """Return the first certificate in a chain (PEM), the server's own; None if there is none."""
    start, end = block.find(_BEGIN), block.find(_END)
    if start < 0 or end < start:
        return None
    try:
        pem = block[start : end + len(_END)].decode("ascii")
        der = ssl.PEM_cert_to_DER_cert(pem)
    except ValueError:
        return None
    return _described(der, ServerCertificate(hashlib.sha256(der).hexdigest()))


def _described(der: bytes, found: ServerCertificate) -> ServerCertificate:
    try:
        from cryptography.x509 import load_der_x509_certificate
    except ImportError:  # an extra
        return found
    try:
        certificate = load_der_x509_certificate(der)
        return replace(
            found,
            subject=certificate.subject.rfc4514_string(),
            issuer=certificate.issuer.rfc4514_string(),
            not_before=iso_time(certificate.not_valid_before_utc),
            not_after=iso_time(certificate.not_valid_after_utc),
        )
    except ValueError:
        return found
