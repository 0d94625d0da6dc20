"""Declarations that are kept as JSON are those that were read."""

from __future__ import annotations

import json

import pytest

from assetdb.unity.scripts.csharp import Source, read_source
from assetdb.unity.scripts.kept_sources import source_of

CODE = b"""
using System;
using UnityEditor;
using Text = System.Text;
namespace Acme.Game
{
    [Serializable]
    public abstract partial class Door<T, U> : Base<T>, IDoor where T : new()
    {
        [FormerlySerializedAs("size")] public int width;
        public static int made;
        public string Name { get; set; }
        public void Open(int by, string name) { Invoke("Close", 1f); }
        enum Kind { One }
        #if UNITY_EDITOR
        class Inner { }
        #endif
    }
}
"""


@pytest.mark.parametrize("code", [CODE, b"", b"class", b'class A { string s = "', b"class A : B { void C() { } }"])
def test_a_source_is_read_again_as_it_was(code: bytes) -> None:
    source = read_source(code)
    again = source_of(json.loads(json.dumps(source, default=sorted)))
    assert again == source
    assert isinstance(again, Source)
    for kept, read in zip(again.types, source.types, strict=True):
        assert type(kept) is type(read)
        assert kept.former == read.former


def test_the_example_has_every_kind_of_declaration() -> None:
    types = {each.name: each for each in read_source(CODE).types}
    door = types["Door"]
    assert types.keys() == {"Door", "Kind", "Inner"}
    assert (door.kind, door.namespace, door.arity, door.partial, door.abstract) == ("class", "Acme.Game", 2, True, True)
    assert (door.former, dict(door.parameters)) == ({"size"}, {"Open": ("int", "string")})
    assert types["Inner"].outer == ("Door",)
    assert types["Inner"].conditions == ("UNITY_EDITOR",)


@pytest.mark.parametrize(
    "rows", [[], [[[]], [], [], None, [], [], []], [[], [], [], [1, 2, 3, 4, 5, 6], [], [], []], 3]
)
def test_json_of_another_form_is_refused(rows: object) -> None:
    with pytest.raises((ValueError, TypeError, LookupError)):
        source_of(rows)  # type: ignore[arg-type]
