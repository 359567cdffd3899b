# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sample repository as a whole: its datasets, its address, and who has asked for what."""

import threading
from collections.abc import Sequence
from types import TracebackType
from urllib.parse import parse_qs, unquote, urlsplit

from carrel.demo.answer import Answer, html_answer
from carrel.demo.catalogue import sample_datasets
from carrel.demo.dataset import Delivery, DemoDataset
from carrel.demo.dataverse import dataverse_answer
from carrel.demo.inveniordm import inveniordm_answer
from carrel.demo.loopback import LoopbackServer, SeenRequest
from carrel.demo.pages import page_answer
from carrel.demo.site import Site
from carrel.demo.store import store_answer
from carrel.demo.working_papers import MOMENTS, paper_answer

_FAILURES = 2


class DemoRepository:
    """The sample repository, served on 127.0.0.1 while the context lasts.

    `slow_s` is how long the slow file takes, in seconds; `port` 0 means any free one. `moment` is
    the state of the working papers' files that is served.
    """

    def __init__(
        self,
        datasets: Sequence[DemoDataset] | None = None,
        *,
        slow_s: float = 8.0,
        port: int = 0,
    ) -> None:
        self.datasets = sample_datasets() if datasets is None else tuple(datasets)
        self.slow_s = slow_s
        self.moment = MOMENTS[-1]
        self._lock = threading.Lock()
        self._requests: list[SeenRequest] = []
        self._server = LoopbackServer(port, self)
        self._site = Site(f"http://127.0.0.1:{self._server.server_port}", self.datasets)
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="demo-repository",
            daemon=True,
        )

    def __enter__(self) -> "DemoRepository":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.close()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return self._site.origin

    @property
    def requests(self) -> tuple[SeenRequest, ...]:
        """All requests so far, in the order of their arrival."""
        with self._lock:
            return tuple(self._requests)

    def dataset(self, key: str) -> DemoDataset:
        """Return the dataset of this key. Raises KeyError if there is none."""
        return {dataset.key: dataset for dataset in self.datasets}[key]

    def times_fetched(self, url: str, method: str = "GET") -> int:
        """Return how often this very address was requested."""
        target = url.removeprefix(self.origin)
        return sum(seen.method == method and seen.target == target for seen in self.requests)

    def answer(self, seen: SeenRequest) -> Answer:
        """Return the answer to a request, which is remembered."""
        with self._lock:
            self._requests.append(seen)
        parts = urlsplit(seen.target)
        path, query = unquote(parts.path), parse_qs(parts.query)
        answer = (
            paper_answer(self.moment, path)
            or store_answer(self._site, seen.method, path, query)
            or dataverse_answer(self._site, path, query)
            or inveniordm_answer(self._site, parts.path)
            or page_answer(self._site, parts.path)
        )
        if answer.payload and answer.payload.delivery is Delivery.FAILS_TWICE:
            return self._after_failures(seen, answer)
        return answer

    def _after_failures(self, seen: SeenRequest, answer: Answer) -> Answer:
        if self.times_fetched(seen.target) > _FAILURES:
            return answer
        return html_answer("<h1>The store is being restarted</h1>", 503, (("Retry-After", "0"),))
