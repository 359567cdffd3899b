# SPDX-License-Identifier: AGPL-3.0-or-later
"""A program that is timed beside others: in a process of its own, start-up included."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Contender:
    """A program by its command, and what its runs took."""

    name: str
    command: Sequence[str]
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)
    peak_mib: float = 0.0

    def run(self) -> None:
        """Run once, and note how long it took and the memory that it had at most."""
        began = time.perf_counter()
        quiet = os.open(os.devnull, os.O_WRONLY)
        pid = os.posix_spawn(
            self.command[0],
            list(self.command),
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)],
        )
        _, status, usage = os.wait4(pid, 0)
        os.close(quiet)
        if status:
            raise RuntimeError(f"{self.name} failed")
        self.seconds.append(time.perf_counter() - began)
        self.processor_seconds.append(usage.ru_utime + usage.ru_stime)
        self.peak_mib = max(self.peak_mib, usage.ru_maxrss / 1024)

    @property
    def took(self) -> float:
        """Seconds of a run, the median of all."""
        return median(self.seconds)

    @property
    def processor_took(self) -> float:
        """Seconds of all processors together in a run, the median of all."""
        return median(self.processor_seconds)


def run_in_turns(contenders: Sequence[Contender], runs: int) -> None:
    """Run each so many times: the machine's noise hits all alike."""
    for _ in range(runs):
        for each in contenders:
            each.run()
