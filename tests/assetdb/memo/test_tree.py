"""The tree of a scan: its digest, and what no scan compares."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.memo.tree import Tree, extension_of, file_of, identity_on_disk, is_named_unread, may_refer
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.known.cache import DamagedCacheError
from assetdb.scan.known.content import UNREAD
from assetdb.system.identity import RACY, identity
from assetdb.workspace.workspace import Listing

if TYPE_CHECKING:
    from pathlib import Path


def packed(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(8, sys.byteorder, signed=True) for number in numbers)


ONE = DirectoryFacts(b"Assets", 1, files=b"a.png/a.png.meta/F.meta", identities=packed(1, 2, 3), pair_count=1)
TWO = DirectoryFacts(b"Assets/F", 2, files=b"b.mat/b.mat.meta", identities=packed(4, 5), pair_count=1)


def tree(*directories: DirectoryFacts, is_whole: bool = True) -> Tree:
    return Tree(Listing({each.path: each for each in directories}, lambda each: each, is_whole))


def said(directory: DirectoryFacts, *rows: tuple[str, str]) -> DirectoryFacts:
    return directory._replace(listing_diagnostics=encode([Diagnostic(code, path, 0, "") for code, path in rows]))


def test_a_digest_is_of_names_and_identities() -> None:
    digest = tree(ONE, TWO).digest
    assert digest == tree(TWO, ONE).digest
    assert digest == tree(ONE._replace(identity=99, keys=b"other"), TWO).digest
    others = (
        *(ONE._replace(path=b"Assetz"), ONE._replace(files=b"c.png/a.png.meta/F.meta")),
        *(ONE._replace(identities=packed(1, 2, 4)), said(ONE, ("missing-meta", "Assets/x"))),
        ONE._replace(path=b"Assetsa", files=ONE.files[1:]),
    )
    assert len({digest, tree(ONE).digest, *(tree(other, TWO).digest for other in others)}) == 7


def test_a_racy_file_makes_a_tree_racy() -> None:
    assert not tree(ONE, TWO).is_racy
    assert tree(ONE, TWO._replace(identities=packed(4, RACY))).is_racy


def test_a_tree_has_its_assets_and_their_metas() -> None:
    found = tree(ONE, TWO)
    assert all(map(found.has, ("Assets/a.png", "Assets/a.png.meta", "Assets/F.meta", "Assets/F/b.mat")))
    others = ("Assets/F", "Assets/F/a.png", "a.png", "Other/a.png", "Assets", "")
    assert not any(map(found.has, others))
    assert found.directories == {b"Assets": ONE, b"Assets/F": TWO}


def test_a_tree_has_contents_of_what_the_scan_read() -> None:
    ids = bytes(range(16)), UNREAD, bytes(range(1, 17))
    found = tree(ONE._replace(contents=b"".join(ids)), TWO)
    assert [found.content_of(f"Assets/{name}") for name in ("a.png", "a.png.meta", "F.meta", "other")] == [
        *(ids[0], None),
        *(ids[2], None),
    ]
    assert found.content_of("Assets/F/b.mat") is None
    assert found.content_of("Other/b.mat") is None


def test_contents_of_a_damaged_cache_are_unknown() -> None:
    def fails(_: DirectoryFacts) -> DirectoryFacts:
        raise DamagedCacheError

    assert Tree(Listing({ONE.path: ONE}, fails, is_whole=True)).content_of("Assets/a.png") is None


def test_text_without_a_meta_is_loose() -> None:
    rows = [("missing-meta", f"Assets/{name}") for name in ("a.mat", "b.png", "F/", "c.MAT", "d.odd")]
    found = tree(said(ONE, *rows))
    assert found.loose == [b"Assets/a.mat", b"Assets/c.MAT", b"Assets/d.odd"]


def test_metas_alone_are_known_if_all_are() -> None:
    rows = (("orphan-meta", "Assets/gone.mat.meta"), ("missing-directory", "Assets/G.meta"), ("missing-meta", "x.png"))
    assert tree(said(ONE, *rows)).alone == ["Assets/gone.mat.meta", "Assets/G.meta"]
    assert tree(ONE).alone == []
    assert tree(said(ONE, *rows), is_whole=False).alone is None
    assert tree(said(ONE, ("orphan-meta", "Assets/\ufffd.meta"))).alone is None


@pytest.mark.parametrize(
    ("name", "extension", "refers", "unread"),
    [
        (b"Assets/a.PNG", "png", False, True),
        (b"a.mat", "mat", True, False),
        (b"a.cs", "cs", False, True),
        (b"a.ttf", "ttf", False, True),
        (b"a.dll", "dll", False, False),
        (b"a.fbx", "fbx", False, False),
        (b"a.meta", "meta", False, False),
        (b"a.uxml", "uxml", True, False),
        (b"a.odd", "odd", True, False),
        (b"A.b/none", "none", True, False),
    ],
)
def test_kinds_of_files_by_extension(name: bytes, extension: str, refers: bool, unread: bool) -> None:  # noqa: FBT001 - a row
    assert (extension_of(name), may_refer(name), is_named_unread(name)) == (extension, refers, unread)


def test_a_file_outside_the_scan_has_an_identity_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    assert file_of(str(tmp_path), b"a") == str(tmp_path / "a")
    assert identity_on_disk(str(tmp_path), b"a") == identity((tmp_path / "a").stat())
    assert identity_on_disk(str(tmp_path), b"none") == RACY


def test_the_digest_of_what_is_read_leaves_out_the_bytes_of_scripts_and_textures() -> None:
    digest = tree(ONE, TWO).digest_of_read
    assert digest is not None
    assert digest == tree(TWO, ONE).digest_of_read
    assert digest == tree(ONE._replace(identities=packed(9, 2, 3)), TWO).digest_of_read  # a.png
    assert digest == tree(ONE._replace(identities=packed(RACY, 2, 3)), TWO).digest_of_read
    others = (
        *((ONE._replace(identities=packed(1, 9, 3)), TWO), (ONE._replace(identities=packed(1, 2, 9)), TWO)),
        *((ONE, TWO._replace(identities=packed(9, 5))), (ONE, TWO._replace(identities=packed(4, 9)))),
        *((ONE, TWO._replace(identities=packed(RACY, 5))), (said(ONE, ("missing-meta", "Assets/x")), TWO), (ONE,)),
        (ONE._replace(files=b"b.png/b.png.meta/F.meta"), TWO),
    )
    assert digest not in {tree(*directories).digest_of_read for directories in others}
    assert tree(ONE, TWO._replace(identities=packed(RACY, 5))).digest_of_read is None


def test_a_file_has_the_identity_of_the_scan() -> None:
    found = tree(ONE, TWO)
    assert [found.identity_of(path) for path in ("Assets/a.png", "Assets/F.meta", "Assets/F/b.mat.meta")] == [1, 3, 5]
    assert found.identity_of("Assets/F/a.png") is None
