# SPDX-License-Identifier: AGPL-3.0-or-later
"""The sources of a group as they stand in a text, which is changed there and nowhere else.

Writing the whole file anew would keep most comments, but not its look; so only the lines of the
source in question are touched. Whoever changes the text checks what came out.
"""

import textwrap
from dataclasses import dataclass
from itertools import pairwise

from carrel.errors import ConfigError
from carrel.mementos.config.findings import Findings, shown
from carrel.mementos.config.yaml_text import scalar
from carrel.mementos.config.yaml_tree import Entry, Mapping, parse
from carrel.translation import tr


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of a source, `start` to `end`, with the comments right above it."""

    entry: Entry
    start: int
    end: int


class Group:
    """The sources of an `index_group`, each on lines of its own. A change returns the new text.

    Raises ConfigError for a group that is written otherwise.
    """

    def __init__(self, text: str, mapping: Mapping) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        first = mapping.entries[0].start
        self._indent = text[self._line_start(first) : first]
        if mapping.is_flow or self._indent.strip():
            raise ConfigError(tr("The sources must be on lines of their own to be changed here."))
        self._deeper = self._indent + " " * self._step(first)
        self._blocks = [self._block(entry) for entry in mapping.entries]

    def sources(self) -> list[tuple[str, str]]:
        """Return the name and the YAML of each source."""
        return [(each.entry.key, self._source(each)) for each in self._blocks]

    def added(self, name: str, source: str) -> str:
        """Put a source at the end."""
        before = self._ended(self._text[: self._blocks[-1].end])
        lines = self._lines(f"{scalar(name)}:", source)
        return before + lines + self._text[self._blocks[-1].end :]

    def changed(self, name: str, source: str, new_name: str) -> str:
        """Write a source and its name anew where it stands, comments around them staying."""
        block = self._named(name)
        entry, value = block.entry, block.entry.value
        head = self._text[entry.start : value.start].rstrip()
        tail = self._text[value.end : block.end].rstrip()
        was_inline = "\n" not in self._text[entry.start : value.start]
        if new_name != name or (not was_inline and _inline(source)):
            head = f"{scalar(new_name)}:"
        lines = self._lines(head, source, tail if was_inline else "")
        return self._text[: self._line_start(entry.start)] + lines + self._text[block.end :]

    def removed(self, name: str) -> str:
        """Take a source out, with the comments right above it."""
        block = self._named(name)
        return self._text[: block.start] + self._text[block.end :]

    def moved(self, name: str, to_index: int) -> str:
        """Put a source, with its comments, to another place in the order, counted from 0."""
        blocks = list(self._blocks)
        blocks.remove(block := self._named(name))
        blocks.insert(max(0, to_index), block)
        pieces = [self._ended(self._text[each.start : each.end]) for each in blocks]
        gaps = [self._text[one.end : other.start] for one, other in pairwise(self._blocks)]
        inner = "".join(piece + gap for piece, gap in zip(pieces, [*gaps, ""], strict=True))
        return self._text[: self._blocks[0].start] + inner + self._text[self._blocks[-1].end :]

    def _named(self, name: str) -> _Block:
        for block in self._blocks:
            if block.entry.key == name:
                return block
        raise ConfigError(
            tr("There is no source named {name} in this collection.", name=shown(name))
        )

    def _block(self, entry: Entry) -> _Block:
        start, end = self._line_start(entry.start), entry.value.end
        while self._is_comment(start):
            start = self._line_start(start - 1)
        if not self._text[:end].endswith("\n"):
            newline = self._text.find("\n", end)
            end = newline + 1 if newline >= 0 else len(self._text)
        return _Block(entry, start, end)

    def _is_comment(self, line_start: int) -> bool:
        """Say whether the line before is a comment on what stands at this line's depth."""
        before = self._text[self._line_start(line_start - 1) : line_start] if line_start else ""
        return before.startswith(f"{self._indent}#")

    def _line_start(self, index: int) -> int:
        return self._text.rfind("\n", 0, max(0, index)) + 1

    def _step(self, first: int) -> int:
        """Return by how much the file indents: by as much as the group below its key."""
        above = self._text[:first].splitlines()[:-1]
        lines = [line for line in above if not line.lstrip().startswith("#")]
        depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
        shallower = [each for each in depths if each < len(self._indent)]
        return len(self._indent) - shallower[-1] if shallower else 2

    def _ended(self, text: str) -> str:
        return text if not text or text.endswith("\n") else text + self._newline

    def _source(self, block: _Block) -> str:
        """Return the YAML of a source by itself: as deep as it is, without what surrounds it.

        A comment behind its last line is its own where it has lines of its own.
        """
        value = block.entry.value
        has_lines = isinstance(value, Mapping) and not value.is_flow
        end = block.end if has_lines else value.end
        before = self._text[self._line_start(value.start) : value.start]
        indent = before if not before.strip() else ""
        text = self._text[value.start : end].rstrip()
        return textwrap.dedent(indent + text).replace("\r\n", "\n")

    def _lines(self, head: str, source: str, tail: str = "") -> str:
        """Return the lines of a source: in one if it is one text, else below its name."""
        if inline := _inline(source):
            lines = [f"{head} {inline}{tail}"]
        else:
            below = textwrap.dedent(source).strip("\r\n").splitlines()
            lines = [f"{head}{tail}", *(f"{self._deeper}{line}".rstrip() for line in below)]
        return self._indent + self._newline.join(lines) + self._newline


def _inline(source: str) -> str:
    """Return a source that can stand behind its name, "" for one that cannot.

    Raises ConfigError for what is no YAML.
    """
    findings = Findings(tr("The source"))
    node = parse(source, findings)
    findings.check()
    text = source[node.start : node.end].strip()
    is_block = isinstance(node, Mapping) and not node.is_flow
    return "" if is_block or "\n" in text else text
