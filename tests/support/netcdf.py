# SPDX-License-Identifier: AGPL-3.0-or-later
"""A small NetCDF file in its classic forms, byte by byte."""

import struct


def netcdf(form: int, records: int = 12) -> bytes:
    """Return the header of sea levels at three stations in CDF-1, CDF-2 or CDF-5."""
    count = ">Q" if form == 5 else ">I"

    def number(value: int) -> bytes:
        return struct.pack(count, value)

    def padded(content: bytes) -> bytes:
        return content + bytes(-len(content) % 4)

    def name(text: str) -> bytes:
        return number(len(text)) + padded(text.encode())

    def listed(mark: int, *parts: bytes) -> bytes:
        return struct.pack(">I", mark) + number(len(parts)) + b"".join(parts)

    def text(key: str, value: str) -> bytes:
        return name(key) + struct.pack(">I", 2) + number(len(value)) + padded(value.encode())

    def years(key: str, *values: int) -> bytes:
        packed = padded(struct.pack(f">{len(values)}h", *values))
        return name(key) + struct.pack(">I", 3) + number(len(values)) + packed

    def variable(key: str, kind: int, sides: list[int], *attributes: bytes) -> bytes:
        begin = struct.pack(">I" if form == 1 else ">Q", 512)
        of = number(len(sides)) + b"".join(map(number, sides))
        about = listed(12, *attributes) if attributes else struct.pack(">I", 0) + number(0)
        return name(key) + of + about + struct.pack(">I", kind) + number(12) + begin

    dimensions = listed(10, name("time") + number(0), name("station") + number(3))
    about = listed(12, text("title", "Sea levels"), years("years", 1911, 1912))
    level = variable("level", 5, [0, 1], text("units", "m"))
    variables = listed(11, level, variable("datum", 6, []))
    return b"CDF" + bytes([form]) + number(records) + dimensions + about + variables
