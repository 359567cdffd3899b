# SPDX-License-Identifier: AGPL-3.0-or-later
"""The process that reads one file: a question as JSON on standard input, one answer on output."""

import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from carrel.access.renditions.confinement import confine
from carrel.access.renditions.kinds import rendition_in, source_of
from carrel.model.rendition import Place, nothing_at
from carrel.translation import tr


def main() -> None:
    """Answer one question, and end."""
    # An interrupt is for the process that was begun by a person; that one ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    question = json.load(sys.stdin.buffer)
    limits, asked = question["limits"], question["place"]
    place = Place(**{**asked, "inside": tuple(asked["inside"])})
    path = Path(question["path"])
    with path.open("rb") as file:
        confine(limits["cpu_s"], limits["memory_bytes"])
        source = source_of(file, path.stat().st_size, place)
        try:
            rendition = rendition_in(source, place)
        except MemoryError:
            reason = tr("It needs more memory than a preview may use.")
            rendition = nothing_at(place, reason, source.size)
    answer = json.dumps(asdict(rendition)).encode()
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
