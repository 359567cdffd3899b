# SPDX-License-Identifier: AGPL-3.0-or-later
"""A source as it is being written: its name and its YAML, whether by the form or by hand. No Qt."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from carrel_desktop.views.archives.checks import name_problem, problems, text_problem
from carrel_desktop.views.archives.draft import Draft, Field, Kind, host_of
from carrel_desktop.views.archives.source_text import draft_of, text_of


@dataclass(frozen=True, slots=True)
class Edit:
    """`draft` is None where no form can show the text; `is_by_hand` says that the text is shown.

    `before` is the text that the file has, "" for a new source; `trouble` is what the core says of
    that.
    """

    name: str
    text: str
    draft: Draft | None
    before: str = ""
    is_by_hand: bool = False
    trouble: str = ""

    def drafted(self, draft: Draft) -> "Edit":
        """Return this with what the form says."""
        return replace(self, draft=draft, text=text_of(draft, self.before))

    def typed(self, text: str) -> "Edit":
        """Return this with another text."""
        return replace(self, text=text, draft=draft_of(text))

    def problem(self, others: Collection[str]) -> str:
        """Return why it cannot be saved beside sources of other names, "" if it can."""
        return name_problem(self.name, others) or self.text_problem()

    def text_problem(self) -> str:
        """Return what is wrong with the source itself, "" for nothing."""
        if self.trouble and self.text == self.before:
            return self.trouble
        if self.draft is not None and not self.is_by_hand:
            return next(iter(problems(self.draft).values()), "")
        return text_problem(self.text)


def edit_of(name: str, text: str, trouble: str = "") -> Edit:
    """Return a source of the file for editing."""
    draft = draft_of(text)
    return Edit(name, text, draft, text, is_by_hand=draft is None, trouble=trouble)


def new_edit() -> Edit:
    """Return a source that is not there yet."""
    draft = Draft(Kind.MEMENTO)
    return Edit("", text_of(draft), draft)


def suggested_name(draft: Draft | None) -> str:
    """Return a name for a source after where it is, "" if that does not say it."""
    if draft is None:
        return ""
    match draft.kind:
        case Kind.LIVE:
            return "live"
        case Kind.ARCHIVE:
            return "archive"
        case Kind.FILE | Kind.WARC:
            parts = draft.value(Field.PATH).replace("\\", "/").rstrip("/").split("/")
            return parts[-1].partition(".")[0] or parts[-1].strip(".")
        case Kind.REDIS:
            return host_of(draft.value(Field.REDIS))
    first = (draft.value(name) for name in (*draft.plain, *draft.templates))
    return host_of(next(filter(None, first), ""))
