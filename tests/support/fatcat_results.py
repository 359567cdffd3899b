# SPDX-License-Identifier: AGPL-3.0-or-later
"""Results of ingests as fatcat's entities are made of them, and the judge of those entities."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fatcat_openapi_client import ApiClient

LANDING = "https://zenodo.org/records/1028059"
BUNDLE = "https://zenodo.org/api/records/1028059/files-archive"


def kept(path: str, content: bytes = b"tides\n", **fields: Any) -> dict[str, Any]:
    """Return the entry of a file that was archived."""
    digests = {name: hashlib.new(name, content).hexdigest() for name in ("md5", "sha1", "sha256")}
    url = f"https://zenodo.org/api/records/1028059/files/{path}/content"
    return {
        "path": path,
        "status": "success",
        "observed": {"size": len(content), **digests},
        "mimetype": "text/csv",
        "platform_url": url,
        "terminal_url": url,
        "terminal_dt": "20260302093000",
        **fields,
    }


def result(*files: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the result of an ingest that kept these files, each by itself."""
    strategy = "web-file" if len(files) == 1 else "web-fileset"
    return {
        "hit": True,
        "status": "success-file" if len(files) == 1 else "success",
        "request": {
            "ingest_type": "dataset",
            "base_url": "https://doi.org/10.5281/zenodo.1028059",
            "link_source": "doi",
            "link_source_id": "10.5281/Zenodo.1028059",
            "ingest_request_source": "fatcat-ingest",
            "ext_ids": {"doi": "10.5281/Zenodo.1028059"},
        },
        "hops": ["https://doi.org/10.5281/zenodo.1028059", LANDING],
        "terminal": {"terminal_url": LANDING, "terminal_dt": "20260302092959"},
        "ingest_id": "20260302T092958-0000000000000001",
        "ingest_strategy": strategy,
        "platform_name": "zenodo",
        "platform_domain": "zenodo.org",
        "platform_id": "1028059",
        "findings": [],
        "manifest": list(files),
        **fields,
    }


def numbered(number: int, *, is_file: bool = False) -> dict[str, Any]:
    """Return the result of one of many datasets, each with files and a DOI of its own."""
    doi = f"10.5072/{number}"
    names = ("a.csv",) if is_file else ("a.csv", "b.csv")
    files = [kept(name, f"{number} {name}".encode()) for name in names]
    request = {"ingest_type": "dataset", "base_url": f"https://doi.org/{doi}"}
    ingest_id = f"20260302T092958-{number:016x}"
    return result(*files, request=request, ingest_id=ingest_id)


def saved(path: Path, *results: Mapping[str, Any]) -> Path:
    """Return a file that has results as JSON lines."""
    path.write_text("".join(json.dumps(each) + "\n" for each in results))
    return path


def through_the_client(kind: str, body: Mapping[str, Any]) -> Any:
    """Return what other people's models of the API make of an entity, as they would send it.

    They check lengths and patterns, and leave out what they do not know.
    """

    class _Answer:
        data = json.dumps(body)

    name = {"fileset": "FilesetEntity", "file": "FileEntity"}[kind]
    client = ApiClient()
    return client.sanitize_for_serialization(client.deserialize(_Answer, name))
