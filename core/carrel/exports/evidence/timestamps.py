# SPDX-License-Identifier: AGPL-3.0-or-later
"""Time stamps (RFC 3161): what an authority says was there at a moment, as `openssl ts` reads it.

The authority gets a SHA-256, and learns that something happened; nothing else is sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from carrel.causes import reason_of
from carrel.credentials import Credentials
from carrel.errors import CarrelError, UsageError
from carrel.exports.evidence.cms import InvalidSignature, checked_signed_data
from carrel.exports.evidence.keys import certificates_in
from carrel.exports.evidence.library import need_library
from carrel.translation import tr

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

_HEADERS = {
    "Content-Type": "application/timestamp-query",
    "Accept": "application/timestamp-reply",
}


class InvalidTimestamp(CarrelError):
    """A time stamp is not one of this content, or none at all; `str` says why."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A time stamp that fits its content: when, by whose certificate, and which others came along.

    `accuracy_s` is how far off it may be, None where the authority does not say.
    """

    moment: datetime
    certificate: "Certificate"
    others: "Sequence[Certificate]"
    accuracy_s: float | None = None


@dataclass(frozen=True, slots=True)
class Authority:
    """A time-stamp authority at an address; `certificates` are those of it that are known before,
    up to the root."""

    url: str
    credentials: Credentials
    certificates: "Sequence[Certificate]" = ()

    @classmethod
    def at(cls, url: str, certificates: str, credentials: Credentials) -> "Authority":
        """Return the authority at an address, its certificates from a file. Raises UsageError."""
        need_library()
        return cls(url, credentials, certificates_in(certificates) if certificates else ())

    def stamp(self, content: bytes) -> "tuple[bytes, Sequence[Certificate]]":
        """Return a time stamp over a content, as the authority sent it, and the certificates that
        prove it, the authority's own first.

        It is checked before it is taken: the digest, the number that was sent along, the
        signature, and whether it leads to a root that was given. Raises UsageError.
        """
        from rfc3161_client import TimestampRequestBuilder
        from rfc3161_client.base import HashAlgorithm

        building = TimestampRequestBuilder().data(content).hash_algorithm(HashAlgorithm.SHA256)
        request = building.nonce(nonce=True).cert_request(cert_request=True).build()
        answer = self._asked(request.as_bytes())
        try:
            found = checked_timestamp(answer, content, nonce=request.nonce)
            self._check_root(answer, content)
        except InvalidTimestamp as error:
            raise UsageError(
                tr("The time stamp of {url} was not taken: {why}.", url=self.url, why=error)
            ) from error
        every = [found.certificate, *found.others, *self.certificates]
        return answer, list(dict.fromkeys(every))

    def _asked(self, query: bytes) -> bytes:
        import httpx  # few have time stamps

        from carrel.exports.evidence.asking import answer_of

        try:
            return answer_of(self.url, query, _HEADERS, self.credentials)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            words = tr("{url} gave no time stamp: {why}", url=self.url, why=reason_of(error))
            raise UsageError(words) from error

    def _check_root(self, answer: bytes, content: bytes) -> None:
        roots = [each for each in self.certificates if each.subject == each.issuer]
        if roots:
            check_against(answer, content, roots)


def checked_timestamp(data: bytes, content: bytes, *, nonce: int | None = None) -> Timestamp:
    """Return what a time stamp over a content says. Raises InvalidTimestamp.

    That its certificate is to be trusted is not said: see `check_against`.
    """
    import hashlib

    from asn1crypto import cms, tsp
    from rfc3161_client.tsp import PKIStatus

    response = _decoded(data)
    if PKIStatus(response.status) is not PKIStatus.GRANTED:
        said = "; ".join(response.status_string) or PKIStatus(response.status).name
        raise InvalidTimestamp(tr("the authority refused: {said}", said=said[:200]))
    info = response.tst_info
    if nonce is not None and info.nonce != nonce:
        raise InvalidTimestamp(tr("it answers another request"))
    name = {
        "2.16.840.1.101.3.4.2.1": "sha256",
        "2.16.840.1.101.3.4.2.2": "sha384",
        "2.16.840.1.101.3.4.2.3": "sha512",
    }.get(info.message_imprint.hash_algorithm.dotted_string)
    if name is None:
        raise InvalidTimestamp(tr("it is of a digest that proves nothing"))
    if info.message_imprint.message != hashlib.new(name, content).digest():
        raise InvalidTimestamp(tr("it is of other content"))
    signed = cms.ContentInfo.load(response.time_stamp_token())["content"]
    inner = signed["encap_content_info"]
    if inner["content_type"].native != "tst_info":
        raise InvalidTimestamp(tr("it is no time stamp"))
    try:
        signature = checked_signed_data(signed, inner["content"].contents)
    except InvalidSignature as error:
        raise InvalidTimestamp(tr("its signature is not valid: {why}", why=error)) from error
    _check_purpose(signature.certificate)
    accuracy = tsp.TSTInfo.load(inner["content"].contents)["accuracy"].native
    return Timestamp(info.gen_time, signature.certificate, signature.others, _seconds(accuracy))


def check_against(data: bytes, content: bytes, roots: "Sequence[Certificate]") -> None:
    """Raise InvalidTimestamp unless a time stamp leads to one of these roots, as of its moment."""
    from rfc3161_client import VerifierBuilder
    from rfc3161_client.errors import VerificationError

    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(_decoded(data), content)
    except (VerificationError, ValueError) as error:
        raise InvalidTimestamp(
            tr("it leads to none of the trusted certificates: {why}", why=str(error)[:200])
        ) from error


def _decoded(data: bytes) -> Any:
    from rfc3161_client import decode_timestamp_response

    try:
        return decode_timestamp_response(data)
    except ValueError as error:
        raise InvalidTimestamp(tr("it is no time stamp")) from error


def _check_purpose(certificate: "Certificate") -> None:
    """Raise InvalidTimestamp for a certificate that is for something else (RFC 3161, 2.3)."""
    from cryptography import x509
    from cryptography.x509.oid import ExtendedKeyUsageOID

    try:
        found = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
        is_for_it = ExtendedKeyUsageOID.TIME_STAMPING in found.value
    except (x509.ExtensionNotFound, ValueError):
        is_for_it = False
    if not is_for_it:
        raise InvalidTimestamp(tr("its certificate is none of a time-stamp authority"))


def _seconds(accuracy: Any) -> float | None:
    if not accuracy:
        return None
    parts = (accuracy.get("seconds"), accuracy.get("millis"), accuracy.get("micros"))
    return sum((part or 0) / unit for part, unit in zip(parts, (1, 1e3, 1e6), strict=True))
