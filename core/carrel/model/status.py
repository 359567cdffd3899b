# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words that say how an ingest, or one of its files, ended.

The words are sandcrawler's, with their meaning, plus the additions that its operators missed. Each
word knows at which stage it arises, whose side it is on, whether trying again may help, and what
the person can do.
"""

from dataclasses import dataclass
from enum import StrEnum

from carrel.translation import tr


class Stage(StrEnum):
    """The five steps of an ingest, in order, with archiving told apart into its phases."""

    RESOLVE = "resolve"
    DESCRIBE = "describe"
    CHOOSE = "choose"
    FETCH = "fetch"
    VERIFY = "verify"
    STORE = "store"
    REPORT = "report"


class Side(StrEnum):
    """Whose move it is when an outcome is not a success."""

    YOU = "you"
    PLATFORM = "platform"
    NETWORK = "network"
    ARCHIVE = "archive"
    CARREL = "carrel"
    NOBODY = "nobody"


class Status(StrEnum):
    """Every outcome that Carrel reports. `Status.meaning` tells the rest."""

    SUCCESS = "success"
    SUCCESS_FILE = "success-file"
    SUCCESS_EXISTING = "success-existing"

    INVALID_REQUEST = "invalid-request"
    INVALID_URL = "invalid-url"
    INVALID_HOST_RESOLUTION = "invalid-host-resolution"
    NETWORK_ERROR = "network-error"
    CERTIFICATE_UNKNOWN = "certificate-unknown"
    READ_TIMEOUT = "read-timeout"
    GATEWAY_TIMEOUT = "gateway-timeout"
    REMOTE_SERVER_ERROR = "remote-server-error"
    NOT_FOUND = "not-found"
    FORBIDDEN = "forbidden"
    TERMINAL_BAD_STATUS = "terminal-bad-status"
    BAD_REDIRECT = "bad-redirect"
    REDIRECT_LOOP = "redirect-loop"
    REDIRECTS_EXCEEDED = "redirects-exceeded"
    BLOCKED_COOKIE = "blocked-cookie"
    BLOCKED_WALL = "blocked-wall"
    BLOCKED_CHALLENGE = "blocked-challenge"
    BLOCKED_AGENT = "blocked-agent"
    RATE_LIMITED = "rate-limited"
    EMPTY_BLOB = "empty-blob"
    BODY_TOO_LARGE = "body-too-large"
    WRONG_MIMETYPE = "wrong-mimetype"

    NO_PLATFORM_MATCH = "no-platform-match"
    NOT_A_DATASET = "not-a-dataset"
    PLATFORM_SCOPE = "platform-scope"
    PLATFORM_RESTRICTED = "platform-restricted"
    PLATFORM_404 = "platform-404"
    PLATFORM_HTTP_ERROR = "platform-http-error"
    PLATFORM_ERROR = "platform-error"
    EMPTY_MANIFEST = "empty-manifest"
    PLATFORM_NOT_READY = "platform-not-ready"
    LINK_ONLY = "link-only"
    TERMS_REQUIRED = "terms-required"

    TOO_LARGE_SIZE = "too-large-size"
    TOO_MANY_FILES = "too-many-files"
    NO_STRATEGY_HELPER = "no-strategy-helper"
    CREDENTIALS_REQUIRED = "credentials-required"
    SETTINGS_UNCONFIRMED = "settings-unconfirmed"
    PUBLICATION_UNCONFIRMED = "publication-unconfirmed"

    ERROR_PLATFORM_DOWNLOAD = "error-platform-download"
    TRUNCATED = "truncated"
    TRANSFER_ENCODING_ERROR = "transfer-encoding-error"
    UNSAFE_PATH = "unsafe-path"
    MISMATCH = "mismatch"
    MISMATCH_SIZE = "mismatch-size"
    MISMATCH_MD5 = "mismatch-md5"
    MISMATCH_SHA1 = "mismatch-sha1"
    MISMATCH_SHA256 = "mismatch-sha256"
    BUNDLE_INCOMPLETE = "bundle-incomplete"
    IMPORT_INCOMPLETE = "import-incomplete"
    NOT_IMPORTED = "not-imported"
    STORE_DAMAGED = "store-damaged"
    DISK_FULL = "disk-full"
    ARCHIVE_LOCKED = "archive-locked"
    MISMATCH_EXISTING = "mismatch-existing"
    ERROR_ARCHIVEORG_UPLOAD = "error-archiveorg-upload"
    NO_CAPTURE = "no-capture"
    TOO_MUCH_SPN = "too-much-spn"
    SPN2_ERROR = "spn2-error"
    SPN2_CDX_LOOKUP_FAILURE = "spn2-cdx-lookup-failure"
    CDX_ERROR = "cdx-error"
    WAYBACK_ERROR = "wayback-error"

    NOT_PROCESSED = "not-processed"
    CANCELLED = "cancelled"
    INTERNAL_ERROR = "internal-error"

    @property
    def is_success(self) -> bool:
        return self.startswith("success")

    @property
    def is_gone(self) -> bool:
        """Whether the page or the platform's interface answered 404 or 410, and nothing else is
        known of it there."""
        return self in (Status.PLATFORM_404, Status.NOT_FOUND)

    @property
    def meaning(self) -> "Meaning":
        return _MEANINGS[self]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a status word implies. `advice` is one sentence for the person, or two.

    `is_retryable` says that a retry may help by itself, `is_for_good` that the same request
    ends so again even if everybody does what can be done: it takes another one. `setting` is the
    key, in settings.toml, of the setting that `advice` names, "" for none.
    """

    stage: Stage
    side: Side
    is_retryable: bool
    advice: str
    is_for_good: bool = False
    setting: str = ""


def _means(
    stage: Stage,
    side: Side,
    advice: str,
    *,
    retry: bool = False,
    for_good: bool = False,
    setting: str = "",
) -> Meaning:
    return Meaning(stage, side, retry, advice, for_good, setting)


_R, _D, _C, _F = Stage.RESOLVE, Stage.DESCRIBE, Stage.CHOOSE, Stage.FETCH
_V, _S = Stage.VERIFY, Stage.STORE

_MEANINGS: dict[Status, Meaning] = {
    Status.SUCCESS: _means(Stage.REPORT, Side.NOBODY, tr("All files were archived.")),
    Status.SUCCESS_FILE: _means(Stage.REPORT, Side.NOBODY, tr("The file was archived.")),
    Status.SUCCESS_EXISTING: _means(
        Stage.REPORT,
        Side.NOBODY,
        tr("Already archived, with the same bytes; nothing was fetched again."),
    ),
    Status.INVALID_REQUEST: _means(
        _R,
        Side.YOU,
        tr("The request is not valid; correct it and send it again."),
        for_good=True,
    ),
    Status.INVALID_URL: _means(
        _R,
        Side.YOU,
        tr(
            "Check the address: it should be a DOI, a Handle, an ARK or a web address that begins "
            "with https://."
        ),
        for_good=True,
    ),
    Status.INVALID_HOST_RESOLUTION: _means(
        _R,
        Side.NETWORK,
        tr("Check the spelling of the host, your network and your proxy."),
        retry=True,
    ),
    Status.NETWORK_ERROR: _means(
        _R, Side.NETWORK, tr("Check your network and proxy, then try again."), retry=True
    ),
    Status.CERTIFICATE_UNKNOWN: _means(
        _R,
        Side.NETWORK,
        tr(
            "Your network seems to replace the certificates of servers by its own. Ask your IT "
            "department for the certificate of its proxy as a PEM file, set the environment "
            "variable SSL_CERT_FILE to that file, and start Carrel again. If your network does no "
            "such thing, tell the repository."
        ),
    ),
    Status.READ_TIMEOUT: _means(
        _R, Side.NETWORK, tr("The server did not respond in time; try again later."), retry=True
    ),
    Status.GATEWAY_TIMEOUT: _means(
        _R, Side.PLATFORM, tr("The server was too slow; try again later."), retry=True
    ),
    Status.REMOTE_SERVER_ERROR: _means(
        _R, Side.PLATFORM, tr("The server reports an internal error; try again later."), retry=True
    ),
    Status.NOT_FOUND: _means(
        _R,
        Side.PLATFORM,
        tr("Nothing is published at this address: check it, or search for its mementos."),
    ),
    Status.FORBIDDEN: _means(
        _R,
        Side.PLATFORM,
        tr("The server refuses to show this page; ask the repository for access."),
    ),
    Status.TERMINAL_BAD_STATUS: _means(
        _R,
        Side.PLATFORM,
        tr("The page answered with an HTTP error; open it in a browser to see why."),
    ),
    Status.BAD_REDIRECT: _means(
        _R,
        Side.PLATFORM,
        tr("The server redirects to an invalid address; tell the repository."),
    ),
    Status.REDIRECT_LOOP: _means(
        _R, Side.PLATFORM, tr("The server's redirects form a loop; tell the repository.")
    ),
    Status.REDIRECTS_EXCEEDED: _means(
        _R, Side.PLATFORM, tr("The address has too many redirects; tell the repository.")
    ),
    Status.BLOCKED_COOKIE: _means(
        _R,
        Side.PLATFORM,
        tr("The site requires cookies; use the dataset's DOI or another page."),
    ),
    Status.BLOCKED_WALL: _means(
        _R, Side.YOU, tr("The address leads to a log-in page; the data may be for members only.")
    ),
    Status.BLOCKED_CHALLENGE: _means(
        _R,
        Side.PLATFORM,
        tr(
            "A bot check wants a browser, which Carrel does not pretend to be: try later, from "
            "another network, or ask the repository to let your institution through."
        ),
        retry=True,
    ),
    Status.BLOCKED_AGENT: _means(
        _R,
        Side.PLATFORM,
        tr(
            "The server blocks Carrel by its name; set your institution's contact address in the "
            "settings and ask the repository to let it through."
        ),
    ),
    Status.RATE_LIMITED: _means(
        _R, Side.PLATFORM, tr("The server limits requests; try again later."), retry=True
    ),
    Status.EMPTY_BLOB: _means(
        _R, Side.PLATFORM, tr("The server sent an empty answer; try again later."), retry=True
    ),
    Status.BODY_TOO_LARGE: _means(
        _R,
        Side.YOU,
        tr(
            "The address leads to a large file, not to a page; give the address of the dataset's "
            "page."
        ),
        for_good=True,
    ),
    Status.WRONG_MIMETYPE: _means(
        _R,
        Side.YOU,
        tr(
            "Open the address in a browser to see what it is: archive a file by the page or DOI of "
            "its dataset; a page in place of a file says what blocks access."
        ),
    ),
    Status.NO_PLATFORM_MATCH: _means(
        _D,
        Side.CARREL,
        tr(
            "Carrel does not know a data platform behind this page. If another repository has the "
            "dataset, give its DOI or page there; Mementos finds captures of this page."
        ),
        for_good=True,
    ),
    Status.NOT_A_DATASET: _means(
        _D,
        Side.YOU,
        tr(
            "There is nothing to archive here. If data belong to it, give the DOI or page of their "
            "dataset."
        ),
        for_good=True,
    ),
    Status.PLATFORM_SCOPE: _means(
        _D,
        Side.YOU,
        tr("This is not a single dataset: give the address of one dataset or one version."),
        for_good=True,
    ),
    Status.PLATFORM_RESTRICTED: _means(
        _D, Side.PLATFORM, tr("Access is restricted or embargoed; ask the depositor, or wait.")
    ),
    Status.PLATFORM_404: _means(
        _D,
        Side.PLATFORM,
        tr("The dataset was not found at the repository, or was removed; check the address."),
    ),
    Status.PLATFORM_HTTP_ERROR: _means(
        _D,
        Side.PLATFORM,
        tr("The platform's API answered with an error; try again later."),
        retry=True,
    ),
    Status.PLATFORM_ERROR: _means(
        _D,
        Side.PLATFORM,
        tr(
            "The platform's answer was not valid; try again later, and report it if that does not "
            "help."
        ),
        retry=True,
    ),
    Status.EMPTY_MANIFEST: _means(
        _D, Side.PLATFORM, tr("The record lists no files; it may be metadata only.")
    ),
    Status.PLATFORM_NOT_READY: _means(
        _D,
        Side.PLATFORM,
        tr("The platform is still preparing the files; try again later."),
        retry=True,
    ),
    Status.LINK_ONLY: _means(
        _D,
        Side.PLATFORM,
        tr(
            "The platform does not offer this file over the web: it refers to another site or "
            "another protocol. If the file belongs to a dataset elsewhere, archive that by its own "
            "address."
        ),
        for_good=True,
    ),
    Status.TERMS_REQUIRED: _means(
        _F,
        Side.YOU,
        tr(
            "The platform requires its terms to be accepted first, which Carrel does not do; ask "
            "the repository for another way, or download it in a browser."
        ),
    ),
    Status.TOO_LARGE_SIZE: _means(
        _C,
        Side.YOU,
        tr(
            "If there is room, archive it without this limit, or raise “Maximum dataset size” in "
            "the settings."
        ),
        setting="max_total_size in [limits]",
    ),
    Status.TOO_MANY_FILES: _means(
        _C,
        Side.YOU,
        tr(
            "If all its files are wanted, archive it without this limit, or raise “Maximum files "
            "per dataset” in the settings."
        ),
        setting="max_file_count in [limits]",
    ),
    Status.NO_STRATEGY_HELPER: _means(
        _C,
        Side.YOU,
        tr("Choose a strategy that is available: web-file for one file, web-fileset for several."),
        for_good=True,
    ),
    Status.CREDENTIALS_REQUIRED: _means(
        _C, Side.YOU, tr("Store your keys with “carrel credentials set”, then try again.")
    ),
    Status.SETTINGS_UNCONFIRMED: _means(
        _C,
        Side.YOU,
        tr(
            "The archive requests settings that only you can allow: review them with “carrel "
            "settings show”, allow them with “carrel settings accept” or refuse them with “carrel "
            "settings reject” (or in the window), then try again."
        ),
    ),
    Status.PUBLICATION_UNCONFIRMED: _means(
        _C,
        Side.YOU,
        tr(
            "This would be published, and you did not add it to the queue yourself: answer "
            "“publish” to publish it, or “leave”."
        ),
    ),
    Status.ERROR_PLATFORM_DOWNLOAD: _means(
        _F,
        Side.PLATFORM,
        tr(
            "The file could not be downloaded: if it is listed but missing, tell the repository; "
            "otherwise try again."
        ),
        retry=True,
    ),
    Status.TRUNCATED: _means(
        _F,
        Side.NETWORK,
        tr(
            "What arrived is incomplete: the transfer was interrupted, or the server sent only a "
            "part; try again."
        ),
        retry=True,
    ),
    Status.TRANSFER_ENCODING_ERROR: _means(
        _F,
        Side.PLATFORM,
        tr(
            "The file arrived in an encoding that cannot be decoded; try again, then tell the "
            "repository."
        ),
        retry=True,
    ),
    Status.UNSAFE_PATH: _means(
        _F,
        Side.PLATFORM,
        tr(
            "The file's name is unsafe on a disk: the file is listed but was not fetched; tell the "
            "repository."
        ),
        for_good=True,
    ),
    Status.MISMATCH: _means(
        _V,
        Side.PLATFORM,
        tr(
            "The received bytes differ from the published ones; try again, then tell the "
            "repository."
        ),
        retry=True,
    ),
    Status.MISMATCH_SIZE: _means(
        _V,
        Side.PLATFORM,
        tr("The size does not match the published one; try again, then tell the repository."),
        retry=True,
    ),
    Status.MISMATCH_MD5: _means(
        _V,
        Side.PLATFORM,
        tr("The MD5 is not the published one; try again, then tell the repository."),
        retry=True,
    ),
    Status.MISMATCH_SHA1: _means(
        _V,
        Side.PLATFORM,
        tr("The SHA-1 is not the published one; try again, then tell the repository."),
        retry=True,
    ),
    Status.MISMATCH_SHA256: _means(
        _V,
        Side.PLATFORM,
        tr("The SHA-256 is not the published one; try again, then tell the repository."),
        retry=True,
    ),
    Status.BUNDLE_INCOMPLETE: _means(
        _V,
        Side.PLATFORM,
        tr("The repository's bundle lacks files; have the missing ones fetched individually."),
        retry=True,
    ),
    Status.IMPORT_INCOMPLETE: _means(
        _V,
        Side.YOU,
        tr(
            "Not everything could be imported: the list of files says why. Put each file, and not "
            "a link to it, in its place, and import it again. If this import is still listed as "
            "incomplete then, beside the complete one, remove it from the holdings, in the window."
        ),
    ),
    Status.NOT_IMPORTED: _means(
        _F,
        Side.YOU,
        tr(
            "If you have the file, put it where it belongs, as a file of its own, and import again."
        ),
    ),
    Status.STORE_DAMAGED: _means(
        _S,
        Side.ARCHIVE,
        tr(
            "The stored bytes cannot be read back, or the archive's disk is not available; check "
            "the disk and archive again."
        ),
    ),
    Status.DISK_FULL: _means(
        _S, Side.YOU, tr("The disk is full; make room and try again."), retry=True
    ),
    Status.ARCHIVE_LOCKED: _means(
        _S,
        Side.YOU,
        tr(
            "Another program (a database browser, a backup) has locked the archive's ledger; close "
            "it and try again."
        ),
        retry=True,
    ),
    Status.MISMATCH_EXISTING: _means(
        _S,
        Side.YOU,
        tr(
            "The item already has another file with this name; nothing was overwritten. Choose "
            "another item, or leave it."
        ),
    ),
    Status.ERROR_ARCHIVEORG_UPLOAD: _means(
        _S, Side.ARCHIVE, tr("The upload to archive.org failed; try again."), retry=True
    ),
    Status.NO_CAPTURE: _means(
        _S,
        Side.ARCHIVE,
        tr("The Wayback Machine has no capture of it; try again later."),
        retry=True,
    ),
    Status.TOO_MUCH_SPN: _means(
        _C,
        Side.YOU,
        tr("Too many files for Save Page Now; archive them here, or in an archive.org item."),
        for_good=True,
    ),
    Status.SPN2_ERROR: _means(
        _S, Side.ARCHIVE, tr("Save Page Now could not capture it; try again later."), retry=True
    ),
    Status.SPN2_CDX_LOOKUP_FAILURE: _means(
        _S,
        Side.ARCHIVE,
        tr("Save Page Now reports a capture that the index does not show yet; check again later."),
        retry=True,
    ),
    Status.CDX_ERROR: _means(
        _S,
        Side.ARCHIVE,
        tr("The index of the Wayback Machine did not respond; try again later."),
        retry=True,
    ),
    Status.WAYBACK_ERROR: _means(
        _S,
        Side.ARCHIVE,
        tr("The Wayback Machine did not return the capture; try again later."),
        retry=True,
    ),
    Status.NOT_PROCESSED: _means(
        _F, Side.CARREL, tr("The ingest ended before it reached this file; try again."), retry=True
    ),
    Status.CANCELLED: _means(
        _F, Side.YOU, tr("Cancelled; start it again when you are ready."), retry=True
    ),
    Status.INTERNAL_ERROR: _means(
        Stage.REPORT, Side.CARREL, tr("This is a bug in Carrel; please report it with the log.")
    ),
}
