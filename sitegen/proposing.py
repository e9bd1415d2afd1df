"""What `sitegen init` proposes: a site.toml for the glossaries that are found in a repository.

The proposal is read before it is made, so that it is known to work and can say which releases it will give.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sitegen import config as configuration
from sitegen.discovery import Glossary, find_glossaries
from sitegen.forges import web_of
from sitegen.git import Clones, name_of, remote_of
from sitegen.model import Problem, Release, SitegenError
from sitegen.patterns import literally
from sitegen.sources import Holding, read_sources
from sitegen.tables import as_id, as_name
from sitegen.toml_text import table

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


def propose(folder: Path, *, clones: Clones) -> Proposal:
    """Returns a site.toml for the repository in a folder. Raises `SitegenError` where there is no glossary in one."""
    found, problems = find_glossaries(".", root=folder, clones=clones)
    if not found:
        raise SitegenError("\n".join([f"{folder}: {problem.found}" for problem in problems] or [_nothing(folder)]))
    current = tuple(one for one in found if one.is_current) or found
    name = as_name(name_of(".", root=folder)) or "Glossary"
    sources = _as_releases_have_them(_named(current, name), folder, name, clones=clones)
    held = _read(sources, folder, name, clones=clones)
    return Proposal(
        text=_text(sources, folder, name),
        sources=tuple(
            replace(one, releases=holding.source.releases) for one, holding in zip(sources, held, strict=True)
        ),
        gone=tuple(one for one in found if one not in current),
        problems=tuple(dict.fromkeys(problem for holding in held for problem in holding.problems)),
        elsewhere=frozenset().union(*(holding.elsewhere for holding in held)),
    )


def write(proposal: Proposal, folder: Path) -> Path:
    """Writes the site.toml into a folder that has none, and returns its place. Raises `SitegenError`."""
    path, built = folder / NAME, folder / "content" / NAME
    if built.exists():
        raise SitegenError(f"{built}: is there already, and is what `sitegen build` would go on to build")
    try:
        # Refused, by the system, where anything stands there, even a link that leads nowhere.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "w", encoding="utf-8") as file:
            file.write(proposal.text)
    except FileExistsError:
        raise SitegenError(f"{path}: is there already, and is kept; `sitegen init --dry-run` shows ours") from None
    except OSError as error:
        raise SitegenError(f"{path}: cannot be written: {error.strerror}") from None
    return path


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
    sources: Sequence[Proposed], folder: Path, name: str, *, clones: Clones
) -> tuple[Proposed, ...]:
    """What no release has is read from the branch that has it."""
    held = _read(sources, folder, name, clones=clones)
    return tuple(
        one if holding.source.releases else replace(one, head=one.glossary.last)
        for one, holding in zip(sources, held, strict=True)
    )


def _read(sources: Iterable[Proposed], folder: Path, name: str, *, clones: Clones) -> tuple[Holding, ...]:
    return read_sources(configuration.parse(_text(sources, folder, name), path=NAME), folder, clones=clones)


def _text(sources: Iterable[Proposed], folder: Path, name: str) -> str:
    web = web_of(remote_of(".", root=folder))
    site = table("[site]", {"title": name, "repository": web.base if web else ""})
    return "\n".join([HEAD, site, *map(_source, sources)])


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
