"""Facts of files are those of their contents, whatever was kept of them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from assetdb.checks.lineage import Sources
from assetdb.daemon.session import Session
from assetdb.memo import gone
from assetdb.memo.facts import Extraction, FileFacts
from assetdb.memo.memo import memo_of
from assetdb.memo.view import View
from assetdb.query.snapshots.snapshot import Snapshot, open_project
from assetdb.system.identity import MINIMAL, Identities
from assetdb.unity.referring.persistent_calls import script_uses, script_uses_of
from assetdb.unity.scripts.csharp import read_source
from assetdb.unity.scripts.kept_sources import source_of
from tests.assetdb.unity_project import HEAD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS: Extraction[tuple[str, ...]] = Extraction("words", "1", lambda data: tuple(data.decode().split()), tuple)
OF_LATER = Identities(time.time_ns() + 10**15, MINIMAL)
"""Trust every time that a file of a test can have."""
SOURCE = b"""using UnityEngine;
using Other = System.Int32;
namespace Game {
    [System.Serializable] public class Row<T> : Base<T>, IRow { public int a, b; static int c; int Size => a; }
    public abstract partial class Base<T> : MonoBehaviour
    {
        [SerializeField, FormerlySerializedAs("old")] private float speed;
        public void Open(int number) { }
        public struct Inner { public Vector3 at; }
    }
}
"""
CALLS = f"""{HEAD}--- !u!114 &5
MonoBehaviour:
  m_Script: {{fileID: 11500000, guid: {"ab" * 16}, type: 3}}
  m_OnClick:
    m_PersistentCalls:
      m_Calls:
      - m_Target: {{fileID: 5}}
        m_MethodName: Open
        m_CallState: 2
""".encode()


def kept(facts: FileFacts) -> dict[str, bytes]:
    return dict(facts.changed())


def test_facts_are_found_for_the_content_they_were_extracted_from() -> None:
    facts = FileFacts(lambda _: None)
    assert facts.find(WORDS, "Assets/A.txt", 7) is None
    facts.add(WORDS, "Assets/A.txt", 7, ("one", "two"))
    assert facts.find(WORDS, "Assets/A.txt", 7) == (("one", "two"),)
    assert facts.find(WORDS, "Assets/A.txt", 8) is None
    assert facts.find(WORDS, "Assets/B.txt", 7) is None


def test_kept_facts_are_those_of_the_next_process() -> None:
    facts = FileFacts(lambda _: None)
    facts.add(WORDS, "Assets/A.txt", -7, ("one",))
    facts.add(WORDS, "Assets/B.txt", 1 << 90, ())
    written = kept(facts)
    assert kept(facts) == {}  # nothing new
    later = FileFacts(written.get)
    assert later.find(WORDS, "Assets/A.txt", -7) == (("one",),)
    assert later.find(WORDS, "Assets/B.txt", 1 << 90) == ((),)
    later.add(WORDS, "Assets/C.txt", 3, ("three",))
    last = FileFacts(kept(later).get)
    assert last.find(WORDS, "Assets/A.txt", -7) == (("one",),)


def test_facts_of_another_version_of_the_function_are_not_found() -> None:
    facts = FileFacts(lambda _: None)
    facts.add(WORDS, "Assets/A.txt", 7, ("one",))
    assert FileFacts(kept(facts).get).find(WORDS._replace(version="2"), "Assets/A.txt", 7) is None


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b"x" * 200])
def test_damaged_facts_are_none(damage: bytes) -> None:
    assert FileFacts(lambda _: damage).find(WORDS, "Assets/A.txt", 7) is None


def test_facts_of_another_form_are_none() -> None:
    facts = FileFacts(lambda _: None)
    facts.add(Extraction("uses", "1", len, int), "Assets/A.txt", 7, 5)
    uses = Extraction("uses", "1", script_uses, script_uses_of)
    assert FileFacts(kept(facts).get).find(uses, "Assets/A.txt", 7) is None


def test_a_daemon_forgets_files_that_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gone, "_LEAST", 4)
    for name in ("Assets", "ProjectSettings"):
        (tmp_path / name).mkdir()
    (tmp_path / "Assets/Kept.txt").write_bytes(b"kept")
    session = Session(str(tmp_path))
    try:
        session.start()
        memo = memo_of(session.opened)
        for number in range(40):
            (tmp_path / f"Assets/{number}.txt").write_bytes(b"%d" % number)
            (tmp_path / f"Assets/{number}.txt.meta").write_text(f"guid: {number:032x}\n")
            session.update([b"Assets"])
            inputs = memo.inputs(session.opened)
            for path in ("Assets/Kept.txt", f"Assets/{number}.txt"):
                inputs.facts.add(WORDS, path, number, ("word",))
                assert memo._contents.look(session.opened, path, OF_LATER)[1] is not None or path == "Assets/Kept.txt"
            for name in (f"{number}.txt", f"{number}.txt.meta"):
                (tmp_path / "Assets" / name).unlink()
        assert inputs.facts.find(WORDS, "Assets/Kept.txt", 39) == (("word",),)
        (kept,) = inputs.facts._kept.values()
        for table in (kept.rows, kept.decoded, memo._contents._known):
            assert "Assets/Kept.txt" in table
            assert 2 <= len(table) < 10
    finally:
        session.close()


def test_a_name_that_is_no_text_is_left_out() -> None:
    facts = FileFacts(lambda _: None)
    facts.add(WORDS, "Assets/\udcff.txt", 7, ("one",))
    facts.add(WORDS, "Assets/A.txt", 8, ("two",))
    later = FileFacts(kept(facts).get)
    assert later.find(WORDS, "Assets/A.txt", 8) == (("two",),)
    assert later.find(WORDS, "Assets/\udcff.txt", 7) is None


@pytest.mark.parametrize(
    ("extract", "decode", "data"), [(read_source, source_of, SOURCE), (script_uses, script_uses_of, CALLS)]
)
def test_facts_return_from_their_json_as_they_were(
    extract: Callable[[bytes], object], decode: Callable[[list[Any]], object], data: bytes
) -> None:
    facts = extract(data)
    assert facts != extract(b"")
    assert decode(json.loads(json.dumps(facts, default=sorted))) == facts


def test_a_fresh_process_reads_one_script_after_one_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file that has just been written counts as changing; here all of them are old.
    monkeypatch.setattr(time, "time_ns", lambda: time.perf_counter_ns() + (1 << 62))
    root = tmp_path / "Game"
    for name in ("Assets", "ProjectSettings"):
        (root / name).mkdir(parents=True)
    for number in range(20):
        (root / f"Assets/C{number}.cs").write_text(f"class C{number} : B {{}}\n")
        (root / f"Assets/C{number}.cs.meta").write_text(f"fileFormatVersion: 2\nguid: {number:032x}\nMonoImporter:\n")

    def bases() -> tuple[list[str], list[str]]:
        """Return what the scripts mention, and the scripts that were read."""
        project = open_project(str(root), str(tmp_path / "out"))
        read: list[str] = []
        with monkeypatch.context() as patch:
            plain = Snapshot.read

            def reading(self: Snapshot, path: str) -> bytes | None:
                read.append(path)
                return plain(self, path)

            patch.setattr(Snapshot, "read", reading)
            sources = Sources(View(memo_of(project).inputs(project)))
            found = [base for number in range(20) for _, base in sources.mentions(f"C{number}")]
        memo_of(project).write()
        project.close()
        return found, sorted(path for path in read if path.endswith(".cs"))

    assert bases() == (["B"] * 20, sorted(f"Assets/C{number}.cs" for number in range(20)))
    assert bases() == (["B"] * 20, [])
    (root / "Assets/C7.cs").write_text("class C7 : Other {}\n")
    found, read = bases()
    assert (found[7], set(found[:7] + found[8:]), read) == ("Other", {"B"}, ["Assets/C7.cs"])


def test_facts_of_another_process_are_found_and_written_with_our_own() -> None:
    ours, theirs = FileFacts(lambda _: None), FileFacts(lambda _: None)
    ours.add(WORDS, "a", 1, ("of", "ours"))
    theirs.add(WORDS, "b", 2, ("of", "theirs"))
    ours.take(theirs.handed())
    assert ours.find(WORDS, "a", 1) == (("of", "ours"),)
    assert ours.find(WORDS, "b", 2) == (("of", "theirs"),)
    again = FileFacts(kept(ours).get)
    assert again.find(WORDS, "a", 1) == (("of", "ours"),)
    assert again.find(WORDS, "b", 2) == (("of", "theirs"),)
    assert not again.handed()
