# SPDX-License-Identifier: AGPL-3.0-or-later
"""How long a list takes at least: its hosts, the calls to each, and the days that their limits ask.

However many workers there are, no host is asked faster; the slowest one is when all is done. The
limits are what platforms publish (`platforms/about.py`) and the distance that Carrel keeps itself.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from carrel.engine.batches.forecast import Forecast, forecast
from carrel.fleet.requests import host_asked, resolves
from carrel.model import IngestRequest

# Assumed of a dataset: its page, what the platform says of it, and its files (7.5 in the mean of
# 12 million of DataCite's). Of some the files are fetched elsewhere, or listed page by page.
QUESTIONS, FILES = 2.0, 7.5
_CALLS: Mapping[str, float] = {"figshare.com": 2.0, "osf.io": 8.0}
_RESOLVER = "doi.org"
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class HostPlan:
    """What a list asks of one host. `days` is how long that takes at least."""

    host: str
    datasets: int
    calls: int
    days: float
    why: str


class Plan:
    """Counts requests; memory grows with the number of hosts alone."""

    def __init__(self) -> None:
        self._datasets: Counter[str] = Counter()
        self._resolved = 0

    def add(self, request: IngestRequest) -> None:
        self._datasets[host_asked(request)] += 1
        self._resolved += resolves(request)

    @property
    def total(self) -> int:
        """How many datasets there are."""
        return self._datasets.total()

    def hosts(
        self, interval_s: float, has_token: Callable[[str], bool] = lambda host: False
    ) -> list[HostPlan]:
        """Return what each host is asked, what takes longest first.

        `interval_s` is the distance between questions to one host, kept by all workers together.
        """
        calls = [(host, round(count * _calls(host))) for host, count in self._datasets.items()]
        plans = [self._planned(each, interval_s) for each in forecast(calls, has_token)]
        if self._resolved:
            days = self._resolved * interval_s / _DAY_S
            plans.append(HostPlan(_RESOLVER, self._resolved, self._resolved, days, "interval"))
        return sorted(plans, key=lambda each: -each.days)

    def _planned(self, each: Forecast, interval_s: float) -> HostPlan:
        datasets = self._datasets[each.host]
        asked = datasets * min(QUESTIONS, _calls(each.host)) * interval_s / _DAY_S
        published = each.hours / 24
        why = "published" if published > asked else "interval"
        return HostPlan(each.host, datasets, each.calls, max(asked, published), why)


def planned(requests: Iterable[IngestRequest]) -> Plan:
    """Return the plan of requests, each looked at once."""
    plan = Plan()
    for request in requests:
        plan.add(request)
    return plan


def _calls(host: str) -> float:
    return _CALLS.get(host, QUESTIONS + FILES)
