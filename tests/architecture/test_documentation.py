"""What the pages for people name is there: files, folders, links between pages."""

from __future__ import annotations

import re

import pytest

from tests.architecture.imports import CHECKOUT

PAGES = sorted(
    path.relative_to(CHECKOUT).as_posix()
    for path in (CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *(CHECKOUT / "docs").glob("*.md"))
)
OF_THE_CHECKOUT = ("assetdb", "formats", "tests", "scripts", "docs", "fixtures", "editor", ".ci", ".github")


def named(text: str) -> set[str]:
    """Return the paths of the checkout that a page names in backticks; ``**`` and capitals stand for anything."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    words = {word for span in spans for word in span.split()[:1]}
    return {word for word in words if re.fullmatch(rf"({'|'.join(map(re.escape, OF_THE_CHECKOUT))})/[\w./*-]*", word)}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/platforms.md", "docs/index.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    paths = named((CHECKOUT / page).read_text("utf-8"))
    missing = {path for path in paths if "NAME" not in path and not any(CHECKOUT.glob(path.rstrip("/")))}
    assert not missing


def test_the_map_names_every_folder() -> None:
    folders = {f"assetdb/{path.parent.name}/" for path in (CHECKOUT / "assetdb").glob("*/__init__.py")}
    for page in ("CONTRIBUTING.md", "docs/architecture.md"):
        assert folders <= named((CHECKOUT / page).read_text("utf-8")), page


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_something(page: str) -> None:
    text = re.sub(r"```.*?```", "", (CHECKOUT / page).read_text("utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    own = [link.partition("#")[0] for link in links if not link.startswith(("http:", "https:", "#", "mailto:"))]
    missing = [link for link in own if not (CHECKOUT / page).parent.joinpath(link).exists()]
    assert not missing


def test_the_way_in_leads_to_every_page() -> None:
    text = (CHECKOUT / "docs" / "index.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([\w.-]+\.md)\)", text))
    assert linked == {path.name for path in (CHECKOUT / "docs").glob("*.md")} - {"index.md"}
