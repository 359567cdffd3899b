# SPDX-License-Identifier: AGPL-3.0-or-later
"""HTTP/1.1 (RFC 9112) as an archive speaks it: what went over the wire is what is told of it.

From the bytes upwards: `stream` (bytes in turns), `head` and `body` (what they mean), `connection`
(a question, its answer), `way` (how a server is reached: direct, or through a proxy). What is
refused is told in the exceptions of httpcore, which looks up, connects and shakes hands.
"""
