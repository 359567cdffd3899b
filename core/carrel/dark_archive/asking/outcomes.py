# SPDX-License-Identifier: AGPL-3.0-or-later
"""The words for what can come of a look, and why each speaks for a loss, or does not.

A look is evidence only where the resource's own host, being asked as anybody is, did not give it. A
host that refuses robots, is overloaded, or wants to know who asks has not lost anything, and what
went wrong on our side of the wire says nothing about the other. Besides these there is `http-NNN`
for any status that has no word of its own, which proves nothing.
"""

OK = "ok"

GONE_FOR_GOOD = "http-410"

SPEAKS_FOR_LOSS = {
    "http-404": "The host answers, and says that there is nothing at this address.",
    GONE_FOR_GOOD: "The host says so itself, and that it is meant (RFC 9110, 15.5.11).",
    "dns": "Nobody answers for the name: the domain was given up, or its servers are gone.",
    "refused": "The machine is there, and nothing listens on it any more.",
    "timeout": "Nothing answers at the address, not even with an error.",
    "tls": "Nobody can prove to be the host: its certificate ran out, or is somebody else's.",
    "wrong-content": "Something else comes than what was there: an error page, a parked domain.",
    "login": "Not everybody is given it any more, as the paper demands.",
    "redirect-home": "The commonest disguise of a page that is not there.",
    "empty": "Of what had bytes none are left. Where nothing was held it proves nothing.",
}

# Of what speaks for a loss, that for which no host spoke at all.
_UNANSWERED = frozenset({"dns", "refused", "timeout", "tls"})

PROVES_NOTHING = {
    "bot-wall": "A program was refused; a person would be let through.",
    "forbidden": "401 or 403: it is there, and not for us, perhaps not from here.",
    "http-429": "Asked too often; what there is was not said.",
    "redirect-loop": "A fault of the configuration; cookies would end many a circle.",
    "redirects-exceeded": "Where the way ends was not seen.",
    "bad-redirect": "The host sends us to nothing that can be asked; a mistake of its own.",
    "truncated": "It came, and the connection broke.",
    "too-slow": "It came, and took too long.",
    "too-large": "It is there, and larger than may be kept.",
    "no-answer": "The connection was made and broken without a word: a fault, or a filter.",
    "unreachable": "There is no way from here to there; that may be ours.",
    "proxy": "The proxy that we ask through failed, not the host.",
    "offline": "Our own network is down, it seems.",
    "busy-here": "We had too many connections open ourselves.",
    "robots": "robots.txt asks programs to stay away, and we do.",
    "robots-unreachable": "What robots.txt asks for is not known, so nothing was asked for.",
    "not-public": "The address is in a private network; not asked.",
    "host-down": "Others at the same host failed; this one was not asked.",
    "left-alone": "The host wants to be left alone for now; not asked.",
    "not-fetchable": "There is nothing to ask: no address of the web.",
}


def speaks_for_loss(outcome: str) -> bool:
    return outcome in SPEAKS_FOR_LOSS


def is_answer(outcome: str) -> bool:
    """Say whether the resource's own host let it be seen how the resource stands."""
    return outcome == OK or outcome in SPEAKS_FOR_LOSS.keys() - _UNANSWERED


def is_final(outcome: str) -> bool:
    """Say whether an outcome needs no second look."""
    return outcome == GONE_FOR_GOOD
