"""Reads a file from a web address. Nothing else in the program does, except that git fetches
repositories.

Only https addresses are read, and http addresses of this machine. A redirect is followed only if
scheme, host and port stay the same. The limit of time is for the whole download. That of urllib is
for one read only: a server that sends a byte each second would be read for ever.
"""

from __future__ import annotations

import re
from concurrent.futures import Future
from contextlib import suppress
from http import HTTPStatus
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sitegen.model import SitegenError
from sitegen.text.credentials import shown_address

SECONDS = 30
"""The maximum time for a download, from the look-up of the host to the last byte."""
THIS_MACHINE = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?", re.I)
"""Matches the host and port of an address, where http is enough."""
WRITTEN = "/%!$&'()*+,;=:@?[]"
"""Signs that an address may have; others are sent as `%`, such as `%20` for a space."""
SIGN_IN = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
"""Statuses of a server that may want a user name and a password."""


class DownloadError(SitegenError):
    """A download failed. The text is the reason, without the address."""

    def __init__(self, reason: str, *, may_need_sign_in: bool = False) -> None:
        super().__init__(reason)
        self.may_need_sign_in = may_need_sign_in


def fetch(address: str, *, max_bytes: int) -> bytes | None:
    """Returns the content at a web address; None if the server says that nothing is there. Raises
    `DownloadError` for other failures."""
    download: Future[bytes] = Future()
    thread = Thread(target=_run, args=[download, _checked(address), max_bytes], daemon=True)
    thread.start()
    try:
        return download.result(SECONDS)
    except DownloadError:
        raise
    except HTTPError as error:
        if error.code == HTTPStatus.NOT_FOUND:
            return None
        raise _status_error(error.code) from None
    except Exception as error:
        raise DownloadError(_reason(error)) from None


def _checked(address: str) -> str:
    """Returns the address as it is sent: without line breaks and the like, and with `%20` for a
    space. Raises `DownloadError` if nothing may be downloaded from it."""
    try:
        parts = urlsplit(address)
        # Port 0 is none. Reading a port that is no number raises ValueError.
        is_complete = parts.hostname is not None and parts.port != 0
    except ValueError:
        is_complete = False
    if not is_complete:
        raise DownloadError("it is no valid https address")
    is_local = parts.scheme == "http" and THIS_MACHINE.fullmatch(parts.netloc)
    if parts.scheme != "https" and not is_local:
        raise DownloadError("only https addresses are read")
    if "@" in parts.netloc:
        raise DownloadError(
            "user names and passwords in addresses are not sent; leave them out",
            may_need_sign_in=True,
        )
    path, query = quote(parts.path, safe=WRITTEN), quote(parts.query, safe=WRITTEN)
    return parts._replace(path=path, query=query).geturl()


def _run(download: Future[bytes], address: str, max_bytes: int) -> None:
    """Sets the content at an address as the result of `download`, or the error. It runs in a thread
    of its own, so that `fetch` can stop waiting."""
    try:
        download.set_result(_content(address, max_bytes))
    except Exception as error:
        download.set_exception(error)


def _content(address: str, max_bytes: int) -> bytes:
    """Returns the content at an address. Raises errors of urllib, and `DownloadError`."""
    opener = build_opener(_RedirectsWithinOrigin())
    # The scheme was checked; the opener checks that of redirects.
    request = Request(address, headers={"User-Agent": "sitegen"})  # noqa: S310
    with opener.open(request, timeout=SECONDS) as answer:
        content: bytes = answer.read(max_bytes + 1)  # one more shows that it is too large
        if len(content) > max_bytes:
            raise DownloadError(f"it has more than {max_bytes:,} bytes")
        if answer.length:  # bytes that were announced and have not arrived
            raise DownloadError("the answer is cut short; try again")
    return content


class _RedirectsWithinOrigin(HTTPRedirectHandler):
    """Follows redirects that keep scheme, host and port, and refuses others."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """Returns the request for a redirect. Raises `DownloadError` if it is refused."""
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if (old.scheme, old.netloc) != (new.scheme, new.netloc):
            place = shown_address(f"{new.scheme}://{new.netloc}{new.path}")
            reason = f"it redirects to {place}; name that address if the file is there"
            raise DownloadError(reason, may_need_sign_in=True)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _status_error(code: int) -> DownloadError:
    """Returns the error for a status that the server answers."""
    reason = f"the server answers {code}"
    with suppress(ValueError):  # a status of no standard
        reason += f" {HTTPStatus(code).phrase}"
    return DownloadError(reason, may_need_sign_in=code in SIGN_IN)


def _reason(error: Exception) -> str:
    """Returns why a download failed. Texts of urllib and http are not used: some quote the
    address."""
    cause: object = error
    if isinstance(error, URLError):
        cause = error.reason
    if isinstance(cause, TimeoutError):
        return f"no complete answer within {SECONDS} seconds"
    if isinstance(cause, OSError) and cause.strerror:
        return f"{cause.strerror}; check the address and the connection"
    return "the answer is not that of a web server; check the address and the connection"
