"""The ledger's file: read where it stands, with the one that is live taken in, and written whole or not at all."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sitegen import urls
from sitegen.ledger import Ledger, LedgerError, dump, grown, missing, parse
from sitegen.model import SitegenError

NAME = urls.LEDGER
ATTRIBUTES = ".gitattributes"
MERGED_BY_LINES = f"{NAME} merge=union"
"""What tells git that two branches may both add lines to the ledger."""

MAX_BYTES = 256 * 1024 * 1024
TIMEOUT = 30
"""Seconds to wait for a ledger from the web."""

SHOWN = 10
"""Lost addresses that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Where a build keeps its ledger."""

    path: Path
    also: str = ""
    """A file, or an address on the web, with a ledger to take in: the one that is live."""
    locked: bool = False
    """The build may not add to the ledger: what it would publish must all be there already."""


def read(keeping: Keeping, *, published: Path) -> Ledger:
    """Returns the ledger, with the one named in `also` taken in.

    `published` is the site that stands now. Raises `LedgerError` when a ledger is damaged, or when the one kept lacks
    addresses that stand in the published one: somebody rolled it back.
    """
    kept = _read_file(keeping.path)
    taken = _read_also(keeping.also) if keeping.also else {}
    ledger = grown(taken, kept.values())
    live = {**_read_file(published / NAME)} if published.is_dir() else {}
    if lost := list(missing(ledger, live)):
        raise LedgerError(_rolled_back(keeping.path, lost, f"--ledger {published / NAME}"))
    if keeping.locked and (lost := list(missing(kept, taken))):
        raise LedgerError(_rolled_back(keeping.path, lost, f"a build without --locked, with --ledger {keeping.also}"))
    return ledger


def _rolled_back(path: Path, lost: list[str], way_out: str) -> str:
    named = "".join(f"\n  {address}" for address in lost[:SHOWN])
    more = f"\n  and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    head = (
        f"{path}: the ledger lacks {len(lost)} of the addresses that are published; take it back from git, or them in"
    )
    return f"{head} with {way_out}{named}{more}"


@contextmanager
def writing(keeping: Keeping, before: Ledger, after: Ledger) -> Iterator[None]:
    """Writes the ledger once what is done inside has come off; that it can be written is tried first.

    Raises `LedgerError` when the ledger is locked and would change.
    """
    path = _place(keeping)
    text = dump(after)
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        yield
        return
    if keeping.locked:
        raise LedgerError(_stale(path, before, after))
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.chmod(0o644)
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        yield
        _merge_by_lines(path.parent)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _place(keeping: Keeping) -> Path:
    """The ledger's own place, or the file given beside it where nothing can be written there."""
    folder = keeping.path.parent
    spare = keeping.also and not urls.is_web(keeping.also)
    return Path(keeping.also) if spare and not os.access(folder, os.W_OK) else keeping.path


def _stale(path: Path, before: Ledger, after: Ledger) -> str:
    new = list(missing(before, after))
    what = (
        f"{len(new)} addresses are new, the first {new[0]}" if new else "what some addresses stand for has moved on"
    )
    return f"{path}: the ledger is not up to date and the build is locked: {what}; run sitegen build and commit it"


def _unwritable(path: Path, error: OSError) -> SitegenError:
    return LedgerError(
        f"{path}: the ledger cannot be written ({error.strerror or error}); keep it elsewhere with --ledger FILE, or "
        "build without one, for a site that nobody will link to, with --no-ledger"
    )


def _merge_by_lines(folder: Path) -> None:
    """Tells git how to merge the ledger, unless somebody has said so."""
    attributes = folder / ATTRIBUTES
    there = attributes.read_text(encoding="utf-8") if attributes.is_file() else ""
    if NAME not in there:
        attributes.write_text(f"{there}{MERGED_BY_LINES}\n", encoding="utf-8")


def _read_file(path: Path) -> Ledger:
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path}: the ledger cannot be read ({error}); take it back from git") from None


def _read_also(place: str) -> Ledger:
    if not urls.is_web(place):
        return _read_file(Path(place))
    try:
        with urllib.request.urlopen(place, timeout=TIMEOUT) as answer:  # noqa: S310  (is_web admits http and https)
            text = answer.read(MAX_BYTES).decode("utf-8")
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return {}  # nothing is live yet
        raise LedgerError(f"{place}: the live ledger cannot be fetched ({error})") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise LedgerError(f"{place}: the live ledger cannot be fetched ({error})") from None
    return parse(text, place)
