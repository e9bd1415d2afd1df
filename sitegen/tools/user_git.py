"""Runs git with the user's own settings, in a repository that stays unchanged, and replaces
branches of a remote.

Publishing needs the user's credentials, proxies and ssh, so the user's settings apply, unlike in
`sources.git`, and so do those of the repository. It is the one whose `.git` is found upwards from
the folder, and git must consider it the user's own. No hook and no filter of the repository runs.
New objects and the index are written to a temporary store, which reads the repository's objects as
alternates. Only `Remote.track` writes to the repository.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sitegen.model import SitegenError
from sitegen.sources.git.git_folders import git_folder, repository_above
from sitegen.sources.git.listing import LIST_COMMAND, read_listing
from sitegen.sources.git.process import TO_REACH, GitError, printable, start, wait_for_end
from sitegen.text.credentials import shown_address

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

MAX_MESSAGE_LINES = 8
"""The maximum number of lines of git and of the remote in an error message."""


@dataclass(frozen=True, kw_only=True)
class UserGit:
    """Runs git in a repository."""

    place: Sequence[str]
    """The options that name the repository."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Environment variables, such as those that name the temporary store."""

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Returns the output of a git command. Raises `GitError` with what git says."""
        process = self.start(*arguments)
        code, output, errors = wait_for_end(process, stdin=stdin)
        if code:
            lines = [printable(line).strip() for line in errors.splitlines()]
            message = "; ".join(line for line in lines[:MAX_MESSAGE_LINES] if line)
            raise GitError(f"git {arguments[0]}: {message}")
        return output

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts a git command, and returns its process without waiting for the end."""
        inherited = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
        variables = {**self.variables, "GIT_NO_REPLACE_OBJECTS": "1"}
        line = (*self.place, *arguments)
        return start(*line, settings=SETTINGS, inherited=inherited, variables=variables)

    def line(self, *arguments: str, stdin: bytes = b"") -> str:
        """Returns the one line that a git command prints, such as an id."""
        return self.run(*arguments, stdin=stdin).decode().strip()

    def stored(self, content: bytes) -> str:
        """Writes the content of a file to the store, and returns the entry of a tree for it: its
        mode and its id."""
        id = self.line("hash-object", "-w", "--stdin", stdin=content)
        return f"{MODE} {id}"

    def stored_files(self, folder: Path, paths: Sequence[str]) -> dict[str, str]:
        """Writes files to the store, and returns the entry of a tree for each path."""
        stdin = "".join(f"{folder.absolute() / path}\n" for path in paths)
        store = ("hash-object", "-w", "--no-filters", "--stdin-paths")
        ids = self.line(*store, stdin=os.fsencode(stdin)).split()
        return {path: f"{MODE} {id}" for path, id in zip(paths, ids, strict=True)}

    def commit(self, files: Mapping[str, str], *, message: str, parent: str) -> str:
        """Writes a commit with these entries to the store, and returns its id."""
        entries = "".join(f"{entry}\t{path}\0" for path, entry in files.items())
        stdin = entries.encode("utf-8", "surrogateescape")
        parents = ("-p", parent) if parent else ()
        self.run("read-tree", "--empty")
        self.run("update-index", "-z", "--index-info", stdin=stdin)
        tree = self.line("write-tree")
        return self.line("commit-tree", tree, *parents, stdin=f"{message}\n".encode())


@contextmanager
def user_git(folder: Path, **variables: str) -> Iterator[UserGit]:
    """Yields git for the repository of a folder, with these environment variables. Raises
    `SitegenError` if the folder is in no repository, or git does not trust the repository."""
    top = repository_above(folder)
    if top is None:
        raise SitegenError(
            f"{folder}: is in no git repository; publish from one, or build into a folder with "
            f"`sitegen build --output`"
        )
    # With -C, git looks for the repository itself, and checks who owns it.
    searching_git = UserGit(place=("-C", str(top)))
    options = ("--path-format=absolute", "--git-dir", "--git-path", "objects")
    with _named(str(top)):
        git = git_folder(top)
        paths = searching_git.run("rev-parse", *options).removesuffix(b"\n").split(b"\n")
    if len(paths) != 2:
        raise SitegenError(f"{str(top)!r}: has a line break in its path; rename the folder")
    git_dir, objects = paths
    if not git.samefile(os.fsdecode(git_dir)):
        raise SitegenError(f"{top}: its .git is not a repository; publish from a clone")

    # New objects go to a temporary store, which also reads those of the repository.
    with TemporaryDirectory(prefix="sitegen-") as temporary:
        store = Path(temporary, "objects")
        (store / "info").mkdir(parents=True)
        (store / "info/alternates").write_bytes(objects + b"\n")
        yield UserGit(
            place=(f"--git-dir={git}", f"--work-tree={top}"),
            variables={
                **variables,
                "GIT_OBJECT_DIRECTORY": str(store),
                "GIT_INDEX_FILE": str(Path(temporary, "index")),
            },
        )


@contextmanager
def _named(place: str) -> Iterator[None]:
    """Raises errors of git as `SitegenError`s that name a place."""
    try:
        yield
    except GitError as error:
        raise SitegenError(f"{place}: {error}") from None


@dataclass(frozen=True, kw_only=True)
class Branch:
    """A branch of a remote as it was read."""

    name: str
    tip: str = ""
    """The newest commit; empty if the remote does not have the branch."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The entry of the tree for each path: mode and id."""

    @property
    def ref(self) -> str:
        return f"refs/heads/{self.name}"


@dataclass(frozen=True, kw_only=True)
class Remote:
    """A remote repository. A branch is replaced only if it is still as it was read, so no other
    push is lost."""

    git: UserGit
    name: str
    """The name by which the repository knows it."""
    address: str

    def place(self, branch: str) -> str:
        """Returns the name of a branch in messages."""
        return f"{shown_address(self.address)}, branch {branch}"

    def read(self, name: str) -> Branch:
        """Fetches a branch into the store. Raises `SitegenError` if it cannot be read."""
        branch = Branch(name=name)
        with _named(f"{self.place(name)}: cannot be read"):
            tip = self._tip(branch)
            if not tip:
                return branch
            self.git.run("fetch", *FETCH, "--", self.address, tip)
            listed = read_listing(self.git.start(*LIST_COMMAND, tip))
        files = {file.path: f"{file.mode} {file.id}" for file in listed}
        return replace(branch, tip=tip, files=files)

    def _tip(self, branch: Branch) -> str:
        """Returns the present commit of a branch; empty if there is none."""
        try:
            output = self.git.run("ls-remote", "--", self.address, branch.ref)
        except GitError as error:
            raise GitError(f"{error}; {TO_REACH}") from None
        for line in output.decode("utf-8", "replace").splitlines():
            id, _, ref = line.partition("\t")
            if ref == branch.ref:
                return id
        return ""

    def text(self, branch: Branch, path: str) -> str:
        """Returns the text of a file of a branch; empty if it has no such file."""
        _mode, _, id = branch.files.get(path, "").partition(" ")
        if not id:
            return ""
        with _named(f"{self.place(branch.name)}: cannot be read"):
            return self.git.run("cat-file", "blob", id).decode("utf-8", "replace")

    def push(self, commits: Sequence[tuple[Branch, str]]) -> None:
        """Replaces branches by commits: all of them, or none.

        Raises `SitegenError` if a branch is not as it was read any more, or the remote refuses.
        """
        leases = [f"--force-with-lease={branch.ref}:{branch.tip}" for branch, _ in commits]
        refs = [f"{commit}:{branch.ref}" for branch, commit in commits]
        try:
            self.git.run("push", "--quiet", "--atomic", *leases, "--", self.address, *refs)
        except GitError as error:
            refused = (
                f"{shown_address(self.address)}: the push was refused, and nothing has changed"
            )
            again = "if another push came first, run this again"
            raise SitegenError(f"{refused}; {error}; {again}") from None

    def track(self, branch: Branch) -> None:
        """Sets the remote-tracking branch of the repository, as `git push` does."""
        ref = f"refs/remotes/{self.name}/{branch.name}"
        git = replace(self.git, variables={})  # writes into the repository, not the temporary store
        with suppress(GitError):  # what was pushed is published all the same
            git.run("fetch", *FETCH, "--no-filter", "--", self.address, f"+{branch.ref}:{ref}")


def remote_of(git: UserGit, name: str) -> Remote:
    """Returns a remote by its name. Raises `SitegenError` if the repository has none of that
    name."""
    try:
        address = git.run("remote", "get-url", "--push", "--", name)
    except GitError:
        raise SitegenError(
            f"{shown_address(name)}: not a remote of this repository; `git remote` lists them, and "
            f"`git remote add` adds one"
        ) from None
    return Remote(git=git, name=name, address=os.fsdecode(address).removesuffix("\n"))
