"""The archive that publishing now would write, and the branch to which a workflow and `sitegen
publish` commit it.

The branch contains only archives, each at the path that it has beside its site.toml, with a commit
for each change. The pages branch is not used: some hosts have none, and a commit of a few lines is
easier to read than one of a whole site. The default branch is not used either: it may be protected,
and a commit would start the workflow again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sitegen.config.tables import Withheld
from sitegen.model import Notify, counted
from sitegen.permanence.archive import Archive, tidied, united
from sitegen.permanence.archive_file import ArchiveStore, archive_store_in
from sitegen.permanence.archive_lines import dump, parse
from sitegen.permanence.published_archive import KEPT_BRANCH, KEPT_REFS, in_git
from sitegen.permanence.withholding import Cleaner
from sitegen.pipeline.assembly import next_archive as archive_after
from sitegen.pipeline.site_build import read_site
from sitegen.sources.projects import Project
from sitegen.tools.user_git import (
    CommandError,
    PublishError,
    RemoteBranch,
    remote_branch,
    unless_overtaken,
    user_git,
)

SHOWN = 50
"""The maximum number of new addresses of terms that are shown."""
WRITTEN_ANEW = (
    "written anew without history, because words are withheld; commit {} still has them where it "
    "was fetched, and on the host until it is removed there"
)
AUTHOR = {
    f"GIT_{role}_{fact}": value
    for role in ("AUTHOR", "COMMITTER")
    for fact, value in (("NAME", "sitegen"), ("EMAIL", "sitegen@localhost"))
}


@dataclass(frozen=True, kw_only=True, slots=True)
class NextArchive:
    """The archive that publishing would write, and the published one."""

    path: Path
    published: Archive
    archive: Archive
    """With the releases and addresses of the site."""

    @property
    def new(self) -> tuple[str, ...]:
        """The new addresses."""
        known = self.published.by_address
        return tuple(sorted(one for one in self.archive.by_address if one not in known))

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases with new words."""
        known = self.published.editions
        new = {one.at for sum, one in self.archive.editions.items() if sum not in known}
        return tuple(" ".join(at).strip() for at in sorted(new))

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the new pages of terms, and the number of other new
        addresses."""
        pages = [self.archive.by_address[address][0] for address in self.new]
        terms = [page for page in pages if page.source]
        yield from (f"  {page.address}  {page.name}" for page in terms[:SHOWN])
        if len(terms) > SHOWN:
            yield f"  and {len(terms) - SHOWN:,} more terms"
        addresses = counted(len(self.new), "new address")
        releases = counted(len(self.releases), "release")
        yield (
            f"{self.path}: publishing would promise {addresses}, {len(terms):,} of them of terms, "
            f"and the words of {releases}"
        )

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        published = len(self.published.by_address)
        return {"new": self.new, "releases": self.releases, "published": published}


def next_archive(project: Project, *, notify: Notify) -> NextArchive:
    """Returns the archive that publishing a project now would write. Writes nothing."""
    store = ArchiveStore(path=archive_store_in(project.folder).path, is_live=True)
    inputs, site = read_site(project, store, notify=notify)
    return NextArchive(
        path=store.path, published=inputs.published.archive, archive=archive_after(site)
    )


class PushedArchive(NamedTuple):
    """What was pushed to the branch."""

    commit: str = ""
    """Empty if the branch has everything already."""
    note: str = ""
    """What is left to do."""


def push(
    path: Path, archive: Archive, *, remote: str, withheld: Iterable[Withheld]
) -> PushedArchive:
    """Adds an archive to the one on the branch.

    If the branch has words that are withheld now, it is written anew without its history. `path` is
    the file beside site.toml. Raises `PublishError` if the remote refuses.
    """
    file = in_git(path)
    if file is None:
        raise PublishError(f"{path}: is not in a git repository, so it cannot be pushed")
    with user_git(path.parent, **AUTHOR) as git:
        branch = remote_branch(git, remote, KEPT_BRANCH)
        cleaner = Cleaner(withheld)
        pushed = unless_overtaken(lambda: _push_to(branch, file.name, archive, cleaner))
        if pushed.commit and remote == "origin":
            branch.track(KEPT_REFS[0])
    return pushed


def _push_to(branch: RemoteBranch, name: str, archive: Archive, cleaner: Cleaner) -> PushedArchive:
    """Adds an archive to the one of that name on a branch."""
    before = branch.state()
    try:
        text = branch.content(before.files[name]) if name in before.files else ""
        previous = parse(text, f"{KEPT_BRANCH}:{name}")
        kept = cleaner.archive(previous)
        following = tidied(united([archive, kept]))
        if before.tip and following == previous:
            return PushedArchive()
        files = {**before.files, name: branch.git.stored(dump(following).encode())}
    except CommandError as error:
        raise PublishError(f"{branch.place}: the archive cannot be pushed; {error}") from None
    is_anew = kept != previous
    releases = counted(len(following.states), "release")
    message = f"{releases}, {len(following.by_address):,} addresses"
    parent = "" if is_anew else before.tip
    commit = branch.replace(before, files, message=message, parent=parent)
    note = f"{branch.place}: {WRITTEN_ANEW.format(before.tip[:10])}" if is_anew else ""
    return PushedArchive(commit, note)
