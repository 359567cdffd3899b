# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who signs: the person, with a key in the keyring and a certificate that the key has signed
itself; or the institution, with a key and certificates in files (PEM).

One key serves all that Carrel signs: manifests, documents, and WACZ where it is of the curve P-384.
"""

import base64
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carrel.credentials import Credentials
from carrel.errors import NoKeyring, UsageError
from carrel.exports.evidence.library import need_library
from carrel.model.evidence import KEYRING, Signing
from carrel.translation import tr

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

PASSPHRASE_VARIABLE = "CARREL_SIGNING_PASSPHRASE"  # noqa: S105 - the name alone
# RFC 5280, 4.1.2.5: a certificate that has no end of its own.
_NO_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_MOST_BYTES = 1024 * 1024
_CURVES = {"secp256r1", "secp384r1", "secp521r1"}


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key and its certificates, its own first."""

    key: Any = field(repr=False)
    certificates: "Sequence[Certificate]"

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key (SPKI, DER)."""
        return hashlib.sha256(public_bytes(self.key.public_key())).hexdigest()

    @property
    def algorithm(self) -> str:
        """How asn1crypto calls what the key signs by."""
        return "sha256_rsa" if _is_rsa(self.key) else "sha256_ecdsa"

    def signature_of(self, content: bytes) -> bytes:
        """Return a signature over a content: of RSA, or of ECDSA as ASN.1 has it."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric import ec, padding
        from cryptography.hazmat.primitives.hashes import SHA256

        signed: bytes
        if _is_rsa(self.key):
            signed = self.key.sign(content, padding.PKCS1v15(), SHA256())
            return signed
        try:
            way = ec.ECDSA(SHA256(), deterministic_signing=True)  # RFC 6979
        except UnsupportedAlgorithm:  # before OpenSSL 3.2
            way = ec.ECDSA(SHA256())
        signed = self.key.sign(content, way)
        return signed


def signer_of(
    signing: Signing, credentials: Credentials, name: str, now: Callable[[], datetime]
) -> tuple[Signer | None, bool]:
    """Return who signs, None for no one, and whether the key is one that lasts: where there is no
    keyring, one is made for now alone. `name` is whom a certificate of the keyring's key names.

    Raises UsageError.
    """
    if not signing.key:
        return None, True
    need_library()
    if signing.key == KEYRING:
        return _of_keyring(credentials, name, now)
    return _of_files(signing, credentials), True


def needs_passphrase(key: str) -> bool:
    """Say whether a file has a private key that a passphrase protects. Raises UsageError."""
    return key not in ("", KEYRING) and b"ENCRYPTED" in _read(key)


def made() -> str:
    """Return a new key of the curve P-384, as a text in one line."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    secret: bytes = ec.generate_private_key(ec.SECP384R1()).private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return base64.b64encode(secret).decode()


def public_bytes(key: Any) -> bytes:
    """Return a public key as SPKI, in DER."""
    from cryptography.hazmat.primitives import serialization

    found: bytes = key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return found


def pem_of(certificates: "Sequence[Certificate]") -> bytes:
    """Return certificates as PEM, one after the other."""
    from cryptography.hazmat.primitives.serialization import Encoding

    return b"".join(each.public_bytes(Encoding.PEM) for each in certificates)


def certificates_in(path: str) -> "Sequence[Certificate]":
    """Return the certificates in a file (PEM). Raises UsageError where there is none."""
    from cryptography.x509 import load_pem_x509_certificates

    content = _read(path)
    try:
        return load_pem_x509_certificates(content)
    except ValueError as error:
        words = tr("{path} has no certificate (PEM).", path=path)
        raise UsageError(words) from error


def _of_keyring(
    credentials: Credentials, name: str, now: Callable[[], datetime]
) -> tuple[Signer, bool]:
    try:
        key = _loaded(credentials.signing_key(made))
        stored = credentials.signing_certificate(
            lambda: _in_text(_certified(key, name, now())),
            lambda text: _is_certificate_of(text, key, name),
        )
        return Signer(key, [_of_text(stored)]), True
    except NoKeyring:
        key = _loaded(made())
        return Signer(key, [_certified(key, name, now())]), False


def _loaded(secret: str) -> Any:
    """Return the key that `made` returned. Raises UsageError."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        key = serialization.load_der_private_key(base64.b64decode(secret), None)
    except ValueError as error:
        words = tr("The signing key in the keyring is damaged; remove the entry “signing-key”.")
        raise UsageError(words) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp384r1":
        raise UsageError(tr("The signing key in the keyring is of another kind than P-384."))
    return key


def _certified(key: Any, name: str, moment: datetime) -> "Certificate":
    """Return a certificate of a key by itself: it says who claims the key, and no one vouches."""
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256

    subject = _subject(name)
    usage = x509.KeyUsage(
        *(True, True, False, False, False, False, False),
        encipher_only=False,
        decipher_only=False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment - timedelta(seconds=1))
        .not_valid_after(_NO_END)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )


def _subject(name: str) -> Any:
    from cryptography import x509

    common = " ".join(name.split())[:64] or "Carrel"  # RFC 5280, ub-common-name
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])


def _in_text(certificate: "Certificate") -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()


def _of_text(text: str) -> "Certificate":
    from cryptography.x509 import load_der_x509_certificate

    return load_der_x509_certificate(base64.b64decode(text))


def _is_certificate_of(text: str, key: Any, name: str) -> bool:
    try:
        found = _of_text(text)
        is_same = public_bytes(found.public_key()) == public_bytes(key.public_key())
    except ValueError:
        return False
    return is_same and found.subject == _subject(name)


def _of_files(signing: Signing, credentials: Credentials) -> Signer:
    key = _key_in(signing.key, _passphrase(signing, credentials))
    path = signing.certificates or signing.key
    certificates = list(certificates_in(path))
    own = public_bytes(key.public_key())
    first = next((each for each in certificates if public_bytes(each.public_key()) == own), None)
    if first is None:
        words = tr("{path} has no certificate of the key in {key}.", path=path, key=signing.key)
        raise UsageError(words)
    return Signer(key, [first, *(each for each in certificates if each != first)])


def _passphrase(signing: Signing, credentials: Credentials) -> bytes | None:
    if not needs_passphrase(signing.key):
        return None
    found = signing.passphrase or os.environ.get(PASSPHRASE_VARIABLE)
    found = found or credentials.signing_passphrase()
    if not found:
        words = tr(
            "{path} is protected by a passphrase. Set it in {variable}, or store it in the "
            "keyring: “keyring set carrel signing-passphrase”.",
            path=signing.key,
            variable=PASSPHRASE_VARIABLE,
        )
        raise UsageError(words)
    return found.encode()


def _key_in(path: str, passphrase: bytes | None) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key: Any = load_pem_private_key(_read(path), passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        words = tr(
            "{path} has no private key (PEM) that can be read, or the passphrase is another one.",
            path=path,
        )
        raise UsageError(words) from error
    is_curve = isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name in _CURVES
    if not (is_curve or (_is_rsa(key) and key.key_size >= 2048)):
        words = tr(
            "The key in {path} is of a kind that Carrel does not sign with: it signs with RSA of "
            "2048 bits or more, and with the curves P-256, P-384 and P-521.",
            path=path,
        )
        raise UsageError(words)
    return key


def _is_rsa(key: Any) -> bool:
    from cryptography.hazmat.primitives.asymmetric import rsa

    return isinstance(key, rsa.RSAPrivateKey)


def _read(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(_MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        words = tr("{path} cannot be read: {reason}.", path=path, reason=reason)
        raise UsageError(words) from error
