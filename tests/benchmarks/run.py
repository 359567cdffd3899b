# SPDX-License-Identifier: AGPL-3.0-or-later
"""Carrel beside the tools that people would use instead, in one run, as ratios.

Datasets are served by nginx on loopback: one incompressible file, one CSV, and 2,000 files of
10 KiB; then 500 such files once more from a server that is 10 ms away, as those of other people are
at the least: two at once as the settings are shipped, and eight at once beside eight of wget. Each
way of fetching them runs in a process of its own; the median of its runs counts. The machine's
noise hits all alike, so the ratios mean something and the seconds little.

Programs that are not installed are left out. --plain-server serves with Python where nginx is not.

usage: run.py [--runs N] [--size MIB] [--files N] [--only NAME] [--skip-slow]
    [--plain-server]
"""

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.disk import settle_disk
from benchmarks.goals import note

MEBIBYTE = 1024 * 1024
_FAR_S = 0.01
_AT_ONCE = 8
_CORPORA = ("random", "csv", "small", "far")
_CURL, _WARCIO, _WGET = "curl -o, then sha256sum", "warcio capture, gzip", "wget --warc-file, gzip"
_CARREL, _CARREL_8, _WGET_8 = "carrel ingest", "carrel ingest, 8 at once", "xargs -P8 wget"
_HERE = Path(__file__).parent

_NGINX = """
worker_processes 1; daemon off; pid {root}/nginx.pid; error_log {root}/nginx.log;
events {{ worker_connections 256; }}
http {{
  access_log off; sendfile on; keepalive_requests 1000000; default_type application/octet-stream;
  types {{ text/html html; text/csv csv; }}
  client_body_temp_path {root}/t; proxy_temp_path {root}/t; fastcgi_temp_path {root}/t;
  uwsgi_temp_path {root}/t; scgi_temp_path {root}/t;
  server {{ listen 127.0.0.1:{port}; root {root}/www; }}
}}
"""


@dataclass(frozen=True)
class Corpus:
    """Files served for one comparison, and the page that names them."""

    name: str
    origin: str
    page: str
    paths: Sequence[str]
    size: int

    @property
    def urls(self) -> list[str]:
        return [f"{self.origin}/{path}" for path in self.paths]


@dataclass
class Contender:
    """One way of doing the work: `run` gets the corpus and an empty folder."""

    name: str
    run: Callable[[Corpus, Path], None]
    seconds: list[float] = field(default_factory=list)
    peak_mib: int = 0
    warc_bytes: int = 0


def curl(corpus: Corpus, folder: Path) -> None:
    """Fetch with curl, then one digest."""
    config = "".join(f'url = "{url}"\noutput = "{i}.bin"\n' for i, url in enumerate(corpus.urls))
    subprocess.run(["curl", "-s", "-K", "-"], input=config.encode(), cwd=folder, check=True)
    files = sorted(path.name for path in folder.iterdir())
    subprocess.run(["sha256sum", *files], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def wget(corpus: Corpus, folder: Path) -> None:
    """Fetch with wget into a compressed WARC."""
    (folder / "urls").write_text("\n".join(corpus.urls))
    command = ["wget", "-q", "--warc-file=out", "-i", "urls", "-P", "files"]
    subprocess.run(command, cwd=folder, check=True)


def wget_8(corpus: Corpus, folder: Path) -> None:
    """Fetch with eight processes of wget, each with its share, and a WARC of its own."""
    names = [f"part{number}" for number in range(_AT_ONCE)]
    for number, name in enumerate(names):
        (folder / name).write_text("\n".join(corpus.urls[number::_AT_ONCE]))
    each = ["wget", "-q", "--warc-file={}", "-i", "{}", "-P", "files-{}"]
    command = ["xargs", f"-P{_AT_ONCE}", "-I{}", *each]
    subprocess.run(command, input="\n".join(names).encode(), cwd=folder, check=True)


def warcio(corpus: Corpus, folder: Path) -> None:
    """Fetch with requests under warcio's capture, compressed as it does by default."""
    _python(folder, "warcio_capture.py", *corpus.urls)


def carrel(corpus: Corpus, folder: Path, own: Mapping[str, str] | None = None) -> None:
    """Archive with the program as a person runs it, start-up included."""
    command = [
        *(sys.executable, "-m", "carrel", "ingest", f"{corpus.origin}/{corpus.page}"),
        *("--archive", str(folder / "archive"), "--max-file-count", "1000000", "--json"),
    ]
    done = subprocess.run(command, check=True, capture_output=True, env=own)
    result = json.loads(done.stdout.splitlines()[0])
    if not result["hit"] or result["file_count"] != len(corpus.paths):
        raise RuntimeError(f"Carrel did not do the work: {result.get('error_message')}")


def carrel_8(corpus: Corpus, folder: Path) -> None:
    """Do so as someone whose own settings allow eight files at once, also of one host."""
    (folder / "carrel").mkdir()
    settings = f"[network]\ntransfers = {_AT_ONCE}\nper_host = {_AT_ONCE}\n"
    (folder / "carrel" / "settings.toml").write_text(settings)
    carrel(corpus, folder, {**os.environ, "XDG_CONFIG_HOME": str(folder)})


def constant_s(www: Path, origin: str, root: Path) -> float:
    """Return how long the program takes for a dataset of one small file: the best of five."""
    tiny = _corpus(www, origin, "tiny", ["tiny.bin"], _small)
    contender = Contender(_CARREL, carrel)
    for _ in range(5):
        measure(contender, tiny, root)
    return min(contender.seconds)


def _python(folder: Path, script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, str(_HERE / script), *arguments], cwd=folder, check=True)


def make_corpus(name: str, www: Path, origin: str, size: int, files: int) -> Corpus:
    """Make the files of one comparison, and their page."""
    match name:
        case "random":
            return _corpus(www, origin, name, ["random.bin"], lambda path: _random(path, size))
        case "csv":
            return _corpus(www, origin, name, ["table.csv"], lambda path: _csv(path, size))
        case "small":
            return _corpus(www, origin, name, [f"small/{i:05}.bin" for i in range(files)], _small)
        case _:
            paths = [f"far/{i:05}.bin" for i in range(files // 4)]
            return _corpus(www, origin, name, paths, _small)


def _corpus(
    www: Path, origin: str, name: str, paths: list[str], make: Callable[[Path], object]
) -> Corpus:
    distribution = []
    for path in paths:
        (www / path).parent.mkdir(parents=True, exist_ok=True)
        make(www / path)
        size = (www / path).stat().st_size
        with (www / path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        distribution.append(
            {
                "@type": "DataDownload",
                "contentUrl": f"{origin}/{path}",
                "contentSize": str(size),
                "sha256": digest,
            }
        )
    dataset = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"Benchmark: {name}",
        "distribution": distribution,
    }
    script = f'<script type="application/ld+json">{json.dumps(dataset)}</script>'
    (www / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>{script}")
    total = sum((www / path).stat().st_size for path in paths)
    return Corpus(name, origin, f"{name}.html", paths, total)


def _small(path: Path) -> None:
    path.write_bytes(os.urandom(10 * 1024))


def _random(path: Path, size: int) -> None:
    with path.open("wb") as file:
        for _ in range(size // MEBIBYTE):
            file.write(os.urandom(MEBIBYTE))


def _csv(path: Path, size: int) -> None:
    """Write measurements: a counter, a month, a station, and numbers with many random digits."""
    numbers = random.Random(0)
    with path.open("w") as file:
        for chunk in count():
            if file.tell() >= size:
                return
            file.writelines(
                f"{line},2026-{line % 12 + 1:02},station {line % 97},"
                f"{numbers.random():.12f},{numbers.gauss(12, 7):.6f}\n"
                for line in range(chunk * 5000, chunk * 5000 + 5000)
            )


@contextmanager
def served(root: Path, *, is_plain: bool) -> Iterator[tuple[str, str]]:
    """Serve `root/www` with nginx; give its origin, and the one where it seems to be far away."""
    port, far_port = _free_port(), _free_port()
    (root / "nginx.conf").write_text(_NGINX.format(root=root, port=port))
    nginx = [_program("nginx") or "nginx", "-c", str(root / "nginx.conf")]
    plain = [sys.executable, str(_HERE / "plain_server.py"), str(root / "www"), str(port)]
    relay = [sys.executable, str(_HERE / "far_away.py"), str(far_port), str(port), str(_FAR_S)]
    servers = [
        subprocess.Popen(plain if is_plain else nginx, stderr=subprocess.DEVNULL),
        subprocess.Popen(relay),
    ]
    try:
        _wait_for(port)
        _wait_for(far_port)
        yield f"http://127.0.0.1:{port}", f"http://127.0.0.1:{far_port}"
    finally:
        for server in servers:
            server.send_signal(signal.SIGTERM)
            server.wait()


def _program(name: str) -> str | None:
    """Return where a program is, also where only the administrator's are; None if it is not."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("a server did not start")


def measure(contender: Contender, corpus: Corpus, root: Path) -> None:
    """Run a contender once, in a fork of its own so that its peak memory is known."""
    folder = Path(tempfile.mkdtemp(dir=root))
    settle_disk()
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            contender.run(corpus, folder)
            peak_mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
            (folder / "peak").write_text(str(peak_mib))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    contender.seconds.append(time.monotonic() - began)
    if status != 0:
        raise RuntimeError(f"{contender.name} failed on {corpus.name}")
    contender.peak_mib = max(contender.peak_mib, int((folder / "peak").read_text()))
    contender.warc_bytes = sum(each.stat().st_size for each in folder.rglob("*.warc.gz"))
    shutil.rmtree(folder)


def contenders_for(corpus: Corpus) -> list[Contender]:
    """Return who is compared, Carrel first; those whose programs are not here are left out."""
    found = [Contender(_CARREL, carrel)]
    if corpus.name == "far":
        found.append(Contender(_CARREL_8, carrel_8))
    if _program("curl"):
        found.append(Contender(_CURL, curl))
    found.append(Contender(_WARCIO, warcio))
    if _program("wget"):
        found.append(Contender(_WGET, wget))
        found += [Contender(_WGET_8, wget_8)] if corpus.name == "far" else []
    return found


def compare(corpus: Corpus, runs: int, root: Path, *, skip_slow: bool) -> dict[str, Contender]:
    """Run every contender in turn, several rounds, and print the medians beside Carrel's."""
    slow = (_WARCIO, _WGET) if len(corpus.paths) == 1 else ()
    skipped = slow if skip_slow else ()
    contenders = [each for each in contenders_for(corpus) if each.name not in skipped]
    for round_number in range(runs):
        for contender in contenders:
            if contender.name in slow and round_number > 0:
                continue
            measure(contender, corpus, root)
    ours = median(contenders[0].seconds)
    print(f"\n{corpus.name}: {len(corpus.paths)} files, {corpus.size / MEBIBYTE:.0f} MiB")
    for each in contenders:
        seconds = median(each.seconds)
        rate = corpus.size / seconds / 1e6
        print(
            f"  {each.name:26} {seconds:8.2f} s {rate:8.0f} MB/s   "
            f"Carrel is {seconds / ours:6.2f} times as fast   peak RSS {each.peak_mib:5} MiB"
        )
    return {each.name: each for each in contenders}


def note_all(corpus: Corpus, found: Mapping[str, Contender], www: Path) -> None:
    """Note what has a goal."""
    match corpus.name:
        case "random":
            _note_ratio("ingest incompressible", found, _CARREL, _CURL)
        case "csv":
            _note_ratio("ingest CSV", found, _CARREL, _CURL)
            note("ingest CSV size", found[_CARREL].warc_bytes / _gzipped(www / corpus.paths[0]))
        case "small":
            _note_ratio("ingest small", found, _CARREL, _WGET)
        case "far":
            _note_ratio("ingest far", found, _CARREL_8, _WGET_8)
            _note_ratio("ingest far, as shipped", found, _CARREL, _WGET)
    sys.stdout.flush()


def _note_ratio(name: str, found: Mapping[str, Contender], ours: str, theirs: str) -> None:
    if theirs in found:
        note(name, median(found[theirs].seconds) / median(found[ours].seconds))


def _gzipped(path: Path) -> int:
    """Return the size of a file as `gzip -6` packs it, in bytes."""
    with tempfile.TemporaryFile() as packed:
        subprocess.run(["gzip", "-6", "-c", path], stdout=packed, check=True)
        return packed.tell()


def main() -> None:
    """Run the comparisons that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--size", type=int, default=1024, help="MiB of the two large files")
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--only", choices=_CORPORA)
    parser.add_argument(
        "--skip-slow", action="store_true", help="no warcio and no wget with the two large files"
    )
    parser.add_argument("--plain-server", action="store_true", help="serve without nginx")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="carrel-bench-") as name:
        root = Path(name)
        (root / "www").mkdir()
        root.chmod(0o755)
        size = arguments.size * MEBIBYTE
        with served(root, is_plain=arguments.plain_server) as (origin, far_origin):
            constant = constant_s(root / "www", origin, root)
            print(f"Of each time of Carrel's, {constant:.2f} s are what one small file takes.")
            for name in (arguments.only,) if arguments.only else _CORPORA:
                where = far_origin if name == "far" else origin
                corpus = make_corpus(name, root / "www", where, size, arguments.files)
                found = compare(corpus, arguments.runs, root, skip_slow=arguments.skip_slow)
                note_all(corpus, found, root / "www")


if __name__ == "__main__":
    main()
