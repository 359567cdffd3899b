# SPDX-License-Identifier: AGPL-3.0-or-later
"""Images, made small enough for a screen. Formats that are programs (PostScript) are not read."""

import base64
import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from carrel.access.renditions.source import NotShown, Source
from carrel.access.renditions.texts import encoding_of
from carrel.model.rendition import Picture, Rendition
from carrel.translation import tr

if TYPE_CHECKING:
    from PIL.Image import Image

_FORMATS = (
    *("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP", "DIB", "JPEG2000", "PPM", "ICO", "ICNS"),
    *("TGA", "PCX", "SGI", "AVIF", "MSP", "XBM", "XPM"),
)
# By which an image is known before a library is asked; the others by their names.
MARKS = (
    *(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM", b"\0\0\1\0"),
    *(b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51", b"II+\0", b"MM\0+"),
)
# No text begins like these.
_SURE_MARKS = MARKS[:2]
_NAMED = (".ppm", ".pgm", ".pbm", ".pnm", ".tga", ".pcx", ".sgi", ".icns", ".avif")
_MOST_PIXELS = 120_000_000
_LARGEST_SIDE = 2000
# So many times as long as it is wide, and this long anyway: what is longer becomes a line, of which
# nothing is seen, where all of it is shown.
_LONGEST_FOR_WIDTH, _SHORT = 50, 500
# Pillow's modes in words; of those that are no words themselves.
_COLOURS = {
    "1": tr("black and white"),
    "L": tr("greyscale"),
    "LA": tr("greyscale with transparency"),
    "P": tr("with a palette of colours"),
    "PA": tr("with a palette of colours and transparency"),
    "RGBA": tr("RGB with transparency"),
    "I": tr("greyscale of 32 bits"),
    "F": tr("floating-point values"),
    **dict.fromkeys(("I;16", "I;16L", "I;16B", "I;16N"), tr("greyscale of 16 bits")),
}
# The tag of Exif that says how an image lies in its file, and where that is on its side.
_ORIENTATION, _TURNED = 0x0112, frozenset({5, 6, 7, 8})
_GREYS = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")


def is_picture(head: bytes, source: Source) -> bool:
    """Say whether a file may be an image."""
    is_webp = head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    is_avif = head[4:12] in (b"ftypavif", b"ftypavis")
    if head.startswith(_SURE_MARKS) or is_webp or is_avif:
        return True
    return (head.startswith(MARKS) or source.has_ending(*_NAMED)) and (
        encoding_of(head) is None or head[:1] == b"P"
    )


def as_picture(source: Source, page: int) -> Rendition:
    """Return an image, or one of several in a file. Raises NotShown."""
    try:
        from PIL import Image as images
        from PIL import UnidentifiedImageError
    except ImportError as error:
        raise NotShown(
            tr("To show images, install Carrel with “pip install carrel[desktop]”.")
        ) from error
    images.MAX_IMAGE_PIXELS = _MOST_PIXELS
    warnings.simplefilter("error", images.DecompressionBombWarning)
    source.file.seek(0)
    try:
        with images.open(source.file, formats=_FORMATS) as image:
            return _rendition(source, image, page)
    except (images.DecompressionBombError, images.DecompressionBombWarning) as error:
        raise NotShown(tr("The image has too many pixels to show.")) from error
    except MemoryError as error:
        raise NotShown(tr("The image needs too much memory to show.")) from error
    except UnidentifiedImageError as error:
        raise NotShown(tr("It cannot be read as an image.")) from error
    # Decoders raise whatever their formats make of hostile bytes.
    except Exception as error:
        if isinstance(error, NotShown):
            raise
        words = tr("It cannot be read as an image: {reason}.", reason=str(error)[:200].rstrip("."))
        raise NotShown(words) from error


def _rendition(source: Source, image: "Image", page: int) -> Rendition:
    from PIL import ImageOps

    width, height, kind = image.width, image.height, image.format or ""
    pages = min(getattr(image, "n_frames", 1), 10_000)
    page = max(0, min(page, pages - 1))
    if pages > 1:
        image.seek(page)
        width, height = image.size
    colours = _COLOURS.get(image.mode, image.mode)
    image.draft("RGB", (_LARGEST_SIDE, _LARGEST_SIDE))
    visible, note = _visible(image)
    is_turned = visible.getexif().get(_ORIENTATION) in _TURNED
    wide, high = (height, width) if is_turned else (width, height)
    notes = [
        tr("{width:,} × {height:,} pixels, {colours}.", width=wide, height=high, colours=colours)
    ]
    visible = _beginning(visible)
    notes += _left_out(visible, image, width, height, is_turned=is_turned)
    if max(visible.size) > _LARGEST_SIDE or image.size != (width, height):
        notes.append(tr("It is shown reduced in size."))
    visible.thumbnail((_LARGEST_SIDE, _LARGEST_SIDE))
    visible = ImageOps.exif_transpose(visible) or visible
    if note:
        notes.append(note)
    picture = drawn(visible, page, pages)
    return Rendition(kind, picture, tuple(notes), source.size)


def _beginning(image: "Image") -> "Image":
    """Return an image that is far too long or tall to be seen at once as far as it can be."""
    longest = max(_SHORT, min(image.size) * _LONGEST_FOR_WIDTH)
    width, height = (min(side, longest) for side in image.size)
    return image if (width, height) == image.size else image.crop((0, 0, width, height))


def _left_out(
    visible: "Image", image: "Image", width: int, height: int, *, is_turned: bool
) -> Iterator[str]:
    """Yield how much of an image, which is so large in its file, is not visible."""
    columns = tr("Only the first {seen:,} of {all_of_them:,} columns of pixels are shown.")
    rows = tr("Only the first {seen:,} of {all_of_them:,} rows of pixels are shown.")
    lines = (rows, columns) if is_turned else (columns, rows)
    sides = zip(visible.size, image.size, (width, height), lines, strict=True)
    for part, drawn_of_it, in_file, words in sides:
        if part < drawn_of_it:
            yield words.format(seen=in_file * part // drawn_of_it, all_of_them=in_file)


def drawn(image: "Image", page: int, pages: int, text: str = "") -> Picture:
    """Return an image as it is handed over."""
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=1)
    png = base64.b64encode(target.getvalue()).decode()
    return Picture(png, image.width, image.height, page, pages, text)


def _visible(image: "Image") -> tuple["Image", str]:
    """Return an image in colours that a screen has, and what had to be done for that."""
    if image.mode in _GREYS:
        low, high = image.convert("F").getextrema()
        if not isinstance(low, float) or not isinstance(high, float):
            raise NotShown(tr("Its colours are unknown."))
        scale = 255 / (high - low) if high > low else 0
        grey = image.convert("F").point(lambda value: value * scale - low * scale)
        words = tr("Its values from {low:g} to {high:g} are shown as black to white.")
        return grey.convert("L"), words.format(low=low, high=high)
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    return image.convert("RGBA" if has_alpha else "RGB"), ""
