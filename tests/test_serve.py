"""The preview server: its answers, its access rules, and updates of open pages."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from newcomer import eventually, shows
from repositories import Repository

from sitegen.model import SitegenError
from sitegen.preview.server import Content, HttpResponse, Preview, serving
from sitegen.site.templates import read_templates

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{0}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self'">
</head><body><h1>{0}</h1></body></html>
"""


def site(title: str) -> Content:
    """Returns the content of a site of some pages."""
    pages = {
        "index.html": title,
        "term/aten/index.html": "ATen",
        "404.html": "Lost",
        "release/1.8.2/index.html": "1.8.2",
    }
    files = {path: PAGE.format(text).encode() for path, text in pages.items()}
    return {**files, "assets/site.css": b"h1 { color: red }"}.get


@pytest.fixture
def preview() -> Preview:
    preview = Preview(read_templates())
    preview.show(site("Home"))
    return preview


def title(answer: HttpResponse) -> str:
    found = re.search(r"<title>(.*)</title>", answer.body.decode())
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "Home"),
        ("/index.html", "Home"),
        ("/term/aten/", "ATen"),
        ("/release/1.8.2/", "1.8.2"),
    ],
)
def test_page_is_served_from_its_folder(preview: Preview, path: str, expected: str) -> None:
    """An address with a slash at its end is the page in that folder."""
    answer = preview.answer(path)
    assert (answer.status, title(answer)) == (HTTPStatus.OK, expected)
    assert answer.type == "text/html; charset=utf-8"


def test_slash_is_added(preview: Preview) -> None:
    """A folder without its slash redirects to the address with it."""
    assert preview.answer("/term/aten").location == "/term/aten/"
    assert preview.answer("/release/1.8.2").location == "/release/1.8.2/"
    assert preview.answer("/term/aten", "as-of=1.0").location == "/term/aten/?as-of=1.0"


@pytest.mark.parametrize(
    "path", ["/nothing", "/term/", "/term/none/", "/assets/none.css", "/\0", "/%", "/\ud800"]
)
def test_lost_address_gets_the_page_for_it(preview: Preview, path: str) -> None:
    """An unknown address gets the site's 404 page."""
    answer = preview.answer(path)
    assert (answer.status, title(answer)) == (HTTPStatus.NOT_FOUND, "Lost")


def test_types_are_told(preview: Preview) -> None:
    """A style sheet has its content type and the bytes of the build."""
    answer = preview.answer("/assets/site.css")
    assert (answer.type, answer.body) == ("text/css; charset=utf-8", b"h1 { color: red }")


def test_site_with_a_path_is_served_at_it(preview: Preview) -> None:
    """A site for /glossary/ is served there, so that absolute links work; other addresses redirect
    to it."""
    preview.show(site("Home"), base="/glossary/")
    assert title(preview.answer("/glossary/term/aten/")) == "ATen"
    for path in ("/", "/glossary", "/term/aten/"):
        assert preview.answer(path).location == "/glossary/"
    assert preview.answer("/glossary/term/none/").status == HTTPStatus.NOT_FOUND


def test_failed_build_stands_in_for_every_page(preview: Preview) -> None:
    """After a failed build every page shows the error, escaped."""
    preview.fail("site.toml:3: unknown key '<script>alert(1)</script>'")
    for path in ("/", "/term/aten/", "/index.html", "/nothing"):
        answer = preview.answer(path)
        assert answer.status == HTTPStatus.INTERNAL_SERVER_ERROR
        assert "unknown key &#39;&lt;script&gt;alert(1)" in answer.body.decode()
    assert preview.answer("/assets/site.css").status == HTTPStatus.OK
    preview.show(site("Home"))
    assert title(preview.answer("/")) == "Home"


def test_failure_before_any_good_build() -> None:
    """The first build can fail too."""
    preview = Preview(read_templates())
    preview.fail("content: no such folder")
    assert "no such folder" in preview.answer("/").body.decode()


@pytest.fixture
def address(preview: Preview) -> Iterator[str]:
    with serving(preview, port=0) as address:
        yield address


def request(
    address: str, path: str, *, host: str | None = None, method: str = "GET"
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    connection.request(method, path, headers={"Host": host} if host else {})
    return connection.getresponse()


def test_only_this_machine_is_answered(address: str) -> None:
    """A request with another host name, as from a page elsewhere, is refused."""
    assert address.startswith("http://127.0.0.1:")
    port = address.rpartition(":")[2]
    assert request(address, "/", host=f"localhost:{port}").status == HTTPStatus.OK
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "[::1]"):
        response = request(address, "/", host=host)
        assert (response.status, response.read()) == (HTTPStatus.MISDIRECTED_REQUEST, b"")


def test_nothing_is_kept_by_the_browser(address: str) -> None:
    """No answer can be cached, or used as another content type."""
    response = request(address, "/assets/site.css")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "script"}, 200),
        (
            {
                "Sec-Fetch-Site": "cross-site",
                "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "document",
            },
            200,
        ),
        (
            {
                "Sec-Fetch-Site": "cross-site",
                "Sec-Fetch-Mode": "no-cors",
                "Sec-Fetch-Dest": "script",
            },
            403,
        ),
        (
            {
                "Sec-Fetch-Site": "same-site",
                "Sec-Fetch-Mode": "no-cors",
                "Sec-Fetch-Dest": "script",
            },
            403,
        ),
        (
            {
                "Sec-Fetch-Site": "cross-site",
                "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "iframe",
            },
            403,
        ),
        (
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
            403,
        ),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_other_origins_are_refused(address: str, headers: dict[str, str], status: int) -> None:
    """Requests from a page of another origin are refused; following a link is allowed."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    connection.request("GET", "/", headers=headers)
    assert connection.getresponse().status == status


@pytest.mark.parametrize(
    ("path", "type"), [("/", "text/html; charset=utf-8"), ("/-/news", "text/event-stream")]
)
def test_head_is_answered_without_a_body(address: str, path: str, type: str) -> None:
    """A HEAD request for a page, or for the stream of builds, gets the header alone and ends."""
    port = int(address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as browser, browser.makefile("rb") as answer:
        browser.sendall(
            f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        *head, end = answer.readlines()
    assert f"Content-Type: {type}\r\n".encode() in head
    assert end == b"\r\n"


@pytest.mark.parametrize(
    ("path", "title"),
    [("/?q=x", b"Home"), ("/term/%61ten/", b"ATen"), ("/caf%C3%A9/", b"Caf\xc3\xa9")],
)
def test_escapes_of_an_address_are_resolved(
    address: str, preview: Preview, path: str, title: bytes
) -> None:
    """An address with escapes, or with a query, is that of a file."""
    cafe = PAGE.format("Caf\u00e9").encode()
    preview.show(
        {"index.html": b"Home", "term/aten/index.html": b"ATen", "caf\u00e9/index.html": cafe}.get
    )
    response = request(address, path)
    assert response.status == HTTPStatus.OK
    assert title in response.read()


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_is_no_address_leads_to_the_site(
    address: str, method: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """An invalid request target leads to the first page, and the terminal shows nothing."""
    response = request(address, "http://[", host="localhost", method=method)
    assert (response.status, response.headers["Location"]) == (HTTPStatus.FOUND, "/")
    assert capfd.readouterr().err == ""


def test_a_closed_connection_is_no_error(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A browser may close a connection at any moment; the terminal shows nothing."""
    port = int(address.rpartition(":")[2])
    for sent in (b"", b"GET / HT", b"GET /-/news HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port)) as browser:
            browser.sendall(sent)
            browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert request(address, "/").status == HTTPStatus.OK
    assert capfd.readouterr().err == ""


def test_taken_port_is_one_line(address: str, preview: Preview) -> None:
    """A port in use is an error with its number and a remedy."""
    with (
        pytest.raises(SitegenError, match=r"^port \d+: .*; --port 0") as caught,
        serving(preview, port=int(address.rpartition(":")[2])),
    ):
        pass
    assert "\n" not in str(caught.value)


def test_builds_are_told_as_they_come(address: str, preview: Preview) -> None:
    """A listener gets the last build at once, and each later one."""
    response = request(address, "/-/news")
    assert response.headers["Content-Type"] == "text/event-stream"
    first = response.readline()
    assert first.decode() == f"data: {preview.state.name}\n"
    response.readline()
    preview.show(site("Home"))
    assert response.readline().decode() == f"data: {preview.state.name}\n" != first.decode()


def test_open_page_follows_the_builds(address: str, preview: Preview, page: Page) -> None:
    """An open page shows the next build, then the error of the one after, then its correction."""
    page.goto(address)
    page.get_by_role("heading", name="Home").wait_for()
    preview.show(site("Second"))
    page.get_by_role("heading", name="Second").wait_for()
    preview.fail("glossary.md:1: <b>broken</b>")
    page.get_by_text("glossary.md:1: <b>broken</b>").wait_for()
    preview.show(site("Second"))
    page.get_by_role("heading", name="Second").wait_for()


def test_page_from_an_older_build_is_renewed(address: str, preview: Preview, page: Page) -> None:
    """A page that was loaded before a build and listens after it still reloads."""

    def build_first(route: Route) -> None:
        preview.show(site("Second"))
        route.continue_()

    page.route("**/-/news", build_first, times=1)
    page.goto(address)
    page.get_by_role("heading", name="Second").wait_for()


GLOSSARY = "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Runs `sitegen serve` in a folder, and ends it as Ctrl+C does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sitegen", "serve", *arguments, "--port", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # Whoever runs the tests in the background has Ctrl+C ignored by all that they start.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    yield process
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate()
    assert "Traceback" not in rest
    assert process.returncode in (130, -signal.SIGTERM)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """`sitegen serve` for a glossary of two terms, in its own process."""
    (tmp_path / "words/1.0").mkdir(parents=True)
    (tmp_path / "words/1.0/GLOSSARY.md").write_text(GLOSSARY)
    with serve(tmp_path, "words") as process:
        yield tmp_path / "words", process


def test_repository_is_shown_from_an_empty_folder(tmp_path: Path) -> None:
    """With the address of a repository, no working copy and no site.toml are needed, and none is
    made."""
    Repository(tmp_path / "project").release("v1.0", GLOSSARY)
    (tmp_path / "empty").mkdir()
    with serve(tmp_path / "empty", "--git", (tmp_path / "project").as_uri()) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        address = next(
            found[0] for line in lines if (found := re.search(r"http://127\.0\.0\.1:\d+", line))
        )
        assert b"A library." in request(address, "/term/aten/").read()
    assert [*(tmp_path / "empty").iterdir()] == []


def test_serve_follows_the_keeper(served: tuple[Path, subprocess.Popen[str]], page: Page) -> None:
    """An edit appears on the open page; a mistake in site.toml is shown until it is corrected."""
    words, process = served
    assert process.stdout is not None
    assert process.stdout.readline().startswith("words: 2 terms, 1 release, ")
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    assert address is not None
    page.goto(f"{address[0]}term/aten/index.html")
    page.get_by_text("A library.").first.wait_for()
    (words / "1.0/GLOSSARY.md").write_text(
        "# Glossary\n\n## ATen\n\nAn edited library.\n\n## Kernel\n\nA loop.\n"
    )
    page.get_by_text("An edited library.").first.wait_for()
    (words / "site.toml").write_text("[sit]\n")
    page.get_by_text("words/site.toml:1: unknown key 'sit'").wait_for()
    (words / "site.toml").write_text('[site]\ntitle = "Mended words"\n')
    page.get_by_text("Mended words").first.wait_for()
    assert page.url.startswith(f"{address[0]}term/aten/")


def test_nothing_outlives_a_preview(served: tuple[Path, subprocess.Popen[str]]) -> None:
    """When a preview is ended, its address answers no more."""
    words, process = served
    assert process.stdout is not None
    lines = (process.stdout.readline(), process.stdout.readline())
    (words / "1.0/GLOSSARY.md").write_text("# Glossary\n\n## ATen\n\nAn edited library.\n")
    address = re.search(r"127\.0\.0\.1:\d+", lines[1])
    assert address is not None
    eventually(lambda: shows(f"http://{address[0]}/term/aten/", "An edited library."))
    process.terminate()
    assert process.wait() == -signal.SIGTERM
    with pytest.raises(ConnectionRefusedError):
        request(f"http://{address[0]}", "/")
