# SPDX-License-Identifier: AGPL-3.0-or-later
"""All files of a dataset in one zip, as the platforms make it while it is sent."""

import io
import zipfile
from collections.abc import Iterable

from carrel.demo.answer import Answer
from carrel.demo.dataset import Delivery, DemoDataset, DemoFile

_MADE = (2026, 3, 2, 9, 0, 0)


def bundle_answer(dataset: DemoDataset, files: Iterable[DemoFile], notes: str = "") -> Answer:
    """Return the answer that sends these files in one zip, and a text about them if there is one.

    What the repository has lost is left out, and nothing tells that.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for file in files:
            if file.delivery is not Delivery.MISSING:
                with archive.open(_member(file.path), "w") as member:
                    for block in dataset.content(file).blocks():
                        member.write(block)
        if notes:
            archive.writestr(_member("MANIFEST.TXT"), notes)
    headers = (
        ("Content-Type", "application/zip"),
        ("Content-Disposition", f'attachment; filename="{dataset.key}.zip"'),
    )
    return Answer(200, headers, target.getvalue())


def dataverse_bundle(dataset: DemoDataset) -> Answer:
    """Return a Dataverse's bundle: it lacks the restricted files, and has a text that says so."""
    lines = [
        f"{file.name} IS RESTRICTED AND CANNOT BE DOWNLOADED"
        if file.is_restricted
        else f"{file.name} ({file.mimetype}) {file.size} bytes."
        for file in dataset.files
    ]
    open_files = [file for file in dataset.files if not file.is_restricted]
    return bundle_answer(dataset, open_files, "".join(f"{line}\r\n" for line in lines))


def _member(path: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path, _MADE)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
