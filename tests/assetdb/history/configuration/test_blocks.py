"""Lines of ours come and go without another byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assetdb.history.configuration.blocks import block_lines, with_block, without_block

LINES = [b"*.prefab diff=unity", b"*.unity diff=unity"]
FILES = st.one_of(
    st.none(),
    st.lists(st.sampled_from([b"a", b"#", b"\n", b"\r\n", b"*.png -text", b"\xff\xfe", b" "])).map(b"".join),
)


@given(FILES)
def test_a_block_goes_as_it_came(data: bytes | None) -> None:
    made = with_block(data, LINES)
    assert made != data
    assert made.startswith((data or b"").rstrip(b"\n"))
    assert block_lines(made) == LINES
    assert without_block(made) == data


@given(FILES)
def test_a_block_comes_once_and_follows_its_lines(data: bytes | None) -> None:
    made = with_block(data, LINES)
    assert with_block(made, LINES) == made
    other = with_block(made, [*LINES, b"*.mat diff=unity"])
    assert block_lines(other) == [*LINES, b"*.mat diff=unity"]
    assert without_block(other) == data


@given(FILES, st.lists(st.sampled_from([b"mine\n", b"\n", b"# x\n"])).map(b"".join))
def test_what_was_added_behind_a_block_stays(data: bytes | None, behind: bytes) -> None:
    left = without_block(with_block(data, LINES) + behind)
    assert (left or b"").endswith(behind)
    assert (left or b"").startswith((data or b"").rstrip(b"\r\n"))


def test_a_block_that_was_cut_ends_with_the_file() -> None:
    assert without_block(b"mine\n# >>> assetdb git-setup\n*.prefab diff=unity\n") == b"mine\n"
    assert without_block(b"mine\n# >>> assetdb git-setup") == b"mine\n"


def test_a_block_that_was_cut_has_an_end_again_when_it_is_written() -> None:
    whole = with_block(b"mine\n", LINES)
    for cut in (b"mine\n# >>> assetdb git-setup\n*.prefab diff=unity\n", whole[:-1], whole[:-5]):
        assert with_block(cut, LINES).rstrip() == whole.rstrip()
        assert without_block(with_block(cut, LINES).rstrip() + b"\nadded\n") == b"mine\nadded\n"


def test_a_block_that_was_cut_in_its_first_line_is_written_anew() -> None:
    for line_end in (b"\n", b"\r\n"):
        data = b"*.png -text" + line_end
        cut = with_block(data, LINES).partition(line_end + LINES[0])[0]
        assert block_lines(cut) == []
        assert block_lines(with_block(cut, LINES)) == LINES
        assert without_block(with_block(cut, LINES)) == without_block(cut) == data
    whole = with_block(None, LINES)
    assert without_block(whole.partition(b"\n")[0]) is None, "nothing else made this file"
