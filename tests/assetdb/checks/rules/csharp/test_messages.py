"""Messages of the physics with the value that Unity passes, and with another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from assetdb.checks.rules.csharp.messages import find_unfit
from tests.assetdb.checks.healthy import SCRIPT, put
from tests.assetdb.checks.rules.views import found_by

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "using UnityEngine;\nclass Coin : MonoBehaviour {\n"


def told(root: Path, source: str) -> list[tuple[int, str]]:
    put(root, "Assets/Scripts/Coin.cs", source, SCRIPT)
    return [(finding.line, finding.message) for finding in found_by(find_unfit, root)]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("OnTriggerEnter2D(Collider other)", "OnTriggerEnter2D takes a Collider, and Unity passes a Collider2D"),
        ("OnTriggerStay(Collision hit)", "OnTriggerStay takes a Collision, and Unity passes a Collider"),
        ("OnCollisionExit(UnityEngine.Collider it)", "OnCollisionExit takes a Collider, and Unity passes a Collision"),
        ("OnCollisionEnter2D (\n GameObject @it )", "OnCollisionEnter2D takes a GameObject, and Unity passes a Colli"),
    ],
)
def test_a_message_with_another_value_is_told(tmp_path: Path, message: str, said: str) -> None:
    ((line, text),) = told(tmp_path, f"{HEAD}  private void {message} {{ }}\n}}\n")
    assert line == 3
    assert text.startswith(said)
    assert text.endswith(": it is never called")


@pytest.mark.parametrize(
    "source",
    [
        f"{HEAD}  void OnTriggerEnter2D(Collider2D other) {{}}\n}}\n",
        f"{HEAD}  void OnTriggerEnter2D() {{}}\n}}\n",
        f"{HEAD}  void OnTriggerEnter2D(Component other) {{}}\n}}\n",  # a base of it
        f"{HEAD}  void OnTriggerEnter2D(Zone other) {{}}\n}}\n",
        f"{HEAD}  void OnTriggerEnter(Collider a) {{}}\n  void OnTriggerEnter(Collision a) {{}}\n}}\n",
        f"{HEAD}  // void OnTriggerEnter2D(Collider other)\n}}\n",
        f"{HEAD}#if FLAT\n  void OnTriggerEnter2D(Collider other) {{}}\n#endif\n}}\n",
        f"{HEAD}  void IHit.OnTriggerEnter2D(Collider other) {{}}\n}}\n",
        f"{HEAD}  void OnTriggerEnter2D(Collider other) {{}}\n  class Collider {{}}\n}}\n",
        f"using Collider = UnityEngine.Collider2D;\n{HEAD}  void OnTriggerEnter2D(Collider other) {{}}\n}}\n",
        "using Box2D;\nclass Coin : UnityEngine.MonoBehaviour { void OnTriggerEnter2D(Collider other) {} }\n",
        "using UnityEngine;\nclass Coin { void OnTriggerEnter2D(Collider other) {} }\n",
        "using UnityEngine;\nclass Coin : Vendor.Item { void OnTriggerEnter2D(Collider other) {} }\n",
        f"{HEAD}  void OnTriggerEnter2D(Collider other) {{}}\n",
    ],
)
def test_of_everything_else_nothing_is_said(tmp_path: Path, source: str) -> None:
    assert told(tmp_path, source) == []


def test_a_base_class_may_have_the_fitting_one(tmp_path: Path) -> None:
    put(tmp_path, "Assets/Scripts/Item.cs", "class Item : UnityEngine.MonoBehaviour {}\n", SCRIPT)
    source = "using UnityEngine;\nclass Coin : Item { void OnTriggerEnter(Collision hit) {} }\n"
    assert len(told(tmp_path, source)) == 1
    item = "using UnityEngine;\nclass Item : MonoBehaviour { void OnTriggerEnter(Collider hit) {} }\n"
    put(tmp_path, "Assets/Scripts/Item.cs", item, SCRIPT)
    assert told(tmp_path, source) == []
