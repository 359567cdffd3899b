# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a result of long ago says in general is said in the language of now."""

from carrel.model import Status
from carrel_desktop.views.holdings.record import record_of


def test_advice_follows_from_the_outcome_whatever_language_it_was_written_in() -> None:
    fields = {
        "request": {"base_url": "https://example.org/1"},
        "status": str(Status.TRUNCATED),
        "advice": "Die Datei ist unvollständig.",
        "error_message": "1 von 2 Dateien ist archiviert.",
    }

    record = record_of(fields)

    assert record.advice == Status.TRUNCATED.meaning.advice
    assert record.error_message == fields["error_message"]  # what happened then stays as written
