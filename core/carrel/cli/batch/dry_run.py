# SPDX-License-Identifier: AGPL-3.0-or-later
"""The plan that `carrel batch add --dry-run` prints."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from carrel.cli.batch.lists import batch_fields, what_is_odd
from carrel.cli.counting import counted
from carrel.cli.printing import print_json
from carrel.cli.terminal import say
from carrel.credentials import Credentials
from carrel.engine import IngestOptions
from carrel.engine.batches import Batch, Plan, Planned, preview_each
from carrel.engine.batches.forecast import forecast
from carrel.model import IngestFilesetResult
from carrel.model.sizes import in_words
from carrel.settings import load

_SHOWN = 20
# Nothing is fetched yet: a plan has no success.
_CAN_BE_KEPT = "can be kept"


def say_plan(
    batches: Sequence[Batch], archive: Path, options: IngestOptions, *, as_json: bool
) -> bool:
    """Preview every dataset, print each as it is known and then the sums.

    The archive is only asked for its settings. Return whether nothing stands in the way of any.
    With `as_json` each preview is a line, and so is each list as it was read.
    """
    plan = Plan()

    def take(result: IngestFilesetResult) -> None:
        planned = Planned.of(result)
        plan.add(planned)
        if as_json:
            print_json(result.to_json())
        else:
            _say_planned(planned)

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
    asyncio.run(preview_each(requests, load(archive / "settings.toml"), take, options))
    if not as_json:
        _say_sums(plan)
    is_clear = not any(batch.problems or batch.is_bare for batch in batches)
    return plan.ready == plan.datasets and is_clear


def _say_planned(planned: Planned) -> None:
    unknown = "+" if planned.unknown_sizes else ""
    size = f"{in_words(planned.total_size)}{unknown}" if planned.file_count else ""
    if planned.unknown_sizes and planned.unknown_sizes == planned.file_count:
        size = "unknown size"
    outcome = _CAN_BE_KEPT if planned.status.is_success else planned.status
    say(
        f"{outcome:20}  {planned.strategy or '':26}  {planned.file_count or '':>6}  "
        f"{size:>12}  {planned.title or planned.base_url}"
    )
    if not planned.status.is_success and planned.message:
        say(f"    {planned.message}")


def _has_token(host: str) -> bool:
    return bool(Credentials().headers_for(f"https://{host}/"))


def _say_sums(plan: Plan) -> None:
    unknown = ""
    if plan.unknown_sizes:
        unknown = f", {plan.unknown_sizes:,} of the files of unknown size"
    say()
    say(
        f"{plan.ready:,} of {counted(plan.datasets, 'dataset')} can be kept: "
        f"{counted(plan.file_count, 'file')}, {in_words(plan.total_size)}{unknown}.",
        bold=True,
    )
    for each in forecast(plan.calls, _has_token)[:_SHOWN]:
        say(f"  {each}")
    for cause in plan.causes:
        say(f"{len(cause.base_urls)} × {cause.status}: {cause.status.meaning.advice}", bold=True)
        for url in cause.base_urls[:_SHOWN]:
            say(f"  {url}")
        if len(cause.base_urls) > _SHOWN:
            say(f"  … and {len(cause.base_urls) - _SHOWN} more")
    for urls in plan.same:
        say("The same dataset under different identifiers:", bold=True)
        for url in urls:
            say(f"  {url}")
