# SPDX-License-Identifier: AGPL-3.0-or-later
"""One look at one address: asked as anyone may ask, followed where it leads, and judged."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from carrel.capture.client import Client, Response
from carrel.capture.exchange import Exchange
from carrel.capture.hops import Hops
from carrel.dark_archive.probes import verdicts
from carrel.dark_archive.probes.download import Limits, Received, cut, keep, receive
from carrel.dark_archive.probes.faults import Fault
from carrel.dark_archive.probes.heads import told
from carrel.dark_archive.probes.hosts import Hosts, host_name
from carrel.dark_archive.probes.look import Look, Payload, Question
from carrel.dark_archive.probes.outcomes import OK, is_final, speaks_for_loss
from carrel.dark_archive.probes.own_network import OwnNetwork
from carrel.dark_archive.probes.permission import Permission
from carrel.dark_archive.probes.request import Answer, Requests
from carrel.dark_archive.probes.verdicts import Verdict
from carrel.errors import IngestStop
from carrel.hosts.pauses import stop_if
from carrel.model.dark import Redirect
from carrel.translation import tr

_MOST_HOPS = 10
_TRIES = 2
# What came in place of a full text is kept where it shows what happened to it; some of it only
# where there was something before.
_KEPT = frozenset({"wrong-content", "login", "redirect-home"})
_KEPT_IF_HELD = frozenset({"bot-wall", "http-404", "http-410"})


class Asker:
    """Asks for the full texts of a run, and learns how its hosts want to be treated.

    Threads may share it. `client` must have no credentials: what is gathered is public.
    `max_bytes` and `max_seconds` limit one body; `min_interval_s` is the distance between two
    requests to one host, which robots.txt may make longer. `private_networks` lets addresses inside
    the institution's network be asked.
    """

    def __init__(
        self,
        client: Client,
        *,
        max_bytes: int,
        private_networks: bool,
        min_interval_s: float,
        max_seconds: float = 3600.0,
        tries: int = _TRIES,
        own_network: OwnNetwork | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limits = Limits(max_bytes, max_seconds)
        network = own_network or OwnNetwork()
        self._hosts = Hosts(min_interval_s, client.limiter, sleep=sleep)
        self._requests = Requests(
            client,
            self._hosts,
            network,
            private_networks=private_networks,
            tries=tries,
            sleep=sleep,
        )
        self._permission = Permission(self._requests, self._hosts, network, private_networks)

    def look(
        self,
        question: Question,
        incoming: Callable[[], Path],
        is_cancelled: Callable[[], bool],
    ) -> Look:
        """Return what an address gives now. Blocks: for worker threads.

        `incoming` returns the path of a new file, which is not there yet, each time it is called;
        from any thread. Raises Cancelled, and OSError of the disk, and leaves no file then.
        """
        walk = _Walk(question, Hops(question.url))
        answer = self._followed(walk, incoming, is_cancelled)
        try:
            return _judged(walk, answer, incoming)
        except BaseException:
            answer.drop()
            raise

    def wait_s(self, url: str) -> float:
        """Return how long the host of an address is not to be asked yet, in seconds."""
        return self._hosts.of(url).wait_s if host_name(url) else 0.0

    def _followed(
        self, walk: "_Walk", incoming: Callable[[], Path], is_cancelled: Callable[[], bool]
    ) -> Answer:
        """Return the answer at the end of all redirects."""

        def take(response: Response) -> Received | Fault:
            return receive(response, incoming(), self._limits)

        came_from: str | None = None
        while True:
            stop_if(is_cancelled)
            objection = self._permission.objection(walk.url, came_from, is_cancelled)
            if objection is not None:
                return Answer(walk.last, fault=objection)
            answer = self._requests.ask(walk.url, take, is_cancelled)
            if answer.exchange is None or answer.fault is not None:
                return Answer(answer.exchange or walk.last, fault=answer.fault)
            came_from = walk.url
            fault = walk.go_on(answer.exchange)
            if fault is not None or walk.is_at_end:
                return Answer(answer.exchange, answer.received, fault)


@dataclass(slots=True)
class _Walk:
    """The way from the address that was requested to where it leads."""

    question: Question
    hops: Hops
    redirects: list[Redirect] = field(default_factory=list)
    last: Exchange | None = None
    is_at_end: bool = False

    @property
    def url(self) -> str:
        return self.hops.urls[-1]

    def go_on(self, exchange: Exchange) -> Fault | None:
        """Take the next step, if there is one. Returns why it cannot be taken, None if it can."""
        self.last = exchange
        try:
            target = self.hops.next_after(exchange)
        except IngestStop as stop:
            return Fault(stop.status.value, str(stop))
        if target is None:
            self.is_at_end = True
            return None
        if "@" in urlsplit(target).netloc:
            self.last = None  # what stands there is no one's to keep
            message = tr(
                "{url} redirects to an address with a name or password in it.", url=exchange.url
            )
            return Fault("bad-redirect", message)
        self.redirects.append(Redirect(exchange.status_code, urldefrag(target).url))
        if len(self.redirects) > _MOST_HOPS:
            message = tr(
                "{url} has more than {most_hops} redirects.",
                url=self.question.url,
                most_hops=_MOST_HOPS,
            )
            return Fault("redirects-exceeded", message)
        if verdicts.leads_to_login(target):
            return Fault(
                "login",
                tr("{url} leads to a log-in page: {target}.", url=self.question.url, target=target),
            )
        return None


def _judged(walk: _Walk, answer: Answer, incoming: Callable[[], Path]) -> Look:
    """Return the look that an answer comes to; files that are not kept are removed."""
    question, exchange, received = walk.question, answer.exchange, answer.received
    if answer.fault is not None or exchange is None:
        fault = answer.fault or Fault("no-answer", tr("{url} gave no answer.", url=walk.url))
        answer.drop()
        is_loss = False if fault.is_doubtful else None
        return _look(walk, exchange, Verdict(fault.outcome, fault.detail, is_loss=is_loss))
    if received is None:
        verdict = verdicts.of_status(exchange, question)
        is_kept = exchange.body and _is_kept(verdict, question)
        evidence = keep(exchange, incoming()) if is_kept else None
        return _look(walk, exchange, verdict, evidence=evidence)
    verdict = verdicts.of_payload(exchange, received, question, walk.hops.urls)
    if verdict.outcome == OK:
        return _look(walk, exchange, verdict, payload=received.payload)
    if _is_kept(verdict, question):
        return _look(walk, exchange, verdict, evidence=cut(received.payload))
    answer.drop()
    return _look(walk, exchange, verdict)


def _is_kept(verdict: Verdict, question: Question) -> bool:
    """Say whether what came in place of a full text is evidence."""
    is_of_use = verdict.outcome in _KEPT_IF_HELD and question.is_held
    return verdict.outcome in _KEPT or is_of_use


def _look(
    walk: _Walk,
    exchange: Exchange | None,
    verdict: Verdict,
    *,
    payload: Payload | None = None,
    evidence: Payload | None = None,
) -> Look:
    is_loss = speaks_for_loss(verdict.outcome) if verdict.is_loss is None else verdict.is_loss
    return Look(
        verdict.outcome,
        is_evidence=is_loss,
        is_final=is_final(verdict.outcome),
        detail=verdict.detail,
        redirects=tuple(walk.redirects),
        final_url=exchange.url if exchange and walk.is_at_end else urldefrag(walk.url).url,
        payload=payload,
        evidence=evidence,
        exchange=None if exchange is None else told(exchange),
        flags=verdict.flags,
    )
