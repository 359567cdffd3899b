# SPDX-License-Identifier: AGPL-3.0-or-later
"""Looking up captures in a local index, in process, beside pywb, in one run, as ratios.

The index is synthetic and sorted: 276 bytes a line, 5 captures per URL, and beside it one URL with
50,000 captures. Either program gets the text of a URL and gives its rows, parsed. Each runs in a
process of its own; they take turns, so that the machine's noise hits both alike.

usage: mementos_lookup.py [--lines N]... [--folder DIR] [--rounds N] [--lookups N]
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.goals import note

_LINE_BYTES = 276
_CAPTURES_PER_URL = 5
# A server answers for weeks: what counts is what comes after its first questions.
_FIRST_LOOKUPS = 300
_WARM_UP = 10_000
_CLOSEST = 5
_BUSY_URL = "http://busy.example.net/page"
_BUSY_CAPTURES = 50_000
_BUSY_SINCE = 1_388_534_400
_BUSY_INTERVAL_S = 600

Lookup = Callable[[str, str], Sequence[object]]


@dataclass(frozen=True)
class Timing:
    """How long single questions took, in microseconds, and the peak memory of the process."""

    first_us: Sequence[float]
    exact_us: Sequence[float]
    closest_us: Sequence[float]
    peak_mib: int


def write_index(path: Path, lines: int) -> None:
    """Write a sorted CDXJ file of about so many lines; the same one every time."""
    with path.open("w") as file:
        for number in range(lines // _CAPTURES_PER_URL):
            for year in range(_CAPTURES_PER_URL):
                file.write(_line(*_site(number), f"{2015 + year}0{1 + year}12103005"))


def write_busy_index(path: Path) -> None:
    """Write a sorted CDXJ file of one URL with very many captures."""
    with path.open("w") as file:
        for number in range(_BUSY_CAPTURES):
            moment = time.gmtime(_BUSY_SINCE + number * _BUSY_INTERVAL_S)
            stamp = time.strftime("%Y%m%d%H%M%S", moment)
            file.write(_line("net,example,busy)/page", _BUSY_URL, stamp))


def carrel_lookup(path: Path) -> Lookup:
    """Return how Carrel looks up a URL, or the capture closest to a moment."""
    from carrel.mementos.cdx_file import CdxFile
    from carrel.mementos.query import query_for

    file = CdxFile(path, path.parent / "cache")

    def look_up(url: str, closest: str) -> Sequence[object]:
        query = query_for(url, closest=closest)
        rows = file.lookup(query)
        return [next(rows)] if closest else list(rows)

    return look_up


def pywb_lookup(path: Path) -> Lookup:
    """Return the same for pywb: its file source, and what it does with each answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pywb.warcserver.index.cdxops import process_cdx  # type: ignore[import-untyped]
        from pywb.warcserver.index.indexsource import FileIndexSource  # type: ignore[import-untyped]
        from pywb.warcserver.index.query import CDXQuery  # type: ignore[import-untyped]
    source = FileIndexSource(str(path))

    def look_up(url: str, closest: str) -> Sequence[object]:
        parameters = {"url": url, **({"closest": closest, "limit": "1"} if closest else {})}
        query = CDXQuery(parameters)
        return list(process_cdx(source.load_index(query.params), query))

    return look_up


def measure(
    make: Callable[[Path], Lookup], index: Path, busy: Path, *, lines: int, lookups: int
) -> Timing:
    """Time single questions, the same ones in the same order for everybody."""
    chance = random.Random(4)  # the same questions every time
    look_up, look_up_busy = make(index), make(busy)

    def ask(count: int) -> list[float]:
        numbers = [chance.randrange(lines // _CAPTURES_PER_URL) for _ in range(count)]
        return [_time(look_up, _site(number)[1], "") for number in numbers]

    _expect(look_up(_site(0)[1], ""), _CAPTURES_PER_URL)
    first = ask(min(_FIRST_LOOKUPS, lookups))
    ask(min(_WARM_UP, 4 * lookups))
    exact = ask(lookups)
    _expect(look_up_busy(_BUSY_URL, "20140601000000"), 1)
    moments = [f"2014{chance.randrange(1, 13):02}15000000" for _ in range(_CLOSEST)]
    closest = [_time(look_up_busy, _BUSY_URL, moment) for moment in moments]
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Timing(first, exact, closest, peak_kib // 1024)


def compare(folder: Path, lines: int, rounds: int, lookups: int) -> None:
    """Measure both in turn, and print what came out."""
    index, busy = folder / f"{lines}.cdxj", folder / "busy.cdxj"
    if not index.exists():
        write_index(index, lines)
    write_busy_index(busy)
    asked = (index, busy, lines, lookups)
    turns = [(_apart("carrel", *asked), _apart("pywb", *asked)) for _ in range(rounds)]
    print(f"\n{lines:,} lines, {index.stat().st_size / 1e6:,.0f} MB")
    print(f"  {'':32}{'Carrel':>12}{'pywb':>12}{'ratio':>9}")
    _row(f"first {_FIRST_LOOKUPS} questions, p50 (µs)", turns, lambda each: median(each.first_us))
    _row("exact, p50 (µs)", turns, lambda each: median(each.exact_us))
    _row("exact, p95 (µs)", turns, lambda each: quantiles(each.exact_us, n=20)[-1])
    _row("closest 1 of 50,000, p50 (µs)", turns, lambda each: median(each.closest_us))
    _row("peak memory (MiB)", turns, lambda each: each.peak_mib)
    note("look-up", _ratio(turns, lambda each: median(each.exact_us)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, action="append", help="of the index; 1,000,000")
    parser.add_argument("--folder", type=Path, help="for the indexes, which are kept there")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lookups", type=int, default=3000)
    parser.add_argument("--measure", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.measure:
        _measure_here(*options.measure)
        return
    with tempfile.TemporaryDirectory() as temporary:
        for lines in options.lines or [1_000_000]:
            compare(options.folder or Path(temporary), lines, options.rounds, options.lookups)


def _site(number: int) -> tuple[str, str]:
    host, page = f"s{number // 100:07}", f"data/{number:09}.csv"
    return f"org,example,{host})/{page}", f"https://{host}.example.org/{page}"


def _line(urlkey: str, url: str, timestamp: str) -> str:
    fields = {
        "url": url,
        "mime": "text/csv",
        "status": "200",
        "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "length": "4213",
        "offset": "123456789",
        "filename": "",
    }
    line = f"{urlkey} {timestamp} {json.dumps(fields)}\n"
    name = "carrel-".ljust(_LINE_BYTES - len(line) - 8, "0") + ".warc.gz"
    return line.replace('"filename": ""', f'"filename": "{name}"')


def _time(look_up: Lookup, url: str, closest: str) -> float:
    began = time.perf_counter()
    look_up(url, closest)
    return (time.perf_counter() - began) * 1e6


def _expect(rows: Sequence[object], count: int) -> None:
    if len(rows) != count:
        raise SystemExit(f"{count} rows were expected, not {len(rows)}")


def _apart(who: str, index: Path, busy: Path, lines: int, lookups: int) -> Timing:
    """Measure in a process of its own, so that memory is told apart."""
    asked = map(str, (index, busy, lines, lookups))
    command = [sys.executable, __file__, "--measure", who, *asked]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return Timing(**json.loads(result.stdout.splitlines()[-1]))


def _measure_here(who: str, index: str, busy: str, lines: str, lookups: str) -> None:
    make = {"carrel": carrel_lookup, "pywb": pywb_lookup}[who]
    timing = measure(make, Path(index), Path(busy), lines=int(lines), lookups=int(lookups))
    print(json.dumps({name: getattr(timing, name) for name in Timing.__dataclass_fields__}))


def _medians(
    turns: Sequence[tuple[Timing, Timing]], of: Callable[[Timing], float]
) -> tuple[float, float]:
    ours, theirs = zip(*turns, strict=True)
    return median(map(of, ours)), median(map(of, theirs))


def _ratio(turns: Sequence[tuple[Timing, Timing]], of: Callable[[Timing], float]) -> float:
    ours, theirs = _medians(turns, of)
    return theirs / ours


def _row(title: str, turns: Sequence[tuple[Timing, Timing]], of: Callable[[Timing], float]) -> None:
    ours, theirs = _medians(turns, of)
    print(f"  {title:32}{ours:>12,.1f}{theirs:>12,.1f}{theirs / ours:>8.1f}x")


if __name__ == "__main__":
    main()
