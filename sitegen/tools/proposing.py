"""What `sitegen init` proposes: a site.toml for the glossaries found in a repository, and what the site's host needs.

The proposal is read before it is made, so that it is known to work and can say which releases it will give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sitegen.config import parsing as configuration
from sitegen.config.forges import Web, web_of
from sitegen.config.hosts import Host, address, advice, setup, usual
from sitegen.config.patterns import literally
from sitegen.config.tables import as_id, as_name
from sitegen.config.toml_text import table
from sitegen.model import Problem, Release, SitegenError
from sitegen.site.templates import read_templates
from sitegen.sources import safe_files
from sitegen.sources.discovery import Glossary, find_glossaries
from sitegen.sources.git import Clones, main_branch, name_of, remote_of
from sitegen.sources.reading import Holding, read_sources
from sitegen.tools.installation import installation

NAME = "site.toml"

HEAD = f"""\
# {NAME}: what the site is made from. `sitegen init` proposed it; change what you like.
# README of sitegen, "site.toml", tells what else can stand here.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A glossary as a source."""

    glossary: Glossary
    id: str
    title: str
    head: str = ""
    """The branch that has it, where no release has it yet."""
    releases: tuple[Release, ...] = ()
    """What reading it gives."""

    def line(self) -> str:
        """Returns what there is to say of it on a terminal."""
        newest, *before = self.glossary.paths
        places = f"{newest} (before that {', '.join(before)})" if before else newest
        released = [release.name for release in self.releases if not release.unreleased]
        if not released:
            return f"{places}: {_count(self.glossary.entries, 'term')}, not in a release yet"
        span = released[0] if len(released) == 1 else f"{released[0]} to {released[-1]}"
        return f"{places}: {_count(self.glossary.entries, 'term')}, {_count(len(released), 'release')}, {span}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    text: str
    """Of site.toml."""
    host: Host
    address: str
    """Where the site will be, as far as we can tell."""
    sources: tuple[Proposed, ...]
    gone: tuple[Glossary, ...]
    """Glossaries that the repository had once, and that are left out."""
    problems: tuple[Problem, ...]
    elsewhere: frozenset[str]
    """Paths of problems that are not below the folder."""

    def lines(self) -> Iterator[str]:
        """Yields what was found, a line for each glossary."""
        yield from (f"  {source.line()}" for source in self.sources)
        yield from (f"  left out, as it is gone since {one.last}: {one.paths[0]}" for one in self.gone)
        if self.address:
            yield f"  to be seen at {self.address}; if that is wrong, change it there before you build"


def propose(folder: Path, *, clones: Clones, host: Host | None = None) -> Proposal:
    """Returns a site.toml for the repository in a folder. Raises `SitegenError` where there is no glossary in one.

    Without a `host` it is the one that goes with the repository's remote.
    """
    found, problems = find_glossaries(".", root=folder, clones=clones)
    if not found:
        raise SitegenError("\n".join([f"{folder}: {problem.found}" for problem in problems] or [_nothing(folder)]))
    current = tuple(one for one in found if one.is_current) or found
    name = as_name(name_of(".", root=folder)) or "Glossary"
    web = web_of(remote_of(".", root=folder))
    host = host or usual(web)
    site = _site(name, web, host)
    sources = _as_releases_have_them(_named(current, name), folder, site, clones=clones)
    held = _read(sources, folder, site, clones=clones)
    return Proposal(
        text=_text(sources, site),
        host=host,
        address=address(host, web),
        sources=tuple(
            replace(one, releases=holding.source.releases) for one, holding in zip(sources, held, strict=True)
        ),
        gone=tuple(one for one in found if one not in current),
        problems=tuple(dict.fromkeys(problem for holding in held for problem in holding.problems)),
        elsewhere=frozenset().union(*(holding.elsewhere for holding in held)),
    )


def write(proposal: Proposal, folder: Path) -> Iterator[str]:
    """Writes site.toml and what the host needs into a repository, and yields what was written, and what is to do.

    Raises `SitegenError` where there is a site.toml already.
    """
    path, built = folder / NAME, folder / "content" / NAME
    if built.exists():
        raise SitegenError(f"{built}: is there already, and is what `sitegen build` would go on to build")
    if not _write_new(path, proposal.text):
        message = "`sitegen init --dry-run` shows ours, and `--host` writes only what a host needs"
        raise SitegenError(f"{path}: is there already, and is kept; {message}")
    yield f"{path}:"
    yield from proposal.lines()
    yield from set_up(proposal.host, folder)
    yield "Next:"
    if proposal.host.file and not proposal.address:
        yield "  say base_url in site.toml, if you know where the site will be seen"
    yield f"  sitegen build {'' if folder == Path() else folder}".rstrip()
    yield "  commit all of it but the folder site, and push"
    if proposal.host.advice:
        yield f"  {advice(proposal.host, install=installation().commands)}"


def set_up(host: Host, folder: Path) -> Iterator[str]:
    """Writes what a host's build service reads, unless there is such a file already, and yields what became of it."""
    if not host.file:
        return
    installed = installation()
    text = setup(host, read_templates(), branch=main_branch(".", root=folder), install=installed.commands)
    written = _write_new(folder / host.file, text)
    yield f"{folder / host.file}: {host.effect if written else 'is there already, and is kept'}"
    if written:
        yield f"  it installs {installed.origin}"


def has_site(folder: Path) -> bool:
    """True for a repository that has a site.toml where `sitegen build` looks for it."""
    return (folder / NAME).exists() or (folder / "content" / NAME).exists()


def _write_new(path: Path, text: str) -> bool:
    """Writes a new file; returns False where anything has its name, even a link that leads nowhere."""
    try:
        return safe_files.create(path, text.encode())
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None


def _nothing(folder: Path) -> str:
    wanted = "glossaries are looked for by name; one that is called otherwise can be named in `paths` of a site.toml"
    return f"{folder}: no glossary was found in this repository; {wanted}"


def _named(glossaries: Sequence[Glossary], name: str) -> tuple[Proposed, ...]:
    """A single glossary is called what the repository is; several are called what their files are."""
    if len(glossaries) == 1:
        return (Proposed(glossary=glossaries[0], id=as_id(name), title=name),)
    taken: set[str] = set()
    sources = []
    for glossary in glossaries:
        path = PurePosixPath(glossary.paths[0])
        base = as_id(str(path.with_suffix("")))
        numbered = (base, *(f"{base}-{number}" for number in range(2, len(glossaries) + 1)))
        id = next(candidate for candidate in numbered if candidate not in taken)
        taken.add(id)
        sources.append(Proposed(glossary=glossary, id=id, title=str(path)))
    return tuple(sources)


def _as_releases_have_them(
    sources: Sequence[Proposed], folder: Path, site: str, *, clones: Clones
) -> tuple[Proposed, ...]:
    """What no release has is read from the branch that has it."""
    held = _read(sources, folder, site, clones=clones)
    return tuple(
        one if holding.source.releases else replace(one, head=one.glossary.last)
        for one, holding in zip(sources, held, strict=True)
    )


def _read(sources: Iterable[Proposed], folder: Path, site: str, *, clones: Clones) -> tuple[Holding, ...]:
    return read_sources(configuration.parse(_text(sources, site), path=NAME), folder, clones=clones)


def _text(sources: Iterable[Proposed], site: str) -> str:
    return "\n".join([HEAD, site, *map(_source, sources)])


def _site(name: str, web: Web | None, host: Host) -> str:
    values = {
        "title": name,
        "base_url": address(host, web),
        "repository": web.base if web else "",
        "host": host.name if host.reads_site else "",
    }
    return table("[site]", values)


def _source(source: Proposed) -> str:
    return table(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            "git": ".",
            "paths": tuple(literally(path) for path in source.glossary.paths),
            "head": source.head,
        },
    )
