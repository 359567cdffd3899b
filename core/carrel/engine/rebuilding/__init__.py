# SPDX-License-Identifier: AGPL-3.0-or-later
"""The ledger of an archive made again, from its journal and its WARCs."""

from carrel.engine.rebuilding.rebuild import Rebuilt, Tell, rebuild
from carrel.engine.rebuilding.sentences import lacks_of

__all__ = ["Rebuilt", "Tell", "lacks_of", "rebuild"]
