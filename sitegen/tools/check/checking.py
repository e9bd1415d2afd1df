"""Checks a glossary and the site it gives, or a site that stands in a folder; writes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.github_pages import Piece, unfit
from sitegen.addresses.ledger import Ledger, LedgerError, parse
from sitegen.build import building, pipeline
from sitegen.config.parsing import Config
from sitegen.model import SitegenError
from sitegen.site.promises import promises
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.sources.git import Clones
from sitegen.sources.places import Place
from sitegen.sources.reading import read_sources
from sitegen.sources.site_marker import MARKER
from sitegen.tools.check.built_site import BuiltSite
from sitegen.tools.check.findings import (
    Finding,
    LedgerFile,
    broken_promises,
    damage,
    dead_links,
    ledger_lines,
    lost_addresses,
    told,
    unlike_ledgers,
    words,
)

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found, and how much was looked at."""

    findings: tuple[Finding, ...]
    pages: int
    links: int
    addresses: int
    """Published ones, held against the ledger."""

    def lines(self) -> Iterator[str]:
        """Yields what is to be read on a terminal: the findings, and what they come to."""
        yield from told(self.findings)
        looked_at = f"{self.pages:,} pages, {self.links:,} links and {self.addresses:,} published addresses"
        number = f"{len(self.findings):,} findings" if len(self.findings) != 1 else "1 finding"
        yield f"{number if self.findings else 'nothing found'} in {looked_at}"

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        findings = [{"kind": one.kind, **asdict(one.problem), "more": one.more} for one in self.findings]
        return {"findings": findings, "pages": self.pages, "links": self.links, "addresses": self.addresses}


def check(place: Place, *, tell: Tell, clones: Clones) -> Checked:
    """Returns what is wrong with the glossaries in a place and with the site they would give.

    Raises SitegenError when no site can be made of them.
    """
    tell("Reading")
    config, site, ledger = _read(place, clones)
    tell("Building in memory")
    built, there = _in_memory(site)
    tell("Checking")
    promised = promises(site)
    return _checked(
        built,
        promised,
        words(site, config, shown=_shown_from(place.folder, site.elsewhere)),
        ledger.damage,
        broken_promises(site.ledger, promised, ledger_file=ledger.file),
        lost_addresses(promised, built, ledger_file=ledger.file),
        dead_links(built, shown=str),
        _unfit(there, shown=str),
    )


def check_built(folder: Path, *, tell: Tell, clones: Clones, made_from: Place | None = None) -> Checked:
    """Returns what is wrong with a site that stands in a folder, and with the glossaries it was made from, if named.

    Raises SitegenError when there is no site.
    """
    tell("Reading")
    built, there = _on_disk(folder)
    published = _read_ledger(folder / urls.LEDGER)
    shown = _shown_from(folder)
    sources = tuple(_sources(made_from, published, clones)) if made_from else ()
    tell("Checking")
    return _checked(
        built,
        published.rows,
        sources,
        published.damage,
        lost_addresses(published.rows, built, ledger_file=published.file),
        dead_links(built, shown=shown),
        _unfit(there, shown=shown),
    )


def _checked(built: BuiltSite, addresses: Ledger, *findings: Iterable[Finding]) -> Checked:
    return Checked(
        findings=tuple(chain.from_iterable(findings)),
        pages=len(built.pages),
        links=sum(len(page.links) for page in built.pages.values()),
        addresses=len(addresses),
    )


def site_of(place: Place, clones: Clones) -> Site:
    """Returns the site that the glossaries in a place would give, with the addresses of their ledger.

    Raises SitegenError when no site can be made of them.
    """
    return _read(place, clones)[1]


# The glossaries, and the site they would give.


def _read(place: Place, clones: Clones) -> tuple[Config, Site, _Kept]:
    folder = place.folder
    config = place.config or building.configured(folder)
    holdings = read_sources(config, folder, clones=clones)
    ledger = _read_ledger(folder / urls.LEDGER)
    site = pipeline.assemble(config, holdings, ledger.rows)
    if not site.lives:
        problems = map(str, building.located(site.problems, folder, elsewhere=site.elsewhere))
        raise SitegenError("\n".join([*problems, f"{folder}: no glossary was found here"]))
    return config, site, ledger


def _in_memory(site: Site) -> tuple[BuiltSite, list[Piece]]:
    """The site as a build would write it, ledger and all."""
    there = [Piece(path=urls.LEDGER)]

    def files() -> Iterator[tuple[str, bytes]]:
        yield urls.LEDGER, b""
        for file in pipeline.files(site, read_templates()):
            there.append(Piece(path=file.path, size=len(file.content)))
            yield file.path, file.content

    return BuiltSite(files()), there


def _sources(place: Place, published: _Kept, clones: Clones) -> Iterator[Finding]:
    """What is wrong with what a site was made from, and how its ledger differs from the one published."""
    config, site, kept = _read(place, clones)
    yield from words(site, config, shown=_shown_from(place.folder, site.elsewhere))
    yield from kept.damage
    if not kept.damage and not published.damage:
        yield from unlike_ledgers(kept.rows, published.rows, kept_file=kept.file, published_file=published.file)


# The site that stands in a folder.


def _on_disk(folder: Path) -> tuple[BuiltSite, list[Piece]]:
    if not (folder / urls.path(urls.HOME)).is_file():
        raise SitegenError(f"{folder}: no site stands here; build it first, or name the folder that it is in")
    # That the marker stays behind when a site is uploaded is as it should be.
    there = [piece for piece in pieces(folder) if piece.path != MARKER]
    files = (piece.path for piece in there if piece.kind == "file")
    return BuiltSite((path, _content(folder / path)) for path in files), there


def pieces(root: Path, folder: str = "") -> Iterator[Piece]:
    """Yields everything below a site's folder. Links are not followed, and what is hidden is not looked into."""
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError:
        return  # its mode has been told with the folder itself
    for entry in entries:
        path = f"{folder}{entry.name}"
        status = entry.stat(follow_symlinks=False)
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            yield Piece(path=path, kind="folder", mode=mode)
            if not entry.name.startswith("."):
                yield from pieces(root, f"{path}/")
        elif stat.S_ISREG(status.st_mode):
            yield Piece(path=path, size=status.st_size, mode=mode)
        else:
            yield Piece(path=path, kind="link" if entry.is_symlink() else "other", mode=mode)


def _content(path: Path) -> bytes:
    """What a page says; of other files only their names are asked for."""
    try:
        return path.read_bytes() if path.suffix == ".html" else b""
    except OSError:
        return b""  # its mode has been told


def _unfit(there: Iterable[Piece], *, shown: Callable[[str], str]) -> Iterator[Finding]:
    for problem in unfit(there):
        yield Finding(kind="host", problem=replace(problem, path=shown(problem.path)))


# Both.


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A ledger as it was read: empty, with the damage, where it cannot be trusted."""

    rows: Ledger
    file: LedgerFile
    damage: tuple[Finding, ...] = ()


def _read_ledger(path: Path) -> _Kept:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return _Kept(rows={}, file=LedgerFile(path=str(path), lines={}))
    except (OSError, UnicodeDecodeError) as error:
        raise SitegenError(f"{path}: the ledger cannot be read ({error}); take it back from git") from None
    file = LedgerFile(path=str(path), lines=ledger_lines(text))
    try:
        return _Kept(rows=parse(text, str(path)), file=file)
    except LedgerError as error:
        return _Kept(rows={}, file=file, damage=(damage(str(error), path=str(path)),))


def _shown_from(folder: Path, elsewhere: Collection[str] = ()) -> Callable[[str], str]:
    """Says how paths below a folder are seen from where the command was given."""
    return lambda path: path if path in elsewhere else str(folder / path)
