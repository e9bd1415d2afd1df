"""Runs a build: reads a folder of glossaries, assembles the site (`assembly`), and writes it into a
folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.model import (
    File,
    Notify,
    Problem,
    ProblemKind,
    ProblemsError,
    Source,
    Trouble,
    counted,
    first_of,
)
from sitegen.permanence import composition_notes
from sitegen.permanence.archive_file import (
    ArchiveStore,
    PublishedArchive,
    archive_store_in,
    check_locked,
    replacing,
)
from sitegen.permanence.archive_file import read as read_archive
from sitegen.permanence.archive_lines import ArchiveError, dump
from sitegen.pipeline.assembly import assemble, next_archive, parts, published_paths
from sitegen.pipeline.output import SiteTree, rebuilding
from sitegen.pipeline.suggestions import suggestions
from sitegen.pipeline.workers import render_parts
from sitegen.site import exports
from sitegen.site.site import Site
from sitegen.site.templates import read_templates
from sitegen.site.theme import extra_pages, page_texts, themed
from sitegen.sources.git.repositories import Clones, clones_here
from sitegen.sources.parsed_sources import compared_entries, entries_of
from sitegen.sources.projects import Project
from sitegen.sources.reading import Glossaries, SourceReader, read_config
from sitegen.text.credentials import without_user
from sitegen.text.names import fold

NO_LANGUAGE = frozenset({ProblemKind.SETTINGS, ProblemKind.REPOSITORY})
"""The kinds of problems for which a translation is not read."""
FAULT = "this is an error in sitegen: please report it"
NO_TERMS = "no term was read here"
LOOK_FOR_IT = (
    "`sitegen init` looks for a glossary in a repository; else name its folder or file in site.toml"
)
NO_RELEASE = (
    "site.toml leaves out every published release; correct [[retired]], or `tags` and `paths`"
)


@dataclass(frozen=True, kw_only=True)
class Built:
    """The outcome of a build."""

    counts: dict[str, int]
    """The numbers of terms, releases, changes, problems and files."""
    problems: tuple[Problem, ...]
    """Their paths are relative to the current folder."""
    notes: tuple[str, ...] = ()
    """Messages that are about no mistake in a document."""


@dataclass(frozen=True, kw_only=True)
class BuildInputs:
    """All inputs of a build, as they were read."""

    folder: Path
    """The folder of site.toml."""
    output: Path
    """The folder of the site."""
    config: Config
    glossaries: Glossaries
    archive_store: ArchiveStore | None
    published: PublishedArchive
    templates: Mapping[str, str]

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The paths of documents and problems that are not files in the folder."""
        paths: set[str] = set()
        for source in self._all_sources():
            paths.update(map(without_user, source.elsewhere))
        return frozenset(paths)

    def shown_path(self, path: str) -> str:
        """Returns a path in `folder` as one relative to the current folder."""
        return path if path in self.elsewhere else str(self.folder / path)

    def located(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """Returns problems with paths relative to the current folder."""
        return tuple(located(problems, self.folder, elsewhere=self.elsewhere))

    @cached_property
    def facts(self) -> Sequence[object]:
        """All that was read for the site. Two readings with equal facts give the same site."""
        facts: list[object] = [self.config, self.templates, self.published]
        facts.append(self.glossaries.problems)
        for source in self._all_sources():
            # Sources and releases are equal even if some of their parts differ.
            facts += [source, source.problems, source.images, source.elsewhere]
            releases = [*source.releases]
            if source.pending:
                releases.append(source.pending)
            for release in releases:
                facts += [release, release.documents, release.unread]
        for translation in self.glossaries.translations:
            for log in (translation.original_log, translation.own_log):
                commits = [one.commit for one in log.commits]
                facts += [commits, log.current, log.is_complete]
        return facts

    def _all_sources(self) -> Iterator[Source]:
        """Yields the sources, and their translations."""
        yield from self.glossaries.sources
        for translation in self.glossaries.translations:
            yield translation.source


def build(
    folder: Path,
    output: Path,
    *,
    notify: Notify,
    clones: Clones,
    config: Config | None = None,
    archive_store: ArchiveStore | None = None,
) -> Built:
    """Builds the site of a folder into another folder, and returns the outcome.

    Keeps what was published in `archive_store`, if any, and adds what is new to its archive.
    Raises SitegenError; the site and the archive are then unchanged.
    """
    notify("Reading")
    inputs = read_inputs(folder, output, clones=clones, config=config, archive_store=archive_store)
    notify("Comparing")
    site = assembled(inputs)
    check_languages(site, inputs)
    return write(site, inputs, notify=notify)


def read_inputs(
    folder: Path,
    output: Path,
    *,
    clones: Clones,
    config: Config | None = None,
    archive_store: ArchiveStore | None = None,
    working_copy: bool = False,
) -> BuildInputs:
    """Reads the inputs of the site in `output`; with `working_copy`, saved files that are not
    committed count too. Raises SitegenError if the inputs cannot be read."""
    config = config or configured(folder)
    published = PublishedArchive()
    if archive_store:
        published = read_archive(archive_store, site=output)
    reader = SourceReader(
        folder,
        clones=clones,
        skip=(output,),
        published=published.archive.releases,
        working_copy=working_copy,
    )
    return BuildInputs(
        folder=folder,
        output=output,
        config=config,
        glossaries=reader.read(config),
        archive_store=archive_store,
        published=published,
        templates=themed(read_templates(), config.theme, folder),
    )


def read_site(
    project: Project, *, notify: Notify, archive_store: ArchiveStore | None = None
) -> tuple[BuildInputs, Site]:
    """Returns the inputs and the site of a project, and writes nothing. By default, the archive is
    that beside site.toml."""
    notify("Reading")
    if archive_store is None:
        # As in the preview, nothing is published and nothing written.
        archive_store = archive_store_in(project.folder, purpose="preview")
    inputs = read_inputs(
        project.folder,
        Path("site"),  # the default of --output
        clones=clones_here(notify),
        config=project.config,
        archive_store=archive_store,
    )
    notify("Comparing")
    return inputs, assembled(inputs)


def assembled(inputs: BuildInputs) -> Site:
    """Returns the site from which pages are rendered. Raises SitegenError if it has no terms."""
    site = assemble(inputs.config, inputs.glossaries, inputs.published.archive)
    if not site.lives:
        raise ProblemsError(_causes(site, inputs))
    return replace(site, extra_pages=extra_pages(page_texts(inputs.templates)))


def _causes(site: Site, inputs: BuildInputs) -> Iterator[Problem]:
    """Yields the problems of a site without terms, and the problem that it has none."""
    problems = inputs.located(site.problems)
    yield from problems
    if site.composed.withdrawn:
        yield Trouble(ProblemKind.MISSING, NO_RELEASE).at(str(inputs.folder))
    elif len(problems) != 1:  # a single problem is the cause, and says enough
        yield Trouble(ProblemKind.MISSING, NO_TERMS, LOOK_FOR_IT).at(str(inputs.folder))


def check_languages(site: Site, inputs: BuildInputs) -> None:
    """Raises `ArchiveError` if a published language could not be read, and the site must be whole.
    Any other site is built without the language."""
    store = inputs.archive_store
    if not site.unread_folders or store is None or not store.must_be_whole:
        return
    reasons = []
    for problem in inputs.located(site.problems):
        if problem.kind in NO_LANGUAGE:
            reasons.append(str(problem))
    folders = ", ".join(site.unread_folders)
    found = f"{store.path}: the published pages in {folders} need files that were not read"
    raise ArchiveError("\n".join([*reasons, f"{found}; nothing was built"]))


def write(site: Site, inputs: BuildInputs, *, notify: Notify) -> Built:
    """Writes a site into its folder and the next archive beside site.toml, and returns the outcome.

    Raises as `build` does.
    """
    notify("Writing")
    store = inputs.archive_store
    if store and store.purpose == "preview":
        store = None  # nothing is published
    archive = inputs.published.archive
    exchange = None
    if store:
        # If a part of the archive could not be read, nothing is added to it.
        if not inputs.published.unread:
            archive = next_archive(site)
        check_locked(store, inputs.published.archive, archive)
        exchange = replacing(store, inputs.published.archive, archive, site=inputs.output)
    with rebuilding(inputs.output, during_exchange=exchange) as tree:
        render_parts(
            tuple(parts(site, inputs.templates)),
            tree,
            progress=lambda share: notify(f"Writing, {share:.0%}"),
        )
        if store:
            tree.put(File(path=urls.ARCHIVE, content=dump(archive).encode()))
            _check_addresses(site, tree.digests.keys())
        return _outcome(site, inputs, tree)


def _check_addresses(site: Site, paths: Collection[str]) -> None:
    """Raises `ArchiveError` if a published address is no file of a site. `paths` are those of all
    files. A language that could not be read is left out (`check_languages`)."""
    for each_site in (site, *site.language_sites):
        for path_in_folder in published_paths(each_site.addresses.archive):
            path = f"{each_site.folder}{path_in_folder}"
            is_of_unread_language = path.startswith(site.unread_folders)
            if path not in paths and not is_of_unread_language:
                raise ArchiveError(f"/{path} was published and would be lost: {FAULT}")


def _outcome(site: Site, inputs: BuildInputs, tree: SiteTree) -> Built:
    """Returns the outcome of a build."""
    published = inputs.published
    all_notes = [*published.unread, *_notes(site, inputs.glossaries.sources)]
    was_published = published.archive or published.unread
    # Renames are urgent before a site is published: from then on its addresses stay.
    if inputs.archive_store and not was_published:
        all_notes += _note_on_renames(site, inputs.config)
    return Built(
        counts={**site.counts, "problems": len(site.problems), "files": len(tree.digests)},
        problems=inputs.located(site.problems),
        notes=tuple(all_notes),
    )


def _notes(site: Site, sources: Iterable[Source]) -> Iterator[str]:
    """Yields the notes about a site, each as one line. `sources` are as they were read; those of
    the site are completed by the archive."""
    for source in sources:
        yield from _unread_tags(source)
        yield from _unreleased_edits(site, source)
    for each_site in (site, *site.language_sites):
        yield from composition_notes.notes(each_site.composed)
    yield from _former_addresses(site)
    yield from exports.notes(site)


def _unread_tags(source: Source) -> Iterator[str]:
    """Yields a note about the tags that repeat a release, and one about the tags of a maintenance
    line. Other tags, such as pre-releases, need none."""
    for skipped in source.skipped:
        tags = f"{counted(len(skipped.names), 'tag')} ({first_of(skipped.names)})"
        found = f"{source.id}: {tags} not read:"
        if skipped.reason == "alias":
            yield f"{found} moving or repeating a release"
        elif skipped.reason == "maintenance":
            wanted = "a [[source]] with `tags` of their own reads such a line"
            wanted += "; exclude leaves out a stray tag"
            yield f"{found} of an older line, with other words; {wanted}"


def _unreleased_edits(site: Site, source: Source) -> Iterator[str]:
    """Yields a line with the number of terms that were changed since the newest release, if the
    site does not show the branch with the changes."""
    if source.pending is None:
        return
    # The source as it was read may lack releases that the archive has.
    newest = site.source(source.id).releases[-1]
    released_entries = compared_entries(newest.entries)
    pending_entries = compared_entries(entries_of(source.pending.documents))
    changed_entries = released_entries ^ pending_entries  # those that are in only one of the two
    # A reworded term is there twice, perhaps with another spelling of its name: it counts once.
    name_of_folded: dict[str, str] = {}
    for name in sorted(entry.designations[0].text for entry in changed_entries):
        name_of_folded.setdefault(fold(name), name)
    if not name_of_folded:
        return
    names = sorted(name_of_folded.values())
    are = "is" if len(names) == 1 else "are"
    terms = f"{counted(len(names), 'term')} changed since {newest.name} {are}"
    wanted = f'head = "{source.pending.label}" in [[source]] shows unreleased changes'
    yield f"{source.id}: {terms} not shown ({first_of(names)}); {wanted}"


def _note_on_renames(site: Site, config: Config) -> Iterator[str]:
    """Yields a line with the number of terms that were probably renamed, if there are any."""
    number = len(suggestions(site, config))
    if number:
        were = "was" if number == 1 else "were"
        terms = f"{counted(number, 'term')} {were} probably renamed"
        yield f"{terms}; decide what `sitegen check` says of them before you publish"


def _former_addresses(site: Site) -> Iterator[str]:
    """Yields a line for each other address at which the site was published."""
    for address in site.published.by_address:
        # Beside the pages of the site, the archive has each `base_url`.
        if urls.is_web(address) and address != site.base_url:
            yield f"the site was published at {address}; keep serving it there"


def configured(folder: Path) -> Config:
    """Reads the site.toml of a folder. Raises `ConfigError`, with paths relative to the current
    folder."""
    try:
        return read_config(folder)
    except ConfigError as error:
        raise ConfigError(located(error.problems, folder)) from None


def located(
    problems: Iterable[Problem], folder: Path, *, elsewhere: Collection[str] = ()
) -> Iterator[Problem]:
    """Yields problems with paths relative to the current folder instead of `folder`.

    Paths in `elsewhere`, which are in repositories or on the web, are unchanged.
    """
    for problem in problems:
        path = problem.path if problem.path in elsewhere else str(folder / problem.path)
        yield replace(problem, path=path)
