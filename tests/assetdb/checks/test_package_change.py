"""What a project loses without a package, and which GUIDs a new one shares with it."""

from __future__ import annotations

import io
import json
import random
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from assetdb.checks.package_change import Shared, with_package, without
from assetdb.errors import UsageError
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.packages.packages_project import TEXT, TMP, depend, package, put, tools_and_text
from tests.assetdb.unity_project import guid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from assetdb.query.snapshots.snapshot import Snapshot

UGUI = "fe87c0e1cc204ed48ad3b37840f39efc"  # Image.cs


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tools_and_text(tmp_path / "P")


@pytest.fixture
def project(root: Path) -> Iterator[Snapshot]:
    opened = open_project(str(root))
    opened.refresh()
    yield opened
    opened.close()


def test_without_a_package_what_only_it_needs_goes(project: Snapshot) -> None:
    found = without(project, "com.unity.textmeshpro")
    # Its package.json names ugui, and that two modules.
    assert {"com.unity.textmeshpro", "com.unity.ugui"} <= set(found.packages)
    assert "com.acme.tools" not in found.packages
    assert [(row.user, row.target, row.guid, row.is_script) for row in found.lost] == [
        ("Assets/Text.asset", TEXT, TMP, True)
    ]


def test_a_package_that_another_one_needs_stays(root: Path) -> None:
    locked = {
        "com.unity.textmeshpro": {
            "version": "3.0.6",
            "source": "registry",
            "dependencies": {"com.unity.ugui": "1.0.0"},
        },
        "com.unity.ugui": {"version": "1.0.0", "source": "builtin", "dependencies": {}},
    }
    depend(root, com_unity_textmeshpro="3.0.6", com_unity_ugui="1.0.0")
    (root / "Packages/packages-lock.json").write_text(json.dumps({"dependencies": locked}))
    opened = open_project(str(root))
    found = without(opened, "com.unity.ugui")
    opened.close()
    assert (found.packages, found.kept_by, found.lost) == ((), ("com.unity.textmeshpro",), ())


def test_a_package_goes_also_where_needs_of_another_are_unknown(root: Path) -> None:
    depend(root, com_unity_textmeshpro="3.0.6", com_unity_ugui="1.0.0", com_acme_vendor="1.0.0")
    opened = open_project(str(root))
    found = without(opened, "com.unity.textmeshpro")
    opened.close()
    assert (found.packages, found.unknown) == (("com.unity.textmeshpro",), ("com.acme.vendor",))
    assert [row.guid for row in found.lost] == [TMP]  # which ugui has from 2.0.0 on only


def test_who_keeps_a_package_is_known_without_a_lock(root: Path) -> None:
    depend(root, com_unity_textmeshpro="3.0.6", com_unity_ugui="1.0.0", com_acme_vendor="1.0.0")
    opened = open_project(str(root))
    found = without(opened, "com.unity.ugui")
    opened.close()
    assert (found.packages, found.kept_by, found.lost) == ((), ("com.unity.textmeshpro",), ())


def test_a_package_that_is_not_required_cannot_go(project: Snapshot) -> None:
    with pytest.raises(UsageError, match="does not require"):
        without(project, "com.unity.timeline")


def test_a_public_package_may_share_guids_with_another(root: Path) -> None:
    depend(root, com_unity_ugui="2.0.0")  # has TextMesh Pro
    opened = open_project(str(root))
    found = with_package(opened, "com.unity.textmeshpro@3.0.6")
    opened.close()
    other = "Packages/com.unity.ugui/Runtime/TMP/TextMeshProUGUI.cs"
    assert Shared(TMP, "Scripts/Runtime/TextMeshProUGUI.cs", other) in found.shared
    assert UGUI not in {row.guid for row in found.shared}


def test_a_folder_may_share_guids_with_the_project(project: Snapshot, tmp_path: Path) -> None:
    other = package(tmp_path / "Other")
    put(other, "A/b.asset", 40)
    put(other, "c.asset", 41)
    found = with_package(project, str(other))
    assert (found.name, found.files) == ("Other", 2)
    assert found.shared == (Shared(guid(40), "A/b.asset", "Assets/user.asset"),)


def archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for name, data in files.items():
            row = tarfile.TarInfo(name)
            row.size = len(data)
            made.addfile(row, io.BytesIO(data))
    return path


def test_a_tarball_is_read_in_place(project: Snapshot, tmp_path: Path) -> None:
    files = {
        "package/package.json": b"{}",
        "package/A/b.asset.meta": f"guid: {guid(40)}\n".encode(),
        "package/Samples~/c.asset.meta": f"guid: {guid(12)}\n".encode(),  # Unity does not import it
        "package/../../d.meta": f"guid: {guid(41)}\n".encode(),
    }
    found = with_package(project, str(archive(tmp_path / "a.tgz", files)))
    assert found.shared == (Shared(guid(40), "A/b.asset", "Assets/user.asset"),)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["P", "a.tgz"]


@pytest.mark.parametrize(
    "wanted", ["com.acme.nobody@1.0.0", "com.unity.textmeshpro@99.0.0", "com.unity.textmeshpro", "gone.tgz", "bad.tgz"]
)
def test_what_cannot_be_read_is_said(
    project: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.tgz").write_bytes(b"\x1f\x8b no archive")
    with pytest.raises(UsageError, match=f"--with {wanted}"):
        with_package(project, wanted)


def test_a_damaged_tarball_ends_in_one_line(project: Snapshot, tmp_path: Path) -> None:
    """Random bytes in the middle, which the decompressor and not the archive may find."""
    chance = random.Random(5)
    files = {f"package/Runtime/f{number}.cs.meta": f"guid: {guid(number)}\n".encode() for number in range(80)}
    whole = archive(tmp_path / "whole.tgz", files).read_bytes()
    for number in range(60):
        data = bytearray(whole)
        for _ in range(1 + number % 4):
            data[chance.randrange(12, len(data))] = chance.randrange(256)
        place = tmp_path / f"bad{number}.tgz"
        place.write_bytes(data[: chance.randrange(20, len(data))] if number % 3 == 0 else data)
        with suppress(UsageError):
            assert len(with_package(project, str(place)).shared) <= len(files)
