# SPDX-License-Identifier: AGPL-3.0-or-later
"""The topics of a fleet: which there have to be, with how many partitions, and how they are made.

None is made in silence: one with a wrong name would swallow requests that no one reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carrel.errors import NoBroker
from carrel.fleet import kafka
from carrel.fleet.settings import FleetSettings
from carrel.fleet.topic_reader import TopicReader
from carrel.translation import tr

_DAY_MS = 86_400_000
_KEPT: Mapping[str, str] = {"retention.ms": "-1"}
# As sandcrawler's; one of 10,000 files has 8.5 MB.
_LARGE: Mapping[str, str] = {"max.message.bytes": "31457280"}
_MAKES_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as it has to be; `partitions` is how many there are, None if there is none."""

    name: str
    wanted: int
    config: Mapping[str, str]
    partitions: int | None = None


def topics_of(settings: FleetSettings) -> Sequence[Topic]:
    """Return all topics of a fleet as they are. Raises NoBroker."""
    known = kafka.known_topics(settings)
    names, half_a_year = settings.topics, {"retention.ms": str(180 * _DAY_MS)}
    wanted = (
        Topic(names.requests, 24, half_a_year),
        Topic(names.priority, 24, half_a_year),
        Topic(names.results, 6, {**_KEPT, **_LARGE}),
        Topic(names.file_results, 6, {**_KEPT, **_LARGE}),
        Topic(names.rejects, 1, {**_KEPT, **_LARGE}),
    )
    return [Topic(each.name, each.wanted, each.config, known.get(each.name)) for each in wanted]


def make(settings: FleetSettings, topics: Sequence[Topic]) -> None:
    """Make topics, and have the groups begin at their first messages. Raises NoBroker."""
    from confluent_kafka import KafkaException
    from confluent_kafka.cimpl import NewTopic

    admin = kafka.open_admin(settings)
    wanted = [NewTopic(each.name, each.wanted, -1, config=dict(each.config)) for each in topics]
    try:
        for made in admin.create_topics(wanted, request_timeout=_MAKES_WITHIN_S).values():
            made.result(_MAKES_WITHIN_S)
    except (KafkaException, TimeoutError) as error:
        reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
        raise NoBroker(tr("A topic cannot be made: {reason}.", reason=reason)) from error
    _begin(settings, {each.name: each.wanted for each in topics})


def _begin(settings: FleetSettings, made: Mapping[str, int]) -> None:
    """Commit the beginning of new topics for who reads them: no one is asked for it then."""
    names, groups = settings.topics, settings.groups
    readers = {
        groups.worker: (names.requests, names.priority),
        groups.persist: (names.results, names.file_results),
        groups.fatcat: (names.results, names.file_results),
    }
    for group, topics in readers.items():
        with TopicReader.of_group(settings, group) as reader:
            for name in made.keys() & set(topics):
                reader.settle(name, dict.fromkeys(range(made[name]), 0))
