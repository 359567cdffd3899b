# SPDX-License-Identifier: AGPL-3.0-or-later
"""Describing recorded datasets, beside the time that the standard library takes to parse the same
answers (`json.loads`, `html.parser`), in turns in one run, as a ratio.

The datasets are made here, in the shape of four platforms: a page of some 60 KB each, with its
meta tags and a block of JSON-LD, and what the interface says of 5 to 200 files. Nothing goes over
a network.

usage: describing.py [--datasets N] [--runs N]
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from statistics import median
from typing import Any

from carrel.capture.exchange import Exchange
from carrel.model import Status
from carrel.platforms.recording.outcome import outcome_of
from carrel.platforms.recording.recording import Recording, exchange_of

_FILLER = "<div class='row'><p>What was measured, and how: see <a href='/help'>help</a>.</p></div>"
_ROWS = 600


def recordings(count: int) -> list[Recording]:
    """Return so many datasets, the same in every run."""
    chance = random.Random(1)
    makers = (zenodo, dataverse, figshare, schema_org)
    return [makers[number % len(makers)](number, chance) for number in range(count)]


def zenodo(number: int, chance: random.Random) -> Recording:
    key, files = str(7_000_000 + number), names(chance)
    base = f"https://zenodo.org/api/records/{key}"
    record = {
        "id": int(key),
        "doi": f"10.5281/zenodo.{key}",
        "conceptrecid": str(int(key) - 1),
        "metadata": {
            "title": f"Soundings {number}",
            "creators": [{"name": "Lovelace, Ada"}],
            "publication_date": "2026-01-02",
            "license": {"id": "cc-by-4.0"},
            "description": "<p>Depths.</p>" * 40,
            "access_right": "open",
        },
        "files": [
            {"key": name, "size": 1000, "checksum": f"md5:{chance.getrandbits(128):032x}",
             "links": {"self": f"{base}/files/{name}/content"}}
            for name in files
        ],
    }  # fmt: skip
    return recorded(f"https://zenodo.org/records/{key}", number, {base: record})


def dataverse(number: int, chance: random.Random) -> Recording:
    pid = f"doi:10.7910/DVN/{number:06}"
    host = "https://dataverse.harvard.edu"
    version = {
        "id": number,
        "datasetPersistentId": pid,
        "versionNumber": 1,
        "versionMinorNumber": 0,
        "versionState": "RELEASED",
        "releaseTime": "2026-01-02T00:00:00Z",
        "license": {"name": "CC0 1.0"},
        "metadataBlocks": {"citation": {"fields": [
            {"typeName": "title", "multiple": False, "value": f"Soundings {number}"}]}},
        "files": [
            {"label": name, "restricted": False, "dataFile": {
                "id": place, "filename": name, "contentType": "text/csv", "filesize": 1000,
                "checksum": {"type": "MD5", "value": f"{chance.getrandbits(128):032x}"},
                "md5": ""}}
            for place, name in enumerate(names(chance), 1)
        ],
    }  # fmt: skip
    answer = {"status": "OK", "data": {"id": number, "latestVersion": version}}
    api = f"{host}/api/datasets/:persistentId/?persistentId={pid}"
    return recorded(f"{host}/dataset.xhtml?persistentId={pid}", number, {api: answer})


def figshare(number: int, chance: random.Random) -> Recording:
    key = 20_000_000 + number
    page = f"https://figshare.com/articles/dataset/soundings/{key}"
    article = {
        "id": key,
        "title": f"Soundings {number}",
        "version": 1,
        "is_public": True,
        "defined_type_name": "dataset",
        "url_public_html": page,
        "authors": [{"full_name": "Ada Lovelace"}],
        "license": {"name": "CC BY 4.0"},
        "published_date": "2026-01-02T00:00:00Z",
        "files": [
            {"id": place, "name": name, "size": 1000, "is_link_only": False,
             "download_url": f"https://ndownloader.figshare.com/files/{place}",
             "computed_md5": f"{chance.getrandbits(128):032x}"}
            for place, name in enumerate(names(chance), 1)
        ],
    }  # fmt: skip
    api = f"https://api.figshare.com/v2/articles/{key}"
    return recorded(page, number, {api: article})


def schema_org(number: int, chance: random.Random) -> Recording:
    url = f"https://data.example.org/soundings/{number}"
    return recorded(url, number, {}, [f"{url}/{name}" for name in names(chance)])


def names(chance: random.Random) -> list[str]:
    return [f"line-{place:03}.csv" for place in range(chance.randint(5, 200))]


def recorded(
    url: str, number: int, answers: dict[str, Any], files: Iterable[str] = ()
) -> Recording:
    block = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": f"Soundings {number}",
        "distribution": [{"@type": "DataDownload", "contentUrl": file} for file in files],
    }
    page = (
        f"<html><head><title>Soundings {number}</title>"
        f'<meta name="citation_title" content="Soundings {number}">'
        f'<script type="application/ld+json">{json.dumps(block)}</script></head>'
        f"<body>{_FILLER * _ROWS}</body></html>"
    )
    found = {url: exchange_of(url, "text/html", page.encode())}
    for address, answer in answers.items():
        found[address] = exchange_of(address, "application/json", json.dumps(answer).encode())
    return Recording(url, 10_000, {(address, ""): one for address, one in found.items()})


def describe_all(made: list[Recording]) -> None:
    """Describe each; fail for one that is not described."""

    async def each() -> None:
        for recording in made:
            outcome = await outcome_of(recording)
            if outcome.status is not Status.SUCCESS:
                raise RuntimeError(f"{recording.asked}: {outcome.message}")

    asyncio.run(each())


def parse_all(made: list[Recording]) -> None:
    """Parse each answer by the standard library."""
    for recording in made:
        for answer in recording.answers.values():
            if not isinstance(answer, Exchange):
                continue
            if answer.mimetype == "application/json":
                json.loads(answer.body)
            else:
                parser = HTMLParser()
                parser.feed(answer.body.decode())
                parser.close()


def seconds(work: Callable[[list[Recording]], None], made: list[Recording]) -> float:
    began = time.perf_counter()
    work(made)
    return time.perf_counter() - began


def main() -> None:
    """Run it and print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    made = recordings(given.datasets)
    describe_all(made[:8])  # what is loaded late is loaded
    rounds = [(seconds(describe_all, made), seconds(parse_all, made)) for _ in range(given.runs)]
    described, parsed = (median(times) for times in zip(*rounds, strict=True))
    print(
        f"{len(made)} datasets described in {described:.2f} s, their answers parsed in "
        f"{parsed:.2f} s: ratio {described / parsed:.2f}"
    )


if __name__ == "__main__":
    main()
