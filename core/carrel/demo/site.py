# SPDX-License-Identifier: AGPL-3.0-or-later
"""The datasets at one origin, and how an answer finds one of them."""

from dataclasses import dataclass

from carrel.demo.answer import Answer, html_answer, redirect
from carrel.demo.dataset import DemoDataset, DemoFile, Gate, Hosting


@dataclass(frozen=True, slots=True)
class Site:
    """What is served, and where. `origin` is scheme, host and port."""

    origin: str
    datasets: tuple[DemoDataset, ...]

    def by_key(self, hosting: Hosting, key: str) -> DemoDataset | None:
        return next((d for d in self.datasets if d.hosting is hosting and d.key == key), None)

    def by_doi(self, doi: str) -> DemoDataset | None:
        return next((d for d in self.datasets if d.doi.lower() == doi.lower()), None)

    def by_number(self, number: int) -> DemoDataset | None:
        hosting = Hosting.DATAVERSE
        return next((d for d in self.datasets if d.hosting is hosting and d.number == number), None)

    def versions(self, concept_key: str) -> list[DemoDataset]:
        """Return the versions of a concept record, newest first."""
        hosting = Hosting.INVENIORDM
        found = [d for d in self.datasets if d.hosting is hosting and d.concept_key == concept_key]
        return sorted(found, key=lambda dataset: dataset.version_index, reverse=True)

    def file(self, file_id: int) -> tuple[DemoDataset, DemoFile] | None:
        """Return the file with this number, and its dataset."""
        dataset = next((d for d in self.datasets if d.number == file_id // 1000), None)
        position = file_id % 1000 - 1
        if dataset is None or not 0 <= position < len(dataset.files):
            return None
        return dataset, dataset.files[position]


_CHALLENGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"></head>
<body><h1>Checking that you are not a robot</h1>
<p>This takes a few seconds. Please enable JavaScript and cookies to continue.</p>
<form id="challenge-form" action="?__cf_chl_tk=demo" method="post"></form>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>
</body></html>
"""

LOGIN_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Log in</title></head>
<body><h1>Log in</h1>
<form action="/login" method="post">
<label>Member number <input name="username" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<button>Log in</button></form>
</body></html>
"""


def gate_answer(dataset: DemoDataset, path: str) -> Answer | None:
    """Return what stands before the whole dataset, None if nothing does."""
    if dataset.gate is Gate.CHALLENGE:
        return html_answer(_CHALLENGE, 403, (("cf-mitigated", "challenge"),))
    if dataset.gate is Gate.LOGIN:
        return redirect(f"/login?next={path}")
    return None
