"""What an editor can do, by its own words, of which none is trusted."""

from __future__ import annotations

import pytest

from assetdb.lsp.protocol.capabilities import Capabilities

SAID = {
    "a": {"b": {"c": True, "d": 5, "e": ["x", 1, "y"], "f": "x", "g": 1, "h": False}},
    "b": None,
}


@pytest.mark.parametrize(
    ("way", "value"),
    [(("a", "b", "d"), 5), (("a", "b", "none"), None), (("b", "c"), None), (("a", "b", "d", "x"), None), ((), SAID)],
)
def test_a_value_is_at_a_path_of_keys_or_nothing(way: tuple[str, ...], value: object) -> None:
    assert Capabilities(SAID).get(*way) == value


def test_only_true_is_a_capability() -> None:
    found = Capabilities(SAID)
    assert [found.has("a", "b", key) for key in "cdeghx"] == [True, False, False, False, False, False]


def test_words_are_the_texts_of_a_list_and_a_number_is_no_flag() -> None:
    found = Capabilities(SAID)
    assert [found.words("a", "b", key) for key in "efx"] == [["x", "y"], [], []]
    assert [found.number("a", "b", key) for key in "dcgfx"] == [5, None, 1, None, None]


@pytest.mark.parametrize(
    ("wanted", "encoding"),
    [
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-7", "utf-32", "utf-8"], "utf-32"),
        (["utf-7"], "utf-16"),
        ([], "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_positions_are_counted_by_the_first_unit_that_is_known(wanted: object, encoding: str) -> None:
    assert Capabilities({"general": {"positionEncodings": wanted}}).encoding == encoding
    assert Capabilities({}).encoding == "utf-16"


def test_findings_are_pulled_if_the_editor_tells_how() -> None:
    assert Capabilities({"textDocument": {"diagnostic": {}}}).pulls_diagnostics
    assert not Capabilities({"textDocument": {"diagnostic": True}}).pulls_diagnostics


@pytest.mark.parametrize(
    ("formats", "is_markdown"),
    [(["markdown", "plaintext"], True), (["plaintext", "markdown"], False), ([], False), (None, False)],
)
def test_hovers_are_markdown_where_it_is_not_second(formats: object, *, is_markdown: bool) -> None:
    assert Capabilities({"textDocument": {"hover": {"contentFormat": formats}}}).markdown == is_markdown
