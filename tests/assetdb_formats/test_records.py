"""Our named tuples are those of ``typing``."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from assetdb_formats import records


class Ours(records.NamedTuple):
    """What is said."""

    path: str
    line: int = 0

    @property
    def place(self) -> str:
        """Where."""
        return f"{self.path}:{self.line}"


class Theirs(typing.NamedTuple):
    """What is said."""

    path: str
    line: int = 0


@pytest.mark.parametrize("call", ["kind()", "kind('a', 1, 2)", "kind('a', x=1)", "kind._make(['a'])"])
def test_mistakes_are_the_same(call: str) -> None:
    said = []
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError) as caught:
            eval(call, {"kind": kind})  # noqa: S307 - the lines above
        said.append(str(caught.value).replace(kind.__name__, ""))
    assert said[0] == said[1]


def test_what_a_named_tuple_does() -> None:
    one, other = Ours("a"), Theirs("a")
    assert one == other == ("a", 0)
    assert repr(one).replace("Ours", "Theirs") == repr(other)
    assert one._asdict() == other._asdict()
    assert one._replace(line=3) == Ours(line=3, path="a") == Ours._make(["a", 3])
    assert one._replace(line=3).place == "a:3"
    assert (Ours._fields, Ours._field_defaults) == (Theirs._fields, Theirs._field_defaults)
    assert (Ours.__match_args__, Ours.__doc__) == (Theirs.__match_args__, Theirs.__doc__)
    assert list(inspect.signature(Ours).parameters) == ["path", "line"]
    assert copy.copy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert not hasattr(one, "__dict__")
    with pytest.raises(ValueError, match="unexpected field names: \\['x'\\]"):
        one._replace(x=1)
    with pytest.raises(AttributeError):
        one.path = "b"  # type: ignore[misc]  # that is the test


@pytest.mark.parametrize("count", range(1, 21))
def test_any_number_of_fields(count: int) -> None:
    names = [f"field_{number}" for number in range(count)]
    body = {"__annotations__": dict.fromkeys(names, "int"), "__module__": __name__, names[-1]: 70}
    made: typing.Any = type(records.NamedTuple)("Made", (records.NamedTuple,), body)
    values = list(range(count - 1))
    assert made(*values) == (*values, 70)
    assert made(**dict(zip(names, range(count), strict=True)))._asdict() == dict(zip(names, range(count), strict=True))
    assert [getattr(made(*values), name) for name in names] == [*values, 70]


def test_a_default_comes_after_those_without() -> None:
    body = {"__annotations__": {"a": "int", "b": "int"}, "__module__": __name__, "a": 1}
    with pytest.raises(TypeError, match="a field without a default follows"):
        type(records.NamedTuple)("Made", (records.NamedTuple,), body)
