# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words of ReDIF: its types of templates, and the names of their fields.

After the specification of 2012 (ReDIF-perl 2.69, redif.spec; ReDIF version 1), and the fields that
it lacks and everyone uses. Names are in lower case.
"""


def _names(text: str) -> list[str]:
    return text.split()


_ORGANISATION = _names("email fax homepage institution location name name-english phone postal")
_PERSON = _names(
    "email fax homepage name name-first name-last name-middle name-prefix name-suffix orcid person"
    " phone postal"
)
_FILE = _names("format function restriction size url")
_PERSONS = ("author", "editor", "translator", "contact", "maintainer")
_ORGANISATIONS = _names(
    "provider publisher sponsor primary secondary tertiary workplace author-workplace"
    " editor-workplace translator-workplace"
)
_HANDLES = _names("archive article book chapter paper software series")
_SINGLE = _names("""
    abstract access-policy archives-excluded archives-included article-type availability
    bibliography book-title chapter classification-acm-1998 classification-arxiv classification-ila
    classification-jel classification-msc-1991 classification-xxx comments-paper conference-date
    conference-location conference-title copyright creation-date description directory doi edition
    email fax followup group handle haschapter homepage in-book isbn issn issue journal
    keywords keywords-attent keywords-cogprints language last-login-date length location machine
    month name name-ascii name-first name-full name-last name-middle name-prefix name-suffix note
    notification number order-email order-homepage order-postal order-url pages phone postal
    predecessor price primary-area primary-defunct programming-language publication-date
    publication-status redif-only registered-date requires restriction revision-date
    secondary-area secondary-defunct series series-excluded series-included short-id size successor
    template-type tertiary-area tertiary-defunct title type url user volume year
    author-article author-book author-chapter author-paper author-software author-series
    editor-article editor-book editor-chapter editor-series workplace-organization
""")

FIELDS = frozenset(
    _SINGLE
    + [f"{person}-{name}" for person in _PERSONS for name in _PERSON]
    + [f"{body}-{name}" for body in _ORGANISATIONS for name in _ORGANISATION]
    + [f"file-{name}" for name in _FILE]
    + [f"{kind}-handle" for kind in _HANDLES]
)
TYPES = {
    f"redif-{name.lower()}": f"ReDIF-{name}"
    for name in _names(
        "Archive Series Paper Article Chapter Book Software Person Institution Mirror Authority"
    )
}


def is_known(name: str) -> bool:
    """Say whether a field, in lower case, is known, or is someone's own ("X-…", "Author-X-…")."""
    return name in FIELDS or name.startswith("x-") or "-x-" in name
