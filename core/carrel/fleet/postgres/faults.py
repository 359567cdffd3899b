# SPDX-License-Identifier: AGPL-3.0-or-later
"""Whose fault an error of Postgres is: the row's, which is set aside, or not, which is waited for.

Classes of SQLSTATE: PostgreSQL documentation, appendix A.
"""

import psycopg

# Data exception, integrity constraint violation, program limit exceeded.
_OF_THE_ROW = ("22", "23", "54")


def is_of_the_row(error: Exception) -> bool:
    """Say whether the same row would be refused again by a database that is well."""
    if isinstance(error, UnicodeEncodeError):
        return True
    if not isinstance(error, psycopg.Error):
        return False
    if error.sqlstate is None:  # the client refused it, before the server saw it
        return isinstance(error, psycopg.DataError)
    return error.sqlstate.startswith(_OF_THE_ROW)


def what_was_wrong(error: Exception) -> str:
    """Return the first line of an error: details and the statement may quote the row."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return primary or next(iter(str(error).splitlines()), type(error).__name__)
