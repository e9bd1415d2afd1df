"""Reads the published archive: of a folder in a git work tree from git, or of a live site from its
address.

Something is published once it is in the archive on the default branch, at origin or in this clone,
or in the one that a workflow or `sitegen publish` commits to the branch `sitegen-ledger`, at the
same path. The working copy and other branches do not count: the next build may drop lines that only
they have. Outside git, all of the archive beside site.toml counts as published.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import ArchiveError, parse
from sitegen.permanence.archive_union import lost, united
from sitegen.sources.git.git_folders import git_folder, repository_above
from sitegen.sources.git.listing import list_commit
from sitegen.sources.git.objects import FETCH_ALL
from sitegen.sources.git.process import GitError, lines, run
from sitegen.sources.git.repositories import BRANCHES, TRACKED, branch_name, default_branch
from sitegen.text.credentials import shown_address

KEPT_BRANCH = "sitegen-ledger"
"""The branch to which a workflow and `sitegen publish` commit the archive of the sites that they
publish."""
KEPT_REFS = (TRACKED + KEPT_BRANCH, BRANCHES + KEPT_BRANCH)
"""Where that branch is in a clone: as it was last fetched, or made here."""
PUT_BRANCH_BACK = f"put the branch {KEPT_BRANCH} back to the commit before, and run `git fetch`"
MAX_ARCHIVE_BYTES = 64 * 1024 * 1024
"""The maximum size of an archive."""
SIGN_IN = (
    "if it asks for a sign-in, leave --ledger out, and keep the archive with `sitegen "
    "addresses --push`"
)
SETTINGS_PATH = re.compile(r"([^/]+/)?site\.toml")
"""Matches where a site.toml is looked for."""


@dataclass(frozen=True, kw_only=True)
class GitArchive:
    """An archive's file in a git work tree."""

    path: Path
    """The path as it is shown in messages."""
    name: str
    """The path relative to the top of the work tree."""
    git: Path
    """The git folder of the repository."""
    default_refs: tuple[str, ...]
    """The default branch: at origin if it is there, and as it is in this clone."""
    kept_refs: tuple[str, ...]
    """`KEPT_BRANCH`, if it exists."""

    def read(self) -> Archive:
        """Returns the published archive. Raises `ArchiveError` if it is damaged, or if the last
        commit that changed it has lost published lines."""
        refs = (*self.default_refs, *self.kept_refs)
        for ref in refs:
            self._check_nothing_lost(ref)
        published = united(self._at(ref) for ref in refs)
        # The present branch may take out what is not published.
        self._check_nothing_lost("HEAD", published=published)
        return published

    def note_on_clone(self) -> str:
        """Returns how to bring `KEPT_BRANCH` into a clone that may lack it, because it fetches only
        some branches. For other clones, the result is empty."""
        with suppress(GitError):
            options = ("--local", "--no-includes", "--get-all", "remote.origin.fetch")
            fetched = run(self.git, "config", *options)
            if not self.kept_refs and b"*" not in fetched:
                cure = "`git remote set-branches origin '*' && git fetch`"
                return (
                    f"this clone fetches one branch; {cure} brings {KEPT_BRANCH}, if origin has it"
                )
        return ""

    def on_kept_branch(self) -> Archive:
        """Returns the archive on `KEPT_BRANCH`; empty if there is none, or it cannot be read."""
        with suppress(ArchiveError):
            return united(self._at(ref) for ref in self.kept_refs)
        return Archive()

    def _at(self, ref: str) -> Archive:
        """Returns the archive at a ref; an empty one if there is none. Raises `ArchiveError`."""
        text = self._text_at(ref)
        if text is None:
            return Archive()
        take_back = f"`git checkout COMMIT -- {self.path}`"
        cure = f"{take_back} takes it back from a commit before; then commit it"
        if ref in self.kept_refs:  # a commit on another branch would not change it
            cure = PUT_BRANCH_BACK
        return parse(text, f"{ref}:{self.name}", cure=cure)

    def _check_nothing_lost(self, ref: str, *, published: Archive | None = None) -> None:
        """Raises `ArchiveError` if the last commit of a branch that changed the file deleted it, or
        took out lines that are needed, as a wrong merge does. If `published` is given, only lines
        that it has too count."""
        commit_and_parents = self._last_change(ref)
        if len(commit_and_parents) < 2:
            return  # no commit yet, or the first one
        commit, parent = commit_and_parents[:2]
        before = self._text_at(parent)
        if before is None:
            return
        earlier = Archive()
        with suppress(ArchiveError):  # it was damaged then
            earlier = parse(before, f"{parent}:{self.name}")

        now = self._at(ref)
        missing = [*lost(now, earlier)]
        if missing and published is not None:
            missing_published = {*lost(now, published)}
            missing = [one for one in missing if one in missing_published]
        if missing:
            # The earlier lines can be appended, as the order of lines means nothing.
            cure = f"`git show {parent}:{self.name} >> {self.path}`, and commit it"
            if ref in self.kept_refs:
                cure = PUT_BRANCH_BACK
            raise ArchiveError(
                f"{self.path}: commit {commit} lost lines of the archive ({missing[0]}); to "
                f"put them back: {cure}"
            )

    def _last_change(self, ref: str) -> list[str]:
        """Returns the last commit of a branch that changed the file, and its parents; an empty list
        if there is none."""
        # A merged branch counts as one commit: what it alone had was never published.
        options = ("-1", "--first-parent", "--format=%h %p", "--end-of-options", ref)
        place = f":(top,literal){self.name}"
        with suppress(GitError):  # no commit yet
            return run(self.git, "log", *options, "--", place).decode("ascii", "replace").split()
        return []

    def _text_at(self, ref: str) -> str | None:
        """Returns the text of the file at a ref; None if there is no such file or ref. Raises
        `ArchiveError`."""
        place = f"{ref}:{self.name}"
        try:
            commit = f"{ref}^{{commit}}"
            run(self.git, "rev-parse", "--quiet", "--verify", "--end-of-options", commit)
        except GitError:
            return None  # no commit yet
        try:
            listed = run(self.git, "ls-tree", "--long", "--full-tree", ref, "--", self.name)
            if not listed:
                return None
            _mode, kind, _id, size, *_ = listed.split()
            # There is no size if a partial clone lacks the content.
            is_large = size.isdigit() and int(size) > MAX_ARCHIVE_BYTES
            if kind != b"blob" or is_large:
                raise ArchiveError(f"{place}: is not an archive")
            return run(self.git, "cat-file", "blob", place).decode("utf-8", "replace")
        except GitError as error:
            found = f"{place}: the archive cannot be read ({error})"
            raise ArchiveError(
                f"{found}; `{FETCH_ALL}` brings what a partial clone lacks"
            ) from None


def in_git(path: Path) -> GitArchive | None:
    """Returns the archive of a path in its git work tree; None outside of a work tree, or if git
    fails."""
    top = repository_above(path.parent)
    if top is None:
        return None
    real = Path(os.path.realpath(path.parent), path.name)
    name = real.relative_to(top).as_posix()
    with suppress(GitError):
        git = git_folder(top)
        default, kept = _published_refs(git)
        return GitArchive(path=path, name=name, git=git, default_refs=default, kept_refs=kept)
    return None


def _published_refs(git: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the refs of the default branch (at origin, and here if it differs), and the first of
    `KEPT_REFS` that exists."""
    default = default_branch(git) or "HEAD"  # `refs/remotes/origin/main`
    local_branch = BRANCHES + branch_name(default)
    commits = {}
    form = "--format=%(refname) %(objectname)"
    for line in lines(git, "for-each-ref", form, default, local_branch, *KEPT_REFS):
        ref, _, commit = line.rpartition(" ")
        commits[ref] = commit
    branches = [default]
    if local_branch in commits and commits[local_branch] != commits.get(default):
        branches.append(local_branch)
    for ref in KEPT_REFS:
        if ref in commits:
            return tuple(branches), (ref,)
    return tuple(branches), ()


def settings_on_default_branch(folder: Path) -> str:
    """Returns the place of a site.toml on the default branch of a repository that the folder lacks,
    as `main:site.toml`. If there is none, the result is empty."""
    published = in_git(folder / urls.ARCHIVE)  # has the default branch, also without an archive
    if published is None:
        return ""
    with suppress(GitError):
        default = published.default_refs[0]
        for file in list_commit(published.git, default):
            if SETTINGS_PATH.fullmatch(file.path) and not (folder / file.path).exists():
                branch = default.removeprefix(BRANCHES).removeprefix("refs/remotes/")
                return f"{branch}:{file.path}"
    return ""


def fetch(address: str) -> Archive:
    """Returns the archive at a web address; an empty one if the server answers that there is none.
    Raises `ArchiveError`."""
    from sitegen.sources import downloads  # loads urllib, which most builds do not need

    try:
        content = downloads.fetch(address, max_bytes=MAX_ARCHIVE_BYTES)
    except downloads.DownloadError as error:
        reason = f"{error}; {SIGN_IN}" if error.may_need_sign_in else str(error)
        raise _not_fetched(address, reason) from None
    if content is None:
        return Archive()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise _not_fetched(address, "it is not text in UTF-8") from None
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        raise _not_fetched(address, f"a web page is there; {SIGN_IN}")
    return parse(text, shown_address(address), cure="publish an undamaged one there first")


def _not_fetched(address: str, reason: str) -> ArchiveError:
    """Returns the error for an archive at a web address."""
    shown = shown_address(address)
    return ArchiveError(f"{shown}: the live archive cannot be fetched ({reason})")
