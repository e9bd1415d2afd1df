"""Decides which entries are the same term: within a source (`matching`), then across sources.

It applies no rule that is weaker than the rules of `matching`. Changes between two releases are computed in
`changes`. A term whose document could not be read has the state "unread", not "absent".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from sitegen.history.matching import Chain, Declarations, Thread
from sitegen.model import Edition, Problem, Rename, Source, Verdict
from sitegen.model.terms import Lane, Term
from sitegen.text import names
from sitegen.text.names import Keys

ThreadGroup = list[tuple[Thread, Lane]]
"""The threads of one term with their lanes, source by source."""


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
    sources = tuple(sources)
    keys = names.keys(edition for _, editions in sources for edition in editions)
    groups: list[ThreadGroup] = []
    problems: list[Problem] = []
    for source, editions in sources:
        chain = Chain(source, Declarations(source, keys, renames, verdicts))
        for edition in editions:
            chain.read(edition)
        problems += (*chain.problems, *chain.unused())
        _add(chain, groups)
    problems += _unused(verdicts, groups, keys)
    key_of = {thread.key: group[0][0].key for group in groups for thread, _ in group}
    return Merged(terms=tuple([_term(group, key_of) for group in groups]), problems=tuple(problems))


def _add(chain: Chain, groups: list[ThreadGroup]) -> None:
    """Adds each thread of the next source to the term of earlier sources that it belongs to, or as a new term."""
    terms = _EarlierTerms(groups, chain.declarations)
    for thread, lane in chain.lanes():
        group = terms.of(thread)
        if group is None:
            groups.append(group := [])
        group.append((thread, lane))


class _EarlierTerms:
    """An index of the terms of all earlier sources by name."""

    def __init__(self, groups: Iterable[ThreadGroup], declarations: Declarations) -> None:
        self.declarations = declarations
        self.used: set[int] = set()
        self.by_name: dict[str, list[ThreadGroup]] = defaultdict(list)
        self.by_other_name: dict[str, list[ThreadGroup]] = defaultdict(list)
        for group in groups:
            for name, others in dict.fromkeys((thread.name, thread.other_names) for thread, _ in group):
                self.by_name[name].append(group)
                for other in others:
                    self.by_other_name[other].append(group)

    def of(self, thread: Thread) -> ThreadGroup | None:
        """Returns the term that this thread belongs to, or None. Each term is returned once."""
        if not self.by_name:
            return None
        declared, of_name = self.declarations.same_as(thread.name), self.by_name[thread.name]
        for groups in (
            [group for name in declared for group in self.by_name[name]],
            of_name,
            self.by_other_name[thread.name],
            [group for name in thread.other_names for group in self.by_name[name]],
        ):
            free = [group for group in groups if id(group) not in self.used and not self._is_distinct(thread, group)]
            if len(free) == 1 or (free and groups is of_name):
                self.used.add(id(free[0]))
                return free[0]
        return None

    def _is_distinct(self, thread: Thread, group: ThreadGroup) -> bool:
        return any(self.declarations.distinct(thread.name, other.name) for other, _ in group)


def _unused(verdicts: tuple[Verdict, ...], groups: Iterable[ThreadGroup], keys: Keys) -> Iterator[Problem]:
    """Yields a problem for each name in a verdict that no term ever had as its preferred or admitted name."""
    names_had = _names_had(groups, keys) if verdicts else frozenset()
    for verdict in verdicts:
        place = f" in {verdict.source}" if verdict.source else ""
        for name in verdict.names:
            if (verdict.source, keys.key(name)) not in names_had:
                yield Problem(
                    path="site.toml",
                    line=verdict.line,
                    found=f"[[{verdict.kind}]] {name!r} is at no release the name of a term{place}",
                    wanted="write the name as the glossary has it, or once had it",
                )


def _names_had(groups: Iterable[ThreadGroup], keys: Keys) -> frozenset[tuple[str, str]]:
    """Returns (source id, key) and ("", key) for every name that a term ever had."""
    return frozenset(
        (source, key)
        for group in groups
        for _, lane in group
        for step in lane.turned
        if step.entry
        for key in (keys.preferred(step.entry), *keys.admitted(step.entry))
        for source in ("", lane.source.id)
    )


def _term(group: ThreadGroup, key_of: Mapping[str, str]) -> Term:
    homonyms = {key_of[key] for thread, _ in group for key in thread.homonyms if key != thread.key}
    return Term(
        key=group[0][0].key,
        lanes=tuple([lane for _, lane in group]),
        ties=tuple([replace(tie, other=key_of[tie.other]) for thread, _ in group for tie in thread.ties]),
        homonyms=tuple(sorted(homonyms)),
    )
