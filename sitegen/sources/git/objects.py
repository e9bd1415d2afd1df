"""Reads the objects of a repository (commits, trees, files) through one git process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sitegen.model import ProblemKind
from sitegen.sources.git.process import GitError, run, start_reading

MAX_RESTARTS = 100
"""The maximum number of restarts of git, which can exit on a damaged object, before reading
fails."""
GROUP_BYTES = 32 * 1024 * 1024
"""The approximate amount of data that is requested, and held in memory, at a time."""
OLD_GIT = 129
"""The exit code of git for an unknown option."""

FETCH_ALL = "git fetch --refetch --no-filter --tags"
"""The command that brings all objects into a partial clone."""


class PartialCloneError(GitError):
    """Raised if a repository lacks objects, as it was cloned with a filter."""

    kind = ProblemKind.UNREADABLE


@dataclass(frozen=True, kw_only=True)
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


class Objects:
    """The objects of a repository, read through one `git cat-file` process. Use it in a `with`
    statement."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._restarts = 0
        self._start()

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def read(self, names: Iterable[str], *, limit: int) -> Iterator[Object]:
        """Yields the objects in the order of `names`, without duplicates. Objects of more than
        `limit` bytes have no data."""
        distinct = list(dict.fromkeys(names))
        for group in _groups_by_size(self._request("info", distinct), limit):
            small = []  # the names of the objects whose contents are read
            for object in group:
                if object.kind != "missing" and object.size <= limit:
                    small.append(object.name)
            contents = {object.name: object for object in self._request("contents", small)}
            for object in group:
                yield contents.get(object.name, object)

    def _request(self, kind: str, names: Sequence[str]) -> list[Object]:
        """Returns the `info` or the `contents` of objects, as `kind` says. A damaged object counts
        as missing."""
        responses: list[Object] = []
        # Git exits at a damaged object. Then it is started again, and asked for the rest.
        while waiting := names[len(responses) :]:
            self._send(kind, waiting)
            for name in waiting:
                response = self._response(name, with_data=kind == "contents")
                has_exited = response is None
                if response is None:
                    response = Object(name=name, id=name, kind="missing")
                if response.kind == "missing":
                    self._refuse_partial_clone()
                responses.append(response)
                if has_exited:
                    self._start_again()
                    break
        return responses

    def _send(self, kind: str, names: Sequence[str]) -> None:
        """Sends requests to git."""
        # Git buffers the requests and answers none before the flush, so that the two processes
        # cannot deadlock.
        lines = [f"{kind} {name}\n" for name in names]
        # If git has exited, `_response` finds no answer.
        with suppress(BrokenPipeError):
            self._requests.write("".join([*lines, "flush\n"]).encode())
            self._requests.flush()

    def _refuse_partial_clone(self) -> None:
        """Raises PartialCloneError if the repository was cloned with a filter. Then a missing
        object is not damaged, but was never fetched."""
        setting = r"^(remote\..*\.promisor|extensions\.partialclone)$"
        options = ("--local", "--no-includes", "--get-regexp", setting)
        partial = b""
        with suppress(GitError):
            partial = run(self._folder, "config", *options)
        if partial:
            found = "cannot be read: a partial clone lacks files of releases"
            raise PartialCloneError(f"{found}; `{FETCH_ALL}` brings them")

    def _response(self, name: str, *, with_data: bool) -> Object | None:
        """Reads one answer. Returns None if the process exited at this object."""
        header = self._responses.readline()
        if not header.endswith(b"\n"):
            return None
        facts = header.decode().split()
        if len(facts) != 3:  # "NAME missing"
            return Object(name=name, id=name, kind="missing")
        id, kind, length = facts
        object = Object(name=name, id=id, kind=kind, size=int(length))
        if not with_data:
            return object
        data = self._responses.read(object.size + 1)  # with a newline
        if len(data) <= object.size:
            return None
        return replace(object, data=data[:-1])

    def _start(self) -> None:
        """Starts git."""
        self._process = start_reading(
            self._folder, "cat-file", "--batch-command", "--buffer", stderr=subprocess.DEVNULL
        )
        assert self._process.stdin and self._process.stdout
        self._requests, self._responses = self._process.stdin, self._process.stdout

    def _start_again(self) -> None:
        """Starts git again after it exited. Raises GitError if it would exit again."""
        code = self._process.wait()
        self._stop()
        self._restarts += 1
        if code == OLD_GIT:
            raise GitError("this git is too old; install git 2.36 or newer")
        if self._restarts > MAX_RESTARTS:
            raise GitError(f"more than {MAX_RESTARTS} damaged objects")
        self._start()

    def _stop(self) -> None:
        """Ends git, and waits until it has ended."""
        self._process.kill()
        self._process.communicate()


def _groups_by_size(objects: list[Object], limit: int) -> Iterator[list[Object]]:
    """Splits objects into groups of about `GROUP_BYTES`, to limit memory use."""
    group: list[Object] = []
    bytes_in_group = 0
    for object in objects:
        size = object.size
        if size > limit:
            size = 0  # it is not read
        if group and bytes_in_group + size > GROUP_BYTES:
            yield group
            group, bytes_in_group = [], 0
        group.append(object)
        bytes_in_group += size
    if group:
        yield group
