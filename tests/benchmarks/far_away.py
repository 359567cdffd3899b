# SPDX-License-Identifier: AGPL-3.0-or-later
"""Stands between a server on this machine and those who ask it, as if it were far away.

What the server says is handed on after a while, in order; how much fits on the line is not limited.

usage: far_away.py LISTENING_PORT SERVER_PORT SECONDS
"""

import asyncio
import sys

_HOST = "127.0.0.1"
_READ_BYTES = 256 * 1024


async def relay(listening: int, server: int, delay_s: float) -> None:
    """Serve until the process is ended."""

    async def answer(asking: asyncio.StreamReader, asker: asyncio.StreamWriter) -> None:
        answering, answerer = await asyncio.open_connection(_HOST, server)
        await asyncio.gather(hand_on(asking, answerer, 0), hand_on(answering, asker, delay_s))

    async with await asyncio.start_server(answer, _HOST, listening) as listener:
        await listener.serve_forever()


async def hand_on(source: asyncio.StreamReader, target: asyncio.StreamWriter, s: float) -> None:
    """Hand on what comes, each piece `s` seconds after it came, and the end last."""
    loop = asyncio.get_running_loop()
    while data := await source.read(_READ_BYTES):
        loop.call_later(s, target.write, data)
    loop.call_later(s, target.close)


if __name__ == "__main__":
    asyncio.run(relay(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
