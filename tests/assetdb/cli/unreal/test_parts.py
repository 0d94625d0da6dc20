"""`assetdb unreal parts`: what lies behind the exports, and its bytes."""

from __future__ import annotations

import json
from pathlib import Path
from struct import pack
from typing import TYPE_CHECKING, Any

from assetdb.cli import main
from tests.assetdb_formats.unreal.package_writer import COOKED, full

if TYPE_CHECKING:
    import pytest


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["unreal", "parts", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def rows(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_trailer_and_its_payloads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Thing.uasset"
    path.write_bytes(full(-8, 522, 1009).data())
    target = tmp_path / "out"
    code, out, err = run(capsys, path, "--to", target, "--json")
    assert (code, err) == (0, "")
    parts = rows(out)
    assert [part["kind"] for part in parts] == ["header", "exports", "trailer", "payload", "payload"]
    assert [part["size"] for part in parts[3:]] == [7, 4]
    written = {part["kind"]: part["written"] for part in parts if "written" in part}
    assert set(written) == {"trailer", "payload"}
    assert [Path(part["written"]).read_bytes() for part in parts[3:]] == [b"payload", b"more"]
    assert "payload" in run(capsys, path)[1]


def test_parts_of_a_map_and_an_asset_of_one_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the second replaced the first's, and both were said to be written."""
    folder = tmp_path / "Content" / "Maps"
    folder.mkdir(parents=True)
    for name in ("Town.uasset", "Town.umap"):
        (folder / name).write_bytes(full(-8, 522, 1009).data())
    code, out, err = run(capsys, tmp_path / "Content", "--to", tmp_path / "out", "--json")
    written = [Path(part["written"]).name for part in rows(out) if "written" in part and part["kind"] == "trailer"]
    assert (code, err) == (0, "")
    assert written == ["002 Town trailer.bin", "002 Town.umap trailer.bin"]
    assert len(list((tmp_path / "out").rglob("*.bin"))) == 6


def test_data_resources_of_a_cooked_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flags, offset, duplicate, size, raw size, owner, flags of bulk data: inline, beside, optional, mapped."""
    resources = [
        (0, 5, -1, 6, 6, 1, 0x48),
        (0, 2, -1, 3, 3, 2, 0x10501),
        (0, 0, -1, 2, 9, 2, 0x10D01),
        (0, 0, -1, 4, 4, 2, 0x11501),
        (0, 9, -1, 100, 100, 1, 0x10501),
    ]
    data = full(-8, 522, 1009, COOKED, resources=resources).data()
    path = tmp_path / "Thing.uasset"
    path.write_bytes(data)
    for end, content in ((".ubulk", b"0123456789"), (".uptnl", b"xy"), (".m.ubulk", b"abcd")):
        path.with_suffix(end).write_bytes(content)
    code, out, _ = run(capsys, path, "--to", tmp_path / "out", "--json")
    parts = [part for part in rows(out) if part["kind"] == "data resource"]
    assert code == 1  # the last is longer than its file
    assert [part["file"] for part in parts] == ["", ".ubulk", ".uptnl", ".m.ubulk", ".ubulk"]
    assert [part["here"] for part in parts] == [True, True, True, True, False]
    found = [Path(part["written"]).read_bytes() for part in parts[:4]]
    assert found[1:] == [b"234", b"xy", b"abcd"]
    assert found[0] == data[parts[0]["offset"] :][:6]
    path.with_suffix(".ubulk").unlink()
    code, out, _ = run(capsys, path)
    assert (code, "in the .ubulk, which is not here" in out) == (1, True)


def test_payloads_that_lie_in_each_other_are_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = full(-8, 522, 1009, payloads=[b"x" * 5000] + [b"" for _ in range(100)]).data()
    entry = pack("<20sqQQHHB", bytes(20), 5000, 0, 0, 0, 0, 0)
    assert data.count(entry) == 100
    path = tmp_path / "Thing.uasset"
    path.write_bytes(data.replace(entry, pack("<20sqQQHHB", bytes(20), 0, 5000, 5000, 0, 0, 0)))
    code, _, err = run(capsys, path, "--to", tmp_path / "out")
    assert (code, "read more than 4 times over" in err) == (2, True)
    assert str(path) in err


def test_a_payload_sidecar_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = full(-8, 522, 1009).data()
    path = tmp_path / "Thing.uasset"
    path.write_bytes(data)
    start = data.index(pack("<Q", 0xD1C43B2E80A5F697))
    path.with_suffix(".upayload").write_bytes(data[start:])
    code, out, _ = run(capsys, path, "--json")
    parts = rows(out)
    assert code == 0
    assert [(part["kind"], part["size"]) for part in parts if part["file"] == ".upayload"][2:] == [
        ("payload", 7),
        ("payload", 4),
    ]
    path.with_suffix(".upayload").write_bytes(b"something else")
    assert [part["kind"] for part in rows(run(capsys, path, "--json")[1])].count("payload") == 2
