# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file, read strictly: all that is wrong with it is named, nothing is dropped."""

from pathlib import Path

from carrel.errors import ConfigError
from carrel.mementos.config import yaml_tree
from carrel.mementos.config.collection import Collections, SourceConfig
from carrel.mementos.config.collection_forms import collection_of
from carrel.mementos.config.findings import Findings, Spot, shown, unknown
from carrel.mementos.config.reader import Reading
from carrel.mementos.config.sources import source_of
from carrel.mementos.config.yaml_tree import Entry, Mapping, Node
from carrel.translation import tr


def read(path: Path, *, archive: Path | None) -> Collections:
    """Return the collections that a file describes, `archive` being what `$archive` stands for.

    Relative paths start from the file's folder. Raises ConfigError: a line for each fault.
    """
    return understand(text_of(path), name=path.name, base=path.absolute().parent, archive=archive)


def text_of(path: Path) -> str:
    """Return the text of a collections file. Raises ConfigError."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(tr("{path} is not a file.", path=path))
        with path.open("rb") as file:
            content = file.read(yaml_tree.LARGEST_BYTES + 4)
    except OSError as error:
        raise ConfigError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror)
        ) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(tr("{path} is not UTF-8 text.", path=path)) from error


def understand(text: str, *, name: str, base: Path, archive: Path | None) -> Collections:
    """Return the collections that a text describes; `name` is what it is called in messages.

    Raises ConfigError: a line for each fault, with file, line, collection and key.
    """
    reading = Reading(base, archive, Findings(name))
    tree = yaml_tree.parse(text, reading.findings)
    entries = _entries(tree, reading.findings)
    found = tuple(filter(None, [collection_of(each, reading) for each in entries]))
    reading.findings.check()
    return Collections(found, tuple(reading.findings.warnings))


def understand_source(
    text_yaml: str, *, name: str, base: Path, archive: Path | None
) -> SourceConfig:
    """Return one source, given as YAML in any of its forms, under this name. Raises ConfigError."""
    reading = Reading(base, archive, Findings(name))
    tree = yaml_tree.parse(text_yaml, reading.findings)
    source = source_of(tree, name, Spot(tree.line), reading)
    reading.findings.check()
    assert source is not None  # noqa: S101 - else there was a finding
    return source


def _entries(tree: Node, findings: Findings) -> tuple[Entry, ...]:
    """Return the entries of `collections`, the only key that there is at the top."""
    if not isinstance(tree, Mapping) or not tree.entries:
        sentence = tr("the file must begin with “collections:”, and have them below it.")
        findings.error(Spot(tree.line), sentence)
        return ()
    collections = tree.entry("collections")
    for entry in tree.entries:
        if entry is not collections:
            findings.error(Spot(entry.line), _not_at_the_top(entry.key, collections))
    if collections is None:
        return ()
    if not isinstance(collections.value, Mapping) or not collections.value.entries:
        sentence = tr(
            "“collections” must have a name and a source, “name: source”, for each below it."
        )
        findings.error(Spot(collections.line), sentence)
        return ()
    return collections.value.entries


def _not_at_the_top(key: str, collections: Entry | None) -> str:
    sentence = unknown("key", key, ("collections",))
    if collections is not None or "Did you mean" in sentence:
        return sentence
    return tr("{key} is not allowed here; collections go below “collections:”.", key=shown(key))
