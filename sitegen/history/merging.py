"""Decides which entries are the same term: within a source (`matching`), then across sources.

It applies no rule that is weaker than the rules of `matching`. Changes between two releases are computed in
`changes`. A term whose document could not be read has the state "unread", not "absent".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sitegen.history.matching import chain_of
from sitegen.history.threads import Declarations, Thread, ThreadMember, lane
from sitegen.model import Edition, Problem, Rename, Source, Verdict
from sitegen.model.terms import Term
from sitegen.text import names
from sitegen.text.names import Keys

ThreadGroup = list[ThreadMember]
"""The threads of one term, source by source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    terms: tuple[Term, ...]
    """In order of first appearance: by source, release, and position in the document."""
    problems: tuple[Problem, ...]


def merge(
    sources: Iterable[tuple[Source, tuple[Edition, ...]]],
    *,
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> Merged:
    """Returns the terms that these sources define, each with a lane for every source that ever defined it.

    `renames` and `verdicts` come from site.toml and override every rule. A rename that applies to no release is
    reported as a problem, and so is a name in a verdict that no term ever had.
    """
    read = tuple(sources)
    keys = names.keys((edition for _, editions in read for edition in editions))
    made = [
        chain_of(source.id, _declarations(source, keys, renames, verdicts), editions) for source, editions in read
    ]
    members = ((source, chain.members(source)) for (source, _), chain in zip(read, made, strict=True))
    groups = _across(members, keys=keys, verdicts=verdicts)
    return Merged(
        terms=_terms(groups),
        problems=(
            *(problem for chain in made for problem in (*chain.problems, *chain.unused())),
            *_unused(verdicts, groups, keys),
        ),
    )


def _declarations(source: Source, keys: Keys, renames: Iterable[Rename], verdicts: Iterable[Verdict]) -> Declarations:
    """Returns the renames and verdicts for one source."""
    return Declarations(
        keys,
        tuple(rename for rename in renames if rename.source == source.id),
        tuple(verdict for verdict in verdicts if verdict.source in ("", source.id)),
    )


def _unused(verdicts: tuple[Verdict, ...], groups: Iterable[ThreadGroup], keys: Keys) -> Iterator[Problem]:
    """Yields a problem for each name in a verdict that no term ever had as its preferred or admitted name."""
    had = _names_had(groups, keys) if verdicts else frozenset()
    for verdict in verdicts:
        where = f" in {verdict.source}" if verdict.source else ""
        for name in verdict.names:
            if (verdict.source, keys.key(name)) not in had:
                yield Problem(
                    path="site.toml",
                    line=verdict.line,
                    found=f"[[{verdict.kind}]] {name!r} is at no release the name of a term{where}",
                    wanted="write the name as the glossary has it, or once had it",
                )


def _names_had(groups: Iterable[ThreadGroup], keys: Keys) -> frozenset[tuple[str, str]]:
    """Returns (source id, key) and ("", key) for every name that a term ever had."""
    return frozenset(
        (place, key)
        for group in groups
        for _, (source, _, _, _, turned) in group
        for step in turned
        if step.entry
        for key in (keys.preferred(step.entry), *keys.admitted(step.entry))
        for place in ("", source.id)
    )


def _across(
    sources: Iterable[tuple[Source, Iterable[ThreadMember]]], *, keys: Keys, verdicts: tuple[Verdict, ...]
) -> list[ThreadGroup]:
    """Groups the threads of all sources by term."""
    groups: list[ThreadGroup] = []
    for source, members in sources:
        directory = _Directory(groups, keys, _declarations(source, keys, (), verdicts))
        for member in members:
            group = directory.home(member[0])
            if group is None:
                groups.append([member])
            else:
                group.append(member)
    return groups


class _Directory:
    """An index of the terms of all earlier sources by name."""

    def __init__(self, groups: list[ThreadGroup], keys: Keys, declarations: Declarations) -> None:
        self.keys = keys
        self.declarations = declarations
        self.taken: set[int] = set()
        self.by_name: dict[str, list[ThreadGroup]] = defaultdict(list)
        self.by_other_name: dict[str, list[ThreadGroup]] = defaultdict(list)
        for group in groups:
            for name, others in dict.fromkeys(self._names(thread) for thread, _ in group):
                self.by_name[name].append(group)
                for other in others:
                    self.by_other_name[other].append(group)

    def _names(self, thread: Thread) -> tuple[str, tuple[str, ...]]:
        assert thread.entry is not None
        return self.keys.preferred(thread.entry), self.keys.admitted(thread.entry)

    def home(self, thread: Thread) -> ThreadGroup | None:
        """Returns the term of earlier sources that this thread belongs to, or None. Each term is returned once."""
        if not self.by_name:
            return None
        name, others = self._names(thread)
        said = [group for other in self.declarations.same_as(name) for group in self.by_name.get(other, ())]
        candidates = (
            said,
            self.by_name[name],
            self.by_other_name[name],
            [group for other in others for group in self.by_name[other]],
        )
        for groups in candidates:
            free = [group for group in groups if id(group) not in self.taken and not self._apart(name, group)]
            if len(free) == 1 or (free and groups is self.by_name[name]):
                self.taken.add(id(free[0]))
                return free[0]
        return None

    def _apart(self, name: str, group: ThreadGroup) -> bool:
        return any(self.declarations.distinct(name, self._names(thread)[0]) for thread, _ in group)


def _terms(groups: Collection[ThreadGroup]) -> tuple[Term, ...]:
    key_of = {thread.key: group[0][0].key for group in groups for thread, _ in group}
    return tuple([_term(group, key_of) for group in groups])


def _term(group: ThreadGroup, key_of: Mapping[str, str]) -> Term:
    homonyms = {key_of[key] for thread, _ in group for key in thread.homonyms if key != thread.key}
    return Term(
        key=group[0][0].key,
        lanes=tuple([lane(course) for _, course in group]),
        ties=tuple([replace(tie, other=key_of[tie.other]) for thread, _ in group for tie in thread.ties]),
        homonyms=tuple(sorted(homonyms)),
    )


def is_beside(one: Source, other: Source) -> bool:
    """True if two sources are kept in the same repository, so that a term can move from one to the other."""
    return bool(one.repository) and one.repository == other.repository and not (one.undated or other.undated)


def is_between(release: str, last: str, absent: str, source: Source, other: Source) -> bool:
    """True if a release of `source` is later than `last` and not later than `absent`, two releases of `other`.

    Names decide if `other` has a release of this name too, else dates.
    """
    names = [one.name for one in other.releases]
    if release in names:
        return names.index(last) < names.index(release) <= names.index(absent)
    day = next(one.date for one in source.releases if one.name == release)
    first, end = (next(one.date for one in other.releases if one.name == name) for name in (last, absent))
    return bool(day and first and end and first <= day <= end)
