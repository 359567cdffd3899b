# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking a SOCKS 5 proxy to lead to a server (RFC 1928), with name and password (RFC 1929)."""

import httpcore
from socksio import ProtocolError, socks5

from carrel.translation import tr

# Version and method, or version and status (RFC 1928, 3; RFC 1929, 2).
_SHORT_REPLY_BYTES = 2
# The beginning of a reply by which its length is known, and what an address and a port take after
# it, by the kind of the address; a name says its own length (RFC 1928, 6).
_REPLY_BEGINS_BYTES = 5
_IPV4, _NAME, _IPV6 = 1, 3, 4
_FURTHER_BYTES = {_IPV4: 5, _IPV6: 17}


def ask_socks(
    stream: httpcore.NetworkStream,
    address: tuple[bytes, int],
    auth: tuple[bytes, bytes] | None,
    timeout_s: float,
) -> None:
    """Have the proxy at the other end of `stream` connect it to an address; `auth` opens it.

    Names are looked up by the proxy. Raises httpcore.ProxyError, and what httpcore raises.
    """
    socks = socks5.SOCKS5Connection()

    def read(size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = stream.read(size - len(data), timeout_s)
            if not piece:
                raise httpcore.ProxyError(tr("the proxy ended the connection"))
            data += piece
        return data

    def short_answer() -> object:
        stream.write(socks.data_to_send(), timeout_s)
        return socks.receive_data(read(_SHORT_REPLY_BYTES))

    methods = socks5.SOCKS5AuthMethod
    offered = [methods.NO_AUTH_REQUIRED, *([methods.USERNAME_PASSWORD] if auth else [])]
    try:
        socks.send(socks5.SOCKS5AuthMethodsRequest(offered))
        accepted = short_answer()
        if not (isinstance(accepted, socks5.SOCKS5AuthReply) and accepted.method in offered):
            raise httpcore.ProxyError(tr("the proxy requires another authentication method"))
        if auth is not None and accepted.method is methods.USERNAME_PASSWORD:
            socks.send(socks5.SOCKS5UsernamePasswordRequest(*auth))
            opened = short_answer()
            if not (isinstance(opened, socks5.SOCKS5UsernamePasswordReply) and opened.success):
                raise httpcore.ProxyError(tr("the proxy rejects the user name and password"))
        connect = socks5.SOCKS5Command.CONNECT
        socks.send(socks5.SOCKS5CommandRequest.from_address(connect, address))
        stream.write(socks.data_to_send(), timeout_s)
        begins = read(_REPLY_BEGINS_BYTES)
        kind, first = begins[3:]
        further = first + 2 if kind == _NAME else _FURTHER_BYTES.get(kind, 0)
        led = socks.receive_data(begins + read(further))
    except ProtocolError as error:
        raise httpcore.ProxyError(tr("the proxy does not speak SOCKS 5")) from error
    except OverflowError as error:
        words = tr("a user name or password is longer than SOCKS allows")
        raise httpcore.ProxyError(words) from error
    if not isinstance(led, socks5.SOCKS5Reply):
        raise httpcore.ProxyError(tr("the proxy does not speak SOCKS 5"))
    if led.reply_code is not socks5.SOCKS5ReplyCode.SUCCEEDED:
        reason = led.reply_code.name.lower().replace("_", " ")
        raise httpcore.ProxyError(tr("the proxy cannot connect: {reason}", reason=reason))
