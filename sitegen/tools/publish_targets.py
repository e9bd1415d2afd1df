"""The place to which a site is published: a branch of a repository, such as `gh-pages`.

Each publication is one commit on top of the last. The remote refuses a push if another publication
happened since the branch was read, so that no published file is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import parse
from sitegen.sources.git.listing import LIST, TooManyPathsError, read_listing
from sitegen.sources.git.process import GitError, printable
from sitegen.text.credentials import shown_address
from sitegen.text.decoding import is_plain
from sitegen.tools.user_git import (
    MODE,
    NO_OBJECT,
    CommandError,
    PublishError,
    UserGit,
    remote_branch,
    user_git,
)

GITHUB = ("CNAME", ".nojekyll")
"""Files that GitHub Pages reads: `CNAME` has the site's domain, `.nojekyll` turns Jekyll off."""
MAX_REMOTE_LINES = 5
"""The maximum number of lines of the remote's answer in an error message."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedState:
    """The live files and archive, which a publication replaces."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Path to an identity of the content."""
    archive: Archive = field(default_factory=Archive)
    domain: bytes | None = None
    """The content of CNAME, in which GitHub Pages keeps the site's own domain."""
    commit: str = ""


class TargetBranch:
    """A branch to which a site is published, or with `prefix` a folder of it, whose other files are
    kept."""

    def __init__(self, git: UserGit, *, remote: str, branch: str, prefix: str) -> None:
        names = [name for name in prefix.split("/") if name not in ("", ".")]
        if any(name.startswith(".") or not is_plain(name) or "\\" in name for name in names):
            raise PublishError(
                f"--prefix {prefix}: not a folder of a site; write it as in --prefix docs/glossary"
            )
        self._prefix = "".join(f"{name}/" for name in names)
        self.remote = remote or _usual_remote(git)
        self._branch = remote_branch(git, self.remote, branch)
        self.is_shared = bool(self._prefix)
        """True for a folder of a branch."""
        self.place = f"{shown_address(self._branch.address)}, branch {branch}"
        """Its name in messages."""
        if self._prefix:
            self.place += f", folder {self._prefix}"
        try:
            git.run("check-ref-format", self._branch.ref)
        except CommandError:
            raise PublishError(f"{branch}: not a valid name for a branch") from None

    def read_state(self) -> PublishedState:
        """Returns the published state. Raises `PublishError` if it cannot be read or is not a
        sitegen site."""
        try:
            if tip := self._branch.tip():
                self._branch.fetch(tip)
                return self._state_at(tip)
        except TooManyPathsError as error:
            wanted = "name another --branch, or delete the branch first"
            raise PublishError(f"{self.place}: holds {error}; {wanted}") from None
        except (CommandError, GitError) as error:
            raise PublishError(
                f"{self.place}: the published site cannot be read; {error}"
            ) from None
        return PublishedState()

    def _state_at(self, tip: str) -> PublishedState:
        git, prefix = self._branch.git, self._prefix
        files = {
            file.path.removeprefix(prefix): f"{file.mode} blob {file.id}"
            for file in read_listing(git.start(*LIST, tip))
            if file.path.startswith(prefix)
        }
        names = ("CNAME", urls.ARCHIVE) if self._is_ours(files) else ("CNAME",)
        contents = {
            name: git.run("cat-file", "blob", files[name].rpartition(" ")[2])
            for name in names
            if name in files
        }
        archive = contents.get(urls.ARCHIVE, b"").decode("utf-8", "replace")
        cure = "put the branch back to the commit before"
        return PublishedState(
            files=files,
            archive=parse(archive, f"{self.place}: {urls.ARCHIVE}", cure=cure),
            domain=contents.get("CNAME"),
            commit=tip,
        )

    def _is_ours(self, files: Mapping[str, str]) -> bool:
        """True if the files are a site. Raises `PublishError` if publishing would remove other
        files."""
        inner = (
            path.removesuffix(urls.ARCHIVE)
            for path in sorted(files)
            if path.endswith(f"/{urls.ARCHIVE}")
        )
        if folder := next((folder for folder in inner if f"{folder}{urls.DATA}" in files), ""):
            raise PublishError(
                f"{self.place}: holds another site below {folder}, which publishing here would "
                f"remove; publish below "
                f"a folder with --prefix, such as --prefix {self._prefix}{folder.rstrip('/')}, "
                f"or to another --branch"
            )
        is_ours = urls.ARCHIVE in files and urls.DATA in files
        if not is_ours and files.keys() - {*GITHUB}:
            raise PublishError(
                f"{self.place}: holds {len(files):,} files that sitegen did not write; name "
                f"another --branch, "
                "publish below a folder of it with --prefix, or delete the branch first"
            )
        return is_ours

    def prepare(self, site: Path, paths: Sequence[str]) -> Mapping[str, str]:
        """Writes the files of a site to the store, and returns an identity of each content."""
        lines = "".join(f"{site.absolute() / path}\n" for path in paths).encode()
        try:
            ids = self._branch.git.run(
                "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=lines
            )
        except CommandError as error:
            raise PublishError(f"{site}: {error}") from None
        return {
            path: f"{MODE} blob {id}" for path, id in zip(paths, ids.decode().split(), strict=True)
        }

    def replace(
        self, files: Mapping[str, str], live: PublishedState, *, message: str
    ) -> str | None:
        """Pushes a commit with these files, and returns its id, or None if another publication came
        first.

        Raises `PublishError` if the remote refuses the push.
        """
        removed = sorted(live.files.keys() - files.keys()) if self._prefix else ()
        blobs = dict.fromkeys(removed, NO_OBJECT) | {
            path: id.rpartition(" ")[2] for path, id in files.items()
        }
        try:
            commit = self._branch.commit(
                {f"{self._prefix}{path}": id for path, id in blobs.items()},
                tip=live.commit,
                base=live.commit if self._prefix else "",
                message=message,
                variables=self._dates(),
            )
        except CommandError as error:
            advice = "set git config user.name and user.email"
            raise PublishError(
                f"{self.place}: the commit cannot be made; {error}; {advice}"
            ) from None
        try:
            return commit if self._branch.push(commit, tip=live.commit) else None
        except CommandError as error:
            raise PublishError(f"{self.place}: {self._refusal(error)}") from None

    def _dates(self) -> Mapping[str, str]:
        """Returns the date of HEAD for the new commit, so that the same site gives the same
        commit."""
        try:
            moment = (
                self._branch.git.run("show", "--no-patch", "--format=%ct +0000", "HEAD", "--")
                .decode()
                .strip()
            )
        except CommandError:
            return {}  # there is no commit yet
        return {"GIT_AUTHOR_DATE": f"@{moment}", "GIT_COMMITTER_DATE": f"@{moment}"}

    def _refusal(self, error: CommandError) -> str:
        reason = re.search(rb"^!\t[^\t]*\t(.*)$", error.output, re.MULTILINE)
        remote = [
            printable(line).strip()
            for line in error.errors.split(b"\n")
            if line.startswith(b"remote:")
        ]
        why = printable(reason[1]) if reason else str(error)
        lines = ["the push was refused, and nothing has changed", why, *remote[:MAX_REMOTE_LINES]]
        return "; ".join(lines)


def _usual_remote(git: UserGit) -> str:
    remotes = git.run("remote").decode("utf-8", "replace").split("\n")[:-1]
    if "origin" in remotes or len(remotes) == 1:
        return "origin" if "origin" in remotes else remotes[0]
    found = f"there are several ({', '.join(remotes)})" if remotes else "there is none"
    raise PublishError(f"no remote is called origin, and {found}; name one with --remote")


@contextmanager
def target(folder: Path, *, remote: str, branch: str, prefix: str) -> Iterator[TargetBranch]:
    """Yields the branch of a remote of a folder's repository. Raises `PublishError` if there is no
    such branch."""
    with user_git(folder) as git:
        yield TargetBranch(git, remote=remote, branch=branch, prefix=prefix)
