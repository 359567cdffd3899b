# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keeping the computer awake while something runs, in the way of its system.

That is a courtesy: where it cannot be had, the log says so and nothing else happens. The screen
may go dark anyway.
"""

import ctypes
import logging
import os
import sys
from typing import Protocol

from PySide6.QtCore import QProcess
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCall, QDBusPendingCallWatcher

log = logging.getLogger(__name__)

_BUS_NAME = "carrel-awake"
# SetThreadExecutionState (Windows, winbase.h)
_ES_CONTINUOUS, _ES_SYSTEM_REQUIRED = 0x80000000, 0x00000001


class Inhibitor(Protocol):
    """Holds sleep off. Both methods raise OSError where that cannot be."""

    def hold(self, reason: str) -> None: ...

    def release(self) -> None: ...


class KeepAwake:
    """Awake while `set_held` says so; asking twice for the same does nothing."""

    def __init__(self, inhibitor: Inhibitor | None = None) -> None:
        self._inhibitor = inhibitor or inhibitor_here()
        self._is_held = False

    def set_held(self, is_held: bool, reason: str = "") -> None:
        """Hold sleep off, or let it come."""
        if is_held == self._is_held:
            return
        self._is_held = is_held
        try:
            if is_held:
                self._inhibitor.hold(reason)
            else:
                self._inhibitor.release()
        except OSError as error:
            log.info("sleep cannot be prevented: %s", error)


def inhibitor_here() -> Inhibitor:
    """Return what holds sleep off on this system."""
    if sys.platform == "darwin":
        return Caffeinate()
    if sys.platform == "win32":
        return ExecutionState()
    return ScreenSaver()


class ScreenSaver:
    """The desktops of Linux (freedesktop.org, org.freedesktop.ScreenSaver, Inhibit).

    The inhibition ends with the connection that asked for it: a connection of its own is opened and
    closed, so that no cookie has to be kept.
    """

    def __init__(self) -> None:
        self._watcher: QDBusPendingCallWatcher | None = None

    def hold(self, reason: str) -> None:
        kind = QDBusConnection.BusType.SessionBus
        bus = QDBusConnection.connectToBus(kind, _BUS_NAME)
        if not bus.isConnected():
            QDBusConnection.disconnectFromBus(_BUS_NAME)
            raise OSError("there is no session bus")
        place = ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver")
        call = QDBusMessage.createMethodCall(*place, "org.freedesktop.ScreenSaver", "Inhibit")
        call.setArguments(["Carrel", reason])
        self._watcher = QDBusPendingCallWatcher(bus.asyncCall(call))
        self._watcher.finished.connect(_log_refusal)

    def release(self) -> None:
        self._watcher = None
        QDBusConnection.disconnectFromBus(_BUS_NAME)


class Caffeinate:
    """macOS: the program caffeinate, which ends with this process."""

    def __init__(self) -> None:
        self._process = QProcess()

    def hold(self, reason: str) -> None:
        self._process.start("caffeinate", ["-i", "-w", str(os.getpid())])
        if not self._process.waitForStarted(1000):
            raise OSError(self._process.errorString())

    def release(self) -> None:
        self._process.terminate()
        self._process.waitForFinished(1000)


class ExecutionState:
    """Windows: SetThreadExecutionState, of the window's thread."""

    def hold(self, reason: str) -> None:
        self._set(_ES_CONTINUOUS | _ES_SYSTEM_REQUIRED)

    def release(self) -> None:
        self._set(_ES_CONTINUOUS)

    @staticmethod
    def _set(state: int) -> None:
        kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  # there on Windows only
        if not kernel.SetThreadExecutionState(state):
            raise OSError("SetThreadExecutionState refused")


def _log_refusal(call: QDBusPendingCall) -> None:
    if call.isError():
        log.info("sleep cannot be prevented: %s", call.error().message())
