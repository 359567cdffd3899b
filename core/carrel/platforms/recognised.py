# SPDX-License-Identifier: AGPL-3.0-or-later
"""Platforms that are recognised and named, but that cannot be asked yet.

When one gets a module of its own, its entry here goes.
"""

from carrel.platforms.about import About, KnownLimit, Place
from carrel.translation import tr


def _datasets(title: str, *places: tuple[str, str], is_named_bare: bool = False) -> About:
    """Return a platform whose datasets stand in these folders of these hosts."""
    return About(
        title=title,
        hosts=frozenset(host for host, _ in places) if is_named_bare else frozenset(),
        places=tuple(
            Place(host, folder, tr("a dataset on {title}", title=title)) for host, folder in places
        ),
    )


# Hosts of members: J535D165/datahugger config.py f7eb0df6, without those that are platforms of
# their own.
_DATAONE = About(
    title="DataONE",
    places=(
        *(
            Place(host, "", tr("a page of a member of DataONE"))
            for host in (
                "adc.arm.gov",
                "data.ess-dive.lbl.gov",
                "data.piscoweb.org",
                "data.pndb.fr",
                "goa.nceas.ucsb.edu",
                "iys.hakai.org",
                "opc.dataone.org",
            )
        ),
        Place("arcticdata.io", "catalog", tr("a dataset in the Arctic Data Center of DataONE")),
        Place("dataone.org", "datasets", tr("a dataset in DataONE")),
        Place("search.dataone.org", "view", tr("a dataset in DataONE")),
        Place("knb.ecoinformatics.org", "", tr("a page of the KNB in DataONE")),
    ),
)

RECOGNISED: tuple[About, ...] = (
    _DATAONE,
    _datasets("B2SHARE", ("b2share.eudat.eu", "records")),
    About(title="CKAN", generators={"ckan": tr("a page of a CKAN portal")}),
    _datasets("Data.gov", ("catalog.data.gov", "dataset")),
    _datasets(
        "Dryad",
        ("datadryad.org", "dataset"),
        ("datadryad.org", "resource"),
        ("datadryad.org", "stash"),
        is_named_bare=True,
    ),
    About(title="DSpace", generators={"dspace": tr("a page of a DSpace repository")}),
    About(
        title="EDI",
        places=(
            Place("pasta.lternet.edu", "", tr("a page of the EDI repository")),
            Place("portal.edirepository.org", "", tr("a page of the EDI repository")),
        ),
    ),
    About(
        title="GBIF",
        places=(
            Place("gbif.org", "dataset", tr("a dataset on GBIF")),
            Place("gbif.org", "occurrence", tr("a page of GBIF")),
        ),
    ),
    About(title="GitHub", places=(Place("github.com", "", tr("a page of GitHub")),)),
    _datasets("Hugging Face", ("huggingface.co", "datasets")),
    _datasets("HydroShare", ("hydroshare.org", "resource")),
    About(title="ICPSR", places=(Place("icpsr.umich.edu", "", tr("a page of ICPSR")),)),
    _datasets("Kaggle", ("kaggle.com", "datasets")),
    _datasets("Mendeley Data", ("data.mendeley.com", "datasets"), is_named_bare=True),
    _datasets("openICPSR", ("openicpsr.org", "openicpsr")),
    _datasets("OpenNeuro", ("openneuro.org", "datasets")),
    About(
        title="OSF",
        hosts=frozenset({"osf.io"}),
        limits=(
            KnownLimit("osf.io", 100, 416, "2025-11", "OSF API guide: 100 an hour, 10,000 a day"),
        ),
        places=(Place("osf.io", "", tr("a page of OSF")),),
    ),
    _datasets("PANGAEA", ("doi.pangaea.de", ""), is_named_bare=True),
    About(
        title="Science Data Bank",
        places=(Place("scidb.cn", "", tr("a page of Science Data Bank")),),
    ),
    _datasets("ScienceBase", ("sciencebase.gov", "catalog")),
    _datasets("SEANOE", ("seanoe.org", "data")),
    About(
        title="U.S. Antarctic Program Data Center",
        places=(Place("usap-dc.org", "", tr("a page of the U.S. Antarctic Program Data Center")),),
    ),
)
