from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from assetdb.packages.external import locate_packages
from assetdb.unity.settings import packages
from assetdb.unity.settings.packages import (
    CACHE,
    LOCK,
    MANIFEST,
    DeclaredPackages,
    Package,
    listed_package,
    read_identity,
    read_packages,
    requirers,
)

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def manifest(**dependencies: object) -> bytes:
    return json.dumps(
        {"dependencies": {name.replace("_", "."): value for name, value in dependencies.items()}}
    ).encode()


def only(found: DeclaredPackages) -> Package:
    assert found.problems == ()
    assert len(found.packages) == 1
    return found.packages[0]


@pytest.mark.parametrize(
    ("version", "source", "folders"),
    [
        ("1.0.0-preview.3", "registry", (f"{CACHE}/a.b@1.0.0-preview.3",)),
        ("file:../../Shared/a.b", "local", ("../Shared/a.b",)),
        ("file:a.b", "local", ("Packages/a.b",)),
        ("file:..\\Local\\a.b", "local", ("Local/a.b",)),
        ("file:/opt/a.b", "local", ("/opt/a.b",)),
        ("file:///opt/a.b", "local", ("/opt/a.b",)),
        ("file:C:\\Unity\\a.b", "local", ("C:/Unity/a.b",)),
        ("file:///C:/Unity/a.b", "local", ("C:/Unity/a.b",)),
        ("file:../a.b-1.0.tgz", "tarball", ()),
        ("https://example.org/a.git?path=/b#v1", "git", ()),
        ("git@example.org:a/b.git", "git", ()),
        ("ssh://git@example.org/a.git", "git", ()),
    ],
)
def test_what_a_manifest_asks_for(version: str, source: str, folders: tuple[str, ...]) -> None:
    cached = source not in {"local", "embedded"}
    assert only(read_packages(manifest(a_b=version), None)) == Package(
        *("a.b", version, source, folders, cached), requested=True
    )


def test_what_a_lock_resolved_wins() -> None:
    lock = {
        "a.b": {"version": "1.2.0", "depth": 0, "source": "registry", "url": "https://packages.example.org"},
        "c": {"version": "https://example.org/c.git", "source": "git", "hash": COMMIT},
        "d": {"version": "file:Folder", "source": "embedded"},
        "e": {"version": "file:../../e", "source": "local"},
        "f": {"version": "1.0.0", "source": "builtin", "dependencies": {}},
        "g": {"version": "file:../g.tgz", "source": "local-tarball"},
        "h": {"version": "3.0.0", "source": "invented later"},
    }
    found = read_packages(manifest(a_b="1.0.0", z="2.0.0"), json.dumps({"dependencies": lock}).encode())
    assert found.problems == ()
    assert found.packages == (
        Package("a.b", "1.2.0", "registry", (f"{CACHE}/a.b@1.2.0",), cached=True, requested=True),
        Package(
            "c",
            "https://example.org/c.git",
            "git",
            (f"{CACHE}/c@{COMMIT[:10]}", f"{CACHE}/c@{COMMIT[:12]}", f"{CACHE}/c@{COMMIT}"),
            cached=True,
        ),
        Package("d", "file:Folder", "embedded", ("Packages/Folder",), cached=False, requested=True),
        Package("e", "file:../../e", "local", ("../e",), cached=False),
        Package("f", "1.0.0", "builtin", (f"{CACHE}/f@1.0.0",), cached=True, needs=()),
        Package("g", "file:../g.tgz", "tarball", (), cached=True),
        Package("h", "3.0.0", "registry", (f"{CACHE}/h@3.0.0",), cached=True),
        Package("z", "2.0.0", "registry", (f"{CACHE}/z@2.0.0",), cached=True, requested=True),
    )


def test_modules_of_the_engine_and_commits_in_old_manifests() -> None:
    old = {"dependencies": {"c": "https://example.org/c.git"}, "lock": {"c": {"hash": COMMIT, "revision": "HEAD"}}}
    assert only(read_packages(json.dumps(old).encode(), None)).folders[0] == f"{CACHE}/c@{COMMIT[:10]}"
    assert only(read_packages(manifest(com_unity_modules_ai="1.0.0"), None)).source == "builtin"


def test_embedded_folders_need_no_entry_and_win() -> None:
    found = read_packages(manifest(a="1.0.0"), None, ["a", "b"])
    assert found.packages == (
        Package("a", "1.0.0", "embedded", ("Packages/a",), cached=False, requested=True),
        Package("b", "", "embedded", ("Packages/b",), cached=False, requested=True),
    )
    lock = b'{"dependencies": {"com.acme.c": {"version": "file:Folder", "source": "embedded"}}}'
    assert only(read_packages(None, lock, ["Folder"])).name == "com.acme.c"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"dependencies": []}',
        b"\xff\xfe{",
        b"[" * 100_000,
        b"1" * 10_000,
        b'{"a": 1' * 9999,
    ],
)
def test_bad_json_is_a_problem(data: bytes) -> None:
    found = read_packages(data, None)
    assert found.packages == ()
    assert [file for file, _ in found.problems] == [MANIFEST]
    assert [file for file, _ in read_packages(None, data).problems] == [LOCK]


def test_files_may_be_absent_or_have_a_mark() -> None:
    assert read_packages(None, None) == DeclaredPackages((), ())
    assert only(read_packages(b"\xef\xbb\xbf" + manifest(a="1.0.0"), None)).name == "a"


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("../../etc", "1.0.0"),
        ("a/b", "1.0.0"),
        ("..", "1.0.0"),
        ("", "1.0.0"),
        ("a", "../../../etc"),
        ("a", ""),
        ("a", "file:"),
        ("a", "file:x\0y"),
        ("a", "file:x\ud800"),
        ("a", "https://x\ud800.git"),
        ("a", 3),
        ("a", None),
        ("a", {"version": 1}),
        ("a", {"version": "file:../..", "source": "embedded"}),
        ("a", {"version": "1/2", "source": "registry"}),
    ],
)
def test_entries_that_could_leave_their_folder_are_problems(name: str, version: object) -> None:
    found = read_packages(json.dumps({"dependencies": {name: version}}).encode(), None)
    assert found.packages == ()
    assert len(found.problems) == 1


def test_half_a_surrogate_pair_is_no_name_of_a_package() -> None:
    data = b'{"name": "a\\ud800", "version": "\\ud800", "dependencies": {"b": "\\ud800", "\\ud800": "1.0.0"}}'
    assert read_identity(data) == ("", "", (("b", ""),))


def test_a_commit_that_is_none_gives_no_folder() -> None:
    lock = json.dumps({"dependencies": {"c": {"version": "x.git", "source": "git", "hash": "../.."}}}).encode()
    assert only(read_packages(None, lock)).folders == ()


def test_mutations() -> None:
    base = manifest(a_b="file:../x", c="https://example.org/c.git", d="1.0.0", e={"version": "1.0.0", "source": "git"})
    source = random.Random(7)
    for _ in range(2000):
        changed = bytearray(base)
        for _ in range(source.randint(1, 4)):
            changed[source.randrange(len(changed))] = source.choice(b'{}[]":,./\\0a\x00\xff')
        found = read_packages(bytes(changed), bytes(changed))
        for package in found.packages:
            if package.source != "local":
                assert all(".." not in folder.split("/") for folder in package.folders)


def test_folders_are_found_on_disk(tmp_path: Path) -> None:
    root = tmp_path / "Project"
    lock = {
        "exact": {"version": "1.0.0", "source": "registry"},
        "hashed": {"version": "2.0.0", "source": "registry"},
        "stale": {"version": "2.0.0", "source": "registry"},
        "git": {"version": "x.git", "source": "git", "hash": COMMIT},
        "gone": {"version": "file:../../Nowhere", "source": "local"},
        "local": {"version": "file:../../Shared", "source": "local"},
        "tar": {"version": "file:../tar.tgz", "source": "local-tarball"},
        "twice": {"version": "file:../twice.tgz", "source": "local-tarball"},
    }
    folders = {
        "Library/PackageCache/exact@1.0.0": "1.0.0",
        "Library/PackageCache/hashed@57cef44123c7": "2.0.0",
        "Library/PackageCache/hashed@aaaaaaaaaaaa": "1.0.0",
        "Library/PackageCache/stale@aaaaaaaaaaaa": "1.0.0",
        f"Library/PackageCache/git@{COMMIT[:10]}": "0.1.0",
        "Library/PackageCache/tar@00": "1.0.0",
        "Library/PackageCache/twice@00": "1.0.0",
        "Library/PackageCache/twice@01": "1.0.0",
        "Packages/embedded": "1.0.0",
        "../Shared": "1.0.0",
    }
    for folder, version in folders.items():
        path = root / folder
        path.mkdir(parents=True)
        (path / "package.json").write_text(json.dumps({"name": "x", "version": version}))
    (root / "Packages" / "no package").mkdir()
    (root / "Packages" / "packages-lock.json").write_text(json.dumps({"dependencies": lock}))
    (root / "Packages" / "manifest.json").write_text("{")
    found, problems, *_ = locate_packages(str(root))
    assert [file for file, _ in problems] == [MANIFEST]
    paths = {item.package.name: item.folder for item in found}
    located = {name: path and Path(os.path.relpath(path, root)).as_posix() for name, path in paths.items()}
    assert located == {
        "embedded": "Packages/embedded",
        "exact": "Library/PackageCache/exact@1.0.0",
        "git": f"Library/PackageCache/git@{COMMIT[:10]}",
        "gone": "",
        "hashed": "Library/PackageCache/hashed@57cef44123c7",
        "local": "../Shared",
        "stale": "",
        "tar": "Library/PackageCache/tar@00",
        "twice": "",
    }


def test_a_folder_that_is_no_project(tmp_path: Path) -> None:
    assert locate_packages(str(tmp_path))[:2] == ([], ())


@pytest.mark.corpus("unity/PhysicsExamples2D", "unity/BoatAttack", "unity/FPSSample", "unity/unity-explorer")
def test_real_projects(corpus: Path) -> None:
    found, problems, *_ = locate_packages(str(corpus / "unity" / "PhysicsExamples2D" / "Primer"))
    assert problems == ()
    local = {item.package.name: item.folder for item in found if item.package.source == "local"}
    assert list(local) == ["com.unity.2d.physics.extras"]
    assert (corpus / "unity/PhysicsExamples2D/Packages/com.unity.2d.physics.extras").samefile(*local.values())
    found, problems, *_ = locate_packages(str(corpus / "unity" / "FPSSample"))
    assert problems == ()
    embedded = {item.package.name for item in found if item.package.source == "embedded"}
    assert embedded == {
        "com.unity.postprocessing",
        "com.unity.render-pipelines.high-definition",
        "com.unity.transport",
        "com.unity.visualeffectgraph",
    }
    found, problems, *_ = locate_packages(str(corpus / "unity" / "unity-explorer" / "Explorer"))
    assert problems == ()
    assert sum(item.package.source == "git" for item in found) == 26
    assert all(len(item.package.folders) == 3 for item in found if item.package.source == "git")
    assert sum(item.package.source == "builtin" for item in found) > 30


MANIFESTS = (
    b'{"dependencies": {"com.acme.a": "1.2.3", "com.acme.b": "file:../b"}}',
    b' \t\r\n{"dependencies": {"com.acme.a": "1.2.3", "com.acme.a": "2.0.0"}}\n',
    b'\xef\xbb\xbf{"dependencies": {"com.acme.a": "1.2.3"}}',
    '{"dependencies": {"com.acme.a": "1.2.3"}}'.encode("utf-16"),
    b'{"dependencies": {"com.acme.a": "1.2.3"}, "testables": NaN}',
    b'{"dependencies": {"com.acme.a": "1.2.3",}} // a comma too many',
    '{"dependencies": {"com.acme.a": "1.2.3"}}\u00a0'.encode(),
    b'{"dependencies": {"com.acme.a": "1.2.3"}} {}',
    b'{"dependencies": {"com.acme.a": "1.2.3"}, "x": "\xed\xa0\x80"}',
    b'{"dependencies": {"com.acme.a": "1.2.3"}, "x": "\x01"}',
    b"[" * 100_000,
    b"[]",
    b"",
)


@pytest.mark.parametrize("data", MANIFESTS)
def test_the_quick_reader_of_json_says_what_the_other_does(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = packages.read_packages(data, None)

    def refuses(text: str) -> object:
        raise ValueError(text[:0])

    monkeypatch.setattr(packages, "read_json", refuses)
    assert packages.read_packages(data, None) == quick


def test_requirers_are_the_manifest_and_packages() -> None:
    lock = {
        "a.b": {"version": "1.0.0", "dependencies": {"c.d": "1.0.0", "e.f": "2.0.0"}},
        "c.d": {"version": "1.0.0", "dependencies": {"e.f": "2.0.0"}},
        "e.f": {"version": "2.0.0"},
        "odd": 3,
        "g.h": {"dependencies": 3},
    }
    found = requirers(manifest(a_b="1.0.0", e_f="2.0.0"), json.dumps({"dependencies": lock}).encode())
    assert found == {"a.b": (MANIFEST,), "e.f": (MANIFEST, "a.b", "c.d"), "c.d": ("a.b",)}
    assert requirers(None, None) == requirers(b"damaged", b"{") == {}


@pytest.mark.parametrize(
    ("name", "version", "is_one"),
    [("a.b", "1.0.0", True), ("a b", "1.0.0", False), ("../a", "1.0.0", False), ("a.b", "", False)],
)
def test_a_package_that_another_needs_has_a_name_and_a_version(name: str, version: str, *, is_one: bool) -> None:
    found = listed_package(name, version)
    assert (found is not None) is is_one
    if found is not None:
        assert (found.name, found.version, found.folders) == (name, version, (f"{CACHE}/{name}@{version}",))


@pytest.mark.parametrize(
    ("asked", "lock", "is_whole", "is_locked"),
    [
        (None, None, False, False),
        (b"{}", None, True, False),
        (None, b"{}", False, True),
        (b"{}", b"{}", True, True),
        (b"[", b"{}", False, True),
        (b"{}", b"[", True, False),
    ],
)
def test_a_file_that_was_read_is_told(
    asked: bytes | None, lock: bytes | None, *, is_whole: bool, is_locked: bool
) -> None:
    found = read_packages(asked, lock)
    assert (found.is_whole, found.is_locked) == (is_whole, is_locked)
