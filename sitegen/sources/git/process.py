"""Runs the git command line for reading, without applying any configuration of the repository.

A repository may be hostile. Its configuration can name commands to run, a missing object can start a download, and a
tag may be called `--output=x`. Therefore GIT_ variables are removed from the environment, settings that can start a
command are overridden, all protocols are disabled while reading, and object ids are passed on standard input. Nothing
is ever checked out.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from sitegen.model import SitegenError
from sitegen.text.unread_formats import refusal

SECONDS = 300
"""The timeout for reading one repository."""
MAX_RESTARTS = 100
"""The maximum number of restarts of git, which can exit on a damaged object, before reading fails."""
GROUP_BYTES = 32 * 1024 * 1024
"""The approximate amount of data that is requested, and held in memory, at a time."""
OLD_GIT = 129
"""The exit code of git for an unknown option."""

# Settings of a repository that can start a command or a connection; the command line overrides them.
SAFE_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.sshCommand=false",
    "log.showSignature=false",
    "protocol.allow=never",
)
READ_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitError(SitegenError):
    """Raised if a repository cannot be read. The message is git's error on one line."""


class MissingGitError(GitError):
    """Raised if git cannot be started."""


CURE = "; name the folder of one, or make one with `git init`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    """One object of a repository."""

    id: str
    kind: str
    """`commit`, `tag`, `tree` or `blob`; `missing` if the object is missing or damaged."""
    size: int = 0
    data: bytes | None = None
    """None if the object is missing, or larger than the limit."""


def git_folder(path: Path) -> Path:
    """Returns the git directory of the repository at `path`. Raises GitError if there is none.

    Passing that directory, rather than letting git search for it, also works for repositories of other users, which
    are common in containers: git refuses those because of their configuration, which is not applied here.
    """
    if (path / ".git").exists():
        return path / ".git"
    if (path / "objects").is_dir() and (path / "HEAD").exists():
        return path
    if path.is_file() and (unread := refusal(path.name)):
        raise GitError("; ".join(unread))
    nearest = _repository_above(path.resolve()) if path.is_dir() else None
    advice = f", but there is one at {os.path.relpath(nearest)}" if nearest else CURE
    raise GitError(f"no git repository here{advice}")


def check_untracked(path: Path) -> None:
    """Raises SitegenError if git tracks the file or folder, or anything below it: a checkout could have brought it.

    `path` is absolute and without links. A repository that git cannot read is ignored.
    """
    repository = _repository_above(path)
    if repository is None:
        return
    relative = path.relative_to(repository).as_posix()
    with suppress(GitError):
        if run(git_folder(repository), "--literal-pathspecs", "ls-files", "-z", "--", relative):
            advice = f"take it out with git rm -r --cached {relative}, and delete it"
            raise SitegenError(f"{path}: is tracked by git, and only builds may write it; {advice}")


def _repository_above(path: Path) -> Path | None:
    return next((folder for folder in path.parents if (folder / ".git").exists()), None)


def run(folder: Path, *arguments: str) -> bytes:
    """Runs a read-only git command and returns its output. Raises GitError with git's message if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - the command line is ours; names in it are full refs or ids
            command(SAFE_SETTINGS, f"--git-dir={folder}", *arguments),
            env=environment(READ_ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
    except OSError as error:
        raise no_git(error) from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git took longer than {SECONDS} seconds") from None
    if done.returncode:
        raise GitError(error_message(done.stderr))
    return done.stdout


def command(settings: Sequence[str], *arguments: str) -> list[str]:
    """Returns a git command line with settings that override those of the repository."""
    return ["git", *(part for setting in settings for part in ("-c", setting)), *arguments]


def environment(variables: dict[str, str]) -> dict[str, str]:
    """Returns the current environment with these variables, and without all other GIT_ variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | variables


def no_git(error: OSError) -> GitError:
    return MissingGitError(f"git cannot be started ({error.strerror}); install git 2.36 or newer")


def error_message(stderr: bytes) -> str:
    """Returns the first error in git's output, on one line."""
    lines = stderr.replace(b"\r", b"\n").split(b"\n")
    return "git says: " + printable(
        next((line for line in lines if line.startswith((b"fatal: ", b"error: "))), lines[0])
    )


def printable(line: bytes) -> str:
    """Decodes a line, and replaces characters that could control a terminal."""
    return "".join(c if c.isprintable() else "�" for c in line.decode("utf-8", "replace")[:300])


class Objects:
    """The objects of a repository, read through one `git cat-file` process. Use it in a `with` statement."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._restarts = 0
        self._timed_out = False
        self._timer = Timer(SECONDS, self._on_timeout)
        self._timer.daemon = True
        self._start()

    def __enter__(self) -> Objects:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._stop()

    def read(self, ids: Iterable[str], *, limit: int) -> Iterator[Object]:
        """Yields each object once, in the order of `ids`; those larger than `limit` bytes without data."""
        for group in _groups(self._request("info", list(dict.fromkeys(ids))), limit):
            small = [object.id for object in group if object.kind != "missing" and object.size <= limit]
            contents = {object.id: object for object in self._request("contents", small)}
            yield from (contents.get(object.id, object) for object in group)

    def _request(self, kind: str, ids: Sequence[str]) -> list[Object]:
        responses: list[Object] = []
        while waiting := ids[len(responses) :]:
            # Git buffers the requests and answers none before the flush, so that the two processes cannot deadlock.
            with suppress(BrokenPipeError):  # the process has exited; reading the first answer reports that
                self._requests.write("".join([*(f"{kind} {id}\n" for id in waiting), "flush\n"]).encode())
                self._requests.flush()
            for id in waiting:
                response = self._response(id, with_data=kind == "contents")
                responses.append(response or Object(id=id, kind="missing"))
                if response is None:
                    self._start_again()
                    break
        return responses

    def _response(self, id: str, *, with_data: bool) -> Object | None:
        """Reads one answer. Returns None if the process exited at this object."""
        header = self._responses.readline()
        if not header.endswith(b"\n"):
            return None
        match header.decode().split():
            case [_, kind, size] if not with_data:
                return Object(id=id, kind=kind, size=int(size))
            case [_, kind, size]:
                data = self._responses.read(int(size) + 1)
                return Object(id=id, kind=kind, size=int(size), data=data[:-1]) if len(data) > int(size) else None
            case _:
                return Object(id=id, kind="missing")

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the command line is ours; ids go in on standard input
                command(SAFE_SETTINGS, f"--git-dir={self._folder}", "cat-file", "--batch-command", "--buffer"),
                env=environment(READ_ENVIRONMENT),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise no_git(error) from None
        assert self._process.stdin and self._process.stdout
        self._requests, self._responses = self._process.stdin, self._process.stdout

    def _start_again(self) -> None:
        code = self._process.wait()
        self._stop()
        self._restarts += 1
        if self._timed_out:
            raise GitError(f"reading took longer than {SECONDS} seconds")
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
