"""Work-done progress: which notes an editor gets, and in which order."""

from __future__ import annotations

import pytest

from assetdb.lsp.progress import Progress


class _Editor:
    """Collects messages."""

    def __init__(self) -> None:
        self.sent: list[object] = []
        self.told: list[str] = []

    def follow(self, token: str | int | None) -> Progress:
        return Progress(lambda method, params: self.sent.append((method, params)), token, self.told.append)


def _note(token: str | int, **value: object) -> tuple[str, object]:
    return "$/progress", {"token": token, "value": value}


@pytest.mark.parametrize("token", ["a", "", 0, 7])
def test_an_editor_with_a_token_is_told_of_beginning_notes_and_end(token: str | int) -> None:
    editor = _Editor()
    progress = editor.follow(token)
    assert progress.token == token
    progress.begin("Checking")
    progress.begin("Checking again")  # there is one beginning of each piece of work
    progress.report("3 of 9")
    progress.report("6 of 9")
    progress.end()
    progress.end()
    assert editor.sent == [
        _note(token, kind="begin", title="Checking", cancellable=True),
        _note(token, kind="report", message="3 of 9"),
        _note(token, kind="report", message="6 of 9"),
        _note(token, kind="end"),
    ]
    assert editor.told == []


def test_without_a_token_notes_are_told_otherwise_and_nothing_is_sent() -> None:
    editor = _Editor()
    progress = editor.follow(None)
    progress.begin("Checking")
    progress.report("3 of 9")
    progress.end()
    assert (editor.sent, editor.told) == ([], ["3 of 9"])


def test_before_its_beginning_and_after_its_end_nothing_is_sent() -> None:
    editor = _Editor()
    progress = editor.follow("a")
    progress.report("too early")
    progress.end()
    assert (editor.sent, editor.told) == ([], [])
    progress.begin("Checking")
    progress.end()
    progress.report("too late")
    assert [value["value"]["kind"] for _, value in editor.sent] == ["begin", "end"]  # type: ignore[misc]
    assert editor.told == []
