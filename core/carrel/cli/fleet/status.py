# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel fleet status`: how far the groups of a fleet have come."""

from collections.abc import Iterator
from dataclasses import dataclass

import click

from carrel.cli.fleet_options import FleetCall, fleet_options
from carrel.cli.options import json_option
from carrel.cli.presentation import print_json
from carrel.cli.terminal import say
from carrel.fleet.settings import FleetSettings
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class _Standing:
    """A partition of a topic for a group: what is committed, what is done above, what is left."""

    group: str
    topic: str
    partition: int
    committed: int | None
    done_above: int
    end: int

    @property
    def left(self) -> int:
        return self.end - (self.committed or 0) - self.done_above


@click.command()
@fleet_options
@click.option("--partitions", is_flag=True, help=tr("Show each partition."))
@json_option
def status(fleet: FleetCall, partitions: bool, as_json: bool) -> None:
    """Show how many requests wait, and how many results no one has stored yet."""
    found = list(_standings(fleet.settings()))
    if as_json:
        for each in found:
            print_json(
                {
                    "group": each.group,
                    "topic": each.topic,
                    "partition": each.partition,
                    "committed": each.committed,
                    "done_above": each.done_above,
                    "end": each.end,
                    "left": each.left,
                }
            )
        return
    for group, topic in dict.fromkeys((each.group, each.topic) for each in found):
        own = [each for each in found if (each.group, each.topic) == (group, topic)]
        left, end = sum(each.left for each in own), sum(each.end for each in own)
        say(
            tr(
                "{topic}: {left:,} of {end:,} left for {group}",
                topic=topic,
                left=left,
                end=end,
                group=group,
            )
        )
        for each in own if partitions else ():
            said = tr("not begun") if each.committed is None else f"{each.committed:,}"
            say(
                tr(
                    "  partition {number}: {said}, {above:,} done above, {end:,} is next",
                    number=each.partition,
                    said=said,
                    above=each.done_above,
                    end=each.end,
                )
            )


def _standings(settings: FleetSettings) -> Iterator[_Standing]:
    from carrel.fleet import kafka
    from carrel.fleet.progress import read_metadata
    from carrel.fleet.topic_reader import TopicReader

    topics, groups = settings.topics, settings.groups
    known = kafka.known_topics(settings)
    readers = {
        groups.worker: (topics.priority, topics.requests),
        groups.persist: (topics.results, topics.file_results),
    }
    for group, names in readers.items():
        with TopicReader.of_group(settings, group) as reader:
            for name in (name for name in names if name in known):
                for each, first, end in reader.standing(name):
                    low = each.offset if each.offset >= 0 else None
                    done = len(read_metadata(low, each.metadata)) if low is not None else 0
                    begun = low if low is not None else (first if first == end else None)
                    yield _Standing(group, name, each.partition, begun, done, end)
