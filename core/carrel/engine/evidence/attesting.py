# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who attests what is handed on: as the person decides, with the keys that they have."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from carrel.credentials import Credentials
from carrel.errors import UsageError
from carrel.exports.evidence.attesting import CERTIFICATES, SIGNATURE, TIMESTAMP, Attesting
from carrel.exports.evidence.keys import PASSPHRASE_VARIABLE, needs_passphrase, signer_of
from carrel.exports.evidence.timestamps import Authority
from carrel.exports.options import check_signing
from carrel.model.evidence import Signing
from carrel.settings import Settings
from carrel.translation import tr
from carrel.whole_file import whole_file

__all__ = [
    "PASSPHRASE_VARIABLE",
    "Attesting",
    "attest_document",
    "attesting_by",
    "check_signing",
    "needs_passphrase",
    "signing_set_up",
]
_ENDINGS = (
    *(SIGNATURE, SIGNATURE + CERTIFICATES, TIMESTAMP, TIMESTAMP + CERTIFICATES),
    *(SIGNATURE + TIMESTAMP, SIGNATURE + TIMESTAMP + CERTIFICATES),
)


def signing_set_up(settings: Settings) -> Signing:
    """Return how the window signs: as the settings say, not at all by default."""
    chosen = settings.signatures
    return Signing(
        chosen.key,
        chosen.certificates,
        authority=chosen.authority,
        authority_certificates=chosen.authority_certificates,
    )


def attesting_by(
    signing: Signing, credentials: Credentials, settings: Settings
) -> tuple[Attesting, bool]:
    """Return what attests, and whether its key is one that lasts. Raises UsageError."""
    name = settings.warc.operator
    try:
        signer, is_lasting = signer_of(signing, credentials, name, lambda: datetime.now(UTC))
        authority = None
        if signing.authority:
            given = signing.authority_certificates
            authority = Authority.at(signing.authority, given, credentials)
    except UsageError as error:
        if setting := _setting_of(str(error), settings):
            raise UsageError(f"{error} {setting}") from error
        raise
    return Attesting(signer, authority, lambda: datetime.now(UTC)), is_lasting


def _setting_of(trouble: str, settings: Settings) -> str:
    """Return that the file with which something is wrong is a setting's, "" if it is not."""
    chosen = settings.signatures
    files = {
        "signatures.key": (tr("Sign with"), chosen.key),
        "signatures.certificates": (tr("Certificates of the key"), chosen.certificates),
        "signatures.authority_certificates": (
            tr("Certificates of the authority"),
            chosen.authority_certificates,
        ),
    }
    for name, (label, path) in files.items():
        if path and trouble.startswith(path):
            words = tr("This file is named by the setting “{label}” ({name}).")
            return words.format(label=label, name=name)
    return ""


def attest_document(path: Path, attesting: Attesting) -> Sequence[Path]:
    """Write what attests a document beside it; return the files. They take the place of older ones,
    which would be of another document. Raises UsageError and OSError.
    """
    for stale in _ENDINGS:
        path.with_name(path.name + stale).unlink(missing_ok=True)
    written = []
    for name, content in list(attesting.over(path.name, path.read_bytes())):
        with whole_file(path.with_name(name)) as file:
            file.write(content)
        written.append(path.with_name(name))
    return written
