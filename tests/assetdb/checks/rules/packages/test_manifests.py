"""The manifest and the lock file of packages: what Unity could not read, and local packages that are not there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.packages.manifests import find_invalid_packages, find_problems
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST, LOCK = "Packages/manifest.json", "Packages/packages-lock.json"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
MERGE = b'{"dependencies": {\n<<<<<<< HEAD\n"a": "1",\n=======\n"a": "2",\n>>>>>>> other\n}}\n'
NO_OBJECT = "has no object `dependencies`: Unity cannot read it"


def problems(root: Path, data: bytes, path: str = MANIFEST) -> list[tuple[str, int, str]]:
    (root / "Packages").mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data)
    found = found_by(find_problems, root)
    assert {row.code for row in found} <= {"package-manifest"}
    return [(row.path, row.line, row.message) for row in found]


@pytest.mark.parametrize("path", [MANIFEST, LOCK])
@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b'{"dependencies": {\n  "a": }}', 2, "is not JSON: Unity cannot read it"),
        (b"", 1, "is not JSON: Unity cannot read it"),
        (b'{"a": "\xff"}', 0, "is not JSON: Unity cannot read it"),
        (POINTER, 1, "the file is a Git LFS pointer"),
        (MERGE, 2, "an unresolved merge"),
        (b"[" * 100_000, 0, "is nested too deeply to be a package manifest"),
        (b"[]", 0, NO_OBJECT),
        (b'{"dependencies": []}', 0, NO_OBJECT),
    ],
)
def test_a_file_that_unity_cannot_read_is_a_finding_with_its_line(
    tmp_path: Path, path: str, data: bytes, line: int, message: str
) -> None:
    assert problems(tmp_path / "Game", data, path) == [(path, line, message)]


@pytest.mark.parametrize("data", [b"{}", b'{"dependencies": {}}', b'\xef\xbb\xbf{"dependencies": {"a": "1.0.0"}}'])
def test_a_file_without_dependencies_or_with_a_byte_order_mark_is_valid(tmp_path: Path, data: bytes) -> None:
    assert problems(tmp_path / "Game", data) == []


def test_a_local_package_is_looked_for_from_the_packages_folder(tmp_path: Path) -> None:
    root = tmp_path / "Game"
    for folder in (tmp_path / "shared", root / "Packages/inside"):
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"name": "com.acme.local", "version": "1.0.0"}')
    (tmp_path / "packed.tgz").write_bytes(b"")
    asked = {
        "com.acme.shared": "file:../../shared",
        "com.acme.inside": "file:inside",
        "com.acme.back": "file:..\\..\\shared",
        "com.acme.absolute": f"file:{tmp_path.as_posix()}/shared",
        "com.acme.packed": "file:../../packed.tgz",
        "com.acme.registry": "1.0.0",
        "com.acme.preview": "0.1.0-preview.3",
        "com.acme.git": "https://example.com/tools.git?path=/a#v1",
        "com.unity.ads": "exclude",
    }
    assert problems(root, json.dumps({"dependencies": asked}, indent=2).encode()) == []


@pytest.mark.parametrize("asked", ["file:../../gone", "file:gone", "file:/gone/for/good", "file:Q:/gone"])
def test_a_local_package_that_is_not_there_is_named_at_its_line(tmp_path: Path, asked: str) -> None:
    root = tmp_path / "Game"
    document = json.dumps({"dependencies": {"com.acme.a": "1.0.0", "com.acme.b": asked}}, indent=2).encode()
    assert problems(root, document) == [(MANIFEST, 4, f"com.acme.b is requested as {asked}, which does not exist")]
    assert [row.property_path for row in found_by(find_problems, root)] == ["dependencies.com.acme.b"]


def test_a_name_at_the_very_start_and_one_that_is_written_escaped_have_their_lines(tmp_path: Path) -> None:
    said = "is requested as file:gone, which does not exist"
    root = tmp_path / "Game"
    assert problems(root, b'{"dependencies": {"b": "file:gone"}}') == [(MANIFEST, 1, f"b {said}")]
    assert problems(root, b'{"dependencies": {"\\u0062": "file:gone"}}') == [(MANIFEST, 1, f"b {said}")]


def test_a_scope_of_a_registry_is_not_the_line_of_its_package(tmp_path: Path) -> None:
    scopes = b'{\n "scopedRegistries": [{"url": "https://a.example", "scopes": [\n  "com.acme"\n ]}],\n'
    data = scopes + ' "dependencies": {\n  "com.acme": "x",\n  "com.größe": "x"\n }\n}'.encode()
    assert [line for _, line, _ in problems(tmp_path / "Game", data)] == [6, 7]


def test_local_packages_of_the_lock_file_are_left_to_the_manifest(tmp_path: Path) -> None:
    assert problems(tmp_path / "Game", b'{"dependencies": {"b": "file:gone"}}', LOCK) == []


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("com.acme.a", 3, "is requested as something that is not text"),
        ("com.acme.a", None, "is requested as something that is not text"),
        ("com.acme.a", "", "is requested as '': no name or no version of a package"),
        ("com.acme.a", "one and two", "is requested as 'one and two': no name or no version of a package"),
        ("../evil", "1.0.0", "is requested as '1.0.0': no name or no version of a package"),
        ("com.acme.a", "^1.0.0", "is requested as '^1.0.0': no name or no version of a package"),
        ("com.acme.a", "latest", "is requested as 'latest', which is no version"),
        ("com.acme.a", "1.0", "is requested as '1.0', which is no version"),
        ("com.acme.a", "file:.", "is requested as file:., which has no package.json"),
    ],
)
def test_an_entry_of_which_unity_makes_no_package(tmp_path: Path, name: str, asked: object, said: str) -> None:
    document = json.dumps({"dependencies": {"com.unity.ugui": "1.0.0", name: asked}}, indent=2).encode()
    assert problems(tmp_path / "Game", document) == [(MANIFEST, 4, f"{name} {said}")]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"version": []}, "has no version that is text"),
        ([], "has no version that is text"),
        ({"version": "one and two"}, "has 'one and two', which is no version"),
    ],
)
def test_an_entry_of_the_lock_without_a_version(tmp_path: Path, entry: object, said: str) -> None:
    document = json.dumps({"dependencies": {"com.acme.a": entry}}).encode()
    assert problems(tmp_path / "Game", document, LOCK) == [(LOCK, 1, f"com.acme.a {said}")]


def test_packages_that_need_each_other_are_no_finding(tmp_path: Path) -> None:
    needs = {"com.acme.a": "com.acme.b", "com.acme.b": "com.acme.a"}
    rows = {name: {"version": "1.0.0", "dependencies": {needed: "1.0.0"}} for name, needed in needs.items()}
    assert problems(tmp_path / "Game", json.dumps({"dependencies": rows}).encode(), LOCK) == []


def faults_of_package(root: Path, data: bytes, folder: str = "com.acme.tools") -> list[tuple[int, str, str]]:
    place = root / "Packages" / folder
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_bytes(data)
    found = found_by(find_invalid_packages, root)
    assert {row.path for row in found} <= {f"Packages/{folder}/package.json"}
    return [(row.line, row.property_path, row.message.removesuffix(": Unity resolves no package")) for row in found]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", (0, "", "is empty")),
        (b"[]", (0, "", "is no JSON object")),
        (b'{"version": "1.0.0"}', (0, "name", "has no name")),
        (b'{"name": "com.acme.tools"}', (0, "version", "has no version")),
        (b'{"name": "com.acme.tools", "version": 2}', (1, "version", "has no version")),
        (
            b'{\n  "name": "acme tools",\n  "version": "1.0.0"\n}',
            (2, "name", "has the name 'acme tools', which is no name of a package"),
        ),
        *(
            (
                b'{\r\n  "name": "com.acme.tools",\r\n  "version": "%b"\r\n}' % version.encode(),
                (3, "version", f"has the version {version!r}, which is no version (1.2.3)"),
            )
            for version in ("1.0", "1.6.2.1", "4.6.7hf0", "2023.02.08-rc1", "latest", "^1.0.0")
        ),
        (
            b'{"name": "com.acme.tools", "version": "1.0.0", "unity": "2020.3.45f1"}',
            (1, "unity", "has `unity` '2020.3.45f1', where Unity takes year and version alone (2021.3)"),
        ),
    ],
)
def test_an_embedded_package_that_unity_refuses(tmp_path: Path, data: bytes, expected: tuple[int, str, str]) -> None:
    assert faults_of_package(tmp_path / "Game", data) == [expected]


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"name": "com.acme.tools", "version": "1.2.3-pre.1+build.05", "unity": "6000.0"}',
        b'{"name": "com.Acme.Tools", "version": "v1.0.0", "unity": ""}',
        b'{"name": ',  # another code tells
        POINTER,
        b'{\n<<<<<<< HEAD\n"name": "a",\n=======\n"name": "b",\n>>>>>>> other\n}\n',
    ],
)
def test_an_embedded_package_that_unity_takes_or_another_code_tells(tmp_path: Path, data: bytes) -> None:
    assert faults_of_package(tmp_path / "Game", data) == []


@pytest.mark.parametrize("folder", [".hidden", "com.acme.old~"])
def test_a_folder_that_unity_ignores_is_no_package(tmp_path: Path, folder: str) -> None:
    assert faults_of_package(tmp_path / "Game", b"{}", folder) == []


@pytest.mark.parametrize(
    ("registries", "place", "why"),
    [
        ({}, "", "is no list"),
        (["x"], "[0]", "is no JSON object"),
        ([{"name": "A", "url": "https://a.example", "scopes": []}], "[0].scopes", "has no scopes"),
        ([{"name": "A", "url": "https://a.example"}], "[0].scopes", "has no scopes"),
        ([{"name": "A", "scopes": ["com.acme"]}], "[0].url", "has no url"),
    ],
)
def test_a_registry_that_unity_refuses(tmp_path: Path, registries: object, place: str, why: str) -> None:
    root = tmp_path / "Game"
    data = b'{"dependencies": {},\n"scopedRegistries": ' + json.dumps(registries).encode() + b"}"
    message = f"a registry of packages {why}: Unity loads no package"
    assert problems(root, data) == [(MANIFEST, 2, message)]
    assert [row.property_path for row in found_by(find_problems, root)] == [f"scopedRegistries{place}"]


@pytest.mark.parametrize("registries", [[], [{"name": "", "url": "https://a.example", "scopes": ["com.acme"]}]])
def test_a_registry_that_unity_takes(tmp_path: Path, registries: object) -> None:
    data = json.dumps({"dependencies": {}, "scopedRegistries": registries}).encode()
    assert problems(tmp_path / "Game", data) == []
