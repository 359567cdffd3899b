# SPDX-License-Identifier: AGPL-3.0-or-later
"""The name that a server gives what it sends (Content-Disposition, RFC 6266)."""

import re
from urllib.parse import unquote_to_bytes

_PARAMETER = re.compile(
    r""";\s*(?P<name>[^\s=;"]+)\s*=\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<token>[^;"]*))""",
    re.DOTALL,
)


def file_name(disposition: str) -> str | None:
    """Return the file name in a Content-Disposition without any folders, None if it has none.

    `filename*`, in RFC 5987's encoding, goes before `filename`. The name is the server's word:
    whether a disk can have it is not looked at.
    """
    parameters: dict[str, str] = {}
    for one in _PARAMETER.finditer(disposition):
        quoted = one["quoted"]
        value = one["token"] if quoted is None else re.sub(r"\\([\\\"])", r"\1", quoted)
        parameters.setdefault(one["name"].lower(), value)
    for value in (_decoded(parameters.get("filename*", "")), parameters.get("filename", "")):
        name = re.split(r"[/\\]", value)[-1].strip()
        if name not in ("", ".", ".."):
            return name
    return None


def is_attachment(disposition: str) -> bool:
    """Return whether a Content-Disposition says that what comes is to be saved, not shown."""
    return disposition.partition(";")[0].strip().lower() == "attachment"


def _decoded(value: str) -> str:
    """Return the text in "charset'language'percent-encoded", nothing if that cannot be read."""
    charset, _, rest = value.strip().partition("'")
    try:
        return unquote_to_bytes(rest.partition("'")[2]).decode(charset)
    except (LookupError, ValueError):
        return ""
