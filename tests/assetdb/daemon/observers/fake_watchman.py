"""As much of Watchman's command line as is used: tells of changes by looking again and again.

``FAKE_WATCHMAN`` in the environment makes it misbehave: ``refuse``, ``garbage``, ``end``, ``cancel``, or ``fresh``,
which loses everything that happens until the file ``lose`` beside the project is removed.
"""

import json
import os
import sys
import time

WHIM = os.environ.get("FAKE_WATCHMAN", "")


def say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def look(root: str) -> dict[str, tuple[int, int, int, str]]:
    found = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue
            kind = "d" if name in folders else "f"
            found[os.path.relpath(path, root)] = (status.st_mtime_ns, status.st_size, status.st_ino, kind)
    return found


def main() -> None:
    if "watch-project" in sys.argv:
        if WHIM == "refuse":
            say({"version": "fake", "error": "unable to resolve root: not allowed"})
        elif WHIM == "garbage":
            sys.stdout.write("\x00\x00 no json")
        else:
            root = sys.argv[-1]
            say({"version": "fake", "watch": os.path.dirname(root), "relative_path": os.path.basename(root)})
        return
    _, watch, name, query = json.loads(sys.stdin.readline())
    assert query["fields"] == ["name", "type", "exists"]
    root = os.path.join(watch, query["relative_root"])
    before = look(root)
    say({"version": "fake", "subscribe": name, "clock": "c:1:1"})
    say({"version": "fake", "subscription": name, "is_fresh_instance": True, "files": [], "root": watch})
    rounds = 0
    while WHIM != "end" or rounds < 5:
        time.sleep(0.01)
        rounds += 1
        lost = False
        while os.path.exists(os.path.join(watch, "lose")):
            lost = True
            time.sleep(0.01)
        after = look(root)
        changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
        files = [
            {"name": path, "type": (after.get(path) or before[path])[3], "exists": path in after} for path in changed
        ]
        before = after
        if lost:
            say({"subscription": name, "is_fresh_instance": True, "files": [], "clock": "c:1:2"})
        elif files:
            say({"subscription": name, "is_fresh_instance": False, "files": files, "clock": "c:1:3"})
        if WHIM == "cancel" and rounds > 5:
            say({"subscription": name, "canceled": True})
            return


if __name__ == "__main__":
    main()
