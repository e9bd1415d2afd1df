"""The preview server: serves the site on the loopback address and reloads pages after each build.

`Preview` computes the answers and uses no socket; `serving` runs the HTTP server. Every answer
shows the newest state of the site: a file that can be rendered before the build ends is sent at
once, other requests wait for the build. If the last build failed, all pages are replaced by its
error message, and the last good site is served below `/-/last-good/`. Pages are served as built,
plus one script that reloads them when the state changes.
"""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.sources.open_folders import is_site

LOOPBACK = "127.0.0.1"
OWN_HOSTS = frozenset([LOOPBACK, "localhost"])

OWN = "/-/"
"""The prefix of the preview's own addresses. No address of a site has it."""
RELOAD = OWN + "reload.js"
EVENTS = OWN + "news"
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
"""Fixed, not read from the system, so that pages behave the same on every machine."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
}
"""These headers prevent pages of other origins from reading the glossary, which may not be
published yet."""

HEARTBEAT = 15
"""Seconds between messages to a listening page, which detect closed connections."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HttpResponse:
    status: HTTPStatus = HTTPStatus.OK
    type: str = TYPES[".html"]
    body: bytes = b""
    location: str = ""
    """The target of a redirect."""


Content = Callable[[str], bytes | None]
"""Returns the content of a file of the next site by its path; None if it requires a finished
build."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServedState:
    """The state of the site between two saves."""

    base: str = "/"
    """The path of the published site; begins and ends with a slash."""
    failure: bytes = b""
    """The error page of the last build; empty if it succeeded."""
    fresh: Content | None = None
    """The content of the site that is being built; None if the folder has the newest site."""
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    """Random, so that pages opened before a server restart detect a new state."""


class Preview:
    """Answers requests with the newest state of the site, or with the error of the last build."""

    def __init__(self, site: Path, templates: Mapping[str, str]) -> None:
        self.site = site
        self.templates = templates
        self.state = ServedState()
        self._state_changed = threading.Condition()
        self.rendering_lock = threading.Lock()
        """Held while a page is rendered."""

    def show(self, *, base: str = "/", error: str = "", fresh: Content | None = None) -> None:
        """Sets a new state; open pages reload."""
        failure = b""
        if error:
            page = Environment(autoescape=True).from_string(self.templates["preview/failed.html"])
            failure = page.render(
                error=error, last_good=LAST_GOOD if is_site(self.site) else ""
            ).encode()
        self._set_state(ServedState(base=base, failure=failure, fresh=fresh))

    def serve_folder(self) -> None:
        """Serves the site from its folder from now on; open pages do not reload."""
        self._set_state(replace(self.state, fresh=None))

    def names(self) -> Iterator[str]:
        """Yields the name of the state and of each later state, and "" after each `HEARTBEAT`
        without a new one."""
        last = ""
        while True:
            with self._state_changed:
                if self.state.name == last:
                    self._state_changed.wait(HEARTBEAT)
                is_new, last = self.state.name != last, self.state.name
            yield last if is_new else ""

    def answer(self, target: str) -> HttpResponse:
        """Returns the answer to a request, as a static host would give it; waits for a build if
        necessary."""
        path = unquote(urlsplit(target).path)
        while (response := self._response(path, state := self.state)) is None:
            with self._state_changed:
                self._state_changed.wait_for(lambda: self.state is not state)
        return _with_reload_script(response, state)

    def _set_state(self, state: ServedState) -> None:
        with self._state_changed:
            self.state = state
            self._state_changed.notify_all()

    def _response(self, path: str, state: ServedState) -> HttpResponse | None:
        """Returns the answer in a state; None if the site must be built first."""
        if path == RELOAD:
            return HttpResponse(
                type=TYPES[".js"], body=self.templates["preview/reload.js"].encode()
            )
        if path.startswith(LAST_GOOD):
            return self._page(path, LAST_GOOD)
        if path in {"/", state.base.rstrip("/")} and path != state.base:
            return _redirect(state.base)
        if state.failure and (path.endswith("/") or PurePosixPath(path).suffix in {"", ".html"}):
            return HttpResponse(status=HTTPStatus.INTERNAL_SERVER_ERROR, body=state.failure)
        if not path.startswith(state.base):
            return self._missing()
        return (
            self._live_response(path, state.base, state.fresh)
            if state.fresh
            else self._page(path, state.base)
        )

    def _live_response(self, path: str, base: str, fresh: Content) -> HttpResponse | None:
        file = urls.path(path.removeprefix(base))
        content = self._content(file, fresh)
        if content is not None:
            return _file(file, content)
        return (
            _redirect(path + "/")
            if self._content(f"{file}/index.html", fresh) is not None
            else None
        )

    def _content(self, path: str, fresh: Content) -> bytes | None:
        with self.rendering_lock:
            try:
                return fresh(path)
            except (
                Exception
            ):  # such as a mistake in a template that is being edited; the build reports it too
                return None

    def _page(self, path: str, base: str) -> HttpResponse:
        path_in_site = self._find(path.removeprefix(base))
        if path_in_site is None:
            return self._missing()
        if not path_in_site.is_dir():
            return _file(path, path_in_site.read_bytes())
        if not path.endswith("/"):
            return _redirect(path + "/")
        index = self._find(path.removeprefix(base) + "index.html")
        return _file(index.name, index.read_bytes()) if index else self._missing()

    def _find(self, path: str) -> Path | None:
        """Returns the real file or folder; None if it is missing or outside of the site, also
        through a link."""
        try:
            resolved = (self.site / path).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return None
        return resolved if resolved.is_relative_to(self.site.resolve()) else None

    def _missing(self) -> HttpResponse:
        page = self._find("404.html")
        body = page.read_bytes() if page else b"<!doctype html><p>Not found.</p>"
        return HttpResponse(status=HTTPStatus.NOT_FOUND, body=body)


def _with_reload_script(response: HttpResponse, state: ServedState) -> HttpResponse:
    """Adds the reload script to a page, from the site's own origin, as the page's security policy
    requires."""
    if response.type != TYPES[".html"] or response.location:
        return response
    script = f'<script src="{RELOAD}?shown={state.name}"></script>\n'.encode()
    start, body_end, rest = response.body.rpartition(b"</body>")
    return replace(
        response, body=start + script + body_end + rest if body_end else response.body + script
    )


def _file(path: str, content: bytes) -> HttpResponse:
    return HttpResponse(
        type=TYPES.get(PurePosixPath(path).suffix, "application/octet-stream"), body=content
    )


def _redirect(path: str) -> HttpResponse:
    # Two slashes at the start would name another host.
    return HttpResponse(status=HTTPStatus.FOUND, location="/" + quote(path.lstrip("/")))


def _is_of_another_origin(headers: Message) -> bool:
    """True if a page of another origin requests a script, an image, a frame or uses `fetch`.

    False for a followed link: it shows the page to the user, and to no other page.
    """
    if origin := headers.get("Origin"):
        return origin != f"http://{headers.get('Host')}"
    is_link = (headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")) == (
        "navigate",
        "document",
    )
    return headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"} and not is_link


@contextmanager
def serving(preview: Preview, *, port: int) -> Iterator[str]:
    """Serves a preview inside the `with` block, and yields its address. Port 0 selects a free
    port."""
    handler = type("Handler", (_Handler,), {"preview": preview})
    try:
        server = _Server((LOOPBACK, port), handler)
    except OSError as error:
        raise SitegenError(
            f"port {port}: {error.strerror}; --port 0 takes any that is free"
        ) from error
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
        """Ignores closed connections; prints the traceback of any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    preview: Preview
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = None
        with suppress(ValueError):  # an invalid URL such as `http://[`
            path = urlsplit(self.path).path
        # Protects against DNS rebinding: another site's host name may resolve to this machine.
        if self.headers.get("Host", "").partition(":")[0] not in OWN_HOSTS:
            self._send(HttpResponse(status=HTTPStatus.MISDIRECTED_REQUEST))
        elif _is_of_another_origin(self.headers):
            self._send(HttpResponse(status=HTTPStatus.FORBIDDEN))
        elif path is None:
            self._send(HttpResponse(status=HTTPStatus.BAD_REQUEST))
        elif path == EVENTS:
            self._send_events()
        else:
            self._send(self.preview.answer(self.path))

    def _send(self, response: HttpResponse) -> None:
        self._begin(response.status, response.type)
        self.send_header("Content-Length", str(len(response.body)))
        if response.location:
            self.send_header("Location", response.location)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(response.body)

    def _send_events(self) -> None:
        self._begin(HTTPStatus.OK, "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name in self.preview.names() if self.command == "GET" else ():
            self.wfile.write(f"data: {name}\n\n".encode() if name else b":\n\n")

    def _begin(self, status: HTTPStatus, type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Cache-Control", "no-store")
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the terminal shows build results."""
