# SPDX-License-Identifier: AGPL-3.0-or-later
"""The bytes of a tar, whatever it is compressed with; bombs and damage end the reading."""

import bz2
import importlib
import io
import lzma
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from isal import igzip
from isal.igzip_lib import IsalError

from carrel.capture.bundles.members import UnreadableBundle
from carrel.translation import tr

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK_BYTES = 256 * 1024
# What `xz -9` wants is 65 MiB; a header may ask for 4 GiB.
_MOST_MEMORY_BYTES = 1024 * 1024 * 1024
_HEAD_BYTES = 6
_TELL_BYTES = 4 * 1024 * 1024

Tell = Callable[[int, int], None]


class _Codec(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class TarStream:
    """The bytes of a tar, inflated, in their order.

    More than `ratio` times as much as was packed is a bomb, once so many bytes were inflated
    (`ratio_from`). `tell` is told now and then how many bytes of the tarball were read, and of how
    many; what it raises ends the reading. Raises UnreadableBundle, OSError.
    """

    def __init__(
        self, file: BinaryIO, size: int, *, ratio: int, ratio_from: int, tell: Tell
    ) -> None:
        self._file, self._size, self._tell = file, size, tell
        self._ratio, self._ratio_from = ratio, ratio_from
        head = file.read(_HEAD_BYTES)
        file.seek(0)
        self._stream, self._errors = _inflated(file, head)
        self._count = 0
        self._look_at = min(_TELL_BYTES, ratio_from)

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        try:
            block = self._stream.read(size)
        except EOFError as error:
            raise UnreadableBundle(tr("it ends too early")) from error
        except self._errors as error:
            raise UnreadableBundle(
                tr("its data cannot be decompressed ({error})", error=error)
            ) from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise UnreadableBundle(
                tr("its data cannot be decompressed ({error})", error=error)
            ) from error
        self._count += len(block)
        if self._count >= self._look_at:
            self._look()
        return block

    def drain(self) -> None:
        """Read to the very end: checksums stand there, and nothing else may."""
        while block := self.read(_CHUNK_BYTES):
            if block.strip(b"\0"):
                raise UnreadableBundle(tr("data follows its end marker"))

    def _look(self) -> None:
        self._look_at = self._count + _TELL_BYTES
        packed = self._file.tell()
        if self._count > max(self._ratio_from, self._ratio * packed):
            raise UnreadableBundle(
                tr(
                    "it unpacks to more than {ratio:,} times its size, like a decompression bomb",
                    ratio=self._ratio,
                )
            )
        self._tell(packed, self._size)


def _inflated(file: BinaryIO, head: bytes) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    """Return a tarball's bytes inflated, and what is raised where they are damaged."""
    if head.startswith(b"\x1f\x8b"):
        gzip = igzip.IGzipFile(fileobj=file, mode="rb")  # type: ignore[no-untyped-call]
        # Its stub takes the class for one of its objects.
        return cast(BinaryIO, gzip), (zlib.error, cast(type[Exception], IsalError))
    if head.startswith(b"BZh"):
        return _decompressed(file, bz2.BZ2Decompressor), ()
    if head.startswith(b"\xfd7zXZ\0"):
        return _decompressed(file, _xz), (lzma.LZMAError,)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstandard(file)
    return file, ()


def _xz() -> _Codec:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY_BYTES)


def _zstandard(file: BinaryIO) -> tuple[BinaryIO, tuple[type[Exception], ...]]:
    try:
        zstd = importlib.import_module("compression.zstd")  # Python 3.14
    except ImportError as error:
        why = tr("it is compressed with Zstandard, which Carrel cannot decompress here; use gzip")
        raise UnreadableBundle(why) from error
    return _decompressed(file, zstd.ZstdDecompressor), (zstd.ZstdError,)


def _decompressed(file: BinaryIO, codec: Callable[[], _Codec]) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Decompressed(file, codec), _CHUNK_BYTES))


class _Decompressed(io.RawIOBase):
    """Compressed streams, one after another. Those of the standard library take damage where the
    second of them begins for the end."""

    def __init__(self, file: BinaryIO, fresh: Callable[[], _Codec]) -> None:
        self._file, self._fresh, self._codec = file, fresh, fresh()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        while True:
            piece = b""
            if self._codec.eof:
                piece = self._next_stream()
                if not piece:
                    return 0
                self._codec = self._fresh()
            elif self._codec.needs_input:
                piece = self._file.read(_CHUNK_BYTES)
                if not piece:
                    raise EOFError
            block = self._codec.decompress(piece, len(view))
            if block:
                view[: len(block)] = block
                return len(block)

    def _next_stream(self) -> bytes:
        """Return how the next stream begins, nothing at the end. Zeros may stand between two."""
        piece = self._codec.unused_data.lstrip(b"\0")
        while not piece and (block := self._file.read(_CHUNK_BYTES)):
            piece = block.lstrip(b"\0")
        return piece
