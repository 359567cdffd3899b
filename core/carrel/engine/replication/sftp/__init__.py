# SPDX-License-Identifier: AGPL-3.0-or-later
"""A copy on a server of SFTP, by the paramiko library.

`store` is the copy, `session` a connection that is made anew where it breaks, `host_keys` says
which servers are known, and `operations` has what the library lacks of OpenSSH's extensions.
"""

from typing import TYPE_CHECKING

from carrel.lazy import offering

if TYPE_CHECKING:
    from carrel.engine.replication.sftp.store import SftpStore

__getattr__ = offering(
    __name__,
    {
        "store": ["SftpStore"],
    },
)
__all__ = ["SftpStore"]
