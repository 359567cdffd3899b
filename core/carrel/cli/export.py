# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel export`: holdings as files, bags, RO-Crates or WACZ, or as entities of fatcat."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.fatcat_export import (
    FATCAT,
    export_held,
    export_saved,
    fatcat_options,
    refuse_unfit,
)
from carrel.cli.options import Size, archive_option, day_in, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.signing import signing_of, signing_options, tell_signer
from carrel.cli.terminal import brief, complain, say
from carrel.engine.exports import export as write_exports
from carrel.engine.exports import holdings_that
from carrel.engine.holdings import Holdings
from carrel.errors import UsageError
from carrel.model.counts import count_of, counted
from carrel.model.events import Event, ExportStarted, HoldingExported, SavingProgress
from carrel.model.exports import Exported, ExportForm, ExportOptions, ExportReport, Outlook
from carrel.model.prose import shown
from carrel.model.sizes import in_words
from carrel.translation import plural, tr

_MOST_NAMED = 10


@click.command()
@click.argument("form", type=click.Choice([*(each.value for each in ExportForm), FATCAT]))
@click.argument("results", metavar="[RESULT]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    "output",
    required=True,
    metavar="FOLDER",
    help=tr("The folder to write to; it is made if need be. Of fatcat: a file, a folder or “-”."),
)
@click.option("--all", "is_all", is_flag=True, help=tr("Export all holdings."))
@click.option("--since", metavar="DAY", help=tr("Export what was archived since then."))
@click.option("--tag", "tags", multiple=True, help=tr("Export holdings with this tag; repeatable."))
@click.option("--query", metavar="WORDS", help=tr("Export what these words find in the holdings."))
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    type=click.Choice(["md5", "sha1", "sha256", "sha512"]),
    help=tr("Checksum lists of a bag (sha256 and sha512); repeatable."),
)
@click.option(
    "--profile",
    default="",
    metavar="NAME|FILE",
    help=tr(
        "Make bags as their recipient requires: aptrust, btr, rac, or a BagIt Profile as JSON."
    ),
)
@click.option(
    "--bag-info",
    multiple=True,
    metavar="TAG:VALUE",
    help=tr("A tag of the bags, as in “Access: Institution”; repeatable."),
)
@click.option(
    "--holey",
    "is_holey",
    is_flag=True,
    help=tr("Name files by their public addresses (fetch.txt) in place of copying them."),
)
@click.option(
    "--one",
    default="",
    metavar="NAME",
    help=tr("Put all datasets into one WACZ of this name."),
)
@click.option(
    "--split-size",
    type=Size(),
    default=0,
    help=tr("With --one: several WACZ files of at most this size, and a list of them."),
)
@signing_options
@click.option(
    "--signing-url",
    default="",
    metavar="URL",
    help=tr("Have each WACZ signed by your institution's server, in the name of its domain."),
)
@click.option(
    "--leave-out-damaged",
    is_flag=True,
    help=tr("Export the intact files of a holding that has damaged ones."),
)
@fatcat_options
@archive_option
@json_option
@click.pass_context
def export(
    context: click.Context,
    /,
    form: str,
    results: tuple[str, ...],
    output: str,
    is_all: bool,
    since: str | None,
    tags: tuple[str, ...],
    query: str | None,
    algorithms: tuple[str, ...],
    profile: str,
    bag_info: tuple[str, ...],
    is_holey: bool,
    one: str,
    split_size: int,
    sign_key: str,
    sign_certificates: str,
    authority: str,
    authority_certificates: str,
    signing_url: str,
    leave_out_damaged: bool,
    saved: Path | None,
    replay: str,
    archive: Path,
    as_json: bool,
) -> None:
    """Write holdings into a folder, in a form that others read.

    files is the plain tree with a checksum list, bagit a BagIt bag, rocrate an RO-Crate, wacz the
    captures for replay. fatcat is the filesets and files that the catalogue fatcat would get, as
    JSON lines; what it would not get is named with the reason.

    Each RESULT is an ingest id, or an address or identifier as in “carrel results”. Every file is
    compared with all its known digests while it is copied. Existing files are kept: what was
    interrupted is resumed, and what is there is not exported again.

    Exit status 1 means that some of it could not be exported; a holding with damaged files is
    refused without --leave-out-damaged.
    """
    refuse_unfit(context, form)
    if saved is not None:
        context.exit(export_saved(saved, output, replay, as_json=as_json))
    is_many = is_all or since is not None or query is not None or bool(tags)
    if is_many == bool(results):
        raise UsageError(tr("Name the holdings, or give --all, --since, --tag or --query."))
    with Archive.open_for_reading(archive) as opened:
        holdings = Holdings(opened)
        if is_many:
            found = holdings_that(holdings, text=query or "", tags=tags, since=day_in(since))
            ingest_ids = list(found)
        else:
            ingest_ids = list(dict.fromkeys(map(holdings.one_named, results)))
        if not ingest_ids:
            raise UsageError(tr("There are no such holdings."))
        if form == FATCAT:
            context.exit(export_held(opened, ingest_ids, output, replay, as_json=as_json))
        options = ExportOptions(
            ExportForm(form),
            tuple(dict.fromkeys(algorithms)),
            leave_out_damaged,
            profile,
            tuple(map(_tag, bag_info)),
            is_holey,
            one,
            split_size,
            signing_url,
            signing_of(sign_key, sign_certificates, authority, authority_certificates),
        )
        with bytes_bar("exporting") as bar:
            show = shower(bar, as_json=as_json, is_one=bool(one))
            report = asyncio.run(write_exports(opened, ingest_ids, Path(output), options, show))
    if not as_json:
        if one:
            _tell_refused_together(report)
        sum_up(report, "dataset")
        if report.written:
            tell_signer(report.signer, is_lasting=report.has_lasting_key)
    context.exit(0 if report.is_whole else 1)


def _tag(text: str) -> tuple[str, str]:
    """Return a tag and its value. Raises UsageError for what is none."""
    match = re.fullmatch(r"\s*([A-Za-z0-9][A-Za-z0-9 ._-]*?)\s*:(.*)", text)
    if match is None or not match[2].strip():
        words = tr("“{text}” is not a tag; write it as “Access: Institution”.", text=shown(text))
        raise UsageError(words)
    return match[1], match[2].strip()


def shower(
    bar: Callable[[int, int], None], *, as_json: bool, is_one: bool = False
) -> Callable[[Event], None]:
    """Return what shows how far an export is, what each one lacks, and what came of it.

    Where all become one, it is said at the end why they are refused: most often for one reason.
    """

    def show(event: Event) -> None:
        match event:
            case ExportStarted():
                _warn(event.outlook)
            case SavingProgress():
                bar(event.done, event.total)
            case HoldingExported():
                if as_json:
                    print_json(event.exported.to_json())
                elif not is_one or event.exported.path:
                    _show(event.exported)

    return show


def _warn(outlook: Outlook) -> None:
    """Say what an export will lack, before it begins."""
    if not outlook.lacking:
        return
    complain(
        tr(
            "{title}: {here:,} of {count} to export. Not among them:",
            title=brief(outlook.title),
            here=outlook.file_count - len(outlook.lacking),
            count=counted(outlook.file_count, "file"),
        )
    )
    for each in outlook.lacking[:_MOST_NAMED]:
        complain(f"  {each.reason}")
    if len(outlook.lacking) > _MOST_NAMED:
        complain(f"  … {counted(len(outlook.lacking) - _MOST_NAMED, 'more file')}")


def _show(exported: Exported) -> None:
    if exported.path is None:
        complain(tr("{title}: {why}", title=brief(exported.title), why=exported.refusal))
    elif exported.was_there:
        say(
            tr(
                "{path} was there already. Its files were read again and are unchanged.",
                path=exported.path,
            )
        )
        for each in exported.lacking:
            if each.is_absent:
                complain(f"  {each.file}: {each.reason}")
    else:
        words = f"{counted(exported.files, 'file')}, {in_words(exported.size)}"
        say(f"{exported.path} ({words})")
        for each in exported.lacking:
            if each.is_damaged:
                complain(f"  {each.reason}")


def _tell_refused_together(report: ExportReport) -> None:
    """Say of those that were to become one why they are refused, each reason once."""
    by_reason: dict[str, list[str]] = {}
    for each in report.refused:
        by_reason.setdefault(each.refusal, []).append(each.title)
    for why, titles in by_reason.items():
        named = ", ".join(map(brief, titles[:_MOST_NAMED]))
        if more := titles[_MOST_NAMED:]:
            named = tr("{titles} and {count:,} more", titles=named, count=len(more))
        complain(tr("{title}: {why}", title=named, why=why))


def sum_up(report: ExportReport, noun: str) -> None:
    """Say how many were exported, how many were there already, how many of them are incomplete, and
    how many were not exported, in this noun."""
    parts = []
    if report.written or not report.earlier:
        parts.append(_written(report.written, noun))
    if report.earlier:
        parts.append(_earlier(report.earlier, noun))
    if report.refused:
        parts.append(tr("Not exported: {things}.", things=count_of(report.refused, noun)))
    say(" ".join(parts))


def _written(written: Sequence[Exported], noun: str) -> str:
    things, incomplete = count_of(written, noun), sum(bool(each.lacking) for each in written)
    if incomplete and len(written) == 1:
        return tr("{things} exported, incomplete.", things=things)
    if incomplete:
        words = tr("{things} exported, {count:,} of them incomplete.")
        return words.format(things=things, count=incomplete)
    return tr("{things} exported.", things=things)


def _earlier(earlier: Sequence[Exported], noun: str) -> str:
    """Return how many were there already, as the window says it, and how many are incomplete."""
    words = plural(
        "{things} was there already; its files were read again and are unchanged.",
        "{things} were there already; their files were read again and are unchanged.",
        len(earlier),
        things=count_of(earlier, noun),
    )
    incomplete = [each for each in earlier if each.lacking]
    if incomplete:
        lacking = tr("Incomplete there: {things}.", things=count_of(incomplete, noun))
        return f"{words} {lacking}"
    return words
