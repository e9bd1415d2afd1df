"""Runs git with the user's own settings, in a repository that stays unchanged, and pushes to
branches of remotes.

Publishing needs the user's credentials, proxies and ssh, so their settings apply, unlike in
`sources.git`: those of the repository whose `.git` is found upwards from the folder, and that git
takes for the user's own. No hook and no filter of the repository runs, so the pushed files are the
built files. New objects and the index are written to a temporary store, which reads the
repository's objects as alternates. Only `RemoteBranch.track` writes to the repository.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen.config.forges import is_address
from sitegen.model import SitegenError
from sitegen.safe_files import temporary_folder
from sitegen.sources.git.process import (
    GitError,
    ended,
    error_message,
    git_folder,
    repository_above,
    start,
)
from sitegen.text.credentials import shown_address

COMMAND_SECONDS = 1800
"""The timeout of one command. A connection without data is closed earlier (`http.lowSpeedTime`)."""

SETTINGS = (
    "core.splitIndex=false",
    "core.fsync=none",  # the store is temporary
    "user.useConfigOnly=true",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
)

REDIRECTING = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_INDEX_FILE
    GIT_NAMESPACE
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE
    GIT_WORK_TREE""".split()
)
"""Environment variables that would point git to another repository, such as those that a hook
inherits."""

FETCH = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")

MODE = "100644"
NO_OBJECT = "0" * 40
"""Together with mode 0, this id removes a file from git's index."""

IS_MOVING = re.compile(rb"cannot lock ref|failed to update ref")
"""Matches git's error while another push moves the branch."""
CHECKS_AFTER_REFUSAL = 10
"""The number of times that the branch is read again, every quarter of a second, while another push
may move it."""

ELSEWHERE = "publish from a repository, or build into a folder with `sitegen build --output`"

OF_ANOTHER_USER = re.compile(rb"dubious ownership in repository at '(.*?)'", re.DOTALL)


class PublishError(SitegenError):
    """The site cannot be published. Nothing was changed, here or on the remote."""


class CommandError(Exception):
    """A git command failed. The text is git's error message on one line, without passwords."""

    def __init__(self, output: bytes, errors: bytes) -> None:
        self.output, self.errors = output, errors
        super().__init__(error_message(errors))


@dataclass(frozen=True, kw_only=True, slots=True)
class UserGit:
    """Runs git in a repository."""

    top: Path
    """The work tree."""
    place: Sequence[str]
    """The options that name the repository."""
    variables: Mapping[str, str]
    """Environment variables that name the temporary store."""

    def run(
        self, *arguments: str, stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> bytes:
        """Returns the output of a git command. `more` are further environment variables. Raises
        `CommandError`."""
        process = self.start(*arguments, more=more)
        code, output, errors = ended(process, stdin=stdin, seconds=COMMAND_SECONDS)
        if code:
            raise CommandError(output, errors)
        return output

    def start(
        self, *arguments: str, more: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Starts a git command, as `run` does."""
        return start(
            *self.place,
            *arguments,
            settings=SETTINGS,
            inherited={
                name: value for name, value in os.environ.items() if name not in REDIRECTING
            },
            variables={**self.variables, **(more or {}), "GIT_NO_REPLACE_OBJECTS": "1"},
        )


@contextmanager
def user_git(folder: Path) -> Iterator[UserGit]:
    """Yields git for the repository of a folder. Raises `PublishError` if there is none, or git
    refuses it."""
    top = repository_above(folder)
    if top is None:
        raise PublishError(f"{folder}: is in no git repository; {ELSEWHERE}")
    try:
        git = git_folder(top)
        searching = UserGit(
            top=top, place=("-C", str(top)), variables={}
        )  # so that git checks the owner
        found, objects = searching.run(
            "rev-parse", "--path-format=absolute", "--git-dir", "--git-path", "objects"
        ).splitlines()
    except (CommandError, GitError) as error:
        if isinstance(error, CommandError) and (owned := OF_ANOTHER_USER.search(error.errors)):
            trust = f"git config --global --add safe.directory {shlex.quote(os.fsdecode(owned[1]))}"
            raise PublishError(
                f"{folder}: another user's repository; if you trust it, run `{trust}`"
            ) from None
        raise PublishError(f"{top}: {error}; {ELSEWHERE}") from None
    if not git.samefile(os.fsdecode(found)):
        raise PublishError(f"{top}: its .git is not a repository; {ELSEWHERE}")
    place = (f"--git-dir={git}", f"--work-tree={top}")
    with temporary_folder() as temporary:
        store = temporary / "objects"
        (store / "info").mkdir(parents=True)
        (store / "info/alternates").write_bytes(objects + b"\n")
        variables = {"GIT_OBJECT_DIRECTORY": str(store), "GIT_INDEX_FILE": str(temporary / "index")}
        yield UserGit(top=top, place=place, variables=variables)


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteBranch:
    """A branch of a remote repository. It is replaced only as it was last seen, so no other push is
    lost."""

    git: UserGit
    address: str
    """The address or the folder of the remote repository."""
    ref: str

    def tip(self) -> str:
        """Returns the branch's commit, or an empty string if there is no such branch."""
        lines = (
            self.git.run("ls-remote", "--", self.address, self.ref)
            .decode("utf-8", "replace")
            .split("\n")
        )
        return next(
            (id for id, _, ref in (line.partition("\t") for line in lines) if ref == self.ref), ""
        )

    def fetch(self, commit: str) -> None:
        """Fetches a commit into the store, unless the repository has it already."""
        try:
            self.git.run("rev-list", "--quiet", "--objects", "--max-count=1", commit)
        except CommandError:
            self.git.run("fetch", *FETCH, "--", self.address, commit)

    def track(self, ref: str) -> None:
        """Sets a ref of the repository to the branch, as `git push` does to its remote-tracking
        branch."""
        with suppress(CommandError):
            git = replace(self.git, variables={})
            git.run("fetch", *FETCH, "--no-filter", "--", self.address, f"+{self.ref}:{ref}")

    def commit(
        self,
        files: Mapping[str, str],
        *,
        tip: str,
        base: str,
        message: str,
        variables: Mapping[str, str],
    ) -> str:
        """Creates a commit on top of `tip` in the store, and returns its id.

        It has the files of the commit `base`, if any, and `files`: paths with their blobs, or with
        `NO_OBJECT` for a file to remove. `variables` are environment variables such as the
        author's.
        """
        entries = "".join(
            f"{0 if id == NO_OBJECT else MODE} {id}\t{path}\0" for path, id in files.items()
        )
        parents = ("-p", tip) if tip else ()
        self.git.run("read-tree", base or "--empty")
        self.git.run(
            "update-index", "-z", "--index-info", stdin=entries.encode("utf-8", "surrogateescape")
        )
        tree = self.git.run("write-tree").decode().strip()
        content = f"{message}\n".encode()
        return (
            self.git.run("commit-tree", tree, *parents, stdin=content, more=variables)
            .decode()
            .strip()
        )

    def push(self, commit: str, *, tip: str) -> bool:
        """Replaces `tip` by a commit; returns False if the branch has moved meanwhile. Raises
        `CommandError`."""
        try:
            options = (
                f"--force-with-lease={self.ref}:{tip}",
                "--porcelain",
                "--no-verify",
                "--no-follow-tags",
                "--recurse-submodules=no",
                "--no-signed",
            )
            self.git.run("push", *options, "--", self.address, f"{commit}:{self.ref}")
        except CommandError as error:
            with suppress(CommandError):  # the error of the push says more
                for _ in range(CHECKS_AFTER_REFUSAL if IS_MOVING.search(error.output) else 1):
                    if self.tip() != tip:
                        return False
                    time.sleep(0.25)
            raise
        return True


def remote_branch(git: UserGit, remote: str, branch: str) -> RemoteBranch:
    """Returns a branch of a remote, which is its name, its address or a folder. Raises
    `PublishError` without one."""
    address = ""
    with suppress(CommandError, UnicodeDecodeError):
        address = git.run("remote", "get-url", "--push", "--", remote).decode().removesuffix("\n")
    if not address and is_address(remote):
        address = remote
    elif not address and Path(remote).is_dir():
        address = os.path.realpath(remote)  # git would look for it from the top of the repository
        if repository_above(Path(address).parent) == git.top:  # its hooks would run
            raise PublishError(
                f"{remote}: is a folder of this checkout; name a repository outside of it"
            )
    if not address:
        shown = shown_address(remote)
        raise PublishError(f"{shown}: not a remote of this repository; `git remote` lists them")
    return RemoteBranch(git=git, address=address, ref=f"refs/heads/{branch}")
