# SPDX-License-Identifier: AGPL-3.0-or-later
"""All formats of description, the most particular first."""

from carrel.platforms.descriptions import (
    datacite,
    dcat,
    eml,
    frictionless,
    iso19139,
    linkset,
    ore,
    ro_crate,
    schema_org,
    stac,
)
from carrel.platforms.descriptions.description import Description, Document
from carrel.translation import tr

_READERS = (
    ro_crate.read,
    frictionless.read,
    stac.read,
    datacite.read,
    eml.read,
    iso19139.read,
    linkset.read,
    ore.read,
    dcat.read,
    schema_org.read,
)

TITLES = {
    "croissant": "Croissant",
    "data.json": "data.json",
    "datacite": "DataCite",
    "dcat": "DCAT",
    "eml": "EML",
    "frictionless": tr("Frictionless Data Package"),
    "iso19139": "ISO 19139",
    "ore": "OAI-ORE",
    "ro-crate": "RO-Crate",
    "stac": "STAC",
}
"""What results call a format, and how its makers write it."""


def read(document: Document) -> Description | None:
    """Return what a document says of a dataset, None if it is in no format that is known."""
    return next((found for reader in _READERS if (found := reader(document))), None)
