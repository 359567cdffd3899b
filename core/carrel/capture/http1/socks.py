# SPDX-License-Identifier: AGPL-3.0-or-later
"""Asking a SOCKS 5 proxy to lead to a server (RFC 1928), with name and password (RFC 1929)."""

import httpcore
from socksio import ProtocolError, socks5

_MOST_BYTES = 4096


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

    def answer() -> object:
        stream.write(socks.data_to_send(), timeout_s)
        return socks.receive_data(stream.read(_MOST_BYTES, timeout_s))

    methods = socks5.SOCKS5AuthMethod
    method = methods.USERNAME_PASSWORD if auth else methods.NO_AUTH_REQUIRED
    try:
        socks.send(socks5.SOCKS5AuthMethodsRequest([method]))
        accepted = answer()
        if not (isinstance(accepted, socks5.SOCKS5AuthReply) and accepted.method == method):
            raise httpcore.ProxyError("the proxy wants another way to log in")
        if auth is not None:
            socks.send(socks5.SOCKS5UsernamePasswordRequest(*auth))
            opened = answer()
            if not (isinstance(opened, socks5.SOCKS5UsernamePasswordReply) and opened.success):
                raise httpcore.ProxyError("the proxy does not accept name and password")
        connect = socks5.SOCKS5Command.CONNECT
        socks.send(socks5.SOCKS5CommandRequest.from_address(connect, address))
        led = answer()
    except ProtocolError as error:
        raise httpcore.ProxyError("the proxy does not speak SOCKS 5") from error
    if not isinstance(led, socks5.SOCKS5Reply):
        raise httpcore.ProxyError("the proxy does not speak SOCKS 5")
    if led.reply_code is not socks5.SOCKS5ReplyCode.SUCCEEDED:
        reason = led.reply_code.name.lower().replace("_", " ")
        raise httpcore.ProxyError(f"the proxy can not connect: {reason}")
