# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is set aside never takes the place of what was set aside before."""

from pathlib import Path

import pytest

from carrel.aside_name import aside_name


def test_what_was_set_aside_within_the_same_second_stays(tmp_path: Path) -> None:
    """Thirty in a row are several to a second, on any machine."""
    ledger = tmp_path / "carrel.sqlite"
    kept = set()
    for number in range(30):
        ledger.write_text(str(number))
        aside = aside_name(ledger)
        assert aside.parent == tmp_path
        assert aside.name.startswith("carrel.sqlite.before-")
        ledger.rename(aside)
        kept.add(aside.name)

    assert len(kept) == 30
    assert sorted(int(each.read_text()) for each in tmp_path.iterdir()) == list(range(30))


@pytest.mark.parametrize("why", ["before", "damaged"])
def test_a_link_that_leads_nowhere_is_in_the_way_too(tmp_path: Path, why: str) -> None:
    journal = tmp_path / "journal"
    first = aside_name(journal, why)
    first.symlink_to(tmp_path / "nowhere")

    second = aside_name(journal, why)

    assert second != first
    assert f".{why}-" in second.name
