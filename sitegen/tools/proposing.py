"""Proposes a site.toml for the glossaries found in a repository, and the files that the host needs (`sitegen init`).

Each proposed source is read once before, to check that it works and to choose and show its releases.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.addresses.urls import LEDGER
from sitegen.config import parsing as configuration
from sitegen.config.forges import Web, web_of
from sitegen.config.hosts import HOSTS, Host, address, advice, default_host
from sitegen.config.patterns import literal
from sitegen.config.toml import key_value, table
from sitegen.config.values import LANGUAGES, as_id, as_name
from sitegen.history.translation_states import pair
from sitegen.model import Notify, Problem, ProblemKind, Release, SitegenError, counted, grouped, immutable
from sitegen.sources.discovery import SearchResult, find_glossaries
from sitegen.sources.discovery.choice import FoundGlossary, FoundTranslation, LeftOut
from sitegen.sources.discovery.classification import detected_language
from sitegen.sources.git.dated_states import STALE, Survey, period_of, survey
from sitegen.sources.git.repositories import Clones, clones_here, name_of, remote_of
from sitegen.sources.git.trees import PLACEHOLDER
from sitegen.sources.glossary_names import is_context
from sitegen.sources.open_folders import is_site
from sitegen.sources.reading import LoadedSource, read_sources
from sitegen.sources.safe_files import read
from sitegen.sources.translated_sources import history_of, read_logs, source_table
from sitegen.text.decoding import MAX_BYTES
from sitegen.text.names import fold
from sitegen.text.regex import regex
from sitegen.text.release_names import parse_label
from sitegen.tools.host_setup import ExistingSite, existing_site, installation, set_up, write_new

NAME = "site.toml"

HEAD = f"""\
# {NAME}: what the site is made from. `sitegen init` proposed it; change what you like.
# docs/reference-site-toml.md of sitegen describes every key.
"""


OUTPUT = "site"
"""The default output folder."""
CONTEXT_MAP = "CONTEXT-MAP.md"
_MAP_LINK = regex(r"\[([^\[\]]+)\]\(([^()\s#]+)\)")
OTHER_OUTPUT = "glossary-site"
"""The output folder if the project already uses a folder with the default name."""
SHOWN = 8
"""The maximum number of lines about glossaries that are left out."""
MAX_PATTERNS = 8
"""The maximum number of patterns for tags that are proposed."""
MAX_DOCUMENTS = 60
"""The maximum number of documents of a source that are read to find its language."""
ENOUGH = 20_000
"""The number of characters of a source after which no further document is read to find its language."""


class ProposedTranslation(NamedTuple):
    """A translation of a source."""

    found: FoundTranslation
    entries: int
    unpaired: tuple[str, ...]
    """The names of terms whose original was not found."""


@immutable
class ProposedSource:
    """A glossary as a source."""

    glossary: FoundGlossary
    id: str
    title: str
    head: str = ""
    """The branch that is read as unreleased."""
    tags: tuple[str, ...] = ()
    by: str = ""
    branches: str = ""
    maintained: str = ""
    """A pattern for branches that could be its releases instead of tags."""
    versions: str = ""
    paths: tuple[str, ...] = ()
    """Empty if `versions` has them all."""
    note: str = ""
    """The reason for the choice of releases, if they are not simply the tags."""
    releases: tuple[Release, ...] = ()
    """The releases that reading the source gives; of a section those that have it."""
    translations: tuple[ProposedTranslation, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yields the lines that `sitegen init` prints about it, but for its note, which other sources may share."""
        newest, *before = self.glossary.paths
        section = f", section “{self.glossary.section}”" if self.glossary.section else ""
        earlier = f" (before that {', '.join(before[:3])}{', …' if len(before) > 3 else ''})" if before else ""
        released = [release.name for release in self.releases if not release.unreleased]
        span = "not in a release yet"
        if released:
            names = released[0] if len(released) == 1 else f"{released[0]} to {released[-1]}"
            span = f"{counted(len(released), 'dated state' if self.by else 'release')}, {names}"
        yield f"{newest}{section}{earlier}: {counted(self.glossary.entries, 'term')}, {span}"
        if self.maintained:
            line = key_value("branches", (self.maintained,)).strip()
            yield f"  {line} in site.toml would read the newest words of each branch instead of the tags"
        if not self.glossary.is_current:
            yield f"  it was last there in {self.glossary.last}"
        for one in self.translations:
            places = ", ".join(one.found.patterns) or "the same files"
            more = f" and {len(one.unpaired) - SHOWN:,} more" if len(one.unpaired) > SHOWN else ""
            without = f"; without an original: {', '.join(one.unpaired[:SHOWN])}{more}" if one.unpaired else ""
            yield f"  {one.found.language}: {counted(one.entries, 'term')} in {places}{without}"


@immutable
class ProposedSite:
    """Where the site will be shown, and what it is called."""

    host: Host
    web: Web | None
    name: str
    existing: ExistingSite
    output: str

    @property
    def title(self) -> str:
        """The repository's name, or its owner's if it is called `docs` or `website`."""
        owner = self.web.base.rstrip("/").split("/")[-2] if self.web else ""
        is_general = re.fullmatch(r"docs?|documentation|website|site|glossary|wiki", self.name, re.I)
        return owner if owner and is_general else self.name

    @property
    def address(self) -> str:
        """The address of the future site; empty if unknown."""
        home = address(self.host, self.web)
        return f"{home}{self.existing.place}/" if home and self.existing.place else home

    def tables(self, language: str = "") -> list[str]:
        """Returns the tables about the site."""
        values = {
            "title": self.title,
            "base_url": self.address,
            "language": language,
            "repository": self.web.base if self.web else "",
            "host": self.host.name if self.host.reads_site else "",
            "output": self.output if self.output != OUTPUT else "",
        }
        home = address(self.host, self.web)
        link = table("[[theme.header]]", {"text": "Documentation", "url": home})
        return [table("[site]", values), *([link] if home != self.address else [])]


@immutable
class Proposal:
    """A site.toml, and the facts to show about it."""

    text: str
    """The text of site.toml."""
    site: ProposedSite
    sources: tuple[ProposedSource, ...]
    former: tuple[FoundGlossary, ...]
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
        yield from (f"  left out, as it was last there in {one.last}: {one.paths[0]}" for one in self.former[:SHOWN])
        for why, paths in [*grouped((one.why, one.path) for one in self.left_out).items()][:SHOWN]:
            more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
            yield f"  left out, {why}: {', '.join(paths[:3])}{more}"
        if self.site.output != OUTPUT:
            yield f"  the site is written to {self.site.output}, as {OUTPUT} is another folder of the project"
        if address := self.site.address:
            yield f"  its address will be {address}; if that is wrong, change base_url before you build"


def propose(
    folder: Path,
    *,
    notify: Notify,
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
    notify("Looking for glossaries")
    clones = clones_here(notify)
    search = find_glossaries(repository, root=folder, clones=clones, paths=paths)
    if not search.glossaries:
        raise SitegenError("\n".join(_nothing_found(search, folder, repository, paths)))
    site = _proposed_site(folder, host, into=into, repository=repository)
    choice = _ReleaseChoice(folder, "\n".join(site.tables()), repository, clones)
    return _proposal(search, site, choice)


def _proposed_site(folder: Path, host: Host | None, *, into: str | None, repository: str) -> ProposedSite:
    web = web_of(remote_of(repository, root=folder))
    host = host or (HOSTS["netlify"] if (folder / HOSTS["netlify"].file).is_file() else default_host(web))
    existing, output = ExistingSite(), OUTPUT
    if repository == ".":
        existing = existing_site(host, folder, into=into)
        output = _output(folder, existing)
    name = as_name(name_of(repository, root=folder)) or "Glossary"
    return ProposedSite(host=host, web=web, name=name, existing=existing, output=output)


def _proposal(search: SearchResult, site: ProposedSite, choice: _ReleaseChoice) -> Proposal:
    current = tuple(one for one in search.glossaries if one.is_current) or search.glossaries
    titles = _context_titles(choice.folder) if choice.repository == "." else {}
    sources = tuple(map(choice.with_releases, _named_sources(current, site.name, site.title, titles)))
    loaded_sources = tuple(map(choice.read, sources))
    language = _language(loaded_sources)
    sources = tuple(choice.with_translations(source, language or "en") for source in sources)
    tables = [*site.tables(language), *(_source_table(source, choice.repository) for source in sources)]
    tables += [_translation_table(source, one.found) for source in sources for one in source.translations]
    tables += [table("[[distinct]]", {"names": (name,)}) for name in _names_of_several_contexts(loaded_sources)]
    return Proposal(
        text="\n".join([HEAD, *tables]),
        site=site,
        sources=tuple(
            replace(one, releases=_releases(one, loaded)) for one, loaded in zip(sources, loaded_sources, strict=True)
        ),
        former=tuple(one for one in search.glossaries if one not in current),
        left_out=search.left_out,
        problems=tuple(dict.fromkeys(problem for loaded in loaded_sources for problem in loaded.problems)),
        elsewhere=frozenset().union(*(loaded.elsewhere for loaded in loaded_sources)),
    )


def _releases(source: ProposedSource, loaded: LoadedSource) -> tuple[Release, ...]:
    if not source.glossary.section:
        return loaded.source.releases
    names = {document.release for document in loaded.documents if formats.read(document).entries}
    return tuple(release for release in loaded.source.releases if release.name in names)


def _output(folder: Path, existing: ExistingSite) -> str:
    """Returns the output folder: the default one, unless the documentation or another part of the project uses it."""
    is_of_docs = existing.docs is not None and existing.docs.output == OUTPUT
    is_taken = is_of_docs or ((folder / OUTPUT).is_dir() and not is_site(folder / OUTPUT))
    return OTHER_OUTPUT if is_taken else OUTPUT


def _nothing_found(search: SearchResult, folder: Path, repository: str, paths: Sequence[str]) -> Iterator[str]:
    place = folder if repository == "." else repository
    if search.problems:
        yield from (f"{place}: {problem.found}" for problem in search.problems)
        return
    if paths:
        wanted = "name a file or folder that its branch has"
        yield f"{place}: the repository has no {paths[0]} with terms in it; {wanted}"
    else:
        wanted = "glossaries are looked for by name; name one with another name with --path"
        yield from (f"{one.path}: {one.why}" for one in search.left_out[:SHOWN])
        yield f"{place}: no glossary was found in this repository; {wanted}"
    modules = folder / ".gitmodules"
    if repository == "." and modules.is_file():
        yield f"{modules}: a submodule is a repository of its own; run `sitegen init` in its folder"


def write(proposal: Proposal, folder: Path) -> Iterator[str]:
    """Writes site.toml and the files for the host into a repository. Yields the lines to print, with the next steps.

    Raises `SitegenError` if there is a site.toml already.
    """
    path, built = folder / NAME, folder / "content" / NAME
    if built.exists():
        raise SitegenError(f"{built}: is there already, and `sitegen build` reads it; edit it, or delete it first")
    if not write_new(path, proposal.text):
        message = "`sitegen init --dry-run` shows the proposed one, and `--host` writes only what a host needs"
        raise SitegenError(f"{path}: is there already, and was not changed; {message}")
    yield f"{path}:"
    yield from proposal.lines()
    site = proposal.site
    ledger = f"{site.address}{LEDGER}" if site.address else ""
    yield from set_up(site.host, folder, output=site.output, existing=site.existing, ledger=ledger)
    yield "Next:"
    if site.host.file and not site.address:
        place = f", with /{site.existing.place}/ at its end" if site.existing.place else ""
        yield f"  set base_url in site.toml, if you know the address of the site{place}"
    yield f"  sitegen build {'' if folder == Path() else folder}".rstrip()
    if site.existing.place and site.address:
        yield f"  link to {site.address} from a page of your documentation"
    yield "  commit all of it, and push"
    if site.host.advice and not site.existing.live:
        yield f"  {advice(site.host, install=installation().command, output=site.output)}"


def has_site(folder: Path) -> bool:
    """True for a repository that has a site.toml where `sitegen build` looks for it."""
    return (folder / NAME).exists() or (folder / "content" / NAME).exists()


def _language(loaded_sources: Iterable[LoadedSource]) -> str:
    """Returns the language of the newest definitions; empty if it is English or has no interface."""
    texts: list[str] = []
    for loaded in loaded_sources:
        newest = [one for one in reversed(loaded.documents) if one.release == loaded.documents[-1].release]
        read = 0
        for document in newest[:MAX_DOCUMENTS]:
            added = [f"{entry.name} {entry.definition.text}" for entry in formats.read(document).entries]
            texts += added
            read += sum(map(len, added))
            if read > ENOUGH:
                break
    language = detected_language(texts)
    interface_languages = {name.partition("-")[0] for name in LANGUAGES} - {"en"}
    return language if language.partition("-")[0] in interface_languages else ""


def _names_of_several_contexts(loaded_sources: Iterable[LoadedSource]) -> Iterator[str]:
    """Yields each name that several contexts define today, which is another term in each of them."""
    found: dict[str, str] = {}
    for loaded in loaded_sources:
        newest = [
            one for one in loaded.documents if one.release == loaded.documents[-1].release and is_context(one.name)
        ]
        names = {fold(entry.name): entry.name for one in newest for entry in formats.read(one).entries}
        yield from (found[key] for key in sorted(found.keys() & names.keys()))
        found |= names


# The sources, and the choice of their releases.


def _context_titles(folder: Path) -> Mapping[str, str]:
    """Returns the names that CONTEXT-MAP.md gives to contexts in its links, by the paths of their glossaries."""
    try:
        text = read(folder / CONTEXT_MAP, limit=MAX_BYTES).decode(errors="replace")
    except OSError:
        return {}
    return {posixpath.normpath(target): as_name(title) for title, target in _MAP_LINK.findall(text)}


def _named_sources(
    glossaries: Sequence[FoundGlossary], name: str, title: str, titles: Mapping[str, str]
) -> tuple[ProposedSource, ...]:
    """Returns the sources with ids and titles: of the project for a single one, else those of their files."""
    if len(glossaries) == 1:
        return (ProposedSource(glossary=glossaries[0], id=as_id(name), title=title),)
    used_ids: set[str] = set()
    sources = []
    for glossary in glossaries:
        path = PurePosixPath(glossary.paths[0])
        base = as_id(str(path.with_suffix("")))
        numbered = (base, *(f"{base}-{number}" for number in range(2, len(glossaries) + 1)))
        id = next(candidate for candidate in numbered if candidate not in used_ids)
        used_ids.add(id)
        own_title = titles.get(str(path)) or str(path)
        sources.append(ProposedSource(glossary=glossary, id=id, title=own_title))
    return tuple(sources)


@dataclass(frozen=True, slots=True)
class _ReleaseChoice:
    """Chooses the kind of releases of a glossary by reading it with each candidate configuration."""

    folder: Path
    site: str
    repository: str
    clones: Clones
    loaded_sources: dict[str, LoadedSource] = field(default_factory=dict)
    """A cache of the loaded sources, by the text of site.toml."""

    def _site_toml(self, source: ProposedSource) -> str:
        return f"{self.site}\n{_source_table(source, self.repository)}"

    def read(self, source: ProposedSource) -> LoadedSource:
        """Returns the loaded source of a proposal. Each proposal is read once."""
        text = self._site_toml(source)
        if text not in self.loaded_sources:
            (self.loaded_sources[text],) = read_sources(
                configuration.parse(text, path="site.toml"), self.folder, clones=self.clones
            )
        return self.loaded_sources[text]

    def with_releases(self, source: ProposedSource) -> ProposedSource:
        """Returns a source with releases chosen from the project's tags, folders, branches or dated states."""
        loaded = self.read(replace(source, head=""))
        has_terms = any(formats.read(document).entries for document in reversed(loaded.documents))
        tagged = [release for release in loaded.source.releases if not release.unreleased and has_terms]
        released = tagged[-1].date if tagged else None
        translated = [path for one in source.glossary.translations for path in one.patterns] if tagged else []
        facts = survey(
            self.repository,
            root=self.folder,
            clones=self.clones,
            paths=(*source.glossary.patterns, *translated),
            released=released,
        )
        folders = self._of_folders(source)
        if folders and len(folders.releases) > len(tagged):
            return folders
        is_of_version = not facts.are_few and fnmatchcase(facts.branch, facts.branches)
        if tagged and not is_of_version:
            source = replace(source, maintained=facts.branches)
            return self._with_head(self._pinned(source, loaded), tagged[-1], facts)
        if facts.branches and not facts.are_few:
            note = f"the branches {facts.branches} are its releases"
            return replace(source, branches=facts.branches, head=facts.branch, note=note)
        if facts.newest and facts.day and facts.day - facts.newest < STALE and source.glossary.is_current:
            return replace(source, head=source.glossary.last)
        by = period_of(facts.days)
        note = f'no tag has it, so its history is by {by}; once a tag has it, add tags = ["v[0-9]*"] and keep `by`'
        return replace(source, by=by, note=note)

    def with_translations(self, source: ProposedSource, language: str) -> ProposedSource:
        """Returns a source, which is in `language`, with its translations and their terms without an original."""
        found = {one.language: one for one in source.glossary.translations if one.language != language}
        if not found or source.versions:
            return source
        tables = [_translation_table(source, one) for one in found.values()]
        config = configuration.parse("\n".join([self._site_toml(source), *tables]), path="site.toml")
        (table,) = config.sources
        own_tables = [source_table(table, one) for one in config.translations]
        logs, _ = read_logs([table, *own_tables], root=self.folder, clones=self.clones, max_bytes=0)
        original = logs[table.id]
        originals = history_of(original, original)[0].current
        proposed = []
        for one, own_table in zip(found.values(), own_tables, strict=True):
            own = history_of(logs[own_table.id], original)[0].current
            paired = pair(originals, own).originals
            unpaired = tuple(entry.name for key, entry in own.items() if key not in paired)
            proposed += [ProposedTranslation(one, len(own), unpaired)] if own else []
        return replace(source, translations=tuple(proposed))

    def _of_folders(self, source: ProposedSource) -> ProposedSource | None:
        """Returns the source with its folders of versions as releases, if there are at least two."""
        template = source.glossary.versions
        if not template:
            return None
        newest = source.glossary.paths[0]
        parts, placeholders = newest.split("/"), template.split("/")
        is_version = len(parts) == len(placeholders) and all(
            one in (other, PLACEHOLDER) for one, other in zip(placeholders, parts, strict=True)
        )
        candidate = replace(source, versions=template, paths=() if is_version else (newest,), head="")
        loaded = self.read(candidate)
        released = tuple(release for release in loaded.source.releases if not release.unreleased)
        note = f"the folders {template} are its releases"
        return replace(candidate, note=note, releases=released) if len(released) > 1 else None

    def _with_head(self, source: ProposedSource, newest: Release, facts: Survey) -> ProposedSource:
        """Returns the source with its branch as unreleased, if that has changed long after the newest release."""
        later = [day for day in facts.days if newest.date and day > newest.date]
        if not later or not newest.date or later[-1] - newest.date < STALE or not source.glossary.is_current:
            return source
        note = (
            f"the newest release, {newest.name}, is of {newest.date}; "
            f"{counted(len(later), 'change')} since then are read from {facts.branch}"
        )
        return replace(source, head=facts.branch, note=note)

    def _pinned(self, source: ProposedSource, loaded: LoadedSource) -> ProposedSource:
        """Returns the source with patterns for its tags, if the repository has other tags too."""
        note = next((one.found for one in loaded.problems if one.kind == ProblemKind.OTHER_TAGS), "")
        if not note:
            return source
        labels = {document.path.partition(":")[0] for document in loaded.documents}
        patterns = tuple(sorted({f"{literal(parse_label(label).prefix)}[0-9]*" for label in labels}))
        pinned = replace(source, tags=patterns, note=note)
        skipped = [tag for one in loaded.source.skipped if one.reason == "other" for tag in one.names]
        matching = [label for label in labels if any(fnmatchcase(label, pattern) for pattern in patterns)]
        too_wide = any(fnmatchcase(tag, pattern) for tag in skipped for pattern in patterns)
        # A tag may have no number behind its prefix.
        if len(patterns) > MAX_PATTERNS or too_wide or len(matching) < len(labels):
            return replace(source, note=note)
        # The patterns match the same tags, so reading them would give the same again.
        remaining = tuple(problem for problem in loaded.problems if problem.kind != ProblemKind.OTHER_TAGS)
        self.loaded_sources[self._site_toml(pinned)] = replace(loaded, problems=remaining)
        return pinned


def _translation_table(source: ProposedSource, found: FoundTranslation) -> str:
    return table("[[translation]]", {"of": source.id, "language": found.language, "paths": found.patterns})


def _source_table(source: ProposedSource, repository: str) -> str:
    """Returns the `[[source]]` table of a source."""
    paths = tuple(map(literal, source.paths)) if source.versions else source.glossary.patterns
    return table(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            "git": repository,
            "versions": source.versions,
            "paths": paths,
            "format": source.glossary.format,
            "section": source.glossary.section,
            "tags": source.tags,
            "branches": source.branches,
            "by": source.by,
            "head": source.head,
        },
    )
