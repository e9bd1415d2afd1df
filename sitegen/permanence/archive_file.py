"""Reads the archive of a build from all its places, and replaces its file with the site.

A build writes the next archive beside the present one, exchanges its site, and then renames the
next archive to the present one, while it holds a lock on the folder. If it is killed between the
last two steps, the next build renames it: the site has the same archive. So the archive has no line
without its site, and the site none without the archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import fsencode
from pathlib import Path
from typing import Literal

from sitegen import safe_files
from sitegen.addresses import urls
from sitegen.config.forges import is_address
from sitegen.model import SitegenError, counted
from sitegen.permanence import published_archive
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import (
    TAKE_BACK,
    ArchiveError,
    DamagedArchiveError,
    dump,
    parse,
)
from sitegen.permanence.archive_union import lost, united
from sitegen.permanence.published_archive import MAX_ARCHIVE_BYTES, GitArchive, in_git
from sitegen.text.credentials import shown_address

GITATTRIBUTES = ".gitattributes"

MAX_GITATTRIBUTES = 1024 * 1024
"""Bytes of a `.gitattributes` that are read."""
MAX_SHOWN = 10
"""The maximum number of lost facts in a message."""

Purpose = Literal["write", "locked", "live", "preview"]
"""The use that a build makes of the archive. `write`: it writes the file. `locked` (`--locked`): it
fails if it would publish what is in no archive yet, and writes no file. `live`: it publishes the
archive as part of a site, and writes no file. `preview`: it publishes and writes nothing."""


@dataclass(frozen=True, kw_only=True)
class ArchiveStore:
    """The archive of a build: its file, and another place where the archive is published."""

    path: Path
    has_file: bool = True
    """False if the archive is only at `other`. Then `path` is only its name in messages."""
    other: str | Archive = ""
    """Another archive to keep: in a file or at a web address, or as it was read; empty if there is
    none."""
    purpose: Purpose = "write"

    @cached_property
    def in_git(self) -> GitArchive | None:
        """The file as git has it; None outside of a work tree."""
        return in_git(self.path) if self.has_file else None

    @property
    def note(self) -> str:
        """A note on the parts of the archive that this clone may lack; empty if it lacks none."""
        return self.in_git.note_on_clone() if self.in_git else ""

    @property
    def must_be_whole(self) -> bool:
        """True if no place may be left out, since what the build makes is published."""
        return self.purpose in ("locked", "live")

    def in_file(self) -> Archive:
        """Returns the archive in the file; empty if there is none. Raises `ArchiveError`."""
        return parsed_file(self.path) if self.has_file else Archive()


def archive_store_in(
    folder: Path, *, other: str | Archive = "", purpose: Purpose = "write"
) -> ArchiveStore:
    """Returns the store of the archive in a folder, and of another one."""
    return ArchiveStore(path=folder / urls.ARCHIVE, other=other, purpose=purpose)


def archive_store_at(place: str, *, purpose: Purpose) -> ArchiveStore:
    """Returns the store of an archive in a file or at a web address alone."""
    if not is_address(place):
        return ArchiveStore(path=Path(place), purpose=purpose)
    if purpose == "write":  # the build publishes it, as nothing else can write it there
        purpose = "live"
    return ArchiveStore(path=Path(urls.ARCHIVE), has_file=False, other=place, purpose=purpose)


@dataclass(frozen=True, kw_only=True)
class PublishedArchive:
    """The published archive, as far as its places could be read."""

    archive: Archive = field(default_factory=Archive)
    unread: tuple[str, ...] = ()
    """The places that could not be read, each with the reason. A build without one of them promises
    nothing."""


def read(store: ArchiveStore, *, site: Path) -> PublishedArchive:
    """Returns the published archive: the union of all its places.

    `site` is the folder of the current site. Raises `ArchiveError` if an archive is damaged, has
    lost lines, or cannot be read. If one at a web address cannot be read, it is only left out,
    unless the build publishes.
    """
    if store.must_be_whole and store.note:
        raise ArchiveError(f"{store.path}: {store.note}; nothing was built")
    with _locked(store):  # another build may have exchanged its site and not yet its archive
        _finish_exchange(store, site)
        own = store.in_git.read() if store.in_git else store.in_file()
        in_site = _in_site(store, site)
    other = _other(store)
    archive = united([own, other.archive])
    _check_has_all(archive, in_site, store, site)
    return replace(other, archive=archive)


def _other(store: ArchiveStore) -> PublishedArchive:
    """Returns the archive of a store that is not in its file, such as that of the live site. If
    there is none, it is empty. Raises `ArchiveError` as `read` does: only an archive at a web
    address may be unread, and only if the build does not publish."""
    if isinstance(store.other, Archive):
        return PublishedArchive(archive=store.other)
    try:
        return PublishedArchive(archive=_archive_at(store.other))
    except DamagedArchiveError:
        raise
    except ArchiveError as error:
        if store.must_be_whole or not is_address(store.other):
            raise
        return PublishedArchive(unread=(f"{error}; this build promises nothing",))


def _archive_at(place: str) -> Archive:
    """Returns the archive in a file or at a web address; an empty one if no place is given. Raises
    `ArchiveError`, also if there is no such file."""
    if not place:
        return Archive()
    if is_address(place):
        return published_archive.fetch(place)
    if not safe_files.is_file(Path(place)):
        advice = f"name a file such as {urls.ARCHIVE} that is there, or leave out --ledger"
        raise ArchiveError(f"{shown_address(place)}: no such archive; {advice}")
    return parsed_file(Path(place))


@contextmanager
def _locked(store: ArchiveStore) -> Iterator[None]:
    """Locks out builds that would read or replace the archive."""
    with ExitStack() as stack:
        with suppress(OSError):  # there is no such folder, and no archive in it
            stack.enter_context(safe_files.locked(safe_files.real_path(store.path.parent)))
        yield


def _in_site(store: ArchiveStore, site: Path) -> Archive:
    """Returns the archive in the current site, if it may have lines that the file lacks; else an
    empty one."""
    in_site = site / urls.ARCHIVE
    if store.purpose == "preview":  # it replaces no site
        return Archive()
    if store.in_git:  # lines that are only in a site do not count
        return Archive()
    if store.has_file and content(store.path) == content(in_site):
        return Archive()
    return parsed_file(in_site, cure=f"delete {site} and build it anew")


def _check_has_all(archive: Archive, in_site: Archive, store: ArchiveStore, site: Path) -> None:
    """Raises `ArchiveError` if an archive lacks what the current site has."""
    missing = [*lost(archive, in_site)]
    if missing:
        path_in_site = site / urls.ARCHIVE
        found = f"the archive lacks {counted(len(missing), 'fact')} that {path_in_site} has"
        raise ArchiveError(
            f"{store.path}: {found}; take in what the site has with --ledger {path_in_site}; if "
            f"that is another site, name another folder with -o or delete {site}{_list_of(missing)}"
        )


def _finish_exchange(store: ArchiveStore, site: Path) -> None:
    """Completes the exchange of a build, also of a build that was killed. The next archive becomes
    the present one if the current site has the same archive; else it is deleted."""
    if not store.has_file:
        return
    following = _next_path(store)
    with suppress(OSError, SitegenError):
        text = content(following)
        if text and text == content(site / urls.ARCHIVE):
            safe_files.rename(following, store.path)
        elif text:
            safe_files.delete(following)


def _next_path(store: ArchiveStore) -> Path:
    """Returns where the next archive is before the site is exchanged."""
    return store.path.with_name(f".{store.path.name}.next")


def _list_of(facts: list[str]) -> str:
    """Returns the first facts, each on a line of its own, and the number of the others."""
    lines = facts[:MAX_SHOWN]
    if len(facts) > MAX_SHOWN:
        lines.append(f"and {len(facts) - MAX_SHOWN} more")
    return "".join(f"\n  {line}" for line in lines)


def check_locked(store: ArchiveStore, published: Archive, following: Archive) -> None:
    """Raises `ArchiveError` if a build with `--locked` adds something to the archive."""
    if store.purpose != "locked":
        return
    known = united([published, store.in_file()])
    if new := [*lost(known, following)]:
        found = f"--locked allows nothing new, but this build has {counted(len(new), 'new fact')}"
        raise ArchiveError(
            f"{store.path}: {found}; run sitegen build, and commit the archive{_list_of(new)}"
        )


@contextmanager
def replacing(
    store: ArchiveStore, before: Archive, after: Archive, *, site: Path
) -> Iterator[None]:
    """A context for the exchange of the site: writes the next archive before, and puts it in place
    after. Raises `ArchiveError` if it cannot be written, or if another build has published
    something meanwhile."""
    if store.purpose != "write":
        yield
        return
    path = store.path
    text = dump(after).encode()
    with _locked(store):
        current = content(path)
        # Outside git, another build may have written the file since it was read.
        if not store.in_git and current not in (b"", text, dump(before).encode()):
            _check_nothing_added(current, after, path)
        for written in (path, path.with_name(GITATTRIBUTES)):
            safe_files.is_file(written)  # raises for a link
        if current == text:
            yield  # the site may differ all the same
            return
        _write_next(store, text)
        try:
            yield
        finally:
            # Where the disk refuses the rename, the next build makes it.
            _finish_exchange(store, site)
        _merge_by_lines(path)


def _write_next(store: ArchiveStore, text: bytes) -> None:
    """Writes the next archive. Raises `ArchiveError` if the folder refuses it."""
    try:
        safe_files.replace(_next_path(store), text)
    except OSError as error:
        found = f"the archive cannot be written ({error.strerror or error})"
        raise ArchiveError(
            f"{store.path}: {found}; make its folder writable, or promise nothing with --no-ledger"
        ) from None


def _check_nothing_added(current: bytes, after: Archive, path: Path) -> None:
    """Raises `ArchiveError` if the present content of the file has what the next archive lacks."""
    missing = [*lost(after, parse(current.decode("utf-8", "replace"), str(path)))]
    if missing:
        found = f"{path}: another build has just added {counted(len(missing), 'fact')}"
        raise ArchiveError(f"{found}; build again{_list_of(missing)}")


def content(path: Path) -> bytes:
    """Returns the content of an archive; empty if it does not exist."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return safe_files.read(path, limit=MAX_ARCHIVE_BYTES)
    return b""


def _merge_by_lines(path: Path) -> None:
    """Adds `merge=union` for the archive to `.gitattributes`, so that git merges lines added on two
    branches.

    A file that names the archive already is kept. If the file cannot be written, merges only have
    conflicts.
    """
    # A question mark matches any character, such as a space, which would end the pattern.
    pattern = re.sub(rb"[^\w.-]", b"?", fsencode(path.name))
    attributes = path.with_name(GITATTRIBUTES)
    with suppress(OSError, SitegenError):
        text = b""
        with suppress(FileNotFoundError):
            text = safe_files.read(attributes, limit=MAX_GITATTRIBUTES)
        if pattern in text:
            return
        if text and not text.endswith(b"\n"):
            text += b"\n"
        safe_files.replace(attributes, text + pattern + b" merge=union\n")


def parsed_file(path: Path, *, cure: str = TAKE_BACK) -> Archive:
    """Returns the archive in a file; empty if there is none. Raises `ArchiveError`."""
    try:
        return parse(content(path).decode(), str(path), cure=cure)
    except (OSError, UnicodeDecodeError) as error:
        raise ArchiveError(f"{path}: the archive cannot be read ({error}); {cure}") from None
