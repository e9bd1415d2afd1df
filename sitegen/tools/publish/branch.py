"""A branch of a repository, as `gh-pages` is for GitHub Pages: each publishing is one commit on top of the last.

What is pushed follows on what was looked at, and nothing is forced. So a push is refused by the other side when
somebody has published since, and nothing of theirs is lost.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitegen.addresses import urls
from sitegen.addresses.ledger import parse
from sitegen.config.repositories import is_address, without_password
from sitegen.sources.git.process import printable
from sitegen.tools.publish.keeper import CommandError, Keeper, PublishError
from sitegen.tools.publish.plan import Live

GITHUB = ("CNAME", ".nojekyll")
"""Files that GitHub Pages knows: the site's domain, and that it is not to be built again."""

MODE = "100644"
MAX_SAID = 5
"""Lines of what the other side said to a push."""

PATIENCE = 10
"""How often we look whether a push that is under way has moved the branch, a quarter of a second apart."""


class Branch:
    """A branch that a site goes to."""

    def __init__(self, keeper: Keeper, *, remote: str, branch: str) -> None:
        self._keeper = keeper
        self._address = self._address_of(remote or self._usual_remote())
        self._ref = f"refs/heads/{branch}"
        self.place = f"{without_password(self._address)}, branch {branch}"
        self._check_name(branch)

    # Where it is.

    def _usual_remote(self) -> str:
        remotes = self._keeper.git("remote").decode("utf-8", "replace").split("\n")[:-1]
        if "origin" in remotes or len(remotes) == 1:
            return "origin" if "origin" in remotes else remotes[0]
        found = f"there are several ({', '.join(remotes)})" if remotes else "there is none"
        raise PublishError(f"no remote is called origin, and {found}; name one with --remote, or a folder with --to")

    def _address_of(self, remote: str) -> str:
        try:
            return self._keeper.git("remote", "get-url", "--push", "--", remote).decode().removesuffix("\n")
        except (CommandError, UnicodeDecodeError):
            if is_address(remote):
                return remote
            if Path(remote).is_dir():
                return str(Path(remote).absolute())  # git would look for it from the top of the repository
            raise PublishError(f"{remote}: no remote of this repository; `git remote` lists them") from None

    def _check_name(self, branch: str) -> None:
        try:
            self._keeper.git("check-ref-format", self._ref)
        except CommandError:
            raise PublishError(f"{branch}: no branch can be called so") from None

    # What is there.

    def look(self) -> Live:
        """Returns what is live. Raises `PublishError` when that cannot be told, or is no site of ours."""
        try:
            tip = self._tip()
            if not tip:
                return Live()
            self._fetch(tip)
            return self._read(tip)
        except CommandError as error:
            raise PublishError(f"{self.place}: what is live cannot be read; {self._shown(error)}") from None

    def _tip(self) -> str:
        """The commit that the branch names now; empty where there is no such branch."""
        lines = self._keeper.git("ls-remote", "--", self._address, self._ref).decode("utf-8", "replace").split("\n")
        return next((id for id, _, ref in (line.partition("\t") for line in lines) if ref == self._ref), "")

    def _fetch(self, commit: str) -> None:
        """Brings a commit into the store, unless the repository has it already."""
        try:
            self._keeper.git("rev-list", "--quiet", "--objects", "--max-count=1", commit)
        except CommandError:
            options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=")
            self._keeper.git("fetch", *options, "--", self._address, commit)

    def _read(self, tip: str) -> Live:
        listed = self._keeper.git("ls-tree", "-r", "-z", "--full-tree", tip).decode("utf-8", "surrogateescape")
        entries = (entry.partition("\t") for entry in listed.split("\0") if entry)
        files = {path: entry for entry, _, path in entries}
        ours = urls.LEDGER in files and urls.DATA in files
        if not ours and files.keys() - {*GITHUB}:
            raise PublishError(
                f"{self.place}: holds {len(files):,} files that are not a site of ours; name another --branch, or "
                "delete that one first if nobody needs it"
            )
        cure = "put the branch back to the commit before"
        place = f"{self.place}: {urls.LEDGER}"
        return Live(
            files=files,
            ledger=parse(self._text(files[urls.LEDGER]), place, cure=cure) if ours else {},
            data=self._content(files[urls.DATA]) if ours else b"",
            domain=self._content(files["CNAME"]) if "CNAME" in files else None,
            commit=tip,
        )

    def _content(self, entry: str) -> bytes:
        return self._keeper.git("cat-file", "blob", entry.rpartition(" ")[2])

    def _text(self, entry: str) -> str:
        return self._content(entry).decode("utf-8", "replace")

    # What goes there.

    def take(self, site: Path, paths: Iterable[str]) -> Mapping[str, str]:
        """Takes the files of a site into the store, and returns what tells their contents apart."""
        paths = tuple(paths)
        lines = "".join(f"{site.absolute() / path}\n" for path in paths).encode()
        try:
            ids = self._keeper.git("hash-object", "-w", "--no-filters", "--stdin-paths", given=lines).decode().split()
        except CommandError as error:
            raise PublishError(f"{site}: {error}") from None
        return {path: f"{MODE} blob {id}" for path, id in zip(paths, ids, strict=True)}

    def put(self, files: Mapping[str, str], live: Live, *, message: str) -> str | None:
        """Publishes files that were taken, and returns the commit; None when somebody else was faster.

        Raises `PublishError` when the other side refuses.
        """
        commit = self._commit(files, live, message)
        try:
            options = ("--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--no-signed")
            self._keeper.git("push", *options, "--", self._address, f"{commit}:{self._ref}")
        except CommandError as error:
            if self._was_overtaken(live, error):
                return None
            raise PublishError(f"{self.place}: {self._refusal(error)}") from None
        return commit

    def _commit(self, files: Mapping[str, str], live: Live, message: str) -> str:
        entries = "".join(f"{entry}\t{path}\0" for path, entry in files.items())
        parents = ("-p", live.commit) if live.commit else ()
        try:
            self._keeper.git("read-tree", "--empty")
            self._keeper.git("update-index", "-z", "--index-info", given=entries.encode())
            tree = self._keeper.git("write-tree").decode().strip()
            given = f"{message}\n".encode()
            return self._keeper.git("commit-tree", tree, *parents, given=given, more=self._dates()).decode().strip()
        except CommandError as error:
            known = "git config user.name and user.email say who publishes"
            raise PublishError(f"{self.place}: the commit cannot be made; {error}; {known}") from None

    def _dates(self) -> Mapping[str, str]:
        """The moment of the commit that is published from, so that the same site gives the same commit."""
        try:
            moment = self._keeper.git("show", "--no-patch", "--format=%ct +0000", "HEAD", "--").decode().strip()
        except CommandError:
            return {}  # nothing was committed yet
        return {"GIT_AUTHOR_DATE": f"@{moment}", "GIT_COMMITTER_DATE": f"@{moment}"}

    def _was_overtaken(self, live: Live, error: CommandError) -> bool:
        """True when the branch has moved on since we looked, be it while we look again."""
        is_moving = re.search(rb"cannot lock ref|failed to update ref", error.output) is not None
        try:
            for _ in range(PATIENCE if is_moving else 1):
                if self._tip() != live.commit:
                    return True
                time.sleep(0.25 if is_moving else 0)
        except CommandError:
            pass  # what the push said tells more
        return False

    def _refusal(self, error: CommandError) -> str:
        reason = re.search(rb"^!\t[^\t]*\t(.*)$", error.output, re.MULTILINE)
        said = [printable(line).strip() for line in error.errors.split(b"\n") if line.startswith(b"remote:")]
        why = printable(reason[1]) if reason else self._shown(error)
        return "; ".join(["the push was refused, and nothing is changed", why, *said[:MAX_SAID]])

    def _shown(self, error: CommandError) -> str:
        return str(error).replace(self._address, without_password(self._address))
