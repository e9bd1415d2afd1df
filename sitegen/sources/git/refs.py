"""Reads tags and branches of a repository, and resolves them to commits.

Lightweight tags, annotated tags and tags of tags are resolved. A tag that points to anything but a commit, or to a
missing object, is left out with a problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from sitegen.model import Problem, Skipped
from sitegen.sources.git.process import GitError, Object, Objects, run
from sitegen.sources.git.tags import (
    EVERY_VERSION,
    Point,
    TagSettings,
    candidates,
    main_line,
    project_family,
    skipped_tags,
    summarize,
    unique_names,
    without_duplicates,
)
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import Arrange, name_releases, parse_label

MAX_REFS = 200_000
MAX_RELEASES = 2_000
SHALLOW = "a shallow clone, which lacks older releases"

MAX_NESTED = 10
"""The maximum depth of tags that point to tags."""
MAX_BYTES = 1024 * 1024
"""The maximum size of a commit or tag object."""

TAGS, BRANCHES, TRACKED = "refs/tags/", "refs/heads/", "refs/remotes/origin/"

NO_COMMIT = "the current branch has no commit yet"
OTHERS = "tags of something else are left out"
"""The beginning of the problem about other tag families."""

TARGET = re.compile(rb"object ([0-9a-f]{40}|[0-9a-f]{64})\n")
TREE = re.compile(rb"tree ([0-9a-f]{40}|[0-9a-f]{64})\n")
COMMITTER = re.compile(rb"^committer [^\n]*> (-?[0-9]{1,12}) ([+-][0-9]{2})([0-9]{2})$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The releases of a repository."""

    tagged: tuple[Point, ...]
    """Oldest first."""
    maintenance: frozenset[Point] = frozenset()
    """Releases that were published after a higher version."""
    head: Point | None = None
    """The unreleased state."""
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_points(
    folder: Path,
    objects: Objects,
    choice: TagSettings = EVERY_VERSION,
    *,
    refs: Mapping[str, str],
    path: str,
    head: str = "",
    project: str = "",
    has_glossary: Callable[[Point], bool] = lambda point: True,
    arrange: Arrange = tuple,
    named: Collection[str] = (),
) -> Points:
    """Returns the commits of the tags that are releases, in order, and that of the branch `head`, if it is not empty.

    The tag family of the project is chosen with `has_glossary` and the name of the `project`. Releases in `named` are
    on the main line regardless of their dates. `path` is for messages.
    """
    tags = {ref.removeprefix(TAGS): id for ref, id in refs.items() if ref.startswith(TAGS)}
    possible, problems = candidates(sorted(tags), choice, path=path)
    found, unresolved = resolve(objects, {tag: tags[tag] for tag in possible}, path=path)
    chosen: tuple[Point, ...] = tuple(found.values())
    others: tuple[str, ...] = ()
    if not choice.tags:
        words = tuple(f"{tag}: " for tag in possible if parse_label(tag).scheme == "word")
        unresolved = [problem for problem in unresolved if not problem.found.startswith(words)]
        chosen, others = project_family(chosen, project=project, has_glossary=has_glossary)
        chosen = unique_names(chosen)
    chosen = with_names(without_duplicates(chosen))
    line, kept = main_line(chosen, named={*named, *(point.release for point in chosen if point.label in choice.tags)})
    by_name = {point.release: point for point in line[-MAX_RELEASES:]}
    tip, odd = head_point(folder, objects, refs, head=head, path=path)
    problems += [*unresolved, *odd]
    if tip and tip.release in by_name:
        problems.append(Problem(path=path, found=f"'{tip.release}' is a tag and a branch", wanted="the tag is read"))
        tip = None
    if others:
        left_out = f"{OTHERS}: {', '.join(others[:5])}{', …' if len(others) > 5 else ''}"
        problems.append(Problem(path=path, found=left_out, wanted="name them in `tags` or in `exclude`"))
    if len(by_name) == MAX_RELEASES < len(chosen):
        labels = summarize([point.label for point in chosen])
        many = f"{labels} would be releases; the newest {MAX_RELEASES:,} are read"
        problems.append(Problem(path=path, found=many, wanted="name fewer in `tags`"))
    return Points(
        tagged=tuple(by_name[name] for name in arrange([*by_name])),
        maintenance=frozenset(by_name.values()).difference(kept),
        head=tip,
        skipped=skipped_tags([*tags], [point.label for point in by_name.values()], choice),
        problems=(*problems, *completeness_problems(folder, refs, path=path)),
    )


def with_names(points: Sequence[Point]) -> tuple[Point, ...]:
    """Returns the points with their release names set."""
    names = name_releases([point.label for point in points])
    return tuple(replace(point, release=names[point.label]) for point in points)


def completeness_problems(folder: Path, refs: Mapping[str, str], *, path: str) -> Iterator[Problem]:
    """Yields a problem for each reason why releases may be missing: a shallow clone, or too many refs."""
    if run(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        wanted = "`git fetch --unshallow --tags` brings the rest (in a workflow on GitHub, `fetch-depth: 0`)"
        yield Problem(path=path, found=SHALLOW, wanted=wanted)
    if len(refs) == MAX_REFS:
        yield Problem(path=path, found=f"too many tags and branches; the first {MAX_REFS:,} are looked at")


def read_refs(folder: Path) -> Mapping[str, str]:
    """Returns the object id of every tag and branch by its full ref name."""
    options = (f"--count={MAX_REFS}", "--format=%(objectname) %(refname)", "--end-of-options")
    lines = run(folder, "for-each-ref", *options, TAGS, BRANCHES, TRACKED)
    # Ref names cannot contain white space, so splitting by lines is safe; they can contain bytes that are not UTF-8.
    pairs = (line.decode("utf-8", "surrogateescape").partition(" ") for line in lines.split(b"\n") if line)
    return {ref: id for id, _, ref in pairs}


def resolve(objects: Objects, ids: Mapping[str, str], *, path: str) -> tuple[dict[str, Point], list[Problem]]:
    """Resolves tags or branches to commits. Returns the commits by label, and the problems."""
    points: dict[str, Point] = {}
    problems: list[Problem] = []
    for _ in range(MAX_NESTED):
        found = {object.id: object for object in objects.read(ids.values(), limit=MAX_BYTES)}
        following = {}
        for label, id in ids.items():
            target = TARGET.match(found[id].data or b"") if found[id].kind == "tag" else None
            point = _point(found[id], label=label)
            if target:
                following[label] = target[1].decode()
            elif point:
                points[label] = point
            else:
                problems.append(_unresolved(found[id], label, path=path))
        ids = following
    problems += [Problem(path=path, found=f"{label}: tags of tags, more than {MAX_NESTED} deep") for label in ids]
    return points, problems


def _point(object: Object, *, label: str) -> Point | None:
    header = (object.data or b"").partition(b"\n\n")[0]
    tree = TREE.match(header + b"\n")
    if object.kind != "commit" or not tree:
        return None
    day, time = None, None
    if match := COMMITTER.search(header):
        # The day in the committer's own time zone.
        hours, minutes = int(match[2]), int(match[2][:1] + match[3])
        with suppress(OverflowError):
            day = (datetime(1970, 1, 1) + timedelta(seconds=int(match[1]), hours=hours, minutes=minutes)).date()
            time = int(match[1])
    return Point(label=label, release=label, commit=object.id, tree=tree[1].decode(), date=day, time=time)


def _unresolved(object: Object, label: str, *, path: str) -> Problem:
    if object.kind == "missing":
        return Problem(path=path, found=f"{label}: what it leads to is missing or damaged")
    if object.size > MAX_BYTES:
        found = f"{label}: its {object.kind} has {object.size:,} bytes"
        return Problem(path=path, found=found, wanted=f"at most {MAX_BYTES:,} are read")
    return Problem(path=path, found=f"{label}: leads to a {object.kind}", wanted="a release is a commit")


def head_point(
    folder: Path, objects: Objects, refs: Mapping[str, str], *, head: str, path: str
) -> tuple[Point | None, list[Problem]]:
    """Returns the commit of a branch (`HEAD` for the current one); None if it does not exist or `head` is empty."""
    if not head:
        return None, []
    if head == "HEAD":
        name, id = _current(folder)
        if not id:
            return None, [Problem(path=path, found=NO_COMMIT, wanted="commit the glossary first")]
    else:
        name, id = head, refs.get(BRANCHES + head, refs.get(TRACKED + head, ""))
        if not id:
            from difflib import get_close_matches

            branches = [ref.removeprefix(BRANCHES) for ref in refs if ref.startswith(BRANCHES)]
            wanted = f"there is '{get_close_matches(head, branches, n=1, cutoff=0)[0]}'" if branches else ""
            return None, [Problem(path=path, found=f"no branch '{head}'", wanted=wanted)]
    points, problems = resolve(objects, {name: id}, path=path)
    return points.get(name), problems


def _current(folder: Path) -> tuple[str, str]:
    """Returns name and commit of the branch that is checked out; for a detached HEAD, the name is `HEAD`."""
    branch, id = "", ""
    with suppress(GitError):
        id = run(folder, "rev-parse", "--quiet", "--verify", "--end-of-options", "HEAD").decode().strip()
        branch = run(folder, "symbolic-ref", "--quiet", "--short", "HEAD").decode("utf-8", "replace").strip()
    return (branch if branch and is_plain(branch) else "HEAD"), id


def branches(refs: Mapping[str, str]) -> dict[str, str]:
    """Returns the commit ids of all local branches, and of the remote branches that have no local one."""
    remote = {ref.removeprefix(TRACKED): id for ref, id in refs.items() if ref.startswith(TRACKED)}
    local = {ref.removeprefix(BRANCHES): id for ref, id in refs.items() if ref.startswith(BRANCHES)}
    return {name: id for name, id in (remote | local).items() if name != "HEAD" and is_plain(name)}
