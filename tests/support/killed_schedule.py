# SPDX-License-Identifier: AGPL-3.0-or-later
"""Does what is due in an archive, and kills itself when it comes to a dataset.

usage: python killed_schedule.py ARCHIVE WORD
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from carrel.engine import Engine
from carrel.model.events import Event, ScheduleChanged


async def main(archive: Path, word: str) -> None:
    def kill(event: Event) -> None:
        if isinstance(event, ScheduleChanged) and word in event.words:
            os.kill(os.getpid(), signal.SIGKILL)

    async with Engine.open(archive, kill) as engine:
        await engine.schedule.run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
