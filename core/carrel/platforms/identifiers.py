# SPDX-License-Identifier: AGPL-3.0-or-later
"""Which identifiers stand in a pasted text: DOIs, Handles, ARKs and web addresses, however spelled.

A web address that merely contains a DOI stays a web address: it may name a version or a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from html import unescape
from urllib.parse import quote, unquote, urlsplit

from carrel.model import Identifier, Paste, Scheme
from carrel.model.user_information import bare_address, shown, without_user_information
from carrel.platforms import extents
from carrel.platforms.addresses import DOI_HOSTS, Address, read_address
from carrel.platforms.whole_texts import whole_characters
from carrel.translation import tr

_SLASH = r"(?:/|%2[fF])"
_COLON = r"(?::|%3[aA])"
_DOI = rf"10\.\d{{4,9}}(?:\.\d{{1,9}}){{0,5}}{_SLASH}"
# Chinese, Japanese and Korean: an identifier stands in them without a blank before it.
_CJK = (
    r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
    r"\U00020000-\U0003ffff"
)
# A web address may begin in the middle of a word, and nothing else does, but behind the underscores
# of markdown. The look behind that says so stands before all else, for it is what passes most
# characters of a long text quickly.
_WEB = re.compile(r"[hH][tT][tT][pP][sS]?://")
_OTHERS = re.compile(
    rf"""(?<![^\W_{_CJK}])(?<![@%/+.-])(?=[a-z0-9])(?<![^\W_]_)(?<![^\W_]__)(?:
      (?P<other>[a-z][a-z0-9+.-]{{0,30}}://|(?:javascript|vbscript|file|mailto|about|blob):|data:(?=[\w+./-]*[;,]))
    | (?P<doi>(?:doi{_COLON}{_SLASH}{{0,2}}|info{_COLON}doi{_SLASH})?(?={_DOI}))
    | (?P<hdl>(?:(?:hdl|handle){_COLON}{_SLASH}{{0,2}}|info{_COLON}hdl{_SLASH})
        (?=\d[\w.-]*{_SLASH}))
    | (?P<ark>(?=ark:/?[0-9b-df-hj-np-tv-z]{{5,}}/))
    | (?P<bare>(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,9}}
        [a-z]{{2,24}}(?::\d{{1,5}})?(?=[/?]|$|[^\w.@-])))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,9}[a-z]{2,24}"
_HOST_ALONE = re.compile(_HOST, re.IGNORECASE)
_HOST_AND_MORE = re.compile(
    rf"(?<![\w@%/+.:-])(?:{_HOST}|(?:\d{{1,3}}\.){{3}}\d{{1,3}}|localhost)(?::\d{{1,5}}(?=[/?]|$|\s)|/)",
    re.IGNORECASE,
)
_NOTHING = tr("contains no DOI, Handle, ARK or web address")
_BLANK = re.compile(r"\s")
_DOI_VALUE = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,5}/.+")
# A DOI alone, as most lists have it: nothing in it could be anything else.
_DOI_ALONE = re.compile(r"(10\.\d{4,9}/[A-Za-z0-9./-]{0,300}[A-Za-z0-9])[ \t\r\n]*", re.ASCII)
# At a resolver: what all DOIs of a registrant begin with, and no dataset has for a name.
_DOI_PREFIX = re.compile(
    rf"(?:doi{_COLON})?10\.\d{{4,9}}(?:\.\d{{1,9}}){{0,5}}{_SLASH}?", re.IGNORECASE
)
_HANDLE_VALUE = re.compile(r"\d[\w.-]*/.+")
_ARK_VALUE = re.compile(r"ark:/?([0-9b-df-hj-np-tv-z]{5,}/.+)", re.IGNORECASE)
# A fragment that no program of the page takes for a route, as it does "#!/dataset/7".
_PLACE = re.compile(r"[\w.-]*")
# There is one of these in all that can be found.
_MARK = re.compile(r"[:.%]")
_AMPERSAND = re.compile("&(?:amp;|#0{0,5}38;|#[xX]0{0,5}26;)+")
# What stands round identifiers in the source of HTML. Without its semicolon, or with another name,
# it may as well be a part of an address.
_ENTITY = re.compile(
    "&(?:lt|gt|quot|apos|nbsp|shy|[lr][sd]quo|[lr]aquo|[nm]dash|hellip"
    "|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});"
)
# Whoever encodes an identifier oftener than this wants to keep us busy.
_MOST_CODINGS = 10
# Longer than any address that servers take; what is longer is no identifier but an attack.
_LONGEST = 8000
# What begins as an identifier and is none may hold one, if it is no longer than this; characters of
# longer words are not looked at time and again.
_LOOKED_INTO = 500


@dataclass(frozen=True, slots=True)
class _Found:
    scheme: Scheme
    value: str
    url: str

    @property
    def key(self) -> tuple[Scheme, str]:
        """What makes two the same: DOIs and Handles know no case, nor do schemes and hosts; the
        name of a place within a page is not sent to its server."""
        if self.scheme in (Scheme.DOI, Scheme.HANDLE):
            return self.scheme, self.value.lower()
        if self.scheme is Scheme.URL:
            split = urlsplit(self.value)
            fragment = "" if _PLACE.fullmatch(split.fragment) else split.fragment
            same = split._replace(netloc=split.netloc.lower(), fragment=fragment)
            return self.scheme, same.geturl()
        return self.scheme, self.value


def find(text: str) -> Paste:
    """Return the identifiers in a text, each once, in order, and the lines that hold none.

    A user name or password in an address is in neither.
    """
    if alone := _DOI_ALONE.fullmatch(text):  # a list has a hundred thousand of them
        only = Identifier(Scheme.DOI, alone[1], f"https://doi.org/{alone[1]}", 1)
        return Paste((only,), (), {}, ())
    found: dict[tuple[Scheme, str], Identifier] = {}
    not_understood, repeated, without_scheme = [], [], {}
    delimiter = extents.table_delimiter(text)
    text = whole_characters(without_user_information(text))
    for number, line in enumerate(text.splitlines(), 1):
        identifiers = list(_in_line(_unescaped(line), delimiter))
        if identifiers and all(one.key in found for one in identifiers):
            repeated.append(number)
        for one in identifiers:
            found.setdefault(one.key, Identifier(one.scheme, one.value, one.url, number))
        if not identifiers and line.strip(extents.BLANK):
            not_understood.append((number, shown(line.strip(extents.BLANK))))
            if host := _schemeless(line):
                without_scheme[number] = host
    return Paste(tuple(found.values()), tuple(not_understood), without_scheme, tuple(repeated))


def why_nothing(line: str) -> str:
    """Return, as the end of a sentence, why nothing was found in a line: "holds no …"."""
    url = _WEB.search(line)
    address = url and read_address(line[url.start() : extents.end_of(line, url.start())])
    if address and _is_prefix(address):
        return tr("contains the first part of a DOI alone: add what follows it")
    host = _schemeless(line)
    return (
        tr("{nothing}; if “{host}” is one, write https:// before it", nothing=_NOTHING, host=host)
        if host
        else _NOTHING
    )


def spellings(identifier: Identifier) -> tuple[str, ...]:
    """Return the forms in which requests and results may name an identifier."""
    schemes = {Scheme.DOI: "doi:", Scheme.HANDLE: "hdl:"}
    prefix = schemes.get(identifier.scheme)
    named = (f"{prefix}{identifier.value}",) if prefix else ()
    return (identifier.url, identifier.value, *named)


def _unescaped(line: str) -> str:
    """Return a line copied from the source of HTML as it was meant."""
    if "&" not in line:
        return line
    return _ENTITY.sub(lambda found: unescape(found[0]), _AMPERSAND.sub("&", line))


def _in_line(line: str, delimiter: str | None) -> Iterator[_Found]:
    if not _MARK.search(line):
        return
    position = 0
    for start in _starts(line):
        kind, begin = start.lastgroup or "url", start.start()
        if begin < position:
            continue
        if kind == "other":
            # Nothing inside another scheme's address is an identifier of its own.
            blank = _BLANK.search(line, begin)
            position = blank.start() if blank else len(line)
            continue
        if kind == "bare" and not _is_host(start[0]):
            position = start.end()
            continue
        end = extents.end_of(line, begin, delimiter)
        one = _read(kind, line[start.end() if kind in ("doi", "hdl") else begin : end])
        if one:
            yield one
        is_looked_into = one is None and kind != "url" and end - begin <= _LOOKED_INTO
        position = start.end() if is_looked_into else max(end, start.end(), begin + 1)


def _starts(line: str) -> Iterator[re.Match[str]]:
    """Yield where identifiers may begin, in order; a web address before others in its place."""
    return merge(_WEB.finditer(line), _OTHERS.finditer(line), key=re.Match.start)


def _is_host(text: str) -> bool:
    host = text.partition(":")[0].lower()
    if host.startswith("www."):
        return True
    from carrel.platforms.catalogue import is_known_host  # all platforms, for bare hosts alone

    return is_known_host(host)


def _schemeless(line: str) -> str | None:
    """Return what in a line looks like a host with a port or a path, or a host alone on its line;
    None if nothing does. It is not taken for an address: so do many names of files."""
    line = line[:_LOOKED_INTO].strip(extents.BLANK)
    found = _HOST_AND_MORE.search(line) or _HOST_ALONE.fullmatch(line)
    return line[found.start() : extents.end_of(line, found.start())] if found else None


def _read(kind: str, raw: str) -> _Found | None:
    if len(raw) > _LONGEST:
        return None
    match kind:
        case "url":
            return _from_url(raw)
        case "bare":
            return _from_url(f"https://{raw}")
        case "doi":
            return _doi(raw)
        case "hdl":
            return _handle(raw)
        case "ark":
            return _ark(raw)
    return None


def _doi(raw: str) -> _Found | None:
    value = _decoded(raw)
    if not _DOI_VALUE.fullmatch(value):
        return None
    return _Found(Scheme.DOI, value, f"https://doi.org/{_quoted(value)}")


def _handle(raw: str) -> _Found | None:
    value = _decoded(raw)
    if not _HANDLE_VALUE.fullmatch(value):
        return None
    return _Found(Scheme.HANDLE, value, f"https://hdl.handle.net/{_quoted(value)}")


def _ark(raw: str) -> _Found | None:
    match = _ARK_VALUE.fullmatch(_decoded(raw))
    if not match:
        return None
    value = f"ark:/{match[1]}"
    return _Found(Scheme.ARK, value, f"https://n2t.net/{_quoted(value)}")


def _from_url(raw: str) -> _Found | None:
    raw = extents.trimmed(bare_address(raw))
    address = read_address(raw)
    if address is None or not address.host.strip(".") or _is_prefix(address):
        return None
    tail = address.path.lstrip("/")
    resolved: _Found | None = None
    if address.host in DOI_HOSTS:
        resolved = _doi(re.sub(rf"^doi{_COLON}", "", tail, flags=re.IGNORECASE))
    elif address.host == "hdl.handle.net" and not tail.lower().startswith("api/"):
        resolved = _handle(re.sub(rf"^hdl{_COLON}", "", tail, flags=re.IGNORECASE))
    elif address.host in ("n2t.net", "arks.org"):
        resolved = _ark(tail)
    return resolved or _Found(Scheme.URL, raw, raw)


def _is_prefix(address: Address) -> bool:
    """Say whether a web address is that of a resolver with the prefix of DOIs alone."""
    is_resolver = address.host in DOI_HOSTS
    return is_resolver and bool(_DOI_PREFIX.fullmatch(address.path.lstrip("/")))


def _decoded(raw: str) -> str:
    """Return an identifier with its percent-encoding undone, as far as it stays one word."""
    value = raw
    for _ in range(_MOST_CODINGS):
        if "%" not in value or (once := unquote(value)) == value:
            break
        value = once
    return extents.name_in(value)


def _quoted(value: str) -> str:
    return quote(value, safe="/:;()@,!$&'*+=~", errors="replace")
