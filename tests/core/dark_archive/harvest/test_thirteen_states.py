# SPDX-License-Identifier: AGPL-3.0-or-later
"""An archive at thirteen moments of its history, and the log of it as worked out by hand."""

from collections.abc import Callable
from datetime import timedelta
from hashlib import md5
from pathlib import Path

import pytest

from carrel.dark_archive.identifiers import no_handle
from support.dark_archives import (
    BEGINNING,
    HTML,
    Files,
    Incidence,
    World,
    handle,
    template,
)

ARCHIVE = template("RePEc:aaa", "Archive of Tides", kind="ReDIF-Archive 1.0")
ARCHIVE_AGAIN = template("repec:AAA", "Archive of Tides", kind="ReDIF-Archive 1.0")
NO_HANDLE = template(None, "Undertow")
FOG = handle(1, "journl", "bbb")
MIST = handle(2, "journl", "bbb")
EBB, FLOW, SLACK, NEAP, SPRING, BORE = map(handle, range(1, 7))

FIRST_A = template(EBB, "Marée") + template(FLOW, "Flow") + template(SLACK, "Slack")
FIRST_B = template(NEAP, "Neap") + template(SPRING, "Spring")
JOURNAL = template(FOG, "Fog") + template(MIST, "Mist")
REMARKED = f"# Kept by hand.\n\nTemplate-Type: ReDIF-Paper 1.0\n\nHandle: {FLOW}   \nTitle: Flow\n"
WITHOUT_SLACK = template(EBB, "Marée basse") + REMARKED + template(BORE, "Bore")
WITH_SLACK = WITHOUT_SLACK + template(SLACK, "Slack")
SPRING_AGAIN = template(SPRING, "Spring, again")
SECOND_C = template(NEAP, "Neap") + template(BORE, "Bore") + template(SLACK, "Slack")
DOUBLED = SECOND_C + template(BORE, "Bore II")
SECOND_BORE = template(NEAP, "Neap") + template(SLACK, "Slack") + template(BORE, "Bore II")
FLOW_BACK = SECOND_BORE + template(FLOW, "Flow, at last")
EBB_BACK = FLOW_BACK + template(EBB, "Marée basse")
SECOND_B = template(NEAP, "Neap") + SPRING_AGAIN
THIRD_B = template(EBB, "Marée basse") + SPRING_AGAIN

ARCH, A, B, C, FIRST, J = (
    "aaa/aaaarch.rdf",
    "aaa/wpaper/a.rdf",
    "aaa/wpaper/b.rdf",
    "aaa/wpaper/c.rdf",
    "aaa/wpaper/0.rdf",
    "bbb/journl/j.RDF",
)
# The day of each state, and what it holds.
STATES: list[tuple[int, Files]] = [
    (0, {ARCH: ARCHIVE, A: FIRST_A.encode("latin-1"), B: FIRST_B, J: JOURNAL}),
    # A text is revised, another gets a remark, one goes, one comes.
    (1, {ARCH: ARCHIVE, A: WITHOUT_SLACK.encode("latin-1"), B: FIRST_B, J: JOURNAL}),
    # One file is encoded anew, another one gives a web page in its place.
    (
        2,
        {
            ARCH: ARCHIVE,
            A: WITHOUT_SLACK.replace("\n", "\r\n").encode("utf-16"),
            B: HTML,
            J: JOURNAL,
        },
    ),
    # It is empty now; and what went is back as it was.
    (3, {ARCH: ARCHIVE, A: WITH_SLACK, B: b"", J: JOURNAL}),
    # It is mended, with one revision; the other file has another name.
    (4, {ARCH: ARCHIVE, C: WITH_SLACK, B: SECOND_B, J: JOURNAL}),
    # Two templates change places, one goes, one is doubled in its file.
    (5, {ARCH: ARCHIVE, C: DOUBLED, B: THIRD_B, J: JOURNAL}),
    # The first of the two goes; another is doubled by a file that stands before.
    (
        6,
        {
            ARCH: ARCHIVE,
            C: SECOND_BORE,
            B: THIRD_B,
            FIRST: template(SPRING, "Spring tide"),
            J: JOURNAL,
        },
    ),
    # That file goes again, and with it a whole archive; one is back with another text.
    (7, {ARCH: ARCHIVE, C: FLOW_BACK, B: THIRD_B}),
    (8, {ARCH: ARCHIVE_AGAIN, C: FLOW_BACK, B: THIRD_B}),
    # The archive is back in time, revised; a file goes while its archive stays.
    (
        9,
        {ARCH: ARCHIVE_AGAIN, C: FLOW_BACK, J: template(FOG, "Fog") + template(MIST, "Thick mist")},
    ),
    # It goes again, and stays away.
    (10, {ARCH: ARCHIVE_AGAIN, C: EBB_BACK}),
    (14, {ARCH: ARCHIVE_AGAIN, C: EBB_BACK.replace(template(NEAP, "Neap"), "")}),
    (18, {ARCH: ARCHIVE_AGAIN, C: EBB_BACK.replace("Neap", "Neap, at last") + NO_HANDLE}),
]
UNDERTOW = no_handle(md5(b"Template-Type: ReDIF-Paper 1.0\nTitle: Undertow\n").hexdigest())
LOG = [
    *(Incidence(1, "appearance", name) for name in ("RePEc:aaa", *map(handle, range(1, 6)))),
    Incidence(1, "appearance", FOG),
    Incidence(1, "appearance", MIST),
    Incidence(2, "change", EBB),
    Incidence(2, "deletion", SLACK, "not-in-data", 2),
    Incidence(2, "appearance", BORE),
    Incidence(4, "reappearance", SLACK, "same text"),
    Incidence(5, "change", SPRING),
    Incidence(6, "deletion", FLOW, "not-in-data", 6),
    Incidence(7, "change", SPRING),
    Incidence(7, "change", BORE),
    Incidence(8, "reappearance", FLOW, "new text"),
    Incidence(8, "change", SPRING),
    Incidence(9, "change", "RePEc:aaa"),
    Incidence(10, "deletion", EBB, "not-in-data", 10),
    Incidence(10, "deletion", SPRING, "not-in-data", 10),
    Incidence(10, "change", MIST),
    Incidence(11, "reappearance", EBB, "same text"),
    Incidence(12, "deletion", NEAP, "not-in-data", 12),
    Incidence(13, "reappearance", NEAP, "new text"),
    Incidence(13, "deletion", FOG, "archive-not-in-data", 11),
    Incidence(13, "deletion", MIST, "archive-not-in-data", 11),
    Incidence(13, "appearance", UNDERTOW),
]


def by_directories(world: World) -> None:
    for day, files in STATES:
        world.gather_tree(files, days=day - (world.clock.moment - world.began).days)


def by_tarballs(world: World) -> None:
    for day, files in STATES:
        date = (BEGINNING + timedelta(days=day)).strftime("%Y-%m-%d")
        world.gather_tarball(f"RePEc-{date}.tar.gz", files)


@pytest.mark.parametrize("gather", [by_directories, by_tarballs])
def test_the_log_is_as_worked_out_by_hand(tmp_path: Path, gather: Callable[[World], None]) -> None:
    with World(tmp_path) as world:
        gather(world)

        assert world.log() == LOG
        assert world.is_sound()
