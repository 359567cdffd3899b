# SPDX-License-Identifier: AGPL-3.0-or-later
"""The structure that a reader may rely on: classes, faces, errors."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from carrel import errors
from support.archives import environment

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "core" / "carrel", ROOT / "desktop" / "carrel_desktop"]
PATHS = os.pathsep.join(str(ROOT / each) for each in ("core", "desktop", "resources"))
MOST_METHODS = 30
# Prints every class that is raised, with its bases, once all that the program has is loaded.
ALL_RAISED = """
import importlib, pkgutil, carrel, carrel_desktop

def known(base):
    for each in type.__subclasses__(base):
        yield each
        yield from known(each)

for package in (carrel, carrel_desktop):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
for each in set(known(BaseException)):
    if each.__module__.partition(".")[0] in ("carrel", "carrel_desktop"):
        print(each.__name__, *(base.__name__ for base in each.__bases__))
"""


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


def test_the_command_line_asks_the_engine_and_never_the_ledger() -> None:
    asking = [
        f"{path.relative_to(ROOT)}:{each.lineno}"
        for path in sorted((ROOT / "core" / "carrel" / "cli").rglob("*.py"))
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.Attribute) and each.attr.startswith("ledger")
    ]

    assert asking == []


def all_raised() -> dict[str, list[str]]:
    """Return the names of the bases of every class that the program raises, by its name."""
    ran = subprocess.run(
        [sys.executable, "-c", ALL_RAISED],
        env=environment(QT_QPA_PLATFORM="offscreen", PYTHONPATH=PATHS),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split() for line in ran.stdout.splitlines()]
    return {name: bases for name, *bases in lines}


def drawn() -> dict[str, str]:
    """Return the parent of each class in the drawing of the tree, "Exception" for a root."""
    parents, path = {}, ["Exception"]
    for line in (errors.__doc__ or "").splitlines()[2:]:
        if match := re.match(r"([│├└─ ]*)(\w+) {2,}|(\w+)$", line):
            depth = len(match[1] or "") // 4
            path[depth + 1 :] = [match[2] or match[3]]
            parents[path[-1]] = path[-2]
    return parents


def test_every_error_stands_in_the_tree_that_is_drawn() -> None:
    raised, tree = all_raised(), drawn()

    assert sorted(raised) == sorted(tree)
    assert [name for name, parent in tree.items() if parent not in raised[name]] == []
