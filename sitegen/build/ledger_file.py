"""Reads and writes the ledger's file, whole or not at all, and takes in the ledger that is live.

A build exchanges its site and replaces the ledger while it holds a lock on the ledger's folder. The new ledger is
written beside the old one before (the pending ledger), so that the next build can finish what was interrupted between
the two steps: it takes the pending ledger where the site has the same one, else it deletes it.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegen.addresses import urls
from sitegen.addresses.ledger import TAKE_BACK, Ledger, LedgerError, agree, dump, grown, lost, parse, readable
from sitegen.build.published_ledger import GitLedger, in_git
from sitegen.sources import locks, safe_files
from sitegen.sources.git.tracking import check_untracked
from sitegen.sources.unchanged import Unchanged

NAME = urls.LEDGER
ATTRIBUTES = ".gitattributes"

MAX_BYTES = 64 * 1024 * 1024
"""Of a ledger: about 200,000 addresses."""
MAX_ATTRIBUTES = 1024 * 1024
"""Bytes of a `.gitattributes` that are read."""
SIGN_IN = "if one signs in there, leave --ledger out, and keep the ledger with `sitegen addresses --push`"
TIMEOUT = 30
"""Seconds that fetching a ledger from the web may take in all."""

SHOWN = 10
"""Addresses that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The ledger of the published site, which this build will replace."""

    place: str
    """The name of the place in messages."""
    rows: Ledger


@dataclass(frozen=True, kw_only=True)
class Keeping:
    """The place of the ledger of a build, and whether the build may change it."""

    path: Path
    also: str = ""
    """A file, or an address on the web, with a ledger to take in: the one that is live. A file is also where the
    ledger is kept when nothing can be written at `path`."""
    locked: bool = False
    """The build writes no ledger and promises nothing new: what it publishes must be in the ledger or its file."""
    preview: bool = False
    """Nothing is published: addresses are those of the ledger, and it is not written."""
    live: Live | None = None
    """It is taken in. The site is published with its ledger, and the file is not written."""

    @cached_property
    def in_git(self) -> GitLedger | None:
        """The file as git has it; None outside of a work tree."""
        return in_git(self.path)

    @property
    def spare(self) -> Path | None:
        return Path(self.also) if self.also and not urls.is_web(self.also) else None

    @property
    def places(self) -> tuple[Path, ...]:
        """The files in which the ledger may be kept."""
        return (self.path, self.spare) if self.spare else (self.path,)


def keeping_in(folder: Path, *, also: str = "", locked: bool = False, preview: bool = False) -> Keeping:
    """Returns the ledger that is kept in a folder."""
    return Keeping(path=folder / NAME, also=also, locked=locked, preview=preview)


def read(keeping: Keeping, *, published: Path, unchanged: Unchanged | None = None) -> Ledger:
    """Returns the ledger, with the one named in `also` taken in.

    In a git work tree that is the published one: see `published_ledger`. Elsewhere it is the file. `published` is the
    folder of the site that stands now. A file that is `unchanged` since another time is not read again. Raises
    `LedgerError` when a ledger is damaged, or when the file lacks addresses that the site has.
    """
    if keeping.preview:
        return keeping.in_git.read() if keeping.in_git else _read_file(keeping.path, unchanged=unchanged)
    fetched = _fetch(keeping.also) if urls.is_web(keeping.also) else {}
    with _alone(keeping, published):  # or another build might be between its site and its ledger
        ledger, missing = _held(keeping, fetched, published)
    if missing:
        standing = published / NAME
        raise LedgerError(
            f"{keeping.path}: the ledger lacks {_of(missing, standing)}; {TAKE_BACK}, or take in what the site has "
            f"with --ledger {standing}; if that is another site, or another branch's that was never published, "
            f"name another folder with -o or delete {published}{_named(missing)}"
        )
    return ledger


@contextmanager
def _alone(keeping: Keeping, published: Path) -> Iterator[None]:
    """Locks out builds that would read or replace the ledger, and deals with a pending ledger at each end."""
    with ExitStack() as held:
        with suppress(OSError):  # there is no such folder, and no ledger in it
            held.enter_context(locks.alone(safe_files.real_path(keeping.path.parent)))
        _finish(keeping, published)
        try:
            yield
        finally:
            _finish(keeping, published)


def _held(keeping: Keeping, fetched: Ledger, published: Path) -> tuple[Ledger, list[str]]:
    """Returns the stored ledger with others merged in, and the addresses that only the current site has."""
    if keeping.locked and keeping.spare and not safe_files.is_file(keeping.spare):
        raise _no_such(keeping.spare)
    taken = _read_file(keeping.spare) if keeping.spare else fetched
    kept = keeping.in_git.read() if keeping.in_git else _read_file(keeping.path)
    ledger = _with_live(keeping, _with_also(keeping, taken, kept))
    if keeping.in_git:
        return ledger, []
    # Most of the time the site has the very ledger that is kept.
    is_kept = safe_files.is_file(keeping.path) and is_in_site(keeping.path, published)
    live = {} if is_kept else _read_file(published / NAME, cure=f"delete {published} and build it anew")
    return ledger, list(lost(ledger, live))


def is_published(keeping: Keeping, *, published: Path) -> bool:
    """True if the ledger equals the one in the current site, and no other has to be merged in."""
    if keeping.in_git:
        return False
    takes_none_in = not (keeping.preview or keeping.also or keeping.live or safe_files.is_file(_beside(keeping.path)))
    return takes_none_in and safe_files.is_file(keeping.path) and is_in_site(keeping.path, published)


def _with_also(keeping: Keeping, taken: Ledger, kept: Ledger) -> Ledger:
    _check_agreement(keeping, kept, taken, also=keeping.also)
    if keeping.locked and kept and (missing := list(lost(kept, taken))):
        raise LedgerError(
            f"{keeping.path}: the ledger lacks {_of(missing, keeping.also)}; {TAKE_BACK}, or build once without "
            f"--locked and commit it{_named(missing)}"
        )
    return grown(taken, kept.values())


def _with_live(keeping: Keeping, ledger: Ledger) -> Ledger:
    if keeping.live is None:
        return ledger
    _check_agreement(keeping, ledger, keeping.live.rows, also=keeping.live.place)
    return grown(keeping.live.rows, ledger.values())


def _check_agreement(keeping: Keeping, kept: Ledger, taken: Ledger, *, also: str) -> None:
    for address in sorted(kept.keys() & taken.keys()):
        if not agree(kept[address], taken[address]):
            raise LedgerError(
                f"{keeping.path}: {address} stands for something else than in {also}; {TAKE_BACK}, as it was "
                "when that was published"
            )


def _of(missing: list[str], place: object) -> str:
    return f"{len(missing)} of the addresses in {place}"


def _named(addresses: list[str]) -> str:
    more = [f"and {len(addresses) - SHOWN} more"] if len(addresses) > SHOWN else []
    return "".join(f"\n  {line}" for line in (*addresses[:SHOWN], *more))


@contextmanager
def writing(
    keeping: Keeping, before: Ledger, after: Ledger, *, published: Path
) -> Iterator[AbstractContextManager[None]]:
    """Yields a context manager for the exchange of the site, in which the ledger is replaced.

    First checks that the ledger can be written. Raises `LedgerError` if the ledger is locked and would change, cannot
    be written, or would lose what another build has added since.
    """
    text = dump(after)
    if keeping.locked and (new := list(lost(grown(before, unpublished_rows(keeping).values()), after))):
        raise LedgerError(
            f"{_kept(keeping)}: --locked allows no new addresses, and {len(new)} are in no ledger yet; "
            f"run sitegen build, and commit the ledger{_named(new)}"
        )
    if keeping.locked or keeping.live is not None:
        yield nullcontext()
        return
    if _said(_kept(keeping)) != text:
        with _alone(keeping, published):
            _put_beside(keeping, text)
    yield _replacing(keeping, text, before, after, published)


def unpublished_rows(keeping: Keeping | None) -> Ledger:
    """Returns the ledger's file in a git work tree, which has what the last build would have promised."""
    if keeping is None or keeping.preview or keeping.live or not keeping.in_git:
        return {}
    return readable(_said(keeping.path))


@contextmanager
def _replacing(keeping: Keeping, text: str, before: Ledger, after: Ledger, published: Path) -> Iterator[None]:
    """Replaces the ledger at the end. Raises LedgerError if another build has added addresses to it meanwhile."""
    with _alone(keeping, published):
        for place in keeping.places:
            said = "" if keeping.in_git else _said(place)
            if said not in ("", text, dump(before)) and (missing := list(lost(after, parse(said, str(place))))):
                raise LedgerError(
                    f"{place}: another build has just added {len(missing)} addresses; build again{_named(missing)}"
                )
        if _said(_kept(keeping)) != text:
            _put_beside(keeping, text)
        yield


def _kept(keeping: Keeping) -> Path:
    """Returns the file in which the ledger is kept, as far as can be seen."""
    return keeping.spare if keeping.spare and not safe_files.is_file(keeping.path) else keeping.path


def _said(path: Path) -> str:
    """Returns the text of a ledger; empty if it does not exist."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return safe_files.read(path, limit=MAX_BYTES).decode("utf-8", "replace")
    return ""


def _put_beside(keeping: Keeping, text: str) -> None:
    """Writes the pending ledger, beside where the ledger can be kept. Only for use while `_alone`."""
    path, spare = keeping.path, keeping.spare
    for place in keeping.places:
        safe_files.is_file(place.with_name(ATTRIBUTES))  # raises for a link, before the site is written
    refusal = _try_to_write(_beside(path), text)
    if refusal and spare:
        path = spare
        refusal = _try_to_write(_beside(path), text)
    elif spare and not safe_files.is_file(spare):
        raise _no_such(spare)
    if refusal:
        raise LedgerError(
            f"{path}: the ledger cannot be written ({refusal.strerror or refusal}); keep it elsewhere with --ledger "
            "FILE, or build without one, for a site that nobody will link to, with --no-ledger"
        )


def _no_such(path: Path) -> LedgerError:
    return LedgerError(f"{path}: no such ledger; name one that is there, or leave out --ledger")


def _try_to_write(path: Path, text: str) -> OSError | None:
    try:
        with safe_files.folder(path.parent) as folder:
            with suppress(FileNotFoundError):
                os.unlink(path.name, dir_fd=folder)
            safe_files.write_at(folder, path.name, text.encode())
    except OSError as error:
        return error
    return None


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _finish(keeping: Keeping, published: Path) -> None:
    """Replaces a ledger by a pending one if the site was published with that; else deletes the pending one."""
    for path in () if keeping.locked else keeping.places:
        beside = _beside(path)
        try:
            if not safe_files.is_file(beside):
                continue
            check_untracked(safe_files.real_path(beside))
            with safe_files.folder(path.parent) as folder:
                if is_in_site(beside, published):
                    safe_files.is_file(path)
                    _merge_by_lines(folder, path)
                    replace_by(folder, beside.name, path.name)
                else:
                    os.unlink(beside.name, dir_fd=folder)
        except FileNotFoundError:  # another build of the same folder has just done it, on a disk without locks
            pass
        except OSError as error:
            reason = error.strerror or error
            raise LedgerError(f"{path}: the ledger cannot be replaced by {beside} ({reason})") from None


def replace_by(folder: int, beside: str, name: str) -> None:
    """Renames a pending ledger in an open folder to the ledger."""
    os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)


def is_in_site(path: Path, published: Path) -> bool:
    """Returns True where the site has the same ledger."""
    try:
        in_site = safe_files.read(published / NAME, limit=MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return in_site == safe_files.read(path, limit=MAX_BYTES)


def _merge_by_lines(folder: int, path: Path) -> None:
    """Lets two branches both add lines to the ledger, unless `.gitattributes` says how git merges it.

    If that cannot be written, nothing fails: only a merge will have conflicts.
    """
    # A question mark stands for any character, such as a space, where a name would end.
    pattern = re.sub(rb"[^\w.-]", b"?", os.fsencode(path.name))
    said = rb"^[ \t]*/?" + re.escape(pattern) + rb"[ \t].*(merge|binary)"
    attributes = path.with_name(ATTRIBUTES)
    with suppress(OSError):
        there = b""
        with suppress(FileNotFoundError):
            there = safe_files.read_at(folder, ATTRIBUTES, limit=MAX_ATTRIBUTES, shown=attributes)
        if not re.search(said, there, re.MULTILINE):
            line = (b"\n" if there[-1:] not in b"\n" else b"") + pattern + b" merge=union\n"
            safe_files.replace_at(folder, ATTRIBUTES, there + line, shown=attributes)


def _read_file(path: Path, *, cure: str = TAKE_BACK, unchanged: Unchanged | None = None) -> Ledger:
    def ledger() -> Ledger:
        return parse(safe_files.read(path, limit=MAX_BYTES).decode(), str(path), cure=cure)

    try:
        return unchanged.of(path, path.lstat(), ledger) if unchanged else ledger()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path}: the ledger cannot be read ({error}); {cure}") from None


def _fetch(address: str) -> Ledger:
    """Returns the ledger at a web address; an empty one where the answer is that there is none."""
    answers: list[str | Exception | None] = []
    fetching = threading.Thread(target=lambda: answers.append(_answer(address)), daemon=True)
    fetching.start()
    fetching.join(TIMEOUT)  # for all of it: looking up the name, and an answer that comes byte by byte
    answer = answers[0] if answers else TimeoutError(f"no whole answer within {TIMEOUT} seconds")
    if isinstance(answer, Exception):
        raise LedgerError(f"{address}: the live ledger cannot be fetched ({answer})")
    if answer and answer.lstrip("\ufeff \t\r\n").startswith("<"):
        raise LedgerError(f"{address}: the live ledger cannot be fetched (a web page is there); {SIGN_IN}")
    return {} if answer is None else parse(answer, address, cure="publish a whole one there first")


def _answer(address: str) -> str | Exception | None:
    """Returns the text at a web address, None where there is none, or the error."""
    from http import HTTPStatus
    from urllib.error import HTTPError
    from urllib.request import build_opener

    try:
        with build_opener(_redirects()).open(address, timeout=TIMEOUT) as answer:
            content: bytes = answer.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            return ValueError(f"it has more than {MAX_BYTES:,} bytes")
        return content.decode()
    except HTTPError as error:
        if error.code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return ValueError(f"{error}; {SIGN_IN}")
        return None if error.code == HTTPStatus.NOT_FOUND else error
    except Exception as error:
        return error


def _redirects() -> Any:
    """Returns a handler that follows redirects between https addresses of one host, and refuses others."""
    from urllib.request import HTTPRedirectHandler

    class Redirects(HTTPRedirectHandler):
        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            old, new = urlsplit(req.full_url), urlsplit(newurl)
            if (old.scheme, old.netloc) != ("https", new.netloc) or new.scheme != "https":
                place = f"{new.scheme}://{new.netloc}{new.path}"
                raise ValueError(f"it redirects to {place}; name that address if the ledger is there; {SIGN_IN}")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return Redirects()
