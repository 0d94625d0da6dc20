"""The recipes of CONTRIBUTING, walked in a copy of the sources: as many places as they say, and no more."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from typing import TYPE_CHECKING

import pytest

from assetdb.store.schema import SCHEMA
from assetdb_formats.addressables.flavour import BINARY_FLAVOURS
from tests.architecture.imports import CHECKOUT, SOURCES
from tests.assetdb_formats.addressables.builder import make_content
from tests.assetdb_formats.addressables.builder import write as write_catalog

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

    def python(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSETDB_")}
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.project,
            env=kept | {"PYTHONPATH": str(self.sources), "PYTHONDONTWRITEBYTECODE": "1"},
            input=given,
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
        'NOT_YAML["loud"] = Finding("loud-text", "is shouted")\n',
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


def test_a_tool_of_the_server_for_assistants_is_a_function_and_a_row(copy: Copy) -> None:
    copy.asset("Note.txt", "x", "TextScriptImporter")
    copy.replace(
        "assetdb/mcp/answers.py",
        "TOOLS: Final[",
        "def count(arguments, engine):\n"
        '    """Count the assets."""\n'
        '    total = _ask(engine, "find", pattern="*", limit=1)["total"]\n'
        '    return Answer(counted(total, "asset"), [])\n\n\n'
        "TOOLS: Final[",
    )
    copy.replace("assetdb/mcp/answers.py", "for function in (info, ", "for function in (count, info, ")
    copy.replace(
        "assetdb/mcp/declarations.py",
        "READING: Final = (\n",
        'READING: Final = (\n    Tool("count", "Count the assets."),\n',
    )
    version = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    calls = [
        ("tools/list", {}),
        ("tools/call", {"name": "count"}),
        ("tools/call", {"name": "count", "arguments": {"x": 1}}),
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params | {"_meta": version}})
        for number, (method, params) in enumerate(calls)
    ]
    done = copy.python("-m", "assetdb", "mcp", given="\n".join([*lines, ""]))
    listed, counted, refused = (json.loads(line)["result"] for line in done.stdout.splitlines())
    assert listed["tools"][0]["description"] == "Count the assets."
    assert counted["content"] == [{"type": "text", "text": "1 asset"}]
    assert refused["isError"]
    assert set(copy.changed) == {"assetdb/mcp/answers.py", "assetdb/mcp/declarations.py"}


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
        "    from assetdb.cli.arguments import CommonOptions\n"
        "    from assetdb.cli.options import Queries\n\n\n"
        "def echo(queries: Queries, options: CommonOptions) -> int:\n"
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


def test_an_importer_is_a_module_a_row_and_a_branch(copy: Copy) -> None:
    copy.asset("Oak.voxel", "Trunk\nLeaves\n", "ScriptedImporter")
    copy.run("bake", "-q")
    assert "importer-unknown" in copy.python("-m", "assetdb", "name", f"{GUID}:2").stderr
    copy.write(
        "assetdb/unity/importers/voxel.py",
        '"""Objects of a voxel model: one for each line."""\n\n'
        "from assetdb.unity.engine.file_ids import ImportedObject\n\n\n"
        "def voxel_objects(data):\n"
        '    """Return the objects of a model by fileID."""\n'
        '    names = data.decode("utf-8", "replace").splitlines()\n'
        '    return {row: ImportedObject("Mesh", name, certain=True) for row, name in enumerate(names, 1)}\n',
    )
    copy.replace("assetdb/unity/kinds.py", '_TABLE: Final = """\n', '_TABLE: Final = """\n43 other - voxel voxel\n')
    copy.replace(
        "assetdb/resolve/imported.py",
        '    elif namer == "scripted":\n',
        '    elif namer == "voxel":\n'
        "        from assetdb.unity.importers.voxel import voxel_objects\n\n"
        '        objects.update(voxel_objects(read_file(path) or b""))\n'
        "        missing = DANGLING\n"
        '    elif namer == "scripted":\n',
    )
    (copy.project / "Library" / "assetdb" / "asset-db.cache").unlink()
    copy.run("bake", "-q")
    assert "Leaves" in copy.run("name", f"{GUID}:2")
    assert "Oak.voxel" in copy.run("find", "Oak")
    assert len(copy.changed) == 3


def test_a_catalog_version_is_a_row_for_its_writer_and_a_row_for_who_asks(copy: Copy) -> None:
    old, new = copy.project / "catalog.bin", copy.project / "new.bin"
    old.write_bytes(write_catalog(make_content(), BINARY_FLAVOURS["4.0"]))
    copy.replace(
        "assetdb_formats/addressables/flavour.py",
        "    for flavour in (\n        BinaryFlavour(",
        "    for flavour in (\n"
        '        BinaryFlavour("99.0", 3, 28, unicode_from=128, tail_first=True, simple_types=True),\n'
        "        BinaryFlavour(",
    )
    copy.replace(
        "assetdb_formats/addressables/queries/provenance.py",
        "_BINARY_RANGES: Final = {\n",
        '_BINARY_RANGES: Final = {\n    "99.0": ("99.0.0", "99.x"),\n',
    )
    assert "binary-99.0" in " ".join(copy.run("catalog", "convert", "--help").split())
    copy.run("catalog", "convert", str(old), "--format", "binary-99.0", "-o", str(new), "--hash-file", "none")
    assert len(new.read_bytes()) < len(old.read_bytes())  # without a hash in its header
    assert "99.0.0" in copy.run("catalog", "info", str(new))
    assert "99.0.0" not in copy.run("catalog", "info", str(old))
    assert len(copy.changed) == 2


def test_a_field_of_a_bundle_is_a_field_a_row_and_both_binary_sides(copy: Copy) -> None:
    (copy.project / "old.bin").write_bytes(write_catalog(make_content(), BINARY_FLAVOURS["2.9"]))
    model, binary = "assetdb_formats/addressables/model.py", "assetdb_formats/addressables/binary"
    copy.replace(
        model,
        "    clear_other_versions: bool = False\n",
        "    clear_other_versions: bool = False\n    lenient: bool = False\n",
    )
    last = '    "m_ClearOtherCachedVersionsWhenLoaded": "clear_other_versions",\n'
    copy.replace(model, last, f'{last}    "m_Lenient": "lenient",\n')
    copy.replace(
        f"{binary}/reader.py",
        "            flags & 16 != 0,\n",
        "            flags & 16 != 0,\n            flags & 32 != 0,\n",
    )
    flag = "            | options.clear_other_versions << 4\n"
    copy.replace(f"{binary}/writer.py", flag, f"{flag}            | options.lenient << 5\n")
    copy.replace(
        "assetdb_formats/addressables/flavour.py",
        '"m_resourceTypes", "m_InternalIdPrefixes"), text_sets=False),',
        '"m_resourceTypes", "m_InternalIdPrefixes"), text_sets=False, bundle_fields=tuple(BUNDLE_FIELDS)[:-1]),',
    )
    bundle = {"keys": ["x.bundle"], "internal_id": "x.bundle", "provider": "P", "bundle": {"lenient": True}}
    copy.run("catalog", "edit", "old.bin", "--add", json.dumps(bundle), "-o", "new.bin", "--hash-file", "none")
    for flavour, count in (("1.28", 5), ("1.16.8", 0)):  # four bundles of the builder
        copy.run(
            "catalog", "convert", "new.bin", "--format", f"json-{flavour}", "-o", "back.json", "--hash-file", "none"
        )
        extra = json.loads((copy.project / "back.json").read_text("utf-8"))["m_ExtraDataString"]
        texts = b64decode(extra).decode("utf-16-le", "replace"), b64decode(extra)[1:].decode("utf-16-le", "replace")
        assert sum(text.count('"m_Lenient":') for text in texts) == count
        assert sum(text.count('"m_Lenient":true') for text in texts) == min(count, 1)
    assert len(set(copy.changed)) == 4


def test_a_feature_of_the_language_server_is_a_module_an_import_and_a_capability(copy: Copy) -> None:
    copy.write(
        "assetdb/lsp/features/recipe_colors.py",
        '"""Colours of a document."""\n\n'
        "from assetdb.lsp.workers import TEXT\n"
        "from assetdb.lsp.protocol.structures import OfDocument\n"
        "from assetdb.lsp.protocol.registry import feature\n\n\n"
        '@feature("textDocument/documentColor", OfDocument, TEXT, absent=[])\n'
        "def document_colors(params, context):\n"
        '    """Return no colour."""\n'
        "    return []\n",
    )
    copy.replace(
        "assetdb/lsp/features/__init__.py",
        "    actions,\n",
        "    actions,\n    recipe_colors,\n",
    )
    copy.replace(
        "assetdb/lsp/protocol/lifecycle.py",
        '            "hoverProvider": True,\n',
        '            "hoverProvider": True,\n            "colorProvider": True,\n',
    )
    document = {"textDocument": {"uri": (copy.project / "a.mat").as_uri()}}
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "textDocument/documentColor", "params": document},
    ]
    code = (
        "import subprocess, sys\n"
        "command = [sys.executable, '-m', 'assetdb', 'lsp']\n"
        "server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"for message in {[json.dumps({'jsonrpc': '2.0', **message}) for message in messages]!r}:\n"
        "    server.stdin.write(f'Content-Length: {len(message)}\\r\\n\\r\\n{message}'.encode())\n"
        "server.stdin.flush()\n"
        "said = b''\n"
        "while b'\"id\":2' not in said:\n"
        "    said += server.stdout.read1() or sys.exit(f'ended: {said}')\n"
        "server.kill()\n"
        "print(said.decode())\n"
    )
    said = copy.python("-c", code).stdout
    assert '"colorProvider":true' in said
    assert json.loads(said[said.index('{"jsonrpc":"2.0","id":2') :].partition("Content-Length")[0])["result"] == []
    assert len(copy.changed) == 3


def test_a_fix_is_a_code_and_a_change_of_the_draft(copy: Copy) -> None:
    copy.asset("Loud.txt", "LOUD")
    meta = copy.project / "Assets" / "Loud.txt.meta"
    meta.write_bytes(b"\xef\xbb\xbf" + meta.read_bytes())
    copy.append(
        "assetdb/checks/findings/codes.py",
        'MARK: Final = "byte-order-mark"\nfixable_codes |= {MARK}\n',
    )
    copy.replace(
        "assetdb/checks/mending/fixes.py",
        "    return draft.plan()\n",
        '    for path in paths["byte-order-mark"]:\n'
        '        draft.write(path, (draft.read(path) or b"").removeprefix(b"\\xef\\xbb\\xbf"))\n'
        '        draft.mend("byte-order-mark", path, "begins with its text")\n'
        "    return draft.plan()\n",
    )
    done = copy.python("-m", "assetdb", "check", "--select", "byte-order-mark")
    assert "byte-order-mark" in done.stdout, done
    assert "1 fixable with --fix" in done.stdout, done
    assert "begins with its text" in copy.run("check", "--select", "byte-order-mark", "--fix")
    assert meta.read_bytes().startswith(b"fileFormatVersion")
    assert len(copy.changed) == 2


def test_a_report_format_is_a_module_and_its_word(copy: Copy) -> None:
    (copy.project / "Assets" / "Bare.mat").write_text("x", "utf-8")
    copy.write(
        "assetdb/checks/reports/comma.py",
        '"""Findings as comma-separated values."""\n\n\n'
        'def lines(findings, prefix=""):\n'
        '    """Yield a line for each finding."""\n'
        '    yield "code,path"\n'
        '    yield from (f"{found.code},{prefix}{found.path}" for found in findings)\n',
    )
    copy.replace("assetdb/cli/review/check_options.py", '["text", ', '["text", "comma", ')
    copy.replace("assetdb/cli/plain.py", '("text", "json", "github"', '("text", "json", "comma", "github"')
    said = copy.python("-m", "assetdb", "check", "--format", "comma").stdout
    assert said.splitlines()[0] == "code,path"
    assert "missing-meta,Assets/Bare.mat" in said.splitlines()
    assert len(copy.changed) == 3


def test_a_build_engine_is_a_reader_two_branches_and_a_check(copy: Copy) -> None:
    build = copy.project / "Shipped"
    build.mkdir()
    (build / "game.pck").write_bytes(b"GDPC" + bytes(96))
    copy.write(
        "assetdb/builds/engines/godot.py",
        '"""A build of Godot as an inventory."""\n\n'
        "from assetdb.builds.engines.inventory import FILE, Inventory, InventoryFile, Item\n"
        "from assetdb.builds.engines.listing import list_files\n\n\n"
        "def read_godot(paths, *, contents=True, progress=None):\n"
        '    """Read the packs at some paths."""\n'
        "    problems = []\n"
        "    found = list(list_files(paths, problems).values())\n"
        '    files = tuple(InventoryFile(file.name, file.path, ".pck", file.size) for file in found)\n'
        '    items = (Item(0, FILE, files[0].name, "", "pck", files[0].disk, 0, files[0].disk),)\n'
        '    return Inventory("Godot", tuple(paths), files, items, problems=tuple(problems))\n',
    )
    copy.replace(
        "assetdb/builds/engines/detection.py",
        "        if lower.endswith(_CASSET):\n            found[CRYSTAL] = None\n        elif",
        "        if lower.endswith(_CASSET):\n            found[CRYSTAL] = None\n"
        '        elif lower.endswith(".pck"):\n            found["Godot"] = None\n        elif',
    )
    copy.replace(
        "assetdb/cli/build/opened.py",
        "    if engine == CRYSTAL:\n        packed",
        '    if engine == "Godot":\n'
        "        from assetdb.builds.engines.godot import read_godot\n\n"
        "        yield read_godot(paths, contents=contents)\n"
        "        return\n"
        "    if engine == CRYSTAL:\n        packed",
    )
    copy.replace(
        "assetdb/builds/engines/verification.py", "_CHECKS: Final = {", '_CHECKS: Final = {"Godot": lambda *_: (), '
    )
    assert "Godot" in copy.run("build", "info", str(build))
    assert "game.pck" in copy.run("build", "ls", str(build))
    assert "GDPC" not in copy.run("build", "verify", str(build))
    assert "reads builds of Unity" in copy.python("-m", "assetdb", "build", "get", "x", "--in", str(build)).stderr
    assert len(copy.changed) == 4


def test_the_table_of_names_says_where_to_look(copy: Copy) -> None:
    """A wrong name or type of a fileID: the guide's first two tables have the modules, which are there."""
    for table in (CHECKOUT / "docs" / "unity-ids.md").read_text("utf-8").split("\n## ")[:2]:
        named = set(re.findall(r"`(assetdb\.[\w.]+)`", table))
        assert len(named) >= 5
        for module in sorted(named):
            assert (copy.sources / f"{module.replace('.', '/')}.py").is_file(), module
