# SPDX-License-Identifier: AGPL-3.0-or-later
"""The places of the queue: one for each state that a job can be in, with its count."""

from carrel.model import JobState
from carrel.translation import tr
from carrel_desktop import words
from carrel_desktop.views.queue.rows import Totals
from carrel_desktop.widgets.chips import Chips

STATES = (
    JobState.ASKING,
    JobState.RUNNING,
    JobState.QUEUED,
    JobState.PAUSED,
    JobState.FAILED,
    JobState.CANCELLED,
    JobState.DONE,
)
ORDER = (None, *STATES)
# Places that stand there only while something is in them, or they are chosen.
RARE = frozenset({JobState.ASKING, JobState.PAUSED, JobState.CANCELLED})


class Places(Chips[JobState | None]):
    """`chosen` carries the state to show, None for all."""

    def __init__(self) -> None:
        super().__init__(ORDER, ["all", *(state.value for state in STATES)], wraps=True)
        self.button(JobState.ASKING).setProperty("role", "asking")
        self.show_totals(Totals())

    def show_totals(self, totals: Totals) -> None:
        """Bring the counts up to date."""
        for state in ORDER:
            word = tr("All") if state is None else words.job_state(state)
            count = totals.of(state)
            self.show_count(state, word, count)
            if state in RARE:
                button = self.button(state)
                button.setVisible(count > 0 or button.isChecked())
