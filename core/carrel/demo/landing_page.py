# SPDX-License-Identifier: AGPL-3.0-or-later
"""Landing pages as repositories have them: for people, and with metadata for machines."""

import json
from html import escape
from typing import Any

from carrel.demo.answer import Answer, html_answer
from carrel.demo.dataset import DemoDataset, DemoFile, Gate, Hosting
from carrel.demo.site import Site

_NAMES = {
    Hosting.DATAVERSE: "Sample Dataverse",
    Hosting.INVENIORDM: "Sample InvenioRDM",
    Hosting.PAGE: "Sample Museum",
}
_GENERATORS = {Hosting.DATAVERSE: "Dataverse", Hosting.INVENIORDM: "InvenioRDM"}

_STYLE = """
:root{color-scheme:light dark;--ink:#23303b;--paper:#fbf9f4;--line:#d9d3c5;--accent:#8a4b1f}
@media(prefers-color-scheme:dark){
:root{--ink:#e4dfd3;--paper:#1b2026;--line:#3a424b;--accent:#e0a070}}
body{font:17px/1.55 Georgia,serif;color:var(--ink);background:var(--paper);
max-width:46rem;margin:3rem auto;padding:0 1.5rem}
header{font:600 .8rem/1 system-ui,sans-serif;letter-spacing:.08em;text-transform:uppercase;
color:var(--accent);border-bottom:2px solid;padding-bottom:.7rem}
h1{font-weight:500;line-height:1.2;margin:1.6rem 0 .4rem}
a{color:var(--accent)} .muted{opacity:.75}
table{width:100%;border-collapse:collapse;margin-top:1.5rem;font-size:.95rem}
td,th{text-align:left;padding:.4rem .6rem .4rem 0;border-bottom:1px solid var(--line);
overflow-wrap:anywhere} td:nth-child(2),th:nth-child(2){text-align:right;white-space:nowrap}
"""


def landing_page(site: Site, dataset: DemoDataset) -> Answer:
    """Return the dataset's page with its metadata in the head and in the Link header."""
    html = document(
        dataset.title,
        _NAMES[dataset.hosting],
        _head(site, dataset),
        _body(site, dataset),
    )
    return html_answer(html, headers=(("Link", _signposts(site, dataset)),))


def index_page(site: Site) -> Answer:
    """Return the list of all datasets, each with what it shows."""
    rows = "".join(
        f'<tr><td><a href="{escape(d.url(site))}">{escape(d.title)}</a><br>'
        f'<span class="muted">{escape(d.shows)}</span></td><td>{d.expected}</td></tr>'
        for d in site.datasets
    )
    body = f"<h1>Sample datasets</h1><table><tr><th>Dataset</th><th>Outcome</th></tr>{rows}</table>"
    return html_answer(document("Sample datasets", "Sample repository", "", body))


def document(title: str, brand: str, head: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)} | {brand}</title>{head}<style>{_STYLE}</style></head>"
        f"<body><header>{brand}</header>{body}</body></html>\n"
    )


def json_ld(site: Site, dataset: DemoDataset) -> dict[str, Any]:
    """Return the dataset as schema.org describes it. Only plain pages publish digests here."""
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "@id": f"https://doi.org/{dataset.doi}",
        "identifier": f"https://doi.org/{dataset.doi}",
        "url": dataset.page_url(site),
        "name": dataset.title,
        "creator": [{"@type": "Person", "name": name} for name in dataset.creators],
        "datePublished": dataset.published,
        "version": dataset.version,
        "license": dataset.licence.url,
        "publisher": {"@type": "Organization", "name": _NAMES[dataset.hosting]},
        "distribution": [_distribution(site, dataset, file) for file in _public(dataset)],
    }


def _distribution(site: Site, dataset: DemoDataset, file: DemoFile) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "@type": "DataDownload",
        "name": file.path,
        "encodingFormat": file.mimetype,
        "contentUrl": dataset.file_url(site, file),
    }
    if file.is_declared:
        fields["contentSize"] = file.size
    if file.is_declared and dataset.hosting is Hosting.PAGE:
        fields[dataset.algorithm] = dataset.published_digest(file)
    return fields


def _head(site: Site, dataset: DemoDataset) -> str:
    metas = [
        ("generator", _GENERATORS.get(dataset.hosting, "")),
        ("citation_title", dataset.title),
        *(("citation_author", name) for name in dataset.creators),
        ("citation_doi", dataset.doi),
        ("citation_publication_date", dataset.published.replace("-", "/")),
        ("citation_publisher", _NAMES[dataset.hosting]),
        ("DC.identifier", f"doi:{dataset.doi}"),
    ]
    tags = "".join(f'<meta name="{n}" content="{escape(v)}">' for n, v in metas if v)
    # "</" inside a script would end it early.
    block = json.dumps(json_ld(site, dataset), ensure_ascii=False).replace("</", "<\\/")
    return (
        f'{tags}<link rel="canonical" href="{escape(dataset.page_url(site))}">'
        f'<script type="application/ld+json">{block}</script>'
    )


def _signposts(site: Site, dataset: DemoDataset) -> str:
    kind = "application/ld+json" if dataset.hosting is Hosting.PAGE else "application/json"
    links = [
        f'<https://doi.org/{dataset.doi}>; rel="cite-as"',
        f'<{dataset.api_url(site)}>; rel="describedby"; type="{kind}"',
        f'<{dataset.licence.url}>; rel="license"',
        '<https://schema.org/Dataset>; rel="type"',
        *(
            f'<{dataset.file_url(site, file)}>; rel="item"; type="{file.mimetype}"'
            for file in _public(dataset)
        ),
    ]
    return ", ".join(links)


def _body(site: Site, dataset: DemoDataset) -> str:
    doi_url = f"{site.origin}/doi/{dataset.doi}"
    rows = "".join(_row(site, dataset, file) for file in dataset.files)
    return (
        f"<h1>{escape(dataset.title)}</h1>"
        f'<p class="muted">{escape("; ".join(dataset.creators))} · {dataset.published} · '
        f"version {dataset.version}</p>"
        f'<p><a href="{escape(doi_url)}">doi:{dataset.doi}</a><br>'
        f'<a href="{dataset.licence.url}">{dataset.licence.name}</a></p>'
        f"<table><tr><th>File</th><th>Bytes</th></tr>{rows}</table>"
    )


def _row(site: Site, dataset: DemoDataset, file: DemoFile) -> str:
    name, size = escape(file.path), f"{file.size:,}" if file.is_declared else "unknown"
    if file not in _public(dataset):
        return f"<tr><td>{name} (restricted)</td><td>{size}</td></tr>"
    url = escape(dataset.file_url(site, file))
    return f'<tr><td><a href="{url}">{name}</a></td><td>{size}</td></tr>'


def _public(dataset: DemoDataset) -> list[DemoFile]:
    if dataset.gate is Gate.RESTRICTED:
        return []
    return [file for file in dataset.files if not file.is_restricted]
