# SPDX-License-Identifier: AGPL-3.0-or-later
"""A large file of a second copy by SFTP beside `scp`, to and from a real sshd on loopback.

The runs go in turns; the median counts. The memory that Carrel takes for it is told as well.

usage: sftp_copies.py [--size MIB] [--runs N]
"""

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.credentials import Credentials
from carrel.engine.replication.sftp import SftpStore
from carrel.model.store_address import sftp_address
from support.sftp_server import SftpServer, sftp_server

_MIB = 1024 * 1024


def _pieces(path: Path) -> Callable[[], Iterator[bytes]]:
    def read() -> Iterator[bytes]:
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_MIB), b"")

    return read


def _spent(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _scp(server: SftpServer, source: str, target: str) -> None:
    ssh = server.home / ".ssh"
    options = ["-o", f"UserKnownHostsFile={ssh / 'known_hosts'}", "-i", str(ssh / "id_ed25519")]
    command = ["scp", "-q", *options, "-P", str(server.port), source, target]
    subprocess.run(command, check=True)


def _compare(server: SftpServer, folder: Path, size_mib: int, runs: int) -> None:
    big, there = folder / "big", f"127.0.0.1:{server.remote}/scp"
    with big.open("wb") as file:
        for at in range(size_mib):
            file.write(hashlib.shake_128(b"%d" % at).digest(_MIB))
    address = sftp_address(server.address)
    assert address is not None
    store = SftpStore(address, Credentials())
    deeds: dict[str, Callable[[], object]] = {
        "to": lambda: store.write("big", _pieces(big)),
        "from": lambda: sum(map(len, store.read("big"))),
        "scp to": lambda: _scp(server, str(big), there),
        "scp from": lambda: _scp(server, there, str(folder / "back")),
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spent: dict[str, list[float]] = {name: [] for name in deeds}
    for _ in range(runs):
        for name, deed in deeds.items():
            spent[name].append(_spent(deed))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    store.close()
    for way in ("to", "from"):
        own, other = median(spent[way]), median(spent[f"scp {way}"])
        print(f"{way:5} {own:6.2f} s   scp {other:6.2f} s   {other / own:5.2f}")
    print(f"memory: {(after - before) / 1024:.1f} MiB more than before the first file")


def main() -> None:
    """Time both, and print how they compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sshd").mkdir()
        with sftp_server(folder / "sshd") as server:
            os.environ.update(server.variables)
            os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
            print("speed as a share of scp's (1.00: as fast)")
            _compare(server, folder, options.size, options.runs)


if __name__ == "__main__":
    main()
