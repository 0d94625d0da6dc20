"""What `build info` shows of Unity's report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from assetdb.builds import open_build
from assetdb.cli import main
from tests.assetdb.builds.making import player
from tests.assetdb_formats.unityfs.reports import Row, report

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GUID = "0123456789abcdef0123456789abcdef"
STEPS = (
    ("Build player", 1_250_000_000, 0, ()),
    ("Compile scripts", 15_000_000, 1, ((2, "Old.cs(1,1): obsolete"),)),
    ("Building scene", 10_000_000, 2, ()),
)


def write(tmp_path: Path, **facts: object) -> Path:
    folder = player(tmp_path / "Game_Data")
    build = open_build(folder, remember=False)
    (file,) = (file for file in build.files if file.facts.name == "level0")
    rows = [Row(build.path_ids[one], build.class_ids[one], build.sizes[one], GUID, "Assets/x") for one in file.numbers]
    data = report({"level0": rows}, steps=STEPS, options=1 | 1 << 18, **facts)  # type: ignore[arg-type]
    (tmp_path / "kept.buildreport").write_bytes(data)
    return folder


def test_info_shows_steps_options_messages_and_kept_modules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = {f"Module{number}": ["Required by Scripts", "Rigidbody"] for number in range(10)}
    folder = write(tmp_path, kept=kept)
    assert main(["build", "info", str(folder)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for expected in (
        f"build report {tmp_path / 'kept.buildreport'}",
        "built player for Win64: succeeded, 2021-10-07 04:38:54, 19.7 s",
        "options Development, CompressWithLz4",
        "warning Compile scripts: Old.cs(1,1): obsolete",
        "kept Module7: Required by Scripts, Rigidbody",
        "kept modules and 2 more (-v lists them)",
        "Build player 2 min 05 s",
        "Compile scripts 1.5 s",
        "and 1 inner step (-v lists them)",
    ):
        assert expected in lines
    assert main(["build", "info", "-v", str(folder)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "Building scene 1.0 s" in lines
    assert "kept Module9: Required by Scripts, Rigidbody" in lines


def test_info_has_the_report_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, kept={"Audio": []})
    given = tmp_path / "elsewhere.report"
    (tmp_path / "kept.buildreport").rename(given)
    main(["build", "info", "--json", str(folder)])
    assert json.loads(capsys.readouterr().out)["report"] is None
    main(["build", "info", "--json", "--report", str(given), str(folder)])
    found = json.loads(capsys.readouterr().out)["report"]
    assert found["path"] == str(given)
    assert [row["seconds"] for row in found["steps"]] == [125.0, 1.5, 1.0]
    assert found["kept"] == [{"name": "Audio", "reasons": []}]
    assert found["messages"] == [{"kind": "warning", "step": "Compile scripts", "text": "Old.cs(1,1): obsolete"}]


def test_a_report_that_was_given_and_is_of_another_build_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path, files=(("C:/Game_Data/level0", 5),))
    place = str(tmp_path / "kept.buildreport")
    assert main(["build", "info", str(folder)]) == 0
    shown = capsys.readouterr()
    assert "level0 has" in shown.err
    assert "build report" not in shown.out
    assert main(["build", "info", str(folder), "--report", place]) == 2
