# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel formats`: identify the formats of what is held, and list them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json
from carrel.cli.progress import bytes_bar
from carrel.cli.terminal import brief, say
from carrel.engine.formats import (
    FormatRun,
    holdings_to_identify,
    identify_all,
    risky_files,
    totals,
)
from carrel.engine.holdings import Holdings
from carrel.errors import UsageError
from carrel.model.counts import counted
from carrel.model.format_words import RISKS, format_name
from carrel.model.formats import FormatAmount, FormatRisk
from carrel.model.sizes import in_words
from carrel.translation import tr

_MOST_SHOWN = 20
_MOST_LISTED = 1_000_000


@click.command()
@click.argument("holdings", metavar="[HOLDING]...", nargs=-1)
@click.option(
    "--list",
    "is_list",
    is_flag=True,
    help=tr("List the formats of all holdings, and the files that need attention."),
)
@click.option(
    "--again",
    is_flag=True,
    help=tr("Identify also what is identified, as with newer signatures."),
)
@archive_option
@json_option
@click.pass_context
def formats(
    context: click.Context,
    holdings: tuple[str, ...],
    is_list: bool,
    again: bool,
    archive: Path,
    as_json: bool,
) -> None:
    """Identify the formats of archived files by PRONOM, of all holdings or of these.

    Each HOLDING is an ingest id, or an address or identifier as in “carrel results”. Carrel does
    this by itself for what it archives; this command is for what was archived before. Identified
    files are not read again without --again: an interrupted run is resumed. The package pygfried
    is needed (install carrel[formats]); without it --list still shows what is known.

    Exit status 1 means that some files could not be read; each is named, with the reason.
    """
    if is_list and (holdings or again):
        raise UsageError(tr("--list lists all holdings, and identifies nothing."))
    with Archive.open_for_reading(archive) as opened:
        if is_list:
            _list(opened, as_json=as_json)
            return
        ingest_ids = _asked(opened, holdings, again=again)
        with bytes_bar("identifying") as tell:
            run = identify_all(opened, ingest_ids, tell, again=again)
    if as_json:
        print_json(asdict(run))
    else:
        _say(run)
    context.exit(1 if run.unread else 0)


def _asked(opened: Archive, holdings: Sequence[str], *, again: bool) -> Sequence[str]:
    if holdings:
        return list(dict.fromkeys(map(Holdings(opened).one_named, holdings)))
    return holdings_to_identify(opened, again=again)


def _say(run: FormatRun) -> None:
    for each in run.unread[:_MOST_SHOWN]:
        say(f"{brief(each.file)}: {each.reason}")
    if (more := len(run.unread) - _MOST_SHOWN) > 0:
        say(tr("… and {more:,} more could not be read; --json lists them", more=more))
    if not run.identified and not run.unread:
        say(tr("There was nothing to identify."))
        return
    files, datasets = counted(run.identified, "file"), counted(run.holdings, "dataset")
    say(tr("{files} of {datasets} identified.", files=files, datasets=datasets))
    say(tr("“carrel formats --list” shows the formats, and what needs attention."))


def _list(opened: Archive, *, as_json: bool) -> None:
    amounts = totals(opened)
    if as_json:
        _list_as_json(opened, amounts)
        return
    for each in amounts:
        say(_line(each))
    if not amounts:
        say(tr("The archive holds no files."))
    for risk in FormatRisk:
        _say_risky(opened, risk, sum(each.files for each in amounts if each.risk is risk))


def _list_as_json(opened: Archive, amounts: Sequence[FormatAmount]) -> None:
    for each in amounts:
        print_json({name: value for name, value in asdict(each).items() if value != ""})
    for risk in FormatRisk:
        for file in risky_files(opened, risk, _MOST_LISTED):
            fields = {"ingest_id": file.ingest_id, "title": file.title, "file": file.file}
            print_json({**fields, "format": file.format.to_json()})


def _line(amount: FormatAmount) -> str:
    name = format_name(amount.puid, amount.title)
    is_said = amount.risk in (None, FormatRisk.UNKNOWN)
    risk = f" – {RISKS[amount.risk]}" if amount.risk and not is_said else ""
    files, datasets = counted(amount.files, "file"), counted(amount.datasets, "dataset")
    size = in_words(amount.size_bytes)
    return tr(
        "{name}{risk}: {files} in {datasets}, {size}",
        name=name,
        risk=risk,
        files=files,
        datasets=datasets,
        size=size,
    )


def _say_risky(opened: Archive, risk: FormatRisk, count: int) -> None:
    """Name the first files that need attention for one reason."""
    if not count:
        return
    say()
    say(tr("{files} {risk}", files=counted(count, "file"), risk=RISKS[risk]), bold=True)
    for each in risky_files(opened, risk, _MOST_SHOWN):
        found = each.format
        why = f"{format_name(found.puid, found.title)}; {found.warning}".removesuffix("; ")
        say(f"  {brief(each.file)} ({brief(each.title)}): {why}")
    if count > _MOST_SHOWN:
        say(tr("  … and {more:,} more; --json lists them", more=count - _MOST_SHOWN))
