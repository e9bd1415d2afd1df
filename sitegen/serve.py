"""A preview of the site, on this machine alone, that changes when a build does.

What is answered to a request is decided by `Preview`, without a socket in sight; `serving` puts it on the loopback.
While the last build has failed, a page that says why stands in for all others, and the last good site stays
reachable beside it. Pages are served as they were built, but for one script that reloads them after the next build.
"""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment

from sitegen.model import SitegenError
from sitegen.output import is_site

LOOPBACK = "127.0.0.1"
OWN_HOSTS = frozenset([LOOPBACK, "localhost"])

OWN = "/-/"
"""Where the preview's own addresses begin. No address of a site begins so."""
RELOAD = OWN + "reload.js"
BUILDS = OWN + "builds"
LAST_GOOD = OWN + "last-good/"

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
}
"""Said here, and not asked of the system, so that a page behaves the same on every machine."""

HEARTBEAT = 15
"""Seconds after which a listener is written to, which shows whether it is still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: HTTPStatus = HTTPStatus.OK
    type: str = TYPES[".html"]
    body: bytes = b""
    location: str = ""
    """Where to look instead, for a redirect."""


class Preview:
    """A site folder as the loopback shows it: the last good build, or what went wrong with the last one."""

    def __init__(self, site: Path, templates: Mapping[str, str]) -> None:
        self.site = site
        self.templates = templates
        self.base = "/"
        """The path at which the site is going to live; it begins and ends with a slash."""
        self.error = ""
        """Why the last build failed; empty when it did not."""
        self.build = secrets.token_hex(4)
        """Names the last build, good or failed. Random, so that no page takes a new server's build for its own."""
        self._news = threading.Condition()

    def show(self, *, base: str = "/", error: str = "") -> None:
        """Takes up the outcome of a build and tells every open page."""
        with self._news:
            self.base, self.error, self.build = base, error, secrets.token_hex(4)
            self._news.notify_all()

    def builds(self) -> Iterator[str]:
        """Yields the last build at once, each later one as it is done, and an empty text now and then between."""
        told = ""
        while True:
            with self._news:
                if self.build == told:
                    self._news.wait(HEARTBEAT)
                news, told = self.build != told, self.build
            yield told if news else ""

    def answer(self, target: str) -> Answer:
        """Returns what a browser gets for a request's target, as a static host would give it."""
        path = unquote(urlsplit(target).path)
        if path == RELOAD:
            return Answer(type=TYPES[".js"], body=self.templates["preview/reload.js"].encode())
        if path.startswith(LAST_GOOD):
            return self._page(path, LAST_GOOD)
        if path in {"/", self.base.rstrip("/")} and path != self.base:
            return _redirect(self.base)
        if self.error and _is_page(path):
            return self._failed()
        if not path.startswith(self.base):
            return self._missing()
        return self._page(path, self.base)

    def _page(self, path: str, base: str) -> Answer:
        found = self._find(path.removeprefix(base))
        if found is None:
            return self._missing()
        if not found.is_dir():
            return self._file(found)
        if not path.endswith("/"):
            return _redirect(path + "/")
        index = self._find(path.removeprefix(base) + "index.html")
        return self._file(index) if index else self._missing()

    def _find(self, path: str) -> Path | None:
        """The real file or folder, or None for a path that leads out of the site, through a link too."""
        try:
            found = (self.site / path).resolve(strict=True)
        except (OSError, ValueError):
            return None
        return found if found.is_relative_to(self.site.resolve()) else None

    def _file(self, path: Path, status: HTTPStatus = HTTPStatus.OK) -> Answer:
        type, body = TYPES.get(path.suffix, "application/octet-stream"), path.read_bytes()
        return Answer(status=status, type=type, body=self._reloading(body) if path.suffix == ".html" else body)

    def _reloading(self, page: bytes) -> bytes:
        """A page with the script that reloads it. It comes from the site's own origin, as the page's policy asks."""
        script = f'<script src="{RELOAD}?build={self.build}"></script>\n'.encode()
        before, body_end, after = page.rpartition(b"</body>")
        return before + script + body_end + after if body_end else page + script

    def _missing(self) -> Answer:
        page = self._find("404.html")
        if page is None:
            return Answer(status=HTTPStatus.NOT_FOUND, body=self._reloading(b"<!doctype html><p>Not found.</p>"))
        return self._file(page, HTTPStatus.NOT_FOUND)

    def _failed(self) -> Answer:
        page = Environment(autoescape=True).from_string(self.templates["preview/failed.html"])
        html = page.render(error=self.error, last_good=LAST_GOOD if is_site(self.site) else "")
        return Answer(status=HTTPStatus.INTERNAL_SERVER_ERROR, body=self._reloading(html.encode()))


def _is_page(path: str) -> bool:
    return path.endswith("/") or PurePosixPath(path).suffix in {"", ".html"}


def _redirect(path: str) -> Answer:
    # Two slashes at the start would name another host.
    return Answer(status=HTTPStatus.FOUND, location="/" + quote(path.lstrip("/")))


@contextmanager
def serving(preview: Preview, *, port: int) -> Iterator[str]:
    """Serves a preview while the block runs, and gives its address. Port 0 takes any that is free."""
    handler = type("Handler", (_Handler,), {"preview": preview})
    try:
        server = _Server((LOOPBACK, port), handler)
    except OSError as error:
        raise SitegenError(f"port {port}: {error.strerror}; --port 0 takes any that is free") from error
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a browser that went away; all else is a mistake of ours and worth its traceback."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    preview: Preview
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        # A page elsewhere can make its own name lead to this machine; it must not read what is served here.
        if self.headers.get("Host", "").partition(":")[0] not in OWN_HOSTS:
            self._send(Answer(status=HTTPStatus.MISDIRECTED_REQUEST))
        elif urlsplit(self.path).path == BUILDS:
            self._send_builds()
        else:
            self._send(self.preview.answer(self.path))

    def _send(self, answer: Answer) -> None:
        self._begin(answer.status, answer.type)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location:
            self.send_header("Location", answer.location)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(answer.body)

    def _send_builds(self) -> None:
        self._begin(HTTPStatus.OK, "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for build in self.preview.builds():
            self.wfile.write(f"data: {build}\n\n".encode() if build else b":\n\n")

    def _begin(self, status: HTTPStatus, type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the keeper's terminal is for builds."""
