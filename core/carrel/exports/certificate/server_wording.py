# SPDX-License-Identifier: AGPL-3.0-or-later
"""What a certificate says of the servers that answered."""

from collections.abc import Iterator, Sequence

from carrel.exports.certificate.document import Block, Paragraph, Table, Value
from carrel.exports.certificate.moments import moment
from carrel.exports.certificate.server_certificates import ServerCertificate
from carrel.exports.certificate.servers import Captured, Server
from carrel.model.counts import counted
from carrel.translation import tr


def servers_in_words(captured: Captured) -> Iterator[Block]:
    """Yield what is said of the servers, nothing where the WARC files were not read."""
    if not captured.servers:
        return
    heads = (tr("Host"), tr("Its clock"), tr("Address and TLS"), tr("Certificate"))
    caption = tr("As the WARC files have it")
    yield Table(caption, heads, [_row(each) for each in captured.servers], widths=(3, 2, 3, 4))
    if captured.more_servers:
        hosts = counted(captured.more_servers, "more host")
        yield Paragraph(tr("{hosts} are not listed.", hosts=hosts))
    if largest := _largest(captured.servers):
        yield Paragraph(largest)


def _row(server: Server) -> Sequence[Sequence[Value]]:
    name = [Value(server.host, is_code=True), Value(counted(server.answers, "capture"))]
    codes = [*server.addresses, *server.tls, *server.ciphers]
    network = [Value(each, is_code=True) for each in codes] or [Value(tr("not noted"))]
    sent = [value for each in server.certificates for value in _certificate(each)]
    return name, _clock(server), network, sent or [Value(tr("none noted"))]


def _certificate(certificate: ServerCertificate) -> Iterator[Value]:
    if certificate.subject:
        yield Value(certificate.subject)
    if certificate.issuer:
        yield Value(tr("issued by {issuer}", issuer=certificate.issuer))
    if certificate.not_before and certificate.not_after:
        begin, end = moment(certificate.not_before), moment(certificate.not_after)
        yield Value(tr("valid from {begin} to {end}", begin=begin, end=end))
    yield Value(certificate.sha256, is_code=True, label="SHA-256")


def _clock(server: Server) -> Sequence[Value]:
    if server.clock_least_s is None or server.clock_most_s is None:
        return [Value(tr("it stated no date"))]
    least, most = _seconds(server.clock_least_s), _seconds(server.clock_most_s)
    if least == most:
        return [Value(least)]
    return [Value(tr("from {least} to {most}", least=least, most=most))]


def _largest(servers: Sequence[Server]) -> str:
    known = [each for each in servers if each.deviation_s is not None]
    if not known:
        return ""
    worst = max(known, key=lambda each: abs(each.deviation_s or 0))
    return tr(
        "Largest deviation: {deviation} ({host}). It is the Date of an answer beside the time at "
        "which the computer that captured it asked, so that it includes the time until the server "
        "answered.",
        deviation=_seconds(worst.deviation_s or 0),
        host=worst.host,
    )


def _seconds(count: int) -> str:
    """Return a deviation with its sign."""
    return tr("{count:+,} s", count=count)
