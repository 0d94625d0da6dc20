"""Connections to a daemon that all ask at once."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence


def address_of(folder: str) -> str:
    """Return the socket of the daemon that writes to a folder."""
    with open(os.path.join(folder, "asset-db.watch.json"), "rb") as file:
        return str(json.load(file)["socket"])


def answers(address: str, requests: Sequence[bytes], clients: int, over: Callable[[], bool]) -> Iterator[float]:
    """Send requests over many connections; yield the wait for each answer."""
    selector = selectors.DefaultSelector()
    left: dict[socket.socket, bytes] = {}
    began: dict[socket.socket, float] = {}
    sent = 0
    with contextlib.ExitStack() as stack:
        for _ in range(clients):
            peer = stack.enter_context(socket.socket(socket.AF_UNIX))
            peer.connect(address)
            peer.settimeout(0)
            selector.register(peer, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while not over():
            for key, events in selector.select(0.1):
                peer = key.fileobj  # type: ignore[assignment]  # all are sockets
                with contextlib.suppress(BlockingIOError):
                    if events & selectors.EVENT_WRITE:
                        if not left.get(peer):
                            left[peer], began[peer] = requests[sent % len(requests)], time.perf_counter()
                            sent += 1
                        left[peer] = left[peer][peer.send(left[peer][: 1 << 18]) :]
                        if not left[peer]:
                            selector.modify(peer, selectors.EVENT_READ)
                    if events & selectors.EVENT_READ and peer.recv(1 << 20).endswith(b"\n"):
                        yield time.perf_counter() - began[peer]
                        selector.modify(peer, selectors.EVENT_READ | selectors.EVENT_WRITE)
