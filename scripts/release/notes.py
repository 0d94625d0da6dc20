"""Check that a tag can be released, and print the notes of that release.

    python scripts/release/notes.py v0.1.0 https://forge.example/owner/assetdb

The tag has to be the version of assetdb, of the VS Code extension and of the Unity package, and CHANGELOG.md needs a
dated section of it (``## 0.1.0 - 2026-11-23``). The notes are how to install it and that section.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[2]
MANIFESTS: Final = ("editor/vscode/package.json", "editor/com.assetdb.unity/package.json")
_INSTALL: Final = """\
```sh
pipx install assetdb=={version}
code --install-extension assetdb.vsix
```

Unity: Package Manager, *Install package from git URL*:
`{address}.git?path=/editor/com.assetdb.unity#{tag}`, or *from tarball*: `com.assetdb.unity-{version}.tgz`.

`sha256sum --check SHA256SUMS` compares the files below; `gh attestation verify FILE --repo {repository}` shows which
workflow built them.
"""


def versions(checkout: Path) -> dict[str, str]:
    """Return the version that each part of a checkout declares, by its file."""
    source = (checkout / "assetdb/version.py").read_text("utf-8")
    found = re.search(r'^VERSION = "([^"]+)"$', source, re.MULTILINE)
    declared = {"assetdb/version.py": found[1] if found else "missing"}
    for name in MANIFESTS:
        declared[name] = json.loads((checkout / name).read_text("utf-8"))["version"]
    return declared


def section(changelog: str, version: str) -> str | None:
    """Return a version's section of a changelog, None where it has none with a date."""
    heading = re.compile(
        rf"^## {re.escape(version)} - \d{{4}}-\d{{2}}-\d{{2}}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
    )
    found = heading.search(changelog)
    return found[1].strip() if found else None


def notes(checkout: Path, tag: str, address: str) -> str:
    """Return the notes of a release.

    Raises:
        ValueError: the tag is no release of this checkout; the message lists the reasons.
    """
    version = tag.removeprefix("v")
    declared = versions(checkout)
    wrong = [f"{name}: the version is {own}, the tag {tag}" for name, own in declared.items() if own != version]
    changes = section((checkout / "CHANGELOG.md").read_text("utf-8"), version)
    if not changes:
        wrong.append(f"CHANGELOG.md: add a section `## {version} - YYYY-MM-DD` with the changes")
    if wrong or not changes:
        raise ValueError("\n".join(wrong))
    address = address.rstrip("/")
    repository = "/".join(address.split("/")[-2:])
    install = _INSTALL.format(version=version, tag=tag, address=address, repository=repository)
    return f"{install}\n{changes}\n"


def main() -> int:
    """Print the notes of the release that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tag", help="v and the version")
    parser.add_argument("address", help="https address of the repository that publishes")
    given = parser.parse_args()
    try:
        sys.stdout.write(notes(CHECKOUT, given.tag, given.address))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
