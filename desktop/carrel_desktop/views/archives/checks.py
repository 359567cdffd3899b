# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is wrong with a source while it is being written, in words beside its fields.

What the core says when it is saved holds in the end; this says the usual things as one types.
"""

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from carrel.model.endings import RECORD_ENDINGS
from carrel.translation import tr
from carrel_desktop.views.archives.draft import Draft, Field, Kind
from carrel_desktop.views.archives.source_text import Unreadable, draft_of, parsed

LONGEST_NAME = 100
VARIABLE = re.compile(r"\{([^{}]*)\}")
VARIABLES = {"url", "timestamp", "closest"}
REDIS = re.compile(r"rediss?://[^/\s]+/\d+/.+")


def problems(draft: Draft) -> Mapping[Field, str]:
    """Return a sentence for each field that cannot stand as it is."""
    found = {name: _plain_problem(draft, name) for name in draft.plain}
    if draft.templates and not any(found.values()):
        found |= {name: _template_problem(draft, name) for name in draft.templates}
    return {name: sentence for name, sentence in found.items() if sentence}


def text_problem(text: str) -> str:
    """Return what is wrong with the YAML of a source, "" for nothing."""
    try:
        value = parsed(text)
    except Unreadable as error:
        place = tr("Line {line}: ", line=error.line) if error.line else ""
        return place + tr("this is not valid YAML: {problem}.", problem=error)
    if value is None or value == "":
        return tr("Enter a source: one line, or a mapping with a “type”.")
    if draft := draft_of(text):
        return next(iter(problems(draft).values()), "")
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return tr("Write “memento+” or “cdx+” before the address to say what it is.")
    if isinstance(value, dict) and "type" not in value:
        return tr("A source that is a mapping needs a “type”.")
    return tr("Carrel does not know this kind of source.")


def name_problem(name: str, others: Collection[str]) -> str:
    """Return why a source cannot be called so, "" if it can."""
    if not name:
        return tr("Enter a name")
    if name in others:
        return tr("A source with this name exists")
    if not name.isascii() or not name.isprintable() or set(name) & {",", ":"}:
        return tr("ASCII only, without comma and colon")
    if len(name) > LONGEST_NAME:
        return tr("It is too long")
    return ""


def _plain_problem(draft: Draft, name: Field) -> str:
    text = draft.value(name)
    match name:
        case Field.BASE | Field.SERVER:
            is_written_out = not draft.is_short
            return web_problem(text) if text or not is_written_out else ""
        case Field.PREFIX:
            return _prefix_problem(draft) if text else ""
        case Field.REDIS:
            is_right = REDIS.fullmatch(text)
            return "" if is_right else tr("Must look like redis://host:port/0/key")
    return _path_problem(draft)


def web_problem(address: str) -> str:
    """Return why an address cannot be asked, "" if it can."""
    if not address:
        return tr("Enter the address")
    if not address.startswith(("http://", "https://")):
        return tr("Must begin with http:// or https://")
    if re.search(r"\s", address):
        return tr("Must not contain spaces")
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return tr("Not a valid address")
    if not parts.hostname:
        return tr("The host is missing")
    if "@" in parts.netloc:
        return tr("Must not contain a user name or password")
    if "{" in address or "}" in address:
        return tr("Variables in braces belong in the addresses below")
    return ""


def _prefix_problem(draft: Draft) -> str:
    if re.search(r"\s", draft.value(Field.PREFIX)):
        return tr("Must not contain spaces")
    replay = draft.derived().get(Field.REPLAY, "")
    return web_problem(VARIABLE.sub("x", replay)) if replay else ""


def _path_problem(draft: Draft) -> str:
    text = draft.value(Field.PATH)
    if not text:
        return tr("Choose a file or folder")
    if draft.kind is Kind.WARC and not text.lower().endswith(RECORD_ENDINGS):
        return tr("Must end in .warc, .arc, .warc.gz, .arc.gz or .wacz")
    if "://" in text and not text.lower().startswith("file:///"):
        return tr("Must be on this computer")
    return ""


def _template_problem(draft: Draft, name: Field) -> str:
    text = draft.value(name)
    if not text:
        return _absence(draft, name)
    unknown = set(VARIABLE.findall(text)) - VARIABLES
    if unknown:
        return tr("There is no {{{name}}}, only {{url}} and {{timestamp}}", name=min(unknown))
    if "{url}" not in text:
        return tr("{url} is missing in it")
    if name is Field.REPLAY and not re.search(r"\{(timestamp|closest)\}", text):
        return tr("{timestamp} is missing in it")
    return web_problem(VARIABLE.sub("x", text))


def _absence(draft: Draft, name: Field) -> str:
    """Return why a template cannot be left out, "" if it can."""
    if draft.kind is Kind.CDX:
        return tr("Enter the address") if name is Field.API else ""
    if name is Field.REPLAY:
        return tr("Enter the address")
    other = Field.TIMEMAP if name is Field.TIMEGATE else Field.TIMEGATE
    both_missing = name is Field.TIMEMAP and not draft.value(other)
    return tr("Enter a TimeMap, or a TimeGate above") if both_missing else ""
