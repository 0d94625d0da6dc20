"""Names that another system cannot have are found on every surface: a check, the index, a change, JSON and text."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from assetdb.cli import main
from tests.assetdb.history.git_project import git
from tests.assetdb.unity_project import guid, make_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other file systems have no such names")

MAX_PATH, ROOT = 260, "C:\\Users\\firstname.lastname\\source\\repos\\my-great-project\\"
FOLDER = "Assets/" + "d" * 100
TOO_LONG = "n" * (MAX_PATH - len(ROOT) - len(FOLDER) - len("/.meta"))  # its meta has 260 characters, and a NUL follows
NAMES: dict[str, tuple[list[bytes], str, str, str]] = {
    # names in a folder, code, severity, and words of the message
    "a colon": ([b"a:b.txt"], "unportable-name", "error", "its name has a :"),
    "a reserved name": ([b"Aux.txt"], "unportable-name", "error", "aux is the name of a device"),
    "a reserved name with two ends": ([b"com1.tar.gz"], "unportable-name", "error", "com1 is the name of a device"),
    "a last dot": ([b"end."], "unportable-name", "error", "ends with a dot"),
    "a last space": ([b"end.txt "], "unportable-name", "error", "ends with a space"),
    "case alone": ([b"Door.txt", b"door.txt"], "unportable-name", "error", "differs from Door.txt"),
    "form alone": (
        ["Schr\u00e4g.txt".encode(), "Schra\u0308g.txt".encode()],
        "unportable-name",
        "error",
        "in case or Unicode form alone",
    ),
    "no UTF-8": ([b"Schr\xe4g.txt"], "invalid-file-name", "error", "is named b'Schr\\xe4g.txt'"),
    "a long path": ([TOO_LONG.encode()], "unportable-name", "warning", "has a path of 260 characters"),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "Game")
    (root / ".gitignore").write_text("/Library/\n")
    git(root, "init", "-q", ".")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "before")
    monkeypatch.chdir(root)
    return root


def add(root: Path, names: list[bytes], folder: str) -> None:
    """Write assets with these names, and the metas of assets and folder."""
    place = os.fsencode(root / folder)
    os.makedirs(place)
    (root / f"{folder}.meta").write_text(
        f"fileFormatVersion: 2\nguid: {guid(700)}\nfolderAsset: yes\nDefaultImporter:\n"
    )
    for number, name in enumerate(names, 701):
        for ending, text in ((b"", "x"), (b".meta", f"fileFormatVersion: 2\nguid: {guid(number)}\nDefaultImporter:\n")):
            with open(os.path.join(place, name + ending), "w", encoding="utf-8") as file:
                file.write(text)


@pytest.mark.parametrize("kind", NAMES)
def test_it_is_found_by_each_command(root: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    names, code, severity, words = NAMES[kind]
    folder = FOLDER if kind == "a long path" else "Assets/Odd"
    add(root, names, folder)
    git(root, "add", "-A")
    for more in ([], ["--staged"], ["--since", "HEAD"]):
        capsys.readouterr()
        status = main(["check", "--json", *more, "--select", code])
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [(row["code"], row["severity"]) for row in rows] == [(code, severity)], more
        assert rows[0]["path"].startswith(f"{folder}/")
        assert words in rows[0]["message"]
        assert status == (1 if severity == "error" else 0), more
        main(["check", *more, "--select", code])
        assert code in capsys.readouterr().out, more


def test_the_path_is_counted_from_the_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path / "Client/Game")
    git(tmp_path, "init", "-q", ".")
    add(root, [TOO_LONG[len("Client/Game/") :].encode()], FOLDER)
    main(["check", "--json", "--project", str(root), "--select", "unportable-name"])
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert "has a path of 260 characters" in row["message"]
    (root / FOLDER / TOO_LONG[len("Client/Game/") :]).unlink()
    (root / FOLDER / f"{TOO_LONG[len('Client/Game/') :]}.meta").unlink()
    add(root, [TOO_LONG[len("Client/Game/") + 1 :].encode()], f"{FOLDER[:-1]}e")
    main(["check", "--json", "--project", str(root), "--select", "unportable-name"])
    assert capsys.readouterr().out == ""
