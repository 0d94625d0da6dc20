"""What all tests share: where the corpus of real files is."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# The same examples on every machine and in every run; and no deadline, for that is a timed assertion.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

# Tests start many programs, and with this each compiles its modules anew: 230 ms of CPU for a question, and not 76.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if sys.platform == "win32":
    # Texts of tests are those of Unity, which writes them with LF and in UTF-8 on every system.
    def _write_text(
        path: Path, data: str, encoding: str = "utf-8", errors: str | None = None, newline: str = "\n"
    ) -> int:
        with path.open("w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def _read_text(path: Path, encoding: str = "utf-8", errors: str | None = None) -> str:
        with path.open(encoding=encoding, errors=errors) as file:
            return file.read()

    Path.write_text = _write_text  # type: ignore[assignment,method-assign]
    Path.read_text = _read_text  # type: ignore[assignment,method-assign]

_OWN_SETTINGS = ("ASSETDB_AUTO_WATCH", "ASSETDB_FACTS", "ASSETDB_OUT_DIR")

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True, scope="session")
def _a_user_without_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what this user has settled for all projects out of the tests, and the tests out of their cache."""
    home = tmp_path_factory.mktemp("user")
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        os.environ[variable] = str(home / variable)
    if sys.platform == "win32":
        os.environ["LOCALAPPDATA"] = str(home / "LOCALAPPDATA")  # where the words of daemons are
    for variable in _OWN_SETTINGS:
        os.environ.pop(variable, None)


@pytest.fixture
def without_native(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Python read new folders, for tests that replace how it reads."""
    monkeypatch.setenv("ASSETDB_NATIVE", "0")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Leave the long tests to ``-m long`` where all are run, and have no worker of xdist wait for another.

    Tests that are named on the command line run whatever their marks are. A worker of ``-n`` that has nothing left
    takes half of what another has left: of ``load``, xdist's own choice, it keeps an eighth of all from the start. It
    is no option of pyproject.toml, with which no test would run where xdist is not installed.
    """
    if not config.option.markexpr and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.option.markexpr = "not long"
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)  # of xdist, which may not be installed
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers ``-n auto`` starts: half as many again as processors, as many tests wait for others."""
    processors = os.cpu_count() or 1
    return processors + processors // 2


@cache
def corpus_folder(name: str) -> Path | str:
    """Return the folder that holds corpus ``name`` unpacked, or the reason why there is none."""
    marker = f".{name.replace('/', '_')}.done"
    root = Path(os.environ.get("ASSETDB_CORPUS", "~/.cache/assetdb-corpus")).expanduser()
    if (root / marker).is_file():
        return root
    unpack = CHECKOUT.parent / "shared" / "corpus" / "unpack.py"
    if not unpack.is_file():
        return f"no corpus: neither ASSETDB_CORPUS nor {unpack.name} beside the checkout"
    with _alone(root / f"{marker}.lock"):  # another worker would write anew what is read here; it leaves what is there
        subprocess.run([sys.executable, str(unpack), name], check=True, stdout=subprocess.DEVNULL)
    return root


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a file against other processes."""
    import fcntl  # noqa: PLC0415 - not on Windows, where no corpus is unpacked

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture
def corpus(request: pytest.FixtureRequest) -> Path:
    """Return the folder of the unpacked corpus that the test's ``corpus`` marker names."""
    marker = request.node.get_closest_marker("corpus")
    assert marker is not None, "a test that asks for the corpus is marked @pytest.mark.corpus(NAME)"
    found: Path | str = ""
    for name in marker.args:
        found = corpus_folder(name)
        if isinstance(found, str):
            pytest.skip(found)
    assert isinstance(found, Path)
    return found
