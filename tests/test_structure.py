# SPDX-License-Identifier: AGPL-3.0-or-later
"""The structure that a reader may rely on: no class grows beyond what can be held in mind."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "core" / "carrel", ROOT / "desktop" / "carrel_desktop"]
MOST_METHODS = 30


def classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    """Yield every class of the program, with its file."""
    for path in (path for folder in SOURCES for path in sorted(folder.rglob("*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from ((path, each) for each in ast.walk(tree) if isinstance(each, ast.ClassDef))


def methods(node: ast.ClassDef) -> int:
    return sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body)


def test_no_class_has_more_methods_than_a_reader_holds_in_mind() -> None:
    large = [
        f"{path.relative_to(ROOT)}: {node.name} has {methods(node)} methods"
        for path, node in classes()
        if methods(node) > MOST_METHODS
    ]

    assert large == []
