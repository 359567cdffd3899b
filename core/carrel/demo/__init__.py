# SPDX-License-Identifier: AGPL-3.0-or-later
"""A sample repository on loopback, so that everything can be tried with no network.

    with DemoRepository() as repository:
        for dataset in repository.datasets:
            print(dataset.url(repository), dataset.shows, dataset.expected)

It answers as a Dataverse and as an InvenioRDM do. A new sample is one entry in `catalogue.py`.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.demo.catalogue import sample_datasets
    from carrel.demo.dataset import Delivery, DemoDataset, DemoFile, Gate, Hosting
    from carrel.demo.loopback import SeenRequest
    from carrel.demo.server import DemoRepository

__getattr__ = offering(
    __name__,
    {
        "catalogue": ["sample_datasets"],
        "dataset": ["Delivery", "DemoDataset", "DemoFile", "Gate", "Hosting"],
        "loopback": ["SeenRequest"],
        "server": ["DemoRepository"],
    },
)
__all__ = [
    "Delivery",
    "DemoDataset",
    "DemoFile",
    "DemoRepository",
    "Gate",
    "Hosting",
    "SeenRequest",
    "sample_datasets",
]
