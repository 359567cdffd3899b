# SPDX-License-Identifier: AGPL-3.0-or-later
"""No test reads the keys or the settings of whoever runs it, or goes through their proxy, and none
fails because its machine is slow."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from carrel.credentials import VARIABLE_OF_HOST

settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")

_numbers = count()


@pytest.fixture(autouse=True, scope="session")
def _by_itself() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as context:
        context.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
        context.delenv("IA_ACCESS_KEY_ID", raising=False)
        context.delenv("IA_SECRET_ACCESS_KEY", raising=False)
        for name in [name for name in os.environ if name.startswith(VARIABLE_OF_HOST)]:
            context.delenv(name)
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            context.delenv(name, raising=False)
            context.delenv(name.upper(), raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _configurations(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Have what fixtures of a session or module configure be nobody's, too."""
    folder = tmp_path_factory.mktemp("configurations")
    with pytest.MonkeyPatch.context() as context:
        context.setenv("XDG_CONFIG_HOME", str(folder / "shared"))
        context.setenv("CARREL_CACHE", str(folder / "shared" / "cache"))
        yield folder


@pytest.fixture(autouse=True)
def _own_configuration(_configurations: Path) -> Iterator[None]:
    """Give each test a configuration and a cache of its own, for the programs it runs as well."""
    with pytest.MonkeyPatch.context() as context:
        own = _configurations / f"{next(_numbers)}"
        context.setenv("XDG_CONFIG_HOME", str(own))
        context.setenv("CARREL_CACHE", str(own / "cache"))
        yield
