# SPDX-License-Identifier: AGPL-3.0-or-later
"""What all pages of the server itself share: their frame, their one style sheet, their headers."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from carrel.mementos.server.references import escape

_STYLE = """
:root {
  color-scheme: light dark;
  --paper: #faf8f3; --card: #ffffff; --ink: #1d2733; --quiet: #5a6472; --line: #d9d3c4;
  --control: #8a8371; --accent: #0b57a4; --on-accent: #ffffff; --notice: #fdf3d8; --edge: #b7791f;
  --stripe: #f6f3ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14191f; --card: #1b222a; --ink: #e6ebf1; --quiet: #a3aebb; --line: #333e4a;
    --control: #7b8794; --accent: #8ec5ff; --on-accent: #0c1a29; --notice: #33290f; --edge: #d9a441;
    --stripe: #20272f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.page { max-width: 72rem; margin: 0 auto; padding: 1.25rem 1.5rem 4rem; }
header { border-bottom: 1px solid var(--line); background: var(--card); }
header .page { padding-block: .75rem; }
.home { display: inline-flex; gap: .5rem; align-items: center; font-weight: 600;
  color: var(--ink); text-decoration: none; }
.home svg { width: 1.5rem; height: 1.5rem; color: var(--accent); }
h1 { font-size: 1.75rem; line-height: 1.25; font-weight: 650; margin: 1.75rem 0 .5rem;
  overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 .75rem; }
h2 small { font-size: 1rem; font-weight: 400; color: var(--quiet); margin-inline-start: .5rem; }
p { margin: .5rem 0; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; }
.address { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: 1.1rem 1.35rem 1.35rem; margin: 1rem 0; }
.card h2 { margin-top: 0; }
.notice { background: var(--notice); border: 1px solid var(--edge);
  border-inline-start-width: .35rem; border-radius: .6rem; padding: .75rem 1.1rem;
  margin: 1.25rem 0; }
.notice ul, .card ul { margin: .35rem 0 0; padding-inline-start: 1.25rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin-top: .75rem; }
label { flex: 1 1 22rem; display: block; }
label span { display: block; font-size: .95rem; color: var(--quiet); margin-bottom: .2rem; }
input { width: 100%; font: inherit; color: inherit; background: var(--paper); padding: .5rem .75rem;
  border: 1px solid var(--control); border-radius: .45rem; min-height: 2.75rem; }
button { font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent);
  border: 1px solid var(--accent); border-radius: .45rem; padding: .5rem 1.25rem;
  min-height: 2.75rem; cursor: pointer; }
.years { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; padding: 0;
  margin: 1.25rem 0; }
.years a, .years li > span { display: block; margin: 0; font-size: 1rem;
  padding: .2rem .7rem; border: 1px solid var(--line); border-radius: 1rem;
  background: var(--card); text-decoration: none; font-variant-numeric: tabular-nums; }
.years a:hover { border-color: var(--accent); }
.years span { color: var(--quiet); font-size: .9rem; margin-inline-start: .3rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem;
  background: var(--card); }
table { border-collapse: collapse; table-layout: fixed; width: 100%; min-width: 60rem;
  font-variant-numeric: tabular-nums; }
thead th { width: 7rem; }
thead th:nth-child(1) { width: 15.5rem; }
thead th:nth-child(2) { width: 5rem; }
thead th:nth-child(3), thead th:nth-child(6) { width: auto; }
thead th:nth-child(7) { width: 4.5rem; }
th { text-align: start; font-weight: 600; color: var(--quiet); font-size: .92rem; }
th, td { padding: .45rem .8rem; vertical-align: top; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
tbody tr:last-child td, tbody tr:last-child th { border-bottom: 0; }
tbody tr:nth-child(even) { background: var(--stripe); }
tbody th { font-weight: 500; color: inherit; font-size: inherit; }
td.number, th.number { text-align: end; }
td.wide { white-space: normal; overflow-wrap: anywhere; }
td small, th small { display: block; color: var(--quiet); font-size: .9rem; font-weight: 400;
  white-space: normal; overflow-wrap: anywhere; max-width: 34rem; }
code { font: .92em ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; padding: 0;
  margin: 1.25rem 0; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .95rem; }
@media print { header, form, .years, .skip { display: none; } .scroll { overflow: visible; } }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
_MARK = (
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" '
    'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
    '<path d="M4 20.500V8a4.500 4.500 0 0 1 4.500-4.500h7A4.500 4.500 0 0 1 20 8v12.500"/>'
    '<path d="M4 15.500h16"/><path d="M9 15.500V8.500"/><path d="M12 15.500v-5.500"/>'
    '<path d="m14.800 10.200 1.500 5.300"/></svg>'
)


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that is a page of the server itself."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


def page(title: str, content: str, status: int = 200) -> Page:
    """Return a page. `title` is plain text, `content` the HTML of its main part, with its h1."""
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)} – Carrel</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>"
        '<a class="skip" href="#content">Skip to the content</a>'
        f'<header><div class="page"><a class="home" href="/">{_MARK}Carrel</a></div></header>'
        f'<main class="page" id="content">{content}</main></body></html>'
    )
    return Page(status, _HEADERS, html.encode("utf-8", "replace"))
