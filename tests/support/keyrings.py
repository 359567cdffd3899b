# SPDX-License-Identifier: AGPL-3.0-or-later
"""Keyrings for tests: one in memory, one that is locked, one that forgets."""

import keyring
from keyring.backend import KeyringBackend
from keyring.backends import fail
from keyring.errors import KeyringLocked, PasswordDeleteError

SERVICE = "carrel"


class MemoryKeyring(KeyringBackend):
    """Keeps everything until the test ends. `reads` counts how often it was asked."""

    # Never chosen by itself.
    priority = -1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's
        self.kept: dict[tuple[str, str], str] = {}
        self.reads = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.reads += 1
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not found")


class LockedKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("the person would not unlock it")


class ForgetfulKeyring(MemoryKeyring):
    def set_password(self, service: str, username: str, password: str) -> None: ...


def no_keyring() -> KeyringBackend:
    """Return what the library has where the system has nothing."""
    return fail.Keyring()  # type: ignore[no-untyped-call]  # the library's


class Swapped:
    """Puts a keyring in place of the system's while the context lasts."""

    def __init__(self, ring: KeyringBackend) -> None:
        self._ring = ring

    def __enter__(self) -> KeyringBackend:
        self._before = keyring.core._keyring_backend
        keyring.set_keyring(self._ring)
        return self._ring

    def __exit__(self, *error: object) -> None:
        keyring.core._keyring_backend = self._before
