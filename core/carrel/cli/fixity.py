# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fixity`: what was verified in a period, for auditors."""

from datetime import date
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, day_in, json_option
from carrel.cli.output import check_output, force_option
from carrel.cli.presentation import print_json
from carrel.cli.signing import Attestor, signing_of, signing_options
from carrel.cli.terminal import complain
from carrel.engine.fixity_reports import fixity_report, last_year, left_out_of, paths_of, period_of
from carrel.errors import UsageError
from carrel.translation import tr


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help=tr("The file to write (.html or .csv)."),
)
@click.option("--since", metavar="DAY", help=tr("The first day of the period (a year ago)."))
@click.option("--until", metavar="DAY", help=tr("The last day of the period (today)."))
@signing_options
@force_option
@archive_option
@json_option
def fixity(
    output: Path,
    since: str | None,
    until: str | None,
    sign_key: str,
    sign_certificates: str,
    authority: str,
    authority_certificates: str,
    force: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Write a fixity report: what was verified in a period, by what, and how it ended.

    It has what was not verified and since when not, what was found damaged and what was done about
    it, by collection and platform, in the words of CoreTrustSeal and ISO 16363. Days are in UTC.
    Nothing is read but the ledger: “carrel verify” verifies.

    A name that ends in .csv gives a table of the verifications and the damage, and a second one
    beside it, NAME_holdings.csv, with when each holding was last verified.
    """
    first, last = _days(since, until)
    period_of(first, last)
    signing = signing_of(sign_key, sign_certificates, authority, authority_certificates)
    for path in paths_of(output):
        check_output(path, (), force=force)
    with Archive.open_for_reading(archive) as opened:
        attestor = Attestor.of(signing, opened.settings)
        try:
            written = fixity_report(opened, first, last, output)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(
                tr("{output} cannot be written: {strerror}.", output=output, strerror=reason)
            ) from error
        left_out = left_out_of(opened, first, last)
        written = [*written, *attestor.sign(written)]
    if left_out:
        complain(left_out)
    if as_json:
        print_json({"paths": list(map(str, written)), "since": str(first), "until": str(last)})
        return
    for path in written:
        complain(tr("{output} written.", output=path))


def _days(since: str | None, until: str | None) -> tuple[date, date]:
    """Return the first and the last day: of the year that ends then, unless both are given."""
    last = date.fromisoformat(day_in(until)) if until else None
    year_ago, end = last_year(last)
    return (date.fromisoformat(day_in(since)) if since else year_ago), end
