"""A command ends its process at once, unless somebody else waits for that end."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import _redirect_to_null
from tests.assetdb.unity_project import make_project

if TYPE_CHECKING:
    from pathlib import Path

RUN = "import sys; from assetdb.cli import main; sys.exit(main())"
LATER = "import os, sys; end = lambda: os.write(2, b'later');"
KEPT = "keep = type('Keep', (), {'__del__': lambda self, end=os.write: end(2, b'later')})();"
WAITING = {
    "a handler at exit": f"{LATER} import atexit; atexit.register(end);",
    "a thread": f"{LATER} import threading, time; threading.Thread(target=lambda: (time.sleep(0.3), end())).start();",
}


def ended(code: str, project: Path, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", code, "bake", "--keep-going", "--json", "--project", str(project)]
    return subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", check=False)


@pytest.mark.parametrize("waiting", WAITING.values(), ids=list(WAITING))
def test_whoever_waits_for_the_end_sees_it(waiting: str, tmp_path: Path) -> None:
    done = ended(waiting + RUN, make_project(tmp_path / "project"))
    assert (done.returncode, done.stderr) == (0, "later")
    assert done.stdout.startswith("{")


@pytest.mark.parametrize(
    ("told", "ours"), [("", "True"), ("sys.setprofile(f);", "False"), ("sys.settrace(f);", "False")]
)
def test_whoever_is_told_of_each_call_waits(told: str, ours: str) -> None:
    code = (
        f"import sys; f = lambda *_: None; {told} from assetdb.cli import may_exit_at_once; print(may_exit_at_once())"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    assert done.stdout == ours + "\n"


def test_nothing_but_the_answer_is_waited_for(tmp_path: Path) -> None:
    code = f"{LATER} {KEPT} {RUN}"
    done = ended(code, make_project(tmp_path / "project"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("waiting", ["", "import atexit;"], ids=["at once", "in the ordinary way"])
def test_an_answer_that_cannot_be_written_is_an_error_either_way(waiting: str, tmp_path: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = ended(waiting + RUN, make_project(tmp_path / "project"), full.fileno())
    assert done.returncode == 2
    assert "No space left on device" in done.stderr


def test_what_a_reader_no_longer_wants_goes_nowhere() -> None:
    reading, writing = os.pipe()
    _redirect_to_null(writing)
    assert os.write(writing, b"lost") == 4
    os.close(writing)
    assert os.read(reading, 4) == b""
    os.close(reading)
