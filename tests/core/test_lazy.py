# SPDX-License-Identifier: AGPL-3.0-or-later
"""What is loaded late is loaded by any thread: by several at once, too."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import carrel
from support.archives import environment

CORE = Path(carrel.__file__).parent
# A command line has one thread; the others are commands, made where they are loaded.
BY_ONE_THREAD = {"carrel.cli.fleet"}
LOAD_AT_ONCE = """
import importlib, sys, threading
import carrel.engine.engine

together = threading.Barrier(len(sys.argv) - 1)

def load(name):
    together.wait()
    importlib.import_module(name)

for name in sys.argv[1:]:
    threading.Thread(target=load, args=(name,)).start()
"""


def modules(package: str) -> list[str]:
    folder = CORE.joinpath(*package.split(".")[1:])
    return [f"{package}.{each.stem}" for each in folder.glob("*.py") if each.stem != "__init__"]


@pytest.mark.parametrize(
    "package", ["carrel.engine.watch", "carrel.engine.replication", "carrel.platforms.dataverse"]
)
def test_a_package_and_its_modules_can_be_loaded_by_threads_at_once(package: str) -> None:
    loading = subprocess.run(
        [sys.executable, "-c", LOAD_AT_ONCE, package, *modules(package)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert loading.stderr == ""


def test_no_package_loads_its_modules_before_they_are_needed() -> None:
    """A package that does waits for a module that waits for its package: Python gives one half."""
    early = [
        f"{package}: {node.module}"
        for path in sorted(CORE.rglob("__init__.py"))
        if (package := ".".join(("carrel", *path.parent.relative_to(CORE).parts)))
        not in BY_ONE_THREAD
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(f"{package}.")
        and node.module != "carrel.lazy"
    ]

    assert early == []
