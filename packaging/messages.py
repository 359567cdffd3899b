# SPDX-License-Identifier: AGPL-3.0-or-later
"""Collect every text that people read, for translators, and bring the catalogues up to date.

    python packaging/messages.py build/messages/carrel.pot

The template is GNU gettext's. A new language begins as a copy of it, with its header filled in, at
core/carrel/locale/LANGUAGE/LC_MESSAGES/carrel.po; each such file is updated and compiled here.
"""

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "core" / "carrel" / "locale"
SOURCES = (ROOT / "core" / "carrel", ROOT / "desktop" / "carrel_desktop")
# Functions by which texts are found, with the places of the singular and the plural.
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "tr": None,
    "plural": (1, 2),
    "forms": (1, 2),
    "counted": (2, 3),  # the window's
}
_COMMAND = re.compile(r"\b(command|group)\b")


def template() -> Catalog:
    """Return all texts of the program, each with the places where it is written."""
    catalog = Catalog(project="Carrel", charset="utf-8", fuzzy=False)
    for source in SOURCES:
        for path in sorted(source.rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for line, message in texts(path.read_bytes()):
                catalog.add(message, locations=[(where, line)])
    return catalog


def texts(code: bytes) -> Iterator[tuple[int, str | tuple[str, ...]]]:
    """Yield the line and the text of each call in a module, and the help of each command."""
    for line, message, _, _ in extract("python", io.BytesIO(code), KEYWORDS):
        yield line, message
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.FunctionDef(decorator_list=decorators) if any(map(_is_command, decorators)):
                yield node.lineno, ast.get_docstring(node) or ""


def _is_command(decorator: ast.expr) -> bool:
    return bool(_COMMAND.search(ast.unparse(decorator)))


def update(path: Path, texts_of_today: Catalog) -> None:
    """Bring a language's catalogue up to date, and compile it beside itself."""
    with path.open("rb") as file:
        catalog = read_po(file)
    catalog.update(texts_of_today)
    with path.open("wb") as file:
        write_po(file, catalog, width=100)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def main(output: Path) -> None:
    """Write the template, and update every catalogue there is."""
    catalog = template()
    output.parent.mkdir(parents=True, exist_ok=True)
    with output.open("wb") as file:
        write_po(file, catalog, width=100, sort_by_file=True)
    print(f"{len(catalog):,} texts are in {output}.")
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/carrel.po")):
        update(path, catalog)
        print(f"{path} is up to date.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
