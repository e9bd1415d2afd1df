"""Checks glossaries and the site built from them in memory, or a built site in a folder. Writes nothing.

`built_site` reads the pages, `findings` compares them with the ledger and the sources.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.github_pages import Piece, unfit
from sitegen.addresses.ledger import Ledger, LedgerError, parse
from sitegen.build import pipeline, site_build
from sitegen.build.published_ledger import MAX_BYTES, in_git
from sitegen.config.parsing import Config
from sitegen.model import SitegenError
from sitegen.site.promises import promises
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.sources.git import Clones
from sitegen.sources.git.clones import clones_here
from sitegen.sources.projects import Project, find_project
from sitegen.sources.reading import LoadedSource, read_sources
from sitegen.sources.safe_files import read
from sitegen.sources.site_marker import MARKER
from sitegen.tools.check.built_site import BuiltSite
from sitegen.tools.check.findings import (
    Finding,
    LedgerFile,
    breach_findings,
    damage_finding,
    dead_links,
    finding_lines,
    ledger_differences,
    ledger_lines,
    lost_addresses,
    source_findings,
)
from sitegen.tools.terminal import Notify, progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The findings, and the number of things that were checked."""

    findings: tuple[Finding, ...]
    pages: int
    links: int
    addresses: int
    """The number of published addresses that were compared with the ledger."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the findings and a summary."""
        yield from finding_lines(self.findings)
        checked = f"{self.pages:,} pages, {self.links:,} links and {self.addresses:,} published addresses"
        number = f"{len(self.findings):,} findings" if len(self.findings) != 1 else "1 finding"
        yield f"{number if self.findings else 'nothing found'} in {checked}"

    def data(self) -> dict[str, object]:
        """Returns the findings and the numbers as plain data."""
        findings = [{"kind": found.kind, **asdict(found.problem), "more": found.more} for found in self.findings]
        return {"findings": findings, "pages": self.pages, "links": self.links, "addresses": self.addresses}


def check_sources(project: Project, *, notify: Notify, clones: Clones) -> Checked:
    """Returns the findings about the glossaries of a project, and about the site that a build would write.

    Raises `SitegenError` if there is no glossary.
    """
    notify("Reading")
    config, loaded_sources, kept, site, ledger = _read(project, clones)
    notify("Building in memory")
    built, pieces = _built_in_memory(site)
    notify("Checking")
    promised = promises(site)
    return _checked(
        built,
        promised,
        source_findings(site, config, shown=_shown_from(project.folder, site.elsewhere)),
        ledger.damage,
        breach_findings(
            pipeline.remedies(
                site, config, loaded_sources, kept, read=partial(read_sources, root=project.folder, clones=clones)
            ),
            ledger_file=ledger.file,
        ),
        lost_addresses(promised, built, ledger_file=ledger.file),
        dead_links(built, shown=str),
        _unfit(pieces, shown=str),
    )


def check_built(folder: Path, *, notify: Notify, clones: Clones, sources: Project | None = None) -> Checked:
    """Returns the findings about the site in a folder, and about the glossaries it was built from, if they are given.

    Raises `SitegenError` if the folder has no site.
    """
    notify("Reading")
    built, pieces = _read_built(folder)
    published = _read_ledger(folder / urls.LEDGER)
    shown = _shown_from(folder)
    of_sources = tuple(_compared_with_sources(sources, published, clones)) if sources else ()
    notify("Checking")
    return _checked(
        built,
        published.rows,
        of_sources,
        published.damage,
        lost_addresses(published.rows, built, ledger_file=published.file),
        dead_links(built, shown=shown),
        _unfit(pieces, shown=shown),
    )


def _checked(built: BuiltSite, addresses: Ledger, *findings: Iterable[Finding]) -> Checked:
    return Checked(
        findings=tuple(chain.from_iterable(findings)),
        pages=len(built.pages),
        links=sum(len(page.links) for page in built.pages.values()),
        addresses=len(addresses),
    )


def read_site(folder: Path | None) -> Site:
    """Returns the site of the glossaries in a folder, with the addresses of their ledger.

    The default folder is `content` or the current one. Raises `SitegenError` if there is no glossary.
    """
    with progress(shown=True) as notify:
        notify("Reading")
        return _read(find_project(folder, git="", paths=(), tags=()), clones_here(notify)).site


# The glossaries, and their site.


class _ReadProject(NamedTuple):
    """A project, its site, and the ledger beside it."""

    config: Config
    loaded_sources: tuple[LoadedSource, ...]
    published: Ledger
    site: Site
    ledger: _LedgerOnDisk


def _read(project: Project, clones: Clones) -> _ReadProject:
    folder = project.folder
    config = project.config or site_build.configured(folder)
    loaded_sources = read_sources(config, folder, clones=clones)
    ledger = _read_ledger(folder / urls.LEDGER)
    git = in_git(folder / urls.LEDGER)
    published = git.read() if git else ledger.rows
    site = pipeline.assemble(config, loaded_sources, published)
    if not site.lives:
        problems = map(str, site_build.located(site.problems, folder, elsewhere=site.elsewhere))
        raise SitegenError("\n".join([*problems, f"{folder}: no glossary was found here; {site_build.NO_GLOSSARY}"]))
    return _ReadProject(config, loaded_sources, published, site, ledger)


def _built_in_memory(site: Site) -> tuple[BuiltSite, list[Piece]]:
    """Returns the site as a build would write it, and its files, with the ledger."""
    pieces = [Piece(path=urls.LEDGER)]

    def files() -> Iterator[tuple[str, bytes]]:
        yield urls.LEDGER, b""
        for file in pipeline.files(site, read_templates()):
            pieces.append(Piece(path=file.path, size=len(file.content)))
            yield file.path, file.content

    return BuiltSite(files()), pieces


def _compared_with_sources(project: Project, published: _LedgerOnDisk, clones: Clones) -> Iterator[Finding]:
    """Yields findings about the sources of a built site, and the differences of its ledger from theirs."""
    config, _, _, site, kept = _read(project, clones)
    yield from source_findings(site, config, shown=_shown_from(project.folder, site.elsewhere))
    yield from kept.damage
    if not kept.damage and not published.damage:
        yield from ledger_differences(kept.rows, published.rows, kept_file=kept.file, published_file=published.file)


# The built site in a folder.


def _read_built(folder: Path) -> tuple[BuiltSite, list[Piece]]:
    if not (folder / urls.path(urls.HOME)).is_file():
        raise SitegenError(f"{folder}: there is no site here; build it first, or name its folder")
    # The marker is not meant to be uploaded.
    pieces = [piece for piece in folder_pieces(folder) if piece.path != MARKER]
    files = (piece.path for piece in pieces if piece.kind == "file")
    return BuiltSite((path, _content(folder / path)) for path in files), pieces


def folder_pieces(root: Path, folder: str = "") -> Iterator[Piece]:
    """Yields everything below a site's folder. Follows no links, and does not enter hidden folders."""
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except OSError:
        return  # the folder's own piece has its mode, which is reported
    for entry in entries:
        path = f"{folder}{entry.name}"
        status = entry.stat(follow_symlinks=False)
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            yield Piece(path=path, kind="folder", mode=mode)
            if not entry.name.startswith("."):
                yield from folder_pieces(root, f"{path}/")
        elif stat.S_ISREG(status.st_mode):
            yield Piece(path=path, size=status.st_size, mode=mode)
        else:
            yield Piece(path=path, kind="link" if entry.is_symlink() else "other", mode=mode)


def _content(path: Path) -> bytes:
    """Returns the content of a page; empty for other files, of which only the names are needed."""
    try:
        return path.read_bytes() if path.suffix == ".html" else b""
    except OSError:
        return b""  # the file's piece has its mode, which is reported


def _unfit(pieces: Iterable[Piece], *, shown: Callable[[str], str]) -> Iterator[Finding]:
    for problem in unfit(pieces):
        yield Finding(kind="host", problem=replace(problem, path=shown(problem.path)))


# The ledger, and the paths in messages.


@dataclass(frozen=True, slots=True, kw_only=True)
class _LedgerOnDisk:
    """A ledger as it was read. A damaged one has no rows, and findings in `damage`."""

    rows: Ledger
    file: LedgerFile
    damage: tuple[Finding, ...] = ()


def _read_ledger(path: Path) -> _LedgerOnDisk:
    try:
        text = read(path, limit=MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        return _LedgerOnDisk(rows={}, file=LedgerFile(path=str(path), lines={}))
    except (OSError, UnicodeDecodeError) as error:
        raise SitegenError(f"{path}: the ledger cannot be read ({error}); restore it from git") from None
    file = LedgerFile(path=str(path), lines=ledger_lines(text))
    try:
        return _LedgerOnDisk(rows=parse(text, str(path)), file=file)
    except LedgerError as error:
        return _LedgerOnDisk(rows={}, file=file, damage=(damage_finding(str(error), path=str(path)),))


def _shown_from(folder: Path, elsewhere: Collection[str] = ()) -> Callable[[str], str]:
    """Returns a function that converts paths below a folder to paths relative to the current folder."""
    return lambda path: path if path in elsewhere else str(folder / path)
