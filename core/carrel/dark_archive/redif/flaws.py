# SPDX-License-Identifier: AGPL-3.0-or-later
"""What can be wrong with a ReDIF file: stable codes, and the problems that are told of a file."""

from dataclasses import dataclass
from enum import StrEnum


class Flaw(StrEnum):
    """The code of a problem. Nothing of this keeps the rest of a file from being read."""

    # Of the whole file
    NOT_READABLE = "not-readable"  # missing, no permission, no plain file: nothing was read
    EMPTY = "empty"
    HTML = "html"  # a web page (an error, a bot wall, a parked domain) in place of ReDIF
    XML = "xml"  # another kind of .rdf
    NO_TEMPLATE = "no-template"
    ENCODING = "encoding-against-convention"
    DAMAGED_TEXT = "damaged-text"  # bytes that are not valid in the file's encoding
    MIXED_LINE_ENDS = "mixed-line-ends"
    MARK_INSIDE = "mark-inside"  # a byte order mark that is not at the beginning
    NUL = "nul"
    HTML_LINE_BREAKS = "html-line-breaks"
    TEXT_BEFORE = "text-before"  # text before the first template
    # Of a template
    UNKNOWN_TYPE = "unknown-type"
    NO_VERSION = "no-version"
    NO_HANDLE = "no-handle"
    SEVERAL_HANDLES = "several-handles"
    DUPLICATE_HANDLE = "duplicate-handle"
    ODD_HANDLE = "odd-handle"
    TOO_LONG = "template-too-long"
    # Of a field
    UNKNOWN_FIELD = "unknown-field"
    BLANK_BEFORE_COLON = "blank-before-colon"
    GLUED_FIELD = "glued-field"  # a field that does not begin its line
    FILE_WITHOUT_URL = "file-field-before-url"
    EMPTY_URL = "empty-file-url"
    NO_URL = "file-url-no-address"
    SCHEME = "file-url-scheme"  # an address that is neither http nor https
    FOLDED_URL = "file-url-folded-after-hyphen"
    # Of the list
    MORE = "more"  # how many problems are not listed


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file; `line` counts from 1, None where it is of no one line."""

    code: Flaw
    line: int | None
    message: str
