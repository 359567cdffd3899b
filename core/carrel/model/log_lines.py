# SPDX-License-Identifier: AGPL-3.0-or-later
"""Lines of a log: whatever a library or an address says, no user name or password is in them."""

import logging

from carrel.model.user_information import shown


class Formatter(logging.Formatter):
    """Formats as the library does, tracebacks included, and leaves out user information."""

    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record))
