"""Proposes a site.toml for the glossaries found in a repository, and the files that the host needs
(`sitegen init`).

`release_choice` chooses the releases of each glossary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen import formats
from sitegen.addresses.urls import ARCHIVE
from sitegen.config import SITE_TOML
from sitegen.config.forges import Web, web_of
from sitegen.config.hosts import HOSTS, Host, default_address, default_host
from sitegen.config.toml import table_text
from sitegen.config.values import as_name
from sitegen.model import Document, Notify, Problem, SitegenError, Source, first_of, grouped
from sitegen.sources.discovery import find_glossaries
from sitegen.sources.discovery.language_detection import detected_language, sample_texts
from sitegen.sources.discovery.searched_repository import LeftOut, SearchResult
from sitegen.sources.folder_trees import is_site
from sitegen.sources.git.repositories import clones_here, name_of, remote_of
from sitegen.sources.glossary_names import is_context
from sitegen.text.credentials import shown_address
from sitegen.text.names import fold
from sitegen.tools.existing_site import ExistingSite, existing_site
from sitegen.tools.host_setup import advice, set_up, write_new
from sitegen.tools.installation import Installation
from sitegen.tools.proposed_sources import (
    ProposedSource,
    named_sources,
    proposed_table,
    translation_table,
)
from sitegen.tools.release_choice import ReleaseChoice

HEAD = f"""\
# {SITE_TOML}: what the site is made from. `sitegen init` proposed it; change what you like.
# docs/reference-site-toml.md of sitegen describes every key.
"""
GENERAL_NAME = re.compile(r"docs?|documentation|website|site|glossary|wiki", re.I)
"""Matches a name that is not that of a project."""
ENGLISH = "en"
OUTPUT = "site"
"""The default output folder."""
OTHER_OUTPUT = "glossary-site"
"""The output folder if the project already uses a folder with the default name."""
PROMISE = "from then on its addresses and words are kept"
MAX_LEFT_OUT = 8
"""The maximum number of lines about glossaries that are left out."""


@dataclass(frozen=True, kw_only=True)
class ProposedSite:
    """The name of the future site, and the place where it will be shown."""

    host: Host
    web: Web | None
    name: str
    existing: ExistingSite
    output: str

    @property
    def title(self) -> str:
        """The title of the documentation; without one, the name of the repository.

        A repository that is called `docs` or `website` gets the name of its owner: `pytorch` for
        `https://github.com/pytorch/docs`.
        """
        docs_title = as_name(self.existing.title)
        if docs_title and not GENERAL_NAME.fullmatch(docs_title):
            return docs_title
        if self.web and GENERAL_NAME.fullmatch(self.name):
            *_, owner, _repository = self.web.base.rstrip("/").split("/")
            return owner or self.name
        return self.name

    @property
    def home(self) -> str:
        """The address of the site that will contain the glossary, or of the glossary if it is a
        site of its own; empty if unknown."""
        if self.existing.subfolder and self.existing.address:
            return self.existing.address
        return default_address(self.host, self.web)

    @property
    def address(self) -> str:
        """The address of the future glossary; empty if unknown."""
        if self.home and self.existing.subfolder:
            return f"{self.home}{self.existing.subfolder}/"
        return self.home

    def tables(self, language: str = ENGLISH) -> list[str]:
        """Returns the tables about the site."""
        language = "" if language == ENGLISH else language
        values = {"title": self.title, "base_url": self.address, "language": language}
        if self.web:
            values["repository"] = self.web.base
        if self.host.reads_headers:
            values["host"] = self.host.name
        if self.output != OUTPUT:
            values["output"] = self.output
        tables = [table_text("[site]", values)]
        if self.home != self.address:
            link = {"text": "Documentation", "url": self.home}
            tables.append(table_text("[[theme.header]]", link))
        return tables


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A site.toml, and the facts to show about it."""

    text: str
    """The text of site.toml."""
    site: ProposedSite
    sources: tuple[ProposedSource, ...]
    left_out: tuple[LeftOut, ...]
    problems: tuple[Problem, ...]
    elsewhere: frozenset[str]
    """Paths of problems that are not below the folder."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: each glossary, what is left out, and where the site will
        be."""
        # Several sources may have one note, and a problem that says the same is printed elsewhere.
        printed_notes = {problem.found for problem in self.problems}
        for source in self.sources:
            for line in source.lines():
                yield f"  {line}"
            if source.note and source.note not in printed_notes:
                printed_notes.add(source.note)
                yield f"    {source.note}"

        paths_by_reason = grouped((left_out.why, left_out.path) for left_out in self.left_out)
        for why, paths in [*paths_by_reason.items()][:MAX_LEFT_OUT]:
            yield f"  left out, {why}: {first_of(paths)}"

        if self.site.output != OUTPUT:
            taken = f"as {OUTPUT} is another folder of the project"
            yield f"  the site is written to {self.site.output}, {taken}"
        if address := self.site.address:
            advice = "if that is wrong, change base_url before you build"
            yield f"  its address will be {address}; {advice}"


def propose(
    folder: Path,
    *,
    notify: Notify,
    host: Host | None = None,
    repository: str = ".",
    paths: Sequence[str] = (),
) -> Proposal:
    """Returns a site.toml for a repository, by default the one in a folder. Raises `SitegenError`
    without a glossary.

    If `paths` are given, they are the paths of the glossary, newest first. The default `host` is
    the one that publishes the repository already, or the host of its remote.
    """
    notify("Looking for glossaries")
    clones = clones_here(notify)
    search = find_glossaries(repository, root=folder, clones=clones, paths=paths)
    if not search.glossaries:
        raise SitegenError("\n".join(_nothing_found(search, folder, repository, paths)))
    site = _proposed_site(folder, host, repository)
    choice = ReleaseChoice(folder, "\n".join(site.tables()), repository, clones)
    return _proposal(search, site, choice)


def _proposed_site(folder: Path, host: Host | None, repository: str) -> ProposedSite:
    """Returns where the site of a repository will be shown. `host` is the one that the user named,
    or None."""
    remote = remote_of(repository, root=folder)
    web = web_of(remote)
    existing = ExistingSite()
    output = OUTPUT
    if repository == ".":
        existing = existing_site(folder, host=host, default=default_host(web))
        output = _output_folder(folder, existing)
    if host:
        chosen = host
    elif existing.live:
        chosen = HOSTS[existing.live.host]
    else:
        chosen = default_host(web)
    name = as_name(name_of(repository, remote, root=folder)) or "Glossary"
    return ProposedSite(host=chosen, web=web, name=name, existing=existing, output=output)


def _proposal(search: SearchResult, site: ProposedSite, choice: ReleaseChoice) -> Proposal:
    """Returns the site.toml for what a search has found."""
    # First choose the releases of each source, and read the source with them.
    chosen = []
    for source in named_sources(search.glossaries, site.name, site.title):
        chosen.append(choice.with_releases(source))
    read_sources = [choice.read(source) for source in chosen]

    # The language of all sources tells which of the files that were found are translations.
    language = _language(read_sources)
    sources = []
    problems: list[Problem] = []
    elsewhere: set[str] = set()
    for source, read in zip(chosen, read_sources, strict=True):
        with_translations = choice.with_translations(source, language)
        sources.append(replace(with_translations, releases=read.releases))
        problems += read.problems
        elsewhere |= read.elsewhere

    tables = site.tables(language)
    for source in sources:
        tables.append(proposed_table(source, choice.repository))
    for source in sources:
        tables += [translation_table(source, one) for one in source.translations]
    for name in _names_of_contexts(read_sources):
        # A table with a single name: the sources use it for different terms.
        tables.append(table_text("[[distinct]]", {"names": (name,)}))
    return Proposal(
        text="\n".join([HEAD, *tables]),
        site=site,
        sources=tuple(sources),
        left_out=search.left_out,
        problems=tuple(dict.fromkeys(problems)),  # each one once
        elsewhere=frozenset(elsewhere),
    )


def _output_folder(folder: Path, existing: ExistingSite) -> str:
    """Returns the output folder: the default one, unless the documentation or another part of the
    project uses it."""
    if existing.docs and existing.docs.output == OUTPUT:
        return OTHER_OUTPUT
    if (folder / OUTPUT).is_dir() and not is_site(folder / OUTPUT):
        return OTHER_OUTPUT
    return OUTPUT


def _nothing_found(
    search: SearchResult, folder: Path, repository: str, paths: Sequence[str]
) -> Iterator[str]:
    """Yields why a repository has no glossary, and what to do."""
    place = shown_address(str(folder) if repository == "." else repository)
    if search.problems:
        for problem in search.problems:
            yield f"{place}: {problem.found}"
        return
    if paths:
        wanted = "name a file or folder that its branch has"
        yield f"{place}: the repository has no {paths[0]} with terms in it; {wanted}"
    else:
        for left_out in search.left_out[:MAX_LEFT_OUT]:
            yield f"{left_out.path}: {left_out.why}"
        wanted = "files called glossary, terms or the like are looked for in its newest state"
        wanted += "; --path names another one, also one that only older releases have"
        yield f"{place}: no glossary was found in this repository; {wanted}"
    modules = folder / ".gitmodules"
    if repository == "." and modules.is_file():
        yield f"{modules}: a submodule is a repository of its own; run `sitegen init` in its folder"


def write(proposal: Proposal, folder: Path, *, installed: Installation) -> Iterator[str]:
    """Writes site.toml and the files for the host into a repository. Yields the lines to print,
    with the next steps. `installed` is how the host installs sitegen.

    Raises `SitegenError` if there is a site.toml already.
    """
    path = folder / SITE_TOML
    other_path = folder / "content" / SITE_TOML
    if other_path.exists():
        found = "is there already, and `sitegen build` reads it"
        raise SitegenError(f"{other_path}: {found}; edit it, or delete it first")
    if not write_new(path, proposal.text):
        raise SitegenError(
            f"{path}: is there already, and was not changed; `sitegen init --dry-run` shows the "
            f"proposed one, and `--host` writes only what a host needs"
        )
    yield f"{path}:"
    yield from proposal.lines()
    site = proposal.site
    archive = f"{site.address}{ARCHIVE}" if site.address else ""
    yield from set_up(
        site.host,
        folder,
        installed=installed,
        output=site.output,
        existing=site.existing,
        archive=archive,
    )
    yield "Next:"
    yield from _next_steps(site, folder, installed)


def _next_steps(site: ProposedSite, folder: Path, installed: Installation) -> Iterator[str]:
    """Yields the remaining steps in their order, and says which of them publishes."""
    is_current_folder = folder == Path()
    argument = "" if is_current_folder else f" {folder}"
    subfolder = site.existing.subfolder
    if site.host.file and not site.address:
        end = f", with /{subfolder}/ at its end" if subfolder else ""
        yield f"  set base_url in site.toml, if you know the address of the site{end}"
    yield f"  sitegen serve --open{argument}   shows the site here; nothing is promised yet"
    yield f"  sitegen check{argument}   says what to mend first, such as terms that may be renamed"

    to_push = f"  commit what is new, and push: that publishes, and {PROMISE}"
    if site.existing.live:
        add = "add the lines above to what publishes the site"
        yield f"  {add}: without them, a push publishes no glossary"
        yield to_push
    else:
        for step in advice(site.host, installed, output=site.output):
            yield f"  {step}"
        if site.host.name == "none":
            yield f"  sitegen publish{argument}   puts it on the branch gh-pages, and {PROMISE}"
        else:
            yield to_push
    if subfolder and site.address:
        yield f"  link to {site.address} from a page of your documentation"


def _language(sources: Iterable[Source]) -> str:
    """Returns the language of the newest definitions; English if it is unknown."""
    texts: list[str] = []
    for source in sources:
        texts += sample_texts(_newest_documents(source))
    return detected_language(texts) or ENGLISH


def _newest_documents(source: Source) -> Sequence[Document]:
    """Returns the documents of the newest release that has any."""
    for release in reversed(source.releases):
        if release.documents:
            return release.documents
    return ()


def _names_of_contexts(sources: Iterable[Source]) -> Iterable[str]:
    """Returns the names that several files CONTEXT.md define today. Each of these files is the
    glossary of one part of a system, and a name has another meaning in each part."""
    earlier_names: dict[str, str] = {}
    shared_names: dict[str, str] = {}
    for source in sources:
        own_names: dict[str, str] = {}
        for document in _newest_documents(source):
            if not is_context(document.name):
                continue
            for entry in formats.read(document).entries:
                own_names[fold(entry.name)] = entry.name
        for key in sorted(earlier_names.keys() & own_names.keys()):
            shared_names.setdefault(key, earlier_names[key])
        earlier_names |= own_names
    return shared_names.values()
