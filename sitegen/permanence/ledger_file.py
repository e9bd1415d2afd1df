"""Reads and atomically replaces the ledger's file, and merges the live ledger into it.

A build replaces the ledger and then exchanges its site, while it holds a lock on the ledger's
folder. If the exchange fails, it puts the former ledger back. A build that is killed between the
two steps leaves a ledger that has addresses of the site that was not exchanged, and never one that
lacks addresses of the current one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sitegen import safe_files
from sitegen.addresses import urls
from sitegen.config.forges import is_address
from sitegen.model import SitegenError, counted
from sitegen.permanence import published_ledger
from sitegen.permanence.ledger import (
    TAKE_BACK,
    Ledger,
    LedgerError,
    dump,
    lost,
    parse,
    readable,
    united,
)
from sitegen.permanence.published_ledger import MAX_BYTES, GitLedger, in_git
from sitegen.text.credentials import shown_address

NAME = urls.LEDGER
GITATTRIBUTES = ".gitattributes"

MAX_GITATTRIBUTES = 1024 * 1024
"""Bytes of a `.gitattributes` that are read."""
MAX_SHOWN = 10
"""The maximum number of addresses in a message."""


@dataclass(frozen=True, kw_only=True)
class LedgerStore:
    """The file of a build's ledger, the ledgers to merge into it, and whether the build may change
    it."""

    path: Path
    others: tuple[tuple[str, Ledger], ...] = ()
    """Published ledgers, which are merged in, each after the name of its place in messages."""
    locked: bool = False
    """The build writes no ledger, and fails if it would publish an address that is in no ledger
    yet."""
    preview: bool = False
    """Nothing is published: addresses are those of the ledger, and it is not written."""
    is_live: bool = False
    """The ledger is published as part of a site, whose present one is in `others`. Its file is not
    written."""

    @cached_property
    def in_git(self) -> GitLedger | None:
        """The file as git has it; None outside of a work tree."""
        return in_git(self.path)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.in_git.notes()) if self.in_git else ()

    @property
    def way_out(self) -> str:
        """What to do instead of mending broken promises, where there may be no need to; else
        empty."""
        if self.in_git and (newer := self.in_git.newer_settings()):
            checkout = " -- ".join(newer.split(":", 1))
            return f"build with {newer} first, which is newer: `git checkout {checkout}`"
        is_only_here = not (self.others or self.in_git)
        return "if the site is not published yet, delete this file" if is_only_here else ""


def ledger_store_in(
    folder: Path, *, also: str = "", locked: bool = False, preview: bool = False
) -> LedgerStore:
    """Returns the ledger that is kept in a folder, with the one at `also`. Raises `LedgerError` if
    that is none."""
    if also and not is_address(also):
        _check_no_folder(also)
        if not safe_files.is_file(Path(also)):
            advice = "name one that is there, or leave out --ledger"
            raise LedgerError(f"{shown_address(also)}: no such ledger; {advice}")
    others = ((shown_address(also), _ledger_at(also)),) if also else ()
    return LedgerStore(path=folder / NAME, others=others, locked=locked, preview=preview)


def ledger_store_at(place: str, *, locked: bool) -> LedgerStore:
    """Returns the ledger in a file or at a web address, for a site whose folder keeps none. Raises
    `LedgerError`."""
    if not is_address(place):
        _check_no_folder(place)
        return LedgerStore(path=Path(place), locked=locked)
    return LedgerStore(
        path=Path(NAME),
        others=((shown_address(place), _ledger_at(place)),),
        locked=locked,
        is_live=True,
    )


def _check_no_folder(place: str) -> None:
    if Path(place).is_dir():
        raise LedgerError(
            f"{place}: a folder, not a ledger; name the file {NAME} in it, or leave out --ledger"
        )


def _ledger_at(place: str) -> Ledger:
    return published_ledger.fetch(place) if is_address(place) else parsed_file(Path(place))


def read(ledger_store: LedgerStore, *, published: Path) -> Ledger:
    """Returns the ledger, with the `others` merged in.

    In a git work tree it is the published ledger (see `published_ledger`), elsewhere the file.
    `published` is the folder of the current site. Raises `LedgerError` if a ledger is damaged, or
    if the file lacks addresses that the site has.
    """
    if ledger_store.preview:
        git = ledger_store.in_git
        return git.read() if git else parsed_file(ledger_store.path)
    with _locked(ledger_store):  # another build may have replaced its ledger and not yet its site
        ledger, missing = _stored_ledger(ledger_store, published)
    if missing:
        in_site = published / NAME
        found = (
            f"{ledger_store.path}: the ledger lacks {len(missing)} of the addresses in {in_site}"
        )
        raise LedgerError(
            f"{found}; {TAKE_BACK}, or take in what the site has with --ledger {in_site}; if "
            f"that is another site, "
            "or another branch's that was never published, name another folder with -o or delete "
            f"{published}{_list_of(missing)}"
        )
    return ledger


@contextmanager
def _locked(ledger_store: LedgerStore) -> Iterator[None]:
    """Locks out builds that would read or replace the ledger."""
    with ExitStack() as stack:
        with suppress(OSError):  # there is no such folder, and no ledger in it
            stack.enter_context(safe_files.locked(safe_files.real_path(ledger_store.path.parent)))
        yield


def _stored_ledger(ledger_store: LedgerStore, published: Path) -> tuple[Ledger, list[str]]:
    """Returns the stored ledger with the others merged in, and the addresses that only the current
    site has."""
    ledger = ledger_store.in_git.read() if ledger_store.in_git else parsed_file(ledger_store.path)
    for place, other in ledger_store.others:
        ledger = _merged(ledger_store, ledger, other=other, place=place)
    if ledger_store.in_git:
        if not ledger:
            ledger_store.in_git.check_not_deleted()
        return ledger, []
    # Usually the site has the same ledger as the file, and need not be parsed.
    is_kept = safe_files.is_file(ledger_store.path) and is_in_site(ledger_store.path, published)
    live = (
        {}
        if is_kept
        else parsed_file(published / NAME, cure=f"delete {published} and build it anew")
    )
    return ledger, list(lost(ledger, live))


def _merged(ledger_store: LedgerStore, own: Ledger, *, other: Ledger, place: str) -> Ledger:
    """Returns the ledger with another one merged in.

    Raises `LedgerError` if they disagree, or if a locked ledger lacks what the other has.
    """
    united_ledger = united(other, own, places=(ledger_store.path, place))
    if ledger_store.locked and own and (missing := list(lost(own, other))):
        found = f"{ledger_store.path}: the ledger lacks {len(missing)} of the addresses in {place}"
        raise LedgerError(
            f"{found}; {TAKE_BACK}, or build once without --locked and commit it{_list_of(missing)}"
        )
    return united_ledger


def _list_of(addresses: list[str]) -> str:
    more = [f"and {len(addresses) - MAX_SHOWN} more"] if len(addresses) > MAX_SHOWN else []
    return "".join(f"\n  {line}" for line in (*addresses[:MAX_SHOWN], *more))


def check_locked(ledger_store: LedgerStore, before: Ledger, after: Ledger) -> None:
    """Raises `LedgerError` if the ledger is locked, and would change from `before` to `after`."""
    if not ledger_store.locked:
        return
    unpublished = {*lost(unpublished_rows(ledger_store), after)}
    if new := [address for address in lost(before, after) if address in unpublished]:
        found = (
            f"--locked allows no new addresses, but this build has "
            f"{counted(len(new), 'new address')}"
        )
        raise LedgerError(
            f"{ledger_store.path}: {found}; run sitegen build, and commit the ledger{_list_of(new)}"
        )


def unpublished_rows(ledger_store: LedgerStore | None) -> Ledger:
    """Returns all rows of the ledger's file, published or not; none without git, for a preview or a
    live ledger."""
    if (
        ledger_store is None
        or ledger_store.preview
        or ledger_store.is_live
        or not ledger_store.in_git
    ):
        return {}
    return readable(_content(ledger_store.path).decode("utf-8", "replace"))


def dropped(ledger_store: LedgerStore | None, ledger: Ledger) -> tuple[str, ...]:
    """Returns the addresses that the ledger's file loses: an earlier build had added them, and no
    site needs them."""
    return tuple(sorted(unpublished_rows(ledger_store).keys() - ledger.keys()))


def lines_of_dropped(addresses: Sequence[str]) -> Iterator[str]:
    """Yields a line about addresses that were dropped, if there are any."""
    if addresses:
        yield f"dropped {counted(len(addresses), 'unpublished address')}, such as {addresses[0]}"


@contextmanager
def replacing(
    ledger_store: LedgerStore, before: Ledger, after: Ledger, *, published: Path
) -> Iterator[None]:
    """A context for the exchange of the site, before which the ledger is replaced, unless it is not
    written.

    Raises `LedgerError` if the ledger cannot be written, or if another build has added addresses to
    it meanwhile.
    """
    if ledger_store.locked or ledger_store.is_live:
        yield
        return
    path, text = ledger_store.path, dump(after).encode()
    with _locked(ledger_store):
        current = _content(path)
        is_other = not ledger_store.in_git and current not in (b"", text, dump(before).encode())
        if is_other and (
            missing := list(lost(after, parse(current.decode("utf-8", "replace"), str(path))))
        ):
            found = f"{path}: another build has just added {counted(len(missing), 'address')}"
            raise LedgerError(f"{found}; build again{_list_of(missing)}")
        safe_files.is_file(path.with_name(GITATTRIBUTES))  # raises for a link
        if current != text:
            _write(path, text)
        try:
            yield
        except BaseException:
            with suppress(OSError, SitegenError):
                if current != text and not is_in_site(path, published):
                    _write(path, current)
            raise
        _merge_by_lines(path)


def _content(path: Path) -> bytes:
    """Returns the content of a ledger; empty if it does not exist."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return safe_files.read(path, limit=MAX_BYTES)
    return b""


def _write(path: Path, content: bytes) -> None:
    """Replaces the ledger; without content, deletes it. Raises `LedgerError`."""
    try:
        if content:
            safe_files.replace(path, content)
        else:
            safe_files.delete(path)
    except OSError as error:
        found = f"the ledger cannot be written ({error.strerror or error})"
        raise LedgerError(
            f"{path}: {found}; make it writable, or promise no address with --no-ledger"
        ) from None


def is_in_site(path: Path, published: Path) -> bool:
    """True if the published site contains the same ledger as this file."""
    try:
        in_site = safe_files.read(published / NAME, limit=MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return in_site == safe_files.read(path, limit=MAX_BYTES)


def _merge_by_lines(path: Path) -> None:
    """Adds `merge=union` for the ledger to `.gitattributes`, so that git merges lines added on two
    branches.

    An attribute that is set already is kept. If the file cannot be written, merges only have
    conflicts.
    """
    # A question mark matches any character, such as a space, which would end the pattern.
    pattern = re.sub(rb"[^\w.-]", b"?", os.fsencode(path.name))
    attribute = rb"^[ \t]*/?" + re.escape(pattern) + rb"[ \t].*(merge|binary)"
    attributes = path.with_name(GITATTRIBUTES)
    with suppress(OSError, SitegenError):
        text = b""
        with suppress(FileNotFoundError):
            text = safe_files.read(attributes, limit=MAX_GITATTRIBUTES)
        if not re.search(attribute, text, re.MULTILINE):
            line = (b"\n" if text[-1:] not in b"\n" else b"") + pattern + b" merge=union\n"
            safe_files.replace(attributes, text + line)


def parsed_file(path: Path, *, cure: str = TAKE_BACK) -> Ledger:
    """Returns the ledger in a file; empty if there is none. Raises `LedgerError`."""
    try:
        return parse(safe_files.read(path, limit=MAX_BYTES).decode(), str(path), cure=cure)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path}: the ledger cannot be read ({error}); {cure}") from None
