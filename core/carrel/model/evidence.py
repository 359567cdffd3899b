# SPDX-License-Identifier: AGPL-3.0-or-later
"""How evidence is to be signed and time-stamped, and what was found of it when it was checked."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

KEYRING = "keyring"
"""Stands for the person's own key, which is in the keyring of the system."""


@dataclass(frozen=True, slots=True)
class Signing:
    """What a person decides about signatures.

    `key` is KEYRING or a file with a private key (PEM), "" for no signature; `certificates` is a
    file with the key's certificate and those above it, "" where the key's file has them.
    `passphrase` opens the key, "" where the environment or the keyring has it. `authority` is the
    address of a time-stamp authority (RFC 3161), "" for none; `authority_certificates` is a file
    with its certificates up to the root, "" where only those in the time stamp are kept.
    """

    key: str = ""
    certificates: str = ""
    passphrase: str = field(default="", repr=False)
    authority: str = ""
    authority_certificates: str = ""

    def __bool__(self) -> bool:
        return bool(self.key or self.authority)


class Standing(StrEnum):
    """How a piece of evidence stands."""

    VALID = "valid"
    INVALID = "invalid"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class CertificateNamed:
    """A certificate, by its subject and issuer (RFC 4514), its validity (UTC, ISO 8601), its
    SHA-256 and that of its key (SPKI, DER)."""

    subject: str
    issuer: str
    not_before: str
    not_after: str
    sha256: str
    key_sha256: str


@dataclass(frozen=True, slots=True)
class Attestation:
    """A signature or a time stamp that was checked, in `file`, over `of`.

    `kind` is "signature" or "time stamp". `message` says what is wrong, or what was not checked.
    `root` is the subject of the trusted certificate that it leads to, "" for none. `moment` is what
    a time stamp proves, or what a signature only states (UTC, ISO 8601).
    """

    kind: str
    file: str
    of: str
    standing: Standing
    message: str = ""
    signer: CertificateNamed | None = None
    root: str = ""
    moment: str = ""

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


@dataclass(frozen=True, slots=True)
class FileFault:
    """A file that is not as a manifest lists it: `fate` is "changed", "missing", "unlisted" or
    "unreadable"."""

    file: str
    fate: str
    message: str


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """What was checked of one path: the signatures and time stamps, and the files of the manifests
    below them. `files` were compared, of them `faults` are the first ones that differ, of
    `fault_count`. `unsigned` are manifests without a signature or time stamp. `trouble` says why
    nothing could be checked, "" if something was.
    """

    path: str
    attestations: Sequence[Attestation] = ()
    manifests: Sequence[str] = ()
    files: int = 0
    size: int = 0
    faults: Sequence[FileFault] = ()
    fault_count: int = 0
    trouble: str = ""

    @property
    def is_sound(self) -> bool:
        """Whether every signature, time stamp and file is as it has to be."""
        return (
            not self.trouble
            and not self.fault_count
            and bool(self.attestations)
            and all(each.standing is not Standing.INVALID for each in self.attestations)
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "is_sound": self.is_sound,
            "attestations": [each.to_json() for each in self.attestations],
            "manifests": list(self.manifests),
            "files": self.files,
            "size": self.size,
            "fault_count": self.fault_count,
            "faults": [asdict(each) for each in self.faults],
            "error_message": self.trouble or None,
        }
