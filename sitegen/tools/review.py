"""Describes the effects of a change, such as a pull request, on a glossary, release by release.

`commit_reader` reads the glossary on both sides of the change, `state_comparison` compares its
releases, and `review_report` writes the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.model import Problem, Release, SitegenError, silent
from sitegen.permanence.archive_lines import dump
from sitegen.permanence.archive_union import lost
from sitegen.permanence.composition_notes import difference_problems, notes
from sitegen.permanence.continuity import ContinuityError
from sitegen.permanence.published_archive import GitArchive, in_git
from sitegen.pipeline.assembly import assemble, next_archive
from sitegen.site.site import Site
from sitegen.sources.git.objects import Objects
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.sources.reading import Glossaries, SourceReader, read_config
from sitegen.tools.commit_reader import (
    CommitReader,
    CommitSide,
    GlossaryRepository,
    ReviewedCommit,
    merge_base,
    repository_of,
    sides,
)
from sitegen.tools.state_comparison import StateComparison, comparisons, source_with


@dataclass(frozen=True, kw_only=True)
class Review:
    """The effects of a change on a glossary."""

    commits: tuple[str, str]
    """The ids of the two commits."""
    comparisons: tuple[StateComparison, ...]
    new: tuple[str, ...]
    """Titles of the sources that only the head has documents of."""
    deleted: tuple[tuple[str, Sequence[str]], ...]
    """The title of each source that only the base has files of, and the paths of its documents."""
    elsewhere: tuple[str, ...]
    """Titles of sources that are not in this repository and were not compared."""
    notes: tuple[str, ...]
    """The notes of a build of the head about published words and addresses."""
    differing: tuple[Problem, ...]
    """The entries of closed releases that have other words than were published. A build shows the
    published words."""
    forgotten: tuple[str, ...]
    """The releases, names and addresses that the archive has lost by the change."""
    unbuilt_lines: int
    """The number of lines of the archive that the change adds, and a build would not."""
    refusal: str
    """Why a build would be refused, or the archive cannot be read; or an empty string."""

    @property
    def fails(self) -> bool:
        """True if the change harms published words or addresses, deletes a glossary or makes it
        unreadable, or would make a build fail."""
        if self.forgotten or self.unbuilt_lines or self.refusal or self.deleted:
            return True
        return any(one.hides_terms for one in self.comparisons)


def review(change: str, project: Project) -> Review:
    """Returns the effects of a change, `BASE..HEAD`, on the glossary of a project. Raises
    `SitegenError`.

    Commits without a site.toml are read with the one in the folder. An empty `change` stands for
    the changes of HEAD since it left the default branch, as that was last fetched.
    """
    repository = repository_of(project.folder)
    archive_in_git = in_git(repository.root / repository.folder / urls.ARCHIVE)
    compared = change or f"{_default_branch_ref(archive_in_git)}...HEAD"
    base, head = sides(compared, repository.git)
    try:
        before, after = _read_sides(base, head, project, repository, archive_in_git=archive_in_git)
    except GitError as error:
        raise SitegenError(f"{compared}: {error}") from None
    if not _with_files(before.releases) and not _with_files(after.releases):
        raise SitegenError(f"{compared}: no glossary was found on either side, in {project.folder}")
    commits = (base.id, head.id)
    return _review_of(before, after, commits=commits, project=project)


def _default_branch_ref(archive_in_git: GitArchive | None) -> str:
    """Returns the ref of the default branch; `HEAD` if it is not known."""
    return archive_in_git.default_refs[0] if archive_in_git else "HEAD"


def _read_sides(
    base: ReviewedCommit,
    head: ReviewedCommit,
    project: Project,
    repository: GlossaryRepository,
    *,
    archive_in_git: GitArchive | None,
) -> tuple[CommitSide, CommitSide]:
    """Returns the glossary on both sides. The base has the archive that the default branch had when
    the change left it, and the head its own."""
    with Objects(repository.git) as objects:
        reader = CommitReader(objects, repository, project, archive_in_git)
        config = reader.configured(head) or read_config(project.folder)
        after = reader.read(head, config)
        # An earlier site.toml that cannot be read is replaced by the later one.
        earlier_config = config
        with suppress(ConfigError):
            earlier_config = reader.configured(base) or config
        published_at = merge_base(base.id, _default_branch_ref(archive_in_git), repository.git)
        before = reader.read(base, earlier_config, published_at=published_at)
        return before, after


def _review_of(
    base: CommitSide, head: CommitSide, *, commits: tuple[str, str], project: Project
) -> Review:
    """Returns the differences between the two sides of a change, and its effects on what was
    published."""
    site, refusal = _site_after(base, head, project)

    # The sources of the base are compared under the ids that they have now.
    present_by_former = {**head.config.former_ids}
    if site:
        for former in site.composed.renamed:
            present_by_former[former.id] = former.present
    base_releases = {}
    for id, releases in base.releases.items():
        base_releases[present_by_former.get(id, id)] = releases

    # If both sides have a source, it has the title of the head.
    titles = {}
    for source in (*base.config.sources, *head.config.sources):
        titles[source.id] = source.title or source.id

    # The sources that are compared, are new, or are gone.
    before, now = _with_files(base_releases), _with_files(head.releases)
    compared = {id: titles[id] for id in now}
    new_titles = [titles[id] for id in now if id not in before]
    deleted = [(titles[id], _paths(own)) for id, own in before.items() if id not in now]

    return Review(
        commits=commits,
        comparisons=tuple(comparisons(base_releases, head, base.archive, compared)),
        new=tuple(new_titles),
        deleted=tuple(deleted),
        elsewhere=head.elsewhere,
        notes=tuple(notes(site.composed)) if site else (),
        differing=tuple(difference_problems(site.composed)) if site else (),
        # A damaged archive is empty here.
        forgotten=() if head.damage else tuple(lost(head.archive, base.archive)),
        unbuilt_lines=_unbuilt_lines(base, head, site),
        refusal=head.damage or refusal,
    )


def _paths(releases: Iterable[Release]) -> Sequence[str]:
    """Returns the paths of the documents of releases."""
    return [document.path for release in releases for document in release.documents]


def _site_after(base: CommitSide, head: CommitSide, project: Project) -> tuple[Site | None, str]:
    """Returns the site that a build of the head would make, after the base was published.

    If the build would be refused, returns None and the reason. If nothing was published, or if
    releases are kept in another repository, returns None and an empty reason.
    """
    if not base.archive or head.elsewhere:
        return None, ""
    # Sources in git are read as in a build, with their tags; the others are those of the head.
    glossaries_in_git = _glossaries_in_git(head.config, project)
    sources_in_git = {source.id: source for source in glossaries_in_git.sources}
    sources = []
    for settings in head.config.sources:
        source = sources_in_git.get(settings.id)
        if source is None:
            releases = {release.name: release for release in head.releases[settings.id]}
            source = source_with(settings, releases, head.config)
        sources.append(source)
    glossaries = replace(glossaries_in_git, sources=tuple(sources))
    try:
        return assemble(head.config, glossaries, base.archive), ""
    except ContinuityError as error:
        return None, str(error)


def _glossaries_in_git(config: Config, project: Project) -> Glossaries:
    """Returns the sources in git with their releases, which are tags in most cases."""
    tables = tuple(table for table in config.sources if table.git)
    if not tables:
        return Glossaries(sources=())
    clones = clones_here(silent, update=False)
    return SourceReader(project.folder, clones=clones).read(replace(config, sources=tables))


def _unbuilt_lines(base: CommitSide, head: CommitSide, site: Site | None) -> int:
    """Returns the number of lines that the head adds to the archive and a build would not write."""
    if not base.archive:  # the first change that publishes brings the whole archive
        return 0
    expected_lines = set(dump(base.archive).splitlines())
    if site:
        expected_lines.update(dump(next_archive(site)).splitlines())
    lines_of_head = set(dump(head.archive).splitlines())
    return len(lines_of_head - expected_lines)


def _with_files(side: Mapping[str, Sequence[Release]]) -> Mapping[str, Sequence[Release]]:
    """Returns the sources of a side that have files, also files that could not be read."""
    with_files = {}
    for id, releases in side.items():
        for release in releases:
            # `CommitReader` uses the empty name for a whole release without the glossary.
            has_unread_files = any(name != "" for name in release.unread)
            if release.files or has_unread_files:
                with_files[id] = releases
                break
    return with_files
