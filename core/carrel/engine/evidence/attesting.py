# SPDX-License-Identifier: AGPL-3.0-or-later
"""Who attests what is handed on: as the person decides, with the keys that they have."""

from datetime import UTC, datetime

from carrel.credentials import Credentials
from carrel.exports.evidence.attesting import Attesting
from carrel.exports.evidence.keys import signer_of
from carrel.exports.evidence.timestamps import Authority
from carrel.model.evidence import Signing
from carrel.settings import Settings


def attesting_by(
    signing: Signing, credentials: Credentials, settings: Settings
) -> tuple[Attesting, bool]:
    """Return what attests, and whether its key is one that lasts. Raises UsageError."""
    name = settings.warc.operator
    signer, is_lasting = signer_of(signing, credentials, name, lambda: datetime.now(UTC))
    authority = None
    if signing.authority:
        given = signing.authority_certificates
        authority = Authority.at(signing.authority, given, credentials)
    return Attesting(signer, authority, lambda: datetime.now(UTC)), is_lasting
