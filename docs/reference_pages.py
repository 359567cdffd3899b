# SPDX-License-Identifier: AGPL-3.0-or-later
"""The pages of the reference that the program itself has the content of."""

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from importlib import import_module
from inspect import getdoc, isclass, isfunction, signature
from pathlib import Path
from typing import Any

from carrel import errors
from carrel.model import Status
from carrel.platforms.catalogue import PLATFORMS
from carrel.settings import SECTIONS, is_personal

# Where a platform finds what it is built of.
_ROOMS = (
    "carrel.platforms.platform",
    "carrel.platforms.about",
    "carrel.platforms.listing",
    "carrel.platforms.review",
    "carrel.platforms.items",
    "carrel.platforms.entries",
    "carrel.platforms.addresses",
    "carrel.platforms.markers",
    "carrel.platforms.shapes",
    "carrel.model.item",
    "carrel.model.manifest",
    "carrel.model.landing",
    "carrel.testing",
)
_ACTS = {"nobody": "–"}


def write_all(folder: Path) -> None:
    """Write every generated page, as Markdown, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        "settings": settings(),
        "statuses": statuses(),
        "platforms": platforms(),
        "errors": tree(),
        "building": building(),
    }
    for name, lines in pages.items():
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def settings() -> Iterable[str]:
    """Yield every key of the settings with its default, and in whose file it belongs."""
    yield "# Settings"
    yield "\nEvery key, its default, and whose it is: *personal* keys belong to you."
    for name, section in SECTIONS.items():
        yield f"\n## [{name}]\n"
        yield from _table(
            ("key", "default", "whose"),
            (
                (
                    f"`{key.name}`",
                    f"`{_default(key)}`",
                    "personal" if is_personal(key) else "archive",
                )
                for key in fields(section)
            ),
        )


def statuses() -> Iterable[str]:
    """Yield every status with its advice."""
    yield "# Status words"
    yield "\nHow a request, or one file, ended: in JSON, in the ledger and in the window."
    yield ""
    yield from _table(
        ("status", "what it means, and what to do", "who can act"),
        (
            (
                f"`{each.value}`",
                each.meaning.advice,
                _ACTS.get(each.meaning.side.value, each.meaning.side.value),
            )
            for each in Status
        ),
    )


def platforms() -> Iterable[str]:
    """Yield each platform with what it declares of itself."""
    yield "# Platforms"
    yield "\nWhat Carrel knows of each platform. An address at one of its hosts needs no `https://`."
    for platform in PLATFORMS:
        about = platform.about
        yield f"\n## {about.title}\n"
        yield f"Name in results: `{platform.name}`."
        if about.hosts:
            shown = sorted(about.hosts)
            more = f" and {len(shown) - 12} more" if len(shown) > 12 else ""
            yield f"\nKnown hosts: {', '.join(shown[:12])}{more}."
        for limit in about.limits:
            token = (
                f", {limit.per_hour_with_token:,} with a token" if limit.per_hour_with_token else ""
            )
            rate = f"{limit.per_hour:,} requests an hour{token}"
            yield f"\nLimit at {limit.host}: {rate} ({limit.as_of})."


def tree() -> Iterable[str]:
    """Yield the tree of errors as it is drawn in the code."""
    yield "# Errors"
    yield "\nWhat Carrel raises on purpose. Catch `CarrelError`; `str(error)` is a sentence."
    yield "\n```text"
    yield from (errors.__doc__ or "").splitlines()[2:]
    yield "```"


def building() -> Iterable[str]:
    """Yield what a platform is built of: each public name of its rooms, as the code tells of it."""
    yield "# What a platform is built of"
    yield "\nThe public names that a platform uses, with their arguments, as in the code."
    for name in _ROOMS:
        room = import_module(name)
        yield f"\n## {name}\n"
        yield (getdoc(room) or "").partition("\n\n")[0]
        for each, value in sorted(vars(room).items()):
            is_own = getattr(value, "__module__", "") == name
            if is_own and not each.startswith("_") and (isclass(value) or isfunction(value)):
                yield from _told(each, value)


def _told(name: str, value: Any) -> Iterable[str]:
    """Yield the name of a class or function with its arguments and what it says of itself, and
    those of its methods."""
    yield f"\n```text\n{name}{signature(value)}\n\n{getdoc(value) or ''}"
    if isclass(value):
        for each, method in vars(value).items():
            if isfunction(method) and not each.startswith("_"):
                yield f"\n.{each}{signature(method)}\n{getdoc(method) or ''}"
    yield "```"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for row in rows:
        yield f"| {' | '.join(each.replace('|', '/') for each in row)} |"


def _default(key: Any) -> str:
    if key.default is not MISSING:
        return str(key.default) if key.default != "" else '""'
    return str(key.default_factory()) if key.default_factory is not MISSING else "–"
