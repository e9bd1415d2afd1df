"""The ledger's file: read where it stands, with the one that is live taken in, and written whole or not at all.

A build swaps in its site and replaces the ledger in the same moment, alone with the ledger's folder. What it is going
to write waits beside the ledger for that moment, so that the next build can finish what was broken off in between:
the site that stands says whether it counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.ledger import TAKE_BACK, Ledger, LedgerError, agree, dump, grown, lost, parse
from sitegen.sources import locks
from sitegen.sources.unchanged import Unchanged

NAME = urls.LEDGER
ATTRIBUTES = ".gitattributes"

MAX_BYTES = 256 * 1024 * 1024
TIMEOUT = 30
"""Seconds to wait for a ledger from the web."""

SHOWN = 10
"""Addresses that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The ledger of the site that stands where this one is going to be published."""

    place: str
    """As messages name it."""
    rows: Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Where a build keeps its ledger, and what it may do to it."""

    path: Path
    also: str = ""
    """A file, or an address on the web, with a ledger to take in: the one that is live. A file is also where the
    ledger is kept when nothing can be written at `path`."""
    locked: bool = False
    """The build may not add to the ledger: what it would publish must all be there already."""
    preview: bool = False
    """Nothing is published: addresses are those of the ledger, which is neither held to nor written."""
    live: Live | None = None
    """It is taken in, and a locked build may publish what is in it or kept, if nobody has kept it yet."""

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

    `published` is the folder of the site that stands now. A file that is `unchanged` since another time is not read
    again. Raises `LedgerError` when a ledger is damaged, or when the one kept lacks addresses that are published:
    somebody rolled it back.
    """
    if keeping.preview:
        return _read_file(keeping.path, unchanged=unchanged)
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
    """No other build reads or replaces the ledger meanwhile. What waits beside it is finished at each end."""
    with ExitStack() as held:
        with suppress(OSError):  # there is no such folder, and no ledger in it
            held.enter_context(locks.alone(_file(keeping.path).parent))
        _finish(keeping, published)
        try:
            yield
        finally:
            _finish(keeping, published)


def _held(keeping: Keeping, fetched: Ledger, published: Path) -> tuple[Ledger, list[str]]:
    """The ledger as it is kept, with others taken in, and what the site that stands has and it lacks."""
    if keeping.locked and keeping.spare and not keeping.spare.exists():
        raise _no_such(keeping.spare)
    taken = _read_file(keeping.spare) if keeping.spare else fetched
    ledger = _with_live(keeping, _with_also(keeping, taken, _read_file(keeping.path)))
    # Most of the time the site has the very ledger that is kept.
    is_kept = keeping.path.is_file() and _is_in_site(keeping.path, published)
    live = {} if is_kept else _read_file(published / NAME, cure=f"delete {published} and build it anew")
    return ledger, list(lost(ledger, live))


def is_published(keeping: Keeping, *, published: Path) -> bool:
    """True where the ledger is the very one in the site that stands, and there is none to take in."""
    takes_none_in = not (keeping.preview or keeping.also or keeping.live or _beside(keeping.path).exists())
    return takes_none_in and keeping.path.is_file() and _is_in_site(keeping.path, published)


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
    """Gives the moment in which the site of which a ledger speaks is to be put in place: the ledger is written then.

    That it can be written is tried first. Raises `LedgerError` when the ledger is locked and would change, when it
    cannot be written, or would take back what another build has added since.
    """
    text = dump(after)
    if keeping.live is not None and not any(lost(before, after)):
        yield nullcontext()
        return
    if _said(path := _kept(keeping)) != text:
        if keeping.locked:
            raise LedgerError(_stale(path, before, after))
        with _alone(keeping, published):
            _put_beside(keeping, text)
    yield _replacing(keeping, text, before, after, published)


@contextmanager
def _replacing(keeping: Keeping, text: str, before: Ledger, after: Ledger, published: Path) -> Iterator[None]:
    """Replaces a ledger at the end, as long as it is as it was before, or has nothing that would be taken back."""
    with _alone(keeping, published):
        for place in keeping.places:
            said = _said(place)
            if said not in ("", text, dump(before)) and (missing := list(lost(after, parse(said, str(place))))):
                raise LedgerError(
                    f"{place}: another build has just added {len(missing)} addresses; build again{_named(missing)}"
                )
        if not keeping.locked and _said(_kept(keeping)) != text:
            _put_beside(keeping, text)
        yield


def _kept(keeping: Keeping) -> Path:
    """The file in which the ledger is kept, as far as can be seen."""
    return keeping.spare if keeping.spare and not keeping.path.exists() else keeping.path


def _said(path: Path) -> str:
    """What a ledger says; nothing where there is none."""
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8")
    return ""


def _stale(path: Path, before: Ledger, after: Ledger) -> str:
    new = list(lost(before, after))
    what = f"it lacks {len(new)} addresses" if new else "what it says of some addresses has moved on"
    return f"{path}: the build is locked and {what}; run sitegen build and commit the ledger{_named(new)}"


def _put_beside(keeping: Keeping, text: str) -> None:
    """Writes what the ledger is going to be, beside where it can be kept. For who is `_alone`."""
    path, spare = keeping.path, keeping.spare
    refusal = _try_to_write(_beside(path), text)
    if refusal and spare:
        path = spare
        refusal = _try_to_write(_beside(path), text)
    elif spare and not spare.exists():
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
        with path.open("w", encoding="utf-8", newline="\n") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(text)
    except OSError as error:
        return error
    return None


def _file(path: Path) -> Path:
    """The ledger's file itself, where a link leads to it: that is what the keeper has, and what grows."""
    return Path(os.path.realpath(path))


def _beside(path: Path) -> Path:
    file = _file(path)
    return file.with_name(f".{file.name}.new")


def _finish(keeping: Keeping, published: Path) -> None:
    """Replaces a ledger by what waits beside it if the site that stands was published with that; else drops it."""
    for path in () if keeping.locked else keeping.places:
        beside = _beside(path)
        try:
            if not beside.is_file():
                continue
            if _is_in_site(beside, published):
                beside.replace(_file(path))
                _merge_by_lines(_file(path))
            else:
                beside.unlink()
        except FileNotFoundError:  # another build of the same folder has just done it, on a disk without locks
            pass
        except OSError as error:
            reason = error.strerror or error
            raise LedgerError(f"{path}: the ledger cannot be replaced by {beside} ({reason})") from None


def _is_in_site(path: Path, published: Path) -> bool:
    standing = published / NAME
    return standing.is_file() and standing.read_bytes() == path.read_bytes()


def _merge_by_lines(path: Path) -> None:
    """Tells git that two branches may both add lines to the ledger, unless somebody has said how to merge it.

    Nothing fails where that cannot be written: only a merge will have conflicts.
    """
    # A question mark stands for any character, such as a space, where a name would end.
    pattern = re.sub(rb"[^\w.-]", b"?", os.fsencode(path.name))
    said = rb"^[ \t]*/?" + re.escape(pattern) + rb"[ \t].*(merge|binary)"
    attributes = path.with_name(ATTRIBUTES)
    with suppress(OSError):
        there = attributes.read_bytes() if attributes.is_file() else b""
        if not re.search(said, there, re.MULTILINE):
            with attributes.open("ab") as file:
                file.write((b"\n" if there[-1:] not in b"\n" else b"") + pattern + b" merge=union\n")


def _read_file(path: Path, *, cure: str = TAKE_BACK, unchanged: Unchanged | None = None) -> Ledger:
    def ledger() -> Ledger:
        return parse(path.read_text(encoding="utf-8"), str(path), cure=cure)

    try:
        return unchanged.of(path, path.stat(), ledger) if unchanged else ledger()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"{path}: the ledger cannot be read ({error}); {cure}") from None


def _fetch(address: str) -> Ledger:
    from http import HTTPStatus
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        with urlopen(address, timeout=TIMEOUT) as answer:  # noqa: S310  (only http and https come here)
            text = answer.read(MAX_BYTES).decode("utf-8")
    except HTTPError as error:
        if error.code == HTTPStatus.NOT_FOUND:
            return {}  # nothing is live yet
        raise LedgerError(f"{address}: the live ledger cannot be fetched ({error})") from None
    except (OSError, ValueError, HTTPException) as error:
        raise LedgerError(f"{address}: the live ledger cannot be fetched ({error})") from None
    return parse(text, address, cure="publish a whole one there first")
