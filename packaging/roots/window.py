# SPDX-License-Identifier: AGPL-3.0-or-later
"""Start a window on the display :9, and wait until something is drawn: exit status 0 if it was.

    python packaging/roots/window.py PICTURE SECONDS PROGRAM...

The window is left open; its process id is printed, and how long the first picture took.
"""

import subprocess
import sys
import time
from pathlib import Path

from PIL import ImageGrab

_FEWEST_COLOURS = 40  # an empty screen has one, a window without text a few


def main(picture: Path, longest_s: float, program: list[str]) -> int:
    """Return 0 once the display shows a window, 1 where it ended or took too long."""
    begun = time.monotonic()
    with picture.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - what is tried here
            program, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    while (took := time.monotonic() - begun) < longest_s and process.poll() is None:
        image = ImageGrab.grab(xdisplay=":9").convert("RGB")
        if len(image.getcolors(image.width * image.height) or ()) >= _FEWEST_COLOURS:
            image.save(picture)
            print(process.pid)
            print(f"The window is drawn after {took:.1f} s.", file=sys.stderr)
            return 0
        time.sleep(0.1)
    print(f"No window: {picture.with_suffix('.log').read_text()}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
