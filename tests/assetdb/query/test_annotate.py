"""YAML with names beside the ids, as a project has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.query.annotate import annotated
from assetdb.query.snapshots.snapshot import open_project
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.snapshots.snapshot import Snapshot

BUILT_IN = "0000000000000000e000000000000000"
HEAD = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &5\nGameObject:\n  m_Name: Mine\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    found = open_project(str(make_project(tmp_path_factory.mktemp("annotate") / "Game")))
    yield found
    found.close()


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        (f"  a: {{fileID: 100, guid: {guid(1)}, type: 3}}", "Player.prefab (GameObject)"),
        (f"  a: {{fileID: 11500000, guid: {guid(3)}, type: 3}}", "Health.cs"),
        (f"  a: {{fileID: 12345, guid: {guid(1)}, type: 3}}", "Player.prefab: dangling"),
        (f"  a: {{fileID: 12345, guid: {guid(77)}, type: 3}}", "missing-asset"),
        (
            "  a: {fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}",
            "unity default resources / Cube (Mesh)",
        ),
        (f"  a: {guid(3)}", "Health.cs"),
        (f"  a: {guid(77)}", ""),  # 16 bytes that nothing has are a hash
        ("  a: {fileID: 5}", "Mine (GameObject)"),
        ("  a: {fileID: 0}", ""),
        ("  a: text", ""),
    ],
)
def test_a_line_has_the_name_of_what_it_refers_to(project: Snapshot, line: str, comment: str) -> None:
    found = annotated(f"{HEAD}{line}\n".encode(), project.resolver).decode()
    assert found == f"{HEAD}{line}{f' # {comment}' if comment else ''}\n"


def test_each_text_has_its_own_objects(project: Snapshot) -> None:
    text = f"{HEAD}  a: {{fileID: 5}}\n"
    for name in ("Mine", "Yours", "Mine"):
        assert f"# {name} (GameObject)" in annotated(text.replace("Mine", name).encode(), project.resolver).decode()
