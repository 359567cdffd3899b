# SPDX-License-Identifier: AGPL-3.0-or-later
"""What the persist worker counts, for Prometheus."""

from collections import Counter as Amounts
from collections.abc import Mapping, Sequence

from carrel.fleet.consumer import Partition
from carrel.fleet.postgres.rows import ResultRows


class PersistMetrics:
    """The numbers of one persist worker, in a registry of its own."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = self.registry = CollectorRegistry()
        self._rows = Counter(
            "carrel_persist_rows", "Rows that were sent to Postgres.", ["table"], registry=registry
        )
        self._cleaned = Counter(
            "carrel_persist_cleaned",
            "Results with characters that Postgres does not take.",
            registry=registry,
        )
        self._seconds = Histogram(
            "carrel_persist_seconds",
            "How long a batch took, its wait for Postgres included.",
            registry=registry,
        )
        self._rejects = Counter(
            "carrel_rejects", "Messages that were set aside.", ["reason"], registry=registry
        )
        self._failures = Counter(
            "carrel_commit_failures", "Commits that Kafka refused.", ["reason"], registry=registry
        )
        self._lag = Gauge(
            "carrel_lag",
            "Messages that are not committed.",
            ["topic", "partition"],
            registry=registry,
        )
        self._database = Gauge(
            "carrel_persist_database_up", "Whether Postgres takes rows.", registry=registry
        )
        self._database.set(1)

    def stored(self, rows: Sequence[ResultRows], took_s: float) -> None:
        """Count a batch that was stored."""
        tables = Amounts(
            table
            for each in rows
            for table, row in (
                ("ingest_file_result", each.result),
                ("ingest_request", each.request),
                ("ingest_fileset_platform", each.platform),
                ("carrel_attempt", each.attempt),
            )
            if row is not None
        )
        for table, count in tables.items():
            self._rows.labels(table).inc(count)
        self._cleaned.inc(sum(each.was_cleaned for each in rows))
        self._seconds.observe(took_s)

    def rejected(self, reason: str) -> None:
        """Count a message that was set aside, by its SQLSTATE if it has one."""
        self._rejects.labels(reason).inc()

    def commit_failed(self, reason: str) -> None:
        self._failures.labels(reason).inc()

    def consumed(self, lags: Mapping[Partition, int]) -> None:
        """Note how far behind each partition is; of one that is someone else's now, nothing."""
        self._lag.clear()
        for (topic, partition), lag in lags.items():
            self._lag.labels(topic, str(partition)).set(lag)

    def reached(self, is_up: bool) -> None:
        """Note whether the database takes rows."""
        self._database.set(is_up)
