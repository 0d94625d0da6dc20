"""What a memo tells of the answers that it keeps: their inputs, keys, and which edits may change them."""

from __future__ import annotations

import json
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.memo.contents import Contents, content_of_bytes
from assetdb.memo.file import MemoFile
from assetdb.memo.inputs import ALONE, ASSETS, CONTENT, EXISTENCE, MARKS, TOPS, TREE, Inputs
from assetdb.memo.memo import Codec, Memo, memo_of
from assetdb.query.snapshots.snapshot import open_project
from assetdb.store.files import MEMO_NAME
from assetdb.version import VERSION
from tests.assetdb.unity_project import SETTLED, make_project

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from assetdb.memo.view import View

CODEC: Codec[Any] = Codec(lambda answer: json.dumps(answer).encode(), json.loads)
SCENE = "Assets/Main.unity"
CODE = "Assets/Scripts/Health.cs"
SETTINGS = "ProjectSettings/Some.asset"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = make_project(tmp_path / "Game")
    (found / SETTINGS).write_text("settings")
    time.sleep(SETTLED)
    return found


@contextmanager
def asked(root: Path) -> Iterator[tuple[Memo, Inputs]]:
    """Give the memo of a process of its own, which is written afterwards."""
    with closing(open_project(str(root))) as project:
        project.refresh()
        memo = memo_of(project)
        yield memo, memo.inputs(project)
        assert memo.write()


def reading(*paths: str) -> Callable[[View], object]:
    return lambda view: [len(view.read(path) or b"") for path in paths]


def looking(*kinds: str) -> Callable[[View], object]:
    def look(view: View) -> object:
        for kind in kinds:
            view.note(kind)
        return True

    return look


def test_keys_are_told_and_bounded_by_their_prefix(tmp_path: Path) -> None:
    memo = Memo(str(tmp_path))
    for key in ("a/2", "a/1", "b"):
        memo.put(key, key.encode())
    memo.write()
    again = Memo(str(tmp_path))
    assert again.keys("a/") == ["a/2", "a/1"]
    again.bound("a/", 1)
    assert (again.get("a/2"), again.get("a/1"), again.get("b")) == (None, b"a/1", b"b")


def test_answers_in_memory_are_told_in_the_order_of_their_use(root: Path) -> None:
    with asked(root) as (memo, inputs):
        for key in ("a/1", "a/2", "b", "a/1"):
            memo.derive(inputs, key, "1", lambda _: [key], CODEC)  # noqa: B023 - called at once
        assert memo.held("a/") == {"a/2": ["a/2"], "a/1": ["a/1"]}
        assert list(memo.held("a/")) == ["a/2", "a/1"]
        memo.forget(["a/2"])
        assert memo.held("a/") == {"a/1": ["a/1"]}
        assert not memo.is_known("a/2", "1")


def test_inputs_that_changed_are_told(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.derive(inputs, "key", "1", reading(SCENE, SETTINGS), CODEC)
        assert memo.changed(inputs, "key", "1") == set()
        assert memo.changed(inputs, "other", "1") is None
    for path in (SCENE, SETTINGS):
        (root / path).write_text("other")
    with asked(root) as (memo, inputs):
        assert memo.changed(inputs, "key", "1") == {(CONTENT, SCENE), (CONTENT, SETTINGS)}


def test_an_answer_is_kept_with_inputs_that_are_known(root: Path) -> None:
    noted = {(CONTENT, SETTINGS): content_of_bytes(b"settings")}
    with asked(root) as (memo, inputs):
        memo.keep(inputs, "key", "1", ["kept"], noted, CODEC)
        assert memo.is_current(inputs, "key", "1")
    with asked(root) as (memo, inputs):
        assert memo.derive(inputs, "key", "1", lambda _: ["new"], CODEC) == ["kept"]
        assert memo.noted("key", "1") == noted
    (root / SETTINGS).write_text("other")
    with asked(root) as (memo, inputs):
        assert not memo.is_current(inputs, "key", "1")


def test_a_part_of_an_answer_is_kept_by_itself(root: Path) -> None:
    calls = []

    def part(view: View) -> object:
        calls.append(view)
        return reading(SETTINGS)(view)

    def whole(view: View) -> object:
        return [view.part("part", "1", part, (CODEC.encode, CODEC.decode)), view.exists(SCENE)]

    for expected in (1, 1):
        with asked(root) as (memo, inputs):
            assert memo.derive(inputs, "key", "1", whole, CODEC) == [[8], True]
            assert set(memo.noted("key", "1")) == {(CONTENT, SETTINGS), (EXISTENCE, SCENE)}
            assert set(memo.noted("part", "1")) == {(CONTENT, SETTINGS)}
        assert len(calls) == expected
        (root / SCENE).write_text("")  # the part does not rest on it


def test_inputs_outside_the_tree_are_told_of_several_answers(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.derive(inputs, "one", "1", reading(SCENE, SETTINGS), CODEC)
        memo.derive(inputs, "two", "1", looking(TOPS, TREE), CODEC)
        assert set(memo.uncovered([("one", "1"), ("two", "1")])) == {(CONTENT, SETTINGS), (TOPS, "")}
        assert memo.uncovered([("none", "1")]) == {}
    with asked(root) as (memo, inputs):  # as read from the file
        assert set(memo.uncovered([("one", "1"), ("two", "1")])) == {(CONTENT, SETTINGS), (TOPS, "")}


LOOKS: tuple[tuple[Callable[[View], object], set[tuple[str, str]] | None], ...] = (
    (reading(CODE, SCENE, SETTINGS), {(CONTENT, CODE)}),
    (lambda view: [view.mentions("Health"), view.exists(CODE)], {(MARKS, "type Health"), (EXISTENCE, CODE)}),
    (reading(SCENE), set()),
    (looking(TREE), None),  # any edit changes it
)


@pytest.mark.parametrize(("look", "uses"), LOOKS)
def test_inputs_that_edits_of_scripts_may_change_are_told(
    root: Path, look: Callable[[View], object], uses: set[tuple[str, str]] | None
) -> None:
    for _ in ("derived", "read from the file"):
        with asked(root) as (memo, inputs):
            memo.derive(inputs, "key", "1", look, CODEC)
            assert memo.csharp_uses("key", "1") == uses
            assert memo.csharp_uses("other", "1") is None
    with asked(root) as (memo, _):
        assert memo.csharp_uses("key", "1") == uses


def test_damaged_inputs_of_an_answer_are_unknown(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.derive(inputs, "key", "1", reading(CODE), CODEC)
    file = MemoFile(str(root / "Library/assetdb" / MEMO_NAME), VERSION)
    head, _, value = (file.part("key", number) or b"" for number in range(3))
    file.put("key", [head, b"damaged", value])
    assert file.write()
    (root / SCENE).write_text("other")
    with asked(root) as (memo, inputs):
        assert memo.csharp_uses("key", "1") is None
        assert memo.changed(inputs, "key", "1") is None
        assert not memo.is_current(inputs, "key", "1")
        assert memo.derive(inputs, "key", "1", lambda _: "again", CODEC) == "again"


def test_a_damaged_answer_is_derived_again(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.derive(inputs, "key", "1", reading(CODE), CODEC)
    with asked(root) as (memo, inputs):
        unreadable = Codec(CODEC.encode, lambda _: json.loads("{"))
        assert memo.derive(inputs, "key", "1", lambda _: "again", unreadable) == "again"


def test_an_answer_that_cannot_be_written_is_for_this_process(root: Path) -> None:
    def refuse(_: object) -> bytes:
        raise ValueError("not text")

    with asked(root) as (memo, inputs):
        memo.derive(inputs, "key", "1", reading(CODE), Codec(refuse, json.loads))
        assert memo.is_current(inputs, "key", "1")
        assert memo.digest(inputs, "key", "1") == ""
        memo.derive(inputs, "other", "1", reading(CODE), CODEC)
    with asked(root) as (memo, inputs):
        assert not memo.is_known("key", "1")
        assert memo.is_current(inputs, "other", "1")


def test_a_digest_is_of_the_answer_whether_it_is_written_or_not(root: Path) -> None:
    digests = []
    for is_held in (False, True):
        with asked(root) as (memo, inputs):
            memo.is_held = is_held
            memo.derive(inputs, f"key {is_held}", "1", reading(CODE), CODEC)
            digests.append(memo.digest(inputs, f"key {is_held}", "1"))
            memo.is_held = False
    with asked(root) as (memo, inputs):
        digests += [memo.digest(inputs, f"key {is_held}", "1") for is_held in (False, True)]
        assert [memo.derive(inputs, f"key {is_held}", "1", list, CODEC) for is_held in (False, True)] == [[16], [16]]
    assert len(set(digests)) == 1
    assert digests[0]


def test_what_was_put_is_written_without_answers(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.derive(inputs, "key", "1", reading(CODE), CODEC)
        memo.put("put", b"value")
        assert memo.write(answers=False)
        other = Memo(str(root / "Library/assetdb"))
        assert other.get("put") == b"value"
        assert not other.is_known("key", "1")
        memo.write_if_due()
    assert Memo(str(root / "Library/assetdb")).is_known("key", "1")


@pytest.mark.parametrize("is_same_tree", [True, False])
def test_edits_since_the_last_check_decide_about_answers(root: Path, is_same_tree: bool) -> None:  # noqa: FBT001 - a row
    """An edit of one file leaves the answers that did not look at it, without a look at their files."""
    looks = {
        "code": reading(CODE),
        "scene": reading(SCENE),
        "assets": looking(ASSETS, ALONE),
        "tree": looking(TREE),
        "settings": reading(SETTINGS),
    }
    if not is_same_tree:
        with asked(root) as (memo, inputs):
            for key, look in looks.items():
                memo.derive(inputs, key, "1", look, CODEC)
        (root / "Assets/Art/icon.png").write_bytes(b"another")
        time.sleep(SETTLED)
    with asked(root) as (memo, inputs):
        if is_same_tree:
            for key, look in looks.items():
                memo.derive(inputs, key, "1", look, CODEC)
        memo.put_tree(inputs)
    (root / CODE).write_text("class Health { int hits; }\n")
    with asked(root) as (memo, inputs):
        edits = memo.edits(inputs)
        assert edits is not None
        assert edits.paths == {CODE}
        current = {key for key in looks if memo.is_current(inputs, key, "1")}
        assert current == {"scene", "assets", "settings"}


def test_without_a_listing_there_are_no_edits(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.put_tree(inputs)
    with asked(root) as (memo, inputs):
        unlisted = Inputs(inputs.project, None, {}, Contents(lambda: None), 0)
        assert memo.edits(unlisted) is None
        assert memo.edits(inputs) is not None


def test_a_fleeting_memo_records_and_writes_nothing(root: Path) -> None:
    with asked(root) as (memo, inputs):
        memo.is_fleeting = True
        assert memo.derive(inputs, "key", "1", reading(CODE), CODEC) == [16]
        assert memo.noted("key", "1") == {}
        assert memo.write()
    assert not Memo(str(root / "Library/assetdb")).is_known("key", "1")
