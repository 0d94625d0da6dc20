"""The process that decodes Oodle blocks.

Damaged data can corrupt no heap but its own.

Run by `assetdb_formats.unreal.codecs.oodle` as a script; it imports nothing of this project. For each block it reads
u32 compressed size, u32 size, bytes; and writes u8 (0 decoded, 1 refused), u32 size, bytes.
"""

from __future__ import annotations

import struct
import sys
from importlib import import_module


def main() -> int:
    """Answer requests until the input ends; 3 without a decoder."""
    try:
        ooz = import_module("ooz")  # GPL and optional: this process alone may load it
    except ImportError:
        return 3
    request = struct.Struct("<II")
    answer = struct.Struct("<BI")
    source, target = sys.stdin.buffer, sys.stdout.buffer
    target.write(b"ready")
    target.flush()
    while len(header := source.read(request.size)) == request.size:
        compressed, size = request.unpack(header)
        data = source.read(compressed)
        try:
            status, result = 0, ooz.decompress(data, size)
        except Exception as error:  # noqa: BLE001 - whatever a damaged block raises is sent to the parent
            status, result = 1, str(error).encode()
        target.write(answer.pack(status, len(result)))
        target.write(result)
        target.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
