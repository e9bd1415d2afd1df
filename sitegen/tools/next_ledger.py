"""The ledger that publishing now would write, and the branch to which a workflow and `sitegen
publish` commit it.

The branch contains only ledgers, each at the path that it has beside its site.toml, with a commit
for each change. The pages branch is not used: some hosts have none, and a commit of a few lines is
easier to read than one of a whole site. The default branch is not used either: it may be protected,
and a commit would start the workflow again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sitegen.model import Notify, counted
from sitegen.permanence.ledger import Ledger, dump, lost, parse, united
from sitegen.permanence.ledger_file import dropped, ledger_store_in, lines_of_dropped
from sitegen.permanence.published_ledger import KEPT_BRANCH, ORIGIN, in_git
from sitegen.pipeline.site_build import read_site
from sitegen.sources.projects import Project
from sitegen.text.credentials import shown_address
from sitegen.tools.user_git import CommandError, PublishError, RemoteBranch, remote_branch, user_git

SHOWN = 50
"""The maximum number of new addresses of terms that are shown."""
ATTEMPTS = 10
"""The maximum number of attempts to push, each of which fails if another push is faster."""
AUTHOR = {
    f"GIT_{role}_{fact}": value
    for role in ("AUTHOR", "COMMITTER")
    for fact, value in (("NAME", "sitegen"), ("EMAIL", "sitegen@localhost"))
}


@dataclass(frozen=True, kw_only=True, slots=True)
class NextLedger:
    """The ledger that publishing would write, and the published one."""

    path: Path
    published: Ledger
    ledger: Ledger
    """With the addresses of the site."""
    dropped: tuple[str, ...]
    """Addresses that only the working copy of the ledger has, and that the site does not need."""

    @property
    def new(self) -> tuple[str, ...]:
        return tuple(lost(self.published, self.ledger))

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the new pages of terms, and the number of other new
        addresses."""
        rows = [self.ledger[address] for address in self.new if address in self.ledger]
        terms = [row for row in rows if row.kind == "term"]
        yield from (f"  {row.address}  {row.name}" for row in terms[:SHOWN])
        if len(terms) > SHOWN:
            yield f"  and {len(terms) - SHOWN:,} more terms"
        pages = counted(len(terms), "new page") + " of terms"
        others = counted(len(self.new) - len(terms), "other address")
        yield f"{self.path}: publishing would promise {pages}, {others}"
        yield from lines_of_dropped(self.dropped)

    def data(self) -> dict[str, object]:
        """Returns the same as plain data."""
        return {"new": self.new, "dropped": self.dropped, "published": len(self.published)}


def next_ledger(project: Project, *, notify: Notify) -> NextLedger:
    """Returns the ledger that publishing a project now would write. Writes nothing."""
    ledger_store = ledger_store_in(project.folder)
    inputs, site = read_site(project, ledger_store, notify=notify)
    ledger = site.permanence.added_to(inputs.ledger)
    return NextLedger(
        path=ledger_store.path,
        published=inputs.ledger,
        ledger=ledger,
        dropped=dropped(ledger_store, ledger),
    )


def push(path: Path, ledger: Ledger, *, remote: str) -> str:
    """Adds a ledger to the one on the branch, and returns the commit; empty if the branch has all
    of it already.

    `path` is the file beside site.toml. Raises `PublishError` if the remote refuses, or
    `LedgerError` if the branch gives an address another meaning.
    """
    file = in_git(path)
    if file is None:
        raise PublishError(f"{path}: is not in a git repository, so it cannot be pushed")
    place = f"{shown_address(remote)}, branch {KEPT_BRANCH}"
    with user_git(path.parent) as git:
        try:
            branch = remote_branch(git, remote, KEPT_BRANCH)
            for _ in range(ATTEMPTS):
                tip = branch.tip()
                commit = _commit(branch, file.name, ledger, tip)
                if not commit or branch.push(commit, tip=tip):
                    if remote == "origin":
                        branch.track(f"{ORIGIN}{KEPT_BRANCH}")
                    return commit
        except CommandError as error:
            raise PublishError(f"{place}: the ledger cannot be pushed; {error}") from None
    raise PublishError(f"{place}: other pushes came first {ATTEMPTS} times; try again later")


def _commit(branch: RemoteBranch, name: str, ledger: Ledger, tip: str) -> str:
    """Creates a commit on top of `tip`, and returns its id; empty if nothing would change."""
    git = branch.git
    if tip:
        branch.fetch(tip)
        if git.run("ls-tree", "--full-tree", tip, "--", name):
            previous = parse(
                git.run("cat-file", "blob", f"{tip}:{name}").decode(), f"{KEPT_BRANCH}:{name}"
            )
            ledger = united(ledger, previous, places=("the new ledger", f"{KEPT_BRANCH}:{name}"))
            if ledger == previous:
                return ""
    blob = git.run("hash-object", "-w", "--stdin", stdin=dump(ledger).encode()).decode().strip()
    message = f"{len(ledger):,} addresses"
    return branch.commit({name: blob}, tip=tip, base=tip, message=message, variables=AUTHOR)
