# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark export`: full texts as WARC files with their index, or in the forms of holdings."""

import asyncio
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from carrel.cli.dark.dates import DATE, when
from carrel.cli.dark.long_work import bar, stoppable
from carrel.cli.dark.queries import check_series, narrowing, questions_of
from carrel.cli.export import shower, sum_up
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine import Engine
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.model.dark_views import ExportOrder, ExportReport
from carrel.model.exports import ExportForm, ExportOptions
from carrel.model.exports import ExportReport as HoldingsReport
from carrel.model.sizes import in_words
from carrel.translation import tr

_SHOWN = 20
_WARC = "warc"
_FORMS = (ExportForm.FILES, ExportForm.BAGIT, ExportForm.ROCRATE, ExportForm.WACZ)


@click.command()
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help=tr("The folder to write; for WARC files it is new or empty."),
)
@click.option(
    "--reason", required=True, help=tr("The reason, which is recorded in the journal first.")
)
@click.option(
    "--form",
    type=click.Choice([_WARC, *(each.value for each in _FORMS)]),
    default=_WARC,
    show_default=True,
    help=tr("WARC files, or one export per handle: files, a BagIt bag, an RO-Crate, a WACZ."),
)
@click.option(
    "--profile",
    default="",
    metavar="NAME|FILE",
    help=tr("Make bags as their recipient requires, as in “carrel export”."),
)
@click.option(
    "--leave-out-damaged",
    is_flag=True,
    help=tr("Export the intact files of a handle that has damaged ones."),
)
@click.option(
    "--vault",
    is_flag=True,
    help=tr("One WARC and index per handle, AAA/SSSSSS/HANDLE.warc.gz (default: one collection)."),
)
@narrowing
@click.option("--lost", is_flag=True, help=tr("Only lost full texts."))
@click.option("--since", metavar="DATE", type=DATE, help=tr("Only versions from DATE on (UTC)."))
@click.option(
    "--all-versions/--last",
    default=True,
    show_default=True,
    help=tr("All versions of a full text, or the last one."),
)
@click.option("--templates", is_flag=True, help=tr("Include the templates that list them."))
@archive_option
@json_option
@click.pass_context
def export(
    context: click.Context,
    output: Path,
    reason: str,
    form: str,
    profile: str,
    leave_out_damaged: bool,
    vault: bool,
    repec_archive: str | None,
    series: str | None,
    lost: bool,
    since: int | None,
    all_versions: bool,
    templates: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Copy full texts to WARC files with a CDXJ index, for pywb and other tools.

    Each version has its original request, response and redirects; repeated bytes become revisit
    records. Only what is lost is in there, or all of it if the reason states the rights; what is
    not is listed, and so is what is damaged; the exit status is then 1. Purged texts are left out
    and listed.

    With --form the full texts of each handle become a folder of files, a bag, a crate or a WACZ, as
    “carrel export” writes them: proven while they are copied, nothing overwritten. The same is in
    there, or named.

    Each copy is recorded in the journal with the reason. That a text was publicly available when it
    was harvested is no licence to distribute it.
    """
    _check(form, profile, leave_out_damaged=leave_out_damaged, vault=vault)
    with questions_of(archive) as questions:
        check_series(questions, repec_archive, series)
    order = ExportOrder(
        output,
        reason,
        vault=vault,
        archive=repec_archive,
        series=series,
        lost=lost,
        since=since,
        last=not all_versions,
        templates=templates,
    )
    if form != _WARC:
        options = ExportOptions(
            ExportForm(form), leaves_out_damaged=leave_out_damaged, profile=profile
        )
        context.exit(_export_in_form(archive, order, options, as_json=as_json))
    report = asyncio.run(_run(archive, order))
    if as_json:
        _print(report)
    else:
        _say(report)
    context.exit(0 if report.is_complete else 1)


def _check(form: str, profile: str, *, leave_out_damaged: bool, vault: bool) -> None:
    """Raise UsageError for options that do not go together."""
    if form == _WARC and (profile or leave_out_damaged):
        raise UsageError(tr("WARC files have no profile, and always leave out what is damaged."))
    if form != _WARC and vault:
        raise UsageError(
            tr("--vault is for WARC files; with --form there is one export per handle.")
        )


def _export_in_form(
    archive: Path, order: ExportOrder, options: ExportOptions, *, as_json: bool
) -> int:
    """Write exports of handles and show each; return the exit status."""
    report = asyncio.run(_run_in_form(archive, order, options, as_json=as_json))
    if not as_json:
        sum_up(report, "handle")
    return 0 if report.holdings and report.is_whole else 1


async def _run_in_form(
    archive: Path, order: ExportOrder, options: ExportOptions, *, as_json: bool
) -> HoldingsReport:
    show = shower(lambda done, total: None, as_json=as_json)
    with bar("exporting") as tell:
        async with Engine.open(archive) as engine:
            exporting = engine.dark.export_in_form(order, options, tell, show)
            return await stoppable(exporting, engine.dark.cancel_run)


async def _run(archive: Path, order: ExportOrder) -> ExportReport:
    with bar("exporting") as tell:
        async with Engine.open(archive) as engine:
            return await stoppable(engine.dark.export(order, tell), engine.dark.cancel_run)


def _print(report: ExportReport) -> None:
    for left in report.left_out:
        print_json({**asdict(left), "when": when(left.tist)})
    print_json(
        {
            "folder": str(report.folder),
            "warcs": report.warcs,
            "captures": report.captures,
            "versions": report.versions,
            "templates": report.templates,
            "size": report.size,
            "not_lost": report.not_lost,
            "left_out": len(report.left_out) + report.unlisted,
            "problems": [*report.problems],
            "is_whole": report.is_whole,
            "is_complete": report.is_complete,
        }
    )


def _say(report: ExportReport) -> None:
    for left in report.left_out:
        day = (when(left.tist) or "").partition("T")[0]
        say(
            tr(
                "left out, {why}: {ident} of {day}. {message}",
                why=left.why,
                ident=left.ident,
                day=day,
                message=left.message,
            )
        )
    if report.unlisted:
        say(tr("… and {unlisted:,} more were left out.", unlisted=report.unlisted))
    for problem in report.problems[:_SHOWN]:
        complain(problem)
    if report.left_out:
        why = Counter(left.why for left in report.left_out)
        causes = ", ".join(f"{count:,} {each}" for each, count in why.items())
        say(tr("Total left out: {causes}.", causes=causes))
    what = tr(
        "{versions} of full texts ({size})",
        versions=counted(report.versions, "version"),
        size=in_words(report.size),
    )
    more = (
        tr(" and {templates:,} of templates", templates=report.templates)
        if report.templates
        else ""
    )
    is_one = report.versions == 1 and not report.templates
    if not report.warcs:
        none = tr("Nothing was exported: no archived full text matches.")
        say(tr("Nothing was exported.") if report.left_out else none)
        return
    are = tr("is") if is_one else tr("are")
    say(
        tr(
            "{what}{more} {are} in {warc_files} at {folder}.",
            what=what,
            more=more,
            are=are,
            warc_files=counted(report.warcs, "WARC file"),
            folder=report.folder,
        )
    )
    if report.not_lost:
        is_not = tr("is") if report.not_lost == 1 else tr("are")
        say(
            tr(
                "{not_lost:,} of them {is_not} not lost: distribute only what the rights allow.",
                not_lost=report.not_lost,
                is_not=is_not,
            )
        )
    if not report.is_whole:
        say(tr("The export was stopped early. What was written is complete and indexed."))
