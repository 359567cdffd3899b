# SPDX-License-Identifier: AGPL-3.0-or-later
"""Reading and writing one file of settings; each key is checked, and may be left out."""

import math
import re
import stat
from collections.abc import Mapping
from dataclasses import Field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from carrel.errors import SettingsBroken, SettingsError
from carrel.settings.parsing import ENCODING, parsed
from carrel.settings.request import Value
from carrel.settings.sections import SECTIONS, Settings, declarations
from carrel.translation import tr
from carrel.whole_file import replace_file

SETTINGS_NAME = "settings.toml"
Said = Mapping[str, Mapping[str, Value]]
"""What a file says, by section and key."""
# A hundred days; systems do not count the milliseconds of much longer times.
_LONGEST_S = 8_640_000
_LONGEST_VALUE = 300  # characters that are repeated in a message
_LARGEST_FILE = 1024 * 1024


def load(path: Path) -> Settings:
    """Return the settings in this file, the defaults if there is none.

    Raises SettingsBroken with the file, the section and the key, and the nearest known key, and
    SettingsError for a file that cannot be read.
    """
    return with_said(Settings(), read(path))


def read(path: Path) -> Said:
    """Return what this file says, nothing if there is none. Raises SettingsError as `load` does."""
    return _understood(_content(path), path)


def with_said(settings: Settings, said: Said) -> Settings:
    """Return the settings with what a file says in the place of what they say."""
    sections: dict[str, Any] = {
        name: replace(getattr(settings, name), **values) for name, values in said.items()
    }
    return replace(settings, **sections)


def save(
    path: Path, changes: Mapping[str, Mapping[str, Any]], *, private: bool = False
) -> Settings:
    """Write changed values, by section and key, and return what the file stands for then.

    Comments and everything else in the file stay as they are; None takes a key out. A new file that
    is `private` can be read by no one else. Raises SettingsError, and OSError, and leaves the file
    alone then.
    """
    import tomlkit  # only who changes settings needs it

    content = _content(path)
    _understood(content, path)  # what cannot be understood is not written over
    document = tomlkit.parse(content.decode(ENCODING))
    for name, values in changes.items():
        section = document.setdefault(name, tomlkit.table())
        for key, value in values.items():
            if value is None:
                section.pop(key, None)
            else:
                section[key] = value
    changed = tomlkit.dumps(document).encode()
    said = _understood(changed, path)
    replace_file(path, changed, is_private=private)
    return with_said(Settings(), said)


def _content(path: Path) -> bytes:
    """Return the bytes of a file, none if there is none. Raises SettingsError.

    An archive can come from anyone: what never ends, or never begins, is not read.
    """
    try:
        if not path.exists() or stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as file:
                content = file.read(_LARGEST_FILE + 1)
        else:
            what = tr("Is a directory") if path.is_dir() else tr("it is not a file")
            raise SettingsError(tr("{path} cannot be read: {what}.", path=path, what=what))
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise SettingsError(
            tr("{path} cannot be read: {strerror}.", path=path, strerror=error.strerror or error)
        ) from error
    if len(content) > _LARGEST_FILE:
        raise SettingsBroken(
            tr("{path} is too large for a settings file: more than 1 MiB.", path=path), path
        )
    return content


def _understood(content: bytes, path: Path) -> Said:
    """Return what a text says, checked. Raises SettingsBroken."""
    said = parsed(content, path)
    for name, values in said.items():
        _check_known(path, "section", name, SECTIONS)
        _check_section(path, name, values)
    return said


def _check_section(path: Path, name: str, values: Any) -> None:
    if not isinstance(values, dict):
        raise SettingsBroken(
            tr("{path}: “{name}” must be a section, [{name}].", path=path, name=name), path
        )
    known = declarations(name)
    for key, value in values.items():
        _check_known(path, tr("key in [{name}]", name=name), key, known)
        _check_value(path, f"{name}.{key}", value, known[key])


def _check_known(path: Path, what: str, name: str, known: Mapping[str, Any]) -> None:
    if name in known:
        return
    nearest = get_close_matches(name, known, 1)
    hint = (
        tr(" Did you mean “{nearest}”?", nearest=nearest[0])
        if nearest
        else f" Known: {', '.join(known)}."
    )
    raise SettingsBroken(
        tr(
            "{path}: there is no {what} called “{name}”.{hint}",
            path=path,
            what=what,
            name=name,
            hint=hint,
        ),
        path,
    )


def _check_value(path: Path, key: str, value: Any, declared: "Field[Any]") -> None:
    default = declared.default
    wanted: Any = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, bool) != isinstance(default, bool) or not isinstance(value, wanted):
        kind = {str: "a text", bool: tr("true or false")}.get(type(default), "a number")
        raise SettingsBroken(
            tr(
                "{path}: {key} must be {kind}, not {value!r}.",
                path=path,
                key=key,
                kind=kind,
                value=value,
            ),
            path,
        )
    if isinstance(value, str):
        pattern = declared.metadata["pattern"]
        if not re.fullmatch(pattern, value):
            raise SettingsBroken(
                tr(
                    "{path}: {key} cannot be “{value}”: {rule}.",
                    path=path,
                    key=key,
                    value=value[:_LONGEST_VALUE],
                    rule=declared.metadata["rule"],
                ),
                path,
            )
    elif not isinstance(value, bool):
        _check_number(path, key, value, may_be_zero="may_be_zero" in declared.metadata)


def _check_number(path: Path, key: str, value: float, *, may_be_zero: bool) -> None:
    if math.isinf(value) or not (value > 0 or (may_be_zero and value == 0)):
        least = tr("0 or more") if may_be_zero else tr("more than 0")
        raise SettingsBroken(
            tr(
                "{path}: {key} must be {least} and finite, not {value!r}.",
                path=path,
                key=key,
                least=least,
                value=value,
            ),
            path,
        )
    if key.endswith("_s") and value > _LONGEST_S:
        raise SettingsBroken(
            tr(
                "{path}: {key} can be at most {longest_s} seconds.",
                path=path,
                key=key,
                longest_s=_LONGEST_S,
            ),
            path,
        )
