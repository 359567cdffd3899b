# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of records that are not intact: no one is sent to archive again what cannot come."""

import pytest

from carrel.model.outcome_words import (
    COME_ANEW,
    IS_EARLIER,
    IS_IMPORTED,
    NOTHING_LOST,
    OTHER_FORMS,
    Unfit,
    instead_of_again,
)

TWIN, EARLIER = Unfit(True, False, False), Unfit(False, True, False)
BOTH, LOST = Unfit(True, True, False), Unfit(False, False, False)
ACCOMPANYING, IMPORTED = Unfit(False, False, True), Unfit(False, False, False, True)
IMPORTED_TWIN = Unfit(True, False, False, True)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], ""),
        ([LOST], ""),
        ([TWIN, LOST], ""),
        ([EARLIER, LOST], ""),
        ([TWIN, BOTH], f"{NOTHING_LOST} {COME_ANEW}"),
        ([IMPORTED_TWIN], NOTHING_LOST),
        ([EARLIER], IS_EARLIER),
        ([TWIN, EARLIER], IS_EARLIER),
        ([IMPORTED, ACCOMPANYING], IS_IMPORTED),
        ([IMPORTED, LOST], ""),
        ([ACCOMPANYING], OTHER_FORMS),
        ([ACCOMPANYING, LOST], ""),
        ([ACCOMPANYING, EARLIER], IS_EARLIER),
    ],
)
def test_archiving_again_is_named_only_where_it_may_help(records: list[Unfit], said: str) -> None:
    assert instead_of_again(records) == said
