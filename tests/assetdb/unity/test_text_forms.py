"""JSON, XML and style sheets that Unity reads, and that it cannot."""

from __future__ import annotations

import pytest

from assetdb.unity.text_forms import fault_of

GRAPH = '{\n    "m_SGVersion": 3\n}\n\n{\n    "m_Type": "Node"\n}\n'
ACTIONS = '{\n    "name": "Play",\n    "maps": []\n}\n'
DOCUMENT = '<ui:UXML xmlns:ui="UnityEngine.UIElements">\n    <ui:Button text="a &amp; b" />\n</ui:UXML>\n'
SHEET = '/* { */\n.a > .b:hover {\n    background-image: url("project://x}");\n    color: rgb(1, 2, 3);\n}\n'


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        ("shadergraph", GRAPH),
        ("shadergraph", '{"m_SerializedProperties": [{"JSONnodeData": "{\\n    \\"a\\": 1"}]}'),  # up to 2020.1
        ("shadersubgraph", GRAPH.replace("\n", "\r\n")),
        ("inputactions", ACTIONS),
        ("inputactions", "\ufeff" + ACTIONS),
        ("json", '{"name": "com.acme.tools"}'),
        ("json", f'{{"seed": {"1" * 5000}}}'),  # Python converts at most 4,300 digits
        ("uxml", DOCUMENT),
        ("uxml", "\ufeff" + DOCUMENT),
        ("xml", '<?xml version="1.0" encoding="utf-8"?>\n<linker>\n  <assembly fullname="A" />\n</linker>\n'),
        ("xml", '<!DOCTYPE a [<!ENTITY b "c">]>\n<a>&b;'),  # not judged
        ("uxml", '<?xml version="1.0" encoding="shift_jis"?>\n<a>'),  # encodings that expat or Python lacks
        ("xml", '<?xml version="1.0" encoding="idna"?>\n<a>'),
        ("xml", '<?xml version="1.0" encoding="punycode"?>\n<a>'),
        ("xml", '<?xml version="1.0" encoding="none-such"?>\n<a>'),
        ("uss", SHEET),
        ("uss", ""),
        ("uxml", " \n"),
        ("txt", "{"),
    ],
)
def test_what_unity_reads_has_no_fault(extension: str, text: str) -> None:
    assert fault_of(text.encode(), extension) is None


@pytest.mark.parametrize(
    ("extension", "text", "line", "told"),
    [
        ("shadergraph", GRAPH[:-3], 6, "is not JSON (Expecting ',' delimiter)"),
        ("shadergraph", GRAPH + "<<<", 8, "is not JSON (Expecting value)"),
        ("json", '{"a": 1,}', 1, "is not JSON ("),  # the words differ between versions of Python
        ("inputactions", ACTIONS + "{}", 5, "has more behind the end of its JSON"),
        ("inputactions", "[" * 200_000, 1, "is nested too deeply"),
        ("json", '{"name": "\udce9"}', 1, "has bytes that are not UTF-8"),
        ("json", "\ufeff{\n\n\udce9", 3, "has bytes that are not UTF-8"),
        ("uxml", DOCUMENT.replace(" />", ">"), 3, "is not XML (mismatched tag)"),
        ("xml", "<linker>\n  <assembly />\n", 3, "is not XML (no element found)"),
        ("uss", SHEET + ".c {\n    color: red;\n", 6, "has a brace that is not closed"),
        ("uss", "\n}\n", 2, "has a closing brace too many"),
        ("uss", SHEET + "}\n", 6, "has a closing brace too many"),
        ("uss", SHEET + "/* more\n", 6, "has a comment that is not closed"),
        ("uss", '.a {\n    b: url("c);\n}\n', 2, "has a quote that is not closed"),
    ],
)
def test_the_first_fault_is_told_with_its_line(extension: str, text: str, line: int, told: str) -> None:
    found = fault_of(text.encode("utf-8", "surrogateescape"), extension)
    assert found is not None
    assert found[0] == line
    assert found[1].startswith(told)
