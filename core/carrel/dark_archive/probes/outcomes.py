# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words for what can come of a look, and why each speaks for a loss, or does not.

A look is evidence only where the resource's own host, being asked as anyone is, did not give it. A
host that refuses robots, is overloaded, or wants to know who asks has not lost anything, and what
went wrong on our side of the wire says nothing about the other. Besides these there is `http-NNN`
for any status that has no word of its own, which proves nothing.
"""

from carrel.translation import tr

OK = "ok"

GONE_FOR_GOOD = "http-410"

SPEAKS_FOR_LOSS = {
    "http-404": tr("The host answers that there is nothing at this address."),
    GONE_FOR_GOOD: tr(
        "The host says that the resource was removed permanently (RFC 9110, 15.5.11)."
    ),
    "dns": tr(
        "The host name does not resolve: the domain was given up, or its name servers are gone."
    ),
    "refused": tr("The machine refuses connections: nothing listens on the port any more."),
    "timeout": tr("There is no response from the host, not even an error."),
    "tls": tr("The host's certificate is not valid: it has expired, or belongs to another host."),
    "wrong-content": tr("Other content is delivered than before: an error page, a parked domain."),
    "login": tr("It is no longer public, as the Fort Lee paper demands."),
    "redirect-home": tr("The most common answer for a missing page."),
    "empty": tr(
        "What had bytes is now empty. If nothing was archived before, this proves nothing."
    ),
}

# Of what speaks for a loss, that for which no host spoke at all.
_UNANSWERED = frozenset({"dns", "refused", "timeout", "tls"})

PROVES_NOTHING = {
    "bot-wall": tr("Automated access was blocked; a browser would be let through."),
    "forbidden": tr("401 or 403: it exists, but access is denied to us, perhaps only from here."),
    "http-429": tr("Too many requests; the state of the resource is unknown."),
    "redirect-loop": tr("A misconfiguration; many such loops need cookies."),
    "redirects-exceeded": tr("The end of the redirects was not reached."),
    "bad-redirect": tr("The host redirects to an invalid address, by mistake."),
    "truncated": tr("The transfer was interrupted."),
    "too-slow": tr(
        "The transfer took too long, or the answer of a host that answers other requests."
    ),
    "too-large": tr("It exists, but is larger than the limit."),
    "no-answer": tr(
        "The connection was opened and closed without an answer: a fault, or a filter."
    ),
    "unreachable": tr("There is no route to the host; the cause may be our network."),
    "proxy": tr("The proxy failed, not the host."),
    "offline": tr("Our own network seems to be down."),
    "busy-here": tr("We had too many open connections."),
    "robots": tr("robots.txt disallows the address, and we comply."),
    "robots-unreachable": tr("robots.txt could not be read, so nothing was requested."),
    "not-public": tr("The address is in a private network; not requested."),
    "host-down": tr("Others at the same host failed; this one was not requested."),
    "left-alone": tr("The host requested a pause; no request was sent."),
    "not-fetchable": tr("Not an address of the web."),
}


def speaks_for_loss(outcome: str) -> bool:
    return outcome in SPEAKS_FOR_LOSS


def is_answer(outcome: str) -> bool:
    """Say whether the resource's own host let it be seen how the resource stands."""
    return outcome == OK or outcome in SPEAKS_FOR_LOSS.keys() - _UNANSWERED


def is_final(outcome: str) -> bool:
    """Say whether an outcome needs no second look."""
    return outcome == GONE_FOR_GOOD
