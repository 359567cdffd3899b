# SPDX-License-Identifier: AGPL-3.0-or-later
"""The data platforms: which one is behind a page, and what does it say is there?

Each platform is one module with one class of three methods (see `platform.Platform`):

- `match(landing)` looks at the address, the hops and the page, asks nobody, and returns the
  evidence in words, or None;
- `asked_for(landing)` says by which name and identifier the dataset goes, also if the platform does
  not answer;
- `describe(landing, api)` asks the platform and returns a `PlatformItem`.

To add a platform:

1. Write `platforms/<name>.py` with a class of these three methods. Shapes of its answers are
   pydantic models with every field optional that the platform may leave out; `await
   api.read(url, Shape)` fetches and checks one, and an answer of another shape becomes a named
   outcome by itself.
2. Put an instance into `registry.PLATFORMS`, before the platforms whose evidence is weaker.
3. Add recorded or hand-made answers and a test to `tests/core/platforms/test_<name>.py`.

A dataset of which nothing can be had (restricted, withdrawn, without files) is returned with its
`platform_status` and `platform_message`, set by `review.closed`; a single file that cannot be had
gets a `status` and a `message` in its manifest entry and stays in the list. Raise `IngestStop` when
there is no dataset to tell of (wrong scope without an id, no answer, 404), `NotThisPlatform` when
the match was mistaken.
"""
