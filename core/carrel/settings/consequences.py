# SPDX-License-Identifier: AGPL-3.0-or-later
"""What it would mean to let an archive have what it asks for, in a sentence for each."""

from collections.abc import Callable, Mapping, Sequence

from carrel.model.evidence import KEYRING
from carrel.settings.links import FOLDERS
from carrel.settings.request import Request, Value
from carrel.translation import plural, tr

_LONGEST = 300
# What the window calls `mementos.private_networks`, which is named elsewhere too.
REACHES_OWN_NETWORK = tr("Request addresses inside your network")


def consequence(request: Request) -> str:
    """Return what happens if this is accepted: "Up to 50 files would be fetched at once."."""
    if request.section == FOLDERS:
        return tr(
            "“{key}” is a link: Carrel would read and write at {asked}.",
            key=request.key,
            asked=request.asked,
        )
    asked = _brief(request.asked) if isinstance(request.asked, str) else request.asked
    return _SENTENCES[request.name](asked)


def in_words(value: Value) -> str:
    """Return a value as settings.toml has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{_brief(value)}"' if isinstance(value, str) else f"{value}"


def lines_about(requests: Sequence[Request]) -> Sequence[str]:
    """Return a line for each request: what is requested, what holds instead, what it means."""
    return [_line(each) for each in requests]


def _brief(text: str) -> str:
    """Return a text as far as it is read; no address that is allowed is as long."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _line(request: Request) -> str:
    if request.section == FOLDERS:
        return consequence(request)
    asked, own = in_words(request.asked), in_words(request.own)
    return f"{request.name} = {asked} (yours: {own}). {consequence(request)}"


def _test(is_test: Value) -> str:
    if is_test:
        return tr(
            "Uploads would go to the test collection, from which archive.org removes them after"
            " about 30 days."
        )
    return tr("Uploads would be published for good, not in the test collection.")


def _key(key: Value) -> str:
    if not key:
        return tr("What the window exports would not be signed.")
    if key == KEYRING:
        return tr("What the window exports would be signed with the key in your keyring.")
    return tr("What the window exports would be signed with the key in the file “{key}”.", key=key)


_SENTENCES: Mapping[str, Callable[[Value], str]] = {
    "archiveorg.url": lambda url: tr(
        "Items would be looked up at {url}, and its answers taken as those of archive.org.", url=url
    ),
    "archiveorg.s3_url": lambda url: tr(
        "Your archive.org keys and your uploads would be sent to {url}.", url=url
    ),
    "archiveorg.collection": lambda name: tr(
        "Your uploads would go to the archive.org collection “{name}”.", name=name
    ),
    "archiveorg.test": _test,
    "archiveorg.by_rule": lambda _: tr(
        "Large datasets would be published on archive.org without asking you, with your keys."
    ),
    "wayback.url": lambda url: tr(
        "{url} would be used in place of the Wayback Machine, and receive your archive.org keys "
        "if it is a host of archive.org or of your own network.",
        url=url,
    ),
    "wayback.max_file_count": lambda count: tr(
        "Up to {count} files of a dataset would be submitted to Save Page Now with your keys.",
        count=count,
    ),
    "wayback.poll_s": lambda seconds: tr(
        "Save Page Now would be polled for a capture every {seconds} seconds.", seconds=seconds
    ),
    "wayback.patience_s": lambda seconds: tr(
        "Save Page Now would be polled for a capture for up to {seconds} seconds.", seconds=seconds
    ),
    "network.contact": lambda contact: (
        tr(
            "Every server would receive “{contact}” as the contact for your requests.",
            contact=contact,
        )
        if contact
        else tr("Servers would receive no contact for your requests.")
    ),
    "network.transfers": lambda count: tr(
        "{count} files of a dataset would be fetched at once.", count=count
    ),
    "network.attempts": lambda count: tr(
        "Each file would be requested up to {count} times.", count=count
    ),
    "network.ingests": lambda count: tr("{count} datasets would be archived at once.", count=count),
    "network.per_host": lambda count: tr(
        "One host would receive requests for {count} files at once.", count=count
    ),
    "network.api_interval_s": lambda seconds: (
        tr("Hosts would receive an API request every {seconds} seconds.", seconds=seconds)
        if seconds
        else tr("Hosts would receive API requests without any delay.")
    ),
    "network.max_rate": lambda rate: (
        tr("All transfers together would be limited to {rate} bytes per second.", rate=rate)
        if rate
        else tr("Transfers would take all of your network's speed.")
    ),
    "schedule.watch_days": lambda days: (
        plural(
            "The platforms of watched datasets would be queried every day.",
            "The platforms of watched datasets would be queried every {days} days.",
            int(days),
            days=days,
        )
        if days
        else tr("Watched datasets would no longer be checked by themselves.")
    ),
    "schedule.hours": lambda hours: (
        tr("Datasets would be archived in these hours alone: {hours}.", hours=hours)
        if hours
        else tr("Datasets would be archived at any hour.")
    ),
    "mementos.private_networks": lambda _: tr(
        "Addresses inside your institution's network could be requested and shown."
    ),
    "signatures.key": _key,
    "signatures.certificates": lambda file: (
        tr(
            "The certificates in the file “{file}” would be given out as those of your key.",
            file=file,
        )
        if file
        else tr("Only the certificates in the key's own file would be given out with signatures.")
    ),
    "signatures.authority": lambda address: (
        tr(
            "{address} would time-stamp what the window exports, and learn when it does so.",
            address=address,
        )
        if address
        else tr("What the window exports would have no time stamp.")
    ),
    "signatures.authority_certificates": lambda file: (
        tr("The certificates in the file “{file}” would be kept beside time stamps.", file=file)
        if file
        else tr("Only the certificates in a time stamp would be kept beside it.")
    ),
}
