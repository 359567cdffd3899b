# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the lines of an axis stand: at round numbers. No Qt."""

from collections.abc import Iterator, Sequence
from itertools import count

from carrel_desktop.widgets.charts.picture import Unit

_MOST_STEPS = 4


def ticks(greatest: int, unit: Unit) -> Sequence[int]:
    """Return round values from 0 to the first that is not less than the greatest one."""
    step = next(each for each in _steps(unit) if each * _MOST_STEPS >= greatest)
    return range(0, max(step, _up(greatest, step)) + 1, step)


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


def _steps(unit: Unit) -> Iterator[int]:
    """Yield 1, 2, 5, 10 …; of bytes, such numbers of each unit, up to a thousand of the last."""
    if unit is Unit.NUMBER:
        yield from _round_numbers(1)
    for power in range(5):
        yield from (each * 1024**power for each in _round_below_1000())
    yield from _round_numbers(1024**4 * 1000)


def _round_below_1000() -> Sequence[int]:
    return [factor * 10**power for power in range(3) for factor in (1, 2, 5)]


def _round_numbers(first: int) -> Iterator[int]:
    for power in count():
        yield from (first * factor * 10**power for factor in (1, 2, 5))
