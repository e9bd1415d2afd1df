"""The preview server: answers requests on the loopback address, and reloads open pages after each
save.

`Preview` is a WSGI application, and `serving` runs it in the server of the standard library. Files
are those that a build writes, rendered when they are asked for; pages have one more script, which
reloads them. If the last save cannot be shown, its error message replaces all pages.
"""

from __future__ import annotations

import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import PurePosixPath
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from jinja2 import Environment

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.tools.terminal import system_error

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

LOOPBACK = "127.0.0.1"
OWN_HOSTS = frozenset([LOOPBACK, "localhost"])
POLL_SECONDS = 0.05
"""Seconds between checks whether the server was ended, so that Ctrl+C ends it at once."""

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
"""The types of files by their suffixes. They are not read from the system, so that pages behave the
same on every machine."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
}
"""These headers prevent pages of other origins from reading the glossary, which may not be
published yet, and browsers from keeping it."""

HEARTBEAT = 15
"""Seconds between messages to a listening page, which detect closed connections."""


@dataclass(frozen=True, kw_only=True)
class HttpResponse:
    """An answer to a request."""

    status: HTTPStatus = HTTPStatus.OK
    type: str = TYPES[".html"]
    body: bytes = b""
    location: str = ""
    """The target of a redirect."""


Content = Callable[[str], bytes | None]
"""Returns the content of a file of the site by its path; None if there is no such file."""


@dataclass(frozen=True, kw_only=True)
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

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers a request as WSGI has it; one for another host, or from another site, is
        refused."""
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        is_stream = path == EVENTS
        # Protects against DNS rebinding: another site's host name may resolve to this machine.
        host, _, _ = environ.get("HTTP_HOST", "").partition(":")
        if host not in OWN_HOSTS:
            response = HttpResponse(status=HTTPStatus.MISDIRECTED_REQUEST)
        elif _is_of_another_origin(environ):
            response = HttpResponse(status=HTTPStatus.FORBIDDEN)
        elif is_stream:
            response = HttpResponse(type="text/event-stream")
        else:
            response = self.answer(path, environ["QUERY_STRING"])
        headers = {**HEADERS, "Content-Type": response.type}
        if response.location:
            headers["Location"] = response.location
        start_response(f"{response.status} {response.status.phrase}", [*headers.items()])
        if environ["REQUEST_METHOD"] == "HEAD":
            return ()
        if is_stream and response.status == HTTPStatus.OK:
            return self._events()
        return [response.body]

    def _events(self) -> Iterator[bytes]:
        """Yields an event with the name of the state and of each later one, for as long as the
        browser listens. A comment after each `HEARTBEAT` without a new state only shows whether the
        connection is still open."""
        last_name = ""
        while True:
            with self._state_changed:
                if self.state.name == last_name:
                    self._state_changed.wait(HEARTBEAT)
                name = self.state.name
            event = ":" if name == last_name else f"data: {name}"
            yield f"{event}\n\n".encode()
            last_name = name

    def answer(self, path: str, query: str = "") -> HttpResponse:
        """Returns the answer to a request, as a static host would give it. A request at the start
        waits until there is a site or an error."""
        with self._state_changed:
            self._state_changed.wait_for(lambda: self.state.content or self.state.error)
            state = self.state
        response = self._response(path, state)
        if response.location and query:  # such as `?as-of=1.0`
            response = replace(response, location=f"{response.location}?{query}")
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
        if not path.startswith(state.base):
            return _redirect(state.base)
        # An error replaces pages only: the last style sheets and scripts are still of use.
        is_page = path.endswith("/") or PurePosixPath(path).suffix in ("", ".html")
        if state.error and is_page:
            return self._failure(state.error)
        return self._file(path, state)

    def _file(self, path: str, state: ServedState) -> HttpResponse:
        """Returns the file at an address, or the site's page for lost addresses."""
        if state.content is None:
            return HttpResponse(status=HTTPStatus.NOT_FOUND)
        file = urls.path(path.removeprefix(state.base))
        try:
            content = state.content(file)
            if content is not None:
                type = TYPES.get(PurePosixPath(file).suffix, "application/octet-stream")
                return HttpResponse(type=type, body=content)
            if state.content(f"{file}/index.html") is not None:
                return _redirect(f"{path}/")
            lost_page = state.content(urls.NOT_FOUND) or b""
        except Exception as error:  # such as a mistake in a template that is being edited
            return self._failure(error_text(error))
        return HttpResponse(status=HTTPStatus.NOT_FOUND, body=lost_page)

    def _failure(self, error: str) -> HttpResponse:
        """Returns a page with an error."""
        page = Environment(autoescape=True).from_string(self.templates["preview/failed.html"])
        body = page.render(error=error).encode()
        return HttpResponse(status=HTTPStatus.INTERNAL_SERVER_ERROR, body=body)


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
    content, end_tag, after_body = response.body.rpartition(b"</body>")
    if not end_tag:  # a page may leave the tag out
        return replace(response, body=response.body + script)
    return replace(response, body=content + script + end_tag + after_body)


def _redirect(path: str) -> HttpResponse:
    """Returns a redirect to a path of this host."""
    # Two slashes at the start would name another host.
    return HttpResponse(status=HTTPStatus.FOUND, location="/" + quote(path.lstrip("/")))


def _is_of_another_origin(environ: WSGIEnvironment) -> bool:
    """Returns whether a page of another origin requests a file for itself: as a script, an image, a
    frame or by `fetch`.

    A request by a link on another page is allowed: only the user sees the page.
    """
    origin = environ.get("HTTP_ORIGIN")
    if origin:
        return bool(origin != f"http://{environ['HTTP_HOST']}")
    requesting_site = environ.get("HTTP_SEC_FETCH_SITE", "none")
    if requesting_site in ("same-origin", "none"):  # "none": the user typed the address
        return False
    is_navigation = environ.get("HTTP_SEC_FETCH_MODE") == "navigate"
    is_followed_link = is_navigation and environ.get("HTTP_SEC_FETCH_DEST") == "document"
    return not is_followed_link


@contextmanager
def serving(preview: Preview, *, port: int) -> Iterator[str]:
    """Serves a preview inside the `with` block, and yields its address. Port 0 selects a free
    port."""
    try:
        server = make_server(LOOPBACK, port, preview, _Server, _Handler)
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


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores closed connections; prints the traceback of any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the terminal shows build results."""
