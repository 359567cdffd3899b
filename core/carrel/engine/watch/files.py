# SPDX-License-Identifier: AGPL-3.0-or-later
"""The files of a dataset, then and now, told apart by what is known of each.

By a digest if one algorithm is known on both sides. A size, published or announced by the file's
address, tells a change, and never that there is none: such a file is unverified, which is no
difference. So is one whose address was not requested where others were, or gave no clear answer;
one whose address answers with a web page, which what was archived is not; and one that was never
archived, until its address answers otherwise than it did. An answer's head does not tell whether
the rest would arrive: a file that never arrived whole stays unverified.

Of the files of a dataset that is gone, and of those that are no longer listed, only those are gone
whose own addresses say so, or that never had one. One that is listed under another name is renamed.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from carrel.engine.watch import unclear
from carrel.model import ManifestFile, Status
from carrel.model.dark_views import FileDifference
from carrel.model.digest import algorithm_name
from carrel.model.watch_states import FIRST_SEEN
from carrel.strategies.comparison import other_kind
from carrel.strategies.unexpected_pages import CAME_AS_PAGE
from carrel.translation import tr

SAME, CHANGED, GONE, ADDED, UNVERIFIED = "same", "changed", "gone", "added", "unverified"
UNCHECKED, RESTRICTED, RENAMED = "unchecked", "restricted", "renamed"
UNLISTED = "unlisted"
"""No longer listed, and not known to be gone."""
# The best first; what else a platform may publish comes after these.
_BEST_FIRST = ("sha512", "sha384", "sha256", "sha224", "sha1", "md5")

# Answers that an address with the file at it does not give: their heads differ from that one's.
_NOT_SENT = frozenset(
    {
        *(Status.NOT_FOUND, Status.FORBIDDEN, Status.TERMINAL_BAD_STATUS, Status.PLATFORM_404),
        *(Status.REMOTE_SERVER_ERROR, Status.GATEWAY_TIMEOUT),
        *(Status.INVALID_HOST_RESOLUTION, Status.CERTIFICATE_UNKNOWN),
        *(Status.BAD_REDIRECT, Status.REDIRECT_LOOP, Status.REDIRECTS_EXCEEDED),
        *(Status.BLOCKED_COOKIE, Status.BLOCKED_WALL, Status.BLOCKED_CHALLENGE),
        *(Status.BLOCKED_AGENT, Status.RATE_LIMITED),
        *(Status.ERROR_PLATFORM_DOWNLOAD, Status.PLATFORM_HTTP_ERROR, Status.PLATFORM_ERROR),
        *(Status.PLATFORM_RESTRICTED, Status.CREDENTIALS_REQUIRED, Status.TERMS_REQUIRED),
    }
)
# What ended a download underway: the head of an answer is as it was then.
_NOT_WHOLE = frozenset(
    {Status.TRUNCATED, Status.READ_TIMEOUT, Status.NETWORK_ERROR, Status.EMPTY_BLOB}
)

Files = Iterable[ManifestFile]
# A path, and a number that tells files of one path apart.
Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a file's bytes: its size, and its digests by algorithm."""

    size: int | None
    digests: Mapping[str, str]

    def digest(self, algorithm: str | None = None) -> str | None:
        """Return a digest with its name before it ("md5:…"): the best, unless one is requested."""
        name = algorithm or _best(self.digests)
        return f"{name}:{self.digests[name]}" if name else None


def known_then(entry: ManifestFile) -> Known:
    """Return what is known of a file as it was: what arrived counts more than what was declared."""
    kept = entry.observed if entry.is_kept else None
    size = kept.size if kept and kept.size is not None else entry.declared.size
    return Known(size, _lower({**entry.declared.digests, **(kept.digests if kept else {})}))


def known_now(entry: ManifestFile) -> Known:
    """Return what the platform says of a file."""
    return Known(entry.declared.size, _lower(entry.declared.digests))


@dataclass(frozen=True, slots=True)
class Heads:
    """What the files' addresses told at a look, by path.

    `missing` gives the HTTP status of files that are listed and not there, `refused` that of files
    that need a login or permission, `sizes` the bytes that an answer announced, `pages` what those
    look like that came as a web page. `unclear` gives the word of `unclear.py` of files whose
    addresses told neither that they are there nor that they are not; `requested` are those that had
    their turn, None where that was not noted.
    """

    missing: Mapping[str, int]
    sizes: Mapping[str, int]
    refused: Mapping[str, int]
    requested: Collection[str] | None = None
    pages: Mapping[str, str] = field(default_factory=dict)
    unclear: Mapping[str, str] = field(default_factory=dict)

    def has(self, file: ManifestFile) -> bool:
        """Say whether the address of a file answered, and so that it may be the file."""
        path = file.path
        others = (self.missing, self.refused, self.unclear)
        is_other = any(path in each for each in others) or bool(page_in_place(file, self.pages))
        return path in (self.requested or ()) and not is_other

    def lack(self, file: ManifestFile) -> bool:
        """Say whether the address of a file should have been requested, and was not."""
        is_open = bool(file.platform_url) and file.status is None
        return is_open and self.requested is not None and not self.had_turn(file.path)

    def had_turn(self, path: str) -> bool:
        """Say whether the address of a file had its turn, whatever came of it."""
        return path in (self.requested or ()) or path in self.unclear

    def why_unclear(self, path: str) -> str:
        """Return why an address told nothing of its file, "" for one that did, or had no turn."""
        return unclear.reason(self.unclear[path]) if path in self.unclear else ""


_NO_HEADS = Heads({}, {}, {})


def differences(
    then: Files, now: Files, heads: Heads, why_unlisted: str | None, *, by_size: str = UNVERIFIED
) -> list[FileDifference]:
    """Return every file of either side, by path, with what became of it.

    `why_unlisted` says why a file may be missing in the list although it is there; None if the list
    is complete. `by_size` is what a file is called that has the same size, where there is no digest
    to compare.
    """
    before, after = _keyed(then), _keyed(now)
    names = _renames(before, after)
    old_names = {new: old for old, new in names.items()}
    found = []
    for key in sorted((before.keys() | after.keys()) - names.keys()):
        if key in old_names:
            found.append(_renamed(before[old_names[key]], after[key], heads, by_size))
        elif key not in before:
            found.append(_added(after[key], heads))
        elif key in after:
            found.append(_compared(before[key], after[key], heads, by_size))
        else:
            told = _NO_HEADS if _is_listed(key, after) else heads
            found.append(_unlisted(before[key], told, why_unlisted))
    return found


def no_longer_listed(then: Files, now: Files) -> list[ManifestFile]:
    """Return the files that were listed and are not now, under no other name either.

    One whose path another file of the list has is left out: what an address answers is known by
    the path.
    """
    before, after = _keyed(then), _keyed(now)
    names = _renames(before, after)
    unlisted = sorted(before.keys() - after.keys() - names.keys())
    return [before[key] for key in unlisted if not _is_listed(key, after)]


def unchecked(files: Iterable[ManifestFile]) -> list[FileDifference]:
    """Return the files that were archived, of which no look has seen yet what became."""
    reason = tr("Archived here; not compared with the repository since.")
    return [
        FileDifference(file.path, UNCHECKED, reason, size_then=file.size)
        for file in files
        if file.is_kept
    ]


def at_first_look(listed: Files, heads: Heads) -> list[FileDifference]:
    """Return every file of a dataset that was not captured, at the first look at it: there is
    nothing else to compare its list with than what the files' own addresses tell."""
    found = differences(listed, listed, heads, None)
    return [_first_seen(each, heads) for each in found]


def of_gone_dataset(then: Files, heads: Heads) -> list[FileDifference]:
    """Return every file of a dataset that its platform does not have, as its own address told."""
    return [_of_gone_dataset(entry, heads) for _, entry in sorted(_keyed(then).items())]


def page_in_place(old: ManifestFile, pages: Mapping[str, str]) -> str:
    """Return a sentence about a web page that came for a file which is none, empty for any other.

    `pages` says by path what those look like that came as one. One that came so before is as it
    was.
    """
    looks = pages.get(old.path)
    kind = other_kind(old, looks) if looks and old.is_kept else ""
    if not kind or old.extra.get(CAME_AS_PAGE):
        return ""
    return tr("Its address answers with a web page now in place of the file, {kind}.", kind=kind)


def _first_seen(found: FileDifference, heads: Heads) -> FileDifference:
    """Return a file as it was first seen, unless its own address tells that it is another one, or
    not there, or told nothing."""
    is_seen = found.what in (SAME, UNVERIFIED) and not heads.why_unclear(found.path)
    reason = tr("This was the first check: later ones are compared with it.")
    return replace(found, what=FIRST_SEEN, reason=reason) if is_seen else found


def _of_gone_dataset(old: ManifestFile, heads: Heads) -> FileDifference:
    what, why, announced = _by_own_address(old, heads)
    return _told(old, what, f"{tr('The platform does not have its dataset.')} {why}", announced)


def _by_own_address(old: ManifestFile, heads: Heads) -> tuple[str, str, int | None]:
    """Return what the address of a file that is not listed told of it, in a word and a sentence,
    and the size that it announced, None if it announced none."""
    then, path = known_then(old), old.path
    what, why, announced = UNVERIFIED, "", None
    if path in heads.missing:
        what, code, now = GONE, heads.missing[path], heads.why_unclear(path)
        why = tr("Its own address answers with HTTP {code}.", code=code)
        if now:
            why = tr(
                "At an earlier check its own address answered with HTTP {code}. {now}",
                code=code,
                now=now,
            )
    elif path in heads.refused:
        why = tr("Its own address answers with HTTP {code}.", code=heads.refused[path])
    elif heads.has(old):
        why, announced = tr("Its own address still answers."), heads.sizes.get(path)
        if announced is not None:
            what, verdict = _verdict_on_announced(then, announced)
            why = f"{why} {verdict}"
    elif heads.had_turn(path):
        why = page_in_place(old, heads.pages) or heads.why_unclear(path)
    else:
        why = tr("Its own address was not requested.")
    return what, why, announced


def _is_listed(key: Key, listed: Collection[Key]) -> bool:
    """Say whether a list has any file of this path."""
    return (key[0], 1) in listed


def _keyed(files: Files) -> dict[Key, ManifestFile]:
    counts: dict[str, int] = {}
    keyed = {}
    for entry in files:
        number = counts[entry.path] = counts.get(entry.path, 0) + 1
        keyed[entry.path, number] = entry
    return keyed


def _renames(
    before: Mapping[Key, ManifestFile], after: Mapping[Key, ManifestFile]
) -> dict[Key, Key]:
    """Return which unlisted file stands under which new path now: their digests are the same.

    Empty files are all alike, and tell nothing.
    """
    new_keys: dict[str, list[Key]] = {}
    for key in sorted(after.keys() - before.keys(), reverse=True):
        known = known_now(after[key])
        if known.size != 0:
            for algorithm in known.digests.keys() & set(_BEST_FIRST):
                new_keys.setdefault(f"{algorithm}:{known.digests[algorithm]}", []).append(key)
    names: dict[Key, Key] = {}
    for key in sorted(before.keys() - after.keys()):
        known, taken = known_then(before[key]), set(names.values())
        free = (
            new
            for algorithm in _BEST_FIRST
            if algorithm in known.digests
            for new in reversed(new_keys.get(f"{algorithm}:{known.digests[algorithm]}", ()))
            if new not in taken
        )
        if (new := next(free, None)) is not None:
            names[key] = new
    return names


def _compared(old: ManifestFile, new: ManifestFile, heads: Heads, by_size: str) -> FileDifference:
    then, now = known_then(old), known_now(new)
    algorithm = _best(then.digests.keys() & now.digests.keys())
    announced = None
    if old.status is not None and not old.is_kept:
        what, reason = _of_what_is_not_here(old, new, heads)
    elif new.path in heads.missing:
        what, reason = GONE, _not_there(new.path, heads)
    elif algorithm is None and now.size is None and new.path in heads.sizes:
        announced = heads.sizes[new.path]
        what, reason = _verdict_on_announced(then, announced)
    else:
        what, reason = _verdict(then, now, algorithm, by_size)
        if what == SAME:
            what, reason = _at_its_address(then, new, heads, reason)
    lacks_answer = page_in_place(old, heads.pages) or heads.why_unclear(new.path)
    if what != GONE and lacks_answer:
        what, reason = what if what == CHANGED else UNVERIFIED, f"{reason} {lacks_answer}"
    if what != GONE and (closed := _newly_closed(old, new, heads)):
        what, reason = what if what == CHANGED else RESTRICTED, f"{reason} {closed}"
    return FileDifference(
        new.path,
        what,
        reason,
        then.size,
        now.size if announced is None else announced,
        then.digest(algorithm),
        now.digest(algorithm),
    )


def _newly_closed(old: ManifestFile, new: ManifestFile, heads: Heads) -> str:
    """Return a sentence about a file that was open and is not now, empty for any other."""
    restricted = Status.PLATFORM_RESTRICTED
    if new.status is restricted and old.status is not restricted:
        return tr("Access to it is now restricted.")
    if old.is_kept and new.path in heads.refused:
        if new.path in heads.unclear:
            return tr(
                "At an earlier check it refused it (HTTP {http_status}).",
                http_status=heads.refused[new.path],
            )
        return tr(
            "Its address refuses it now (HTTP {http_status}): it can no longer be had without a "
            "login or permission.",
            http_status=heads.refused[new.path],
        )
    return ""


def _of_what_is_not_here(old: ManifestFile, new: ManifestFile, heads: Heads) -> tuple[str, str]:
    """Return what is known of a file that was listed at the capture and not archived."""
    restricted = Status.PLATFORM_RESTRICTED
    if old.status is new.status is restricted:
        return SAME, tr("It is not archived here: access to it is restricted, as before.")
    if new.path in heads.missing:
        why = _not_there(new.path, heads)
        return UNVERIFIED, tr("It is not archived here. {why}", why=why)
    if new.path in heads.sizes and old.status in _NOT_SENT:
        return CHANGED, tr("It is not archived here, and its address has it now: archive it again.")
    then, now = known_then(old), known_now(new)
    algorithm = _best(then.digests.keys() & now.digests.keys())
    what, why = _verdict(then, now, algorithm, SAME)
    if what == CHANGED:
        return CHANGED, tr("It is not archived here. {why}", why=why)
    return UNVERIFIED, _why_it_is_not_here(old, new, heads)


def _why_it_is_not_here(old: ManifestFile, new: ManifestFile, heads: Heads) -> str:
    """Return why a file of which nothing else is published can still not be compared."""
    if new.path in heads.refused:
        refused = heads.refused[new.path]
        return tr("It is not archived here: its address refuses it (HTTP {code}).", code=refused)
    if old.status in _NOT_WHOLE:
        return tr(
            "It is not archived here: it never arrived whole. A check reads no more than the "
            "beginning of an answer; only archiving it again tells whether it arrives now."
        )
    if old.status is not None and old.status not in _NOT_SENT:
        return tr("It is not archived here. {why}", why=old.status.meaning.advice)
    return tr("It is not archived here: there is nothing to compare it with.")


def _verdict(then: Known, now: Known, algorithm: str | None, by_size: str) -> tuple[str, str]:
    if algorithm is not None:
        name = algorithm_name(algorithm)
        if then.digests[algorithm] == now.digests[algorithm]:
            return SAME, tr("The published {algorithm} is the same.", algorithm=name)
        return CHANGED, tr("The published {algorithm} differs.", algorithm=name)
    if then.size is None or now.size is None:
        return UNVERIFIED, tr("There is no digest or size to compare it by.")
    if then.size == now.size:
        if not then.size:
            return SAME, tr("It is empty, as it was.")
        return by_size, tr("Its size is the same; there is no digest to compare it by.")
    return CHANGED, tr("Its size differs.")


def _at_its_address(then: Known, new: ManifestFile, heads: Heads, reason: str) -> tuple[str, str]:
    """Return what is known of a file that is published as it was, by what its address told."""
    size = heads.sizes.get(new.path)
    if size is not None and then.size is not None and size != then.size:
        return CHANGED, f"{reason} {_announces(size, then.size)}"
    if heads.lack(new):
        return UNVERIFIED, tr("{reason} Its address was not requested.", reason=reason)
    return SAME, reason


def _verdict_on_announced(then: Known, size: int) -> tuple[str, str]:
    """Return what a size tells that only the file's address announces: a change, or nothing."""
    if then.size is None:
        return UNVERIFIED, tr("There is no earlier digest or size to compare it by.")
    if then.size == size:
        return UNVERIFIED, tr(
            "It could not be compared beyond its size: its address announces the same one, and the"
            " platform publishes no digest."
        )
    return CHANGED, _announces(size, then.size)


def _announces(size: int, earlier: int) -> str:
    return tr(
        "Its address announces {announced:,} bytes; it had {earlier:,} before.",
        announced=size,
        earlier=earlier,
    )


def _renamed(old: ManifestFile, new: ManifestFile, heads: Heads, by_size: str) -> FileDifference:
    found = _compared(replace(old, path=new.path), new, heads, by_size)
    what = RENAMED if found.what in (SAME, UNVERIFIED) else found.what
    renamed = tr("It was listed as {old}: renamed.", old=old.path)
    return replace(found, what=what, reason=f"{renamed} {found.reason}")


def _added(new: ManifestFile, heads: Heads) -> FileDifference:
    now = known_now(new)
    reason = tr("It was not listed before.")
    if new.path in heads.missing:
        reason = f"{reason} {_not_there(new.path, heads)}"
    return FileDifference(new.path, ADDED, reason, None, now.size, None, now.digest())


def _unlisted(old: ManifestFile, heads: Heads, why_unlisted: str | None) -> FileDifference:
    if why_unlisted is not None:
        words = tr("It is not listed, which proves nothing: {why}", why=why_unlisted)
        return _told(old, UNVERIFIED, words)
    unlisted = tr("The platform no longer lists it.")
    if not old.platform_url:
        return _told(old, GONE, unlisted)  # the list is all that there was to find it by
    what, why, announced = _by_own_address(old, heads)
    return _told(old, GONE if what == GONE else UNLISTED, f"{unlisted} {why}", announced)


def _told(
    old: ManifestFile, what: str, reason: str, announced: int | None = None
) -> FileDifference:
    then = known_then(old)
    return FileDifference(old.path, what, reason, then.size, announced, then.digest())


def _not_there(path: str, heads: Heads) -> str:
    code = heads.missing[path]
    if why := heads.why_unclear(path):
        return tr(
            "The platform lists it, but at an earlier check its address answered with HTTP "
            "{http_status}. {now}",
            http_status=code,
            now=why,
        )
    return tr(
        "The platform lists it, but its address answers with HTTP {http_status}.",
        http_status=code,
    )


def _best(algorithms: Collection[str]) -> str | None:
    for name in _BEST_FIRST:
        if name in algorithms:
            return name
    return min(algorithms, default=None)


def _lower(digests: Mapping[str, str]) -> dict[str, str]:
    return {name: value.lower() for name, value in digests.items()}
