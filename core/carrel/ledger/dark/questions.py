# SPDX-License-Identifier: AGPL-3.0-or-later
"""What people ask of the dark archive."""

from carrel.ledger.connection import Connection


class Questions:
    def __init__(self, connection: Connection) -> None:
        self._rows = connection.rows
