# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a page says of the software that made it."""

from carrel.platforms.markers import generators, is_made_by, meta
from support.answers import landing, lost_landing

PAGE = (
    '<head><meta name="Generator" content=" DSpace  7.6.1">'
    '<META content="42" NAME="eprints.eprintid">'
    '<meta property="og:title" content="x"></head>'
)


def test_a_page_names_its_software() -> None:
    page = landing("https://r.example/", html=PAGE)

    assert generators(page) == ("dspace 7.6.1",)
    assert is_made_by(page, "dspace")
    assert not is_made_by(page, "dspa")
    assert meta(page, "eprints.eprintid") == ("42",)


def test_an_error_page_says_nothing() -> None:
    assert generators(lost_landing("https://r.example/")) == ()
