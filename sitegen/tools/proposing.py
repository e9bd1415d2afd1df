"""Proposes a site.toml for the glossaries found in a repository, and the files that the host needs (`sitegen init`).

Each proposed source is read once before, to check that it works and to show its releases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from sitegen import formats
from sitegen.addresses.urls import LEDGER
from sitegen.config.forges import Web, web_of
from sitegen.config.hosts import HOSTS, Host, address, advice, default_host
from sitegen.config.toml import table
from sitegen.config.values import LANGUAGES, as_name
from sitegen.model import Problem, SitegenError
from sitegen.sources.discovery import FoundGlossary, LeftOut, SearchResult, detected_language, find_glossaries
from sitegen.sources.git.repositories import Clones, name_of, remote_of
from sitegen.sources.reading import LoadedSource
from sitegen.sources.site_marker import is_site
from sitegen.tools.host_setup import Surroundings, set_up, surroundings, write_new
from sitegen.tools.installation import installation
from sitegen.tools.proposed_sources import Proposed, ReleaseChoice, named, source_table

NAME = "site.toml"

HEAD = f"""\
# {NAME}: what the site is made from. `sitegen init` proposed it; change what you like.
# docs/reference-site-toml.md of sitegen describes every key.
"""


OUTPUT = "site"
"""The default output folder."""
OTHER_OUTPUT = "glossary-site"
"""The output folder if the project already uses a folder with the default name."""
SHOWN = 8
"""The maximum number of lines about glossaries that are left out."""
MAX_DOCUMENTS = 60
"""The maximum number of documents of a source that are read to find its language."""
ENOUGH = 20_000
"""The number of characters of a source after which no further document is read to find its language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A site.toml, and the facts to show about it."""

    text: str
    """The text of site.toml."""
    host: Host
    address: str
    """The address of the future site; empty if unknown."""
    around: Surroundings
    output: str
    sources: tuple[Proposed, ...]
    gone: tuple[FoundGlossary, ...]
    """Glossaries that the newest state of the repository does not have; they are left out."""
    left_out: tuple[LeftOut, ...]
    problems: tuple[Problem, ...]
    elsewhere: frozenset[str]
    """Paths of problems that are not below the folder."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: each glossary, what is left out, and where the site will be."""
        printed = {"", *(problem.found for problem in self.problems)}
        for source in self.sources:
            yield from (f"  {line}" for line in source.lines())
            if source.note not in printed:
                printed.add(source.note)
                yield f"    {source.note}"
        yield from (f"  left out, as it is gone since {one.last}: {one.paths[0]}" for one in self.gone[:SHOWN])
        yield from _left_out(self.left_out)
        if self.output != OUTPUT:
            yield f"  the site is written to {self.output}, as {OUTPUT} is another folder of the project"
        if self.address:
            yield f"  to be seen at {self.address}; if that is wrong, change it there before you build"


def _left_out(left_out: Iterable[LeftOut]) -> Iterator[str]:
    """Yields a line for each reason, with the first few paths."""
    reasons: dict[str, list[str]] = {}
    for one in left_out:
        reasons.setdefault(one.why, []).append(one.path)
    for why, paths in [*reasons.items()][:SHOWN]:
        more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
        yield f"  left out, {why}: {', '.join(paths[:3])}{more}"


def propose(
    folder: Path,
    *,
    clones: Clones,
    host: Host | None = None,
    into: str | None = None,
    repository: str = ".",
    paths: Sequence[str] = (),
) -> Proposal:
    """Returns a site.toml for a repository, by default the one in a folder. Raises `SitegenError` without a glossary.

    If `paths` are given, they are the paths of the glossary, newest first. The default `host` is the one for which
    the repository is set up, or that of its remote. `into` is the tool of the documentation that will contain the
    glossary.
    """
    found = find_glossaries(repository, root=folder, clones=clones, paths=paths)
    place = folder if repository == "." else repository
    if not found.glossaries:
        reasons = [f"{place}: {problem.found}" for problem in found.problems] or [_nothing(place, found, paths)]
        if not found.problems and repository == "." and (folder / ".gitmodules").is_file():
            reasons.append(
                f"{folder / '.gitmodules'}: a submodule is a repository of its own; run `sitegen init` in its folder"
            )
        raise SitegenError("\n".join(reasons))
    current = tuple(one for one in found.glossaries if one.is_current) or found.glossaries
    name = as_name(name_of(repository, root=folder)) or "Glossary"
    web = web_of(remote_of(repository, root=folder))
    host = host or (HOSTS["netlify"] if (folder / HOSTS["netlify"].file).is_file() else default_host(web))
    around = surroundings(host, folder, into=into) if repository == "." else Surroundings()
    is_of_docs = around.docs is not None and around.docs.output == OUTPUT
    is_taken = is_of_docs or ((folder / OUTPUT).is_dir() and not is_site(folder / OUTPUT))
    output = OTHER_OUTPUT if repository == "." and is_taken else OUTPUT
    title = as_name(found.title) or _title_of(name, web)
    seen_at = home = address(host, web)
    if seen_at and around.place:
        seen_at += f"{around.place}/"
    site = partial(_site, title, web, host, output=output, address=seen_at, home=home)
    choice = ReleaseChoice(folder, site(), repository, clones)
    sources = tuple(map(choice.with_releases, named(current, name, title)))
    loaded_sources = tuple(map(choice.read, sources))
    return Proposal(
        text=_text(sources, site(language=_language(loaded_sources)), repository),
        host=host,
        address=seen_at,
        around=around,
        output=output,
        sources=tuple(
            replace(one, releases=loaded.source.releases) for one, loaded in zip(sources, loaded_sources, strict=True)
        ),
        gone=tuple(one for one in found.glossaries if one not in current),
        left_out=found.left_out,
        problems=tuple(dict.fromkeys(problem for loaded in loaded_sources for problem in loaded.problems)),
        elsewhere=frozenset().union(*(loaded.elsewhere for loaded in loaded_sources)),
    )


def write(proposal: Proposal, folder: Path) -> Iterator[str]:
    """Writes site.toml and the files for the host into a repository. Yields the lines to print, with the next steps.

    Raises `SitegenError` if there is a site.toml already.
    """
    path, built = folder / NAME, folder / "content" / NAME
    if built.exists():
        raise SitegenError(f"{built}: is there already, and is what `sitegen build` would go on to build")
    if not write_new(path, proposal.text):
        message = "`sitegen init --dry-run` shows ours, and `--host` writes only what a host needs"
        raise SitegenError(f"{path}: is there already, and is kept; {message}")
    yield f"{path}:"
    yield from proposal.lines()
    ledger = f"{proposal.address}{LEDGER}" if proposal.address else ""
    yield from set_up(proposal.host, folder, output=proposal.output, around=proposal.around, ledger=ledger)
    yield "Next:"
    if proposal.host.file and not proposal.address:
        place = f", with /{proposal.around.place}/ at its end" if proposal.around.place else ""
        yield f"  say base_url in site.toml, if you know where the site will be seen{place}"
    yield f"  sitegen build {'' if folder == Path() else folder}".rstrip()
    if proposal.around.place and proposal.address:
        yield f"  link to {proposal.address} from a page of your documentation"
    yield "  commit all of it, and push"
    if proposal.host.advice and not proposal.around.live:
        yield f"  {advice(proposal.host, install=installation().commands, output=proposal.output)}"


def has_site(folder: Path) -> bool:
    """True for a repository that has a site.toml where `sitegen build` looks for it."""
    return (folder / NAME).exists() or (folder / "content" / NAME).exists()


def _title_of(name: str, web: Web | None) -> str:
    """Returns the repository's name, or its owner's if it is called `docs` or `website`."""
    owner = web.base.rstrip("/").split("/")[-2] if web else ""
    return owner if owner and re.fullmatch(r"docs?|documentation|website|site|glossary|wiki", name, re.I) else name


def _nothing(place: Path | str, found: SearchResult, paths: Sequence[str]) -> str:
    if paths:
        return (
            f"{place}: the repository has no {paths[0]} with terms in it; name a file or folder that its branch has"
        )
    wanted = "glossaries are looked for by name; name one that is called otherwise with --path"
    seen = [f"{one.path}: {one.why}" for one in found.left_out[:SHOWN]]
    return "\n".join([*seen, f"{place}: no glossary was found in this repository; {wanted}"])


def _text(sources: Iterable[Proposed], site: str, repository: str = ".") -> str:
    return "\n".join([HEAD, site, *(source_table(source, repository) for source in sources)])


def _language(loaded_sources: Iterable[LoadedSource]) -> str:
    """Returns the language of the newest definitions; empty if it is English or has no interface."""
    texts: list[str] = []
    for one in loaded_sources:
        newest = (document for document in reversed(one.documents) if document.release == one.documents[-1].release)
        read = 0
        for document in islice(newest, MAX_DOCUMENTS):
            added = [f"{entry.name} {entry.definition.text}" for entry in formats.read(document).entries]
            texts += added
            read += sum(map(len, added))
            if read > ENOUGH:
                break
    language = detected_language(texts)
    known = {name.partition("-")[0] for name in LANGUAGES} - {"en"}
    return language if language.partition("-")[0] in known else ""


def _site(
    title: str, web: Web | None, host: Host, *, output: str, address: str, home: str, language: str = ""
) -> str:
    """Returns the tables of the site. `home` is the address of the documentation, or that of the site itself."""
    values = {
        "title": title,
        "base_url": address,
        "language": language,
        "repository": web.base if web else "",
        "host": host.name if host.reads_site else "",
        "output": output if output != OUTPUT else "",
    }
    header = {"text": "Documentation", "url": home} if home != address else {}
    return "\n".join([table("[site]", values), *([table("[[theme.header]]", header)] if header else [])])
