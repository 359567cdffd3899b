# SPDX-License-Identifier: AGPL-3.0-or-later
"""The identities of what the dark archive keeps: handles of templates, addresses of full texts.

Little is done to them. A guess about what a server or an archive means would merge two objects for
ever; the spelling that was met is kept beside the identity by whoever asks for it here.
"""

import html
import re
from html.entities import html5
from ipaddress import AddressValueError, IPv4Address, IPv6Address

import idna

from carrel.errors import NotFetchable
from carrel.translation import tr

# As much as the HTTP client takes (httpx 0.28, MAX_URL_LENGTH).
_LONGEST = 65_536
# Entities in entities happen ("&amp;amp;"); beyond this someone plays.
_MOST_DECODED = 10
_LONGEST_HOST = 1_000
_PORTS = {"http": 80, "https": 443}
# Archives that hold no series: persons and institutions (RePEc:per:…, RePEc:edi:…).
_WITHOUT_SERIES = frozenset({"per", "edi"})

# What is its own normal form, told at a glance.
_PLAIN = re.compile(
    r"https?+://(?=[^/]{1,253}/)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,20}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
    r"/[A-Za-z0-9\-._~!$'()*+,=:@/?&]*+"
)
# An entity without its semicolon is none here: "?a=1&copy=2" is an address as it stands.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*+):")
_PARTS = re.compile(r"//([^/?#]*+)([^?#]*+)(\?[^#]*+)?(?:#.*+)?", re.DOTALL)
# Scheme and host, in which no white space means anything.
_TO_PATH = re.compile(r"[^/]*//[^/?#]*+")
_BLANKS = re.compile(r"\s+")
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")
# Behind a "%" that begins no escape nothing is decoded: "%%34%31" must not become "%41".
_ESCAPE = re.compile(r"(?P<hanging>(?<=%)|(?<=%[0-9A-Fa-f]))?%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HOST = re.compile(r"(?=.{1,254}\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")

_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def normal_url(raw: str) -> str:
    """Return the identity of an address: what is fetched, and under which its bytes are kept.

    White space around it, line breaks, a leading "URL:", HTML entities, the case of scheme and
    host, a default port, "." and "..", the spelling of escapes, a blank for "%20" and the fragment
    make no difference; everything else does.
    Raises NotFetchable for what is no public http or https address. One that holds a name or a
    password is refused whole, not stripped of it: what needs them is not public.
    """
    return raw if _is_plain(raw) else url_by_all_rules(raw)


def unrequestable(raw: str) -> str:
    """Return a sentence on why nothing is requested at an address that a template gives.

    Of one with a user name or password these are not kept: without them it looks like any other.
    """
    try:
        normal_url(raw)
    except NotFetchable as error:
        return str(error)
    return tr("The address has a user name or password; only public texts are fetched.")


def url_by_all_rules(raw: str) -> str:
    """Return what `normal_url` does, without its short cut. Raises NotFetchable."""
    url = raw
    # What was decoded may stand for something again; an identity is its own identity.
    for _ in range(_MOST_DECODED):
        before, url = url, _normal_once(url)
        if url == before:
            return url
    raise NotFetchable(
        tr('The address "{short}" is wrapped in too many HTML entities.', short=_short(raw))
    )


# Handles that Carrel made: what follows is an address or a name, whose case counts.
_OURS = ("list:", "dataset:")


def is_made_here(handle: str) -> bool:
    """Say whether a handle is one that Carrel makes, for a list or a watched dataset."""
    return handle.lower().startswith(_OURS)


def normal_handle(raw: str) -> str:
    """Return the identity of a handle: "RePEc:" and the rest in lower case, without white space.

    Two handles are the same if these are (ReDIF-perl treats them so). An identity needs a colon:
    what has none here is no handle, and its template goes under `no_handle`.
    """
    if raw.startswith(_OURS):
        return raw
    text = "".join(raw.split()).lower()
    return "RePEc:" + text[6:] if text.startswith("repec:") else text


def archive_of(handle: str) -> str | None:
    """Return the archive's code in a handle, in lower case, None if it has none."""
    parts = handle.lower().split(":", 2)
    return parts[1].strip() or None if parts[0].strip() == "repec" and len(parts) > 1 else None


def series_of(handle: str) -> str | None:
    """Return the series' code in a handle, in lower case.

    None for an archive, a person, an institution, and what is no handle of RePEc.
    """
    parts = handle.lower().split(":", 3)
    if len(parts) < 3 or parts[0].strip() != "repec" or parts[1].strip() in _WITHOUT_SERIES:
        return None
    return parts[2].strip() or None


def no_handle(text_md5: str) -> str:
    """Return the identity of a template without a handle, from the MD5 of its text."""
    return f"x-nohandle:{text_md5}"


def redif_name(path: str) -> str:
    """Return the name under which a file of templates is kept, from its path in the source."""
    return f"redif:{path}"


def differ_by_slash(one: str, other: str) -> bool:
    """Say whether two addresses, in normal form, differ by a final slash of their path alone."""
    (path, *query), (other_path, *other_query) = one.partition("?"), other.partition("?")
    return query == other_query and (path + "/" == other_path or other_path + "/" == path)


def _is_plain(url: str) -> bool:
    return len(url) <= _LONGEST and "/." not in url and _PLAIN.fullmatch(url) is not None


def _normal_once(raw: str) -> str:
    url = _unwrapped(raw)
    scheme, rest = _scheme_and_rest(url)
    parts = _PARTS.fullmatch(rest)
    if parts is None:
        raise NotFetchable(tr('The address "{short}" has no host.', short=_short(url)))
    host = _authority(parts[1], scheme, url)
    path = _without_dots(_escapes(parts[2])) or "/"
    return f"{scheme}://{host}{path}{_escapes(parts[3] or '')}"


def _unwrapped(raw: str) -> str:
    """Return an address without what ReDIF and HTML lay around it. Raises NotFetchable."""
    if len(raw) > _LONGEST:
        raise NotFetchable(
            tr("An address of {raw:,} characters cannot be requested.", raw=len(raw))
        )
    url = raw
    for _ in range(_MOST_DECODED):
        before, url = url, url.strip()
        if url[:4].lower() == "url:":
            url = url[4:].lstrip()
        host = _TO_PATH.match(url)
        end = 0 if host is None else host.end()
        url = "".join(url[:end].split()) + _BLANKS.sub(_blank, url[end:])
        url = _ENTITY.sub(_meaning, url)
        if url == before:
            break
    else:
        raise NotFetchable(
            tr('The address "{short}" is wrapped in too many HTML entities.', short=_short(url))
        )
    if not url:
        raise NotFetchable(tr("The address is empty."))
    if _CONTROL.search(url):
        raise NotFetchable(
            tr('The address "{short}" contains control characters.', short=_short(url))
        )
    return url


def _blank(found: re.Match[str]) -> str:
    """Return what white space means in a path: where a line was broken, or a tab stands, nothing;
    blanks are the name's own."""
    is_broken = len(found[0].splitlines()) > 1 or "\t" in found[0]
    return "" if is_broken else "%20" * found[0].count(" ")


def _meaning(entity: re.Match[str]) -> str:
    if entity[0][1] == "#":
        return html.unescape(entity[0])
    return html5.get(entity[0][1:], entity[0])


def _scheme_and_rest(url: str) -> tuple[str, str]:
    found = _SCHEME.match(url)
    if found is None:
        raise NotFetchable(
            tr('"{short}" is not a web address: it does not begin with "http:".', short=_short(url))
        )
    scheme = found[1].lower()
    if scheme not in _PORTS:
        raise NotFetchable(
            tr('Only http and https are fetched, not "{short}:".', short=_short(scheme))
        )
    return scheme, url[found.end() :]


def _authority(text: str, scheme: str, url: str) -> str:
    """Return host and port as they are spelled in an identity. Raises NotFetchable."""
    if "@" in text:
        raise NotFetchable(
            tr("The address has a user name or password; only public texts are fetched.")
        )
    literal, bracket, port = text.rpartition("]")
    if bracket:
        host, colon = _ipv6(literal, url), port[:1]
        port = port[1:]
        is_broken = colon not in ("", ":")
    else:
        name, _, port = text.partition(":")
        host, is_broken = _host(name, url), False
    if is_broken or (port and not (port.isascii() and port.isdigit() and len(port) <= 20)):
        raise NotFetchable(tr('The address "{short}" has a broken port.', short=_short(url)))
    number = int(port) if port else _PORTS[scheme]
    if not 0 < number < 65_536:
        raise NotFetchable(
            tr(
                'The address "{short}" has an invalid port: {number}.',
                short=_short(url),
                number=number,
            )
        )
    return host if number == _PORTS[scheme] else f"{host}:{number}"


def _ipv6(literal: str, url: str) -> str:
    try:
        if not literal.startswith("[") or "%" in literal:
            raise AddressValueError
        return f"[{IPv6Address(literal[1:]).compressed}]"
    except AddressValueError as error:
        raise _no_host(url) from error


def _host(name: str, url: str) -> str:
    """Return a host in ASCII, as names are requested (UTS 46, as the HTTP client does it)."""
    host = name.lower()
    if len(host) > _LONGEST_HOST:
        raise _no_host(url)
    try:
        if not host.isascii():
            host = idna.encode(host, uts46=True).decode()
        if not _HOST.fullmatch(host):
            raise _no_host(url)
        # Resolvers take names that end in a number for addresses (WHATWG URL, 3.5).
        if _NUMBER.fullmatch(host.removesuffix(".").rpartition(".")[2]):
            host = str(IPv4Address(host))
    except (UnicodeError, AddressValueError) as error:
        raise _no_host(url) from error
    return host


def _no_host(url: str) -> NotFetchable:
    return NotFetchable(tr('The address "{short}" has an invalid host.', short=_short(url)))


def _escapes(text: str) -> str:
    """Return percent-encoding in upper case, and none where it says nothing (RFC 3986, 6.2.2)."""
    return _ESCAPE.sub(_escape, text) if "%" in text else text


def _escape(found: re.Match[str]) -> str:
    char = chr(int(found[2], 16))
    return char if char in _UNRESERVED and found["hanging"] is None else found[0].upper()


def _without_dots(path: str) -> str:
    """Return a path with its "." and ".." resolved (RFC 3986, 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    first, *segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join([first, *kept])


def _short(text: str) -> str:
    """Return what fits into a sentence, and nothing that a terminal would obey."""
    shown = text if len(text) <= 80 else text[:77] + "…"
    return "".join(char if char.isprintable() else "�" for char in shown)
