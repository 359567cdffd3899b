# SPDX-License-Identifier: AGPL-3.0-or-later
"""Files that came as web pages by their server's word, and that nothing published can tell apart.

Such a page may be the file. It may as well be one that only leads to it, or says sorry.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from carrel.model import Finding, FindingLevel, ManifestFile
from carrel.model.counts import count_of
from carrel.model.prose import shortlist
from carrel.strategies.comparison import is_expected_page, is_provable, looks_like
from carrel.strategies.kept import Kept
from carrel.translation import tr

CAME_AS_PAGE = "came_as_page"


def noted(kept: Kept) -> Mapping[str, Any]:
    """Return that a page came for the file now, nothing if something says that it is one."""
    is_told = is_provable(kept.entry.declared) or is_expected_page(kept.entry)
    if kept.answer is None or is_told or looks_like(kept.answer) is None:
        return {}
    return {CAME_AS_PAGE: True}


def findings_on(files: Sequence[ManifestFile]) -> tuple[Finding, ...]:
    """Return a warning about files that may only lead to what is meant, none if there are none."""
    names = [file.path for file in files if file.is_kept and file.extra.get(CAME_AS_PAGE)]
    if not names:
        return ()
    message = tr(
        "According to the server, {files} arrived as a web page, and nothing published says "
        "whether that is right. Check whether it is the data, or a page that links to it: {names}.",
        files=count_of(names, "file"),
        names=shortlist(names),
    )
    return (Finding("came-as-page", message, FindingLevel.WARNING),)
