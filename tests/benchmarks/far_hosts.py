# SPDX-License-Identifier: AGPL-3.0-or-later
"""A process that stands for many hosts that are far away: 127.0.1.1 and on, all on one port.

Each dataset has a page with schema.org metadata, and small files with published checksums. Every
answer comes a while after its question; that connecting takes as long is not imitated. It prints
its port, serves until its standard input ends, and then prints what it was asked for as JSON.

usage: far_hosts.py HOSTS SECONDS FILES
"""

import asyncio
import hashlib
import json
import socket
import sys
from dataclasses import asdict, dataclass

_FILE_BYTES = 2048


@dataclass
class Asked:
    """How many questions came, how many were not for what there is, and most at one time."""

    questions: int = 0
    unknown: int = 0
    at_once: int = 0
    most_at_once: int = 0


def addresses(hosts: int) -> list[str]:
    """Return so many addresses of this machine, 250 at most."""
    return [f"127.0.1.{number + 1}" for number in range(hosts)]


def _file(target: str) -> bytes:
    return hashlib.shake_128(target.encode()).digest(_FILE_BYTES)


def _page(origin: str, number: str, files: int) -> bytes:
    targets = [f"/file/{number}/{each}.bin" for each in range(files)]
    dataset = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"Dataset {number}",
        "distribution": [
            {
                "@type": "DataDownload",
                "contentUrl": origin + target,
                "contentSize": str(_FILE_BYTES),
                "sha256": hashlib.sha256(_file(target)).hexdigest(),
            }
            for target in targets
        ],
    }
    script = f'<script type="application/ld+json">{json.dumps(dataset)}</script>'
    return f"<!doctype html><title>Dataset {number}</title>{script}".encode()


def _answer(origin: str, target: str, files: int) -> bytes | None:
    """Return what is to be said, None if there is nothing of the kind."""
    _, kind, *rest = target.split("/")
    if kind == "about" and len(rest) == 1:
        return _head("text/html", page := _page(origin, rest[0], files)) + page
    if kind == "file" and len(rest) == 2:
        return _head("application/octet-stream", file := _file(target)) + file
    return None


def _head(kind: str, body: bytes) -> bytes:
    return (
        f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )


async def serve(hosts: int, delay_s: float, files: int) -> None:
    """Serve until standard input ends."""
    asked = Asked()
    sockets = _listening(hosts)
    port = sockets[0].getsockname()[1]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        origin = f"http://{writer.get_extra_info('sockname')[0]}:{port}"
        while question := await _question(reader):
            asked.questions += 1
            asked.at_once += 1
            asked.most_at_once = max(asked.most_at_once, asked.at_once)
            await asyncio.sleep(delay_s)
            said = _answer(origin, question, files)
            asked.unknown += said is None
            writer.write(said or b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            asked.at_once -= 1
        writer.close()

    servers = [await asyncio.start_server(answer, sock=each) for each in sockets]
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for server in servers:
        server.close()
    print(json.dumps(asdict(asked)), flush=True)


async def _question(reader: asyncio.StreamReader) -> str:
    """Return the target of the next request, "" when none follows."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return ""
    return head.split(b" ", 2)[1].decode()


def _listening(hosts: int) -> list[socket.socket]:
    first, *others = addresses(hosts)
    sockets = [socket.create_server((first, 0), backlog=64)]
    port = sockets[0].getsockname()[1]
    return sockets + [socket.create_server((each, port), backlog=64) for each in others]


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
