# SPDX-License-Identifier: AGPL-3.0-or-later
"""Datasets for the window's tests and pictures: invented, but of the shape of real ones."""

from dataclasses import replace

from carrel.model import (
    Finding,
    FindingLevel,
    Fixity,
    IngestFilesetResult,
    IngestOptions,
    IngestRequest,
    ManifestFile,
    PlatformItem,
    Status,
)
from support.fake_engine import chosen
from support.fake_script import Script

MB = 1_000_000
GB = 1000 * MB
DUNES = "https://doi.org/10.5281/zenodo.7041152"
SURVEY = "https://doi.org/10.7910/DVN/KX4T2R"
GENOMES = "https://doi.org/10.6084/m9.figshare.21384906"
CENSUS = "https://doi.org/10.5683/SP3/ZL9QWE"
LIGHT = "https://archive.org/details/lighthouse-logs-1871-1899"
SEABIRDS = "https://doi.org/10.5281/zenodo.8120034"
INTERVIEWS = "https://doi.org/10.7910/DVN/RESTR1"
ABSENT = "https://doi.org/10.5281/zenodo.99999999"
BLOG = "https://example.org/blog/some-data"
LICENSE_LINE = "see also the appendix of the 2019 report"

PASTED = "\n".join(
    (
        "Meyer & Okafor (2022), doi:10.5281/zenodo.7041152",
        SURVEY,
        "10.6084/m9.figshare.21384906",
        "10.5683/SP3/ZL9QWE",
        LIGHT,
        LICENSE_LINE,
        INTERVIEWS,
        ABSENT,
        BLOG,
    )
)


def file(
    path: str, size: int | None, mimetype: str = "text/csv", kind: str = "md5"
) -> ManifestFile:
    """Return a file with a digest that its path makes up."""
    length = {"md5": 32, "sha256": 64}[kind]
    digest = (path.encode().hex() * 8)[:length]
    return ManifestFile(
        path,
        platform_url=f"https://files.example.org/{path}",
        declared=Fixity(size, {kind: digest}),
        mimetype=mimetype,
    )


def dunes() -> PlatformItem:
    tiles = [
        file(f"tiles/2021/dune_{number:02}.tif", 84 * MB + number * 1_310_000, "image/tiff")
        for number in range(1, 8)
    ]
    return PlatformItem(
        "zenodo",
        "zenodo.org",
        "7041152",
        (
            file("README.md", 5_312, "text/markdown"),
            file("measurements/wind.csv", 12_804_311),
            file("measurements/sand_flux.csv", 48_113_020),
            file("measurements/calibration.csv", 18_220),
            *tiles,
            file("code/analysis.zip", 2_100_400, "application/zip"),
        ),
        platform_version="2.1",
        title="Migration of coastal dunes at the Curonian Spit, 2018–2021",
        creators=("Meyer, Katrin", "Okafor, Chidi", "Jankauskas, Rimantas", "Lindqvist, Eva"),
        license="CC-BY-4.0",
        published="2022-09-01",
        doi="10.5281/zenodo.7041152",
        findings=(
            Finding(
                "newer-version",
                "A newer version of this record exists: 10.5281/zenodo.8120001. You asked for 2.1.",
                FindingLevel.WARNING,
            ),
            Finding("md5-only", "The platform publishes MD5 only; Carrel adds SHA-1 and SHA-256."),
        ),
    )


def survey() -> PlatformItem:
    names = ("wave_1", "wave_2", "wave_3", "codebook")
    files = [file(f"data/{name}.tab", 4_200_000 + 1_000 * len(name)) for name in names]
    files.append(
        replace(
            file("data/interviews_raw.zip", 310 * MB, "application/zip"),
            status=Status.PLATFORM_RESTRICTED,
            message="The depositor has restricted this file; ask for access at the Dataverse.",
        )
    )
    return PlatformItem(
        "dataverse",
        "dataverse.harvard.edu",
        "doi:10.7910/DVN/KX4T2R",
        tuple(files),
        platform_version="1.3",
        title="Household Water Survey, Northern Region, Waves 1–3",
        creators=("Adjei, Ama",),
        license="CC0-1.0",
        published="2021-03-17",
        doi="10.7910/DVN/KX4T2R",
        findings=(
            Finding(
                "restricted-files",
                "1 of 5 files is restricted; it stays in the list and is not fetched.",
                FindingLevel.WARNING,
            ),
        ),
    )


def genomes() -> PlatformItem:
    return PlatformItem(
        "figshare",
        "figshare.com",
        "21384906",
        (file("assemblies.fasta.gz", 6_400 * MB, "application/gzip"),),
        platform_version="1",
        title="Draft genome assemblies of 214 alpine lichens",
        creators=("Huber, Anna", "Rossi, Marco"),
        license="CC-BY-4.0",
        published="2023-11-30",
        doi="10.6084/m9.figshare.21384906",
    )


def census() -> PlatformItem:
    return PlatformItem(
        "dataverse",
        "borealisdata.ca",
        "doi:10.5683/SP3/ZL9QWE",
        tuple(file(f"tables/T{number:03}.csv", 90_000 + number) for number in range(146)),
        platform_version="4.0",
        title="Digitised Tables of the 1881 Census of Canada",
        creators=("Tremblay, Luc", "MacDonald, Fiona"),
        license="OGL-Canada-2.0",
        published="2020-06-02",
        doi="10.5683/SP3/ZL9QWE",
    )


def lighthouse() -> PlatformItem:
    return PlatformItem(
        "archiveorg",
        "archive.org",
        "lighthouse-logs-1871-1899",
        (
            file("logs_1871-1899.pdf", 214 * MB, "application/pdf"),
            file("transcripts.txt", None, "text/plain"),
        ),
        title="Lighthouse Keeper's Logs of Cape Ray, 1871–1899",
        creators=("Cape Ray Historical Society",),
        license="PDM-1.0",
        published="2017-02-11",
    )


def seabirds() -> PlatformItem:
    return PlatformItem(
        "zenodo",
        "zenodo.org",
        "8120034",
        tuple(file(f"colony_{number}.csv", 1_400_000 * number, kind="sha256") for number in (1, 2)),
        platform_version="1.0.0",
        title="Breeding success of seabirds on Helgoland, 1990–2022",
        creators=("Petersen, Jan",),
        license="CC-BY-SA-4.0",
        published="2023-07-06",
        doi="10.5281/zenodo.8120034",
    )


def script() -> Script:
    """Return what the fake engine knows in the pictures."""
    return Script(
        items={
            DUNES: dunes(),
            SURVEY: survey(),
            GENOMES: genomes(),
            CENSUS: census(),
            LIGHT: lighthouse(),
            SEABIRDS: seabirds(),
        },
        refusals={
            INTERVIEWS: Status.PLATFORM_RESTRICTED,
            ABSENT: Status.PLATFORM_404,
            BLOG: Status.NO_PLATFORM_MATCH,
        },
    )


def kept_result(
    url: str, item: PlatformItem, ingest_id: str, finished: str, bad: Status | None = None
) -> IngestFilesetResult:
    """Return the result of an ingest; with `bad`, its last file ended so."""
    kept = [
        replace(entry, status=Status.SUCCESS, observed=_observed(entry)) for entry in item.manifest
    ]
    if bad:
        kept[-1] = replace(kept[-1], status=bad, observed=None, message=bad.meaning.advice)
    return IngestFilesetResult(
        IngestRequest(url),
        bad or Status.SUCCESS,
        hops=(url, f"https://{item.platform_domain}/records/{item.platform_id}"),
        item=item,
        choice=chosen(item, IngestOptions()),
        manifest=tuple(kept),
        findings=item.findings,
        ingest_id=ingest_id,
        started=finished,
        finished=finished,
    )


def holdings() -> list[IngestFilesetResult]:
    """Return a small archive, oldest first."""
    refused = IngestFilesetResult(
        IngestRequest(INTERVIEWS),
        Status.PLATFORM_RESTRICTED,
        hops=(INTERVIEWS,),
        ingest_id="h0",
        finished="2026-02-27T08:10:00+00:00",
    )
    rows = [
        (LIGHT, lighthouse(), "h1", "2026-02-28T16:40:11+00:00", None),
        (CENSUS, census(), "h2", "2026-03-01T10:02:54+00:00", None),
        (SURVEY, survey(), "h3", "2026-03-02T09:15:30+00:00", Status.MISMATCH_MD5),
        (SEABIRDS, seabirds(), "h4", "2026-03-02T14:27:09+00:00", None),
        (DUNES, dunes(), "h5", "2026-03-03T11:31:45+00:00", None),
    ]
    return [refused, *(kept_result(*row) for row in rows)]


def _observed(entry: ManifestFile) -> Fixity:
    digest = (entry.path[::-1].encode().hex() * 10)[:64]
    return Fixity(entry.declared.size or 120_394, {**entry.declared.digests, "sha256": digest})
