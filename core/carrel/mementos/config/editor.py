# SPDX-License-Identifier: AGPL-3.0-or-later
"""The collections file changed source by source: the YAML stays the truth, and keeps its comments.

Nothing is written that could not be read again as it was meant.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from carrel.errors import ConfigError
from carrel.mementos.config import yaml_tree
from carrel.mementos.config.default import default_text
from carrel.mementos.config.findings import Findings, shown
from carrel.mementos.config.grammar import text_of, understand
from carrel.mementos.config.source_lines import Group
from carrel.mementos.config.yaml_text import mapping_lines
from carrel.mementos.config.yaml_tree import Plain, plain
from carrel.translation import tr
from carrel.whole_file import replace_file

# A source as a flat mapping of its full form, or as YAML in any form.
Source = Mapping[str, str] | str


class CollectionsFile:
    """A collections file, there or not yet: then it begins with the default.

    Every method raises ConfigError and leaves the file alone if it cannot do what is asked, if
    what came out would not be valid, or if someone changed the file since it was last read here.
    Only an `index_group` can be changed source by source; for all else there is `write`.
    """

    def __init__(self, path: Path, *, archive: Path | None = None) -> None:
        self._path = path
        self._archive = archive
        self._seen: str | None = None

    def text(self) -> str:
        """Return what the file says now; what comes later is a change of this."""
        self._seen = self._current()
        return self._seen

    def sources(self, collection: str) -> list[tuple[str, str]]:
        """Return the names and the YAML of the sources of a group."""
        return self._group(self.text(), collection).sources()

    def add_source(self, collection: str, name: str, source: Source) -> None:
        """Put a source at the end of a group."""
        text, given = self._unchanged(), _yaml(source)
        group = self._group(text, collection)
        meant = _members(text, collection)
        if name in meant:
            raise ConfigError(
                tr("There is a source named {name} in this collection already.", name=shown(name))
            )
        meant[name] = _meaning(given)
        self._write(group.added(name, given), collection, meant)

    def change_source(
        self, collection: str, name: str, source: Source, new_name: str | None = None
    ) -> None:
        """Write a source of a group anew, under another name if one is given."""
        text, given = self._unchanged(), _yaml(source)
        changed = self._group(text, collection).changed(name, given, new_name or name)
        meant = {
            (new_name or name) if each == name else each: _meaning(given) if each == name else value
            for each, value in _members(text, collection).items()
        }
        self._write(changed, collection, meant)

    def remove_source(self, collection: str, name: str) -> None:
        """Take a source out of a group that has others."""
        text = self._unchanged()
        removed = self._group(text, collection).removed(name)
        meant = _members(text, collection)
        if len(meant) == 1:
            raise ConfigError(
                tr(
                    "{name} is the only source of {collection}.",
                    name=shown(name),
                    collection=shown(collection),
                )
            )
        del meant[name]
        self._write(removed, collection, meant)

    def move_source(self, collection: str, name: str, to_index: int) -> None:
        """Put a source to another place in its group, counted from 0."""
        text = self._unchanged()
        moved = self._group(text, collection).moved(name, to_index)
        items = list(_members(text, collection).items())
        item = next(each for each in items if each[0] == name)
        items.remove(item)
        items.insert(max(0, to_index), item)
        self._write(moved, collection, dict(items))

    def write(self, text: str) -> None:
        """Put another text in the place of the whole."""
        self._unchanged()
        self._check(text)
        self._replace(text)

    def _current(self) -> str:
        return text_of(self._path) if self._path.exists() else default_text()

    def _unchanged(self) -> str:
        current = self._current()
        if self._seen is not None and current != self._seen:
            raise ConfigError(
                tr("{name} was changed in the meantime. Reload it first.", name=self._path.name)
            )
        self._seen = current
        return current

    def _check(self, text: str) -> None:
        base = self._path.absolute().parent
        understand(text, name=self._path.name, base=base, archive=self._archive)

    def _group(self, text: str, collection: str) -> Group:
        self._check(text)
        return Group(text, _group_mapping(text, collection))

    def _write(self, text: str, collection: str, meant: dict[str, Plain]) -> None:
        """Replace the file's text if the group has the members that are meant, in their order, and
        nothing else has changed."""
        self._check(text)
        if _canonical(text) != _canonical(self._seen or "", collection, meant):
            raise ConfigError(
                tr(
                    "This cannot be changed here without changing something else; edit "
                    "{name} by hand.",
                    name=self._path.name,
                )
            )
        self._replace(text)

    def _replace(self, text: str) -> None:
        path = self._path.resolve()  # a link stays one
        try:
            replace_file(path, text.encode())
        except OSError as error:
            raise ConfigError(
                tr(
                    "{path} cannot be written: {strerror}.",
                    path=self._path,
                    strerror=error.strerror,
                )
            ) from error
        self._seen = text


def _yaml(source: Source) -> str:
    return source if isinstance(source, str) else "\n".join(mapping_lines(source))


def _meaning(text: str) -> Plain:
    findings = Findings(tr("The source"))
    tree = yaml_tree.parse(text, findings)
    findings.check()
    return plain(tree)


def _group_mapping(text: str, collection: str) -> yaml_tree.Mapping:
    """Return the group of a collection in a text that was checked."""
    node = _below(_below(yaml_tree.parse(text, Findings("")), "collections"), collection)
    if node is None:
        raise ConfigError(
            tr("There is no collection named {collection}.", collection=shown(collection))
        )
    group = _below(node, "index_group")
    if not isinstance(group, yaml_tree.Mapping):
        raise ConfigError(
            tr(
                "{collection} is not a group of sources; first make it an “index_group” by hand.",
                collection=shown(collection),
            )
        )
    return group


def _below(node: yaml_tree.Node | None, key: str) -> yaml_tree.Node | None:
    entry = node.entry(key) if isinstance(node, yaml_tree.Mapping) else None
    return entry.value if entry else None


def _members(text: str, collection: str) -> dict[str, Plain]:
    return {each.key: plain(each.value) for each in _group_mapping(text, collection).entries}


def _canonical(text: str, collection: str = "", members: dict[str, Plain] | None = None) -> str:
    """Return what a text means, in one form, with other members in a group if some are given."""
    content = _meaning(text)
    if members is not None:
        _part(_part(content, "collections"), collection)["index_group"] = members
    return json.dumps(content)


def _part(content: Plain, key: str) -> dict[str, Plain]:
    part = content.get(key) if isinstance(content, dict) else None
    return part if isinstance(part, dict) else {}
