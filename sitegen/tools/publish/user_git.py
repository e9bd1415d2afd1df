"""Runs git with the user's own settings, in a repository that stays unchanged.

Publishing needs the user's credentials, proxies and ssh, so their settings apply, unlike in `sitegen.sources.git`. No
hook and no filter of the repository runs, so the pushed files are the built files. New objects and the index are
written to a temporary store, which reads the repository's objects as alternates. No ref of the repository is written.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sitegen.model import SitegenError
from sitegen.sources.git.process import command, error_message, no_git
from sitegen.sources.safe_files import temporary_folder

SECONDS = 1800
"""The timeout of one command. A connection without data is closed earlier (`http.lowSpeedTime`)."""

SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "core.fsync=none",  # the store is temporary
    "user.useConfigOnly=true",
    "log.showSignature=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "gc.auto=0",
    "maintenance.auto=false",
)

REDIRECTING = frozenset(
    """GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_DIR GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NAMESPACE
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_QUARANTINE_PATH GIT_REPLACE_REF_BASE GIT_SHALLOW_FILE
    GIT_WORK_TREE""".split()
)
"""Environment variables that would point git to another repository, such as those that a hook inherits."""


OF_ANOTHER_USER = re.compile(r"dubious ownership in repository at '(.*?)'")


class PublishError(SitegenError):
    """The site cannot be published. Nothing was changed, here or on the remote."""


class CommandError(Exception):
    """A git command failed. The text is git's error message on one line."""

    def __init__(self, output: bytes, errors: bytes) -> None:
        self.output, self.errors = output, errors
        super().__init__(error_message(errors))


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGit:
    """Runs git in the repository of a folder."""

    folder: Path
    variables: Mapping[str, str]
    """Environment variables that name the temporary store."""

    def run(self, *arguments: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> bytes:
        """Returns the output of a git command. `more` are further environment variables. Raises `CommandError`."""
        kept = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
        try:
            done = subprocess.run(  # noqa: S603 - callers end the options before any name from outside
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
def user_git(folder: Path) -> Iterator[UserGit]:
    """Yields git for the repository of a folder. Raises `PublishError` if there is none."""
    with temporary_folder() as temporary:
        yield UserGit(folder=folder, variables=_with_store(folder, temporary))


def _with_store(folder: Path, temporary: Path) -> Mapping[str, str]:
    """Makes a store that borrows the repository's objects, and returns the variables that name it."""
    try:
        objects = UserGit(folder=folder, variables={}).run(
            "rev-parse", "--path-format=absolute", "--git-path", "objects"
        )
    except CommandError as error:
        if owned := OF_ANOTHER_USER.search(str(error)):
            trust = f"git config --global --add safe.directory {shlex.quote(owned[1])}"
            raise PublishError(f"{folder}: another user's repository; if you trust it, run `{trust}`") from None
        raise PublishError(f"{folder}: {error}; publish from a repository, or to a folder with --to") from None
    store = temporary / "objects"
    (store / "info").mkdir(parents=True)
    (store / "info/alternates").write_bytes(objects)
    return {"GIT_OBJECT_DIRECTORY": str(store), "GIT_INDEX_FILE": str(temporary / "index")}
