"""Assets as build layouts have them: their bytes, and what changed; ``size --by asset`` and ``diff`` with layouts."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.builds.query.layouts import AssetBytes, AssetChange, asset_changes, assets_of, totals
from assetdb.cli import main
from assetdb_formats.addressables.companions.layout import BuildLayout, LayoutAsset, LayoutBundle, LayoutImplicit
from assetdb_formats.addressables.flavour import JSON_FLAVOURS
from tests.assetdb_formats.addressables.builder import make_content, make_layout, write

if TYPE_CHECKING:
    from pathlib import Path

HASHES = ("0" * 32, "1" * 32)
ROCK, MOSS, SKY = ("a" * 32, "b" * 32, "c" * 32)


def layout(hash_of_content: str, *rows: tuple[str | None, str, int, int, tuple[str, ...] | None]) -> BuildLayout:
    """Return a layout of two bundles; rows are GUID, path, bundle, bytes, and who pulled it in (None: an entry)."""
    bundles = tuple(
        LayoutBundle(f"{name}_assets_all_{hash_of_content}.bundle", None, name, 1, None, None, None, None)
        for name in ("stone", "air")
    )
    assets = tuple(LayoutAsset(guid, path, None, path, (), at, size) for guid, path, at, size, by in rows if by is None)
    implicit = tuple(LayoutImplicit(guid, path, at, size, by) for guid, path, at, size, by in rows if by is not None)
    return BuildLayout("json", None, None, None, None, bundles, assets, implicit)


def test_an_asset_in_two_bundles_is_one_row() -> None:
    found = layout(
        HASHES[0],
        (ROCK, "Assets/Rock.mat", 0, 10, None),
        (MOSS, "Assets/Moss.png", 0, 300, ("Assets/Rock.mat",)),
        (MOSS, "Assets/Moss.png", 1, 200, ("Assets/Sky.mat",)),
    )
    both = ("stone_assets_all.bundle", "air_assets_all.bundle")
    assert [tuple(row) for row in totals(assets_of([found]))] == [
        ("Assets/Moss.png", MOSS, 500, True, both),
        ("Assets/Rock.mat", ROCK, 10, False, both[:1]),
    ]
    assert totals(assets_of([])) == []


def changes(before: BuildLayout, after: BuildLayout) -> list[tuple[str, int | None, int | None]]:
    def size(item: AssetBytes | None) -> int | None:
        return None if item is None else item.size

    found = asset_changes(assets_of([before]), assets_of([after]))
    return [
        (next(item.path for item in (row.after, row.before) if item is not None), size(row.before), size(row.after))
        for row in found
    ]


def test_what_changed_by_bundle_and_guid_else_by_path() -> None:
    before = layout(
        HASHES[0],
        (ROCK, "Assets/Rock.mat", 0, 10, None),
        (MOSS, "Assets/Old/Moss.png", 0, 300, ("Assets/Rock.mat",)),
        (None, "Assets/Text.png", 1, 5, ("Assets/Sky.mat",)),  # of a text layout
        (SKY, "Assets/Sky.mat", 1, 7, None),
    )
    after = layout(
        HASHES[1],
        (ROCK, "Assets/Rock.mat", 0, 10, None),
        (MOSS, "Assets/New/Moss.png", 0, 340, ("Assets/Rock.mat",)),
        (MOSS, "Assets/New/Moss.png", 1, 340, ("Assets/Sky.mat",)),
        ("d" * 32, "assets/text.png", 1, 6, ("Assets/Sky.mat",)),
    )
    assert changes(before, after) == [
        ("Assets/New/Moss.png", None, 340),
        ("Assets/New/Moss.png", 300, 340),
        ("Assets/Sky.mat", 7, None),
        ("assets/text.png", 5, 6),
    ]
    assert changes(before, before) == []
    added = asset_changes([], assets_of([after]))
    assert {row.before for row in added} == {None}
    assert AssetChange(None, AssetBytes(ROCK, "Assets/Rock.mat", "stone_assets_all.bundle", 10, False, ())) in added  # noqa: FBT003 - a row


def write_build(folder: Path, size: int) -> Path:
    folder.mkdir()
    (folder / "catalog.json").write_bytes(write(make_content(), JSON_FLAVOURS["1.28"]))
    known = make_layout()
    for item in known["references"]["RefIds"]:
        if item["rid"] == 31:
            item["data"]["SerializedSize"] = size
    (folder / "buildlayout.json").write_text(json.dumps(known))
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["build", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = write_build(tmp_path / "before", 300), write_build(tmp_path / "after", 350)
    sword = "Assets/Art/Icons/sword.png"
    code, out, _ = run(capsys, "size", "--by", "asset", after)
    assert (code, [line.split() for line in out.splitlines()[1:]]) == (0, [[sword, "750", "1"], ["all", "750"]])
    code, out, _ = run(capsys, "size", "--by", "asset", after, "--json")
    assert json.loads(out)["bundles"] == ["group_1_assets_all.bundle"]
    code, out, _ = run(capsys, "diff", before, after)
    assert code == 1
    assert f"    ~ {sword}  700 -> 750 bytes  in group_1_assets_all.bundle" in out.splitlines()
    assert "; 0 bytes to download" in out  # players get no layout
    code, out, _ = run(capsys, "diff", before, after, "--json")
    rows: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert [row["asset"]["after"]["size"] for row in rows if "asset" in row] == [750]
    (after / "buildlayout.json").unlink()
    code, out, _ = run(capsys, "diff", before, after)
    assert "build layouts" not in out
    code, out, err = run(capsys, "size", "--by", "asset", after)
    assert (code, out) == (2, "")
    assert "there is no layout beside the build" in err


def test_layouts_of_the_same_bundles_are_said_to_be_added_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = write_build(tmp_path / "before", 300), write_build(tmp_path / "after", 350)
    code, out, err = run(capsys, "size", "--by", "asset", before, after)
    assert (code, "1,450" in out) == (0, True)
    assert err == "assetdb: 2 build layouts of the same bundles are added up: name only one of the files\n"
    assert run(capsys, "size", "--by", "asset", before, after, "-q")[2] == ""
    assert run(capsys, "size", "--by", "asset", before / "buildlayout.json")[2] == ""


def test_a_broken_layout_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_build(tmp_path / "build", 300)
    (folder / "buildlayout.json").write_text('{"references": ')
    code, out, err = run(capsys, "size", "--by", "asset", folder)
    assert (code, "sword" in out) == (2, False)
    assert "buildlayout.json" in err


def test_names_that_no_encoding_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_build(tmp_path / "build", 300)
    text = (folder / "buildlayout.json").read_text()
    (folder / "buildlayout.json").write_text(text.replace("Assets/Art/Icons/sword.png", "Assets/\\ud800\\u001b[1m.png"))
    for words in ((), ("--json",)):
        code, out, _ = run(capsys, "size", "--by", "asset", folder, *words)
        assert (code, "\x1b" in out) == (0, False)
        out.encode()


@pytest.mark.corpus("addressables")
def test_two_builds_of_a_real_project(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pinpoint of 2023 and of 2024, by layouts of two eras of the package: shaders grew, and what packs them."""
    data = corpus / "addressables/data/pinpoint"
    for name, file in (
        ("before", "2023-11-29_4d809fe1_buildlayout_2023.11.29.21.33.27.json"),
        ("after", "2024-10-02_b0d94515_buildlayout.json"),
    ):
        (tmp_path / name).mkdir()
        shutil.copy(data / file, tmp_path / name / "buildlayout.json")
    code, out, _ = run(capsys, "diff", tmp_path / "before", tmp_path / "after", "--json")
    rows = [row["asset"] for line in out.splitlines() if "asset" in (row := json.loads(line))]
    assert (code, len(rows)) == (1, 8)
    graph = rows[0]["after"]
    assert graph["path"] == "Assets/Shaders/SkullCraniotomyShader.shadergraph"
    assert (rows[0]["before"]["size"], graph["size"], graph["pulled_in"]) == (47_552, 53_068, True)
    _, out, _ = run(capsys, "size", "--by", "asset", tmp_path / "after")
    assert out.splitlines()[-1].split() == ["all", "39,881,924"]
