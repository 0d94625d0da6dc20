"""A client that is not the tests' own: Neovim's, headless, as a user drives it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.architecture.imports import CHECKOUT
from tests.assetdb.lsp.editor import COMMAND

if TYPE_CHECKING:
    from pathlib import Path

NEOVIM = shutil.which("nvim")
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


@pytest.mark.skipif(NEOVIM is None, reason="no nvim: apt-get install neovim")
def test_the_documented_lines_colour_the_files(project: Path, tmp_path: Path) -> None:
    assert NEOVIM is not None
    documented = re.search(r"```lua\n(.*?)```", (CHECKOUT / "docs/editors.md").read_text(), re.DOTALL)
    assert documented is not None
    (tmp_path / "init.lua").write_text(OLDER + documented[1])
    (tmp_path / "count.lua").write_text(COLOURS)
    file = project / "Assets/Prefabs/Base.prefab"
    said = tmp_path / "said.json"
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SAID": str(said)}
    command = [
        NEOVIM,
        "--headless",
        "-n",
        "-u",
        str(tmp_path / "init.lua"),
        str(file),
        "-S",
        str(tmp_path / "count.lua"),
    ]
    ran = subprocess.run(command, env=environment, capture_output=True, timeout=200, check=False)
    assert said.is_file(), ran
    found = json.loads(said.read_text())
    rows = file.read_text().splitlines()
    assert found == {"lines": [number for number, row in enumerate(rows, 1) if row.strip()], "type": "unity"}


@pytest.mark.skipif(NEOVIM is None, reason="no nvim: apt-get install neovim")
def test_neovim_shows_hovers_and_goes_to_definitions(project: Path, tmp_path: Path) -> None:
    assert NEOVIM is not None
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
        [NEOVIM, "--headless", "--clean", "-n", str(file), "-S", str(tmp_path / "script.lua"), "-c", "cquit!"],
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
