# SPDX-License-Identifier: AGPL-3.0-or-later
"""A source as its YAML, and back: what the form changes, and no more, changes in the text. No Qt.

Whether a text is a source is the core's to say; here it is only brought into a form.
"""

import re
from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from carrel.errors import CarrelError
from carrel_desktop.views.archives.draft import (
    TEMPLATES,
    Draft,
    Field,
    Kind,
    kind_of_path,
    of_templates,
)

LONGEST = 20_000
DEEPEST = 20
WORDS = {"$live": Kind.LIVE, "live": Kind.LIVE, "$archive": Kind.ARCHIVE}
# A WARC is a file there.
TYPES: Mapping[str, Kind] = {kind.value: kind for kind in Kind if kind is not Kind.WARC}
TYPE_NAMES = {kind: name for name, kind in TYPES.items()} | {Kind.WARC: "file"}
# What can stand in YAML without quotes and still is a text.
PLAIN = re.compile(r"(?![-?:] )[^\s\-?:,\[\]{}#&*!|>'\"%@`~=][^\n]*|-[^\s-][^\n]*")
NO_TEXT = re.compile(r"(true|false|null|[-+.\d][\d_.eE+-]*|0x[0-9a-f]+|0o[0-7]+)", re.IGNORECASE)
SEMICOLON = re.compile(r"([^\s;]+);(\S+)")


class Unreadable(CarrelError):
    """The text is no YAML; `line` counts from 1, 0 where it is not known."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


def parsed(text: str) -> Any:
    """Return what a YAML text stands for. Raises Unreadable."""
    return _load(YAML(typ="safe", pure=True), text)


def draft_of(text: str) -> Draft | None:
    """Return a source as a form shows it, None for what no form can show."""
    try:
        value = parsed(text)
    except Unreadable:
        return None
    if isinstance(value, str):
        return _of_words(value.strip())
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        return _of_keys({str(key): each.strip() for key, each in value.items()})
    return None


def text_of(draft: Draft, before: str = "") -> str:
    """Return the YAML of a source.

    `before` is the text that it had: it stays where nothing changed, a mapping stays one, and
    comments stay where they are.
    """
    if before and draft_of(before) == draft:
        return before
    if before and _has_keys_for(before, draft):
        return _rewritten(before, draft)
    if draft.is_short:
        return quoted(_words_of(draft)) + _comment_of(before)
    return "\n".join(f"{key}: {quoted(value)}" for key, value in _keys_of(draft).items())


def entry_text(name: str, text: str) -> str:
    """Return name and source as they stand below each other in the file."""
    lines = text.strip("\n").split("\n")
    shown = quoted(name) if name else "…"
    if len(lines) == 1 and not re.match(r"type:\s", text):
        return f"{shown}: {'…' if lines[0] == quoted('') else lines[0]}"
    return "\n".join([f"{shown}:", *(f"  {line}" for line in lines)])


def quoted(value: str) -> str:
    """Return a text as YAML reads it back, in quotes only where they are needed."""
    is_plain = PLAIN.fullmatch(value) and not NO_TEXT.fullmatch(value)
    if is_plain and ": " not in value and " #" not in value and value == value.strip(": "):
        return value
    return "'" + value.replace("'", "''") + "'"


def _of_words(text: str) -> Draft | None:
    if text in WORDS:
        return Draft(WORDS[text])
    if text.startswith("memento+"):
        return _draft(Kind.MEMENTO, {Field.BASE: text.removeprefix("memento+")})
    if text.startswith("cdx+"):
        return _of_cdx_words(text.removeprefix("cdx+"))
    if text.startswith(("redis://", "rediss://")):
        return _draft(Kind.REDIS, {Field.REDIS: text})
    if not text or text.startswith("$") or re.match(r"[a-z][a-z+]*:(?!\\)", text.lower()):
        is_file = text.lower().startswith("file:")
        return _draft(kind_of_path(text), {Field.PATH: text}) if is_file else None
    return _draft(kind_of_path(text), {Field.PATH: text})


def _of_cdx_words(text: str) -> Draft | None:
    parts = SEMICOLON.sub(r"\1 \2", text).split()
    if len(parts) > 2:
        return None
    server, prefix = [*parts, "", ""][:2]
    return _draft(Kind.CDX, {Field.SERVER: server, Field.PREFIX: prefix})


def _of_keys(values: Mapping[str, str]) -> Draft | None:
    kind = TYPES.get(values.get("type", ""))
    known = {key: values[key] for key in values if key in Field.__members__.values()}
    if kind is None or len(known) + 1 != len(values):
        return None
    fields = {Field(key): value for key, value in known.items()}
    allowed = set(TEMPLATES.get(kind, Draft(kind).plain))
    if not set(fields) <= allowed:
        return None
    if kind in TEMPLATES:
        return of_templates(kind, fields)
    if kind is Kind.FILE:
        kind = kind_of_path(fields.get(Field.PATH, ""))
    return _draft(kind, fields)


def _draft(kind: Kind, values: Mapping[Field, str]) -> Draft:
    return Draft(kind, {name: text for name, text in values.items() if text})


def _words_of(draft: Draft) -> str:
    match draft.kind:
        case Kind.MEMENTO:
            return f"memento+{draft.value(Field.BASE)}"
        case Kind.CDX:
            return f"cdx+{draft.value(Field.SERVER)} {draft.value(Field.PREFIX)}".rstrip()
        case Kind.REDIS:
            return draft.value(Field.REDIS)
        case Kind.LIVE:
            return "$live"
        case Kind.ARCHIVE:
            return "$archive"
    return draft.value(Field.PATH)


def _keys_of(draft: Draft) -> dict[str, str]:
    names = draft.templates or draft.plain
    values = {str(name): draft.value(name) for name in names if draft.value(name)}
    return {"type": TYPE_NAMES[draft.kind], **values}


def _has_keys_for(before: str, draft: Draft) -> bool:
    """Say whether a text is a mapping of this kind of source, which can be changed in its place."""
    try:
        value = parsed(before)
    except Unreadable:
        return False
    return isinstance(value, dict) and value.get("type") == TYPE_NAMES[draft.kind]


def _rewritten(before: str, draft: Draft) -> str:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = LONGEST
    tree = _load(yaml, before)
    wanted = _keys_of(draft)
    for key in [key for key in tree if key not in wanted]:
        del tree[key]
    for key, value in wanted.items():
        if tree.get(key) != value:
            tree[key] = value
    out = StringIO()
    yaml.dump(tree, out)
    return out.getvalue().rstrip("\n")


def _comment_of(before: str) -> str:
    """Return the comment behind a source of one line, with the space before it, "" for none."""
    found = re.search(r"[ \t]+#[^\n]*$", before.rstrip("\n"))
    if not found or "\n" in before.strip("\n"):
        return ""
    try:
        is_comment = parsed(before) == parsed(before[: found.start()])
    except Unreadable:
        return ""
    return found.group() if is_comment else ""


def _load(yaml: YAML, text: str) -> Any:
    if len(text) > LONGEST or text.count("[") + text.count("{") > 10 * DEEPEST:
        raise Unreadable("too long for one source")
    try:
        return yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(error.problem or "", mark.line + 1 if mark else 0) from error
    except (YAMLError, ValueError, RecursionError) as error:
        raise Unreadable(str(error).partition("\n")[0]) from error
