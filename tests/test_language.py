# SPDX-License-Identifier: AGPL-3.0-or-later
"""Text that people read is plain English: it has none of the words in `docs/words-not-used.txt`."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).parent.parent
CORE = ROOT / "core" / "carrel"
DESKTOP = ROOT / "desktop" / "carrel_desktop"
WORDS = ROOT / "docs" / "words-not-used.txt"

# Names of counts, which stand in journals and in JSON.
_NAMES = frozenset({"full texts asked for"})


@dataclass(frozen=True, slots=True)
class Text:
    """One text that people read, and where it stands."""

    path: Path
    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A word that is not used, in a text."""

    text: Text
    word: str
    instead: str

    def __str__(self) -> str:
        where = self.text.path.relative_to(ROOT)
        shown = self.text.words[:160]
        return f"{where}:{self.text.line}: “{self.word}” (write: {self.instead}) in: {shown}"


def read_pairs(path: Path) -> dict[str, str]:
    """Return the lines “name = value” of a list."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" = ", 1) for line in lines if line.strip() and not line.startswith("#"))
    return {name: value for name, value in pairs}


def is_command(node: ast.AST) -> TypeGuard[ast.FunctionDef]:
    """Say whether this is a function whose docstring `--help` shows."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return any(re.search(r"\b(command|group)\b", ast.unparse(each)) for each in node.decorator_list)


def docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the docstrings that only readers of the code see."""
    shown = {id(node.body[0]) for node in ast.walk(tree) if is_command(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and id(node) not in shown:
            yield node.value


def texts_of(path: Path, source: str | None = None) -> Iterator[Text]:
    """Yield the texts of a module: its literals of several words, and the help of its commands."""
    tree = ast.parse(path.read_text(encoding="utf-8") if source is None else source)
    passed_over = {id(each) for each in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed_over.update(id(each) for each in node.values)
            parts = (
                str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values
            )
            words = "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        if id(node) not in passed_over and " " in words.strip() and words not in _NAMES:
            yield Text(path, node.lineno, re.sub(r"\s+", " ", words))


def texts_under(folder: Path) -> Iterator[Text]:
    """Yield the texts of a package."""
    for path in sorted(folder.rglob("*.py")):
        yield from texts_of(path)


def texts_of_document(path: Path) -> Iterator[Text]:
    """Yield the lines of a document."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield Text(path, number, line)


def hits(texts: Iterator[Text]) -> list[Hit]:
    """Return every word of the list in these texts."""
    instead = read_pairs(WORDS)
    longest_first = sorted(instead, key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
    return [
        Hit(text, word := found.group().lower(), instead[word])
        for text in texts
        for found in pattern.finditer(text.words)
    ]


def shown(found: list[Hit]) -> str:
    return "\n".join(map(str, found))


def test_the_core_and_the_command_line_speak_plainly() -> None:
    found = hits(texts_under(CORE))
    assert not found, shown(found)


def test_the_documents_speak_plainly() -> None:
    # The glossary names words in order to say that they are not used; what a platform is built of
    # is told in the words of the code.
    left_out = ("glossary.md", "building.md")
    documents = [path for path in (ROOT / "docs").rglob("*.md") if path.name not in left_out]
    found = [hit for path in documents for hit in hits(texts_of_document(path))]
    assert not found, shown(found)


def test_the_window_speaks_plainly() -> None:
    found = hits(texts_under(DESKTOP))

    assert not found, shown(found)


def test_the_readme_speaks_plainly() -> None:
    found = hits(texts_of_document(ROOT / "README.md"))

    assert not found, shown(found)


def test_cannot_is_one_word_in_the_code_of_the_core_too() -> None:
    two_words = re.compile(r"\bcan not\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(CORE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if two_words.search(line)
    ]
    assert not found, found


def test_a_word_is_found_in_a_sentence_and_in_help_but_not_in_a_docstring() -> None:
    source = (
        '"""Nobody sees this."""\n'
        "@click.command()\n"
        "def add() -> None:\n"
        '    """Add what nobody added."""\n'
        '    raise Error(f"{path} can"\n'
        '        " not be read.")\n'
    )
    help_, sentence = sorted(
        hits(texts_of(CORE / "example.py", source)), key=lambda hit: hit.text.line
    )
    assert (help_.word, help_.text.line) == ("nobody", 4)
    assert str(sentence) == (
        "core/carrel/example.py:5: “can not” (write: cannot) in: {} can not be read."
    )
