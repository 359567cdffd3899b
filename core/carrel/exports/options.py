# SPDX-License-Identifier: AGPL-3.0-or-later
"""What can be asked of an export, and what not."""

from carrel.errors import UsageError
from carrel.exports.bags.bag import check_given
from carrel.exports.bags.profile import POSSIBLE, Profile
from carrel.exports.bags.profile_file import profile_named
from carrel.hosts.inside import is_loopback
from carrel.model.evidence import KEYRING, Signing
from carrel.model.exports import ExportForm, ExportOptions
from carrel.translation import tr


def checked(options: ExportOptions) -> Profile:
    """Return the profile of the bags. Raises UsageError for what no export can be made with."""
    if options.form is not ExportForm.BAGIT:
        _refuse_what_bags_have(options)
    profile = profile_named(options.profile)
    profile.check(is_holey=options.is_holey)
    profile.algorithms(options.algorithms)
    check_given(options.bag_info)
    for algorithm in options.algorithms:
        if algorithm not in POSSIBLE:
            raise UsageError(tr("Bags have no lists by {algorithm}.", algorithm=algorithm))
    if options.leaves_out_damaged and options.form is ExportForm.WACZ:
        raise UsageError(
            tr("A WACZ has whole WARC files: what is damaged in them cannot be left out.")
        )
    if options.one and options.form is not ExportForm.WACZ:
        raise UsageError(tr("Only a WACZ has several datasets in one file."))
    if options.split_size and not options.one:
        raise UsageError(tr("A size to split at needs a name for the whole: use --one NAME."))
    if options.signing_url and options.form is not ExportForm.WACZ:
        raise UsageError(tr("Only a WACZ is signed by such a server; use --sign."))
    if options.signing.key and options.signing_url:
        raise UsageError(tr("A WACZ has one signature: by your key, or by a server."))
    if options.signing.authority and options.form is ExportForm.WACZ:
        raise UsageError(
            tr("A WACZ has a time stamp only from a server that signs it: use --signing-url.")
        )
    check_signing(options.signing)
    if options.signing_url and not _may_be_asked(options.signing_url):
        raise UsageError(tr("A server that signs has an address with https."))
    return profile


def check_signing(signing: Signing) -> None:
    """Raise UsageError for what nothing can be signed or time-stamped by."""
    if signing.authority and not is_authority(signing.authority):
        raise UsageError(
            tr("A time-stamp authority has an address with https or http, without a user name.")
        )
    if signing.certificates and signing.key in ("", KEYRING):
        raise UsageError(tr("--certificate needs --sign with a file that has the key."))
    if signing.authority_certificates and not signing.authority:
        raise UsageError(tr("--timestamp-certificates needs --timestamp."))


def is_authority(url: str) -> bool:
    """Say whether a time stamp may come from there. What it sends is signed: plain http will do."""
    import httpx  # few have time stamps

    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    is_web = address.scheme in ("http", "https")
    return is_web and bool(address.host) and not address.userinfo


def _may_be_asked(url: str) -> bool:
    """Say whether a signature may come from there: what is sent could be changed on the way."""
    import httpx  # as above

    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    is_here = address.scheme == "http" and is_loopback(address.host)
    return bool(address.host) and not address.userinfo and (address.scheme == "https" or is_here)


def _refuse_what_bags_have(options: ExportOptions) -> None:
    """Raise UsageError for what only bags can have."""
    if options.algorithms:
        raise UsageError(tr("Only bags have checksum lists by algorithms of your choice."))
    if options.profile or options.bag_info:
        raise UsageError(tr("Only bags have a profile, and tags of your choice."))
    if options.is_holey:
        raise UsageError(tr("Only bags can name files in place of having them."))
