"""Where the files of a project go: what its own file may say of it, what a user may, and where neither counts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import assetdb
from assetdb.cli import main
from assetdb.errors import ConfigurationError, ProjectError
from assetdb.settings.effective import read_settings
from assetdb.settings.output_folder import output_folder
from assetdb.settings.user import user_cache_folder
from tests.needs import may_have_links, needs_links, needs_pipes, require_git

CHECKOUT = Path(__file__).resolve().parents[3]
GUID = "0123456789abcdef0123456789abcdef"


def make_project(folder: Path) -> Path:
    (folder / "Assets").mkdir(parents=True)
    (folder / "ProjectSettings").mkdir()
    (folder / "Assets" / "A.txt").write_text("text")
    (folder / "Assets" / "A.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {GUID}\n")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Project")


def configure(project: Path, out_dir: str) -> None:
    (project / "assetdb.toml").write_text(f'out-dir = "{out_dir}"\n')


def test_what_is_given_goes_before_the_environment_and_that_before_the_file(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(project)
    assert output_folder(root).path == str(project / "Library" / "assetdb")
    configure(project, "Build/db")
    assert output_folder(root).path == str(project / "Build" / "db")
    monkeypatch.setenv("ASSETDB_OUT_DIR", str(tmp_path / "variable"))
    assert output_folder(root).path == str(tmp_path / "variable")
    assert read_settings(root).folder == str(tmp_path / "variable")
    assert output_folder(root, str(tmp_path / "given")).path == str(tmp_path / "given")


@pytest.mark.parametrize(
    "out_dir",
    [
        *("/absolute/elsewhere", "../elsewhere", "Build/../../elsewhere", ".git/hooks", "Sub/.git/hooks", "Assets/db"),
        *("ASSETS", "Packages/x", "ProjectSettings", "a\\u0000b", "Library/../.git"),
        *("C:/elsewhere", "C:elsewhere", "\\\\elsewhere", "~/elsewhere", "~ann/elsewhere"),
        *(pytest.param(through, marks=needs_links) for through in ("link/db", "into")),
    ],
)
def test_a_projects_file_names_only_a_folder_inside_the_project(project: Path, tmp_path: Path, out_dir: str) -> None:
    """The file may have come with a clone, and a name is enough to write where it says."""
    if may_have_links():
        (project / "link").symlink_to(tmp_path)
        (project / "into").symlink_to("Assets")
    configure(project, out_dir)
    with pytest.raises(ConfigurationError, match="--out-dir or ASSETDB_OUT_DIR"):
        output_folder(str(project))
    before = sorted(path for path in tmp_path.rglob("*"))
    for command in (["name", GUID], ["bake"], ["usages", GUID], ["status"], ["dump"], ["find", "A"]):
        assert main([*command, "--project", str(project)]) == 2
    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_a_nul_is_refused_where_the_system_resolves_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(project, "a\\u0000b")
    monkeypatch.setattr(os.path, "realpath", os.path.abspath)  # as Windows' does with a path that is none
    with pytest.raises(ConfigurationError, match="is not a path"):
        output_folder(str(project))


@needs_links
def test_a_part_of_the_project_that_is_a_link_is_kept_free_too(project: Path) -> None:
    (project / "Assets").rename(project / "Real")
    (project / "Assets").symlink_to("Real")
    configure(project, "Real/db")
    with pytest.raises(ConfigurationError, match="out-dir"):
        output_folder(str(project))


def test_a_key_may_be_written_with_escapes(project: Path) -> None:
    (project / "assetdb.toml").write_text('"\\u006fut-dir" = "Build/db"\n')
    assert output_folder(str(project)).path == str(project / "Build" / "db")


@pytest.mark.parametrize("target", ["elsewhere", "Project/Assets", "Project/.git"])
@needs_links
def test_a_library_that_leads_elsewhere_is_answered_from_the_users_cache(
    project: Path, tmp_path: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / target).mkdir(exist_ok=True)
    (project / "Library").symlink_to(tmp_path / target)
    found = output_folder(str(project))
    assert os.path.dirname(found.path) == user_cache_folder()
    assert os.path.basename(found.path).startswith("Project-")
    assert main(["name", GUID, "--project", str(project)]) == 0
    said = capsys.readouterr()
    assert said.out == "A.txt  TextAsset  Assets/A.txt\n"
    assert "Library leads" in said.err
    assert found.path in said.err
    assert main(["name", GUID, "--project", str(project)]) == 0
    assert capsys.readouterr().err == ""  # said once
    assert main(["bake", "--project", str(project)]) == 0
    assert sorted(path.name for path in (tmp_path / target).iterdir() if path.name[0] == "a") == []


@needs_links
def test_a_library_that_is_a_link_inside_the_project_serves(project: Path) -> None:
    (project / "Cache").mkdir()
    (project / "Library").symlink_to("Cache")
    assert output_folder(str(project)).path == str(project / "Library" / "assetdb")


def ask_read_only(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command where nobody can write to a folder: a superuser passes by all modes, but not by a mount."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("mounts of its own: Linux only")
    mounted = [f"mount --bind {folder} {folder}", f"mount -o remount,ro,bind {folder}"]
    shell = "; ".join(["set -e", *mounted])
    if subprocess.run(["unshare", "-rm", "sh", "-c", shell], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount")
    command = f"{shell}; cd {CHECKOUT}; {sys.executable} -m assetdb {' '.join(words)}"
    return subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True, check=False)


def test_a_project_that_cannot_be_written_is_answered_from_the_users_cache(project: Path) -> None:
    said = []
    for _ in range(2):
        done = ask_read_only(project, "name", GUID, "--project", str(project))
        assert done.stdout == "A.txt  TextAsset  Assets/A.txt\n", done.stderr
        said.append(done.stderr)
    assert "cannot be written to" in said[0]
    assert said[1] == ""
    assert not (project / "Library").exists()


def test_a_given_folder_that_cannot_be_written_answers_from_a_scan(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    words = ("find", "A.txt", "--project", str(project), "--out-dir", str(out))
    done = ask_read_only(out, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Assets/A.txt" in done.stdout
    (project / "Assets" / "B.txt").write_text("text")
    (project / "Assets" / "B.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {'b' * 32}\n")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    done = ask_read_only(out, "find", "B.txt", *words[2:])
    assert (done.returncode, done.stderr) == (0, "")
    assert "Assets/B.txt" in done.stdout
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    done = ask_read_only(out, "find", "B.txt", *words[2:], "--no-refresh")
    assert (done.returncode, done.stdout) == (1, "")


def test_another_projects_database_is_not_overwritten(project: Path, tmp_path: Path) -> None:
    other = make_project(tmp_path / "Other")
    out = tmp_path / "out"
    assetdb.bake(project, out)
    before = (out / "asset-db.bin").read_bytes()
    (other / "Assets" / "A.txt").rename(other / "Assets" / "B.txt")
    (other / "Assets" / "A.txt.meta").rename(other / "Assets" / "B.txt.meta")
    with pytest.raises(ProjectError) as caught:
        assetdb.bake(other, out)
    assert str(project) in str(caught.value)
    assert str(other) in str(caught.value)
    assert (out / "asset-db.bin").read_bytes() == before
    assert main(["find", "A", "--project", str(other), "--out-dir", str(out)]) == 2
    assert assetdb.bake(project, out).unchanged
    assert assetdb.bake(other, out, check=True).written  # which writes nothing
    shutil.rmtree(project)
    assetdb.bake(other, out)  # nobody is left who would miss it


def test_a_project_that_is_moved_or_copied_keeps_what_is_in_it(project: Path, tmp_path: Path) -> None:
    assetdb.bake(project)
    shutil.copytree(project, tmp_path / "Copy")
    assert assetdb.bake(tmp_path / "Copy").asset_count == 1


def test_dump_prints_the_database_that_the_others_use(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(project, "Build/db")
    assert main(["bake", "--quiet", "--project", str(project)]) == 0
    assert main(["dump", "--project", str(project)]) == 0
    assert GUID in capsys.readouterr().out
    assert main(["bake", "--quiet", "--project", str(project), "--out-dir", str(tmp_path / "out")]) == 0
    shutil.rmtree(project / "Build")
    assert main(["dump", "--project", str(project), "--out-dir", str(tmp_path / "out")]) == 0
    assert GUID in capsys.readouterr().out


@pytest.mark.parametrize(
    "what", [pytest.param("pipe", marks=needs_pipes), pytest.param("device", marks=needs_links), "folder", "large"]
)
def test_settings_that_are_no_file_are_an_error_at_once(
    project: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "assetdb.toml"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(3 << 30)
    for command in (["bake"], ["name", GUID], ["status"], ["unused"]):
        assert main([*command, "--project", str(project)]) == 2
        said = capsys.readouterr().err
        assert "assetdb.toml: is" in said
        assert "Traceback" not in said


@needs_pipes
@pytest.mark.parametrize("name", ["asset-db.cache", "asset-db.bin", "asset-db.index", "asset-db.watch.json"])
def test_a_pipe_where_an_own_file_should_be_is_none_of_ours(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assetdb.bake(project)
    (project / "Library" / "assetdb" / name).unlink(missing_ok=True)
    os.mkfifo(project / "Library" / "assetdb" / name)
    assert main(["name", GUID, "--project", str(project)]) == 0
    assert main(["bake", "--project", str(project)]) == 0
    assert capsys.readouterr().out.startswith("A.txt")


@pytest.mark.parametrize("out_dir", [None, "Game/Cache/assetdb", "../elsewhere/deep"])
def test_git_sees_nothing_of_a_folder_that_a_bake_made(tmp_path: Path, out_dir: str | None) -> None:
    project = make_project(tmp_path / "Project")
    require_git()
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    place = (project / out_dir).resolve() if out_dir else project / "Library" / "assetdb"
    words = ["bake", "--project", str(project), "--quiet", *(["--out-dir", str(place)] if out_dir else [])]
    assert main(words) == 0
    assert (place / "asset-db.bin").exists()
    said = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True
    )
    assert sorted(said.stdout.split()[1::2]) == [
        "Project/Assets/A.txt",
        "Project/Assets/A.txt.meta",
    ]
    (place / ".gitignore").write_text("!asset-db.bin\n")  # somebody wants it in git: it stays so
    (project / "Assets" / "A.txt.meta").write_text(f"fileFormatVersion: 2\nguid: {GUID[::-1]}\n")
    assert main(words) == 0
    assert (place / ".gitignore").read_text() == "!asset-db.bin\n"


def test_a_folder_of_the_user_gets_no_rules_for_git(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert main(["bake", "--project", str(project), "--quiet", "--out-dir", str(tmp_path / "mine")]) == 0
    assert (tmp_path / "mine" / "asset-db.bin").exists()
    assert not (tmp_path / "mine" / ".gitignore").exists()
