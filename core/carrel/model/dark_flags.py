# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a delivered full text may be in place of a whole one, by words that the journal has."""

from collections.abc import Iterable

from carrel.translation import tr

LIKELY_CUT, LIKELY_DISGUISE = "likely-cut", "likely-disguise"
IN_WORDS = {
    "landing-page": tr("a web page"),
    LIKELY_DISGUISE: tr("may stand in for something that is gone"),
    "content-coded": tr("bytes as transferred, in a content coding"),
    LIKELY_CUT: tr("may be cut: a PDF without its end"),
}
# Of a new version a person is told these; and how many there were, under such a name.
DOUBTFUL = {
    LIKELY_CUT: (
        tr("{url} delivered a PDF without its end: it may be cut. It was stored as it came."),
        "full texts likely cut",
    ),
    LIKELY_DISGUISE: (
        tr("{url} delivered what may stand in for something that is gone. It was stored."),
        "full texts likely replaced",
    ),
}


def doubts(flags: Iterable[str]) -> list[str]:
    """Return those flags of which a person is told."""
    return [each for each in flags if each in DOUBTFUL]


def in_words(flags: Iterable[str]) -> str:
    """Return flags as people read them; one that has no words here as it is."""
    return "; ".join(IN_WORDS.get(each, each) for each in flags)
