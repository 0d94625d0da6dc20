"""What the pages for people name is there: files, folders, links between pages."""

from __future__ import annotations

import pkgutil
import re

import pytest
import yaml

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
    assert folders <= named((CHECKOUT / "docs" / "architecture.md").read_text("utf-8"))


def test_the_names_of_the_tour_are_there() -> None:
    text = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
    tour = text.partition("## A tour")[2].partition("\n## ")[0]
    names = re.findall(r"`(assetdb(?:\.\w+)+)`", tour)
    assert len(names) > 20
    for name in names:
        assert pkgutil.resolve_name(name) is not None, name


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_something(page: str) -> None:
    text = re.sub(r"```.*?```", "", (CHECKOUT / page).read_text("utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    own = [link.partition("#")[0] for link in links if not link.startswith(("http:", "https:", "#", "mailto:"))]
    missing = [link for link in own if not (CHECKOUT / page).parent.joinpath(link).exists()]
    assert not missing


def leaves(entry: object) -> list[str]:
    """Return the files of an entry of the site's navigation, in order."""
    if isinstance(entry, str):
        return [entry]
    children = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    return [file for child in children for file in leaves(child)]


def test_the_site_names_every_page_once() -> None:
    settings = yaml.safe_load((CHECKOUT / "mkdocs.yml").read_text("utf-8"))
    pages = leaves(settings["nav"])
    assert sorted(pages) == sorted(path.name for path in (CHECKOUT / "docs").glob("*.md"))
    assert [next(iter(part)) for part in settings["nav"]] == ["Start", "Tasks", "Reference", "Internals"]


def test_pages_of_the_site_link_only_to_what_is_part_of_it() -> None:
    # Other files have no address there: a page names them in backticks.
    for page in (CHECKOUT / "docs").glob("*.md"):
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        assert not re.findall(r"\]\((\.\./[^)\s]+)\)", text), page.name


def test_the_site_loads_nothing_from_a_network() -> None:
    settings = yaml.safe_load((CHECKOUT / "mkdocs.yml").read_text("utf-8"))
    assert settings["theme"]["font"] is False
    own = settings["extra"]["polyfills"]
    assert own
    assert all((CHECKOUT / "docs" / path).is_file() for path in own)


def test_the_way_in_leads_to_every_page() -> None:
    text = (CHECKOUT / "docs" / "index.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([\w.-]+\.md)\)", text))
    assert linked == {path.name for path in (CHECKOUT / "docs").glob("*.md")} - {"index.md"}
