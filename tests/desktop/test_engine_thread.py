# SPDX-License-Identifier: AGPL-3.0-or-later
"""The engine's thread: opening, calling, cancelling, closing."""

import asyncio
import threading

import pytest

from carrel.errors import ArchiveLocked, IngestStop, JournalDamaged
from carrel.model import Status
from carrel_desktop.engine_thread import EngineThread
from support.fake_engine import FakeEngine
from support.fake_script import Script


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


def test_closing_while_the_engine_opens_leaves_it_once_it_is_open() -> None:
    may_open = threading.Event()
    engine = FakeEngine(Script())

    def open_slowly() -> FakeEngine:
        assert may_open.wait(10)
        return engine

    async def scenario() -> None:
        thread = EngineThread(open_slowly)
        opening = asyncio.ensure_future(thread.start())
        await asyncio.sleep(0)
        opening.cancel()
        closing = asyncio.create_task(thread.close())
        await asyncio.sleep(0)
        may_open.set()
        await asyncio.wait_for(closing, 10)

    asyncio.run(scenario())
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


class Unrepeatable(Exception):
    """Cannot be made again from its arguments."""

    def __init__(self, *, word: str) -> None:
        super().__init__(f"the word is {word}")


class Witness:
    """Notes on which thread it ends, as a widget would."""

    def __init__(self, ended_on: list[str]) -> None:
        self._ended_on = ended_on

    def __del__(self) -> None:
        self._ended_on.append(threading.current_thread().name)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (OSError(28, "No space left on device", "/a/b"), OSError, "No space left on device"),
        (IngestStop(Status.NOT_FOUND, "gone", may_repeat=False), IngestStop, "gone"),
        (JournalDamaged("It", "j.jsonl", 3, 12, "cut", "wait."), JournalDamaged, "j.jsonl"),
        (Unrepeatable(word="no"), RuntimeError, "Unrepeatable: the word is no"),
    ],
    ids=["of the system", "of an ingest", "of a journal", "of a stranger"],
)
def test_an_error_crosses_as_a_copy_with_all_its_fields(
    error: Exception, kind: type[Exception], words: str
) -> None:
    async def fail() -> None:
        raise error

    async def scenario() -> BaseException:
        thread = a_thread()
        await thread.start()
        (raised,) = await asyncio.gather(thread.call(fail()), return_exceptions=True)
        await thread.close()
        assert isinstance(raised, BaseException)
        return raised

    raised = asyncio.run(scenario())

    assert isinstance(raised, kind)
    assert words in str(raised)
    assert raised is not error
    assert raised.__cause__ is error
    assert {**vars(error), **vars(raised)} == vars(raised)
    assert getattr(raised, "filename", None) == getattr(error, "filename", None)


def test_what_an_error_gathers_in_the_window_ends_on_the_windows_thread() -> None:
    ended_on: list[str] = []
    kept: list[BaseException] = []
    may_forget, has_forgotten = threading.Event(), threading.Event()

    async def fail() -> None:
        error = ValueError("no")
        kept.append(error)
        asyncio.get_running_loop().call_later(0.01, forget)
        raise error

    def forget() -> None:
        may_forget.wait(60)
        kept.clear()  # the engine's thread is the last one to hold its error
        has_forgotten.set()

    async def in_the_window(thread: EngineThread) -> None:
        widget = Witness(ended_on)
        try:
            await thread.call(fail())
        except ValueError:
            assert widget

    async def scenario() -> None:
        thread = a_thread()
        await thread.start()
        await in_the_window(thread)
        may_forget.set()
        await asyncio.to_thread(has_forgotten.wait, 60)
        await thread.close()

    asyncio.run(scenario())

    assert ended_on == [threading.main_thread().name]
