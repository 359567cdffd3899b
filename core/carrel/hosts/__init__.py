# SPDX-License-Identifier: AGPL-3.0-or-later
"""One politeness for all who ask hosts. Knows nothing of what is fetched.

`RateLimiter` says when a host may be asked and keeps a `HostState` of each, across processes where
its store is `remembered`; `RetryPolicy` says what is tried again, and when; `robots` and
`rate_limit_fields` understand what hosts ask for.
"""
