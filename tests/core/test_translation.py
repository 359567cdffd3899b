# SPDX-License-Identifier: AGPL-3.0-or-later
"""Texts go through one function, are all collected, and hold in another language.

The languages that are made up stand for every other: what they leave in English, any would.
"""

import ast
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from carrel.cli.dark.counts import NAMES as NAMES_OF_COUNTS
from carrel.model.counts import NOUNS, counted
from carrel.translation import forms, plural, tr

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core" / "carrel"
# Those are for who writes code, or are no sentences of ours.
_FOR_DEVELOPERS = frozenset(
    {"ValueError", "TypeError", "AssertionError", "RuntimeError", "KeyError"}
    | {"NotImplementedError", "AttributeError", "IndexError", "RemoteProtocolError"}
    | {"ProgrammingError"}
)
_TELLING = frozenset({"echo", "say", "complain", "Finding", "IngestStop", "Advice"})
_PROSE = re.compile(r"[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}")


def run(language: str, *args: str, **environment: str) -> str:
    """Return what a command prints in a language; its exit status is 0 or 1."""
    done = subprocess.run(
        [sys.executable, "-m", "carrel", *args],
        env=os.environ | {"CARREL_LANGUAGE": language} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def in_english(printed: str) -> list[str]:
    """Return the runs of two English words or more that are in no text of the long language."""
    left = printed
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", "·", left)) != left:
        left = inner
    return re.findall(r"[a-z]{3,} [a-z]{3,}[a-z ]*", left)


def test_values_are_filled_in_and_braces_without_values_stay() -> None:
    assert tr("{a} of {b:,}", a="x", b=1200) == "x of 1,200"
    assert tr("a set: {x}") == "a set: {x}"
    assert tr("{url}", url="{nobody} {0}") == "{nobody} {0}"


def test_a_count_has_the_form_that_fits() -> None:
    one, many = forms("{n} file", "{n} files")
    assert [plural(one, many, n, n=n) for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
    assert counted(1200, "journal entry") == "1,200 journal entries"


def test_every_noun_that_is_counted_has_its_forms() -> None:
    counts = 0
    for path, node in calls():
        if name_of(node) in ("counted", "count_of") and len(node.args) == 2:
            match node.args[1]:
                case ast.Constant(value=str(noun)):
                    counts += 1
                    assert noun in NOUNS, path
    assert counts > 50


def test_a_catalogue_is_used_with_its_plurals_and_one_with_other_values_does_no_harm(
    tmp_path: Path,
) -> None:
    messages = collector()
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    catalog = messages.Catalog(locale="de")
    catalog.add("The queue is empty.", "Die Warteschlange ist leer.")
    catalog.add(("{count} file", "{count} files"), ("{count} Datei", "{count} Dateien"))
    catalog.add("“{path}” is empty.", "„{pfad}“ ist leer.")
    with (folder / "carrel.mo").open("wb") as file:
        messages.write_mo(file, catalog)
    code = (
        "from carrel.translation import tr, language\n"
        "from carrel.model.counts import counted\n"
        "print(language(), tr('The queue is empty.'), counted(1, 'file'), counted(2, 'file'),"
        "tr('“{path}” is empty.', path='x'), tr('Not there.'), sep='|')"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"CARREL_LOCALE": str(tmp_path), "CARREL_LANGUAGE": "de"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.strip()

    assert said == "de|Die Warteschlange ist leer.|1 Datei|2 Dateien|“x” is empty.|Not there."


_EVERY_HELP = """
import click
from carrel.cli.program import carrel

def show(command, path):
    context = click.Context(command, info_name=path[-1])
    print(command.get_help(context))
    for name in getattr(command, "list_commands", lambda _: ())(context):
        show(command.get_command(context, name), (*path, name))

show(carrel, ("carrel",))
"""


def test_the_help_of_every_command_is_translated_whole() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", _EVERY_HELP],
        env=os.environ | {"CARREL_LANGUAGE": "x-long"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    # What click itself says is in its own catalogues.
    ours = re.sub(r"Show (this message|the version) and exit\.|env var:|default:", "", printed)
    ours = ours.replace("Confirm the action without prompting.", "")
    ours = re.sub(r"^Usage: .*$", "", ours, flags=re.M)

    assert printed.count("Usage: ") > 40
    assert in_english(ours) == []


def test_in_another_language_datasets_are_archived_as_ever(tmp_path: Path) -> None:
    archive = tmp_path / "archive"

    printed = run("x-long", "demo", "--archive", str(archive))

    assert "✗" not in printed
    assert printed.count("✓") > 15
    stored = run("x-long", "results", "--archive", str(archive))
    assert in_english(re.sub(r"^.*Z  .*$", "", stored, flags=re.M)) == []
    # What is archived is for readers of any language.
    assert "⟦" not in (archive / "README.txt").read_text(encoding="utf-8")
    assert run("x-long", "verify", "--archive", str(archive)).count("⟧") > 0


_NAMES_OF_COUNTS = """
from carrel.cli.dark.counts import count_name
from carrel.model import JobState
from carrel.model.outcome_words import jobs_by_state
print(count_name("templates read"), count_name("full texts: http-404"))
print(*jobs_by_state({JobState.QUEUED: 1200, JobState.ASKING: 1}))
"""


def test_names_of_counts_are_translated() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", _NAMES_OF_COUNTS],
        env=os.environ | {"CARREL_LANGUAGE": "x-long"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout

    assert printed.count("⟦") == 4
    assert "http-404" in printed
    assert "1,200" in printed
    assert in_english(printed) == []


def test_every_name_under_which_a_run_counts_has_its_words() -> None:
    texts = (path.read_text() for path in (CORE / "dark_archive" / "harvest").glob("*.py"))
    named = re.compile(r'counts\["([a-z ]+)"\]|"(full texts [a-z]+)"|return \{"([a-z ]+)": count')
    names = {"".join(found) for text in texts for found in named.findall(text)}

    assert len(names) > 15
    assert {name for name in names if name not in NAMES_OF_COUNTS} == set()


def test_the_mirrored_language_runs_too() -> None:
    printed = run("x-mirrored", "preview", "nonsense")

    assert re.search("[א-ת]{4}", printed)


@cache
def trees() -> list[tuple[Path, ast.Module]]:
    """Return each module of the core, parsed once."""
    return [(path, ast.parse(path.read_bytes())) for path in sorted(CORE.rglob("*.py"))]


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield path, node


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def plain(node: ast.expr) -> str:
    """Return the text of a literal, "" for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                plain(each) if isinstance(each, ast.Constant) else "{}" for each in values
            )
    return ""


def told() -> Iterator[tuple[Path, ast.expr]]:
    """Yield what is raised and told in the core, and the help of options."""
    for path, tree in trees():
        if "demo" in path.parts:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Raise(exc=ast.Call() as call) if name_of(call) not in _FOR_DEVELOPERS:
                    yield from ((path, each) for each in call.args)
                case ast.Call() if ast.unparse(node.func).removeprefix("click.") in _TELLING:
                    yield from ((path, each) for each in node.args)
                case ast.keyword(arg="help", value=value):
                    yield path, value


def test_what_is_raised_and_told_goes_through_the_one_function() -> None:
    texts = list(told())
    bare = [
        f"{path.relative_to(CORE)}:{node.lineno}: {plain(node)}"
        for path, node in texts
        if _PROSE.search(plain(node))
    ]

    assert len(texts) > 1000
    assert bare == []


def collector() -> ModuleType:
    """Return the module by which texts are collected."""
    spec = importlib.util.spec_from_file_location("messages", ROOT / "packaging" / "messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_texts_are_collected_for_translators_with_their_plurals() -> None:
    found = {
        message if isinstance(message, str) else message[0]
        for message in (each.id for each in collector().template() if each.id)
    }

    assert "{count} file" in found
    assert "Only jobs in this state; asking: those that need an answer." in found
    assert any(text.startswith("Add the datasets in each FILE to the queue") for text in found)
    assert len(found) > 2500
