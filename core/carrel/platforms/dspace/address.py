# SPDX-License-Identifier: AGPL-3.0-or-later
"""What an address of DSpace asks for, and whether a page is DSpace's."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.model import Landing
from carrel.platforms.addresses import Address, nearest
from carrel.platforms.markers import generators

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_PREFIX = re.compile(r"\d+(?:\.\d+)*")
_RESOLVERS = frozenset({"hdl.handle.net", "doi.org", "dx.doi.org"})
_SOFTWARE = re.compile(r"dspace(?:[ -]cris)?\s+v?(?:cris[- ])?(?:20\d\d\.\d+|(\d+))")
_LINKSET = "/server/signposting/"
# The shell of the page names its interface, for the script in it; Angular up to 15 writes &q;.
_REST = re.compile(
    r'"rest":\{[^{}]{0,200}?"host":"([^"/]{1,200})"[^{}]{0,100}?"nameSpace":"(/[^"]{0,50})"'
)
_QUOTE = "&q;"
# The element that a page of DSpace 7 and later is built in by scripts.
_SHELL = "<ds-app"
# The folders of the two faces of DSpace 5 and 6, whose themes often do not name their software.
_FACES = frozenset({"/xmlui", "/jspui"})


@dataclass(frozen=True, slots=True)
class Asked:
    """An item by its Handle, its UUID, or a file in it.

    `origin` is the host of the page, `folder` what stands before the address's own part ("/xmlui").
    `is_telling` says whether the address looks like DSpace's alone.
    """

    origin: str
    netloc: str
    folder: str = ""
    handle: str | None = None
    uuid: str | None = None
    bitstream: str | None = None
    tail: str = ""
    group: str | None = None
    is_telling: bool = False

    @property
    def name(self) -> str:
        """By what it is called: its Handle as soon as that is known."""
        return self.handle or self.uuid or self.bitstream or ""

    @property
    def host(self) -> str:
        return self.netloc.removeprefix("www.")

    @property
    def page(self) -> str:
        kind = f"handle/{self.handle}" if self.handle else f"items/{self.uuid}"
        return f"{self.origin}{self.folder}/{kind}"


def version_of(landing: Landing) -> int | None:
    """Return the first number of the version that a page names, 0 for DSpace of an unknown one,
    None for a page that does not say that it is DSpace's."""
    for text in generators(landing):
        if match := _SOFTWARE.match(text):
            return int(match[1]) if match[1] else 7  # DSpace-CRIS 2023.01 is a DSpace 7
        if text.startswith("dspace"):
            return 0
    has_linkset = any(_LINKSET in link.href for link in landing.links)
    is_shell = _SHELL in landing.html
    return 7 if has_linkset or is_shell or _named_interface(landing) else None


def _named_interface(landing: Landing) -> str | None:
    """Return where the page itself says that its interface stands."""
    match = _REST.search(landing.html.replace(_QUOTE, '"'))
    return f"https://{match[1]}{match[2]}" if match else None


def asked(landing: Landing) -> Asked | None:
    """Return what the nearest address on the way to a page asks for.

    An address proves nothing by itself, but where the page was refused, or is a shell for scripts,
    it is worth a look at the interface: for one by UUID always, for a Handle if there is no page.
    """
    found = nearest(landing, _read)
    if found is None:
        return None
    is_open = landing.outcome is None
    may_be = found.handle is None or not is_open or found.is_telling
    return found if version_of(landing) is not None or may_be else None


def interfaces(found: Asked, landing: Landing) -> Iterator[str]:
    """Yield where the interface of DSpace 7 and later may stand, the likeliest first."""
    for link in landing.links:
        if _LINKSET in link.href:
            yield link.href.partition("/signposting/")[0]
    if named := _named_interface(landing):
        yield named
    yield f"{found.origin}/server"


def _read(address: Address) -> Asked | None:
    if address.host in _RESOLVERS:
        return None
    parts, origin, netloc = address.parts, address.origin, address.netloc
    if parts[-2:] == ("pid", "find") and "api" in parts:
        handle = address.query.get("id", "").removeprefix("hdl:")
        is_handle = _is_handle(tuple(handle.split("/")))
        return Asked(origin, netloc, handle=handle, is_telling=True) if is_handle else None
    for number, part in enumerate(parts[:4]):
        folder, rest = "".join(f"/{one}" for one in parts[:number]), parts[number + 1 :]
        if part in ("handle", "bitstream"):
            rest = tuple("/".join(rest).split("/"))  # a Handle may come with %2F
        if part in ("handle", "bitstream") and _is_handle(rest):
            begin = 1 if part == "bitstream" and rest[0] == "handle" else 0
            handle, tail = "/".join(rest[begin : begin + 2]), "/".join(rest[begin + 2 :])
            if folder == "/rest":  # the interface's own address
                return Asked(origin, netloc, handle=handle, is_telling=True)
            is_telling = folder in _FACES
            return Asked(origin, netloc, folder, handle=handle, tail=tail, is_telling=is_telling)
        if part in ("items", "entities", "bitstreams", "collections", "communities"):
            uuid = next((one for one in rest if _UUID.fullmatch(one)), None)
            if uuid:
                is_interface = folder in ("/rest", "/server/api/core")
                place = Asked(origin, netloc, "" if is_interface else folder)
                return _by_uuid(part, uuid.lower(), place)
    return None


def _by_uuid(kind: str, uuid: str, place: Asked) -> Asked:
    if kind == "bitstreams":
        return Asked(place.origin, place.netloc, place.folder, bitstream=uuid, tail=uuid)
    group = kind if kind in ("collections", "communities") else None
    return Asked(place.origin, place.netloc, place.folder, uuid=uuid, group=group)


def _is_handle(parts: tuple[str, ...]) -> bool:
    parts = parts[1:] if parts[:1] == ("handle",) else parts
    return len(parts) > 1 and _PREFIX.fullmatch(parts[0]) is not None
