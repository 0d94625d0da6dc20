"""The pages as a site in a browser: search, both schemes, a phone's width."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from scripts.programs import CHECKOUT
from tests.chromium import Browser, chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = chromium()
pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium is here"),
    pytest.mark.skipif(find_spec("zensical") is None, reason="zensical is not installed (the extra docs)"),
]
_FIRST = (  # result of the search, which is drawn in a shadow
    "[...document.querySelectorAll('*')].flatMap(each => [...(each.shadowRoot?.querySelectorAll('a') ?? [])])"
    ".find(each => each.ariaPosInSet === '1')"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site from a copy of its sources."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(CHECKOUT / "mkdocs.yml", folder)
    shutil.copytree(CHECKOUT / "docs", folder / "docs")
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True, capture_output=True)
    return folder / "build" / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM) as page:
        yield page


def opened(browser: Browser, page: Path) -> None:
    browser.ask("Page.navigate", url=page.as_uri())
    browser.wait("document.readyState === 'complete' && document.querySelector('.md-search__button') !== null")


@pytest.mark.parametrize("query", ['unused "textures"', "unused textures"])
def test_a_search_for_unused_textures_finds_unused_assets(site: Path, browser: Browser, query: str) -> None:
    opened(browser, site / "index.html")
    browser.run("document.querySelector('.md-search__button').click()")
    browser.type(query)
    # Results come page by page, so the first of them changes until all have been searched.
    browser.wait(
        f"new URLSearchParams({_FIRST}?.search).get('h') === {json.dumps(query)}"
        f" && {_FIRST}.querySelector('h2').innerText.startsWith('Unused assets')"
    )


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, False), (390, True)])
def test_page_one_fits_in_both_schemes(site: Path, browser: Browser, width: int, *, dark: bool) -> None:
    browser.look(width, 900, dark=dark)
    opened(browser, site / "index.html")
    browser.wait("[...document.querySelectorAll('article img')].every(each => each.naturalWidth > 0)")
    assert browser.run("document.querySelectorAll('article img').length") == 3
    assert browser.run("document.documentElement.scrollWidth") <= width
    light = browser.run(
        "getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).every(v => v > 127)"
    )
    assert light is not dark
    assert browser.run("document.querySelector('meta[name=description]').content")
    assert browser.run("document.querySelector('.md-logo img').naturalWidth") > 0
