# SPDX-License-Identifier: AGPL-3.0-or-later
"""Why nothing of a Dataverse's dataset can be had, in a word and in a sentence."""

import re

from carrel.errors import ApiStop
from carrel.model import Status
from carrel.model.prose import shown
from carrel.platforms.dataverse.address import Asked
from carrel.platforms.dataverse.answers import Dataset
from carrel.platforms.items import plain_text
from carrel.platforms.review import Closure, nothing_there, restricted
from carrel.translation import tr

# What an installation says that keeps its interface to itself (ApiBlockingFilter of Dataverse).
_INTERFACE_CLOSED = re.compile(r"Endpoint (?:blocked|available)\b", re.IGNORECASE)


def asked_words(found: Asked) -> str:
    """Return what was requested, and where, as in "version 1.0 of the dataset doi:… at host"."""
    pid = found.pid or found.dataset_id
    if pid is None or found.is_file:
        return tr("this file's dataset at {netloc}", netloc=found.netloc)
    version = (
        tr("version {version} of ", version=shown(found.version))
        if found.version and found.api_version
        else ""
    )
    return tr(
        "{version}the dataset {pid} at {netloc}", version=version, pid=pid, netloc=found.netloc
    )


def refusal(stop: ApiStop, found: Asked) -> Closure | None:
    """Return why an installation refused to tell of a dataset, None for any other failure.

    An interface that shuts out everybody is no restriction of the dataset's.
    """
    if is_interface_closed(stop):
        message = tr(
            "The API of {netloc} is closed to the public, so none of its datasets can be "
            "described; ask the installation to open it. {stop}",
            netloc=found.netloc,
            stop=stop,
        )
        return Closure(Status.PLATFORM_HTTP_ERROR, message)
    return restricted(str(stop)) if stop.status is Status.PLATFORM_RESTRICTED else None


def is_interface_closed(stop: ApiStop) -> bool:
    """Return whether the answer is that of a Dataverse that keeps its interface to itself."""
    return _INTERFACE_CLOSED.search(str(stop)) is not None


def closure(dataset: Dataset, pid: str, netloc: str) -> Closure | None:
    """Return why nothing of a dataset can be had that the installation tells of, None if it can.

    A dataset that was published and of which no version is shown is deaccessioned: who may not see
    a draft is refused instead.
    """
    version = dataset.described
    if version is None and dataset.publicationDate is None:
        return restricted(
            tr(
                "{netloc} shows no version of {pid}: it is a draft or was withdrawn.",
                netloc=netloc,
                pid=pid,
            )
        )
    if version is None:
        return Closure(
            Status.PLATFORM_404,
            tr("{netloc} has withdrawn {pid}: it shows no version.", netloc=netloc, pid=pid),
        )
    if version.versionState == "DEACCESSIONED":
        note = f": {plain_text(version.deaccessionNote)}" if version.deaccessionNote else "."
        message = tr(
            "{netloc} has withdrawn {pid} ({label}){note}",
            netloc=netloc,
            pid=pid,
            label=version.label,
            note=note,
        )
        return Closure(Status.PLATFORM_404, message)
    if dataset.embargoActive:
        until = (
            tr(" until {embargodate}", embargodate=dataset.embargoDate[:10])
            if dataset.embargoDate
            else ""
        )
        return restricted(
            tr(
                "The files of {pid} at {netloc} are under embargo{until}.",
                pid=pid,
                netloc=netloc,
                until=until,
            )
        )
    if version.files is None:
        message = tr(
            "{netloc} describes {pid}, but its answer does not list files.", netloc=netloc, pid=pid
        )
        return Closure(Status.PLATFORM_ERROR, message)
    return (
        None
        if version.files
        else nothing_there(tr("{netloc} lists no files in {pid}.", netloc=netloc, pid=pid))
    )
