"""Clones repositories from their addresses into a cache folder, and updates the clones.

Clones are bare repositories in a cache folder, made once and updated later. The address comes from
the user's configuration, so the user's git settings (credentials, proxies, ssh) apply, but only
with protocols that transfer only git data. A password in the address is in git's environment only,
neither on its command line nor in the clone. A clone is not trusted more than any other repository.

The cache folder is `$XDG_CACHE_HOME/sitegen` or `~/.cache/sitegen`. It is trusted, so it must not
come from a checkout: the folder belongs to the user, only the user has access, and git does not
track anything in it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from threading import Timer

from sitegen.config.forges import PROTOCOLS, protocol
from sitegen.model import Notify, Problem, ProblemKind, SitegenError, Trouble
from sitegen.safe_files import locked, make_folder, real_path
from sitegen.sources.git.git_folders import check_untracked
from sitegen.sources.git.process import (
    TO_REACH,
    GitError,
    error_message,
    plain_environment,
    printable,
    start,
)
from sitegen.text.credentials import shown_address, without_user

CLONE_SECONDS = 1800
"""The maximum time for cloning or updating a repository."""
PRIVATE_MODE = 0o700
OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
NEW = ".new"
"""The suffix of a clone that is not complete."""
FETCH_SETTINGS = ("http.lowSpeedLimit=1", "http.lowSpeedTime=60")
"""Settings of git by which a connection without data is closed after a minute."""
FETCH_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS), "GIT_TERMINAL_PROMPT": "0"}
USER_VARIABLES = (
    "GIT_SSH GIT_SSH_COMMAND GIT_SSL_CAINFO GIT_SSL_CAPATH GIT_ASKPASS GIT_CONFIG_GLOBAL".split()
)
"""Environment variables in which users configure how git connects; they are passed on."""


def cache_path() -> Path:
    """Returns the path of the cache folder, whether or not it exists."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG base directory specification ignores relative paths.
    if Path(named).is_absolute():
        return Path(named) / "sitegen"
    try:
        return Path.home() / ".cache" / "sitegen"
    except RuntimeError:  # a user without a home directory
        return Path(os.devnull) / "sitegen"  # no folder can be created there


def clone(
    address: str, cache: Path, progress: Notify, *, update: bool
) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the folder of a repository's clone in the cache folder. Clones the repository if
    there is none, and raises GitError if that fails.

    With `update`, an existing clone is updated. If that fails, the clone is used as it is, and a
    problem is returned with it.
    """
    scheme = protocol(address)
    if scheme not in PROTOCOLS:
        raise GitError(
            f"the address begins with {scheme}://, which is not used; {', '.join(PROTOCOLS)} are"
        )
    try:
        folder = _private_folder(cache) / _clone_name(address)
    except OSError as error:
        raise GitError(f"no folder for clones can be made at {cache} ({error.strerror})") from None
    except SitegenError as error:
        raise GitError(str(error)) from None
    if not folder.is_dir():
        _make_clone(folder, address, progress)
    elif update:
        return folder, _update(folder, address, progress)
    return folder, ()


def _private_folder(path: Path) -> Path:
    """Creates a folder that only this user can access, and returns its path without links. Raises
    OSError if it cannot be created.

    Raises SitegenError if the folder could have come from someone else: it belongs to another user,
    others can read it, or git tracks files in it.
    """
    place = real_path(path)
    make_folder(place.parent)
    with suppress(FileExistsError):
        place.mkdir(PRIVATE_MODE)
    status = place.lstat()
    if status.st_uid != os.geteuid():
        raise SitegenError(
            f"{path}: belongs to another user; set XDG_CACHE_HOME to a folder of your own"
        )
    # The mode is not compared with PRIVATE_MODE: below a folder with the set-group-id bit, the
    # folder has that bit too.
    if stat.S_IMODE(status.st_mode) & OF_OTHERS:
        raise SitegenError(
            f"{path}: can be read by other users, so it is not used as a cache; delete it"
        )
    check_untracked(place)
    return place


def _clone_name(address: str) -> str:
    """Returns the name of the folder with the clone of an address."""
    last = shown_address(address).rpartition("/")[2].lower().removesuffix(".git")
    readable = re.sub(r"[^a-z0-9]+", "-", last).strip("-")[:40]
    digest = hashlib.sha256(without_user(address).encode()).hexdigest()[:16]
    return f"{readable or 'repository'}-{digest}.git"


def _make_clone(folder: Path, address: str, progress: Notify) -> None:
    """Clones a repository. Raises GitError.

    Clones into a new folder and renames that at the end. The folder that a killed process has left
    is deleted before the next clone.
    """
    options = ("--bare", "--template=", "--no-recurse-submodules", "--progress")
    with locked(folder.parent):  # so only one process clones at a time
        for unfinished in folder.parent.glob(f"*{NEW}"):
            shutil.rmtree(unfinished, ignore_errors=True)  # the git of the killed one may still run
        if folder.is_dir():  # another process has made it meanwhile
            return
        new = Path(tempfile.mkdtemp(suffix=NEW, dir=folder.parent))
        names = ("--end-of-options", shown_address(address), str(new))
        try:
            _git(["-C", str(folder.parent), "clone", *options, *names], address, progress)
            new.rename(folder)
        except GitError as error:
            raise GitError(f"{error}; {TO_REACH}") from None
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _update(folder: Path, address: str, progress: Notify) -> tuple[Problem, ...]:
    """Updates a clone. If that fails, the clone is used as it is, and the problem is returned."""
    shown = shown_address(address)
    # No pruning: pages may already be published from a tag that the remote deletes later.
    options = ["--no-prune", "--no-recurse-submodules", "--no-write-fetch-head", "--progress"]
    refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
    fetch = ["--git-dir", str(folder), "fetch", *options, "--end-of-options", shown, *refs]
    try:
        with locked(folder):  # git fails if another process fetches at the same time
            _git(fetch, address, progress)
    except (GitError, OSError) as error:
        wanted = f"read as of last time, from {folder}"
        return (Trouble(ProblemKind.REPOSITORY, str(error), wanted).at(shown),)
    return ()


def _git(arguments: list[str], address: str, progress: Notify) -> None:
    """Runs a git command that connects to an address. Raises GitError if it fails.

    The arguments have the address without its password, as other users can see them.
    """
    user_environment = {name: os.environ[name] for name in USER_VARIABLES if name in os.environ}
    # By `url.<whole>.insteadOf=<shown>`, git connects to the address with its password.
    whole_address = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{address}.insteadOf",
        "GIT_CONFIG_VALUE_0": shown_address(address),
    }
    process = start(
        *arguments,
        settings=FETCH_SETTINGS,
        inherited=plain_environment() | user_environment,
        variables=FETCH_ENVIRONMENT | whole_address,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        # ssh has no terminal for prompts, and killing the group ends all child processes
        start_new_session=True,
    )
    timer = Timer(CLONE_SECONDS, _kill, [process])
    timer.start()
    try:
        output = _reported_output(process, progress)
        process.wait()
    finally:
        timer.cancel()
        _kill(process)  # after Ctrl-C, git still runs
    if process.returncode == -signal.SIGKILL:  # by the timer
        raise GitError(f"git took longer than {CLONE_SECONDS} seconds")
    if process.returncode:
        raise GitError(error_message(output))


def _reported_output(process: subprocess.Popen[bytes], progress: Notify) -> bytes:
    """Reports git's progress output until git ends, and returns the last part of the output."""
    assert isinstance(process.stderr, BufferedReader)
    output = rest = b""
    while chunk := process.stderr.read1(4096):
        # A server may send any number of bytes. Of these, the end is kept for an error message,
        # and the line that has not ended.
        output = (output + chunk)[-8192:]
        rest = rest[-4096:] + chunk
        *lines, rest = re.split(rb"[\r\n]+", rest)
        if lines:
            progress(printable(lines[-1]))
    return output


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends git and its child processes."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
