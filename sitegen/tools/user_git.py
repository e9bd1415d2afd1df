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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from sitegen.config.forges import is_address
from sitegen.model import SitegenError
from sitegen.safe_files import temporary_folder
from sitegen.sources.git.listing import LIST, TooManyPathsError, read_listing
from sitegen.sources.git.process import (
    GitError,
    ended,
    error_message,
    git_folder,
    printable,
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
    "push.followTags=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
)

REDIRECTING = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_INDEX_FILE
    GIT_NAMESPACE
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE
    GIT_WORK_TREE""".split()
)
"""Environment variables that would point git to another repository, such as those that a hook
inherits."""

MODE = "100644"
"""The mode of a file in a tree."""

FETCH = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")

IS_MOVING = re.compile(rb"cannot lock ref|failed to update ref")
"""Matches git's error while another push moves the branch."""
ATTEMPTS = 10
"""How often a push is tried while others come first."""
MAX_REMOTE_LINES = 8
"""The maximum number of lines of the remote's answer in an error message."""

ELSEWHERE = "publish from a repository, or build into a folder with `sitegen build --output`"

OF_ANOTHER_USER = re.compile(rb"dubious ownership in repository at '(.*?)'", re.DOTALL)

Pushed = TypeVar("Pushed")


class PublishError(SitegenError):
    """The site cannot be published. Nothing was changed, here or on the remote."""


class OvertakenError(PublishError):
    """Another push came first."""


class CommandError(Exception):
    """A git command failed. The text is git's error message on one line, without passwords."""

    def __init__(self, errors: bytes) -> None:
        self.errors = errors
        super().__init__(error_message(errors))


def unless_overtaken(push: Callable[[], Pushed]) -> Pushed:
    """Returns the result of a push that reads the branch first. It is repeated while other pushes
    come first."""
    for _ in range(ATTEMPTS - 1):
        with suppress(OvertakenError):
            return push()
    return push()


@dataclass(frozen=True, kw_only=True, slots=True)
class UserGit:
    """Runs git in a repository."""

    top: Path
    """The work tree."""
    place: Sequence[str]
    """The options that name the repository."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, such as those that name the temporary store."""

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Returns the output of a git command. Raises `CommandError`."""
        process = self.start(*arguments)
        code, output, errors = ended(process, stdin=stdin, seconds=COMMAND_SECONDS)
        if code:
            raise CommandError(errors)
        return output

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts a git command, as `run` does."""
        inherited = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
        variables = {**self.variables, "GIT_NO_REPLACE_OBJECTS": "1"}
        line = (*self.place, *arguments)
        return start(*line, settings=SETTINGS, inherited=inherited, variables=variables)

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """Returns the output of a git command that is one line, such as an id."""
        return self.run(*arguments, stdin=stdin).decode().strip()

    def stored(self, content: bytes) -> str:
        """Writes a content to the store, and returns the entry of a tree for it."""
        id = self.line("hash-object", "-w", "--stdin", stdin=content)
        return f"{MODE} {id}"

    def stored_files(self, folder: Path, paths: Iterable[str]) -> dict[str, str]:
        """Writes files to the store, and returns the entry of a tree for each path."""
        paths = tuple(paths)
        lines = "".join(f"{folder.absolute() / path}\n" for path in paths).encode()
        ids = self.line("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=lines)
        return {path: f"{MODE} {id}" for path, id in zip(paths, ids.split(), strict=True)}


@contextmanager
def user_git(folder: Path, **variables: str) -> Iterator[UserGit]:
    """Yields git for the repository of a folder, with these environment variables. Raises
    `PublishError` if there is none, or git refuses it."""
    top = repository_above(folder)
    if top is None:
        raise PublishError(f"{folder}: is in no git repository; {ELSEWHERE}")
    git, objects = _own_repository(top, folder)
    with temporary_folder() as temporary:
        store = temporary / "objects"
        (store / "info").mkdir(parents=True)
        (store / "info/alternates").write_bytes(objects + b"\n")
        yield UserGit(
            top=top,
            place=(f"--git-dir={git}", f"--work-tree={top}"),
            variables={
                **variables,
                "GIT_OBJECT_DIRECTORY": str(store),
                "GIT_INDEX_FILE": str(temporary / "index"),
            },
        )


def _own_repository(top: Path, folder: Path) -> tuple[Path, bytes]:
    """Returns the git directory and the folder of objects of a repository. Raises `PublishError` if
    git does not take it for the user's own."""
    searching = UserGit(top=top, place=("-C", str(top)))  # so that git checks the owner
    wanted = ("--path-format=absolute", "--git-dir", "--git-path", "objects")
    try:
        git = git_folder(top)
        found, objects = searching.run("rev-parse", *wanted).splitlines()
    except (CommandError, GitError) as error:
        owned = OF_ANOTHER_USER.search(getattr(error, "errors", b""))
        if owned:
            trust = f"git config --global --add safe.directory {shlex.quote(os.fsdecode(owned[1]))}"
            raise PublishError(
                f"{folder}: another user's repository; if you trust it, run `{trust}`"
            ) from None
        raise PublishError(f"{top}: {error}; {ELSEWHERE}") from None
    if not git.samefile(os.fsdecode(found)):
        raise PublishError(f"{top}: its .git is not a repository; {ELSEWHERE}")
    return git, objects


@dataclass(frozen=True, kw_only=True, slots=True)
class BranchState:
    """A branch as it was last seen."""

    tip: str = ""
    """Its commit; empty if there is no such branch."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The entry of the tree for each path: mode and id."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteBranch:
    """A branch of a remote repository. It is replaced only as it was last seen, so no other push is
    lost."""

    git: UserGit
    address: str
    """The address or the folder of the remote repository."""
    name: str

    @property
    def place(self) -> str:
        """Its name in messages."""
        return f"{shown_address(self.address)}, branch {self.name}"

    @property
    def _ref(self) -> str:
        return f"refs/heads/{self.name}"

    def state(self) -> BranchState:
        """Fetches the branch into the store. Raises `PublishError` if it cannot be read."""
        try:
            tip = self._tip()
            if not tip:
                return BranchState()
            self.git.run("fetch", *FETCH, "--", self.address, tip)
            listed = read_listing(self.git.start(*LIST, tip))
        except TooManyPathsError as error:
            wanted = "name another --branch, or delete the branch first"
            raise PublishError(f"{self.place}: holds {error}; {wanted}") from None
        except (CommandError, GitError) as error:
            raise PublishError(f"{self.place}: cannot be read; {error}") from None
        return BranchState(tip=tip, files={file.path: f"{file.mode} {file.id}" for file in listed})

    def _tip(self) -> str:
        """Returns the branch's commit, or an empty string if there is no such branch."""
        output = self.git.run("ls-remote", "--", self.address, self._ref)
        for line in output.decode("utf-8", "replace").splitlines():
            id, _, ref = line.partition("\t")
            if ref == self._ref:
                return id
        return ""

    def content(self, entry: str) -> str:
        """Returns the text of a file."""
        _, _, id = entry.partition(" ")
        return self.git.run("cat-file", "blob", id).decode("utf-8", "replace")

    def replace(
        self, before: BranchState, files: Mapping[str, str], *, message: str, parent: str
    ) -> str:
        """Pushes a commit with these files, and returns its id.

        Raises `OvertakenError` if the branch is not in the state `before` any more, and
        `PublishError` if the remote refuses the push.
        """
        commit = self._commit(files, message=message, parent=parent)
        lease = f"--force-with-lease={self._ref}:{before.tip}"
        try:
            self.git.run("push", "--quiet", lease, "--", self.address, f"{commit}:{self._ref}")
        except CommandError as error:
            refused = f"{self.place}: {_refusal(error)}"
            if IS_MOVING.search(error.errors) or self._has_moved(before.tip):
                raise OvertakenError(refused) from None
            raise PublishError(refused) from None
        return commit

    def _commit(self, files: Mapping[str, str], *, message: str, parent: str) -> str:
        """Creates a commit in the store, and returns its id."""
        entries = "".join(f"{entry}\t{path}\0" for path, entry in files.items())
        parents = ("-p", parent) if parent else ()
        try:
            self.git.run("read-tree", "--empty")
            stdin = entries.encode("utf-8", "surrogateescape")
            self.git.run("update-index", "-z", "--index-info", stdin=stdin)
            tree = self.git.line("write-tree")
            return self.git.line("commit-tree", tree, *parents, stdin=f"{message}\n".encode())
        except CommandError as error:
            advice = "set git config user.name and user.email"
            raise PublishError(
                f"{self.place}: the commit cannot be made; {error}; {advice}"
            ) from None

    def _has_moved(self, tip: str) -> bool:
        with suppress(CommandError):  # the error of the push says more
            return self._tip() != tip
        return False

    def track(self, ref: str) -> None:
        """Sets a ref of the repository to the branch, as `git push` does to its remote-tracking
        branch."""
        with suppress(CommandError):
            git = replace(self.git, variables={})
            git.run("fetch", *FETCH, "--no-filter", "--", self.address, f"+{self._ref}:{ref}")


def _refusal(error: CommandError) -> str:
    """Returns why a push was refused, in the words of the remote and of git."""
    lines = [printable(line).strip() for line in error.errors.splitlines()]
    said = "; ".join(filter(None, lines[:MAX_REMOTE_LINES]))
    return f"the push was refused, and nothing has changed; {said}"


def remote_branch(git: UserGit, remote: str, branch: str) -> RemoteBranch:
    """Returns a branch of a remote, which is its name, its address or a folder. Raises
    `PublishError` without one."""
    try:
        git.run("check-ref-format", f"refs/heads/{branch}")
    except CommandError:
        raise PublishError(f"{branch}: not a valid name for a branch") from None
    return RemoteBranch(git=git, address=_address(git, remote), name=branch)


def _address(git: UserGit, remote: str) -> str:
    """Returns the address or the folder of a remote repository."""
    with suppress(CommandError, UnicodeDecodeError):
        return git.run("remote", "get-url", "--push", "--", remote).decode().removesuffix("\n")
    if is_address(remote):
        return remote
    if not Path(remote).is_dir():
        shown = shown_address(remote)
        raise PublishError(
            f"{shown}: not a remote of this repository; name one with --remote, as `git remote` "
            f"lists them"
        )
    folder = os.path.realpath(remote)  # git would look for it from the top of the repository
    if repository_above(Path(folder).parent) == git.top:  # its hooks would run
        raise PublishError(
            f"{remote}: is a folder of this checkout; name a repository outside of it"
        )
    return folder
