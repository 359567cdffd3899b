# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine's thread: opening, calling, cancelling, closing."""

import asyncio
import threading

import pytest

from carrel.errors import ArchiveLocked
from carrel_desktop.engine_thread import EngineThread
from support.fake_engine import FakeEngine, Script


def a_thread(script: Script | None = None) -> EngineThread:
    return EngineThread(lambda: FakeEngine(script or Script()))


def test_a_call_runs_on_the_engines_thread_and_is_awaited_on_ours() -> None:
    async def scenario() -> str:
        thread = a_thread()
        await thread.start()
        name = await thread.call(asyncio.to_thread(lambda: threading.current_thread().name))
        where = await thread.call(where_am_i())
        await thread.close()
        assert name != where
        return where

    async def where_am_i() -> str:
        return threading.current_thread().name

    assert asyncio.run(scenario()) == "carrel-engine"


def test_an_error_in_a_call_is_raised_where_it_is_awaited() -> None:
    async def fail() -> None:
        raise ValueError("no")

    async def scenario() -> None:
        thread = a_thread()
        await thread.start()
        try:
            await thread.call(fail())
        finally:
            await thread.close()

    with pytest.raises(ValueError, match="no"):
        asyncio.run(scenario())


def test_cancelling_the_awaitable_cancels_the_call() -> None:
    seen = threading.Event()

    async def wait_for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.set()

    async def scenario() -> None:
        thread = a_thread()
        await thread.start()
        call = thread.call(wait_for_ever())
        await asyncio.sleep(0)
        await thread.call(asyncio.sleep(0))
        call.cancel()
        await asyncio.to_thread(seen.wait, 10)
        await thread.close()

    asyncio.run(scenario())
    assert seen.is_set()


def test_closing_cancels_what_runs_and_leaves_the_engine() -> None:
    async def scenario() -> tuple[FakeEngine, bool]:
        thread = a_thread()
        engine = await thread.start()
        call = thread.call(asyncio.Event().wait())
        await thread.close()
        assert isinstance(engine, FakeEngine)
        await asyncio.wait([call])
        return engine, call.cancelled()

    engine, was_cancelled = asyncio.run(scenario())

    assert was_cancelled
    assert engine.calls == ["closed"]


def test_an_archive_that_is_in_use_is_told_to_whoever_opens_it() -> None:
    async def scenario() -> None:
        thread = a_thread(Script(opening_error=ArchiveLocked("somebody else is writing")))
        try:
            await thread.start()
        finally:
            await thread.close()

    with pytest.raises(ArchiveLocked, match="somebody else"):
        asyncio.run(scenario())


def test_a_call_without_an_engine_is_refused() -> None:
    async def scenario() -> None:
        a_thread().call(asyncio.sleep(0))

    with pytest.raises(RuntimeError, match="not running"):
        asyncio.run(scenario())
