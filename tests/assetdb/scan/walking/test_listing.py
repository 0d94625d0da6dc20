"""Which metas belong to which names of a directory, and what is said of the others."""

from __future__ import annotations

import errno
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from assetdb.diagnostics import Diagnostic, encode
from assetdb.errors import ScanError
from assetdb.scan.directory import DirectoryFacts
from assetdb.scan.walking.listing import arrange, belongs, known_listing, list_directory, unlisted
from tests.needs import needs_links

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assetdb.scan.reading_position import Place
    from assetdb.scan.walking.listing import Listing


@pytest.mark.parametrize(
    ("folder", "missing"),
    [
        (b"Assets/Native.bundle", []),
        (b"Assets/Plugins/iOS/Ads.framework/Headers", []),
        (b"Assets/Plugins/Ads.XCFramework/ios-arm64", []),
        (b"Packages/com.example.game/Editor", ["Code.cs", "Inner/"]),
        (b"Assets/bundle", ["Code.cs", "Inner/"]),
        (b"Packages", []),
    ],
)
def test_files_of_a_native_plug_in_need_no_metas(folder: bytes, missing: list[str]) -> None:
    found = arrange(folder, [b"Inner"], [], set(), {b"Code.cs"}, [])
    assert [item.path for item in found.diagnostics] == [f"{folder.decode()}/{name}" for name in missing]
    assert found.children == [b"Inner"]


def test_a_meta_in_a_native_plug_in_is_read_all_the_same() -> None:
    found = arrange(b"Assets/Ads.framework", [], [], set(), {b"Info.plist"}, [b"Info.plist.meta"])
    assert found.pairs == [(b"Info.plist", b"Info.plist.meta")]


def said(listing: Listing) -> list[tuple[str, str]]:
    return [(row.code, row.path.rpartition("/")[2]) for row in listing.diagnostics]


@pytest.mark.parametrize(
    ("asset", "meta", "code"),
    [
        ("AiController.cs", "AIcontroller.cs.meta", "case-mismatch"),  # of BoatAttack
        ("e\u0301.png", "\xe9.png.meta", "unicode-mismatch"),  # as macOS writes it
        ("a.png", "b.png.meta", ""),
    ],
)
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_meta_of_nearly_the_name_belongs_to_it(asset: str, meta: str, code: str, is_folder: bool) -> None:  # noqa: FBT001 - a row
    name, meta_name = asset.encode(), meta.encode()
    others = [b"z.png", b"z.png.meta"]
    children = [name] if is_folder else []
    assets = {others[0]} if is_folder else {others[0], name}
    found = arrange(b"Assets", children, [], set(), assets, [meta_name, others[1]])
    named = found.folder_metas if is_folder else found.pairs
    assert ((name, meta_name) in named) is bool(code)
    assert found.orphans == ([] if code else [meta_name])
    assert said(found) == [(code, asset) if code else ("missing-meta", "" if is_folder else asset)]
    assert found.pairs[-1:] == [(others[0], others[1])]
    assert [row.message.startswith(f"its meta is called {meta}") for row in found.diagnostics] == [bool(code)]


def test_the_name_itself_comes_before_nearly_the_name() -> None:
    found = arrange(b"Assets", [], [], set(), {b"a.png", b"A.png"}, [b"a.png.meta", b"A.PNG.meta", b"x.meta"])
    assert found.pairs == [(b"A.png", b"A.PNG.meta"), (b"a.png", b"a.png.meta")]
    assert found.orphans == [b"x.meta"]


def test_only_folders_count_among_the_packages() -> None:
    metas = [b"manifest.json.meta", b"com.acme.meta", b"gone.meta"]
    found = arrange(b"Packages", [b"com.acme", b"com.other"], [], set(), {b"manifest.json"}, metas)
    assert (found.pairs, found.folder_metas, found.orphans) == ([], [(b"com.acme", b"com.acme.meta")], [b"gone.meta"])
    assert found.diagnostics == []


def test_links_to_folders_need_no_metas() -> None:
    found = arrange(b"Assets", [b"One"], [b"x.androidlib"], {b"Link"}, set(), [b"x.androidlib.meta"])
    assert (found.children, found.links, found.folder_metas) == (
        *([b"One"], [b"Link"], [(b"x.androidlib", b"x.androidlib.meta")]),
    )
    assert said(found) == [("missing-meta", "")]


def place(folder: Path, excluded: Callable[[str], bool] | None = None, *, has_mounts: bool = False) -> Place:
    prefix = os.path.join(os.fsencode(folder), b"")
    return cast("Place", SimpleNamespace(prefix=prefix, excluded=excluded, has_mounts=has_mounts))


def put(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_names_on_the_disk_are_told_by_their_kind(tmp_path: Path) -> None:
    put(tmp_path, "a.png", "a.png.meta", "Sub/b.png", "Sub.meta", "x.androidlib/c", "gone.mat.meta")
    put(tmp_path, ".hidden", "Samples~/c", "cvs/d", "e.tmp", ".Red.mat.5e1f0c7b.assetdb-removed")
    found, is_unsure = list_directory(place(tmp_path), b"Assets")
    assert (found.children, found.pairs, found.folder_metas, found.orphans, is_unsure) == (
        *([b"Sub"], [(b"a.png", b"a.png.meta")], [(b"Sub", b"Sub.meta")], [b"gone.mat.meta"], False),
    )
    assert [(row.code, row.path) for row in found.diagnostics] == [
        ("left-behind", "Assets/.Red.mat.5e1f0c7b.assetdb-removed"),
        ("missing-meta", "Assets/x.androidlib/"),
    ]
    assert found.diagnostics[0].message == "Red.mat was set aside for removal"


@needs_links
def test_links_are_told_by_what_they_lead_to(tmp_path: Path) -> None:
    put(tmp_path, "There/a", "here.txt", "Assets/b.txt")
    for name, target in (("file", "here.txt"), ("folder", "There"), ("nowhere", "None")):
        (tmp_path / "Assets" / name).symlink_to(tmp_path / target)
    found, is_unsure = list_directory(place(tmp_path / "Assets"), b"Assets")
    assert (found.links, is_unsure) == ([b"folder"], True)
    assert {row.path for row in found.diagnostics} == {"Assets/b.txt", "Assets/file", "Assets/nowhere"}


def test_excluded_names_are_left_out_with_their_metas(tmp_path: Path) -> None:
    put(
        tmp_path, "a.png", "a.png.meta", "b.png", "b.png.meta", "Out/c", "Out.meta", "In/d", "In.meta", "x.androidlib/e"
    )
    words = {"Assets/a.png", "Assets/Out/", "Assets/x.androidlib/"}
    found, _ = list_directory(place(tmp_path, words.__contains__), b"Assets")
    assert (found.children, found.pairs, found.folder_metas, found.orphans, found.diagnostics) == (
        *([b"In"], [(b"b.png", b"b.png.meta")], [(b"In", b"In.meta")], [], []),
    )


@pytest.mark.parametrize(
    ("pattern", "name", "is_in"),
    [
        ("Assets/a.png", b"a.png", False),
        ("Assets/a.png", b"a.png.meta", False),
        ("Assets/a.png/", b"a.png.meta", False),
        ("Assets/a.png.meta", b"a.png.meta", False),
        ("Assets/a.png.meta", b"a.png", True),
        ("Assets/a.png/", b"a.png", True),
        ("Assets/b.png", b"a.png.meta", True),
    ],
)
def test_a_meta_belongs_as_its_asset_does(tmp_path: Path, pattern: str, name: bytes, *, is_in: bool) -> None:
    assert belongs(place(tmp_path, lambda path: path == pattern), b"Assets", name) is is_in
    assert belongs(place(tmp_path), b"Assets", name)


def test_a_project_in_a_package_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "Demo/Assets/a", "Demo/ProjectSettings/ProjectVersion.txt", "Plain/a", "Named/a", "Named.meta")
    for has_mounts, path, children, is_unsure in (
        (True, b"Packages/com.acme", [b"Named", b"Plain"], True),
        (True, b"Assets/com.acme", [b"Demo", b"Named", b"Plain"], False),
        (False, b"Packages/com.acme", [b"Demo", b"Named", b"Plain"], False),
    ):
        found, unsure = list_directory(place(tmp_path, has_mounts=has_mounts), path)
        assert (found.children, unsure) == (children, is_unsure)


def test_a_folder_that_is_gone_or_may_not_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list_directory(place(tmp_path / "None"), b"Assets/None")
    denied = OSError(errno.EACCES, "Permission denied")
    assert unlisted(b"Assets/a", denied) == Diagnostic(
        "unreadable", "Assets/a", 0, "cannot be listed: Permission denied"
    )
    with pytest.raises(ScanError):
        unlisted(b"Assets/a", OSError(errno.EIO, "broken"))


def test_an_unreadable_folder_may_become_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: bytes) -> object:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    found, is_unsure = list_directory(place(tmp_path), b"Assets")
    assert (said(found), is_unsure) == ([("unreadable", "Assets")], True)


KNOWN = DirectoryFacts(
    b"Assets",
    files=b"b/b.meta/a/a.meta/F.meta",
    children=b"F/G",
    links=b"L",
    pair_count=2,
    listing_diagnostics=encode([Diagnostic("missing-meta", "Assets/c", 0, "has no .meta")]),
)


def test_a_listing_is_made_of_what_is_known() -> None:
    found = known_listing(KNOWN)
    assert found is not None
    assert (found.children, found.links, found.orphans) == ([b"F", b"G"], [b"L"], [])
    assert found.pairs == [(b"a", b"a.meta"), (b"b", b"b.meta")]
    assert (found.folder_metas, said(found)) == ([(b"F", b"F.meta")], [("missing-meta", "c")])
    empty = known_listing(DirectoryFacts(b"Assets"))
    assert empty == ([], [], [], [], [], [])


@pytest.mark.parametrize("code", ["case-mismatch", "unicode-mismatch", "orphan-meta", "missing-directory"])
def test_what_a_listing_alone_tells_is_listed_again(code: str) -> None:
    assert known_listing(KNOWN._replace(listing_diagnostics=encode([Diagnostic(code, "Assets/c", 0, "said")]))) is None
