# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel results`: what has been archived."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from carrel.archive import Archive
from carrel.cli.options import archive_option, json_option
from carrel.cli.presentation import print_json, print_summary
from carrel.cli.terminal import complain
from carrel.engine.holdings import Holdings
from carrel.errors import UsageError
from carrel.model.digest import digest_in
from carrel.translation import tr


@click.command()
@click.argument("url", required=False)
@click.option(
    "--table",
    type=click.Choice(["ingest_fileset_platform"]),
    help=tr("Print this table of the ledger as JSON lines."),
)
@click.option(
    "--sha256", help=tr("Print the datasets that have a file with this digest, as JSON lines.")
)
@archive_option
@json_option
@click.pass_context
def results(
    context: click.Context,
    /,
    url: str | None,
    table: str | None,
    sha256: str | None,
    archive: Path,
    as_json: bool,
) -> None:
    """Show the holdings, or those with this address, identifier or ingest ID, newest first.

    A later ingest that archived less, or found everything already archived, is shown with it. For a
    dataset that was never archived, the last ingest is shown. A dataset that was removed from the
    holdings is shown as such.
    """
    if sum(each is not None for each in (url, table, sha256)) > 1:
        raise UsageError(tr("Give only one of URL, --table and --sha256."))
    is_whole = True
    with Archive.open_for_reading(archive) as opened:
        if table is not None:
            _print_rows(Holdings(opened).platform_rows(), tr("The archive has no datasets yet."))
        elif sha256 is not None:
            _print_rows(
                _datasets_with(Holdings(opened), sha256),
                tr("No dataset has a file {sha256}.", sha256=sha256),
            )
        else:
            is_whole = _print_results(opened, url, as_json=as_json)
    context.exit(0 if is_whole else 1)


def _print_rows(rows: Sequence[Mapping[str, Any]], if_none: str) -> None:
    for row in rows:
        print_json(row)
    if not rows:
        complain(if_none)


def _datasets_with(holdings: Holdings, sha256: str) -> Sequence[dict[str, Any]]:
    digest = digest_in(sha256)
    if digest is None or digest.algorithm != "sha256":
        raise click.BadParameter(tr("a SHA-256 has 64 hexadecimal digits"), param_hint="--sha256")
    return holdings.files_with("sha256", digest.value)


def _print_results(archive: Archive, url: str | None, *, as_json: bool) -> bool:
    """Print what is held; return whether the ledger could tell all that it has of it."""
    holdings = Holdings(archive)
    found = sorted(_found(holdings, url), key=_since, reverse=True)
    known = holdings.known_fixities([held["ingest_id"] for held in found])
    for held in found:
        fixity = known.get(held["ingest_id"])
        if fixity is not None and fixity.verified and "archived" in held:
            held["verified"] = fixity.verified
            held |= {"is_added_to": True} if fixity.is_added_to else {}
            held |= {"repaired": asdict(fixity.repaired)} if fixity.repaired else {}
        summary = _with_failures(holdings, _with_files_beside(holdings, held))
        if as_json:
            print_json({**summary, **_whole(holdings, summary)})
        else:
            print_summary(summary)
    if found and url is not None:
        _say_another(holdings, found, url)
    if not found:
        is_all = url is None
        what = (
            tr("The archive is empty.")
            if is_all
            else tr("Nothing was archived under {url}.", url=url)
        )
        complain(what)
    if archive.is_copy and any("fixity" in held for held in found):
        from carrel.engine.standing import damage_of_original  # only for who reads a copy

        complain(damage_of_original(archive))
    return not any("unreadable" in held for held in found)


def _say_another(holdings: Holdings, found: Sequence[Mapping[str, Any]], text: str) -> None:
    """Say of an ingest that is asked for by its id, and is not shown, that another one is."""
    shown_ids = {each["ingest_id"] for each in found}
    shown_ids |= {each["last_attempt"]["ingest_id"] for each in found if "last_attempt" in each}
    if text not in shown_ids and (result := holdings.result(text)):
        words = tr(
            "Ingest {ingest_id} of this dataset ended with {status}; what the archive has of it is "
            "shown.",
            ingest_id=text,
            status=result["status"],
        )
        complain(words)


def _since(held: Mapping[str, Any]) -> str:
    """Return since when a dataset is held or, where nothing is, when the last attempt ended."""
    return str(held.get("archived") or held.get("finished") or "")


def _whole(holdings: Holdings, summary: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return all that the ledger has of a result, nothing of one that is damaged."""
    if "unreadable" in summary:
        return {}
    return holdings.result(summary["ingest_id"]) or {}


def _with_files_beside(holdings: Holdings, summary: dict[str, Any]) -> dict[str, Any]:
    """Return a result with what it lacks and another ingest of the same version archived."""
    if summary.get("kept_count") == summary.get("file_count"):
        return summary
    beside = holdings.beside(summary["ingest_id"])
    return {**summary, "beside": beside} if beside else summary


def _with_failures(holdings: Holdings, summary: dict[str, Any]) -> dict[str, Any]:
    """Return a result with each record that is known to be damaged or missing, the first ones.

    They are read for one result at a time, as there may be many of each.
    """
    if "fixity" not in summary:
        return summary
    fixity = summary["fixity"]
    failures = holdings.failures(summary["ingest_id"])
    listed = {
        "failures": [failed.to_json() for failed in failures],
        "unlisted": fixity["failed"] - len(failures),
    }
    return {**summary, "fixity": {**fixity, **listed}}


def _found(holdings: Holdings, text: str | None) -> Sequence[dict[str, Any]]:
    """Return the results for an identifier in any spelling, or all of them."""
    return holdings.results() if text is None else holdings.named(text)
