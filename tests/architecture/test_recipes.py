"""The recipes of CONTRIBUTING, walked in a copy of the sources: as many places as they say, and no more."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.store.schema import SCHEMA
from tests.architecture.imports import CHECKOUT, SOURCES

if TYPE_CHECKING:
    from pathlib import Path

GUID = "0123456789abcdef0123456789abcdef"


class Copy:
    """The sources of the program, to be changed, and a project to try them on."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder / "sources"
        for package, place in SOURCES.items():
            shutil.copytree(
                place / package,
                self.sources / package,
                ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "*.so"),
            )
        self.project = folder / "Game"
        (self.project / "ProjectSettings").mkdir(parents=True)
        (self.project / "Assets").mkdir()
        self.changed: list[str] = []

    def write(self, path: str, text: str) -> None:
        self.changed.append(path)
        (self.sources / path).write_text(text, "utf-8")

    def append(self, path: str, text: str) -> None:
        self.write(path, (self.sources / path).read_text("utf-8") + text)

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.sources / path).read_text("utf-8")
        assert text.count(old) == 1, f"{path} has {old!r} {text.count(old)} times"
        self.write(path, text.replace(old, new))

    def asset(self, name: str, data: str, importer: str = "DefaultImporter") -> None:
        path = self.project / "Assets" / name
        path.write_text(data, "utf-8")
        meta = f"fileFormatVersion: 2\nguid: {GUID}\n{importer}:\n  externalObjects: {{}}\n"
        path.with_name(f"{name}.meta").write_text(meta, "utf-8")

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSETDB_")}
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.project,
            env=kept | {"PYTHONPATH": str(self.sources), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def run(self, *words: str) -> str:
        """Run a command line that succeeds, and return its output."""
        done = self.python("-m", "assetdb", *words)
        assert done.returncode == 0, done
        return done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_an_extension_is_one_row(copy: Copy) -> None:
    copy.asset("Oak.tree", "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!193 &19300000\nTree:\n  m_Name: Oak\n")
    copy.run("bake", "-q")
    assert "Tree" not in copy.run("find", "Oak")
    copy.replace(
        "assetdb/unity/kinds.py", '_TABLE: Final = """\n', '_TABLE: Final = """\n193 documents = documents tree\n'
    )
    (copy.project / "Library" / "assetdb" / "asset-db.cache").unlink()
    copy.run("bake", "-q")
    assert copy.run("find", "Oak").split() == [GUID, "Tree", "Oak", "Assets/Oak.tree"]
    assert copy.run("name", f"{GUID}:19300000").startswith("Oak.tree")
    assert len(copy.changed) == 1


def test_a_diagnostic_is_one_code_and_one_emitter(copy: Copy) -> None:
    copy.replace(
        "assetdb/diagnostics/codes.py",
        "        # Of references that have no name\n",
        '        Code("loud-text", ERROR, "write it again"),\n',
    )
    copy.replace(
        "assetdb/diagnostics/pages.py",
        "PAGES: Final = {\n",
        "PAGES: Final = {\n"
        '    "loud-text": Page("It is shouted.", "Assets/Loud.asset: loud-text", "Write it again."),\n',
    )
    copy.append(
        "assetdb/scan/asset.py",
        "\n\n_quiet_text = text_of\n\n\n"
        "def text_of(data, *rest):\n"
        "    kind, *said = _quiet_text(data, *rest)\n"
        '    return ("loud" if data.isupper() else kind, *said)\n\n\n'
        '_NOT_YAML["loud"] = Finding("loud-text", "is shouted")\n',
    )
    copy.asset("Loud.asset", "MIND THE GAP")
    assert "Assets/Loud.asset: loud-text: is shouted (write it again)" in copy.run("bake")
    page = "from assetdb.diagnostics.codes import CODES\nfrom assetdb.diagnostics.pages import whole_page\n"
    assert "## loud-text" in copy.python("-c", f"{page}print(whole_page(list(CODES.values())))").stdout
    assert len(copy.changed) == 3


def test_a_method_is_one_function(copy: Copy) -> None:
    copy.append(
        "assetdb/daemon/rpc/methods.py",
        '\n\n@method("count")\ndef count(params, project, allowance):\n    """Count the assets."""\n    return 42\n',
    )
    code = (
        "from assetdb.daemon.rpc.dispatch import METHODS\n"
        "from assetdb.daemon.rpc.methods import query_methods\n"
        "from assetdb.daemon.rpc.registry import documentation\n"
        "print('count' in METHODS, query_methods.methods['count'].run(None, None, None))\n"
        "print(documentation(query_methods.methods.values()))\n"
    )
    done = copy.python("-c", code)
    assert done.stdout.startswith("True 42\n"), done
    assert done.stdout.rstrip().endswith("| `count` |  | Count the assets. |")
    assert len(copy.changed) == 1


def test_a_schema_is_one_module_of_a_new_version(copy: Copy) -> None:
    copy.asset("Note.txt", "x", "TextScriptImporter")
    copy.run("bake", "-q")
    assert copy.run("dump").startswith(f"asset-db schema {SCHEMA}: 1 assets")
    row = f"\nSCHEMA: Final = {SCHEMA}\n"
    (owner,) = [path for path in (copy.sources / "assetdb").rglob("*.py") if row in path.read_text("utf-8")]
    assert owner.parent.name == "store"
    copy.replace(str(owner.relative_to(copy.sources)), row, f"\nSCHEMA: Final = {SCHEMA + 1}\n")
    done = copy.python("-m", "assetdb", "dump")
    assert (done.returncode, "bake again" in done.stderr) == (2, True), done
    copy.run("bake", "-q")
    assert copy.run("dump").startswith(f"asset-db schema {SCHEMA + 1}: 1 assets")


def test_a_command_is_one_module_and_one_row(copy: Copy) -> None:
    copy.write(
        "assetdb/cli/echo.py",
        '"""``assetdb echo``."""\n\n'
        "from __future__ import annotations\n\n"
        "from typing import TYPE_CHECKING\n\n"
        "if TYPE_CHECKING:\n"
        "    from assetdb.cli.arguments import Manners\n"
        "    from assetdb.cli.options import Queries\n\n\n"
        "def echo(queries: Queries, options: Manners) -> int:\n"
        '    """Print what is given."""\n'
        "    print(*queries)\n"
        "    return 0\n",
    )
    copy.replace(
        "assetdb/cli/commands.py",
        "COMMANDS: Final[tuple[Command, ...]] = (\n",
        "COMMANDS: Final[tuple[Command, ...]] = (\n"
        '    Command("echo", "assetdb.cli.echo", "Print what is given.", ASK),\n',
    )
    assert copy.run("echo", "a", "b") == "a b\n"
    assert re.search(r"^Ask:\n  echo +Print what is given\.$", copy.run("--help"), re.MULTILINE)
    assert "QUERY" in copy.run("echo", "--help")
    done = copy.python("-m", "assetdb", "ecko", "x")
    assert (done.returncode, "did you mean 'echo'?" in done.stderr) == (2, True), done
    assert len(copy.changed) == 2


def test_the_table_of_names_says_where_to_look(copy: Copy) -> None:
    """A wrong name of a fileID: the guide's first table has the module, which is there."""
    table = (CHECKOUT / "docs" / "unity-ids.md").read_text("utf-8").partition("\n## ")[0]
    named = set(re.findall(r"`(assetdb\.unity\.[\w.]+)`", table))
    assert len(named) >= 5
    for module in sorted(named):
        assert (copy.sources / f"{module.replace('.', '/')}.py").is_file(), module
