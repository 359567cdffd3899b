# SPDX-License-Identifier: AGPL-3.0-or-later
"""The window in the languages that are made up: nothing is missed, nothing is cut.

Some pages of each kind are looked at here; `in_another_language.py` without words looks at all.
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import carrel_desktop

SCRIPT = Path(__file__).with_name("in_another_language.py")
PAGES = (
    *(
        "overview-full",
        "overview-tables",
        "archive-found",
        "archive-batch-looked-at",
        "queue-busy",
        "holdings-full",
        "settings-foot",
    ),
    *("mementos-found", "archives-new-wrong", "dark-empty", "dark-lost", "watch-full"),
)
# Names of sources in the collections of these pages.
_DATA = re.compile(r"This archive|Field trips 2021|UK Web Archive|Archive-It|Perma\.cc")


def seen_in(language: str) -> list[dict[str, Any]]:
    """Return what is found on each page in a language."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *PAGES],
        env=os.environ | {"CARREL_LANGUAGE": language},
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_nothing_is_left_in_english_and_nothing_longer_is_cut() -> None:
    pages = seen_in("x-long")

    assert len(pages) >= len(PAGES)
    # What all pages have is no data of one of them.
    assert set.intersection(*(set(page["labels"]) for page in pages)) == set()
    for page in pages:
        name = page["pose"]
        assert page["translated"] > 50, name
        assert [each for each in page["english"] if not _DATA.search(each)] == [], name
        assert (page["cut"], page["outside"]) == ([], []), name


def test_from_right_to_left_everything_is_mirrored_and_in_its_place() -> None:
    pages = seen_in("x-mirrored")

    assert len(pages) >= len(PAGES)
    for page in pages:
        name = page["pose"]
        assert page["direction"] == "RightToLeft", name
        assert (page["cut"], page["outside"]) == ([], []), name


def test_the_window_has_no_other_way_to_translate() -> None:
    sources = Path(carrel_desktop.__file__).parent.rglob("*.py")
    others = re.compile(r"\w\.tr\(|\btr = |self\.tr\b|QT_TRANSLATE|QCoreApplication\.translate")

    assert [path for path in sources if others.search(path.read_text(encoding="utf-8"))] == []


def test_texts_with_counts_are_found_by_translators() -> None:
    """Each stands in a call by which texts are collected, not in a name of its own."""
    left = []
    for path in Path(carrel_desktop.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_bytes())
        collected = {
            id(each)
            for call in ast.walk(tree)
            if isinstance(call, ast.Call)
            and ast.unparse(call.func).rpartition(".")[2] in ("tr", "forms", "plural", "counted")
            for each in ast.walk(call)
        }
        left += [
            f"{path.name}:{node.lineno}: {node.value}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search(r"\{(count|number|name)\}", node.value)
            and id(node) not in collected
        ]

    assert left == []
