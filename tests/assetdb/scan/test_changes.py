"""A directory that is read for the first time, or again where something changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from assetdb.errors import ScanError
from assetdb.scan import changes
from assetdb.scan.content_id import content_id
from assetdb.scan.directory import asset_rows
from assetdb.scan.known.content import LOOKED_AT, UNKNOWN, UNREAD
from assetdb.scan.walking.listing import known_listing
from assetdb.system.identity import RACY
from tests.assetdb.scan.folder import GUID, PATH, meta, read, reader, told, write
from tests.assetdb.unity_project import HEAD
from tests.needs import needs_links, needs_pipes

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"
MATERIAL = HEAD + "--- !u!21 &2100000\nMaterial:\n  m_Name: Grass\n"
MERGE = "<<<<<<< a\n=======\n>>>>>>> b\n"
FOLDER = "folderAsset: yes\nDefaultImporter:\n  userData: \n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.txt": "x", "a.txt.meta": meta(1)}, []),
        ({"a.txt": "x"}, [("missing-meta", "a.txt")]),
        ({"a.txt.meta": meta(1)}, [("orphan-meta", "a.txt.meta")]),
        ({"Sub.meta": meta(1, FOLDER)}, [("missing-directory", "Sub.meta")]),
        ({"Sub~/a.txt": "x", "Sub~.meta": meta(1, FOLDER)}, [("orphan-meta", "Sub~.meta")]),
        ({"a.tmp": "x", "a.tmp.meta": meta(1), ".b.meta": meta(2)}, [("orphan-meta", "a.tmp.meta")]),
        ({"a.txt": "x", "a.txt.meta": "no meta"}, [("no-guid", "a.txt.meta")]),
        ({"a.txt": "x", "a.txt.meta": POINTER}, [("lfs-pointer", "a.txt.meta")]),
        ({"a.txt": "x", "a.txt.meta": b"\xef\xbb\xbf" + meta(1).encode()}, [("byte-order-mark", "a.txt.meta")]),
        ({"a.txt": "x", "a.txt.meta": meta(1).rstrip("\n") + "\nDefaultImporter:"}, [("broken-asset", "a.txt.meta")]),
        ({"a.txt": "x", "a.txt.meta": meta(1) + meta(2)}, [("broken-asset", "a.txt.meta")]),
        ({"Sub/a.txt": "x", "Sub.meta": meta(1).rstrip("\n") + "\nDefaultImporter:"}, [("broken-asset", "Sub.meta")]),
        ({"a.mat": "", "a.mat.meta": meta(1)}, [("empty-asset", "a.mat")]),
        ({"a.mat": POINTER, "a.mat.meta": meta(1)}, [("lfs-pointer", "a.mat")]),
        ({"a.png": POINTER, "a.png.meta": meta(1)}, [("lfs-pointer", "a.png")]),
        ({"a.mat": MATERIAL + MERGE, "a.mat.meta": meta(1)}, [("conflict-markers", "a.mat")]),
        (
            {"a.txt": "x", "a.txt.meta": f"<<<<<<< a\n{meta(1)}=======\n{meta(2)}>>>>>>> b\n"},
            [("conflict-markers", "a.txt.meta")],
        ),
        ({"Sub/a.txt": "x", "Sub.meta": meta(1)}, []),  # Rider writes metas of folders without a word behind the GUID
        ({"Sub/a.txt": "x", "Sub.meta": meta(1, "TextureImporter:\n  a: 1\n")}, [("meta-kind", "Sub")]),
        ({"Sub/a.txt": "x", "Sub.meta": "no meta"}, [("no-guid", "Sub.meta")]),
        ({".hidden": "x", "a~": "x", "a.tmp": "x"}, []),
        ({"Docs~/x.md": "x", "Docs~.meta": meta(1, FOLDER)}, [("orphan-meta", "Docs~.meta")]),
        ({"Samples~.meta": meta(1, FOLDER), ".s.meta": meta(2)}, [("orphan-meta", "Samples~.meta")]),
    ],
)  # fmt: skip
def test_files_are_told_of(tmp_path: Path, files: dict[str, str | bytes], expected: list[tuple[str, str]]) -> None:
    for name, content in files.items():
        write(tmp_path, name, content)
    found = read(tmp_path)
    assert told(found) == expected
    assert told(read(tmp_path, found)) == expected


def test_columns_are_of_the_files_in_order(tmp_path: Path) -> None:
    for name, content in {"b.mat": MATERIAL, "a.txt": "x", "c.txt": "x", "Sub/d": "x", "Alone": "x"}.items():
        write(tmp_path, name, content)
    for number, name in enumerate(("a.txt", "b.mat", "Gone", "c.txt"), 1):
        write(tmp_path, f"{name}.meta", meta(number) if name != "c.txt" else "no meta")
    write(tmp_path, "Sub.meta", meta(5, FOLDER))
    found = read(tmp_path)
    names = found.files.split(b"/")
    assert names == [
        b"a.txt",
        b"a.txt.meta",
        b"b.mat",
        b"b.mat.meta",
        b"c.txt",
        b"c.txt.meta",
        b"Sub.meta",
        b"Gone.meta",
    ]
    assert found.pair_count == 3
    assert [row[0].decode() for row in asset_rows(found)] == [GUID.format(1), GUID.format(2)]
    assert (found.children, found.folders, found.folder_guids.hex()) == (b"Sub", b"Sub", GUID.format(5))
    identities = memoryview(found.identities).cast("q").tolist()
    assert len(identities) == len(names)
    assert len(found.contents) == 16 * len(names)
    parts = [found.contents[start : start + 16] for start in range(0, len(found.contents), 16)]
    assert parts[0] == UNREAD
    assert parts[2] == content_id(MATERIAL.encode())
    assert parts[1] == content_id(meta(1).encode())
    assert parts[4:6] == [UNKNOWN, UNKNOWN]
    assert parts[6:] == [content_id(meta(5, FOLDER).encode()), UNREAD]


def test_unchanged_assets_are_not_read_again(tmp_path: Path) -> None:
    for number, name in enumerate(("a.txt", "b.mat", "c.mat"), 1):
        write(tmp_path, name, MATERIAL)
        write(tmp_path, f"{name}.meta", meta(number))
    known = read(tmp_path)
    write(tmp_path, "b.mat", MATERIAL + "  m_More: 1\n")
    again = reader(tmp_path)
    found = again.read(PATH, known)
    assert again.files_read == 2
    assert found is not None
    assert [row[0] for row in asset_rows(found)] == [row[0] for row in asset_rows(known)]
    assert found.contents != known.contents
    assert found == read(tmp_path)


def test_assets_whose_metas_have_another_case_keep_their_order(tmp_path: Path) -> None:
    """By assets ``B.mat`` is first, by metas ``a.mat``: in another order than in a first bake they count as changed."""
    for number, (asset, name) in enumerate((("B.mat", "b.mat"), ("a.mat", "a.mat")), 1):
        write(tmp_path, asset, MATERIAL)
        write(tmp_path, f"{name}.meta", meta(number))
    known = read(tmp_path)
    write(tmp_path, "a.mat", MATERIAL + "  m_More: 1\n")
    found = read(tmp_path, known)
    assert found.files == known.files == b"B.mat/b.mat.meta/a.mat/a.mat.meta"
    assert found == read(tmp_path)


def test_text_that_nobody_knows_is_read_where_it_is_yaml(tmp_path: Path) -> None:
    write(tmp_path, "a.odd", MATERIAL)
    write(tmp_path, "b.odd", "no YAML")
    for number, name in enumerate(("a.odd", "b.odd"), 1):
        write(tmp_path, f"{name}.meta", meta(number))
    found = read(tmp_path)
    assert found.contents[:16] == content_id(MATERIAL.encode())
    assert found.contents[32:48] == LOOKED_AT


@pytest.mark.parametrize(("size", "codes"), [(len(MATERIAL), []), (len(MATERIAL) - 1, ["too-large"])])
@pytest.mark.parametrize("name", ["a.mat", "a.odd"])
def test_large_text_is_told_of(tmp_path: Path, size: int, codes: list[str], name: str) -> None:
    write(tmp_path, name, MATERIAL)
    write(tmp_path, f"{name}.meta", meta(1))
    found = read(tmp_path, largest_asset=size)
    assert [code for code, _ in told(found)] == codes
    assert len(asset_rows(found)) == 1  # it has its GUID all the same
    assert read(tmp_path, largest_meta=len(meta(1))).guids
    assert [code for code, _ in told(read(tmp_path, largest_meta=len(meta(1)) - 1))] == ["too-large"]


def test_files_that_are_read_in_pieces_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.mat", MATERIAL)
    write(tmp_path, "a.mat.meta", meta(1))
    whole, read_all = read(tmp_path), os.read
    monkeypatch.setattr(changes.os, "read", lambda descriptor, size: read_all(descriptor, min(size, 7)))
    assert read(tmp_path) == whole


def test_what_is_excluded_is_not_there(tmp_path: Path) -> None:
    for number, name in enumerate(("a.txt", "b.txt", "Sub/c.txt"), 1):
        write(tmp_path, name, "x")
        write(tmp_path, f"{name}.meta", meta(number))
    write(tmp_path, "Sub.meta", meta(4, FOLDER))
    left = {"Assets/Here/b.txt", "Assets/Here/Sub/"}
    found = read(tmp_path, excluded=left.__contains__)
    assert (found.files, found.children, told(found)) == (b"a.txt/a.txt.meta", b"", [])
    by_meta = read(tmp_path, excluded=lambda path: path.endswith(".txt.meta"))
    assert by_meta.files == b"Sub.meta"
    assert told(by_meta) == [("missing-meta", "a.txt"), ("missing-meta", "b.txt")]


@needs_links
def test_links_are_looked_at_each_time(tmp_path: Path) -> None:
    place = write(tmp_path, "a.txt", "x").parent
    write(tmp_path, "a.txt.meta", meta(1))
    assert read(tmp_path).identity != RACY
    (place / "Linked").symlink_to(tmp_path)
    (place / "b.txt").symlink_to(place / "a.txt")
    write(tmp_path, "b.txt.meta", meta(2))
    found = read(tmp_path)
    assert found.links == b"Linked"
    assert found.identity == RACY
    assert len(asset_rows(found)) == 2


@needs_pipes
def test_no_regular_file_is_told_of_and_not_waited_for(tmp_path: Path) -> None:
    place = write(tmp_path, "a.mat.meta", meta(1)).parent
    os.mkfifo(place / "a.mat")
    write(tmp_path, "b.txt.meta", meta(2))
    os.mkfifo(place / "b.txt")
    found = read(tmp_path)
    assert told(found) == [("not-a-file", "a.mat"), ("not-a-file", "b.txt")]
    assert not asset_rows(found)
    (place / "c.mat").symlink_to("/proc/self/environ")
    write(tmp_path, "c.mat.meta", meta(3))
    assert told(read(tmp_path))[-1] == ("not-a-file", "c.mat")


def test_errors_of_the_moment_end_the_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.mat", MATERIAL)

    def fail(_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(changes.os, "scandir", fail)
    with pytest.raises(ScanError, match="Assets/Here"):
        read(tmp_path)


def test_a_folder_that_may_not_be_listed_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.mat", MATERIAL)

    def fail(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(changes.os, "scandir", fail)
    found = read(tmp_path)
    assert told(found) == [("unreadable", "Assets/Here")]
    assert found.identity == RACY


def test_a_listing_is_taken_from_the_record_where_it_can_be(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "x")
    write(tmp_path, "a.txt.meta", meta(1))
    write(tmp_path, "Sub/b.txt", "x")
    write(tmp_path, "Sub.meta", meta(2, FOLDER))
    known = read(tmp_path)
    listing = known_listing(known)
    assert listing.pairs == [(b"a.txt", b"a.txt.meta")]
    assert listing.folder_metas == [(b"Sub", b"Sub.meta")]
    assert listing.children == [b"Sub"]
    write(tmp_path, "gone.txt.meta", meta(3))
    assert known_listing(read(tmp_path)) is None
