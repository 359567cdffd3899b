# SPDX-License-Identifier: AGPL-3.0-or-later
"""Where the texts of a PDF stand on its pages, as a reader draws them."""

from collections.abc import Iterator
from itertools import combinations

import pypdfium2

Box = tuple[float, float, float, float]
_LEAST_PT = 1.5  # letters touch; less than this is no text over text


def printed_over(pdf: bytes) -> list[tuple[str, str]]:
    """Return the texts that are printed over one another."""
    return [
        (first, second)
        for page in _boxes(pdf)
        for (first, one), (second, other) in combinations(page, 2)
        if _overlap(one, other)
    ]


def printed_beyond(pdf: bytes, right_pt: float) -> list[str]:
    """Return the texts that end further to the right than a line may."""
    return [text for page in _boxes(pdf) for text, box in page if box[2] > right_pt]


def _boxes(pdf: bytes) -> Iterator[list[tuple[str, Box]]]:
    """Yield for each page its texts with left, bottom, right and top."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number in range(len(document)):
            texts = document[number].get_textpage()
            boxes = [texts.get_rect(each) for each in range(texts.count_rects())]
            yield [(texts.get_text_bounded(*box), box) for box in boxes]
    finally:
        document.close()


def _overlap(one: Box, other: Box) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > _LEAST_PT and high > _LEAST_PT
