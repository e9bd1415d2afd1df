"""The preview server: answers requests on the loopback address, and reloads open pages after each
save.

`Preview` computes the answers and uses no socket; `serving` runs the HTTP server. Files are those
that a build writes, rendered when they are asked for; pages have one more script, which reloads
them. If the last save cannot be shown, its error message replaces all pages.
"""

from __future__ import annotations

import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.tools.terminal import system_error

LOOPBACK = "127.0.0.1"
OWN_HOSTS = frozenset([LOOPBACK, "localhost"])
POLL_SECONDS = 0.05
"""How often the server looks whether it was ended, so that Ctrl+C ends it at once."""

OWN = "/-/"
"""The prefix of the preview's own addresses. No address of a site has it."""
RELOAD = OWN + "reload.js"
EVENTS = OWN + "news"

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
"""Returns the content of a file of the site by its path; None if there is no such file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServedState:
    """The state of the site between two saves."""

    base: str = "/"
    """The path of the published site, unescaped; begins and ends with a slash."""
    content: Content | None = None
    """The last good site; None if there is none yet."""
    error: str = ""
    """The message about the last save; empty if it is shown."""
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    """Random, so that pages opened before a server restart detect a new state."""


class Preview:
    """Answers requests with the newest state of the site, or with the error of the last save."""

    def __init__(self, templates: Mapping[str, str]) -> None:
        self.templates = templates
        self.state = ServedState()
        self._state_changed = threading.Condition()

    def show(self, content: Content, *, base: str = "/") -> None:
        """Shows a site from now on; open pages reload."""
        self._set_state(ServedState(base=base, content=content))

    def fail(self, error: str) -> None:
        """Shows an error in place of every page from now on; open pages reload."""
        last = self.state
        self._set_state(ServedState(base=last.base, content=last.content, error=error))

    def names_of_states(self) -> Iterator[str]:
        """Yields the name of the state, then of each later one, and "" after each `HEARTBEAT`
        without a new state."""
        last_name = ""
        while True:
            with self._state_changed:
                if self.state.name == last_name:
                    self._state_changed.wait(HEARTBEAT)
                name = self.state.name
            if name == last_name:
                yield ""
            else:
                yield name
            last_name = name

    def answer(self, target: str) -> HttpResponse:
        """Returns the answer to a request, as a static host would give it. A request at the start
        waits until there is a site or an error."""
        with self._state_changed:
            self._state_changed.wait_for(lambda: self.state.content or self.state.error)
            state = self.state
        parts = urlsplit(target)
        response = self._response(unquote(parts.path), state)
        if response.location and parts.query:  # such as `?as-of=1.0`
            response = replace(response, location=f"{response.location}?{parts.query}")
        return _with_reload_script(response, state)

    def _set_state(self, state: ServedState) -> None:
        """Sets what is shown, and wakes the threads that wait for a new state."""
        with self._state_changed:
            self.state = state
            self._state_changed.notify_all()

    def _response(self, path: str, state: ServedState) -> HttpResponse:
        """Returns the answer for a path: the preview's own script, a redirect to the site, the
        error of the last save, or a file of the site."""
        if path == RELOAD:
            return HttpResponse(
                type=TYPES[".js"], body=self.templates["preview/reload.js"].encode()
            )
        # A site at `/docs/` is also reached by `/` and `/docs`.
        if path != state.base and path in ("/", state.base.rstrip("/")):
            return _redirect(state.base)
        # An error replaces pages only: the last style sheets and scripts are still of use.
        is_page = path.endswith("/") or PurePosixPath(path).suffix in ("", ".html")
        if state.error and is_page:
            return self._failure(state.error)
        return self._file(path, state)

    def _file(self, path: str, state: ServedState) -> HttpResponse:
        """Returns the file at an address, or the page for lost addresses."""
        if state.content is None or not path.startswith(state.base):
            return self._missing(state)
        file = urls.path(path.removeprefix(state.base))
        try:
            content = state.content(file)
            if content is not None:
                return _found(file, content)
            if state.content(f"{file}/index.html") is not None:
                return _redirect(f"{path}/")
        except Exception as error:  # such as a mistake in a template that is being edited
            return self._failure(error_text(error))
        return self._missing(state)

    def _failure(self, error: str) -> HttpResponse:
        """Returns a page with an error."""
        body = self._own_page("preview/failed.html", error=error)
        return HttpResponse(status=HTTPStatus.INTERNAL_SERVER_ERROR, body=body)

    def _missing(self, state: ServedState) -> HttpResponse:
        """Returns the site's own page for lost addresses, with a note that names the path of the
        site. If there is no such page, returns the note alone."""
        page = None
        with suppress(Exception):  # The page itself may be what cannot be rendered.
            page = state.content(urls.NOT_FOUND) if state.content else None
        empty_page = b"<!doctype html>\n"
        note = self._own_page("preview/missing.html", base=state.base)
        body = _with_end(page or empty_page, note)
        return HttpResponse(status=HTTPStatus.NOT_FOUND, body=body)

    def _own_page(self, template: str, **values: str) -> bytes:
        """Returns a page of the preview itself."""
        page = Environment(autoescape=True).from_string(self.templates[template])
        return page.render(values).encode()


def error_text(error: Exception) -> str:
    """Returns the text of an error. An unexpected error, such as one in a template, is returned
    with its traceback."""
    if isinstance(error, SitegenError):
        return str(error)
    if isinstance(error, OSError | MemoryError):
        return system_error(error)
    return "".join(traceback.format_exception(error))


def _with_reload_script(response: HttpResponse, state: ServedState) -> HttpResponse:
    """Returns a response with the reload script, if it is a page. Others are returned as they are.

    The script is a file of the site's own origin, as the security policy of the pages requires.
    """
    if response.type != TYPES[".html"] or response.location:
        return response
    script = f'<script src="{RELOAD}?shown={state.name}"></script>\n'.encode()
    return replace(response, body=_with_end(response.body, script))


def _with_end(page: bytes, html: bytes) -> bytes:
    """Returns a page with some HTML added at the end of its body."""
    content, end_tag, after_body = page.rpartition(b"</body>")
    if not end_tag:  # a page may leave the tag out
        return page + html
    return content + html + end_tag + after_body


def _found(path: str, content: bytes) -> HttpResponse:
    """Returns a file of the site."""
    type = TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
    return HttpResponse(type=type, body=content)


def _redirect(path: str) -> HttpResponse:
    """Returns a redirect to a path of this host."""
    # Two slashes at the start would name another host.
    return HttpResponse(status=HTTPStatus.FOUND, location="/" + quote(path.lstrip("/")))


def _is_of_another_origin(headers: Message) -> bool:
    """Returns whether a page of another origin requests a file for itself: as a script, an image, a
    frame or by `fetch`.

    A link from another page is no such request: only the user sees what it leads to.
    """
    origin = headers.get("Origin")
    if origin:
        return origin != f"http://{headers.get('Host')}"
    requesting_site = headers.get("Sec-Fetch-Site", "none")  # "none": the user typed the address
    if requesting_site in ("same-origin", "none"):
        return False
    is_navigation = headers.get("Sec-Fetch-Mode") == "navigate"
    is_followed_link = is_navigation and headers.get("Sec-Fetch-Dest") == "document"
    return not is_followed_link


@contextmanager
def serving(preview: Preview, *, port: int) -> Iterator[str]:
    """Serves a preview inside the `with` block, and yields its address. Port 0 selects a free
    port."""
    # The server makes a handler for each request, so its class has the preview.
    handler = type("Handler", (_Handler,), {"preview": preview})
    try:
        server = _Server((LOOPBACK, port), handler)
    except OSError as error:
        raise SitegenError(
            f"port {port}: {error.strerror}; --port 0 takes any that is free"
        ) from error
    thread = threading.Thread(target=server.serve_forever, args=[POLL_SECONDS], daemon=True)
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
        """Answers a request; those for another host, or from another site, are refused."""
        path = None
        with suppress(ValueError):  # an invalid URL such as `http://[`
            path = urlsplit(self.path).path
        # Protects against DNS rebinding: another site's host name may resolve to this machine.
        host, _, _ = self.headers.get("Host", "").partition(":")
        if host not in OWN_HOSTS:
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
        """Sends an answer. If only the headers are requested, by HEAD, the body is left out."""
        self._begin(response.status, response.type)
        self.send_header("Content-Length", str(len(response.body)))
        if response.location:
            self.send_header("Location", response.location)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(response.body)

    def _send_events(self) -> None:
        """Sends an event for each new state, for as long as the browser listens."""
        self._begin(HTTPStatus.OK, "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "GET":
            return
        for name in self.preview.names_of_states():
            comment = ":"  # which only shows whether the connection is still open
            event = f"data: {name}" if name else comment
            self.wfile.write(f"{event}\n\n".encode())

    def _begin(self, status: HTTPStatus, type: str) -> None:
        """Sends the status and the headers that all answers have."""
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Cache-Control", "no-store")
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the terminal shows build results."""
