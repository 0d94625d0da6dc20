"""Files with new identities and old content are hashed, not parsed."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.scan.content_id import content_id
from assetdb.scan.known import cache
from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD
from assetdb.store.files import DATABASE_NAME, INDEX_NAME
from tests.assetdb.unity_project import HEAD, guid, write
from tests.needs import make_pipe

if TYPE_CHECKING:
    from pathlib import Path

POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)
MATERIAL = HEAD + "--- !u!21 &2100000\nMaterial:\n  m_Name: Grass\n"
CONTENTS: dict[str, str | bytes] = {
    "Assets/Grass.mat": MATERIAL,
    "Assets/Empty.asset": b"",
    "Assets/Picture.png": b"\x89PNG" + bytes(400),
    "Assets/Small.png": b"\x89PNG" + bytes(130),  # as long as a pointer of Git LFS
    "Assets/Pointer.png": POINTER,
    "Assets/Odd.thing": b"neither text nor YAML",
    "Assets/Yaml.thing": MATERIAL,
    "Assets/Deep/Code.cs": "class Code {}\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    (root / "ProjectSettings").mkdir(parents=True)
    for number, (path, content) in enumerate(CONTENTS.items(), 1):
        write(root, path, number, content)
    (root / "Assets/Deep.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(99)}\nfolderAsset: yes\n")
    (root / "Assets/Gone.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {guid(98)}\n")
    return root


def touch(root: Path) -> None:
    """Give every file and folder another time."""
    for path in [*root.rglob("*"), root]:
        os.utime(path, ns=(1_600_000_000_000_000_000, 1_600_000_000_000_000_000))


def files_of(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in (DATABASE_NAME, INDEX_NAME)]


def contents_of(out: Path) -> dict[bytes, bytes]:
    known = cache.read(str(out / cache.FILE_NAME))
    found = {}
    for directory in map(known.complete, known.directories.values()):
        for number, name in enumerate(directory.files.split(b"/")):
            found[name] = directory.contents[number * 16 : number * 16 + 16]
    return found


def test_what_is_kept_of_a_file_is_what_was_parsed_of_it(project: Path, tmp_path: Path) -> None:
    assetdb.bake(project, tmp_path / "out", keep_going=True)
    found = contents_of(tmp_path / "out")
    names = {os.path.basename(path): path for path in CONTENTS}
    expected = {"Picture.png": UNREAD, "Small.png": UNREAD, "Code.cs": UNREAD, "Odd.thing": LOOKED_AT}
    for name, path in names.items():
        data = (project / path).read_bytes()
        assert found[name.encode()] == expected.get(name, content_id(data)), name
        assert found[f"{name}.meta".encode()] == content_id((project / f"{path}.meta").read_bytes())
    assert found[b"Deep.meta"] == content_id((project / "Assets/Deep.meta").read_bytes())
    assert found[b"Gone.mat.meta"] == UNREAD
    assert UNKNOWN not in found.values()


def test_files_with_other_times_alone_are_not_parsed(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = assetdb.bake(project, out, keep_going=True)
    before = files_of(out)
    touch(project / "Assets")
    second = assetdb.bake(project, out, keep_going=True)
    assert (second.files_read, second.written) == (
        1,
        False,
    )  # a meta that stands alone is read with its folder's listing
    assert (files_of(out), second.diagnostics) == (before, first.diagnostics)


@pytest.mark.parametrize("path", sorted(CONTENTS))
def test_a_file_with_other_bytes_is_parsed(project: Path, tmp_path: Path, path: str) -> None:
    out, cold = tmp_path / "out", tmp_path / "cold"
    assetdb.bake(project, out, keep_going=True)
    content = CONTENTS[path]
    data = content if isinstance(content, bytes) else content.encode()
    other = POINTER.encode() if path != "Assets/Pointer.png" else b"\x89PNG" + bytes(len(data) - 4)
    for changed in (data[:-1] + b"!" if data else b"!", MATERIAL.replace("Grass", "Other").encode(), other):
        (project / path).write_bytes(changed)
        touch(project / "Assets")
        found = assetdb.bake(project, out, keep_going=True)
        shutil.rmtree(cold, ignore_errors=True)
        expected = assetdb.bake(project, cold, keep_going=True)
        assert (files_of(out), found.diagnostics) == (files_of(cold), expected.diagnostics)


def test_a_pipe_is_not_an_empty_file(project: Path, tmp_path: Path) -> None:
    assetdb.bake(project, tmp_path / "out", keep_going=True)
    (project / "Assets/Empty.asset").unlink()
    make_pipe(project / "Assets/Empty.asset")
    found = assetdb.bake(project, tmp_path / "out", keep_going=True)
    assert "not-a-file" in {item.code for item in found.diagnostics}


def test_a_clone_goes_on_from_a_restored_output_folder(project: Path, tmp_path: Path) -> None:
    first = assetdb.bake(project, project / "Library/assetdb", keep_going=True)
    clone = tmp_path / "elsewhere" / "Clone"
    shutil.copytree(project, clone, copy_function=shutil.copyfile)
    before = files_of(clone / "Library/assetdb")
    found = assetdb.bake(clone, keep_going=True)
    assert (found.files_read, found.written, found.diagnostics) == (1, False, first.diagnostics)
    assert files_of(clone / "Library/assetdb") == before
    time.sleep(0.03)
    touch(clone / "Assets")
    assetdb.bake(clone, keep_going=True)
    assert assetdb.bake(clone, keep_going=True).unchanged


@pytest.mark.parametrize("name", [DATABASE_NAME, INDEX_NAME, "asset-db.seen"])
def test_a_restored_file_with_another_bit_is_made_again(project: Path, tmp_path: Path, name: str) -> None:
    assetdb.bake(project, project / "Library/assetdb", keep_going=True)
    expected = files_of(project / "Library/assetdb")
    clone = tmp_path / "Clone"
    shutil.copytree(project, clone, copy_function=shutil.copyfile)
    damaged = clone / "Library/assetdb" / name
    data = damaged.read_bytes()
    damaged.write_bytes(bytes([*data[:-20], data[-20] ^ 1, *data[-19:]]))
    found = assetdb.bake(clone, keep_going=True)
    assert (found.files_read, files_of(clone / "Library/assetdb")) == (1, expected)
