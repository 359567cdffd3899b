# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a DOI may name that is no dataset: by the kind that is registered, or by the site.

Kinds are those of DataCite's metadata schema 4.6, table 7 (`resourceTypeGeneral`), and those of
Crossref's REST API (`/types`). The sites are those that a random sample of DOIs leads to most.
"""

from collections.abc import Mapping

from carrel.platforms.about import is_under
from carrel.translation import tr

_ARTICLE = tr("an article")
_BOOK = tr("a book")
_PAPER = tr("a conference paper")
_PREPRINT = tr("a preprint")
_REPORT = tr("a report")
_THESIS = tr("a thesis")

WITHOUT_FILES: Mapping[str, str] = {
    "award": tr("a grant"),
    "event": tr("an event"),
    "grant": tr("a grant"),
    "instrument": tr("an instrument"),
    "physical-object": tr("a physical sample"),
    "project": tr("a project"),
    "study-registration": tr("the registration of a study"),
}
"""Kinds that have no files by their nature."""

OTHER_WORKS: Mapping[str, str] = {
    "audiovisual": tr("a film or recording"),
    "book": _BOOK,
    "book-chapter": tr("a chapter of a book"),
    "conference-paper": _PAPER,
    "conference-proceeding": tr("conference proceedings"),
    "data-paper": tr("an article about data"),
    "dissertation": _THESIS,
    "edited-book": _BOOK,
    "image": tr("an image"),
    "journal": tr("a journal"),
    "journal-article": _ARTICLE,
    "journal-issue": tr("an issue of a journal"),
    "monograph": _BOOK,
    "output-management-plan": tr("a data management plan"),
    "peer-review": tr("a review"),
    "poster": tr("a poster"),
    "posted-content": _PREPRINT,
    "preprint": _PREPRINT,
    "presentation": tr("a presentation"),
    "proceedings-article": _PAPER,
    "reference-book": _BOOK,
    "report": _REPORT,
    "sound": tr("a sound recording"),
    "standard": tr("a standard"),
    "text": tr("a text"),
}
"""Kinds that are works of their own, whose pages show no data."""

GROUPS: Mapping[str, str] = {
    "collection": tr("a collection"),
    "database": tr("a database"),
}
"""Kinds that group datasets."""

_SITES: Mapping[str, str] = {
    "app.geosamples.org": tr("a physical sample"),
    "bacdive.dsmz.de": tr("a strain of bacteria"),
    "doi.plutof.ut.ee": tr("a specimen or taxon"),
    "glis.fao.org": tr("a seed bank's sample"),
    "pid.geoscience.gov.au": tr("a physical sample"),
}

_VIEWERS: Mapping[str, str] = {
    "digi.ub.uni-heidelberg.de": tr("a digitised book"),
    "digitallibrary.usc.edu": tr("a digitised picture"),
    "dlc.library.columbia.edu": tr("a digitised object"),
    "e-periodica.ch": tr("a digitised journal"),
    "e-pics.ethz.ch": tr("a digitised picture"),
    "e-rara.ch": tr("a digitised book"),
}


def without_files_at(host: str) -> str | None:
    """Return what a site has that has no files by its nature, None if that is not known."""
    return _SITES.get(host)


def viewed_at(host: str) -> str | None:
    """Return what a site shows in a viewer and does not publish as files, None if it is none."""
    return next((what for site, what in _VIEWERS.items() if is_under(host, site)), None)
