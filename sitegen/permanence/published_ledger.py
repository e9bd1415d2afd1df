"""Reads the published ledger: of a folder in a git work tree from git, or of a live site from its
address.

An address is promised once it is in the ledger on the default branch, or in the one that a workflow
or `sitegen publish` commits to the branch `sitegen-ledger`, at the same path. Addresses that are
only in the working copy are not promised yet, so a build drops those that it no longer needs.
Outside git, all addresses in the ledger beside site.toml count as published.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from sitegen import safe_files
from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.permanence.ledger import Ledger, LedgerError, lost, parse, readable, united
from sitegen.sources.git.listing import list_commit
from sitegen.sources.git.process import FETCH_ALL, GitError, git_folder, repository_above, run
from sitegen.text.credentials import shown_address

KEPT_BRANCH = "sitegen-ledger"
"""The branch to which a workflow and `sitegen publish` commit the ledger of the sites that they
publish."""
USUAL = ("main", "master")
"""Usual names of default branches, for a clone without `origin/HEAD`."""
ORIGIN, LOCAL = "refs/remotes/origin/", "refs/heads/"
MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of a ledger: about 200,000 addresses."""
SIGN_IN = (
    "if it asks for a sign-in, leave --ledger out, and keep the ledger with `sitegen "
    "addresses --push`"
)
SETTINGS = re.compile(r"([^/]+/)?site\.toml")
"""Matches where a site.toml is looked for."""


@dataclass(frozen=True)
class GitLedger:
    """A ledger's file in a git work tree."""

    path: Path
    """The path as it is shown in messages."""
    name: str
    """The path relative to the top of the work tree."""
    git: Path

    @cached_property
    def refs(self) -> tuple[str, ...]:
        """The branches whose ledgers are published: the default branch and, if it exists,
        `KEPT_BRANCH`."""
        listed = run(
            self.git,
            "for-each-ref",
            "--format=%(refname) %(symref)",
            "--end-of-options",
            LOCAL,
            ORIGIN,
        )
        pairs = (
            line.partition(" ") for line in listed.decode("utf-8", "surrogateescape").splitlines()
        )
        targets = {name: target for name, _, target in pairs}
        ledger_refs = [ref for ref in (ORIGIN + KEPT_BRANCH, LOCAL + KEPT_BRANCH) if ref in targets]
        return (_default(targets), *ledger_refs[:1])

    def read(self) -> Ledger:
        """Returns the published ledger. Raises `LedgerError` if it is damaged on one of the
        branches or in `HEAD`.

        A damaged ledger is replaced by the working copy if that has every row that can still be
        read.
        """
        ledger: Ledger = {}
        for ref in self.refs:
            ledger = united(ledger, self._at(ref), places=(self.refs[0], f"{ref}:{self.name}"))
        if "HEAD" not in self.refs:
            self._at("HEAD")
        return ledger

    def notes(self) -> Iterator[str]:
        """Yields how to bring `KEPT_BRANCH` into a clone that fetches only some branches and may
        lack it."""
        with suppress(GitError):
            fetched = run(
                self.git, "config", "--local", "--no-includes", "--get-all", "remote.origin.fetch"
            )
            if len(self.refs) == 1 and b"*" not in fetched:
                cure = "`git remote set-branches origin '*' && git fetch`"
                yield (
                    f"this clone fetches one branch; {cure} brings {KEPT_BRANCH}, if origin has it"
                )

    def on_kept_branch(self) -> Ledger:
        """Returns the ledger on `KEPT_BRANCH`; empty if there is none, or it cannot be read."""
        ledger: Ledger = {}
        with suppress(LedgerError):
            for ref in self.refs[1:]:
                ledger = self._at(ref)
        return ledger

    def _at(self, ref: str) -> Ledger:
        text = self._text_at(ref)
        if text is None:
            return {}
        try:
            return parse(
                text,
                f"{ref}:{self.name}",
                cure=f"put what was lost back into {self.path}, and commit it",
            )
        except LedgerError:
            with suppress(SitegenError, OSError, UnicodeDecodeError):
                repaired = parse(safe_files.read(self.path, limit=MAX_BYTES).decode(), "")
                if not any(lost(repaired, readable(text))):
                    return repaired
            raise

    def _text_at(self, ref: str) -> str | None:
        """Returns the text of the file at a ref; None if there is no such file or ref. Raises
        `LedgerError`."""
        try:
            run(
                self.git,
                "rev-parse",
                "--quiet",
                "--verify",
                "--end-of-options",
                f"{ref}^{{commit}}",
            )
        except GitError:
            return None  # no commit yet
        try:
            entry = run(self.git, "ls-tree", "--full-tree", ref, "--", self.name).decode(
                "utf-8", "replace"
            )
            if not entry:
                return None
            is_file = entry.split()[1] == "blob"
            if (
                not is_file
                or int(run(self.git, "cat-file", "-s", f"{ref}:{self.name}")) > MAX_BYTES
            ):
                raise LedgerError(f"{ref}:{self.name}: is not a ledger")
            return run(self.git, "cat-file", "blob", f"{ref}:{self.name}").decode(
                "utf-8", "replace"
            )
        except GitError as error:
            found = f"{ref}:{self.name}: the ledger cannot be read ({error})"
            raise LedgerError(f"{found}; `{FETCH_ALL}` brings what a partial clone lacks") from None

    def newer_settings(self) -> str:
        """Returns `main:site.toml` if the default branch has changed site.toml and `HEAD` and the
        disk lack that."""
        ref, name = self.refs[0], PurePosixPath(self.name).with_name("site.toml")
        with suppress(GitError, OSError):
            span, place = f"HEAD..{ref}", f":(top,literal){name}"
            if run(self.git, "log", "-1", "--format=%h", "--end-of-options", span, "--", place):
                newer = run(self.git, "cat-file", "blob", f"{ref}:{name}")
                return (
                    f"{_short(ref)}:{name}"
                    if newer != self.path.with_name("site.toml").read_bytes()
                    else ""
                )
        return ""

    def check_not_deleted(self) -> None:
        """Raises `LedgerError` if a commit of the default branch has deleted the ledger."""
        with suppress(GitError):
            options = (
                "-1",
                "--format=%h",
                "--diff-filter=D",
                "--end-of-options",
                self.refs[0],
                "--",
            )
            found = run(self.git, "log", *options, f":(top,literal){self.name}")
            if commit := found.decode("ascii", "replace").strip():
                raise LedgerError(
                    f"{self.path}: the ledger was deleted in {commit}, and so its addresses "
                    f"would be forgotten; "
                    f"`git checkout {commit}^ -- {self.path}` puts it back"
                )


def in_git(path: Path) -> GitLedger | None:
    """Returns the ledger of a path in its git work tree; None outside of a work tree, or if git
    fails."""
    top = repository_above(path.parent)
    with suppress(GitError):
        if top is not None:
            real = Path(os.path.realpath(path.parent), path.name)
            found = GitLedger(path, real.relative_to(top).as_posix(), git_folder(top))
            assert found.refs is not None
            return found
    return None


def settings_on_default_branch(folder: Path) -> str:
    """Returns where the default branch of a repository has a site.toml that the folder lacks, as
    `main:site.toml`."""
    if published := in_git(folder / urls.LEDGER):
        with suppress(GitError):
            for file in list_commit(published.git, published.refs[0]):
                if SETTINGS.fullmatch(file.path) and not (folder / file.path).exists():
                    return f"{_short(published.refs[0])}:{file.path}"
    return ""


def _short(ref: str) -> str:
    return ref.removeprefix(LOCAL).removeprefix("refs/remotes/")


def _default(refs: dict[str, str]) -> str:
    """Returns the ref of the default branch: the target of `origin/HEAD`, else one with a usual
    name, else HEAD."""
    named = (f"{place}{name}" for place in (ORIGIN, LOCAL) for name in USUAL)
    return next((ref for ref in (refs.get(f"{ORIGIN}HEAD", ""), *named) if ref in refs), "HEAD")


def fetch(address: str) -> Ledger:
    """Returns the ledger at a web address; an empty one if the server answers that there is
    none. Raises `LedgerError`."""
    from sitegen.sources import downloads  # loads urllib, which most builds do not need

    try:
        content = downloads.fetch(address, max_bytes=MAX_BYTES)
    except downloads.DownloadError as error:
        reason = f"{error}; {SIGN_IN}" if error.may_need_sign_in else str(error)
        raise _not_fetched(address, reason) from None
    if content is None:
        return {}
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise _not_fetched(address, "it is not text in UTF-8") from None
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise _not_fetched(address, f"a web page is there; {SIGN_IN}")
    return parse(text, shown_address(address), cure="publish an undamaged one there first")


def _not_fetched(address: str, reason: str) -> LedgerError:
    shown = shown_address(address)
    return LedgerError(f"{shown}: the live ledger cannot be fetched ({reason})")
