"""Git as its keeper has set it up, in a repository that stays as it is.

To publish takes the keeper's credentials, proxies and ssh, so unlike in `sitegen.sources.git` their settings are in
force. No hook of the repository runs, and no filter: what is pushed is what was built. All that is made on the way
(objects, an index) goes to a store of its own, which borrows the repository's objects and is thrown away in the end;
no ref is written here at all.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sitegen.model import SitegenError
from sitegen.sources.git.process import command, complaint, no_git

SECONDS = 1800
"""The longest that one command may take. A connection that falls silent is given up before."""

SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "core.fsync=none",  # the store is thrown away; what is pushed, the other side keeps safe
    "user.useConfigOnly=true",
    "log.showSignature=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "gc.auto=0",
    "maintenance.auto=false",
)

ELSEWHERE = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NAMESPACE
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE
    GIT_WORK_TREE""".split()
)
"""Variables by which a hook, or a git above us, would point git to another repository."""


class PublishError(SitegenError):
    """What stands in the way of publishing. Nothing has been changed, here or there."""


class CommandError(Exception):
    """A git command failed. Its text is what git complained of, on one line."""

    def __init__(self, output: bytes, errors: bytes) -> None:
        self.output, self.errors = output, errors
        super().__init__(complaint(errors))


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """The repository that a folder is in."""

    folder: Path
    variables: Mapping[str, str]
    """By these git finds the store for what is made."""

    def git(self, *arguments: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> bytes:
        """Returns what a git command prints. Raises `CommandError`; `more` are further variables for it."""
        kept = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
        try:
            done = subprocess.run(  # noqa: S603 - options end before any name that is not ours
                command(SETTINGS, "-C", str(self.folder), *arguments),
                env={**kept, **self.variables, **(more or {}), "LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1"},
                input=given,
                capture_output=True,
                timeout=SECONDS,
            )
        except OSError as error:
            raise no_git(error) from None
        except subprocess.TimeoutExpired:
            raise PublishError(f"git took longer than {SECONDS} seconds") from None
        if done.returncode:
            raise CommandError(done.stdout, done.stderr)
        return done.stdout


@contextmanager
def keeper(folder: Path) -> Iterator[Keeper]:
    """Gives the repository that a folder is in. Raises `PublishError` where there is none."""
    with TemporaryDirectory(prefix="sitegen-") as place:
        yield Keeper(folder=folder, variables=_with_a_store(folder, Path(place)))


def _with_a_store(folder: Path, place: Path) -> Mapping[str, str]:
    """Makes a store that borrows the objects of the repository."""
    try:
        objects = Keeper(folder=folder, variables={}).git(
            "rev-parse", "--path-format=absolute", "--git-path", "objects"
        )
    except CommandError as error:
        raise PublishError(f"{folder}: {error}; publish from a repository, or to a folder with --to") from None
    store = place / "objects"
    (store / "info").mkdir(parents=True)
    (store / "info/alternates").write_bytes(objects)
    return {"GIT_OBJECT_DIRECTORY": str(store), "GIT_INDEX_FILE": str(place / "index")}
