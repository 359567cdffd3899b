# SPDX-License-Identifier: AGPL-3.0-or-later
"""The profiles that can be named: what their recipients require, in our own words.

Read in November 2026: APTrust 2.3 (github.com/APTrust/dart, profiles), BTR 1.0 (Beyond the
Repository, github.com/dpscollaborative/btr_bagit_profile), Rockefeller Archive Center 1.8
(github.com/RockefellerArchiveCenter/project_electron).
"""

from collections.abc import Mapping

from carrel.exports.bags.profile import APTRUST_INFO, Lists, Profile, Serialization, Tag

_NEEDED, _ONE = Tag(is_required=True), Tag(is_required=True, is_repeatable=False)
_ALL = Lists(allowed=("md5", "sha1", "sha256", "sha512"))

_APTRUST = Profile(
    "aptrust",
    "https://raw.githubusercontent.com/APTrust/preservation-services/master/profiles/"
    "aptrust-v2.3.json",
    tags={"Source-Organization": _NEEDED},
    aptrust={
        "Title": _NEEDED,
        "Access": Tag(True, False, ("Consortia", "Institution", "Restricted")),
        "Description": Tag(is_repeatable=False),
        "Storage-Option": Tag(
            True,
            False,
            (
                *("Standard", "Glacier-OH", "Glacier-OR", "Glacier-VA"),
                *("Glacier-Deep-OH", "Glacier-Deep-OR", "Glacier-Deep-VA"),
                *("Wasabi-OR", "Wasabi-TX", "Wasabi-VA"),
            ),
        ),
    },
    manifests=Lists(("md5",), ("md5", "sha256")),
    tag_manifests=Lists((), ("md5", "sha256")),
    tag_files_required=(APTRUST_INFO,),
    serialization=Serialization.REQUIRED,
    accepted=("application/tar",),
    may_fetch=False,
)
_BTR = Profile(
    "btr",
    "https://raw.githubusercontent.com/dpscollaborative/btr_bagit_profile/master/"
    "btr-bagit-profile.json",
    tags={"Source-Organization": _NEEDED, "Bagging-Date": _NEEDED, "Payload-Oxum": _NEEDED},
    manifests=_ALL,
    tag_manifests=_ALL,
    accepted=("application/tar", "application/zip", "application/gzip"),
    may_fetch=False,
)
# Which organizations and types of records are known to it, each donor agrees on with it.
_RAC = Profile(
    "rac",
    "https://raw.githubusercontent.com/RockefellerArchiveCenter/project_electron/master/transfer/"
    "organizational-bag-profile.json",
    tags={
        **dict.fromkeys(("Source-Organization", "External-Identifier", "Title"), _ONE),
        **dict.fromkeys(("Internal-Sender-Description", "Date-Start", "Date-End"), _ONE),
        **dict.fromkeys(("Record-Creators", "Language"), _NEEDED),
        **dict.fromkeys(("Record-Type", "Bagging-Date", "Payload-Oxum"), _ONE),
        **dict.fromkeys(("Bag-Count", "Bag-Group-Identifier"), Tag(is_repeatable=False)),
    },
    manifests=Lists((), ("sha256", "sha512")),
    tag_manifests=Lists((), ("sha256", "sha512")),
    versions=("0.97",),
    accepted=("application/zip", "application/tar"),
    may_fetch=False,
)
KNOWN: Mapping[str, Profile] = {
    "aptrust": _APTRUST,
    "btr": _BTR,
    "rac": _RAC,
    "rockefeller": _RAC,
}
