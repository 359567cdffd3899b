# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is asked of collections: for which captures, of which time, and how they are listed."""

from carrel.mementos import moments
from carrel.mementos.query import Order, Query, query_for
from carrel.mementos.server.row_formats import Form, all_fields
from carrel.model import Memento

__all__ = ["Order", "Query", "fields_of", "moments", "query_for"]


def fields_of(row: Memento) -> dict[str, str]:
    """Return a capture as the Index API lists it, its key and moment first."""
    return all_fields(row, Form())
