"""A page in a browser: nothing is requested, nothing complains, and the ways through it work."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from scripts.fixture import copy_fixture
from tests.assetdb.history.git_project import commit, make_repository
from tests.assetdb.report.test_shipped import synthetic
from tests.assetdb.unity.textures.test_imported import meta, platform, png
from tests.assetdb.unity_project import guid, make_project
from tests.chromium import Browser, chromium
from tests.report_page import read_page
from tests.system.graph.project import HEAD, add, guid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAM = chromium()
pytestmark = [pytest.mark.long, pytest.mark.skipif(PROGRAM is None, reason="Chromium is not here")]
AXE = CHECKOUT / "editor" / "vscode" / "node_modules" / "axe-core" / "axe.min.js"
KEYS = ("asset", "bundle or file", "group", "class", "script assembly")
HOSTILE = ["</script><img src=x onerror=alert(1)>.mat", "<!--.mat", "a\u2028b.mat", "\"'`&amp;.mat", "\u202egnp.mat"]


@pytest.fixture
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM) as found:
        yield found


def write_page(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    assert main(["report", "-q", "-o", "page.html"]) == 0
    return root / "page.html"


def text(browser: Browser, selector: str) -> str:
    found: str = browser.run(f"document.querySelector({json.dumps(selector)}).innerText")
    return found


def texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)"
    )
    return found


def click(browser: Browser, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).click()")


def go(browser: Browser, place: str) -> None:
    changed = f"addEventListener('hashchange', () => setTimeout(go, 0)); location.hash = {json.dumps('#' + place)};"
    browser.run(f"new Promise((go) => {{ {changed} }})")


def catch_copies(browser: Browser) -> None:
    browser.run(
        "window.copied = [];"
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => { copied.push(text); }}}); 0"
    )


def test_ways_through_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    copy_fixture(tmp_path / "P")
    path = write_page(tmp_path / "P", monkeypatch)
    page = read_page(path)
    browser.open(path)
    catch_copies(browser)
    browser.press("/", "/")
    browser.type("base.pref")
    assert browser.run("[...document.querySelectorAll('#results .name')].map((one) => one.innerText)") == [
        "Base.prefab"
    ]
    browser.press("Enter")
    browser.wait("document.querySelector('main h1').innerText === 'Base.prefab'")
    guid = page.guids[page.paths.index("Assets/Prefabs/Base.prefab")]
    assert browser.run("location.hash") == f"#{guid}"
    users = {user for user, target in page.edges if target == "Assets/Prefabs/Base.prefab"}
    rows = "[...document.querySelectorAll('[aria-label=\"Used by\"] > li > .row > a')].map((one) => one.title)"
    assert set(browser.run(rows)) == users
    click(browser, "main .way:first-of-type .copy")
    click(browser, "main dd .copy")
    assert [sorted(one.splitlines()) for one in browser.run("copied")] == [
        sorted(users),
        ["Assets/Prefabs/Base.prefab"],
    ]
    go(browser, f"{guid}:1001")  # an object of it
    assert text(browser, "main h1") == "Base.prefab"
    browser.run("history.back()")
    browser.wait(f"location.hash === '#{guid}'")
    assert browser.complaints == []


def test_trees_open_by_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    path = write_page(make_project(tmp_path / "P"), monkeypatch)
    page = read_page(path)
    browser.open(path)
    go(browser, page.guids[page.paths.index("Assets/Scripts/Health.cs")])
    # Player.prefab has the script; Level.prefab and Main.unity have the prefab.
    browser.run("document.querySelector('[aria-label=\"Used by\"] > li:nth-child(3)').focus()")
    assert text(browser, "[aria-label='Used by'] > li:nth-child(3) a") == "Player.prefab"
    browser.press("ArrowRight")
    names = "[...document.activeElement.querySelectorAll(':scope > ul > li > .row > a')].map((one) => one.innerText)"
    assert browser.run(names) == ["Main.unity", "Level.prefab"]
    browser.press("ArrowRight")
    assert browser.run("document.activeElement.querySelector('a').innerText") == "Main.unity"
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert browser.run("document.activeElement.querySelector('ul')") is None
    assert browser.complaints == []


def test_tables_sort_filter_and_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    copy_fixture(tmp_path / "P")
    path = write_page(tmp_path / "P", monkeypatch)
    rows = read_page(path).rows("unused", "unused")
    assert len(rows) > 12
    browser.open(path)
    go(browser, "unused")
    catch_copies(browser)
    click(browser, "section.table th:nth-child(3) button")
    assert text(browser, "th[aria-sort=descending]").startswith("Bytes")
    for button in ("Copy TSV", "Copy list"):
        buttons = "[...document.querySelectorAll('section.table button')]"
        browser.run(f"{buttons}.find((one) => one.innerText === {button!r}).click()")
    copied, paths = browser.run("copied")
    lines = [line.split("\t") for line in copied.splitlines()]
    assert lines[0] == ["Path", "Type", "Bytes", "Packed by"]
    assert {(path, int(size)) for path, _, size, _ in lines[1:]} == {(row["path"], row["bytes"]) for row in rows}
    assert [int(line[2]) for line in lines[1:]] == sorted((row["bytes"] for row in rows), reverse=True)
    assert paths.splitlines() == [line[0] for line in lines[1:]]
    browser.run("document.querySelector('section.table .filter').focus()")
    browser.type(rows[0]["path"])
    assert text(browser, "section.table .head .dim") == f"1 of {len(rows)} rows"
    assert browser.complaints == []


def test_the_map_opens_groups_and_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    copy_fixture(tmp_path / "P")
    path = write_page(tmp_path / "P", monkeypatch)
    page = read_page(path)
    sizes = dict(zip(page.paths, page.bytes, strict=False))
    browser.open(path)
    go(browser, "sizes/folder/Assets")

    def folders(below: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for asset, size in sizes.items():
            if asset.startswith(below):
                name = asset.removeprefix(below).partition("/")[0]
                found[name] = found.get(name, 0) + (size or 0)
        return found

    def shown() -> dict[str, int]:
        rows = "[...document.querySelectorAll('section.table tbody tr')].map((row) => ["
        rows += "row.cells[0].innerText, parseInt(row.cells[2].firstChild.title.replaceAll(',', ''))])"
        return dict(browser.run(rows))

    assert shown() == folders("Assets/")
    largest = max(folders("Assets/").items(), key=lambda row: row[1])[0]
    label = f"document.querySelector('.map a.tile[title^={json.dumps(largest + ',')}]')"
    assert browser.run(f"{label}.getBoundingClientRect().width") > 100
    browser.run(f"{label}.click()")
    browser.wait(f"document.querySelector('.crumbs').innerText === 'All / Assets / {largest}'")
    assert browser.run("location.hash") == f"#sizes/folder/Assets/{largest}"
    assert shown() == folders(f"Assets/{largest}/")
    browser.run("history.back()")
    browser.wait("document.querySelector('.crumbs').innerText === 'All / Assets'")
    assert shown() == folders("Assets/")
    assert browser.complaints == []


def test_more_users_than_a_tree_shows_at_once_come_by_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    root = make_project(tmp_path / "P")
    target = guid_of("Assets/target.asset")
    add(root, "Assets/target.asset", f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n", "NativeFormatImporter")
    for number in range(130):
        text = f"{HEAD}--- !u!114 &11400000\nMonoBehaviour:\n  x: {{fileID: 11400000, guid: {target}, type: 2}}\n"
        add(root, f"Assets/user{number:03}.asset", text, "NativeFormatImporter")
    browser.open(write_page(root, monkeypatch))
    go(browser, target)
    rows = "document.querySelectorAll('[aria-label=\"Used by\"] > li').length"
    roles = "[...new Set([...document.querySelectorAll('.tree li')].map((one) => one.getAttribute('role')))]"
    assert browser.run(rows) == 101
    assert browser.run(roles) == ["treeitem"]  # assistive technology knows no other child of a tree
    browser.run("document.querySelector('[aria-label=\"Used by\"] > li').focus()")
    browser.press("End")
    browser.press("Enter")
    assert browser.run(rows) == 130
    assert browser.complaints == []


def test_a_build_and_an_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    root = tmp_path / "P"
    build, older = synthetic(root, None)
    monkeypatch.chdir(root)
    assert main(["report", "-q", "--in", build, "--against", older, "-o", "page.html"]) == 0
    page = read_page(root / "page.html")
    browser.open(root / "page.html")
    facts = page.facts["build"]
    for way in ("shipped", "file", "group", "assembly"):
        go(browser, f"sizes/{way}")
        titles = "[...document.querySelectorAll('section.table tbody tr')]"
        titles += ".map((row) => parseInt(row.cells[2].firstChild.title.replaceAll(',', '')))"
        assert sum(browser.run(titles)) == sum(facts["assets"]["disk"]), way
    go(browser, "sizes/shipped")
    names = {name.partition("\n")[0] for name in texts(browser, "section.table tbody td.path")}
    assert {"(code)", "(settings)", "Assets"} <= names
    guid = page.guids[page.paths.index("Assets/apple.png")]
    go(browser, guid)
    shipped = [row for row in zip(*facts["shipped"].values(), strict=True) if row[0] == guid]
    assert [row[1] for row in shipped] == texts(browser, "section.table td:first-child")
    go(browser, "twice")
    assert texts(browser, "ul.copies code") == [
        copy["file"] for copies in facts["duplicates"]["objects"] for copy in copies
    ]
    go(browser, "against")
    assert texts(browser, "section.table:first-of-type td:nth-child(2)") == facts["against"]["parts"]["name"]
    go(browser, "build")
    assert texts(browser, "h2") == [f"By {one}" for one in (*KEYS,)]
    assert browser.complaints == []


def test_areas_are_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    root = make_project(tmp_path / "P")
    for number, (name, count) in enumerate((("Big", 600_000), ("Half", 300_000), ("Small", 100_000))):
        (root / "Assets" / f"{name}.bytes").write_bytes(b"x" * count)
        (root / "Assets" / f"{name}.bytes.meta").write_text(f"fileFormatVersion: 2\nguid: {number:031x}e\n")
    browser.open(write_page(root, monkeypatch))
    go(browser, "sizes")
    tiles = "[...document.querySelectorAll('.map .tile')]"
    tiles += ".map((one) => [one.innerText, one.offsetWidth * one.offsetHeight])"
    areas = {text.partition(".bytes")[0]: area for text, area in browser.run(tiles) if ".bytes" in text}
    assert areas["Big"] / areas["Half"] == pytest.approx(2, rel=0.02)
    assert areas["Half"] / areas["Small"] == pytest.approx(3, rel=0.02)


def test_hostile_names_are_only_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    root = make_project(tmp_path / "P")
    for number, name in enumerate(HOSTILE):
        try:
            (root / "Assets" / name.replace("/", "\u2215")).write_text("%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n")
        except OSError:
            pytest.skip("this disk takes no such names")
        meta = f"fileFormatVersion: 2\nguid: {number:031x}f\nNativeFormatImporter:\n"
        (root / "Assets" / (name.replace("/", "\u2215") + ".meta")).write_text(meta)
    browser.open(write_page(root, monkeypatch))
    for number, name in enumerate(HOSTILE):
        go(browser, f"{number:031x}f")
        shown = name.replace("/", "\u2215").replace("\u2028", "\\u2028").replace("\u202e", "\\u202e")
        assert browser.run("document.querySelector('main h1').textContent") == shown
        assert browser.run("document.querySelectorAll('img, script').length") == 2  # the facts and the script
    assert browser.complaints == []


@pytest.mark.parametrize("place", ["overview", "sizes", "twice", "findings", "unused", "packages"])
def test_no_view_is_wider_than_a_phone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser, place: str
) -> None:
    copy_fixture(tmp_path / "P")
    browser.look(360, 700)
    browser.open(write_page(tmp_path / "P", monkeypatch))
    go(browser, place)
    assert browser.run("document.documentElement.scrollWidth") <= 360
    assert browser.complaints == []


def test_a_project_without_assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    (tmp_path / "Assets").mkdir()
    (tmp_path / "ProjectSettings").mkdir()
    browser.open(write_page(tmp_path, monkeypatch))
    for place in ("overview", "sizes", "twice", "findings", "unused", "packages"):
        go(browser, place)
    assert browser.complaints == []


def test_a_browser_that_cannot_unpack_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    path = write_page(make_project(tmp_path / "P"), monkeypatch)
    browser.ask("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    browser.open(path)
    assert "DecompressionStream" in text(browser, "main .note")


def test_an_asset_has_its_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    root = make_repository(tmp_path / "P")
    tower = root / "Assets/Prefabs/Tower.prefab"
    for number in range(22):
        tower.write_bytes(tower.read_bytes() + b"\n")
        commit(root, f"</script> edit {number} \u202e")
    path = write_page(root, monkeypatch)
    browser.open(path)
    go(browser, read_page(path).guids[read_page(path).paths.index("Assets/Prefabs/Tower.prefab")])
    rows = texts(browser, "main section.table:last-of-type tbody td:last-child")
    assert rows == [f"</script> edit {number} \\u202e" for number in range(21, 1, -1)]
    assert "3 older changes of it are not in this page." in text(browser, "main")
    assert browser.complaints == []


def test_a_page_in_a_panel_that_follows_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    """A panel of VS Code writes the page into a frame, and keeps every click on a link within it."""
    root = make_project(tmp_path / "P")
    monkeypatch.chdir(root)
    assert main(["report", "-q", "-o", "page.html", "--show", "Health.cs"]) == 0
    page = read_page(root / "page.html")
    panel = root / "panel.html"
    html = base64.b64encode((root / "page.html").read_bytes()).decode()
    panel.write_text(
        f"""<!doctype html><title>panel</title><main><p class="note"></main><iframe id="frame"></iframe><script>
        const bytes = Uint8Array.from(atob("{html}"), (one) => one.charCodeAt(0));
        const inner = document.getElementById("frame").contentDocument;
        inner.open();
        inner.write(new TextDecoder().decode(bytes));
        inner.close();
        inner.addEventListener("click", (event) => event.target.closest("a") && event.preventDefault());
        </script>"""
    )
    browser.open(panel)
    inside = "document.getElementById('frame').contentDocument"
    heading = f"{inside}.querySelector('main h1')?.innerText"
    browser.wait(f"{heading} === 'Health.cs'")
    browser.run(f"{inside}.querySelector('[aria-label=\"Used by\"] > li:nth-child(3) a').click()")
    browser.wait(f"{heading} === 'Player.prefab'")
    browser.run(f"{inside}.querySelector('#views a[href=\"#findings\"]').click()")
    browser.wait(f"{inside}.title.startsWith('Findings')")
    (start,) = re.findall(r' data-start="([0-9a-f]+)">', (root / "page.html").read_text("utf-8"))
    assert start in page.guids
    assert browser.complaints == []


def test_textures_that_have_no_estimate_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    root = make_project(tmp_path / "P")
    for number, data in enumerate((png(64, 64), b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")):
        (root / f"Assets/{number}.png").write_bytes(data)
        own = meta(platform()).replace(b"guid: 0", f"guid: {guid(70 + number)}".encode())
        (root / f"Assets/{number}.png.meta").write_bytes(own)
    monkeypatch.chdir(root)
    assert main(["report", "-q", "-o", "page.html", "--imported", "windows"]) == 0
    browser.open(root / "page.html")
    go(browser, "sizes/format")
    assert texts(browser, "main tbody td:first-child") == [
        "DXT1",
        "(no estimate)",
    ]  # two textures of the project are no pictures, either
    assert "3 textures of unknown size are not in the map." in text(browser, "main")
    assert "2.0 kB in 4 textures" in text(browser, "main .head")
    assert browser.complaints == []


@pytest.mark.skipif(not AXE.is_file(), reason="the packages of the VS Code extension are not here")
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_that_keeps_people_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser, *, dark: bool
) -> None:
    root = make_repository(tmp_path / "P")
    monkeypatch.chdir(root)
    assert main(["report", "-q", "-o", "page.html", "--since", "HEAD", "--imported", "windows"]) == 0
    page = read_page(root / "page.html")
    asset = page.guids[page.paths.index("Assets/Scripts/Health.cs")]
    browser.look(1400, 900, dark=dark)
    browser.open(root / "page.html")
    browser.run(f"{AXE.read_text('utf-8')};0")
    asked = "axe.run().then(({violations, passes}) => [passes.length, violations.map(({impact, id}) => [impact, id])])"
    for place in ("change", "sizes", "sizes/format", "twice", "findings", "unused", "packages", asset, "overview"):
        go(browser, place)
        passed, violations = browser.run(asked)
        assert passed > 10, place
        assert [row for row in violations if row[0] in ("serious", "critical")] == [], place
    browser.run("document.querySelector('main').append(document.createElement('img')); 0")
    assert ["critical", "image-alt"] in browser.run(asked)[1]
