"""A headless Chromium that tests drive over its pipe; nothing but the program is needed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_PROGRAMS: Final = ("chromium", "google-chrome", "chromium-browser")
_TIME_LIMIT: Final = 120.0
_PLACED: Final = """
import os, sys
ends = [os.dup2(int(end), number) for number, end in enumerate(sys.argv[1:3], start=90)]
os.dup2(ends[0], 3)  # the browser reads it
os.dup2(ends[1], 4)  # and writes this
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """Return the program, None where there is none."""
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


class Browser:
    """One page of a browser with a profile of its own.

    Attributes:
        events: what the page reported: messages of the console, requests, problems (CSP violations among them).
    """

    def __init__(self, program: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        self.events: list[dict[str, Any]] = []
        self._home = tempfile.TemporaryDirectory(prefix="assetdb-chromium-", ignore_cleanup_errors=True)
        (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()

        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        words += ["--disable-background-networking", "--disable-dev-shm-usage", f"--user-data-dir={self._home.name}"]
        words += ["--remote-debugging-pipe", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", _PLACED, str(to_read), str(from_write), program, *words],
            pass_fds=(to_read, from_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(from_write)
        self._to, self._from = to_write, from_read
        self._number = 0
        self._left = b""
        self._session = ""
        target = next(row for row in self.ask("Target.getTargets")["targetInfos"] if row["type"] == "page")
        attached = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.ask(f"{domain}.enable")
        self.look(width, height, dark=dark)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._home.cleanup()

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send a request and return its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        end = time.monotonic() + _TIME_LIMIT
        while True:
            answer = self._next(end)
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:
                self.events.append(answer)

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            assert select.select([self._from], [], [], max(0.0, end - time.monotonic()))[0], (
                "the browser does not answer"
            )
            data = os.read(self._from, 1 << 20)
            assert data, "the browser ended"
            self._left += data
        first, _, self._left = self._left.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        return message

    def look(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        """Set size, colours and medium of the page."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, path: Path) -> None:
        """Open a file and wait until the page shows a view."""
        self.ask("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.querySelector('main article, main .note') !== null")

    def run(self, script: str) -> Any:  # noqa: ANN401 - the value of any expression
        """Return the value of an expression in the page."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait for an expression to be true."""
        end = time.monotonic() + _TIME_LIMIT
        while self.run(condition) is not True:
            assert time.monotonic() < end, f"never: {condition}"
            time.sleep(0.02)

    def press(self, key: str, text: str = "") -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def type(self, text: str) -> None:
        """Press the key of each letter."""
        for letter in text:
            self.press(letter, letter)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the page."""
        found = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    @property
    def complaints(self) -> list[str]:
        """Messages, errors, violations and requests other than for the file itself."""
        found = []
        for event in self.events:
            method, values = event["method"], event["params"]
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded"):
                found.append(f"{method}: {json.dumps(values)[:500]}")
            elif method == "Network.requestWillBeSent" and not values["request"]["url"].startswith(("file:", "about:")):
                found.append(f"request: {values['request']['url'][:200]}")
            elif method == "Network.requestWillBeSent" and values.get("type") not in ("Document", None):
                found.append(f"request of {values.get('type')}: {values['request']['url'][:200]}")
        return found
