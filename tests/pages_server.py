"""A small GitHub Pages: a folder on the loopback, answered by that host's rules.

Which file answers an address is decided by `built_site`, where each rule is given its source; here is only what a test needs to ask it of a folder on disk, by path or with a browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from built_site import PublishedSite
from servers import started


def host(folder: Path, base: str = "/") -> PublishedSite:
    """A folder as published at `base`."""
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return PublishedSite(files, base=base)


def resolve(folder: Path, path: str, base: str = "/") -> tuple[int, str]:
    """Returns the status for a path, and the file to send or the path to redirect to."""
    return _answer(host(folder, base), path)


def _answer(host: PublishedSite, path: str) -> tuple[int, str]:
    file, path = host.file(path), path.partition("?")[0]
    if not file:  # the site's own page for lost addresses is sent with status 404 ("Creating a custom 404 page")
        return 404, "404.html" if path.startswith(host.base) and "404.html" in host.files else ""
    return (
        (301, f"{path}/") if f"{unquote(path)}/index.html" == f"{host.base}{file}" else (200, file)
    )


@contextmanager
def published(folder: Path, base: str = "/") -> Iterator[str]:
    """Serves a folder during a block, and gives the address of its home page."""
    handler = partial(_Handler, folder, host(folder, base))
    with started(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as address:
        yield f"{address}{base}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, host: PublishedSite, *rest: Any) -> None:
        self.folder, self.host = folder, host
        super().__init__(*rest)

    def do_GET(self) -> None:
        status, file = _answer(self.host, self.path)
        body = (self.folder / file).read_bytes() if file and status != 301 else b""
        self.send_response(status)
        self.send_header("Content-Type", guess_type(file)[0] or "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        # Which lets pages of other origins read what is published: GitHub Pages sends it with every
        # file.
        self.send_header("Access-Control-Allow-Origin", "*")
        if status == 301:
            self.send_header("Location", file)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""
