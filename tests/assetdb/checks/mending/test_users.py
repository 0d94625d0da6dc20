"""Lines for references that a change ends: one for each object, with all its properties and targets."""

from __future__ import annotations

import pytest

from assetdb.checks.mending.users import line_of, lines_of
from assetdb.query.graph.users import User

ONE = User("Assets/a.prefab", 5, "Door", "m_Script", "Assets/A.cs")


@pytest.mark.parametrize(
    ("user", "line"),
    [
        (ONE, "Assets/a.prefab:5  Door: m_Script  -> Assets/A.cs"),
        (ONE._replace(object=""), "Assets/a.prefab:5  m_Script  -> Assets/A.cs"),
        (ONE._replace(property=""), "Assets/a.prefab:5  Door  -> Assets/A.cs"),
        (ONE._replace(object="", property="", line=0), "Assets/a.prefab  -> Assets/A.cs"),
    ],
)
def test_a_reference_has_a_line(user: User, line: str) -> None:
    assert line_of(user) == line
    assert lines_of([user]) == [line]


def test_an_object_has_one_line_at_its_first_reference() -> None:
    users = [
        ONE,
        ONE._replace(line=9, property="m_Other", target="Assets/B.cs"),
        ONE._replace(path="Assets/b.prefab"),
        ONE._replace(line=7, property="", target="Assets/A.cs"),
        ONE._replace(line=8, object="Window"),
    ]
    assert lines_of(users) == [
        "Assets/a.prefab:5  Door: m_Script, m_Other  -> Assets/A.cs, Assets/B.cs",
        "Assets/b.prefab:5  Door: m_Script  -> Assets/A.cs",
        "Assets/a.prefab:8  Window: m_Script  -> Assets/A.cs",
    ]
    assert lines_of([]) == []
