# SPDX-License-Identifier: AGPL-3.0-or-later
"""No test reads the keys of whoever runs it, or goes through their proxy."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _by_itself() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as context:
        context.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
        context.delenv("IA_ACCESS_KEY_ID", raising=False)
        context.delenv("IA_SECRET_ACCESS_KEY", raising=False)
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            context.delenv(name, raising=False)
            context.delenv(name.upper(), raising=False)
        yield
