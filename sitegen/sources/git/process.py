"""Starts git, the only program that sitegen starts, and runs it for reading without any setting of
the repository.

A repository may be hostile. Its configuration can name commands to run, a missing object can start
a download, and a tag may be called `--output=x`. Folders of a checkout can look like a bare
repository with such a configuration. Therefore every git gets the git directory that `git_folder`
found, uses no bare repository that it finds itself, runs no hook, and connects by `GIT_PROTOCOLS`
only. For reading, GIT_ variables are also removed from the environment, settings that can start a
command are overridden, all protocols are disabled, and object ids are passed on standard input.
Nothing is ever checked out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sitegen.model import Problem, ProblemKind, SitegenError, Trouble
from sitegen.text.credentials import shown_address, without_credentials

MAX_MEMORY = 512 * 1024 * 1024
"""The maximum memory of git, on Linux. Mapped files of the repository do not count."""
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
GIT_PROTOCOLS = "https:http:ssh:git:file"
"""Protocols that transfer only git data; `ext` runs a command."""
SAFE_DIFF = ("--no-ext-diff", "--no-textconv", "--no-color")
SAFE_LOG = (*SAFE_DIFF, "--no-show-signature", "--no-mailmap", "--no-decorate")
"""Options of `git diff` and `git log` against what the configuration of a repository could run or
change."""
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


TO_REACH = "check the address, your rights and the connection"
"""The advice if a remote cannot be read."""


class GitError(SitegenError):
    """Raised if a repository cannot be read. The message is git's error on one line."""

    kind = ProblemKind.REPOSITORY

    def problem(self, address: str) -> Problem:
        """Returns the error as a problem of a repository."""
        return Trouble(self.kind, str(self)).at(shown_address(address))


class MissingGitError(GitError):
    """Raised if git cannot be started."""


def run(folder: Path, *arguments: str) -> bytes:
    """Runs a read-only git command and returns its output. Raises GitError with git's message if it
    fails."""
    code, output, errors = wait_for_end(start_reading(folder, *arguments))
    if code:
        raise GitError(error_message(errors))
    return output


def lines(folder: Path, *arguments: str) -> list[str]:
    """Returns the lines that a read-only git command prints. Raises GitError as `run` does."""
    # Names of refs can have bytes that are no UTF-8, and characters that end a line for `str`.
    printed = run(folder, *arguments).splitlines()
    return [line.decode("utf-8", "surrogateescape") for line in printed]


def start_reading(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """Starts git in a git directory, without settings that can start a command or a connection."""
    process = start(
        f"--git-dir={folder}",
        *arguments,
        settings=READ_SETTINGS,
        inherited=plain_environment(),
        variables=READ_ENVIRONMENT,
        **options,
    )
    if sys.platform == "linux":
        import resource  # only POSIX systems have it

        # Git would hold billions of paths, if a hostile repository has as many.
        _, limit = resource.prlimit(process.pid, resource.RLIMIT_DATA)
        if limit == resource.RLIM_INFINITY or limit > MAX_MEMORY:  # only root may raise a limit
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    return process


def start(
    *arguments: str,
    settings: Sequence[str],
    inherited: Mapping[str, str],
    variables: Mapping[str, str],
    **options: Any,
) -> subprocess.Popen[bytes]:
    """Starts git. Every process of git is started here.

    `settings` override those of the repository, and `variables` the environment `inherited`.
    `options` are those of `Popen`. Callers put names from outside after `--end-of-options`, or pass
    full refs or ids. Raises MissingGitError.
    """
    overriding: list[str] = []
    for setting in (*SETTINGS, *settings):
        overriding += ("-c", setting)
    environment = {**inherited, "GIT_ALLOW_PROTOCOL": GIT_PROTOCOLS, "LC_ALL": "C", **variables}
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


def wait_for_end(
    process: subprocess.Popen[bytes], *, stdin: bytes = b""
) -> tuple[int, bytes, bytes]:
    """Waits for the end of a git command. Returns its exit code, output and errors."""
    with process:
        try:
            output, errors = process.communicate(stdin)
        except BaseException:  # such as Ctrl-C
            process.kill()
            raise
    return process.returncode, output, errors


def plain_environment() -> dict[str, str]:
    """Returns the current environment without GIT_ variables."""
    environment = {}
    for name, value in os.environ.items():
        if not name.startswith("GIT_"):
            environment[name] = value
    return environment


def error_message(stderr: bytes) -> str:
    """Returns the first error in git's output, on one line without a period."""
    printed = stderr.replace(b"\r", b"\n").split(b"\n")
    first = printed[0]
    for line in printed:
        if line.startswith((b"fatal: ", b"error: ")):
            first = line
            break
    return f"git says: {printable(first).rstrip('.')}"


def printable(line: bytes) -> str:
    """Decodes a line of git, leaves out credentials, and replaces characters that could control a
    terminal."""
    text = without_credentials(line[:4096].decode("utf-8", "replace"))
    shown = ""
    for character in text[:300]:  # cut here, as a password that is cut would not be found
        if not character.isprintable():
            character = "�"
        shown += character
    return shown
