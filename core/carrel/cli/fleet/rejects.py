# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet rejects`: what was set aside, by reason, and back where it came from."""

from collections import Counter

import click

from carrel.cli.fleet_options import FleetCall, fleet_options
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import complain, say
from carrel.fleet.settings import FleetSettings
from carrel.model.counts import counted
from carrel.translation import tr

_MOST_TEXT = 2000


@click.command()
@fleet_options
@click.option("--resubmit", is_flag=True, help=tr("Send them back to the topics they came from."))
@click.option("--all", "all_of_them", is_flag=True, help=tr("Also those that were sent back."))
@json_option
def rejects(fleet: FleetCall, resubmit: bool, all_of_them: bool, as_json: bool) -> None:
    """List the messages that were set aside, by reason; send them back once that is mended."""
    settings = fleet.settings()
    if resubmit:
        _resubmit(settings, as_json=as_json)
    else:
        _list(settings, from_first=all_of_them, as_json=as_json)


def _list(settings: FleetSettings, *, from_first: bool, as_json: bool) -> None:
    from carrel.fleet.rejects import open_rejects
    from carrel.fleet.topic_reader import TopicReader

    reasons: Counter[tuple[str, str]] = Counter()
    with TopicReader.of_group(settings, settings.groups.rejects) as reader:
        for reject, _, _ in open_rejects(reader, settings.topics.rejects, from_first=from_first):
            if reject.is_repeated:
                continue
            reasons[reject.topic, reject.reason] += 1
            if as_json:
                value = reject.value[:_MOST_TEXT].decode("utf-8", "replace")
                print_json(
                    {
                        "reason": reject.reason,
                        "sqlstate": reject.sqlstate,
                        "source": reject.source,
                        "worker": reject.worker,
                        "at": reject.at,
                        "value": value,
                    }
                )
    if as_json:
        return
    if not reasons:
        say(tr("Nothing is set aside."))
    for (topic, reason), count in reasons.most_common():
        say(f"{count:>8,}  {topic}: {reason}")


def _resubmit(settings: FleetSettings, *, as_json: bool) -> None:
    from carrel.fleet.rejects import open_rejects
    from carrel.fleet.submitting import Submission
    from carrel.fleet.topic_reader import TopicReader

    known = set(settings.topics.model_dump().values()) - {settings.topics.rejects}
    submissions: dict[str, Submission] = {}
    ends: dict[int, int] = {}
    with TopicReader.of_group(settings, settings.groups.rejects) as reader:
        for reject, partition, offset in open_rejects(reader, settings.topics.rejects):
            ends[partition] = offset + 1
            if reject.is_repeated:
                continue
            if reject.topic not in known:  # whoever wrote it, it is none of this fleet's
                complain(tr("Left out: it came from {source}.", source=reject.source or "?"))
                continue
            if reject.topic not in submissions:
                submissions[reject.topic] = Submission(settings, reject.topic)
            submissions[reject.topic].put(reject.key, reject.value, [])
        for each in submissions.values():
            each.finish()
        if ends:
            reader.settle(settings.topics.rejects, ends)
    for topic, submission in submissions.items():
        if as_json:
            print_json({"topic": topic, "submitted": submission.arrived})
        else:
            count = counted(submission.arrived, "message")
            say(tr("{count} sent back to {topic}.", count=count, topic=topic))
    if not submissions and not as_json:
        say(tr("Nothing is set aside."))
