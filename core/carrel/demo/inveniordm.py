# SPDX-License-Identifier: AGPL-3.0-or-later
"""Answers in the way of an InvenioRDM installation (records API, pages)."""

import re
import uuid
from typing import Any
from urllib.parse import quote, unquote

from carrel.demo.answer import Answer, file_answer, html_answer, json_answer, redirect
from carrel.demo.bundle import bundle_answer
from carrel.demo.dataset import Delivery, DemoDataset, DemoFile, Gate, Hosting
from carrel.demo.landing_page import document, landing_page
from carrel.demo.site import Site, gate_answer
from carrel.demo.store import signed_url

_ADDRESS = re.compile(r"(?P<api>/api)?/records/(?P<id>[^/]+)(?P<rest>/.*)?")
_FILE = re.compile(r"/files/(?P<name>[^/]+)(?P<content>/content)?")


def inveniordm_answer(site: Site, raw_path: str) -> Answer | None:
    """Return what an InvenioRDM says at this address (still percent-encoded), None for others."""
    match = _ADDRESS.fullmatch(raw_path)
    if match is None:
        return _error(404, "Not found.") if raw_path.startswith("/api/records") else None
    is_api, key, rest = bool(match["api"]), match["id"], (match["rest"] or "").rstrip("/")
    if versions := site.versions(key):
        prefix = "/api/records/" if is_api else "/records/"
        return redirect(f"{site.origin}{prefix}{versions[0].key}{rest}", 301)
    record = site.by_key(Hosting.INVENIORDM, key)
    if record and (gate := gate_answer(record, raw_path)):
        return gate
    if not is_api:
        return _page(site, record, rest)
    if record is None:
        return _error(404, "The persistent identifier does not exist.")
    return _api(site, record, rest)


def _error(status: int, message: str) -> Answer:
    return json_answer({"status": status, "message": message}, status)


def _page(site: Site, record: DemoDataset | None, rest: str) -> Answer:
    if record and not rest:
        return landing_page(site, record)
    if record and rest == "/latest":
        return redirect(_newest(site, record).page_url(site))
    body = "<h1>Not found</h1><p>The requested identifier is not registered.</p>"
    return html_answer(document("Not found", "Sample InvenioRDM", "", body), 404)


def _api(site: Site, record: DemoDataset, rest: str) -> Answer:
    if not rest:
        return json_answer(_record(site, record))
    if rest == "/versions/latest":
        return redirect(_newest(site, record).api_url(site), 301)
    if rest == "/versions":
        hits = [_record(site, each) for each in site.versions(record.concept_key)]
        return json_answer({"hits": {"hits": hits, "total": len(hits)}})
    if record.gate is Gate.RESTRICTED and rest.startswith("/files"):
        return _error(403, "Permission denied.")
    if rest == "/files-archive":
        return bundle_answer(record, record.files)
    if rest == "/files":
        return json_answer(_listing(site, record))
    if match := _FILE.fullmatch(rest):
        return _file(site, record, unquote(match["name"]), bool(match["content"]))
    return _error(404, "Not found.")


def _newest(site: Site, record: DemoDataset) -> DemoDataset:
    return site.versions(record.concept_key)[0]


def _file(site: Site, record: DemoDataset, name: str, is_content: bool) -> Answer:
    file = next((f for f in record.files if f.path == name), None)
    if file is None or (is_content and file.delivery is Delivery.MISSING):
        return _error(404, f"File '{name}' was not found in the record.")
    if not is_content:
        return json_answer(_entry(site, record, file))
    if file.delivery is Delivery.REDIRECTED:
        return redirect(signed_url(site, record.file_id(file)))
    return file_answer(record, file)


def _listing(site: Site, record: DemoDataset) -> dict[str, Any]:
    api = record.api_url(site)
    return {
        "enabled": True,
        "links": {"self": f"{api}/files", "archive": f"{api}/files-archive"},
        "entries": [_entry(site, record, file) for file in record.files],
        "default_preview": None,
        "order": [],
    }


def _entry(site: Site, record: DemoDataset, file: DemoFile) -> dict[str, Any]:
    api = record.api_url(site)
    moment = f"{record.published}T08:30:00.000000+00:00"
    fields: dict[str, Any] = {
        "key": file.path,
        "ext": file.path.rpartition(".")[2],
        "mimetype": file.mimetype,
        "created": moment,
        "updated": moment,
        "status": "completed",
        "metadata": None,
        "storage_class": "L",
        "file_id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{record.key}/{file.path}")),
        "access": {"hidden": False},
        "links": {
            "self": f"{api}/files/{quote(file.path, safe='')}",
            "content": record.file_url(site, file),
        },
    }
    if file.is_declared:
        fields["size"] = file.size
        fields["checksum"] = f"{record.algorithm}:{record.published_digest(file)}"
    return fields


def _record(site: Site, record: DemoDataset) -> dict[str, Any]:
    moment = f"{record.published}T08:30:00.000000+00:00"
    return {
        "id": record.key,
        "created": moment,
        "updated": moment,
        "revision_id": 4,
        "is_published": True,
        "status": "published",
        "access": _access(record),
        "files": _files(site, record),
        "media_files": {"enabled": False, "count": 0, "total_bytes": 0, "entries": {}, "order": []},
        "metadata": _metadata(record),
        "pids": {"doi": {"identifier": record.doi, "provider": "datacite", "client": "datacite"}},
        "parent": {"id": record.concept_key, "access": {}, "communities": {}},
        "versions": {
            "index": record.version_index,
            "is_latest": _newest(site, record) is record,
        },
        "links": _links(site, record),
        "custom_fields": {},
    }


def _access(record: DemoDataset) -> dict[str, Any]:
    is_restricted = record.gate is Gate.RESTRICTED
    return {
        "record": "public",
        "files": "restricted" if is_restricted else "public",
        "embargo": {"active": False, "reason": None},
        "status": "restricted" if is_restricted else "open",
    }


def _files(site: Site, record: DemoDataset) -> dict[str, Any]:
    if record.gate is Gate.RESTRICTED:
        return {"enabled": True, "order": [], "entries": {}}
    return {
        "enabled": True,
        "count": len(record.files),
        "total_bytes": record.total_size,
        "order": [],
        "entries": {file.path: _entry(site, record, file) for file in record.files},
    }


def _metadata(record: DemoDataset) -> dict[str, Any]:
    return {
        "title": record.title,
        "creators": [
            {"person_or_org": {"type": "personal", "name": name}} for name in record.creators
        ],
        "publication_date": record.published,
        "publisher": "Sample InvenioRDM",
        "version": record.version,
        "description": f"<p>A sample: {record.shows}.</p>",
        "resource_type": {"id": "dataset", "title": {"en": "Dataset"}},
        "rights": [
            {
                "id": record.licence.id,
                "title": {"en": record.licence.name},
                "props": {"scheme": "spdx", "url": record.licence.url},
            }
        ],
    }


def _links(site: Site, record: DemoDataset) -> dict[str, str]:
    api, page = record.api_url(site), record.page_url(site)
    return {
        "self": api,
        "self_html": page,
        "self_doi": f"{site.origin}/doi/{record.doi}",
        "doi": f"https://doi.org/{record.doi}",
        "files": f"{api}/files",
        "archive": f"{api}/files-archive",
        "versions": f"{api}/versions",
        "latest": f"{api}/versions/latest",
        "latest_html": f"{page}/latest",
    }
