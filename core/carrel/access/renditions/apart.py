# SPDX-License-Identifier: AGPL-3.0-or-later
"""Starts the process that reads a file, and takes its answer, or says why there is none."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from carrel.access.reading_process import Limits, environment
from carrel.model.rendition import Place, Rendition, nothing_at
from carrel.model.sizes import MEBIBYTE
from carrel.translation import tr
from carrel.validation import TypeAdapter, ValidationError

# A large picture of noise is 16 MiB, in base 64 22.
_MOST_ANSWER = 32 * MEBIBYTE
_PIECE_BYTES = 256 * 1024
_READER = ("-P", "-B", "-m", "carrel.access.renditions")
_RENDITION: TypeAdapter[Rendition] = TypeAdapter(Rendition)


async def rendition_of(
    path: Path,
    place: Place,
    limits: Limits = Limits(),
    reader: Sequence[str] = _READER,
) -> Rendition:
    """Return what there is to see of the file at a path. `reader` is what Python is to run.

    What is wrong with the file, or with who reads it, is the reason of a Nothing. Raises OSError
    where there is no such file.
    """
    size = (await asyncio.to_thread(path.stat)).st_size
    if not sys.executable:
        return nothing_at(place, tr("This build of Carrel has no preview."), size)
    question = {"path": str(path), "place": asdict(place), "limits": asdict(limits)}
    try:
        async with asyncio.timeout(limits.time_s):
            answer, code = await _answered(json.dumps(question).encode(), reader)
    except TimeoutError:
        words = tr("The preview took longer than {seconds} seconds.", seconds=int(limits.time_s))
        return nothing_at(place, words, size)
    except OSError as error:
        words = tr("The preview process cannot be started: {reason}.", reason=error.strerror)
        return nothing_at(place, words, size)
    return _checked(answer, code, place, size)


def _checked(answer: bytes | None, code: int, place: Place, size: int) -> Rendition:
    if answer is None:
        return nothing_at(place, tr("It is too large to preview."), size)
    if code:
        words = tr("The preview process ended unexpectedly (exit status {code}).")
        return nothing_at(place, words.format(code=code), size)
    try:
        return _RENDITION.validate_json(answer)
    except ValidationError:
        return nothing_at(place, tr("The preview process returned an invalid answer."), size)


async def _answered(question: bytes, reader: Sequence[str]) -> tuple[bytes | None, int]:
    """Return what the process answers, None if it does not stop, and its exit status."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *reader,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise OSError(None, tr("it has no pipes"))
        with suppress(BrokenPipeError, ConnectionResetError):  # it ended; the status says how
            process.stdin.write(question)
            await process.stdin.drain()
            process.stdin.close()
        answer = await _read(process.stdout)
        if answer is None:
            return None, 0
        return answer, await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            # asyncio reports a process's end only once its output has been read to the end.
            while process.stdout and await process.stdout.read(_PIECE_BYTES):
                pass
            await process.wait()


async def _read(stream: asyncio.StreamReader) -> bytes | None:
    answer = bytearray()
    while piece := await stream.read(_PIECE_BYTES):
        answer += piece
        if len(answer) > _MOST_ANSWER:
            return None
    return bytes(answer)
