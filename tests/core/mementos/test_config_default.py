# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file of a new archive, and the data that it is made of."""

from pathlib import Path

from carrel.mementos.config.collection import LedgerSource, Live, MementoSource, WarcPrefix
from carrel.mementos.config.default import default_text
from carrel.mementos.config.grammar import understand
from carrel.mementos.config.public_archives import public_archives
from carrel.mementos.config.templates import check_template

ARCHIVE = Path("/archive")
DEFAULT = understand(default_text(), name="collections.yaml", base=ARCHIVE, archive=ARCHIVE)


def test_the_default_has_no_doubtful_word() -> None:
    assert DEFAULT.warnings == ()


def test_all_is_asked_first() -> None:
    assert [each.name for each in DEFAULT.collections] == ["all", "archive", "public"]


def test_all_is_the_archive_and_the_public_ones() -> None:
    (step,) = DEFAULT.collections[0].steps

    assert step.sources[0] == LedgerSource("archive")
    assert step.resources == (WarcPrefix(ARCHIVE / "collections/main/archive"), Live())
    assert step.timeout_s == 15.0
    (public,) = DEFAULT.collections[2].steps
    assert step.sources[1:] == public.sources


def test_each_public_archive_is_asked_as_the_data_say() -> None:
    (step,) = DEFAULT.collections[2].steps

    usable = [each for each in public_archives() if each.replay_url]
    assert step.sources == tuple(
        MementoSource(each.id, each.timegate_url, each.timemap_url, each.replay_url)
        for each in usable
    )


def test_what_is_left_out_is_said() -> None:
    text = default_text()

    assert [
        each.name for each in public_archives() if not each.replay_url and each.name not in text
    ] == []


def test_a_line_fits_on_a_page() -> None:
    assert max(len(line) for line in default_text().splitlines()) <= 100


def test_the_templates_are_templates() -> None:
    for each in public_archives():
        check_template(each.timegate_url)
        check_template(each.timemap_url)
        assert all(host.islower() and "/" not in host for host in each.hosts)
        assert any(f"//{host}/" in each.timemap_url for host in each.hosts)


def test_budgets_are_known_by_host_and_purpose() -> None:
    budgets = {host: each.budgets for each in public_archives() for host in each.hosts}

    assert budgets["web.archive.org"] == {"lookup": (24, 60.0)}
    assert budgets["arquivo.pt"] == {"lookup": (250, 60.0), "memento": (400, 60.0)}
    assert budgets["perma.cc"] == {}


def test_the_data_have_a_date() -> None:
    assert {each.observed.isoformat() for each in public_archives()} == {"2026-04-09"}
