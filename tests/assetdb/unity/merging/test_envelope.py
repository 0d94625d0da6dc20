"""Files as objects, and how they are written."""

from __future__ import annotations

import time

import pytest

from assetdb.unity.merging.envelope import UnmergeableError, class_of, is_stripped, read_version, write_version
from tests.assetdb.unity.merging.texts import HEAD

SCENE = f"{HEAD}--- !u!1 &10\nGameObject:\n  a: 1\n--- !u!4 &-20 stripped\nTransform:\n  b: 2\n".encode()


@pytest.mark.parametrize(
    "data",
    [
        SCENE,
        SCENE.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SCENE,
        SCENE[:-1],
        b"\xef\xbb\xbf" + SCENE.replace(b"\n", b"\r\n")[:-2],
        b"fileFormatVersion: 2\nguid: 0123456789abcdef0123456789abcdef",
    ],
)
def test_a_version_is_written_as_it_was(data: bytes) -> None:
    version = read_version(data)
    text = version.head + b"".join(b"--- " + part + b"\n" for part in version.objects.values())
    assert write_version(version.written, text) == data


def test_thousands_of_objects_with_one_id_are_read_at_once() -> None:
    start = time.process_time()
    assert len(read_version(HEAD.encode() + b"--- !u!1 &10\nA:\n" * 60_000).objects) == 60_000
    assert time.process_time() - start < 20  # it was minutes


def test_objects_have_their_ids() -> None:
    objects = read_version(SCENE + b"--- !u!1 &10\nGameObject:\n  again: 1\n").objects
    assert list(objects) == [(10, 0), (-20, 0), (10, 1)]
    assert [class_of(part) for part in objects.values()] == [1, 4, 1]
    assert [is_stripped(part) for part in objects.values()] == [False, True, False]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\0\0\0binary", "is no text of Unity"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is no text of Unity"),
        (b'{"m_GuidCompat": 1}', "is no text of Unity"),
        (SCENE.replace(b"\n", b"\r\n", 3), "has line ends of two kinds"),
        (SCENE.replace(b"\n", b"\r"), "has line ends of two kinds"),
        (SCENE + b"<<<<<<< HEAD\n  a: 1\n", "has conflict markers already, in line 9"),
        (HEAD.encode(), "has no objects"),
        (HEAD.encode() + b"--- nothing\n", "has a document that is no object"),
        (HEAD.encode() + b"--- !u!1 &x\n", "has a document that is no object"),
    ],
)
def test_other_files_are_refused(data: bytes, what: str) -> None:
    with pytest.raises(UnmergeableError) as raised:
        read_version(data)
    assert raised.value.what == what


def test_huge_files_are_refused() -> None:
    with pytest.raises(UnmergeableError, match="at most 67,108,864 are merged by object"):
        read_version(b"\0" * ((1 << 26) + 1))
