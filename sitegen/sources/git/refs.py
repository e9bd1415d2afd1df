"""The points of a repository that are releases: commits that a tag or a branch leads to.

Any kind of tag is followed: one that names a commit, one with a message of its own, a tag of a tag. What leads to
something else, or nowhere, is left out with a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from difflib import get_close_matches
from pathlib import Path

from sitegen.model import Problem, Skipped
from sitegen.sources.git.process import GitError, Object, Objects, run
from sitegen.sources.git.tags import Choice, choose, passed_over
from sitegen.sources.releases import Arrange, name_releases, ordered
from sitegen.text.decoding import is_plain

MAX_REFS = 200_000
MAX_NESTED = 10
"""Tags of tags of tags."""
MAX_BYTES = 1024 * 1024
"""Of a commit or a tag with its message."""

TAGS, BRANCHES, TRACKED = "refs/tags/", "refs/heads/", "refs/remotes/origin/"

TARGET = re.compile(rb"object ([0-9a-f]{40}|[0-9a-f]{64})\n")
TREE = re.compile(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n")
COMMITTER = re.compile(rb"^committer [^\n]*> (-?[0-9]{1,12}) ([+-][0-9]{2})([0-9]{2})$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A commit that stands for a release."""

    label: str
    """The tag or branch that leads to it."""
    release: str
    commit: str
    tree: str
    date: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    tagged: tuple[Point, ...]
    """Oldest first."""
    head: Point | None
    """What is not in a release yet."""
    skipped: tuple[Skipped, ...]
    problems: tuple[Problem, ...]


def read_points(
    folder: Path, objects: Objects, choice: Choice, *, head: str, path: str, arrange: Arrange = ordered
) -> Points:
    """Returns the commits that stand for releases. `head` is a branch, `HEAD`, or empty; `path` is for messages.

    They come as `arrange` has it, and what is to come at last. In a repository without any tag, that is its current
    branch.
    """
    refs = _read_refs(folder)
    tags = {ref.removeprefix(TAGS): id for ref, id in refs.items() if ref.startswith(TAGS)}
    chosen, problems = choose(sorted(tags), choice, path=path)
    tagged, astray = _follow(objects, {tag: tags[tag] for tag in chosen}, names=name_releases(chosen), path=path)
    names = arrange(tagged)
    tip, odd = _head(folder, objects, refs, head=head or ("" if tags else "HEAD"), path=path)
    if tip and tip.release in tagged:
        odd.append(Problem(path=path, found=f"'{tip.release}' is a tag and a branch", wanted="the tag is read"))
        tip = None
    return Points(
        tagged=tuple(tagged[name] for name in names),
        head=tip,
        skipped=passed_over([*tags], chosen, choice),
        problems=(*problems, *astray, *odd, *_shortages(folder, refs, path=path)),
    )


def _shortages(folder: Path, refs: Mapping[str, str], *, path: str) -> Iterator[Problem]:
    """Ways in which a repository may have more releases than were seen."""
    if run(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        wanted = "`git fetch --unshallow --tags` brings the rest (in a workflow on GitHub, `fetch-depth: 0`)"
        yield Problem(path=path, found="a shallow clone, which lacks older releases", wanted=wanted)
    if len(refs) == MAX_REFS:
        yield Problem(path=path, found=f"too many tags and branches; the first {MAX_REFS:,} are looked at")


def _read_refs(folder: Path) -> Mapping[str, str]:
    """Every tag and branch by its full name, with the id of what it names."""
    pattern = "--format=%(objectname) %(refname)"
    lines = run(folder, "for-each-ref", f"--count={MAX_REFS}", pattern, "--end-of-options", TAGS, BRANCHES, TRACKED)
    # A name cannot hold white space, so that lines are safe; it can hold bytes that are no text.
    pairs = (line.decode("utf-8", "surrogateescape").partition(" ") for line in lines.split(b"\n") if line)
    return {ref: id for id, _, ref in pairs}


def _follow(
    objects: Objects, ids: Mapping[str, str], *, names: Mapping[str, str], path: str
) -> tuple[dict[str, Point], list[Problem]]:
    """The commits that these tags lead to, by the name of their release."""
    points: dict[str, Point] = {}
    problems: list[Problem] = []
    for _ in range(MAX_NESTED):
        found = {object.id: object for object in objects.read(ids.values(), limit=MAX_BYTES)}
        following = {}
        for label, id in ids.items():
            target = TARGET.match(found[id].data or b"") if found[id].kind == "tag" else None
            point = _point(found[id], label=label, release=names[label])
            if target:
                following[label] = target[1].decode()
            elif point:
                points[point.release] = point
            else:
                problems.append(_astray(found[id], label, path=path))
        ids = following
    problems += [Problem(path=path, found=f"{label}: tags of tags, more than {MAX_NESTED} deep") for label in ids]
    return points, problems


def _point(object: Object, *, label: str, release: str) -> Point | None:
    data = (object.data or b"").partition(b"\n\n")[0]
    tree = TREE.match(data + b"\n")
    if object.kind != "commit" or not tree:
        return None
    return Point(label=label, release=release, commit=object.id, tree=tree[1].decode(), date=_date(data))


def _date(header: bytes) -> date | None:
    """The day on which a commit was made, where it was made; None where there is no such day."""
    match = COMMITTER.search(header)
    if match is None:
        return None
    hours, minutes = int(match[2]), int(match[2][:1] + match[3])
    try:
        return (datetime(1970, 1, 1) + timedelta(seconds=int(match[1]), hours=hours, minutes=minutes)).date()
    except OverflowError:
        return None


def _astray(object: Object, label: str, *, path: str) -> Problem:
    if object.kind == "missing":
        return Problem(path=path, found=f"{label}: what it leads to is missing or damaged")
    if object.size > MAX_BYTES:
        found = f"{label}: its {object.kind} has {object.size:,} bytes"
        return Problem(path=path, found=found, wanted=f"at most {MAX_BYTES:,} are read")
    return Problem(path=path, found=f"{label}: leads to a {object.kind}", wanted="a release is a commit")


def _head(
    folder: Path, objects: Objects, refs: Mapping[str, str], *, head: str, path: str
) -> tuple[Point | None, list[Problem]]:
    if not head:
        return None, []
    name, id = _current(folder) if head == "HEAD" else (head, refs.get(BRANCHES + head) or refs.get(TRACKED + head))
    if not id:
        branches = [ref.removeprefix(BRANCHES) for ref in refs if ref.startswith(BRANCHES)]
        wanted = f"there is '{get_close_matches(head, branches, n=1, cutoff=0)[0]}'" if branches else ""
        return None, [Problem(path=path, found=f"no branch '{head}'", wanted=wanted)]
    points, problems = _follow(objects, {name: id}, names={name: name}, path=path)
    return points.get(name), problems


def _current(folder: Path) -> tuple[str, str | None]:
    """The name and the commit of the branch that is checked out; the name is `HEAD` where there is none."""
    branch, id = "", ""
    with suppress(GitError):
        id = run(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", "HEAD").decode().strip()
        branch = run(folder, "symbolic-ref", "--quiet", "--short", "HEAD").decode("utf-8", "replace").strip()
    return (branch if branch and is_plain(branch) else "HEAD"), id or None
