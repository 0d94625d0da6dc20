"""A picture of references in the languages of Graphviz and Mermaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assetdb.query.drawing.layout import detail_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assetdb.query.drawing.picture import Picture


def dot_lines(picture: Picture) -> Iterator[str]:
    """Yield a graph for Graphviz (``dot -Tsvg``)."""
    yield "digraph references {"
    yield "  rankdir=LR; node [shape=box];"
    for number, node in enumerate(picture.nodes):
        style = "" if node.layer else " penwidth=2"
        label = rf"{_quoted(name_of(node.asset))}\n{_quoted(detail_of(node.asset))}"
        yield f'  n{number} [label="{label}"{style}];'
    for user, needed in picture.edges:
        yield f"  n{user} -> n{needed};"
    if picture.left_out:
        yield f'  label="left out: {picture.left_out}";'
    yield "}"


def mermaid_lines(picture: Picture) -> Iterator[str]:
    """Yield a flowchart for Mermaid.

    GitHub and GitLab draw it in Markdown.
    """
    yield "flowchart LR"
    for number, node in enumerate(picture.nodes):
        yield f'  n{number}["{_coded(name_of(node.asset))}<br>{_coded(detail_of(node.asset))}"]'
        if not node.layer:
            yield f"  style n{number} stroke-width:3px"
    for user, needed in picture.edges:
        yield f"  n{user} --> n{needed}"
    if picture.left_out:
        yield f'  note["left out: {picture.left_out}"]'
        yield "  style note stroke-dasharray:4"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _coded(text: str) -> str:
    """Return a text with its punctuation as character codes."""
    return "".join(each if each.isalnum() or each in " ./_-·" else f"#{ord(each)};" for each in text)
