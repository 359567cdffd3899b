# SPDX-License-Identifier: AGPL-3.0-or-later
"""Detached signatures in the Cryptographic Message Syntax (RFC 5652), as `openssl cms` reads them.

Signed is the SHA-256 of the content, together with the moment that the signer states and the
digest of the signer's certificate (CAdES-BES: RFC 5126, 5.7.3.2), as bag-nabit has it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from carrel.errors import CarrelError
from carrel.translation import tr

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from carrel.exports.evidence.keys import Signer

_HEAD, _FOOT = b"-----BEGIN CMS-----", b"-----END CMS-----"
_LINE = 64
_DIGESTS = {"sha256", "sha384", "sha512"}


class InvalidSignature(CarrelError):
    """A signature is not one of this content, or no signature at all; `str` says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that fits its content: whose certificate, which others came along, and the moment
    that it states (None if it states none)."""

    certificate: "Certificate"
    others: "Sequence[Certificate]"
    moment: datetime | None


def signature_over(content: bytes, signer: "Signer", moment: datetime) -> bytes:
    """Return a detached signature over a content, as PEM."""
    from asn1crypto import cms, pem
    from cryptography.hazmat.primitives.serialization import Encoding

    chain = [each.public_bytes(Encoding.DER) for each in signer.certificates]
    attributes = _attributes(content, chain[0], moment)
    signed = cms.SignedData(
        {
            "version": "v1",
            "digest_algorithms": [{"algorithm": "sha256"}],
            "encap_content_info": {"content_type": "data"},
            "certificates": [
                cms.CertificateChoices("certificate", _parsed(each)) for each in chain
            ],
            "signer_infos": [_signer_info(signer, chain[0], attributes)],
        }
    )
    whole = cms.ContentInfo({"content_type": "signed_data", "content": signed}).dump()
    return bytes(pem.armor("CMS", whole))


def checked_signature(data: bytes, content: bytes) -> Signature:
    """Return who signed a content, by a detached signature (PEM or DER).

    Raises InvalidSignature.
    """
    return checked_signed_data(_signed_data(data), content)


def checked_signed_data(signed: Any, content: bytes) -> Signature:
    """Return who signed a content, by a SignedData of asn1crypto. Raises InvalidSignature."""
    try:
        infos = signed["signer_infos"]
        if len(infos) != 1:
            raise InvalidSignature(tr("it has {count} signers instead of one", count=len(infos)))
        certificates = _certificates(signed)
        signer = next((each for each in certificates if _is_of(infos[0], each)), None)
        if signer is None:
            raise InvalidSignature(tr("it does not contain the certificate of its signer"))
        moment = _check(infos[0], signer, content)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise InvalidSignature(tr("it cannot be read: {error}", error=str(error)[:200])) from error
    return Signature(signer, [each for each in certificates if each != signer], moment)


def _attributes(content: bytes, certificate: bytes, moment: datetime) -> Any:
    from asn1crypto import cms, tsp

    second = moment.replace(microsecond=0)
    form = "utc_time" if second.year < 2050 else "general_time"  # RFC 5652, 11.3
    identity = tsp.SigningCertificateV2(
        {"certs": [tsp.ESSCertIDv2({"cert_hash": hashlib.sha256(certificate).digest()})]}
    )
    values = {
        "content_type": "data",
        "signing_time": cms.Time(form, second),
        "message_digest": hashlib.sha256(content).digest(),
        "signing_certificate_v2": identity,
    }
    return cms.CMSAttributes([{"type": name, "values": [each]} for name, each in values.items()])


def _signer_info(signer: "Signer", certificate: bytes, attributes: Any) -> dict[str, Any]:
    parsed = _parsed(certificate)
    return {
        "version": "v1",
        "sid": {
            "issuer_and_serial_number": {
                "issuer": parsed.issuer,
                "serial_number": parsed.serial_number,
            }
        },
        "digest_algorithm": {"algorithm": "sha256"},
        "signed_attrs": attributes,
        "signature_algorithm": {"algorithm": signer.algorithm},
        "signature": signer.signature_of(attributes.dump()),
    }


def _choice(der: bytes) -> Any:
    from asn1crypto import cms

    return cms.CertificateChoices("certificate", _parsed(der))


def _parsed(der: bytes) -> Any:
    from asn1crypto import x509

    return x509.Certificate.load(der)


def _signed_data(data: bytes) -> Any:
    from asn1crypto import cms, pem

    try:
        der = pem.unarmor(data)[2] if pem.detect(data) else data
        info = cms.ContentInfo.load(der, strict=True)
        if info["content_type"].native != "signed_data":
            raise InvalidSignature(tr("it is no signature"))
        return info["content"]
    except (ValueError, TypeError, KeyError) as error:
        raise InvalidSignature(tr("it is no signature")) from error


def _certificates(signed: Any) -> "list[Certificate]":
    from cryptography.x509 import load_der_x509_certificate

    listed = signed["certificates"]
    return [
        load_der_x509_certificate(each.chosen.dump())
        for each in (listed or ())
        if each.name == "certificate"
    ]


def _is_of(info: Any, certificate: "Certificate") -> bool:
    from cryptography.x509 import SubjectKeyIdentifier
    from cryptography.x509.extensions import ExtensionNotFound

    name, chosen = info["sid"].name, info["sid"].chosen
    if name == "issuer_and_serial_number":
        named = chosen["issuer"].dump(), chosen["serial_number"].native
        return bool(named == (certificate.issuer.public_bytes(), certificate.serial_number))
    try:
        found = certificate.extensions.get_extension_for_class(SubjectKeyIdentifier)
    except ExtensionNotFound:
        return False
    return bool(found.value.digest == chosen.native)


def _check(info: Any, certificate: "Certificate", content: bytes) -> datetime | None:
    """Return the moment that a signer states. Raises InvalidSignature."""
    algorithm = info["digest_algorithm"]["algorithm"].native
    if algorithm not in _DIGESTS:
        raise InvalidSignature(tr("it uses {algorithm}, which proves nothing", algorithm=algorithm))
    attributes = info["signed_attrs"]
    if not attributes:
        _verify(info, certificate, content, algorithm)
        return None
    known = {each["type"].native: each["values"] for each in attributes}
    if len(known) != len(attributes) or len(known["message_digest"]) != 1:
        raise InvalidSignature(tr("it states something twice"))
    if known["message_digest"][0].native != hashlib.new(algorithm, content).digest():
        raise InvalidSignature(tr("it is of other content: what was signed was changed since"))
    _check_identity(known, certificate)
    _verify(info, certificate, attributes.untag().dump(), algorithm)
    times = known.get("signing_time")
    return times[0].native if times else None


def _check_identity(known: dict[str, Any], certificate: "Certificate") -> None:
    """Raise InvalidSignature if the signed attributes name another certificate (CAdES)."""
    from cryptography.hazmat.primitives.serialization import Encoding

    der = certificate.public_bytes(Encoding.DER)
    for name, usual in (("signing_certificate_v2", "sha256"), ("signing_certificate", "sha1")):
        if name not in known:
            continue
        first = known[name][0]["certs"][0]
        by = first["hash_algorithm"]["algorithm"].native if "v2" in name else usual
        if first["cert_hash"].native != hashlib.new(by, der).digest():
            raise InvalidSignature(tr("it names another certificate than the one it contains"))


def _verify(info: Any, certificate: "Certificate", signed: bytes, algorithm: str) -> None:
    from cryptography import exceptions
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

    key, value = certificate.public_key(), info["signature"].native
    digest = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
    by = info["signature_algorithm"]
    try:
        # The digest of the signature algorithm, where it names one, is that of the attributes.
        if by.signature_algo == "ecdsa" and isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(value, signed, ec.ECDSA(digest[by.hash_algo]))
        elif by.signature_algo == "rsassa_pkcs1v15" and isinstance(key, rsa.RSAPublicKey):
            is_plain = by["algorithm"].native == "rsassa_pkcs1v15"
            name = algorithm if is_plain else by.hash_algo
            key.verify(value, signed, padding.PKCS1v15(), digest[name])
        elif by.signature_algo == "rsassa_pss" and isinstance(key, rsa.RSAPublicKey):
            name = by.hash_algo
            pss = padding.PSS(padding.MGF1(digest[name]), by["parameters"]["salt_length"].native)
            key.verify(value, signed, pss, digest[name])
        else:
            raise InvalidSignature(tr("its kind of key is not known here"))
    except exceptions.InvalidSignature as error:
        raise InvalidSignature(tr("it was not made by the key of its certificate")) from error
