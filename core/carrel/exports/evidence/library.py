# SPDX-License-Identifier: AGPL-3.0-or-later
"""The libraries of the extra `signatures`: only who signs, or checks a signature, needs them."""

from carrel.errors import UsageError
from carrel.translation import tr


def need_library() -> None:
    """Raise UsageError where the extra is not installed."""
    try:
        import asn1crypto  # noqa: F401
        import cryptography  # noqa: F401
        import rfc3161_client  # noqa: F401
    except ImportError as error:
        words = tr(
            "Signatures and time stamps need more libraries: install Carrel with "
            "“pip install carrel[signatures]”."
        )
        raise UsageError(words) from error
