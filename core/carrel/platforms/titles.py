# SPDX-License-Identifier: AGPL-3.0-or-later
"""How the makers of platforms write the names that these have in results.

Who shows results needs nothing else of them: with this table no platform is loaded for it.
"""

from collections.abc import Mapping

from carrel.model.item import PAGE_LINKS
from carrel.translation import tr

TITLES: Mapping[str, str] = {
    "archiveorg": "archive.org",
    "b2share": "B2SHARE",
    "cernopendata": "CERN Open Data",
    "ckan": "CKAN",
    "croissant": "Croissant",
    "data.json": "data.json",
    "datacite": "DataCite",
    "dataone": "DataONE",
    "dataverse": "Dataverse",
    "dcat": "DCAT",
    "description": tr("Description of a dataset"),
    "djehuty": "Djehuty",
    "doi": tr("DOI record"),
    "dryad": "Dryad",
    "dspace": "DSpace",
    "edi": "EDI",
    "eml": "EML",
    "eprints": "EPrints",
    "figshare": "Figshare",
    "file": tr("Link to a file"),
    "frictionless": tr("Frictionless Data Package"),
    "gbif": "GBIF",
    "github": "GitHub",
    "hepdata": "HEPData",
    "huggingface": "Hugging Face",
    "hydroshare": "HydroShare",
    "icpsr": "ICPSR",
    "inveniordm": "InvenioRDM",
    "iso19139": "ISO 19139",
    "kaggle": "Kaggle",
    "listing": tr("Directory listing"),
    "mendeley": "Mendeley Data",
    "nakala": "NAKALA",
    "openneuro": "OpenNeuro",
    "ore": "OAI-ORE",
    "osf": "OSF",
    "pangaea": "PANGAEA",
    "ro-crate": "RO-Crate",
    "schema.org": tr("Schema.org page"),
    "scidb": "Science Data Bank",
    "sciencebase": "ScienceBase",
    "seanoe": "SEANOE",
    "signposting": tr("Signposted page"),
    "stac": "STAC",
    "zenodo": "Zenodo",
}
"""Of Carrel's own platforms, as each declares it (`about.About`); a test compares them."""


def title_of(name: str) -> str | None:
    """Return how the makers of a platform write its name, None if no platform has it: of Carrel's
    own, or of what installed packages add."""
    if not name or name in TITLES:
        return TITLES.get(name)
    if name == PAGE_LINKS:
        return tr("Links of a page")
    from carrel.platforms.catalogue import titles  # of the few that packages add

    return titles().get(name)
