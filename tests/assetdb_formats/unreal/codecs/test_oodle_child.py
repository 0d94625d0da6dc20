"""The program that decodes Oodle blocks, with a decoder that is a few lines."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

from assetdb_formats.unreal.codecs import oodle_child

if TYPE_CHECKING:
    from pathlib import Path

OOZ = """
def decompress(data, size):
    if data == b"bad":
        raise ValueError("no")
    return data[:1] * size
"""


def run(folder: Path, *requests: tuple[bytes, int]) -> subprocess.CompletedProcess[bytes]:
    asked = b"".join(struct.pack("<II", len(data), size) + data for data, size in requests)
    program = [sys.executable, "-P", oodle_child.__file__]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(program, input=asked, env=environment, capture_output=True, check=False)


def test_each_block_is_answered_in_turn(tmp_path: Path) -> None:
    (tmp_path / "ooz.py").write_text(OOZ)
    done = run(tmp_path, (b"ab", 3), (b"bad", 9), (b"", 5), (b"c", 1))
    answers = [(0, b"aaa"), (1, b"no"), (0, b""), (0, b"c")]
    assert done.stdout == b"ready" + b"".join(
        struct.pack("<BI", status, len(result)) + result for status, result in answers
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_decoder_it_is_not_ready(tmp_path: Path) -> None:
    (tmp_path / "ooz.py").write_text("raise ImportError")
    done = run(tmp_path, (b"ab", 3))
    assert (done.returncode, done.stdout) == (3, b"")
