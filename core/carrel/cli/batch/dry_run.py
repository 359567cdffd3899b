# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plan that `carrel batch add --dry-run` prints."""

from collections.abc import Sequence
from pathlib import Path

from carrel.cli.batch.lists import batch_fields, what_is_odd
from carrel.cli.held import held_fields, holding, reading
from carrel.cli.many import preview_many, print_coverage
from carrel.cli.presentation import advice_on, print_json, removed_in_words
from carrel.cli.terminal import brief, say
from carrel.engine import IngestOptions
from carrel.engine.batches import Batch, Coverage, Plan, Planned
from carrel.engine.batches.forecast import forecast
from carrel.engine.stored_credentials import stored_credentials
from carrel.errors import ArchiveError
from carrel.model import Held, IngestFilesetResult
from carrel.model.counts import counted
from carrel.model.sizes import in_words
from carrel.settings import settings_of
from carrel.translation import plural, tr

_SHOWN = 20
# Nothing is fetched yet: a plan has no success.
_CAN_BE_KEPT = tr("can be archived")
_IS_HELD = tr("already archived")
_IS_HELD_IN_PART = tr("partly archived")


def say_plan(
    batches: Sequence[Batch], archive: Path, options: IngestOptions, *, as_json: bool
) -> bool:
    """Preview every dataset, print each in the order of the lists and then the sums.

    The archive is only asked for its settings, and for what it holds. Return whether nothing stands
    in the way of any. With `as_json` each preview is a line, and so is each list as it was read.
    """
    plan, coverage = Plan(), Coverage()

    for batch in batches:
        if as_json:
            print_json(batch_fields(batch))
        else:
            say(
                f"{batch.name} ({batch.kind}): {counted(len(batch.requests), 'dataset')}", bold=True
            )
            for line in what_is_odd(batch):
                say(line)
    requests = [request for batch in batches for request in batch.requests]
    if requests and not as_json:
        say(_row("outcome", "strategy", "files", "size", "dataset"))
    with reading(archive) as opened:

        def take(result: IngestFilesetResult) -> None:
            held = holding(opened, result)
            coverage.add(result)
            planned = Planned.of(result, held if isinstance(held, Held) else None)
            plan.add(planned)
            if as_json:
                print_json({**result.to_json(), **held_fields(held)})
            else:
                _say_planned(planned)

        if requests:
            preview_many(requests, settings_of(archive), options, take)
    if not as_json:
        if isinstance(opened, ArchiveError):
            say(tr("Could not check what is already archived: {opened}", opened=opened))
        if plan.previewed > 1:
            say()
            print_coverage(coverage)
        _say_sums(plan)
    is_clear = not any(batch.problems or batch.is_bare for batch in batches)
    return plan.ready + plan.held == plan.datasets and is_clear


def _say_planned(planned: Planned) -> None:
    say(
        _row(
            _outcome(planned),
            planned.strategy or "",
            f"{planned.file_count:,}" if planned.file_count else "",
            _size(planned),
            brief(planned.title or "") or planned.base_url,
        )
    )
    if not planned.is_held and planned.message:
        say(f"    {planned.message}")
    if planned.removed:
        say(f"    {removed_in_words(planned.removed)}")


def _outcome(planned: Planned) -> str:
    if planned.is_held:
        return _IS_HELD_IN_PART if planned.is_held_in_part else _IS_HELD
    return _CAN_BE_KEPT if planned.status.is_success else planned.status


def _row(outcome: str, strategy: str, files: str, size: str, dataset: str) -> str:
    return f"{outcome:20}  {strategy:26}  {files:>6}  {size:>14}  {dataset}"


def _size(planned: Planned) -> str:
    """Return how much a dataset is: "4.9 KiB + ?" where the size of some file is not known."""
    if not planned.file_count:
        return ""
    if planned.unknown_sizes == planned.file_count:
        return "unknown"
    return f"{in_words(planned.total_size)}{' + ?' if planned.unknown_sizes else ''}"


def _extent(plan: Plan) -> str:
    """Return how much is to be kept: ": 9 files, 335.3 KiB, without the 1 of unknown size"."""
    if not plan.ready:
        return ""
    files = counted(plan.file_count, "file")
    unknown = plan.unknown_sizes
    if unknown and unknown == plan.file_count:
        return tr(": {files} of unknown size", files=files)
    less = tr(", without the {unknown:,} of unknown size", unknown=unknown) if unknown else ""
    return f": {files}, {in_words(plan.total_size)}{less}"


def _say_sums(plan: Plan) -> None:
    say()
    say(
        tr(
            "{ready:,} of {datasets} can be archived{extent}.",
            ready=plan.ready,
            datasets=counted(plan.datasets, "dataset"),
            extent=_extent(plan),
        ),
        bold=True,
    )
    if plan.held:
        are = tr("is") if plan.held == 1 else tr("are")
        say(
            tr(
                "{held:,} {are} already archived, as published today: nothing to fetch.",
                held=plan.held,
                are=are,
            )
        )
    if plan.held_in_part:
        say(
            plural(
                "{count:,} of these is archived in part; its other files cannot be downloaded.",
                "{count:,} of these are archived in part; their other files cannot be downloaded.",
                plan.held_in_part,
                count=plan.held_in_part,
            )
        )
    if plan.removed:
        say(
            plural(
                "{count:,} of these was removed from the holdings.",
                "{count:,} of these were removed from the holdings.",
                plan.removed,
                count=plan.removed,
            )
        )
    if plan.calls:
        say(tr("Requests, one for each page that leads to a dataset and one for each file:"))
    credentials = stored_credentials()

    def has_token(host: str) -> bool:
        return bool(credentials.headers_for(f"https://{host}/"))

    for each in forecast(plan.calls, has_token)[:_SHOWN]:
        say(f"  {each}")
    for cause in plan.causes:
        say(f"{len(cause.base_urls):,} × {cause.status}: {advice_on(cause.status)}", bold=True)
        for url in cause.base_urls[:_SHOWN]:
            say(f"  {url}")
        if len(cause.base_urls) > _SHOWN:
            say(tr("  … and {base_urls:,} more", base_urls=len(cause.base_urls) - _SHOWN))
    for urls in plan.same:
        say(tr("The same dataset under different identifiers:"), bold=True)
        for url in urls:
            say(f"  {url}")
