"""Finds a repository: a folder, or a clone of an address; and its name, remote address and main branch.

Clones are bare repositories in a cache folder, made once and updated later. The address comes from the user's
configuration, so the user's git settings (credentials, proxies, ssh) apply, but only with protocols that transfer
only git data. A clone is not trusted more than any other repository.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from threading import Timer

from sitegen.config.forges import PROTOCOLS, is_address, last_name, protocol, without_password
from sitegen.model import Problem, SitegenError
from sitegen.sources.git.process import (
    GitError,
    command,
    environment,
    error_message,
    git_folder,
    no_git,
    printable,
    run,
)
from sitegen.sources.locks import exclusive
from sitegen.sources.safe_files import temporary_folder
from sitegen.sources.user_cache import cache_path, private_folder

SECONDS = 1800
"""The timeout for a clone. A connection without data is closed earlier (`http.lowSpeedTime`)."""

SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=60",
    "gc.auto=0",
    "maintenance.auto=false",
)
FETCH_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS),
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
USER_VARIABLES = (
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
)
"""Environment variables in which users configure how git connects; they are passed on."""

CloneProgress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clones:
    """Settings for clones of remote repositories."""

    folder: Path
    """The cache folder of the clones."""
    update: bool = True
    """True if existing clones are updated."""
    progress: CloneProgress = lambda line: None
    """Called with each line of git's progress output."""


def clones_here(notify: CloneProgress, *, update: bool = True) -> Clones:
    """Returns the settings for the user's cache folder, below `$XDG_CACHE_HOME` or `~/.cache`."""
    return Clones(folder=cache_path(), update=update, progress=notify)


def open_repository(repository: str, *, root: Path, clones: Clones) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the folder of a repository, after cloning it if necessary. Raises GitError if there is none."""
    try:
        return _clone(repository, clones) if is_address(repository) else (git_folder(root / repository), ())
    except OSError as error:
        raise GitError(f"{error.filename}: {error.strerror}") from None


def remote_of(repository: str, *, root: Path) -> str:
    """Returns the address of a repository: its own, or that of `origin`, or of the only remote; empty without one.

    The value is configuration of a repository that may be hostile.
    """
    if is_address(repository):
        return repository
    found = b""
    with suppress(GitError):
        options = ("--local", "--no-includes", "--null", "--get-regexp", r"^remote\..*\.url$")
        found = run(git_folder(root / repository), "config", *options)
    remotes = [item.partition("\n") for item in found.decode("utf-8", "replace").split("\0") if item]
    return next((url for key, _, url in remotes if key == "remote.origin.url" or len(remotes) == 1), "")


def name_of(repository: str, *, root: Path) -> str:
    """Returns the short name of a repository: the last component of its address, or else of its folder."""
    return last_name(remote_of(repository, root=root) or str((root / repository).resolve()))


def main_branch(repository: str, *, root: Path) -> str:
    """Returns the default branch of `origin`, or else the current branch; empty if neither is known."""
    for ref in ("refs/remotes/origin/HEAD", "HEAD"):
        with suppress(GitError):
            name = run(git_folder(root / repository), "symbolic-ref", "--quiet", "--short", ref)
            return name.decode("utf-8", "replace").strip().removeprefix("origin/")
    return ""


def _clone(address: str, clones: Clones) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the folder of a repository's clone, and clones it if there is none. Raises GitError if that fails.

    If an existing clone cannot be updated, it is used as it is, and a problem is returned.
    """
    if (spoken := protocol(address)) not in PROTOCOLS:
        raise GitError(f"the address begins with {spoken}://, which is not used; {', '.join(PROTOCOLS)} are")
    readable = re.sub(r"[^a-z0-9]+", "-", address.rpartition("/")[2].lower().removesuffix(".git")).strip("-")[:40]
    name = f"{readable or 'repository'}-{hashlib.sha256(address.encode()).hexdigest()[:16]}.git"
    try:
        folder = private_folder(clones.folder) / name
    except OSError as error:
        raise GitError(f"no folder for clones can be made at {clones.folder} ({error.strerror})") from None
    except SitegenError as error:
        raise GitError(str(error)) from None
    if not folder.is_dir():
        options = ["--bare", "--template=", "--no-recurse-submodules", "--progress"]
        try:
            # Made in a temporary folder and renamed when complete, so that an interrupted clone leaves nothing.
            with temporary_folder(folder.parent) as beside:
                _git(["clone", *options, "--end-of-options", address, str(beside / name)], address, clones.progress)
                with suppress(OSError):  # another build has created it meanwhile
                    (beside / name).rename(folder)
        except GitError as error:
            raise GitError(f"{error}; check the address, your rights and the connection") from None
    elif clones.update:
        # No pruning: pages may already be published from a tag that the remote deletes later.
        options = ["--no-prune", "--no-recurse-submodules", "--no-write-fetch-head", "--progress"]
        refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
        fetch = ["--git-dir", str(folder), "fetch", *options, "--end-of-options", address, *refs]
        try:
            with exclusive(folder):  # git fails if another process fetches at the same time
                _git(fetch, address, clones.progress)
        except (GitError, OSError) as error:
            wanted = f"read as of last time, from {folder}"
            return folder, (Problem(path=without_password(address), found=str(error), wanted=wanted),)
    return folder, ()


def _git(arguments: list[str], address: str, progress: CloneProgress) -> None:
    kept = {name: os.environ[name] for name in USER_VARIABLES if name in os.environ}
    try:
        process = subprocess.Popen(  # noqa: S603 - the address comes after --end-of-options
            command(SETTINGS, *arguments),
            env=environment(kept | FETCH_ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # ssh has no terminal for prompts, and killing the group ends all child processes
        )
    except OSError as error:
        raise no_git(error) from None
    timer = Timer(SECONDS, _kill, [process])
    timer.start()
    try:
        said = _report(process, progress)
        process.wait()
    finally:
        timer.cancel()
        _kill(process)
    if process.returncode == -signal.SIGKILL:
        raise GitError(f"git took longer than {SECONDS} seconds")
    if process.returncode:
        raise GitError(error_message(said).replace(address, without_password(address)))


def _report(process: subprocess.Popen[bytes], progress: CloneProgress) -> bytes:
    """Reports git's progress output until it ends, and returns the last part of it."""
    assert isinstance(process.stderr, BufferedReader)
    said = line = b""
    while chunk := process.stderr.read1(4096):
        said = (said + chunk)[-8192:]
        *lines, line = re.split(rb"[\r\n]+", line[-4096:] + chunk)
        if lines:
            progress(printable(lines[-1]))
    return said


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
