"""Files from the web: what is asked of which server, and the limits on what it answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from servers import started

from sitegen.sources import downloads
from sitegen.sources.downloads import DownloadError, fetch

LIMIT = 1000
"""The maximum size of a file in these tests."""


class Server(ThreadingHTTPServer):
    """A server on this machine that counts what it is asked for, also as a proxy."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.location = ""
        self.address = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    """Answers `/redirect` with the server's location, `/announced` with less than it announces, and
    `/size/N` with N bytes."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Server)
        self.server.asked.append(self.path)
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", self.server.location)
            self.end_headers()
            return
        size = int(self.path.rpartition("/")[2])
        self.send_response(200)
        self.send_header("Content-Length", str(size + (self.path.startswith("/announced"))))
        self.end_headers()
        self.wfile.write(b"a" * size)

    def do_CONNECT(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    with started(server):
        yield server


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that would be asked for every address that is not on this machine."""
    proxy = Server()
    monkeypatch.setenv("http_proxy", proxy.address)
    monkeypatch.setenv("https_proxy", proxy.address)
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    with started(proxy):
        yield proxy


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/x.json",
        "HTTP://example.org/x.json",
        "http://localhost.example.org/x.json",
        "http://127.0.0.1.example.org/x.json",
        "http://127.0.0.1@example.org/x.json",
        "http://localhost:80@example.org/x.json",
        "http://127.0.0.1\\.example.org/x.json",
        "http://local\thost.example.org/x.json",
        "http://[::1].example.org/x.json",
        "http://[::1]:80.example.org/x.json",
        "http:///x.json",
        "https:///x.json",
        "https://[::1/x.json",
        "https://example.org:port/x.json",
        "https://example.org:99999/x.json",
        "ftp://127.0.0.1/x.json",
        "file:///etc/passwd",
        "//127.0.0.1/x.json",
        "x.json",
    ],
)
def test_only_https_is_asked_for_or_this_machine(proxy: Server, address: str) -> None:
    """An address that is not https, nor http of this machine itself, is refused without a
    request."""
    with pytest.raises(DownloadError, match="https"):
        fetch(address, max_bytes=LIMIT)
    assert proxy.asked == []


def test_a_password_is_not_sent(proxy: Server) -> None:
    """An address with a user's name or password is refused without a request."""
    for user in ("ada", "ada:secret", ":secret"):
        with pytest.raises(DownloadError, match="are not sent") as refused:
            fetch(f"https://{user}@example.org/x.json", max_bytes=LIMIT)
        assert "secret" not in str(refused.value)
    assert proxy.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST"])
def test_this_machine_is_asked_without_encryption(server: Server, host: str) -> None:
    """A server on this machine is asked by http."""
    assert fetch(f"http://{host}:{server.server_port}/size/3", max_bytes=LIMIT) == b"aaa"


def test_signs_of_no_address_are_written_as_such(server: Server) -> None:
    """A space and a letter with an accent are sent as an address has them."""
    assert fetch(f"{server.address}/wörter für/é%C3%A9?ä/3", max_bytes=LIMIT) == b"aaa"
    assert server.asked[-1].endswith("/w%C3%B6rter%20f%C3%BCr/%C3%A9%C3%A9?%C3%A4/3")


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:1/size/3",
        "http://localhost/size/3",
        "http://169.254.169.254/latest/3",
        "https://example.org/size/3",
        "//example.org/size/3",
        "file:///etc/passwd",
        "ftp://127.0.0.1/3",
        "data:,3",
    ],
)
def test_a_redirect_to_another_server_is_not_followed(
    server: Server, proxy: Server, location: str
) -> None:
    """A redirect that changes scheme, host or port is an error before anything is asked there."""
    server.location = location
    with pytest.raises(DownloadError):
        fetch(f"{server.address}/redirect", max_bytes=LIMIT)
    assert (server.asked, proxy.asked) == (["/redirect"], [])


def test_the_target_of_a_redirect_is_named(server: Server) -> None:
    """The error names the address that a redirect leads to, without its password and query."""
    server.location = "https://ada:secret@example.org/x.json?token=secret"
    with pytest.raises(
        DownloadError, match=r"redirects to https://example\.org/x\.json; name that"
    ):
        fetch(f"{server.address}/redirect", max_bytes=LIMIT)


def test_a_redirect_on_the_same_server_is_followed(server: Server) -> None:
    """A redirect to another path of the same server is followed."""
    server.location = "/size/3"
    assert fetch(f"{server.address}/redirect", max_bytes=LIMIT) == b"aaa"


def test_a_large_file_is_refused(server: Server) -> None:
    """A file of the maximum size is read, and a larger one is an error."""
    assert len(fetch(f"{server.address}/size/{LIMIT}", max_bytes=LIMIT) or b"") == LIMIT
    with pytest.raises(DownloadError, match="more than 1,000 bytes"):
        fetch(f"{server.address}/size/{LIMIT + 1}", max_bytes=LIMIT)


def test_half_an_answer_is_refused(server: Server) -> None:
    """An answer that ends before its announced length is an error."""
    with pytest.raises(DownloadError, match="cut short"):
        fetch(f"{server.address}/announced/3", max_bytes=LIMIT)


def test_the_time_of_a_whole_download_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that always sends one more byte is given up after the time for the whole file."""
    has_ended = threading.Event()

    class Slow(Handler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not has_ended.wait(0.01):
                self.wfile.write(b"a")

    monkeypatch.setattr(downloads, "SECONDS", 0.2)
    with started(ThreadingHTTPServer(("127.0.0.1", 0), Slow)) as address:
        with pytest.raises(DownloadError, match="no complete answer within"):
            fetch(f"{address}/", max_bytes=10**9)
        has_ended.set()


def test_the_time_of_a_header_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that always sends one more byte of its header is given up too."""
    has_ended = threading.Event()

    class Slow(Handler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.flush_headers()
            while not has_ended.wait(0.01):
                self.wfile.write(b"a")

    monkeypatch.setattr(downloads, "SECONDS", 0.2)
    threading.Timer(5, has_ended.set).start()
    with started(ThreadingHTTPServer(("127.0.0.1", 0), Slow)) as address:
        with pytest.raises(DownloadError, match="no complete answer within"):
            fetch(f"{address}/", max_bytes=10**9)
        has_ended.set()


def test_a_silent_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that accepts a connection and never answers is given up."""
    monkeypatch.setattr(downloads, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(DownloadError, match="no complete answer within"):
            fetch(address, max_bytes=LIMIT)


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """Returns the address of a server that sends these bytes in answer to one request."""

    def serve(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(10_000)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=[listening], daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


@pytest.mark.parametrize(
    "answer", [b"secret\r\n\r\n", b"HTTP/1.1 500 secret\r\n\r\n", b"HTTP/1.1 2o0 secret\r\n\r\n"]
)
def test_texts_of_the_server_are_not_in_an_error(answer: bytes) -> None:
    """What a server answers in place of HTTP, or as the reason of a status, is not repeated."""
    with answering(answer) as address, pytest.raises(DownloadError) as refused:
        fetch(address, max_bytes=LIMIT)
    assert "secret" not in str(refused.value)
