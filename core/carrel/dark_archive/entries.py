# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the entries of the dark archive's journal are coded."""

from typing import get_args

from carrel.journal import Codec
from carrel.model.dark import Entry
from carrel.translation import tr

ENTRIES: Codec[Entry] = Codec(
    get_args(Entry),
    tr("The journal of the dark archive"),
    tr(
        "`carrel dark verify` reports what else is wrong, `carrel dark rebuild` repairs what the "
        "ledger has a copy of."
    ),
)
