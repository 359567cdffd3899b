# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a worker sends: the messages of each answered request, until all of them have arrived.

Belongs to the thread that polls. Nothing is given up: what fails is sent again.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from carrel.errors import Stuck
from carrel.fleet.results import Outgoing
from carrel.ledger.deliveries import Coordinates
from carrel.translation import tr

if TYPE_CHECKING:
    from confluent_kafka import KafkaError, Message, Producer

log = logging.getLogger(__name__)

_AGAIN_AFTER_S = 2.0
_WAITS_S = 0.5


@dataclass
class Completion:
    """A message that came is answered: what is to be sent of it, and how much has not arrived."""

    at: Coordinates
    messages: Sequence[Outgoing]
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = len(self.messages)


class Sender:
    """The producer. `arrived` is called with the coordinates of what is answered to the last."""

    def __init__(self, producer: "Producer", arrived: Callable[[Coordinates], None]) -> None:
        self._producer, self._arrived = producer, arrived
        self._waiting: deque[tuple[Completion, Outgoing]] = deque()
        self._not_before = 0.0
        self._open = 0

    def send(self, completion: Completion) -> None:
        """Have the messages of an answered request sent; without any it is answered at once."""
        if not completion.messages:
            self._arrived(completion.at)
            return
        self._open += 1
        self._waiting += ((completion, message) for message in completion.messages)

    def work(self) -> None:
        """Send what waits, as far as there is room for it, and learn what has arrived.

        Raises Stuck where nothing can be sent any more.
        """
        self._producer.poll(0)
        while self._waiting and time.monotonic() >= self._not_before:
            completion, message = self._waiting.popleft()
            if not self._produce(completion, message):
                self._waiting.appendleft((completion, message))
                return

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything has arrived, for so long at most; say whether it has."""
        until = time.monotonic() + timeout_s
        while self._open and time.monotonic() < until:
            self.work()
            self._producer.flush(min(_WAITS_S, max(0.0, until - time.monotonic())))
        return not self._open

    def _produce(self, completion: Completion, message: Outgoing) -> bool:
        from confluent_kafka import KafkaException

        def reported(error: "KafkaError | None", sent: "Message") -> None:
            self._reported(completion, message, error)

        try:
            self._producer.produce(
                message.topic,
                message.value,
                message.key,
                headers=list(message.headers),
                on_delivery=reported,
            )
        except BufferError:  # the broker is away, or slow
            return False
        except KafkaException as error:
            self._reported(completion, message, error.args[0])
        return True

    def _reported(
        self, completion: Completion, message: Outgoing, error: "KafkaError | None"
    ) -> None:
        from confluent_kafka import KafkaError

        if error is None:
            completion.left -= 1
            if not completion.left:
                self._open -= 1
                self._arrived(completion.at)
        elif error.code() == KafkaError.MSG_SIZE_TOO_LARGE and message.slim:
            self._waiting.append((completion, message.slim()))
        elif error.fatal() or error.code() == KafkaError.MSG_SIZE_TOO_LARGE:
            words = tr(
                "{topic} takes no message for {at}: {reason}.",
                topic=message.topic,
                at=completion.at,
                reason=error.str(),
            )
            raise Stuck(words)
        else:
            log.warning("Not sent yet (%s): %s", completion.at, error.str())
            self._waiting.append((completion, message))
            self._not_before = time.monotonic() + _AGAIN_AFTER_S
