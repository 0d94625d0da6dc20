"""``assetdb annotate``: a link out of the project shows nothing of what it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.unity_project import make_project
from tests.needs import needs_links

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_links


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "Project"
    make_project(root)
    (tmp_path / "key").write_text("a secret\n")
    (root / "Assets" / "Key.prefab").symlink_to(tmp_path / "key")
    (root / "Assets" / "Near.prefab").symlink_to("Key.prefab")
    return root


@pytest.mark.parametrize("words", [(), ("--textconv",)])
@pytest.mark.parametrize("name", ["Key.prefab", "Near.prefab"])
def test_a_link_out_of_the_project_is_refused(
    project: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], name: str
) -> None:
    assert main(["annotate", *words, str(project / "Assets" / name)]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert f"{name}: is a link out of the project, to {project.parent / 'key'}: name that file" in said.err


@pytest.mark.parametrize("words", [(), ("--textconv",)])
def test_a_file_in_a_linked_folder_out_of_the_project_is_refused(
    project: Path, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (project / "Assets" / "Linked").symlink_to(project.parent)
    (project / "Assets" / "Again").symlink_to("Linked")
    for name in ("Linked/key", "Again/key", "Linked/Project/../key"):
        assert main(["annotate", *words, str(project / "Assets" / name)]) == 2
        said = capfd.readouterr()
        assert said.out == ""
        assert f"is a link out of the project, to {project.parent / 'key'}: name that file" in said.err


def test_a_project_whose_assets_are_those_of_another_is_annotated(
    project: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / "Assets" / "Text.asset").write_text("text\n")
    clone = tmp_path / "Clone"
    clone.mkdir()
    for name in ("Assets", "ProjectSettings"):
        (clone / name).symlink_to(project / name)
    (tmp_path / "Near").symlink_to(clone)
    for root in (clone, tmp_path / "Near"):
        assert main(["annotate", str(root / "Assets" / "Text.asset")]) == 0
        assert capfd.readouterr().out == "text\n"


def test_who_asks_for_it_is_shown_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["annotate", "--project", str(project), str(tmp_path / "key")]) == 0
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "assetdb").mkdir(parents=True)
    (tmp_path / "config" / "assetdb" / "config.toml").write_text("follow-links = true\n")
    assert main(["annotate", str(project / "Assets" / "Key.prefab")]) == 0
    assert capfd.readouterr().out == "a secret\na secret\n"


def test_a_link_inside_the_project_is_annotated(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "Assets" / "Text.asset").write_text("text\n")
    (project / "Assets" / "Link.asset").symlink_to("Text.asset")
    assert main(["annotate", str(project / "Assets" / "Link.asset")]) == 0
    assert capfd.readouterr().out == "text\n"
