import json
import subprocess
import sys
from pathlib import Path

import pytest

import assetdb
from assetdb.cli import main
from scripts.make_fixture import asset, folder_meta, guid_of, meta, named, native_meta
from tests.needs import needs_any_name

CHECKOUT = Path(__file__).resolve().parents[3]
DATABASE = Path("Library", "assetdb", "asset-db.bin")


def add(project: Path, path: str, content: str = "", meta_text: str | None = None) -> Path:
    target = project / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(content, "utf-8", newline="")
    Path(f"{target}.meta").write_text(meta(path) if meta_text is None else meta_text, "utf-8", newline="")
    return target


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project of three assets without a problem, and stand in it."""
    folder = tmp_path / "Project"
    (folder / "ProjectSettings").mkdir(parents=True)
    add(folder, "Assets/One.txt", "one\n")
    path = "Assets/Art/Red.mat"
    add(folder, path, asset(named(21, 2100000, "Material", "Red")), native_meta(path, 2100000))
    add(folder, "Assets/Art/Two#2.txt", "two\n")
    (folder / "Assets/Art.meta").write_text(folder_meta("Assets/Art"))
    monkeypatch.chdir(folder)
    return folder


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"  # that says who holds it
    }


def duplicate(project: Path) -> None:
    add(project, "Assets/Same.txt", "", meta("Assets/One.txt"))


# --- bake


def test_bake_says_what_it_did(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake"]) == 0
    assert capsys.readouterr() == (f"baked 3 assets -> {DATABASE} (written)\n", "")
    assert main(["bake"]) == 0
    assert capsys.readouterr() == (f"baked 3 assets -> {DATABASE} (unchanged)\n", "")


def test_bake_climbs_to_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "Assets" / "Art")
    assert main(["bake", "--quiet"]) == 0
    assert (project / DATABASE).is_file()


def test_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Assets").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["bake"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert "looked for a folder with both Assets/ and ProjectSettings/" in error
    assert main(["bake", "--project", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"assetdb: error: {tmp_path} is not a Unity project: it has no ProjectSettings/\n"
    assert main(["bake", "--project", str(tmp_path / "nowhere")]) == 2
    assert "it has no Assets/ and no ProjectSettings/" in capsys.readouterr().err


def test_a_no_op_writes_nothing(project: Path) -> None:
    assert main(["bake", "--quiet"]) == 0
    before = state(project)
    assert main(["bake", "--quiet"]) == 0
    assert state(project) == before


def test_an_edit_is_seen_at_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "--quiet"]) == 0
    target = project / "Assets/Art/Red.mat.meta"
    old = guid_of("Assets/Art/Red.mat")
    for number in range(20):  # of the same size, most of them within one tick of the clock
        new = f"{number:032x}"
        target.write_text(target.read_text().replace(old, new))
        assert main(["bake", "--quiet"]) == 0
        assert main(["dump"]) == 0
        assert new in capsys.readouterr().out
        old = new


def test_an_out_dir_keeps_the_project_as_it_is(project: Path, tmp_path: Path) -> None:
    before = state(project)
    assert main(["bake", "--quiet", "--out-dir", str(tmp_path / "out")]) == 0
    assert main(["bake", "--quiet", "--out-dir", str(tmp_path / "out")]) == 0
    assert state(project) == before
    assert (tmp_path / "out" / "asset-db.bin").is_file()
    assert not (project / "Library").exists()


def test_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = state(project)
    assert main(["bake", "--check"]) == 1
    out = capsys.readouterr().out
    assert "would change" in out
    assert f'+ {guid_of("Assets/One.txt")} TextAsset(49) "One" "Assets/One.txt"' in out
    assert state(project) == before
    assert main(["bake", "--quiet"]) == 0
    before = state(project)
    capsys.readouterr()
    assert main(["bake", "--check"]) == 0
    assert "is up to date" in capsys.readouterr().out
    add(project, "Assets/New.txt")
    (project / "Assets/One.txt").unlink()
    (project / "Assets/One.txt.meta").unlink()
    assert main(["bake", "--check"]) == 1
    changed = [line for line in capsys.readouterr().out.splitlines() if line[:2] in ("+ ", "- ")]
    assert [line[0] for line in sorted(changed)] == ["+", "-"]
    assert state(project)[str(DATABASE)] == before[str(DATABASE)]


def test_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "Assets/Lost.txt").write_text("")
    assert main(["bake", "--json"]) == 0
    out, error = capsys.readouterr()
    found = json.loads(out)
    assert error == ""
    assert (found["assets"], found["written"], found["unchanged"]) == (3, True, False)
    assert (found["project"], found["database"]) == (str(project), str(project / DATABASE))
    assert [(item["code"], item["path"], item["fatal"]) for item in found["diagnostics"]] == [
        ("missing-meta", "Assets/Lost.txt", False)
    ]
    assert set(found["seconds"]) == {"walk", "read", "names", "write"}


def test_a_duplicate_guid_fails_after_listing_all(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    duplicate(project)
    (project / "Assets/Lost.txt").write_text("")
    assert main(["bake"]) == 2
    error = capsys.readouterr().err
    assert error.count("duplicate-guid") == 2
    assert "Assets/Lost.txt: missing-meta" in error
    assert not (project / DATABASE).exists()
    assert main(["bake", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert {item["code"] for item in found["diagnostics"]} == {"duplicate-guid", "missing-meta"}
    assert main(["bake", "--keep-going"]) == 0
    assert "baked 3 assets" in capsys.readouterr().out
    assert main(["bake"]) == 2  # what was baked with --keep-going does not pass without
    (project / "Assets/Same.txt").unlink()
    (project / "Assets/Same.txt.meta").unlink()
    assert main(["bake", "--quiet"]) == 0


def test_strict_names(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Art/One.txt")  # folders tell these two apart
    assert main(["bake", "--strict-names", "--quiet"]) == 0
    add(project, "Assets/Art/One.json")
    capsys.readouterr()
    assert main(["bake", "--strict-names"]) == 2
    error = capsys.readouterr().err
    assert "Assets/Art/One.json: shared-name: shares the name 'One' with Assets/Art/One.txt" in error
    assert "Assets/Art/One.txt: shared-name: shares the name 'One' with Assets/Art/One.json" in error
    assert main(["bake", "--quiet"]) == 0
    assert main(["bake", "--strict-names", "--quiet"]) == 2  # also when nothing changed


def test_scrub_chars(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "--scrub-chars", "#|"]) == 0
    error = capsys.readouterr().err
    assert "Assets/Art/Two#2.txt: sanitized-name: 'Two#2' becomes 'Two_2'" in error
    assert main(["dump"]) == 0
    assert '"Two_2" "Assets/Art/Two#2.txt"' in capsys.readouterr().out
    assert main(["bake", "--quiet"]) == 0
    assert main(["dump"]) == 0
    assert '"Two#2" "Assets/Art/Two#2.txt"' in capsys.readouterr().out


def test_timing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "--timing"]) == 0
    first = capsys.readouterr().err
    for part in ("walk", "read", "names", "write", "files read"):
        assert part in first
    assert "(skipped)" not in first
    assert main(["bake", "--timing"]) == 0
    assert "(skipped)" in capsys.readouterr().err


# --- assetdb.toml


def test_configuration(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/Generated/Deep/A.asset")
    text = 'out-dir = "Build/db"\nscrub-characters = "#"\nexclude = ["Generated/", "*.mat"]\n'
    (project / "assetdb.toml").write_text(text)
    assert main(["bake", "--quiet"]) == 0
    assert not (project / "Library").exists()
    assert main(["dump", str(project / "Build/db/asset-db.bin")]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert sorted(line.partition('"')[2] for line in lines) == [
        'One" "Assets/One.txt"',
        'Two_2" "Assets/Art/Two#2.txt"',
    ]
    (project / "assetdb.toml").write_text("")
    assert main(["bake"]) == 0
    assert "baked 4 assets" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('outdir = "x"\n', "keys are out-dir, scrub-characters, exclude"),
        ("out-dir = 3\n", "out-dir"),
        ('exclude = "x"\n', "exclude"),
        ("exclude = [1]\n", "exclude"),
        ("out-dir\n", "assetdb.toml"),
        ("[section]\n", "section"),
        ("x = " + "1" * 5000, "limit"),
    ],
)
def test_a_wrong_configuration(project: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    (project / "assetdb.toml").write_text(text)
    assert main(["bake"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("assetdb: error: ")
    assert message in error
    assert not (project / "Library").exists()


# --- dump


def test_dump_as_lines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = "Assets/Set.asset"
    rows = asset(named(74, 7400000, "AnimationClip", "Set"), named(4242, -3, "Odd", "'a \"b\"'"))
    add(project, path, rows, native_meta(path))
    assert main(["bake", "--quiet"]) == 0
    assert main(["dump", "--project", str(project)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "asset-db schema 6: 4 assets, 0 script types"
    start = lines.index(f'{guid_of(path)} AnimationClip(74) "Set" "Assets/Set.asset"')
    assert lines[start + 1] == '    -3 4242 "a \\"b\\""'


def test_dump_as_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", "--quiet"]) == 0
    assert main(["dump", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(item["path"] for item in found) == ["Assets/Art/Red.mat", "Assets/Art/Two#2.txt", "Assets/One.txt"]
    assert all(set(item) == {"guid", "class_id", "script", "name", "sub_assets", "path"} for item in found)


def test_dump_of_what_is_no_database(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump"]) == 2
    assert "asset-db.bin" in capsys.readouterr().err
    assert main(["dump", str(project / "Assets/One.txt")]) == 2
    assert "not an asset-db.bin" in capsys.readouterr().err


@needs_any_name
def test_a_hostile_name_does_not_reach_the_terminal(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(project, "Assets/\x1b[31mRed\n.txt")
    (project / "Assets/\x1b]0;x\x07.txt").write_text("")
    assert main(["bake"]) == 0
    assert main(["dump"]) == 0
    out, error = capsys.readouterr()
    assert "\x1b" not in out + error
    assert "\x07" not in out + error


# --- processes


def test_an_unknown_command_suggests_another() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "assetdb", "bkae"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert "did you mean 'bake'?" in found.stderr


def test_the_reader_of_a_dump_may_have_had_enough(project: Path) -> None:
    assert main(["bake", "--quiet"]) == 0
    command = [sys.executable, "-m", "assetdb", "dump", str(project / DATABASE)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_many_with_one_guid_are_not_all_named_by_each(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a generator gave 12,000 assets one GUID each named 11,999 others: a minute and a gigabyte."""
    one = meta("Assets/One.txt")
    for number in range(300):
        add(project, f"Assets/Many/{number}.txt", "", one)
    (project / "Assets/Many.meta").write_text(folder_meta("Assets/Many"))
    assert main(["bake", "--verbose"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "assetdb: error: 301 problems would make the database ambiguous (--keep-going bakes the rest)"
    assert len(lines) == 302
    assert max(map(len, lines)) < 400
    assert "of Assets/Many/0.txt and Assets/Many/1.txt and Assets/Many/10.txt and 297 more (" in lines[-2]
    assert main(["name", "Assets/One.txt"]) == 0
    assert capsys.readouterr().err.endswith("Assets/Many/1.txt and Assets/Many/10.txt and 297 more\n")
    assert main(["unused"]) == 1
    assert capsys.readouterr().out.endswith(" assets are unused; roots: none\n")


def test_more_workers_than_any_machine_has_are_not_started(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = []
    monkeypatch.setattr("assetdb.scan.walking.tree.scan", lambda *_, workers, **__: started.append(workers) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        assetdb.bake(project, workers=99_999_999)
    assert started == [64]


def test_a_byte_order_mark_of_an_editor_is_no_error(project: Path) -> None:
    (project / "assetdb.toml").write_bytes(b'\xef\xbb\xbfout-dir = "build"\n')
    assert main(["bake"]) == 0
    assert (project / "build" / "asset-db.bin").exists()
