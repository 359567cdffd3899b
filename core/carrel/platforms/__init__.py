# SPDX-License-Identifier: AGPL-3.0-or-later
"""The data platforms: which one is behind a page, and what does it say is there?

Each platform is one class derived from `platform.Platform`, and one line in `catalogue.PLATFORMS`:

- what is known of it beforehand (title, hosts, tokens, limits) is declared in `about`;
- `asked_for(landing)` looks at the address, the hops and the page, asks no one, and says by which
  name and identifier the dataset goes, also if the platform does not answer;
- `match(landing)` returns the evidence in words, or None;
- `describe(landing, api)` asks the platform and returns a `PlatformItem`.

`docs/platforms-howto.md` shows a whole one and what belongs beside it. Shapes of answers are
pydantic models with every field optional that the platform may leave out; `await api.read(url,
Shape)` fetches and checks one, and an answer of another shape becomes a named outcome by itself.

A dataset of which nothing can be had (restricted, withdrawn, without files) is returned with its
`platform_status` and `platform_message`, set by `review.closed`; a single file that cannot be had
gets a `status` and a `message` in its manifest entry and stays in the list. Raise `IngestStop` when
there is no dataset to tell of (wrong scope without an id, no answer, 404), `NotThisPlatform` when
the match was mistaken.
"""
