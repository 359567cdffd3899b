# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive pack`: large WARCs out of small ones."""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.packing.packing import Left, Packed, pack

__getattr__ = offering(__name__, {"packing": ["Left", "Packed", "pack"]})
__all__ = ["Left", "Packed", "pack"]
