"""Starts git, the only program that sitegen starts, and runs it for reading without any setting of
the repository.

A repository may be hostile. Its configuration can name commands to run, a missing object can start
a download, and a tag may be called `--output=x`. Folders of a checkout can look like a bare
repository with such a configuration. Therefore every git gets the git directory that `git_folder`
found, uses no bare repository that it finds itself, runs no hook, and connects by `PROTOCOLS` only.
For reading, GIT_ variables are also removed from the environment, settings that can start a command
are overridden, all protocols are disabled, and object ids are passed on standard input. Nothing is
ever checked out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from sitegen import safe_files
from sitegen.model import Problem, ProblemKind, SitegenError, Trouble
from sitegen.text.credentials import shown_address, without_credentials
from sitegen.text.unread_formats import refusal

READING_SECONDS = 1800
"""The timeout for a command, and for a repository that stays open while what is read from it is
parsed."""
MAX_RESTARTS = 100
"""The maximum number of restarts of git, which can exit on a damaged object, before reading
fails."""
GROUP_BYTES = 32 * 1024 * 1024
"""The approximate amount of data that is requested, and held in memory, at a time."""
MAX_MEMORY = 512 * 1024 * 1024
"""The maximum memory of git, on Linux. What it maps of the repository's files does not count."""
OLD_GIT = 129
"""The exit code of git for an unknown option."""

FETCH_ALL = "git fetch --refetch --no-filter --tags"
"""The command that brings all objects into a partial clone."""
SETTINGS = (
    "safe.bareRepository=explicit",
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "log.showSignature=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""Settings of every git. The command line overrides those of the repository and of the user."""
READ_SETTINGS = (
    f"core.attributesFile={os.devnull}",
    "core.sshCommand=false",
    "protocol.allow=never",
)
PROTOCOLS = "https:http:ssh:git:file"
"""Protocols that transfer only git data; `ext` runs a command."""
READ_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
MAX_GIT_FILE = 4096
"""The maximum size of a `.git` file, in bytes."""


class GitError(SitegenError):
    """Raised if a repository cannot be read. The message is git's error on one line."""

    kind = ProblemKind.REPOSITORY

    def problem(self, address: str) -> Problem:
        return Trouble(self.kind, str(self)).at(shown_address(address))


class PartialCloneError(GitError):
    """Raised if a repository lacks objects, as it was cloned with a filter."""

    kind = ProblemKind.UNREADABLE


class MissingGitError(GitError):
    """Raised if git cannot be started."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Object:
    """One object of a repository."""

    name: str
    """The name by which it was requested: its id, or `TAG^{}` for what the tag with this id leads
    to."""
    id: str
    kind: str
    """`commit`, `tag`, `tree` or `blob`; `missing` if the object is missing or damaged."""
    size: int = 0
    data: bytes | None = None
    """None if the object is missing, or larger than the limit."""


def git_folder(path: Path) -> Path:
    """Returns the git directory of the repository at `path`. Raises GitError if there is none.

    Passing that directory, rather than letting git search for it, also works for repositories of
    other users, which are common in containers: git refuses those because of their configuration,
    which is not applied here.
    """
    if (path / ".git").is_dir():
        return path / ".git"
    real = Path(os.path.realpath(path))
    if (path / ".git").exists():
        return _linked_git_folder(real)
    is_bare = (path / "objects").is_dir() and (path / "HEAD").exists()
    if is_bare and not is_tracked(real):
        return path
    if path.is_file() and (unread := refusal(path.name)):
        raise GitError(f"{unread.found}; {unread.wanted}")
    if path.is_dir() and (nearest := repository_above(path)):
        place = os.path.relpath(nearest)
        raise GitError(f"no git repository here, but there is one at {place}")
    cure = "name the folder of one, or make one with `git init`"
    raise GitError(f"no git repository here; {cure}")


def repository_above(folder: Path) -> Path | None:
    """Returns the absolute path of the nearest folder with a `.git`, this one included; None if
    there is none.

    No checkout contains a `.git`: git does not track files of this name. One that may not be looked
    at is none, where `Path.exists` would raise.
    """
    real = Path(os.path.realpath(folder))
    return next((above for above in (real, *real.parents) if os.path.exists(above / ".git")), None)  # noqa: PTH110


def _linked_git_folder(top: Path) -> Path:
    """Returns the git directory that the file `.git` in a folder names.

    Raises GitError unless that directory names the folder in turn, as those of worktrees and
    submodules do, and is not in a work tree, where it could be part of a checkout.
    """
    git = _named_in(top / ".git")
    back = _named_in(git / "gitdir")
    with suppress(GitError):
        worktree = run(git, "config", "--no-includes", "--get", "core.worktree").rstrip(b"\n")
        back = _resolved(git, worktree) / ".git"
    if back == top / ".git" and not _is_in_work_tree(git, top):
        return git
    advice = f"if that is your repository, say so with `git -C {git} config core.worktree {top}`"
    raise GitError(f"its .git leads to {git}, which is no repository of this folder; {advice}")


def _is_in_work_tree(git: Path, top: Path) -> bool:
    """True if a git directory is in the folder `top`, or in another work tree but not in the git
    directory of that."""
    above = repository_above(git.parent)
    if above is None:
        return False
    outer = _resolved(above, b".git")
    if (above / ".git").is_file():
        outer = _named_in(above / ".git")
    return above == top or not git.is_relative_to(outer)


def _named_in(file: Path) -> Path:
    """Returns the absolute path without links that a file of git names, if it is one."""
    text = b""
    with suppress(OSError, SitegenError):
        text = safe_files.read(file, limit=MAX_GIT_FILE)
    return _resolved(file.parent, text.removeprefix(b"gitdir:").strip())


def _resolved(folder: Path, path: bytes) -> Path:
    return Path(os.path.realpath(folder / os.fsdecode(path.replace(b"\0", b""))))


def check_untracked(path: Path) -> None:
    """Raises SitegenError if a checkout could have brought a file or folder, which is absolute and
    without links."""
    if is_tracked(path):
        relative = path.relative_to(repository_above(path.parent) or path.parent).as_posix()
        advice = f"take it out with git rm -r --cached -- {relative}, and delete it"
        raise SitegenError(f"{path}: is tracked by git, and only builds may write it; {advice}")


def is_tracked(path: Path) -> bool:
    """True if git tracks a file or folder, or anything below it. A repository that git cannot read
    tracks nothing.

    `path` is absolute and without links.
    """
    repository = repository_above(path.parent)
    if repository is None:
        return False
    relative = path.relative_to(repository).as_posix()
    with suppress(GitError):
        git = git_folder(repository)
        return run(git, "--literal-pathspecs", "ls-files", "-z", "--", relative) != b""
    return False


def run(folder: Path, *arguments: str) -> bytes:
    """Runs a read-only git command and returns its output. Raises GitError with git's message if it
    fails."""
    code, output, errors = ended(start_reading(folder, *arguments), seconds=READING_SECONDS)
    if code:
        raise GitError(error_message(errors))
    return output


def start_reading(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Starts git in a git directory, without settings that can start a command or a connection."""
    line = (f"--git-dir={folder}", *arguments)
    process = start(
        *line,
        settings=READ_SETTINGS,
        inherited=plain_environment(),
        variables=READ_ENVIRONMENT,
        **options,
    )
    if sys.platform == "linux":
        import resource  # only POSIX systems have it

        # Git holds all paths that two commits differ in, which may be billions.
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    return process


def start(
    *arguments: str,
    settings: Sequence[str] = (),
    inherited: Mapping[str, str],
    variables: Mapping[str, str],
    **options: Any,
) -> subprocess.Popen[bytes]:
    """Starts git. Every process of git is started here.

    `settings` override those of the repository. `inherited` is the environment, which `variables`
    override, and `options` are those of `Popen`. A name from outside in the arguments comes after
    the end of the options, or is a full ref or an id. Raises MissingGitError.
    """
    overriding: list[str] = []
    for setting in (*SETTINGS, *settings):
        overriding += ("-c", setting)
    environment = {**inherited, "GIT_ALLOW_PROTOCOL": PROTOCOLS, "LC_ALL": "C", **variables}
    streams = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        **options,
    }
    try:
        return subprocess.Popen(["git", *overriding, *arguments], env=environment, **streams)  # noqa: S603, S607
    except OSError as error:
        raise MissingGitError(
            f"git cannot be started ({error.strerror}); install git 2.36 or newer"
        ) from None


def ended(
    process: subprocess.Popen[bytes], *, stdin: bytes = b"", seconds: int
) -> tuple[int, bytes, bytes]:
    """Waits for the end of a git command. Returns its exit code, output and errors. Raises GitError
    at a timeout."""
    with process:
        try:
            output, errors = process.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise GitError(f"git took longer than {seconds} seconds") from None
        except BaseException:
            process.kill()
            raise
    return process.returncode, output, errors


def plain_environment() -> dict[str, str]:
    """Returns the current environment without GIT_ variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def error_message(stderr: bytes) -> str:
    """Returns the first error in git's output, on one line."""
    lines = stderr.replace(b"\r", b"\n").split(b"\n")
    errors = [line for line in lines if line.startswith((b"fatal: ", b"error: "))]
    return f"git says: {printable((errors or lines)[0])}"


def printable(line: bytes) -> str:
    """Decodes a line of git, leaves out credentials, and replaces characters that could control a
    terminal."""
    text = without_credentials(line[:4096].decode("utf-8", "replace"))
    return "".join(c if c.isprintable() else "�" for c in text[:300])


class Objects:
    """The objects of a repository, read through one `git cat-file` process. Use it in a `with`
    statement."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._restarts = 0
        self._timed_out = False
        self._timer = Timer(READING_SECONDS, self._on_timeout)
        self._timer.daemon = True
        self._start()

    def __enter__(self) -> Objects:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._stop()

    def read(self, names: Iterable[str], *, limit: int) -> Iterator[Object]:
        """Yields each object once, in the order of `names`; those larger than `limit` bytes without
        data."""
        for group in _groups(self._request("info", list(dict.fromkeys(names))), limit):
            found = [object for object in group if object.kind != "missing"]
            small = [object.name for object in found if object.size <= limit]
            contents = {object.name: object for object in self._request("contents", small)}
            for object in group:
                yield contents.get(object.name, object)

    def _request(self, kind: str, names: Sequence[str]) -> list[Object]:
        responses: list[Object] = []
        while waiting := names[len(responses) :]:
            # Git buffers the requests and answers none before the flush, so that the two processes
            # cannot deadlock.
            lines = [f"{kind} {name}\n" for name in waiting]
            # Where the process has exited, reading the first answer reports that.
            with suppress(BrokenPipeError):
                self._requests.write("".join([*lines, "flush\n"]).encode())
                self._requests.flush()
            for name in waiting:
                response = self._response(name, with_data=kind == "contents")
                if (response is None or response.kind == "missing") and self._is_partial():
                    found = (
                        f"cannot be read: a partial clone lacks files of releases; "
                        f"`{FETCH_ALL}` brings them"
                    )
                    raise PartialCloneError(found)
                responses.append(response or Object(name=name, id=name, kind="missing"))
                if response is None:
                    self._start_again()
                    break
        return responses

    def _is_partial(self) -> bool:
        """True if objects may be missing as the repository was cloned with a filter."""
        setting = r"^(remote\..*\.promisor|extensions\.partialclone)$"
        options = ("--local", "--no-includes", "--get-regexp", setting)
        with suppress(GitError):
            return run(self._folder, "config", *options) != b""
        return False

    def _response(self, name: str, *, with_data: bool) -> Object | None:
        """Reads one answer. Returns None if the process exited at this object."""
        header = self._responses.readline()
        if not header.endswith(b"\n"):
            return None
        facts = header.decode().split()
        if len(facts) != 3:
            return Object(name=name, id=name, kind="missing")
        id, kind, size = facts[0], facts[1], int(facts[2])
        if not with_data:
            return Object(name=name, id=id, kind=kind, size=size)
        data = self._responses.read(size + 1)
        if len(data) <= size:
            return None
        return Object(name=name, id=id, kind=kind, size=size, data=data[:-1])

    def _start(self) -> None:
        self._process = start_reading(
            self._folder, "cat-file", "--batch-command", "--buffer", stderr=subprocess.DEVNULL
        )
        assert self._process.stdin and self._process.stdout
        self._requests, self._responses = self._process.stdin, self._process.stdout

    def _start_again(self) -> None:
        code = self._process.wait()
        self._stop()
        self._restarts += 1
        if self._timed_out:
            raise GitError(f"reading took longer than {READING_SECONDS} seconds")
        if code == OLD_GIT:
            raise GitError("this git is too old; install git 2.36 or newer")
        if self._restarts > MAX_RESTARTS:
            raise GitError(f"more than {MAX_RESTARTS} damaged objects")
        self._start()

    def _on_timeout(self) -> None:
        self._timed_out = True
        self._process.kill()

    def _stop(self) -> None:
        self._process.kill()
        self._process.communicate()


def _groups(objects: list[Object], limit: int) -> Iterator[list[Object]]:
    """Splits objects into groups whose total size is limited, to limit memory use."""
    group: list[Object] = []
    weight = 0
    for object in objects:
        cost = object.size if object.size <= limit else 0
        if group and weight + cost > GROUP_BYTES:
            yield group
            group, weight = [], 0
        group.append(object)
        weight += cost
    if group:
        yield group
