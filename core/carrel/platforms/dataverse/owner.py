# SPDX-License-Identifier: AGPL-3.0-or-later
"""From a file in a Dataverse to the dataset that holds it."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import quote

from carrel.errors import ApiStop
from carrel.model import Landing, Status
from carrel.platforms.dataverse.address import Asked, parent_pid, read_pid
from carrel.platforms.dataverse.answers import Dataset, FileAnswer, SearchAnswer
from carrel.platforms.platform import Api
from carrel.translation import tr

_DATASET_LINK = re.compile(r"dataset\.xhtml\?persistentId=([^\"'&<>\s]+)", re.IGNORECASE)

Ask = Callable[[Asked, str, Api], Awaitable[Dataset]]


async def owner_of(found: Asked, landing: Landing, api: Api, ask: Ask) -> tuple[str, Dataset]:
    """Return the persistent id and the answer for the dataset that holds the asked file.

    A file's id is the dataset's with one part more as a rule, but not in every installation; then
    the page, the search and the interface for files are asked. Raises the first failure.
    """
    first: ApiStop | None = None
    tried: set[str] = set()
    async for pid in _candidates(found, landing, api):
        if pid in tried:
            continue
        tried.add(pid)
        try:
            return pid, await ask(found, pid, api)
        except ApiStop as stop:
            first = first or stop
            if stop.http_status is None:
                break  # no one answers there, whatever is asked
    raise first or ApiStop(
        Status.PLATFORM_404,
        tr(
            "{netloc} does not say which dataset has the file {pid}.",
            netloc=found.netloc,
            pid=found.pid or found.file_id,
        ),
    )


async def _candidates(found: Asked, landing: Landing, api: Api) -> AsyncIterator[str]:
    for link in _DATASET_LINK.findall(landing.html):
        if pid := read_pid(link):
            yield pid
    if found.pid and (parent := parent_pid(found.pid)):
        yield parent
    for question in (_by_search, _by_file):
        try:
            owner = read_pid(await question(found, api))
        except ApiStop as stop:
            is_final = stop.status in (Status.RATE_LIMITED, Status.BLOCKED_CHALLENGE)
            if is_final or stop.http_status is None:
                raise
            continue  # an older or closed installation; the next question may be answered
        if owner:
            yield owner
    if found.pid:
        yield found.pid  # some pages show a dataset under a file's address


async def _by_search(found: Asked, api: Api) -> str | None:
    if found.pid:
        last = found.pid.rpartition("/")[2]
        question = f"filePersistentId:{quote(last, safe='')}"
    else:
        question = f"entityId:{found.file_id}"
    answer = await api.read(f"{found.base}/api/search?q={question}", SearchAnswer)
    for item in answer.data.items:
        same_pid = found.pid and (item.file_persistent_id or "").lower() == found.pid.lower()
        if same_pid or (found.file_id and item.file_id == found.file_id):
            return item.dataset_persistent_id
    return None


async def _by_file(found: Asked, api: Api) -> str | None:
    query = "returnDatasetVersion=true"
    if found.pid:
        pid = quote(found.pid, safe=":/")
        url = f"{found.base}/api/files/:persistentId?persistentId={pid}&{query}"
    else:
        url = f"{found.base}/api/files/{found.file_id}?{query}"
    owner = (await api.read(url, FileAnswer)).data
    return owner.datasetPersistentId or (
        owner.datasetVersion.datasetPersistentId if owner.datasetVersion else None
    )
