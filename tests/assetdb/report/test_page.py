"""One file: its policy, its script, and names that try to leave their place."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import assetdb
from assetdb.report.page import pack, page_pieces, script_text
from tests.report_page import read_page

WEB = Path(assetdb.__file__).parent / "report" / "web"
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "<script>",
    "a\u2028b",
    "\"'`",
    "\u202egnp.exe",
    "x" * 1000,
    "\udc80",
    "FACTS POLICY /*STYLE*/ /*SCRIPT*/",
]


def facts(names: list[str]) -> dict[str, Any]:
    others: dict[str, list[str]] = {"guid": [], "path": [], "type": [], "name": [], "package": []}
    assets = {"folders": ["Assets"], "counts": [len(names)], "names": names, "others": others}
    assets |= {"guids": "".join(f"{number:032x}" for number, _ in enumerate(names)), "types": ["Material"]}
    assets |= {"type": [0] * len(names), "bytes": [1] * len(names), "degrees": [0] * len(names), "targets": []}
    return {"project": HOSTILE[0], "assets": assets}


def page(tmp_path: Path, names: list[str]) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(b"".join(page_pieces(pack(facts(names)))))
    return path


def test_the_policy_admits_the_one_style_and_the_one_script(tmp_path: Path) -> None:
    text = page(tmp_path, []).read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; ")
    for directive, element in (
        ("script-src", r'<script type="module">(.*?)</script>'),
        ("style-src", "<style>(.*?)</style>"),
    ):
        (content,) = re.findall(element, text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy[1]
    assert re.findall(r"<script\b[^>]*>", text) == [
        '<script id="facts" type="text/plain" data-start="">',
        '<script type="module">',
    ]
    assert not re.search(r"\son\w+=|\sstyle=|\bsrc=|url\(|@import|https?:", text)


def test_no_name_leaves_its_place(tmp_path: Path) -> None:
    path = page(tmp_path, HOSTILE)
    assert read_page(path).facts == facts(HOSTILE)
    block = re.compile('(?<=data-start="">)[^<]*')
    hostile, harmless = (block.sub("", page(tmp_path, names).read_text("utf-8")) for names in (HOSTILE, []))
    assert hostile == harmless


def test_the_script_is_all_modules_each_after_those_that_it_imports() -> None:
    script = script_text()
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    files = {path.name: path.read_text("utf-8") for path in WEB.glob("*.js")}
    places = {}
    for name, text in files.items():
        body = re.sub(r"^import [^;]*;\n|^export ", "", text, flags=re.MULTILINE)
        assert body in script, f"{name} is not in the page"
        places[name] = script.index(body)
        names = re.findall(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE)
        for one in names:
            found = re.findall(rf"^(?:async )?(?:function|class|const|let) {one}\b", script, re.MULTILINE)
            assert len(found) == 1, f"{one} of {name}: all modules of a page share one scope"
    for name, text in files.items():
        for other in re.findall(r'^import .* from "\./(\w+\.js)"', text, re.MULTILINE):
            assert places[other] < places[name]


def test_the_script_evaluates_no_text() -> None:
    assert not re.search(r"\beval\(|\bFunction\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write", script_text())


def test_the_page_is_read_from_a_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "assetdb.zip", "w") as archive:
        for path in (WEB.parents[0], WEB):
            for file in path.iterdir():
                if file.is_file():
                    archive.write(file, f"assetdb/{file.relative_to(WEB.parents[1]).as_posix()}")
        archive.writestr("assetdb/__init__.py", "")
    script = "import sys; from assetdb.report.page import page_pieces; sys.stdout.buffer.writelines(page_pieces(''))"
    environment = {"PYTHONPATH": str(tmp_path / "assetdb.zip")}
    done = subprocess.run([sys.executable, "-S", "-c", script], env=environment, capture_output=True, check=True)
    assert done.stdout == b"".join(page_pieces(""))
