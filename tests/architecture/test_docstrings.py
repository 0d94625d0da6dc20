"""First lines of docstrings: short, and in the field's terms."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.imports import OURS, modules, nodes, text_of, tree

MOST_WORDS = 12
_GAP = r"\s+(?:#\s+)?"  # also between two lines of a comment
PRONOUNS = re.compile(
    rf"\blikewise\b|\bof{_GAP}th[eo]se\b|\bth(?:at|ose){_GAP}of\b"
    rf"|(?<!is )(?<!are )(?<!was )(?<!be )\bthe{_GAP}same(?=[.,;:)]|{_GAP}(?:of|for|in|with)\b)",
    re.IGNORECASE,
)
"""What stands for a noun of another sentence or line."""
RIDDLES = re.compile(r"\b(?:is another|likewise|stands|what|who|whom|whose)\b", re.IGNORECASE)


def test_a_module_begins_with_a_short_plain_line() -> None:
    everywhere = [name for package in OURS for name in modules(package)]
    texts = {name: ast.get_docstring(tree(name)) or "" for name in everywhere}
    assert not [f"{name}: {wrong}" for name, text in texts.items() if (wrong := fault(text))]


def test_a_definition_begins_with_a_short_plain_line() -> None:
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = []
    for module in (name for package in OURS for name in modules(package)):
        for node in nodes(module):
            text = ast.get_docstring(node) if isinstance(node, kinds) else None
            if text is not None and (wrong := fault(text)):
                found.append(f"{module}: {wrong}")
    assert not found


def test_no_sentence_leaves_its_noun_to_the_one_before() -> None:
    """``guid: of the same`` sends a reader back through a list; the words are said again."""
    everywhere = [name for package in OURS for name in modules(package)]
    found = [f"{name}: {phrase}" for name in everywhere for phrase in pronouns(text_of(name))]
    assert not found


def pronouns(text: str) -> list[str]:
    """Return what stands for a noun in docstrings, comments and messages of a module."""
    text = re.sub(r"# noqa.*", "", text)  # "- the same" means the reason a line above
    return [" ".join(match[0].split()) for match in PRONOUNS.finditer(text)]


def fault(text: str) -> str:
    """Return what is wrong with a docstring; nothing if it is fine."""
    first, _, rest = text.partition("\n")
    if not first.endswith("."):
        return f"no sentence: {first}"
    if len(first.split()) > MOST_WORDS:
        return f"more than {MOST_WORDS} words: {first}"
    if riddle := RIDDLES.search(first):
        return f"say it without {riddle[0]!r}: {first}"
    return f"no empty line follows: {first}" if rest and not rest.startswith("\n") else ""


@pytest.mark.parametrize("text", ["", "No sentence", f"{'word ' * 13}.", "Say what it is.", "Fine.\nNo empty line."])
def test_faults_are_found(text: str) -> None:
    assert fault(text)
    assert not fault("A short plain line.\n\nAnd more.")


@pytest.mark.parametrize(
    "text",
    [
        "guid: likewise",
        "The size is that of the file.",
        "Rows are those\n    of a table.",
        "# as many of\n# these as there are",
        "old: the first index.\nnew: the same of the other side",
        "largest: the same for texts",
        "kept: the same.",
    ],
)
def test_a_pronoun_for_a_noun_is_found(text: str) -> None:
    assert pronouns(text)


@pytest.mark.parametrize(
    "text", ["those whose name differs", "both are the same.", "the same bytes", "import x  # noqa: PLC0415 - the same"]
)
def test_other_uses_of_the_words_are_left_alone(text: str) -> None:
    assert not pronouns(text)
