# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel dark export`: full texts as WARC files with their index."""

import asyncio
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from carrel.cli.dark.dates import DATE, when
from carrel.cli.dark.long_work import bar, stoppable
from carrel.cli.dark.queries import check_series, narrowing, questions_of
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.engine import Engine
from carrel.model.counts import counted
from carrel.model.dark_views import ExportOrder, ExportReport
from carrel.model.sizes import in_words
from carrel.translation import tr

_SHOWN = 20


@click.command()
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help=tr("The folder to write: new or empty."),
)
@click.option(
    "--reason", required=True, help=tr("The reason, which is recorded in the journal first.")
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
    records. Purged texts are left out and listed. So are damaged ones; the exit status is then 1.
    Each copy is recorded in the journal with the reason. That a text was publicly available when it
    was harvested is no licence to distribute it.
    """
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
    report = asyncio.run(_run(archive, order))
    if as_json:
        _print(report)
    else:
        _say(report)
    context.exit(0 if report.is_complete else 1)


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
        say(tr("Nothing was exported: no archived full text matches."))
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
