"""Servers on this machine, in a thread of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

POLL_SECONDS = 0.01
"""How often a server looks whether it shall end. The half second of the library would be at the end
of each test."""


@contextmanager
def started(server: ThreadingHTTPServer) -> Iterator[str]:
    """Runs a server during a block, and gives its address, without a slash at its end."""
    Thread(target=server.serve_forever, args=[POLL_SECONDS], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Silent(SimpleHTTPRequestHandler):
    """Serves the files of a folder, and prints nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""
