"""The place to which a site is published: a branch of a repository, such as `gh-pages`.

Each publication is one commit on top of the last. The remote refuses a push if another publication
happened since the branch was read, so that no published file is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import parse
from sitegen.text.decoding import is_plain
from sitegen.tools.user_git import (
    BranchState,
    CommandError,
    PublishError,
    UserGit,
    remote_branch,
    user_git,
)

DOMAIN, WITHOUT_JEKYLL = "CNAME", ".nojekyll"
"""Files that GitHub Pages reads: the site's domain, and the one that turns Jekyll off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedState:
    """The live files and archive, which a publication replaces."""

    branch: BranchState
    files: Mapping[str, str]
    """The entry in the tree of the branch for each path, which identifies its content."""
    archive: Archive = field(default_factory=Archive)


class TargetBranch:
    """A branch to which a site is published, or with `prefix` a folder of it, whose other files are
    kept."""

    def __init__(self, git: UserGit, *, remote: str, branch: str, prefix: str) -> None:
        self._git = git
        self._prefix = _prefix(prefix)
        self.remote = remote
        self._branch = remote_branch(git, remote, branch)
        self.place = self._branch.place
        """Its name in messages."""
        if self._prefix:
            self.place += f", folder {self._prefix}"

    def read_state(self) -> PublishedState:
        """Returns the published state. Raises `PublishError` if it cannot be read or is not a
        sitegen site."""
        branch, prefix = self._branch.state(), self._prefix
        below = [path for path in branch.files if path.startswith(prefix)]
        files = {path.removeprefix(prefix): branch.files[path] for path in below}
        if not self._is_ours(files):
            return PublishedState(branch=branch, files=files)
        try:
            text = self._branch.content(files[urls.ARCHIVE])
        except CommandError as error:
            raise PublishError(f"{self.place}: cannot be read; {error}") from None
        cure = "put the branch back to the commit before"
        archive = parse(text, f"{self.place}: {urls.ARCHIVE}", cure=cure)
        return PublishedState(branch=branch, files=files, archive=archive)

    def _is_ours(self, files: Mapping[str, str]) -> bool:
        """True if the files are a site. Raises `PublishError` if publishing would remove other
        files."""
        for path in files:
            folder, _, name = path.rpartition("/")
            if folder and name == urls.ARCHIVE and f"{folder}/{urls.DATA}" in files:
                raise PublishError(
                    f"{self.place}: holds another site below {folder}/, which publishing here "
                    f"would remove; publish below a folder with --prefix, such as "
                    f"--prefix {self._prefix}{folder}, or to another --branch"
                )
        is_ours = urls.ARCHIVE in files and urls.DATA in files
        if not is_ours and files.keys() - {DOMAIN, WITHOUT_JEKYLL}:
            raise PublishError(
                f"{self.place}: holds {len(files):,} files that sitegen did not write; name "
                f"another --branch, publish below a folder of it with --prefix, or delete the "
                f"branch first"
            )
        return is_ours

    def prepare(self, site: Path, paths: Iterable[str], live: PublishedState) -> dict[str, str]:
        """Writes the files of a site to the store, and returns the entry in a tree for each path.

        At the root of a branch, `CNAME` stays, and `.nojekyll` is added.
        """
        try:
            files = self._git.stored_files(site, paths)
            if not self._prefix:
                files[WITHOUT_JEKYLL] = self._git.stored(b"")
        except CommandError as error:
            raise PublishError(f"{site}: {error}") from None
        if not self._prefix and DOMAIN in live.files:
            files[DOMAIN] = live.files[DOMAIN]
        return files

    def replace(self, live: PublishedState, files: Mapping[str, str], *, message: str) -> str:
        """Pushes a commit with these files, and returns its id.

        Raises `OvertakenError` if another publication came first, and `PublishError` if the remote
        refuses the push.
        """
        before = live.branch
        after = {
            path: entry for path, entry in before.files.items() if not path.startswith(self._prefix)
        }
        for path, entry in files.items():
            after[self._prefix + path] = entry
        return self._branch.replace(before, after, message=message, parent=before.tip)


def _prefix(folder: str) -> str:
    """Returns the beginning of the paths in a folder; empty for the root. Raises `PublishError` for
    a folder that no site has."""
    names = [name for name in folder.split("/") if name not in ("", ".")]
    if any(name.startswith(".") or not is_plain(name) or "\\" in name for name in names):
        raise PublishError(
            f"--prefix {folder}: not a folder of a site; write it as in --prefix docs/glossary"
        )
    return "".join(f"{name}/" for name in names)


@contextmanager
def target(folder: Path, *, remote: str, branch: str, prefix: str) -> Iterator[TargetBranch]:
    """Yields the branch of a remote of a folder's repository. Raises `PublishError` if there is no
    such branch."""
    with user_git(folder) as git:
        yield TargetBranch(git, remote=remote, branch=branch, prefix=prefix)
