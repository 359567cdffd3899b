# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an attempt is called."""

from datetime import UTC, datetime
from secrets import token_hex


def new_ingest_id() -> str:
    """Return an id that sorts by time and says when: `20261121T101500-3f9a1c2e5b7d9f01`.

    A batch takes thousands in one second: with half the digits two of 10,000 were the same once in
    a hundred batches.
    """
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{token_hex(8)}"


def attempt_id(job_id: str, number: int) -> str:
    """Return a new id for the attempt of a job of this number, from 1 on: `JOB.2-5b7d9f01`.

    It is one of its own: a copy of the archive, or one that it was merged into, has the same job,
    and an attempt of the same number may end differently there.
    """
    return f"{job_id}.{number}-{token_hex(4)}"
