# SPDX-License-Identifier: AGPL-3.0-or-later
"""The options by which a person signs, and has time-stamped, what a command writes."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import click

from carrel.cli.output import STANDARD_OUTPUT
from carrel.cli.terminal import complain
from carrel.credentials import Credentials
from carrel.engine.evidence.attesting import (
    PASSPHRASE_VARIABLE,
    Attesting,
    attest_document,
    attesting_by,
    check_signing,
    needs_passphrase,
)
from carrel.errors import UsageError
from carrel.model.evidence import Signing
from carrel.settings import Settings
from carrel.translation import tr

F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option(
        "--sign",
        "sign_key",
        default="",
        metavar="KEY",
        help=tr(
            "Sign it: “keyring” is your own key, made if there is none; else a file with your "
            "institution's key (PEM)."
        ),
    ),
    click.option(
        "--certificate",
        "sign_certificates",
        default="",
        metavar="FILE",
        help=tr("The certificates of that key (PEM), if its file does not have them."),
    ),
    click.option(
        "--timestamp",
        "authority",
        default="",
        metavar="URL",
        help=tr("Have it time-stamped by this authority (RFC 3161)."),
    ),
    click.option(
        "--timestamp-certificates",
        "authority_certificates",
        default="",
        metavar="FILE",
        help=tr("That authority's certificates up to its root (PEM), to keep beside the stamp."),
    ),
)


def signing_options(command: F) -> F:
    """Give a command the options of which `signing_of` makes one thing."""
    optional: Any = command
    for option in reversed(_OPTIONS):
        optional = option(optional)
    wrapped: F = optional
    return wrapped


def signing_of(key: str, certificates: str, authority: str, authority_certificates: str) -> Signing:
    """Return what was decided; a passphrase that is nowhere stored is asked for at the terminal.

    Raises UsageError.
    """
    if key.startswith("-"):  # an option that followed at once
        raise UsageError(tr("--sign needs a key: “keyring”, or a file with one (PEM)."))
    passphrase = ""
    if needs_passphrase(key) and not os.environ.get(PASSPHRASE_VARIABLE):
        is_stored = bool(Credentials().signing_passphrase())
        if not is_stored and sys.stdin.isatty():
            words = tr("Passphrase of {path}", path=key)
            passphrase = click.prompt(words, hide_input=True, err=True)
    signing = Signing(key, certificates, passphrase, authority, authority_certificates)
    check_signing(signing)
    return signing


def tell_signer(fingerprint: str, *, is_lasting: bool) -> None:
    """Say which key has signed: by it others know who did."""
    if not fingerprint:
        return
    complain(tr("Signed with the key {fingerprint} (SHA-256).", fingerprint=fingerprint))
    if not is_lasting:
        complain(tr("This system has no keyring: the key was made for this time only."))


def refuse_standard_output(signing: Signing, output: Path) -> None:
    """Raise UsageError for a signature of what has no name."""
    if signing and output == STANDARD_OUTPUT:
        raise UsageError(tr("A signature lies beside a file: give a name with --output."))


@dataclass(frozen=True, slots=True)
class Attestor:
    """What signs documents, and whether its key is one that lasts. `attesting` is None where
    nothing is to be signed."""

    attesting: Attesting | None = None
    is_lasting: bool = True

    @classmethod
    def of(cls, signing: Signing, settings: Settings) -> Self:
        """Return what signs as was decided. Raises UsageError, before anything is written."""
        return cls(*attesting_by(signing, Credentials(), settings)) if signing else cls()

    def sign(self, documents: Sequence[Path]) -> list[Path]:
        """Sign documents, say by which key, and return what was written beside them.

        Raises UsageError and OSError; the documents, which lack what was asked for, are gone then.
        """
        if self.attesting is None:
            return []
        try:
            written = [each for path in documents for each in attest_document(path, self.attesting)]
        except (UsageError, OSError):
            for path in documents:
                path.unlink(missing_ok=True)
            raise
        if self.attesting.signer:
            tell_signer(self.attesting.signer.fingerprint, is_lasting=self.is_lasting)
        return written
