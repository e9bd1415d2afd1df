"""Publishes a site: one commit on a branch such as `gh-pages`, on top of the last one, and one with
its archive on `sitegen-ledger`. Both are pushed, or none. A workflow pushes the archive alone.

The live archive is read first, so that the site keeps what was published. `user_git` runs git with
the user's settings.

`sitegen-ledger` contains only archives, each at the path that it has beside its site.toml, with a
commit for each change. The pages branch is not used for them: some hosts have none, and a commit of
a few lines is easier to read than one of a whole site. The default branch is not used either: it
may be protected, and a commit would start the workflow again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Notify, Problem, SitegenError, counted
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_file import archive_store_in
from sitegen.permanence.archive_lines import dump, parse
from sitegen.permanence.archive_union import tidied, united
from sitegen.permanence.published_archive import KEPT_BRANCH, in_git
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.assembly import next_archive
from sitegen.pipeline.output import files_in
from sitegen.pipeline.site_build import Built, build, read_site
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.repositories import SHORT, clones_here
from sitegen.sources.projects import Project
from sitegen.tools.user_git import Branch, Remote, remote_of, user_git

ORIGIN = "origin"
"""The remote of which builds read the branch."""
MAX_TERMS = 50
"""The maximum number of new addresses of terms that are shown."""
WRITTEN_ANEW = (
    "written anew without history, because words are withheld; commit {} still has them where it "
    "was fetched, and on the host until it is removed there"
)
AUTHOR = {
    "GIT_AUTHOR_NAME": "sitegen",
    "GIT_AUTHOR_EMAIL": "sitegen@localhost",
    "GIT_COMMITTER_NAME": "sitegen",
    "GIT_COMMITTER_EMAIL": "sitegen@localhost",
}
DOMAIN, WITHOUT_JEKYLL = "CNAME", ".nojekyll"
"""Files that GitHub Pages reads: the site's domain, and the one that turns Jekyll off."""
TO_COMMIT = (
    f"builds here read the archive of {ORIGIN} only: run `sitegen build`, and commit {urls.ARCHIVE}"
)


# The site.


@dataclass(frozen=True, kw_only=True)
class Publication:
    """The changes that a publication makes, or has made."""

    place: str
    message: str
    """The message of the commit: the number of terms and releases."""
    files: int
    """The number of files that are added, changed or removed."""
    problems: tuple[Problem, ...]
    """The problems of the glossaries, as a build reports them."""
    commit: str = ""
    """The commit that was pushed, if any."""
    notes: tuple[str, ...] = ()
    """The notes of the build, and what remains to be done."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print."""
        if self.files:
            commit = f", commit {self.commit[:SHORT]}" if self.commit else ""
            yield f"{self.place}: {self.message} ({counted(self.files, 'changed file')}){commit}"
        else:
            yield f"{self.place}: unchanged, there is nothing to publish"
        for note in self.notes:
            yield f"note: {note}"


class StoredSite(NamedTuple):
    """A site that was built and stored for a commit."""

    built: Built
    files: Mapping[str, str]
    """The entry in a tree for each path."""
    archive: Archive


def publish(
    project: Project, *, remote: str, branch: str, notify: Notify, dry_run: bool
) -> Publication:
    """Builds the site of a project and publishes it, unless it is live already.

    The site keeps the addresses of the live site, and those in the archive beside site.toml. A dry
    run publishes nothing. Raises `SitegenError` if the site cannot be published; nothing has
    changed then.
    """
    is_full_name = branch.startswith("refs/")
    if is_full_name or branch in ("", "HEAD", KEPT_BRANCH):
        raise SitegenError(f"'{branch}': not a branch for a site; name one such as gh-pages")
    with user_git(project.folder) as git:
        target = remote_of(git, remote)
        notify(f"Looking at {target.place(branch)}")
        live = target.read(branch)
        site = _stored_site(project, target, live, notify=notify)
        counts = site.built.counts
        terms = counted(counts["terms"], "term")
        releases = counted(counts["releases"], "release")
        # Files that only one side has, or that have another content there.
        differing = {path for path, _ in site.files.items() ^ live.files.items()}
        planned = Publication(
            place=target.place(branch),
            message=f"{terms}, {releases}",
            files=len(differing),
            problems=site.built.problems,
            notes=site.built.notes,
        )
        if dry_run:
            return planned
        notify("Publishing")
        return _pushed(planned, project, target, live, site)


def _pushed(
    planned: Publication, project: Project, remote: Remote, live: Branch, site: StoredSite
) -> Publication:
    """Pushes a site and its archive together. What has not changed is not pushed. Returns the
    publication with its commit."""
    commits: list[tuple[Branch, str]] = []
    notes = [*planned.notes]

    site_commit = ""
    if planned.files:
        site_commit = remote.git.commit(site.files, message=planned.message, parent=live.tip)
        commits.append((live, site_commit))
    with_archive = archive_commit(remote, project, site.archive)
    if with_archive:
        commits.append((with_archive.branch, with_archive.id))
        notes += with_archive.notes

    if commits:
        remote.push(commits)
    if with_archive:
        remote.track(with_archive.branch)
    # Builds read the archive of origin alone.
    if remote.name != ORIGIN:
        notes.append(TO_COMMIT)
    return replace(planned, commit=site_commit, notes=tuple(notes))


def _live_archive(remote: Remote, live: Branch) -> Archive:
    """Returns the archive of the site on a branch. Raises `SitegenError` if the branch has another
    site, which publishing would replace."""
    # A branch of sources may have an archive, and a glossary of the name of our data; but a page
    # for lost addresses is only in a site.
    has_our_site = live.files.keys() >= {urls.ARCHIVE, urls.DATA, urls.NOT_FOUND}
    other_files = live.files.keys() - {DOMAIN, WITHOUT_JEKYLL}
    place = remote.place(live.name)
    if other_files and not has_our_site:
        raise SitegenError(
            f"{place}: holds {counted(len(live.files), 'file')} that sitegen did not write; name "
            f"another --branch, or add a folder to that site with `sitegen build --output`"
        )
    cure = "put the branch back to the commit before"
    return parse(remote.text(live, urls.ARCHIVE), f"{place}: {urls.ARCHIVE}", cure=cure)


def _stored_site(project: Project, remote: Remote, live: Branch, *, notify: Notify) -> StoredSite:
    """Builds the site of a project, with the addresses of the live site, and stores its files.
    `.nojekyll` is added, and the `CNAME` of the live site if the project has none."""
    live_archive = _live_archive(remote, live)  # read before anything is built
    store = archive_store_in(project.folder, other=live_archive, purpose="live")
    with TemporaryDirectory(prefix="sitegen-") as parent:
        site = Path(parent, "site")
        built = build(
            project.folder,
            site,
            notify=notify,
            clones=clones_here(notify),
            config=project.config,
            archive_store=store,
        )
        (site / MARKER).unlink()  # only for builds into a folder
        (site / WITHOUT_JEKYLL).touch()
        files = remote.git.stored_files(site, [*files_in(site)])
        archive = parse((site / urls.ARCHIVE).read_text(encoding="utf-8"), urls.ARCHIVE)
    if DOMAIN in live.files:
        files.setdefault(DOMAIN, live.files[DOMAIN])
    return StoredSite(built, files, archive)


# The archive.


@dataclass(frozen=True, kw_only=True)
class NextArchive:
    """The archive that publishing would write, and the published one."""

    path: Path
    published: Archive
    archive: Archive
    """With the releases and addresses of the site."""

    @property
    def releases(self) -> set[tuple[str, str]]:
        """The releases with new words."""
        new_keys = self.archive.editions.keys() - self.published.editions.keys()
        return {self.archive.editions[key].at for key in new_keys}

    def lines(self, *, is_pushed: bool) -> Iterator[str]:
        """Yields the lines to print: the new pages of terms, and a summary of what is promised.
        If the archive `is_pushed`, it is promised now, else publishing would promise it."""
        new_addresses = sorted(self.archive.by_address.keys() - self.published.by_address.keys())
        term_pages = []
        for address in new_addresses:
            page = self.archive.by_address[address]
            if page.source:  # only the pages of terms have one
                term_pages.append(page)
        for page in term_pages[:MAX_TERMS]:
            yield f"  /{page.address}  {page.name}"
        if len(term_pages) > MAX_TERMS:
            yield f"  and {len(term_pages) - MAX_TERMS:,} more terms"

        promises = []
        if new_addresses:
            number = counted(len(new_addresses), "new address")
            promises.append(f"{number}, {len(term_pages):,} of them of terms")
        if self.releases:
            promises.append(f"the words of {counted(len(self.releases), 'release')}")
        if not promises:
            promises.append("nothing new")
        verb = "this promises" if is_pushed else "publishing would promise"
        yield f"{self.path}: {verb} {', and '.join(promises)}"


def archive_to_publish(project: Project, *, notify: Notify) -> NextArchive:
    """Returns the archive that publishing a project now would write. Writes nothing."""
    # As for a live site, the whole archive has to be readable, and its file is not written.
    store = archive_store_in(project.folder, purpose="live")
    inputs, site = read_site(project, notify=notify, archive_store=store)
    return NextArchive(
        path=store.path, published=inputs.published.archive, archive=next_archive(site)
    )


class ArchiveCommit(NamedTuple):
    """A commit for the branch with the archives."""

    branch: Branch
    """The branch before it."""
    id: str
    notes: tuple[str, ...]
    """Steps that are left to the user."""


def archive_commit(remote: Remote, project: Project, archive: Archive) -> ArchiveCommit | None:
    """Returns a commit that adds the archive of a project to the archive on the branch of a remote.
    None if there is nothing to add.

    If the branch has words that site.toml withholds, the commit has no parent, so that its history
    does not have them either.
    """
    path = archive_store_in(project.folder).path
    file = in_git(path)
    if file is None:
        raise SitegenError(f"{path}: is not in a git repository, so it cannot be pushed")
    branch = remote.read(KEPT_BRANCH)
    previous = parse(remote.text(branch, file.name), f"{KEPT_BRANCH}:{file.name}")
    without_withheld = Cleaner(project.settings().withheld).archive(previous)
    merged = tidied(united([archive, without_withheld]))
    if branch.tip and merged == previous:
        return None

    parent = branch.tip
    notes: tuple[str, ...] = ()
    has_withheld_words = without_withheld != previous
    if has_withheld_words:
        parent = ""
        note = WRITTEN_ANEW.format(branch.tip[:SHORT])
        notes = (f"{remote.place(KEPT_BRANCH)}: {note}",)

    releases = counted(len(merged.editions_of), "release")
    commit = remote.git.commit(
        {**branch.files, file.name: remote.git.stored(dump(merged).encode())},
        message=f"{releases}, {len(merged.by_address):,} addresses",
        parent=parent,
    )
    return ArchiveCommit(branch, commit, notes)


def push_archive(project: Project, archive: Archive) -> Iterator[str]:
    """Adds the archive of a project to the archive on the branch of `origin`, and yields the lines
    to print. Raises `SitegenError` if the remote refuses."""
    with user_git(project.folder, **AUTHOR) as git:
        remote = remote_of(git, ORIGIN)
        following = archive_commit(remote, project, archive)
        if following:
            remote.push([(following.branch, following.id)])
            remote.track(following.branch)
    place = remote.place(KEPT_BRANCH)
    if following is None:
        yield f"pushed to {place}: unchanged"
        return
    yield f"pushed to {place}: {following.id[:SHORT]}"
    for note in following.notes:
        yield f"note: {note}"
