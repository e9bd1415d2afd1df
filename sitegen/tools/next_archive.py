"""The archive that publishing now would write, and the branch to which a workflow and `sitegen
publish` commit it.

The branch contains only archives, each at the path that it has beside its site.toml, with a commit
for each change. The pages branch is not used: some hosts have none, and a commit of a few lines is
easier to read than one of a whole site. The default branch is not used either: it may be protected,
and a commit would start the workflow again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sitegen.model import Notify, counted
from sitegen.permanence.archive import Archive, tidied, united
from sitegen.permanence.archive_file import archive_store_in
from sitegen.permanence.archive_lines import dump, parse
from sitegen.permanence.published_archive import KEPT_BRANCH, in_git
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.assembly import next_archive
from sitegen.pipeline.site_build import read_site
from sitegen.sources.git.repositories import SHORT
from sitegen.sources.projects import Project
from sitegen.tools.user_git import (
    Branch,
    PublishError,
    Remote,
    remote_of,
    user_git,
)

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


@dataclass(frozen=True, kw_only=True, slots=True)
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
            page, *_other_lines = self.archive.by_address[address]
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
    # As for a live site: all of the archive has to be readable, and its file is not written.
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
    """What is left to do."""


def archive_commit(remote: Remote, project: Project, archive: Archive) -> ArchiveCommit | None:
    """Returns a commit that adds the archive of a project to the archive on the branch of a remote.
    None if there is nothing to add.

    If the branch has words that site.toml withholds, the commit has no parent, so that its history
    does not have them either.
    """
    path = archive_store_in(project.folder).path
    file = in_git(path)
    if file is None:
        raise PublishError(f"{path}: is not in a git repository, so it cannot be pushed")
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
    to print. Raises `PublishError` if the remote refuses."""
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
