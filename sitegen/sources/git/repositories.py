"""Finds a repository: a folder, or a clone of an address; and its name, branches, tags and commits.

Lightweight tags, annotated tags and tags of tags are resolved to commits. A tag that leads to
anything but a commit, or to a missing object, is left out with a problem. `tags` decides which of
them are releases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path

from sitegen.config.forges import is_address, last_name
from sitegen.model import (
    Notify,
    Problem,
    ProblemKind,
    Release,
    ReleaseKind,
    Trouble,
)
from sitegen.sources.git.cloning import cache_path, clone
from sitegen.sources.git.git_folders import git_folder
from sitegen.sources.git.objects import Object, Objects
from sitegen.sources.git.process import GitError, lines, run
from sitegen.text.credentials import shown_address
from sitegen.text.decoding import is_plain

TAGS, BRANCHES, TRACKED = "refs/tags/", "refs/heads/", "refs/remotes/origin/"
DEFAULT_OF_ORIGIN = "refs/remotes/origin/HEAD"
USUAL_BRANCHES = (
    f"{TRACKED}main",
    f"{TRACKED}master",
    f"{BRANCHES}main",
    f"{BRANCHES}master",
)
"""Usual default branches, for a clone without `origin/HEAD`."""
SHORT = 10
"""The number of hex digits of commit ids in messages and citations."""
MAX_REFS = 200_000
MAX_COMMIT_BYTES = 1024 * 1024
"""The maximum size of a commit object."""
NO_COMMIT = "the current branch has no commit yet"

TREE = re.compile(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n")
"""Matches the first line of a commit: the id of its tree."""
COMMITTER = re.compile(
    rb"^committer [^\n]*> (?P<time>-?[0-9]{1,12}) (?P<hours>[+-][0-9]{2})(?P<minutes>[0-9]{2})$",
    re.MULTILINE,
)
"""Matches `committer Ann <ann@example.org> 1700000000 +0100` in a commit."""


@dataclass(frozen=True, kw_only=True)
class Clones:
    """Settings for clones of remote repositories."""

    folder: Path
    """The cache folder of the clones."""
    update: bool = True
    """True if existing clones are updated."""
    progress: Notify = lambda line: None
    """Called with each line of git's progress output."""
    ready: dict[str, tuple[Path, tuple[Problem, ...]]] = field(default_factory=dict)
    """The result of `clone` by the address. So each clone is made or updated once."""


def clones_here(notify: Notify, *, update: bool = True) -> Clones:
    """Returns the settings for the user's cache folder, below `$XDG_CACHE_HOME` or `~/.cache`."""
    return Clones(folder=cache_path(), update=update, progress=notify)


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A repository that is open for reading."""

    folder: Path
    """Its git directory."""
    place: str
    """Its folder or address, for messages."""
    remote: str
    """The address of its remote repository; empty if unknown."""
    name: str
    """The last component of its remote address, or else of its folder."""
    objects: Objects
    refs: Mapping[str, str]
    """The object id of every tag and branch by its full ref name."""
    checked_out: tuple[str, str]
    """Name and commit of the branch that is checked out, whose name is `HEAD` if it is detached."""
    is_shallow: bool
    """True for a shallow clone, which lacks older commits."""
    problems: tuple[Problem, ...]
    """The problem with updating a clone, if any."""

    @property
    def tags(self) -> dict[str, str]:
        """The object ids of all tags."""
        return self._refs_below(TAGS)

    @property
    def branches(self) -> dict[str, str]:
        """The commit ids of all local branches, and of the remote branches that have no local
        one."""
        branches = {}
        for name, id in (self._refs_below(TRACKED) | self._refs_below(BRANCHES)).items():
            if name != "HEAD" and is_plain(name):
                branches[name] = id
        return branches

    def _refs_below(self, prefix: str) -> dict[str, str]:
        """Returns the object ids of the refs that begin with a prefix, by their names without the
        prefix."""
        ids = {}
        for ref, id in self.refs.items():
            if ref.startswith(prefix):
                ids[ref.removeprefix(prefix)] = id
        return ids

    def resolve(
        self, ids: Mapping[str, str], *, kind: ReleaseKind = "tag"
    ) -> tuple[dict[str, Release], dict[str, Problem]]:
        """Resolves tags, branches or commits to releases, which have no files yet. Returns the
        releases and the problems, both by label. `ids` has the object ids by label: by the name of
        the tag, the branch or the dated state."""
        releases: dict[str, Release] = {}
        problems: dict[str, Problem] = {}
        # `ID^{}` is what a tag, or a tag of a tag, leads to.
        targets = {label: f"{id}^{{}}" for label, id in ids.items()}
        objects = {}
        for object in self.objects.read(targets.values(), limit=MAX_COMMIT_BYTES):
            objects[object.name] = object
        for label, target in targets.items():
            object = objects[target]
            release = _release(object, label, kind)
            if release:
                releases[label] = release
            else:
                problems[label] = _unresolved(object, label, path=self.place)
        return releases, problems

    def tip_of(self, branch: str) -> tuple[Release | None, list[Problem]]:
        """Returns the state of a branch, and the problems with it. `HEAD` is the current branch. An
        unknown branch gives None without a problem."""
        if branch == "HEAD":
            name, id = self.checked_out
            if not id:
                trouble = Trouble(ProblemKind.MISSING, NO_COMMIT, "commit the glossary first")
                return None, [trouble.at(self.place)]
        else:
            name = branch
            id = self.refs.get(BRANCHES + branch) or self.refs.get(TRACKED + branch, "")
            if not id:
                return None, []
        resolved, problems = self.resolve({name: id}, kind="branch")
        return resolved.get(name), [*problems.values()]

    def tags_in(self, commit: str) -> frozenset[str]:
        """Returns the tags in the history of a commit; none if git cannot say."""
        options = (f"--merged={commit}", "--format=%(refname)")
        with suppress(GitError):
            refs = lines(self.folder, "for-each-ref", *options, TAGS)
            return frozenset(ref.removeprefix(TAGS) for ref in refs)
        return frozenset()

    def incompleteness(self) -> Iterator[Problem]:
        """Yields a problem for each reason why releases may be missing: a shallow clone, or too
        many refs."""
        if self.is_shallow:
            found = "a shallow clone, which lacks older releases"
            wanted = (
                "`git fetch --unshallow --tags` brings the rest (in a workflow on GitHub, "
                "`fetch-depth: 0`)"
            )
            yield Trouble(ProblemKind.SHALLOW, found, wanted).at(self.place)
        if len(self.refs) == MAX_REFS:  # `read_refs` reads no more
            found = f"too many tags and branches; the first {MAX_REFS:,} are looked at"
            yield Trouble(ProblemKind.LIMIT, found).at(self.place)


@contextmanager
def open_repository(address: str, *, root: Path, clones: Clones) -> Iterator[Repository]:
    """Opens a repository for reading. Raises GitError.

    `address` is a folder relative to `root`, or a web address. The latter is cloned if necessary.
    """
    folder, problems = _git_directory(address, root=root, clones=clones)
    with Objects(folder) as objects:
        remote = remote_of(address, root=root)
        refs, current = read_refs(folder)
        yield Repository(
            folder=folder,
            place=shown_address(address),
            remote=remote,
            name=name_of(address, remote, root=root),
            objects=objects,
            refs=refs,
            checked_out=_checked_out_branch(refs, current, folder),
            is_shallow=run(folder, "rev-parse", "--is-shallow-repository").strip() == b"true",
            problems=problems,
        )


def _git_directory(address: str, *, root: Path, clones: Clones) -> tuple[Path, tuple[Problem, ...]]:
    """Returns the git directory of a repository, and the problem with updating a clone, if any.
    Raises GitError."""
    try:
        if not is_address(address):
            return git_folder(root / address), ()
        if address not in clones.ready:
            clones.ready[address] = clone(
                address, clones.folder, clones.progress, update=clones.update
            )
        return clones.ready[address]
    except OSError as error:
        raise GitError(f"{error.filename}: {error.strerror}") from None


def remote_of(repository: str, *, root: Path) -> str:
    """Returns the address of a repository; of a folder, the address of its remote `origin`, or an
    empty text.

    The repository may be hostile, and so may the address.
    """
    if is_address(repository):
        return repository
    with suppress(GitError):
        return remotes(git_folder(root / repository)).get("origin", "")
    return ""


def remotes(folder: Path) -> Mapping[str, str]:
    """Returns the addresses of the remotes of a git directory, by their names; none if its
    configuration cannot be read."""
    options = ("--local", "--no-includes", "--null", "--get-regexp", r"^remote\..*\.url$")
    try:
        output = run(folder, "config", *options).decode("utf-8", "replace")
    except GitError:  # also if there is no remote
        return {}
    addresses: dict[str, str] = {}
    for setting in output.split("\0"):
        key, _, url = setting.partition("\n")
        if key:
            name = key.removeprefix("remote.").removesuffix(".url")
            addresses.setdefault(name, url)
    return addresses


def name_of(repository: str, remote: str, *, root: Path) -> str:
    """Returns the short name of a repository: the last component of its remote address, or else of
    its folder."""
    return last_name(remote or str((root / repository).resolve()))


def default_branch(folder: Path) -> str:
    """Returns the ref of the default branch of a git directory, or an empty text. Raises GitError.

    This is the default branch of `origin` if that is known, else a branch with a usual name.
    """
    form = "--format=%(refname) %(symref)"
    leads_to = {}  # the ref to which each ref leads; only `origin/HEAD` leads to another one
    for line in lines(folder, "for-each-ref", form, DEFAULT_OF_ORIGIN, *USUAL_BRANCHES):
        ref, _, branch = line.partition(" ")
        leads_to[ref] = branch
    default_of_origin = leads_to.get(DEFAULT_OF_ORIGIN)
    if default_of_origin:
        return default_of_origin
    for ref in USUAL_BRANCHES:
        if ref in leads_to:
            return ref
    return ""


def branch_name(ref: str) -> str:
    """Returns the name of a branch, here or at `origin`."""
    return ref.removeprefix(TRACKED).removeprefix(BRANCHES)


def default_branch_name(folder: Path) -> str:
    """Returns the name of the default branch of the repository at a folder. If that is unknown,
    returns the name of the current branch, or an empty text."""
    with suppress(GitError):
        git = git_folder(folder)
        ref = default_branch(git)
        if not ref:
            ref = run(git, "symbolic-ref", "--quiet", "HEAD").decode().strip()
        return branch_name(ref)
    return ""


def read_refs(folder: Path) -> tuple[Mapping[str, str], str]:
    """Returns the object id of each tag and branch of a git directory by its full ref name, and the
    branch that is checked out; that is empty if HEAD is detached, or has no commit. Raises
    GitError."""
    form = "--format=%(HEAD)%(objectname) %(refname)"
    options = (f"--count={MAX_REFS}", form, "--end-of-options")
    ids = {}
    current = ""
    for line in lines(folder, "for-each-ref", *options, TAGS, BRANCHES, TRACKED):
        id, _, ref = line[1:].partition(" ")
        ids[ref] = id
        if line.startswith("*"):  # of `%(HEAD)`; else the line begins with a space
            current = ref
    return ids, current


def _release(object: Object, label: str, kind: ReleaseKind) -> Release | None:
    """Returns the release of a commit, without files; None if the object is no commit."""
    header = (object.data or b"").partition(b"\n\n")[0]
    tree = TREE.match(header + b"\n")
    if object.kind != "commit" or not tree:
        return None
    release = Release(name=label, label=label, kind=kind, commit=object.id, tree=tree[1].decode())
    committer = COMMITTER.search(header)
    if committer:
        with suppress(OverflowError):
            return replace(release, date=_local_day(committer), time=int(committer["time"]))
    return release


def _local_day(committer: re.Match[bytes]) -> date:
    """Returns the day of a commit on the committer's own clock. Raises OverflowError."""
    time, hours, minutes = map(int, committer.group("time", "hours", "minutes"))
    if committer["hours"].startswith(b"-"):  # "-0130" is minus 1 hour and minus 30 minutes
        minutes = -minutes
    since_1970 = timedelta(seconds=time, hours=hours, minutes=minutes)
    return (datetime(1970, 1, 1) + since_1970).date()


def _unresolved(object: Object, label: str, *, path: str) -> Problem:
    """Returns why a tag, a branch or a dated state is no release."""
    if object.kind == "missing":
        found = f"{label}: what it leads to is missing or damaged"
        return Trouble(ProblemKind.REPOSITORY, found).at(path)
    found = f"{label}: leads to a {object.kind} of {object.size:,} bytes"
    wanted = f"a release is a commit of at most {MAX_COMMIT_BYTES:,} bytes"
    return Trouble(ProblemKind.RELEASES, found, wanted).at(path)


def _checked_out_branch(refs: Mapping[str, str], current: str, folder: Path) -> tuple[str, str]:
    """Returns the name and the commit of the branch that is checked out, whose ref is `current`.
    The name is `HEAD` for a detached HEAD, and for a branch whose name cannot be shown."""
    name = current.removeprefix(BRANCHES)
    if name and is_plain(name):
        return name, refs[current]
    id = b""
    with suppress(GitError):
        id = run(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", "HEAD")
    return "HEAD", id.decode().strip()
