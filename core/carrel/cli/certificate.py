# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel certificate`: what is held of a dataset, and how far it is proven, for people."""

import asyncio
import sys
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.output import STANDARD_OUTPUT, check_output, force_option
from carrel.cli.presentation import print_json
from carrel.cli.signing import (
    Attestor,
    refuse_standard_output,
    signing_of,
    signing_options,
)
from carrel.cli.terminal import complain
from carrel.cli.verification_bar import verification_bar
from carrel.engine.certificates import form_of
from carrel.engine.holdings import Holdings
from carrel.engine.verification import verify
from carrel.errors import UsageError
from carrel.model import VerificationReport
from carrel.model.certificate import CertificateForm, Certified
from carrel.model.counts import counted
from carrel.translation import tr


@click.command()
@click.argument("holding", metavar="ID")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    required=True,
    help=tr("The file to write (.html, .pdf or .json); - for standard output."),
)
@click.option(
    "--format",
    "form",
    type=click.Choice([each.value for each in CertificateForm]),
    help=tr("What to write, if the name of the file does not say it."),
)
@click.option("--verify", "verifies", is_flag=True, help=tr("Verify the holding first."))
@click.option(
    "--ledger-only",
    is_flag=True,
    help=tr("Do not read the WARC files for their SHA-256 and the servers that answered."),
)
@signing_options
@force_option
@archive_option
@json_option
@click.pass_context
def certificate(
    context: click.Context,
    holding: str,
    output: Path,
    form: str | None,
    verifies: bool,
    ledger_only: bool,
    sign_key: str,
    sign_certificates: str,
    authority: str,
    authority_certificates: str,
    force: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Write a certificate of a holding: what was published, what is archived, what is proven.

    ID is an ingest id, or an address or identifier as in “carrel results”. The certificate is made
    from the ledger: each check is stated with its date. Who answered, with which certificate and by
    which clock, and the SHA-256 of the WARC files are read from these, and one that is missing or
    cut off is found. With --verify every record
    of the holding is read again first; exit status 1 means that some were not intact, as the
    certificate says. What --sign and --timestamp give lies beside it: “carrel verify --evidence”.
    """
    chosen = _form(output, form)
    signing = signing_of(sign_key, sign_certificates, authority, authority_certificates)
    refuse_standard_output(signing, output)
    check_output(output, (), force=force)
    with Archive.open_for_reading(archive) as opened:
        ingest_id = Holdings(opened).one_named(holding)
        attestor = Attestor.of(signing, opened.settings)
        is_intact = _verified(opened, ingest_id) if verifies else True
        certified = _write(opened, ingest_id, output, chosen, reads_warcs=not ledger_only)
        attestor.sign([output])
    _say(certified, output, chosen, as_json=as_json)
    context.exit(0 if is_intact else 1)


def _form(output: Path, form: str | None) -> CertificateForm:
    if form is not None:
        return CertificateForm(form)
    if output == STANDARD_OUTPUT:
        raise UsageError(tr("Standard output has no name: give --format as well."))
    return form_of(output)


def _verified(opened: Archive, ingest_id: str) -> bool:
    """Verify a holding; return whether it is intact.

    Raises UsageError where that was not noted: a certificate would not have it.
    """
    with verification_bar(has_lines=False) as (tell, _line):
        report: VerificationReport = asyncio.run(verify(opened, ingest_id, tell))
    if report.not_noted:
        raise UsageError(
            tr(
                "No certificate was written, as it would lack this verification: it could not be "
                "recorded in the ledger. {not_noted}",
                not_noted=report.not_noted,
            )
        )
    return report.is_intact


def _write(
    opened: Archive, ingest_id: str, output: Path, form: CertificateForm, *, reads_warcs: bool
) -> Certified:
    holdings = Holdings(opened)
    if output == STANDARD_OUTPUT:
        certified = holdings.certify(ingest_id, sys.stdout.buffer, form, reads_warcs=reads_warcs)
        sys.stdout.buffer.flush()
        return certified
    try:
        return holdings.certify(ingest_id, output, form, reads_warcs=reads_warcs)
    except OSError as error:
        raise UsageError(
            tr(
                "{output} cannot be written: {strerror}.",
                output=output,
                strerror=error.strerror or error,
            )
        ) from error


def _say(certified: Certified, output: Path, form: CertificateForm, *, as_json: bool) -> None:
    if as_json and output != STANDARD_OUTPUT:
        print_json({"path": str(output), "format": form, **certified.to_json()})
        return
    complain(
        tr(
            "Certificate of ingest {ingest_id}: {kept:,} of {files} archived. SHA-256 of its "
            "facts: {sha256}",
            ingest_id=certified.ingest_id,
            kept=certified.kept,
            files=counted(certified.files, "file"),
            sha256=certified.sha256,
        )
    )
    if certified.failed:
        records = counted(certified.failed, "record")
        complain(tr("It states damage: {records} damaged or missing.", records=records))
