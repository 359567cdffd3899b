# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is no platform's: the index, the DOI resolver, the log-in, and pages without an API."""

import re
from urllib.parse import unquote

from carrel.demo.answer import Answer, file_answer, html_answer, json_answer, redirect
from carrel.demo.dataset import Delivery, Hosting
from carrel.demo.landing_page import document, index_page, json_ld, landing_page
from carrel.demo.site import LOGIN_PAGE, Site, gate_answer
from carrel.demo.store import signed_url

_CATALOGUE = re.compile(r"/catalogue/(?P<key>[^/.]+)(?P<json>\.jsonld)?(?:/files/(?P<file>.+))?")


def page_answer(site: Site, raw_path: str) -> Answer:
    """Return the answer at this address (still percent-encoded), in the end a page not found."""
    if raw_path == "/":
        return index_page(site)
    if raw_path == "/login":
        return html_answer(LOGIN_PAGE)
    if raw_path.startswith("/doi/"):
        return _resolve(site, unquote(raw_path.removeprefix("/doi/")))
    if match := _CATALOGUE.fullmatch(raw_path):
        return _catalogue(site, match, raw_path)
    return _not_found("There is no page at this address.")


def _not_found(sentence: str) -> Answer:
    body = f"<h1>Not found</h1><p>{sentence}</p>"
    return html_answer(document("Not found", "Sample repository", "", body), 404)


def _resolve(site: Site, doi: str) -> Answer:
    """Redirect as doi.org does: to Dataverse's /citation, which redirects once more."""
    if versions := site.versions(doi.partition("/")[2]):
        return redirect(f"{site.origin}/records/{versions[0].concept_key}")
    dataset = site.by_doi(doi)
    if dataset is None:
        return _not_found("This DOI is not registered.")
    if dataset.hosting is Hosting.DATAVERSE:
        return redirect(f"{site.origin}/citation?persistentId=doi:{dataset.doi}")
    return redirect(dataset.page_url(site))


def _catalogue(site: Site, match: re.Match[str], raw_path: str) -> Answer:
    dataset = site.by_key(Hosting.PAGE, match["key"])
    if dataset is None:
        return _not_found("The catalogue has no such entry.")
    if gate := gate_answer(dataset, raw_path):
        return gate
    if match["json"]:
        return json_answer(json_ld(site, dataset), mimetype="application/ld+json")
    if match["file"] is None:
        return landing_page(site, dataset)
    file = next((f for f in dataset.files if f.path == unquote(match["file"])), None)
    if file is None or file.delivery is Delivery.MISSING:
        return _not_found("The entry has no such file.")
    if file.delivery is Delivery.REDIRECTED:
        return redirect(signed_url(site, dataset.file_id(file)))
    return file_answer(dataset, file)
