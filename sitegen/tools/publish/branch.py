"""Publishes to a branch of a repository, such as `gh-pages`: each publication is one commit on top of the last.

A push is never forced. The remote refuses it if another publication happened since the branch was read, so that no
published file is lost.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.ledger import parse
from sitegen.config.forges import is_address, without_password
from sitegen.sources.git.process import printable
from sitegen.text.decoding import is_plain
from sitegen.tools.publish.plan import PublishedState
from sitegen.tools.publish.user_git import CommandError, PublishError, UserGit

GITHUB = ("CNAME", ".nojekyll")
"""Files that GitHub Pages reads: `CNAME` has the site's domain, `.nojekyll` turns Jekyll off."""

MODE = "100644"
NO_OBJECT = "0" * 40
"""Together with mode 0, this id removes a file from git's index."""
MAX_REMOTE_LINES = 5
"""The maximum number of lines of the remote's answer in an error message."""

CHECKS_AFTER_REFUSAL = 10
"""The number of times that the branch is read again, every quarter of a second, while another push may move it."""


def _folder_prefix(text: str) -> str:
    """Returns a folder of the branch with a slash at its end, or an empty string for the whole branch."""
    names = [name for name in text.split("/") if name not in ("", ".")]
    if any(name.startswith(".") or not is_plain(name) or "\\" in name for name in names):
        raise PublishError(f"--prefix {text}: not a folder of a site; write it as in --prefix docs/glossary")
    return "".join(f"{name}/" for name in names)


class Branch:
    """A branch to which a site is published."""

    def __init__(self, git: UserGit, *, remote: str, branch: str, prefix: str = "") -> None:
        self._git = git
        self._prefix = _folder_prefix(prefix)
        self._address = self._address_of(remote or self._usual_remote())
        self._ref = f"refs/heads/{branch}"
        self.place = f"{without_password(self._address)}, branch {branch}"
        if self._prefix:
            self.place += f", folder {self._prefix}"
        self.is_shared = bool(self._prefix)
        self._check_name(branch)

    # The remote and the branch.

    def _usual_remote(self) -> str:
        remotes = self._git.run("remote").decode("utf-8", "replace").split("\n")[:-1]
        if "origin" in remotes or len(remotes) == 1:
            return "origin" if "origin" in remotes else remotes[0]
        found = f"there are several ({', '.join(remotes)})" if remotes else "there is none"
        raise PublishError(f"no remote is called origin, and {found}; name one with --remote, or a folder with --to")

    def _address_of(self, remote: str) -> str:
        try:
            return self._git.run("remote", "get-url", "--push", "--", remote).decode().removesuffix("\n")
        except (CommandError, UnicodeDecodeError):
            if is_address(remote):
                return remote
            if Path(remote).is_dir():
                return str(Path(remote).absolute())  # git would look for it from the top of the repository
            raise PublishError(f"{remote}: not a remote of this repository; `git remote` lists them") from None

    def _check_name(self, branch: str) -> None:
        try:
            self._git.run("check-ref-format", self._ref)
        except CommandError:
            raise PublishError(f"{branch}: not a valid name for a branch") from None

    # Reading.

    def read_state(self) -> PublishedState:
        """Returns the published state. Raises `PublishError` if it cannot be read or is not a sitegen site."""
        try:
            tip = self._tip()
            if not tip:
                return PublishedState()
            self._fetch(tip)
            return self._read(tip)
        except CommandError as error:
            raise PublishError(f"{self.place}: the published site cannot be read; {self._shown(error)}") from None

    def _tip(self) -> str:
        """Returns the branch's commit, or an empty string if there is no such branch."""
        lines = self._git.run("ls-remote", "--", self._address, self._ref).decode("utf-8", "replace").split("\n")
        return next((id for id, _, ref in (line.partition("\t") for line in lines) if ref == self._ref), "")

    def _fetch(self, commit: str) -> None:
        """Fetches a commit into the store, unless the repository has it already."""
        try:
            self._git.run("rev-list", "--quiet", "--objects", "--max-count=1", commit)
        except CommandError:
            options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
            self._git.run("fetch", *options, "--", self._address, commit)

    def _read(self, tip: str) -> PublishedState:
        listed = self._git.run("ls-tree", "-r", "-z", "--full-tree", tip).decode("utf-8", "surrogateescape")
        entries = (entry.partition("\t") for entry in listed.split("\0") if entry)
        prefix = self._prefix
        files = {path.removeprefix(prefix): entry for entry, _, path in entries if path.startswith(prefix)}
        ours = urls.LEDGER in files and urls.DATA in files
        if not ours and files.keys() - {*GITHUB}:
            raise PublishError(
                f"{self.place}: holds {len(files):,} files that sitegen did not write; name another --branch, "
                "publish below a folder of it with --prefix, or delete the branch first"
            )
        cure = "put the branch back to the commit before"
        place = f"{self.place}: {urls.LEDGER}"
        return PublishedState(
            files=files,
            ledger=parse(self._text(files[urls.LEDGER]), place, cure=cure) if ours else {},
            data=self._content(files[urls.DATA]) if ours else b"",
            domain=self._content(files["CNAME"]) if "CNAME" in files else None,
            commit=tip,
        )

    def _content(self, entry: str) -> bytes:
        return self._git.run("cat-file", "blob", entry.rpartition(" ")[2])

    def _text(self, entry: str) -> str:
        return self._content(entry).decode("utf-8", "replace")

    # Writing.

    def prepare(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Writes the files of a site to the store, and returns an identity of each content."""
        paths = tuple(paths)
        lines = "".join(f"{site.absolute() / path}\n" for path in paths).encode()
        try:
            ids = self._git.run("hash-object", "-w", "--no-filters", "--stdin-paths", given=lines).decode().split()
        except CommandError as error:
            raise PublishError(f"{site}: {error}") from None
        return {path: f"{MODE} blob {id}" for path, id in zip(paths, ids, strict=True)}

    def replace(self, files: Mapping[str, str], live: PublishedState, *, message: str) -> str | None:
        """Pushes a commit with these files, and returns its id, or None if another publication came first.

        Raises `PublishError` if the remote refuses the push.
        """
        commit = self._commit(files, live, message)
        try:
            options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed")
            self._git.run("push", *options, "--", self._address, f"{commit}:{self._ref}")
        except CommandError as error:
            if self._is_overtaken(live, error):
                return None
            raise PublishError(f"{self.place}: {self._refusal(error)}") from None
        return commit

    def _commit(self, files: Mapping[str, str], live: PublishedState, message: str) -> str:
        prefix = self._prefix
        removed = live.files.keys() - files.keys() if prefix else ()
        entries = "".join(f"0 {NO_OBJECT}\t{prefix}{path}\0" for path in sorted(removed))
        entries += "".join(f"{entry}\t{prefix}{path}\0" for path, entry in files.items())
        parents = ("-p", live.commit) if live.commit else ()
        try:
            self._git.run("read-tree", live.commit if prefix and live.commit else "--empty")
            self._git.run("update-index", "-z", "--index-info", given=entries.encode("utf-8", "surrogateescape"))
            tree = self._git.run("write-tree").decode().strip()
            given = f"{message}\n".encode()
            return self._git.run("commit-tree", tree, *parents, given=given, more=self._dates()).decode().strip()
        except CommandError as error:
            known = "set git config user.name and user.email"
            raise PublishError(f"{self.place}: the commit cannot be made; {error}; {known}") from None

    def _dates(self) -> Mapping[str, str]:
        """Returns the date of HEAD for the new commit, so that the same site gives the same commit."""
        try:
            moment = self._git.run("show", "--no-patch", "--format=%ct +0000", "HEAD", "--").decode().strip()
        except CommandError:
            return {}  # there is no commit yet
        return {"GIT_AUTHOR_DATE": f"@{moment}", "GIT_COMMITTER_DATE": f"@{moment}"}

    def _is_overtaken(self, live: PublishedState, error: CommandError) -> bool:
        """Returns True if the branch has moved since it was read."""
        is_moving = re.search(rb"cannot lock ref|failed to update ref", error.output) is not None
        try:
            for _ in range(CHECKS_AFTER_REFUSAL if is_moving else 1):
                if self._tip() != live.commit:
                    return True
                time.sleep(0.25 if is_moving else 0)
        except CommandError:
            pass  # the error of the push says more
        return False

    def _refusal(self, error: CommandError) -> str:
        reason = re.search(rb"^!\t[^\t]*\t(.*)$", error.output, re.MULTILINE)
        answer = [printable(line).strip() for line in error.errors.split(b"\n") if line.startswith(b"remote:")]
        why = printable(reason[1]) if reason else self._shown(error)
        return "; ".join(["the push was refused, and nothing has changed", why, *answer[:MAX_REMOTE_LINES]])

    def _shown(self, error: CommandError) -> str:
        return str(error).replace(self._address, without_password(self._address))
