# SPDX-License-Identifier: AGPL-3.0-or-later
"""No test reads the keys of whoever runs it."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _no_keys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as context:
        context.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
        context.delenv("IA_ACCESS_KEY_ID", raising=False)
        context.delenv("IA_SECRET_ACCESS_KEY", raising=False)
        yield
