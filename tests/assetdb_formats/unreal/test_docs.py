"""What docs/unreal*.md show is what happens: commands with their output, and the code for programs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from assetdb.cli import main
from tests.assetdb_formats.unreal.containers.making import build, save
from tests.assetdb_formats.unreal.package_writer import full
from tests.assetdb_formats.unreal.scanning.test_database import MAP, package

DOCS = Path(__file__).parents[3] / "docs"


def blocks(name: str) -> list[str]:
    """Return the indented blocks of a page."""
    text = (DOCS / name).read_text("utf-8")
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    return ["".join(line[4:] or "\n" for line in block.splitlines(keepends=True)).strip("\n") for block in found]


def transcripts(name: str) -> list[tuple[str, str]]:
    """Return the commands of a page, each with what is shown below it."""
    found = []
    for block in blocks(name):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip("\n")))
    return found


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    content = tmp_path / "Game" / "Content"
    for name, data in {
        "Maps/Town.umap": package(("/Game/Mesh",), class_name="World", flags=MAP),
        "Mesh.uasset": package(("/Game/Old/Texture", "/Engine/Basic")),
        "Old/Texture.uasset": package(("/Game/New/Texture",), class_name="ObjectRedirector"),
        "New/Texture.uasset": package(class_name="Texture2D"),
        "Table.uasset": package((), ("/Game/Icon", "/Game/Table"), class_name="DataTable"),
        "Icon.uasset": package(class_name="Texture2D"),
        "Lonely.uasset": package(("/Game/Gone",)),
        "Thing.uasset": full(-8, 522, 1009).data(),
    }.items():
        path = content / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (content.parent / "Game.uproject").write_text("{}")
    save(content.parent / "Paks", "pakchunk0-Windows", build())
    (content.parent / "Paks").rename(tmp_path / "Paks")
    monkeypatch.chdir(content.parent)
    return content.parent


SHOWN = [(command, output) for command, output in transcripts("unreal.md") if output and command.startswith("assetdb")]


def test_there_is_something_to_compare() -> None:
    assert len(SHOWN) > 8


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_command_prints_what_the_page_shows(
    command: str, output: str, scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert scene.is_dir()
    main(shlex.split(command)[1:])
    captured = capsys.readouterr()
    printed = (captured.out + captured.err).rstrip("\n")
    if output.endswith("\n..."):  # the page shows the beginning
        assert printed.startswith(output.removesuffix("..."))
    else:
        assert printed == output


@pytest.mark.parametrize("page", ["unreal.md", "unreal-containers.md"])
def test_the_code_for_programs_runs(
    page: str, scene: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if page == "unreal-containers.md":
        monkeypatch.chdir(scene.parent)
    codes = [block for block in blocks(page) if block.startswith("import ")]
    assert len(codes) == 1
    exec(compile(codes[0], page, "exec"), {})  # noqa: S102 - our own page
    printed = capsys.readouterr().out
    if page == "unreal-containers.md":
        assert "['/Game/Meshes/Rock']" in printed
        assert "True" in printed
    else:
        assert "Thing.uasset 5.2 to 5.3 [TaggedAsset(" in printed
