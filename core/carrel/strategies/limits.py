# SPDX-License-Identifier: AGPL-3.0-or-later
"""How much an ingest may take: looked at before anything is fetched, and counted as it arrives."""

import threading
from dataclasses import replace

from carrel.errors import IngestStop
from carrel.model import IngestOptions, Manifest, Status, total_size
from carrel.model.sizes import in_words
from carrel.settings import Limits, Wayback
from carrel.translation import tr

SUBMIT_FEWER = tr(
    "Choose archiveorg-fileset without the Wayback Machine, or raise max_file_count in the "
    "section [wayback] of your own configuration (“carrel settings show” shows where)."
)


def limits_for(options: IngestOptions, usual: Limits) -> Limits:
    """Return the limits of one ingest: those that the person sets for it come before the usual."""
    asked = {"max_total_size": options.max_total_size, "max_file_count": options.max_file_count}
    return replace(usual, **{name: value for name, value in asked.items() if value is not None})


def refuse_beyond(limits: Limits, manifest: Manifest) -> None:
    """Raise IngestStop (too-many-files, too-large-size) for what is too much as it is listed."""
    count, size = len(manifest), total_size(manifest)
    if count > limits.max_file_count:
        message = tr(
            "{count:,} files are more than the limit of {max_file_count:,}.",
            count=count,
            max_file_count=limits.max_file_count,
        )
        raise IngestStop(Status.TOO_MANY_FILES, message)
    if size > limits.max_total_size:
        limit = in_words(limits.max_total_size)
        message = tr(
            "{size} in all are more than the limit of {limit}.", size=in_words(size), limit=limit
        )
        raise IngestStop(Status.TOO_LARGE_SIZE, message)


def too_many_to_submit(count: int, settings: Wayback) -> IngestStop | None:
    """Return the stop (too-much-spn) for more files than are brought to the Wayback Machine."""
    if count <= settings.max_file_count:
        return None
    message = tr(
        "{count:,} files would have to be submitted to the Wayback Machine unless it already has "
        "them, but the limit is {max_file_count:,} per dataset. {submit_fewer}",
        count=count,
        max_file_count=settings.max_file_count,
        submit_fewer=SUBMIT_FEWER,
    )
    return IngestStop(Status.TOO_MUCH_SPN, message)


class Budget:
    """The bytes that an ingest may still take. Threads may share it.

    Sizes that were declared are taken beforehand; a transfer takes what goes beyond them.
    """

    def __init__(self, left: int) -> None:
        self._left = left
        self._lock = threading.Lock()

    def take(self, count: int) -> None:
        """Take bytes, or give some back. Raises IngestStop (too-large-size) beyond the limit."""
        with self._lock:
            self._left -= count
            is_over = self._left < 0
        if is_over and count > 0:
            message = tr(
                "The files turned out larger than the limit; those that were complete by then "
                "are archived."
            )
            raise IngestStop(Status.TOO_LARGE_SIZE, message)
