# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is said of records that are not intact: no one is sent to archive again what cannot come."""

import pytest

from carrel.model.outcome_words import HAS_TWIN, IS_EARLIER, OTHER_FORMS, instead_of_again

TWIN, EARLIER, BOTH = (True, False, False), (False, True, False), (True, True, False)
LOST, ACCOMPANYING = (False, False, False), (False, False, True)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], ""),
        ([LOST], ""),
        ([TWIN, LOST], ""),
        ([EARLIER, LOST], ""),
        ([TWIN, BOTH], HAS_TWIN),
        ([EARLIER], IS_EARLIER),
        ([TWIN, EARLIER], IS_EARLIER),
        ([ACCOMPANYING], OTHER_FORMS),
        ([ACCOMPANYING, LOST], ""),
        ([ACCOMPANYING, EARLIER], IS_EARLIER),
    ],
)
def test_archiving_again_is_named_only_where_it_may_help(
    records: list[tuple[bool, bool, bool]], said: str
) -> None:
    assert instead_of_again(records) == said
