"""What the system cannot tell just now is no fact about the tree: the bake fails, and the last good files stay."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import assetdb
from assetdb.daemon.session import Session
from assetdb.errors import ScanError
from assetdb.scan import changes, fast_path
from assetdb.scan.known import content
from assetdb.system import reading
from assetdb.system.failures import CONTENT, DENIED, GONE
from assetdb.system.shared_opening import open_shared
from assetdb_formats import files
from tests.needs import needs_fork, needs_limits, needs_links, path_of
from tests.system.bake.test_incremental import synthetic_project
from tests.system.bake.test_old_times import FILES, make_old, make_project, material, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRANSIENT = (
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.ESTALE, errno.EINTR, errno.ETIMEDOUT),
    *(errno.ENOTCONN, errno.EREMOTEIO if hasattr(errno, "EREMOTEIO") else errno.EIO, 9999),
)
CALLS = ("open", "stat", "scandir", "chdir", "read", "fstat")
OF_ONE_FILE = ("open", "read", "fstat")  # of which errors of its content end no bake


class Faults:
    """Lets one function of ``os`` fail for paths (or descriptors of files) with a part in them, once it is armed.

    With ``at_end``, for paths that end with it.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, call: str, number: int, part: bytes, *, at_end: bool = False
    ) -> None:
        self.armed = False
        self.met = 0
        fsencode = os.fsencode

        def failing(real: Callable[..., object]) -> Callable[..., object]:
            def fail(path: int | str | bytes, *rest: object, **named: object) -> object:
                if not self.armed:
                    return real(path, *rest, **named)
                place = fsencode(path_of(path) if isinstance(path, int) else path)
                place = place.replace(os.sep.encode(), b"/")
                if place.endswith(part) if at_end else part in place:
                    self.met += 1
                    raise OSError(number, os.strerror(number), path)
                return real(path, *rest, **named)

            return fail

        monkeypatch.setattr(os, call, failing(getattr(os, call)))
        if call == "open" and sys.platform == "win32":  # files are opened for reading by CreateFileW there
            for module in (reading, content, changes, fast_path):
                monkeypatch.setattr(module, "open_shared", failing(open_shared))


def contents(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in (*FILES, "asset-db.cache")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "Project")


PARTS = {"open": b".mat", "stat": b"Assets/A", "scandir": b"Assets/A", "chdir": b"Assets/A"}
PARTS |= {"read": b"/Assets/", "fstat": b"/Assets/"}


@pytest.mark.parametrize(
    ("call", "number"),
    [(call, number) for call in CALLS for number in TRANSIENT if call not in OF_ONE_FILE or number not in CONTENT],
)
def test_a_bake_fails_and_leaves_the_files(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    before = contents(out)
    write(project / "Assets" / "A" / "Late.mat", 30, material("Late"))
    faults = Faults(monkeypatch, call, number, PARTS[call])
    faults.armed = True
    with pytest.raises(ScanError, match=r"cannot be read just now: .*; nothing was changed \(.+\)") as caught:
        assetdb.bake(project, out, workers=1, may_change_directory=call == "chdir")
    faults.armed = False
    assert faults.met
    assert caught.value.errno == number
    assert caught.value.path.startswith("Assets")
    assert contents(out) == before
    assert assetdb.bake(project, out).asset_count == 7


@pytest.mark.parametrize("call", ["open", "stat", "scandir"])
def test_a_live_project_keeps_its_answers_and_finds_the_change_later(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    assert len(live.opened.database) == 6
    write(project / "Assets" / "A" / "Late.mat", 30, material("Late"))
    faults = Faults(monkeypatch, call, errno.EMFILE, b"/A/" if call != "open" else b"Late.mat")
    for attempt in (lambda: live.update([b"Assets/A", b"Assets/A/Late.mat"]), live.reconcile):
        faults.armed = True
        for _ in range(2):
            with pytest.raises(ScanError, match="ulimit -n"):
                attempt()
            assert len(live.opened.database) == 6
        faults.armed = False
    assert [change.name for change in live.update([b"Assets/A"]).changes] == ["Late"]
    live.close()


@pytest.mark.parametrize("number", sorted(DENIED))
@pytest.mark.parametrize("change_directory", [False, True])
@pytest.mark.usefixtures("without_native")
def test_what_may_not_be_read_is_a_diagnostic(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, *, change_directory: bool
) -> None:
    for call, part, found in (
        ("scandir", b"Assets/A", {"Assets/A": "unreadable"}),
        ("open", b"One.mat.meta", {"Assets/One.mat": "unreadable", "Assets/One.mat.meta": "unreadable"}),
    ):
        if change_directory and call == "scandir":
            part = b"."  # noqa: PLW2901 - then every folder is
        with monkeypatch.context() as patch:
            Faults(patch, call, number, part).armed = True
            result = assetdb.bake(project, tmp_path / call, keep_going=True, may_change_directory=change_directory)
        said = {each.path: each.code for each in result.diagnostics if each.code == "unreadable"}
        assert said
        assert set(said) & set(found) or change_directory
        assert result.asset_count < 6
        assert assetdb.bake(project, tmp_path / call).asset_count == 6


@pytest.mark.usefixtures("without_native")
@pytest.mark.parametrize("number", sorted(GONE))
def test_a_folder_that_goes_while_it_is_read_is_gone(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for call in ("stat", "scandir"):
        with monkeypatch.context() as patch:
            Faults(patch, call, number, b"Assets/A/").armed = True
            result = assetdb.bake(project, tmp_path / call)
        assert result.asset_count == 4
        assert not [each for each in result.diagnostics if each.code == "unreadable"]


@needs_links
def test_a_link_whose_target_does_not_answer_is_neither_file_nor_folder(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "Assets" / "Link").symlink_to(tmp_path / "there")
    Faults(monkeypatch, "stat", errno.ETIMEDOUT, b"Link").armed = True
    with pytest.raises(ScanError, match="Assets/Link"):
        assetdb.bake(project, tmp_path / "out")


LIMITED = """
import os, resource, sys
from assetdb.baking import bake
from assetdb.errors import ScanError
held = []
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
project, out, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
try:
    while True:
        held.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass
for descriptor in held[:left]:
    os.close(descriptor)
try:
    print(bake(project, out, workers=1).asset_count)
except (ScanError, OSError) as error:
    print(type(error).__name__)
"""


@needs_limits
def test_with_few_descriptors_a_bake_is_right_or_fails(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assetdb.bake(project, out)
    (project / "Assets" / "A" / "Thing.mat").unlink()
    before = contents(out)
    seen = set()
    for left in range(8):
        command = [sys.executable, "-c", LIMITED, str(project), str(out), str(left)]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        if said == "5":
            break
        assert contents(out) == before, (left, said)
        seen.add(said)
    else:
        pytest.fail(f"it never comes to its end: {seen}")


FAILING = """
import os, sys
os.environ["ASSETDB_FAULT"] = "on"
real = os.open
def fail(path, *rest, **named):
    if isinstance(path, bytes) and path.endswith(b"_7.mat") and (sys.argv[1] == "all" or os.getpid() != leader):
        raise OSError(24, "Too many open files")
    return real(path, *rest, **named)
leader = os.getpid()
os.open = fail
from assetdb.cli import main
sys.exit(main(sys.argv[2:]))
"""


@needs_fork
@pytest.mark.parametrize("who", ["all", "helpers"])
@pytest.mark.usefixtures("without_native")
def test_a_failure_in_any_process_ends_the_bake(tmp_path: Path, who: str) -> None:
    project = synthetic_project(tmp_path, 20, 20)
    make_old(project / "Assets")
    out = tmp_path / "out"
    command = [sys.executable, "-c", FAILING, who, "bake", "--project", str(project), "--out-dir", str(out)]
    done = subprocess.run([*command, "--workers", "3"], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (2, "")
    assert "_7.mat cannot be read just now: Too many open files; nothing was changed" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (out / "asset-db.bin").exists()


def test_an_answer_that_needs_a_file_fails_and_is_not_kept(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Name: Body\n"
    write(project / "Assets" / "Player.prefab", 40, text)
    (project / "Assets" / "Alone.mat.meta").write_text(f"fileFormatVersion: 2\nguid: {41:032x}\n", encoding="utf-8")
    armed = True

    def refusing(real: Callable[..., object]) -> Callable[..., object]:
        def refuse(path: str | bytes | int, *rest: object, **named: object) -> object:
            if armed and not isinstance(path, int) and os.fsdecode(path).endswith(("Player.prefab", "Alone.mat.meta")):
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)
            return real(path, *rest, **named)

        return refuse

    live = Session(str(project), str(tmp_path / "live"))
    live.start()
    monkeypatch.setattr("builtins.open", refusing(open))
    monkeypatch.setattr(os, "open", refusing(os.open))
    monkeypatch.setattr(files, "open_shared", refusing(files.open_shared))  # by CreateFileW on Windows
    for _ in range(2):
        with pytest.raises(ScanError, match="Too many open files"):
            live.opened.resolver.name(f"{40:032x}", 100)
        with pytest.raises(ScanError, match="Too many open files"):
            live.opened.resolver.name(f"{41:032x}", None)
    armed = False
    assert live.opened.resolver.name(f"{40:032x}", 100).name == "Player.prefab / Body (GameObject)"
    assert live.opened.resolver.name(f"{41:032x}", None).path == "Assets/Alone.mat"
    live.close()


@pytest.mark.long
@needs_limits
def test_as_few_descriptors_as_a_process_can_start_with_are_enough(tmp_path: Path) -> None:
    """Where helpers or their queue would take the last ones this process works alone."""
    project = synthetic_project(tmp_path, 30, 40)
    script = (
        "import resource, sys, assetdb\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[3]), int(sys.argv[3])))\n"
        "assetdb.bake(sys.argv[1], sys.argv[2], workers=2, many_assets=1)\n"
    )
    made = set()
    for limit in (*range(5, 17), 64):
        out = tmp_path / str(limit)
        command = [sys.executable, "-c", script, str(project), str(out), str(limit)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, ""), (limit, done.stderr)
        made.add((out / "asset-db.bin").read_bytes())
    assert len(made) == 1
