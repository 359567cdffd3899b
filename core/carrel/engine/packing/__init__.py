# SPDX-License-Identifier: AGPL-3.0-or-later
"""`carrel archive pack`: large WARCs out of small ones."""

from carrel.engine.packing.packing import Left as Left
from carrel.engine.packing.packing import Packed as Packed
from carrel.engine.packing.packing import pack as pack

__all__ = ["Left", "Packed", "pack"]
