# SPDX-License-Identifier: AGPL-3.0-or-later
"""XML as a tree. Entities are neither expanded nor fetched: who declares some is a text."""

from xml.parsers import expat

from carrel.access.renditions.source import NotShown, Source
from carrel.access.renditions.texts import as_text
from carrel.model.rendition import Node, Rendition, Tree
from carrel.translation import tr

MOST_NODES = 5000
_MOST_DEPTH = 200
_MOST_OF_A_VALUE = 1000
_PIECE_BYTES = 64 * 1024


class _Enough(NotShown):
    """No more of it is shown."""


def as_xml(source: Source, encoding: str) -> Rendition:
    """Return XML as a tree; what is broken, or declares entities, stays a text, and says so."""
    growing = _Growing()
    try:
        growing.read(source)
    except _Enough as enough:
        notes: tuple[str, ...] = (str(enough),)
    except NotShown as error:
        return as_text(source, encoding, "XML", str(error))
    except expat.ExpatError as error:
        if growing.nodes and not source.is_whole:
            notes = (tr("The rest is not shown."),)
        else:
            return as_text(
                source, encoding, "XML", tr("It is not valid XML: {error}.", error=error)
            )
    else:
        notes = ()
    return Rendition("XML", Tree(tuple(growing.nodes)), notes, source.size, has_text_form=True)


class _Growing:
    """The tree while it is read."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._open: list[int] = []
        self._text: list[str] = []
        self._parser = expat.ParserCreate(namespace_separator=None)
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        self._parser.CommentHandler = self._comment
        self._parser.ProcessingInstructionHandler = self._instruct
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse
        self._parser.buffer_text = True

    def read(self, source: Source) -> None:
        """Read it all. Raises NotShown and ExpatError."""
        source.file.seek(0)
        while piece := source.file.read(_PIECE_BYTES):
            self._parser.Parse(piece, False)
        self._parser.Parse(b"", True)

    def _refuse(self, *given: object) -> int:
        raise NotShown(tr("It declares entities, which Carrel does not expand."))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._flush()
        if len(self._open) >= _MOST_DEPTH:
            raise NotShown(tr("It is nested too deeply to show as a tree."))
        number = self._add(Node(self._above, name, kind=tr("element")))
        self._open.append(number)
        for key, value in attributes.items():
            self._add(Node(number, f"@{key}", _cut(value), tr("attribute")))

    def _end(self, name: str) -> None:
        self._flush()
        self._open.pop()

    def _comment(self, text: str) -> None:
        self._flush()
        self._add(Node(self._above, "", _cut(text.strip()), tr("comment")))

    def _instruct(self, name: str, text: str) -> None:
        self._flush()
        self._add(Node(self._above, f"?{name}", _cut(text), tr("instruction")))

    def _flush(self) -> None:
        """Take the text between two tags: as the value of an element that has nothing else."""
        text = "".join(self._text).strip()
        self._text.clear()
        if not text or not self._open:
            return
        number = self._open[-1]
        element = self.nodes[number]
        if number == len(self.nodes) - 1 and not element.value:
            self.nodes[number] = Node(element.parent, element.name, _cut(text), element.kind)
        else:
            self._add(Node(number, "", _cut(text), tr("text")))

    def _add(self, node: Node) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise _Enough(tr("The first {count:,} entries are shown.", count=MOST_NODES))
        self.nodes.append(node)
        return len(self.nodes) - 1

    @property
    def _above(self) -> int:
        return self._open[-1] if self._open else -1


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_OF_A_VALUE else f"{text[:_MOST_OF_A_VALUE]}…"
