# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whether a certificate leads to one that is trusted, at a moment (RFC 5280, 6)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from carrel.errors import CarrelError
from carrel.exports.evidence.keys import public_bytes
from carrel.model.evidence import CertificateNamed
from carrel.model.iso_time import iso_time
from carrel.translation import tr

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


class NotTrusted(CarrelError):
    """A certificate leads to none of the trusted ones; `str` says why."""


def root_of(
    certificate: "Certificate",
    others: "Sequence[Certificate]",
    roots: "Sequence[Certificate]",
    at: datetime,
) -> "Certificate":
    """Return the trusted certificate that one leads to, valid at a moment. Raises NotTrusted.

    One that is trusted itself leads to itself, as a key's own certificate has to. What a
    certificate may be used for is not asked: institutions sign with those they have.
    """
    from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

    if certificate in roots:
        _check_period(certificate, at)
        return certificate
    if not roots:
        raise NotTrusted(tr("no certificate is trusted"))
    # Deliberately not the web's rules: those are for servers.
    of_ca, of_signer = _policies()
    policy = PolicyBuilder().store(Store(list(roots))).time(at)
    verifier = policy.extension_policies(ca_policy=of_ca, ee_policy=of_signer)
    try:
        found = verifier.build_client_verifier().verify(certificate, list(others))
    except (VerificationError, ValueError) as error:
        words = tr(
            "its certificate leads to none that is trusted: {reason}", reason=str(error)[:200]
        )
        raise NotTrusted(words) from error
    return found.chain[-1]


def named(certificate: "Certificate") -> CertificateNamed:
    """Return what a certificate says of itself."""
    import hashlib

    from cryptography.hazmat.primitives.hashes import SHA256

    return CertificateNamed(
        certificate.subject.rfc4514_string(),
        certificate.issuer.rfc4514_string(),
        iso_time(certificate.not_valid_before_utc),
        iso_time(certificate.not_valid_after_utc),
        certificate.fingerprint(SHA256()).hex(),
        hashlib.sha256(public_bytes(certificate.public_key())).hexdigest(),
    )


def _check_period(certificate: "Certificate", at: datetime) -> None:
    moment = at.astimezone(UTC)
    if not certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc:
        raise NotTrusted(tr("its certificate was not valid at {moment}", moment=iso_time(moment)))


def _policies() -> tuple[Any, Any]:
    from cryptography import x509
    from cryptography.x509.verification import Criticality, ExtensionPolicy

    def is_authority(policy: Any, certificate: Any, constraints: x509.BasicConstraints) -> None:
        if not constraints.ca:
            raise ValueError("a certificate above it is none of an authority")

    def may_certify(policy: Any, certificate: Any, usage: x509.KeyUsage | None) -> None:
        if usage is not None and not usage.key_cert_sign:
            raise ValueError("a certificate above it may not sign others")

    anything = ExtensionPolicy.permit_all()
    of_ca = anything.require_present(x509.BasicConstraints, Criticality.AGNOSTIC, is_authority)
    return of_ca.may_be_present(x509.KeyUsage, Criticality.AGNOSTIC, may_certify), anything
