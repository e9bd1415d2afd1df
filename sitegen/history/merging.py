"""Decides which terms are the same: within a source (`matching`), then across sources.

It applies no rule that is weaker than the rules of `matching`. Changes between two releases are
computed in `lives`. A term whose document could not be read has the state "unread", not "absent".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sitegen.config.tables import Rename, Verdict
from sitegen.history.matching import add_release
from sitegen.history.source_terms import Declarations, KnownTerm, SourceTerms
from sitegen.model import Problem, Source
from sitegen.model.terms import Course, Term
from sitegen.text.names import Keys, did_you_mean


@dataclass(eq=False)
class TermGroup:
    """The same term in several sources."""

    members: list[tuple[KnownTerm, Course]]
    """The term of each source with its course, source by source."""

    @property
    def first(self) -> KnownTerm:
        """The term of the first source, whose key is that of all."""
        return self.members[0][0]


@dataclass(frozen=True, kw_only=True)
class Merged:
    terms: tuple[Term, ...]
    """In order of first appearance: by source, release, and position in the document."""
    problems: tuple[Problem, ...]


def merge(
    sources: Sequence[Source],
    *,
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> Merged:
    """Returns the terms that these sources define, each with a course for every source that ever
    defined the term.

    `renames` and `verdicts` come from site.toml and override every rule. A rename that applies to
    no release is reported as a problem, and so is a name in a verdict that no term ever had.
    """
    names_by_release = []
    for source in sources:
        for release in source.releases:
            names_by_release.append([entry.name for entry in release.entries])
    keys = Keys(names_by_release)

    # Match the entries of each source, then its terms with those of the sources before.
    groups: list[TermGroup] = []
    problems: list[Problem] = []
    unused: list[Rename] = []
    for source in sources:
        declarations = Declarations(source, keys, renames, verdicts)
        known = SourceTerms(source, declarations)
        for release in source.releases:
            add_release(known, release)
        problems += known.problems
        unused += [rename for rename in declarations.renames if rename not in declarations.applied]
        _add_source(known, groups)

    if unused or verdicts:
        problems += _table_problems(unused, verdicts, _names_had(groups, keys), keys)
    return Merged(terms=tuple(_terms(groups)), problems=tuple(problems))


def _add_source(known: SourceTerms, groups: list[TermGroup]) -> None:
    """Adds the terms of the next source to the groups of earlier sources. A term that is in no
    earlier source begins a group."""
    earlier_terms = _EarlierTerms(groups, known.declarations)
    for term, course in known.courses():
        group = earlier_terms.take_same(term)
        if group:
            group.members.append((term, course))
        else:
            groups.append(TermGroup([(term, course)]))


class _EarlierTerms:
    """An index of the terms of all earlier sources by name."""

    def __init__(self, groups: Iterable[TermGroup], declarations: Declarations) -> None:
        self.declarations = declarations
        self.used: set[TermGroup] = set()
        """The groups that `take_same` returned."""
        self.by_name: dict[str, list[TermGroup]] = defaultdict(list)
        self.by_other_name: dict[str, list[TermGroup]] = defaultdict(list)
        for group in groups:
            for term, _ in group.members:
                self.by_name[term.name_key].append(group)
                for other_name in term.other_name_keys:
                    self.by_other_name[other_name].append(group)

    def take_same(self, term: KnownTerm) -> TermGroup | None:
        """Returns the group of the earlier term that is the same, or None. Each group is returned
        once."""
        # The surest reason comes first.
        declared = self._with_names(self.declarations.same_as(term.name_key))
        by_name = self.by_name[term.name_key]
        by_their_other_name = self.by_other_name[term.name_key]
        by_own_other_name = self._with_names(term.other_name_keys)
        for groups in (declared, by_name, by_their_other_name, by_own_other_name):
            # A group is found by the name of each of its members.
            found = dict.fromkeys(groups)
            candidates = [group for group in found if self._may_be_same(term, group)]
            if not candidates:
                continue
            # Of two homonyms, the first is taken. Two candidates by another reason may mean
            # different things: then the next reason decides.
            are_homonyms = groups is by_name
            if len(candidates) == 1 or are_homonyms:
                self.used.add(candidates[0])
                return candidates[0]
        return None

    def _with_names(self, names: Iterable[str]) -> list[TermGroup]:
        """Returns the groups with one of these preferred names."""
        groups: list[TermGroup] = []
        for name in names:
            groups += self.by_name[name]
        return groups

    def _may_be_same(self, term: KnownTerm, group: TermGroup) -> bool:
        """False if the group was returned before, or if `[[distinct]]` in site.toml separates the
        term from it."""
        if group in self.used:
            return False
        for other, _ in group.members:
            if self.declarations.distinct(term.name_key, other.name_key):
                return False
        return True


NamesHad = Mapping[tuple[str, str], str]
"""(source id, key of a name that a term had) to a preferred name of that term. Each name is also
there with an empty id, which means any source."""


def _table_problems(
    unused: Iterable[Rename], verdicts: Iterable[Verdict], names_had: NamesHad, keys: Keys
) -> Iterator[Problem]:
    """Yields a problem for each name in verdicts and in unused renames that no term ever had. An
    unused rename of which both names are known is a problem too."""
    for verdict in verdicts:
        for found, wanted in _unknown_names(verdict.names, verdict.source, names_had, keys):
            yield verdict.settings_problem(f"[[{verdict.kind}]] {found}", wanted)
    for rename in unused:
        unknown_names = [*_unknown_names((rename.old, rename.new), rename.source, names_had, keys)]
        for found, wanted in unknown_names:
            yield rename.settings_problem(f"[[rename]] {found}", wanted)
        if not unknown_names:
            yield rename.settings_problem(
                f"[[rename]] {rename.old!r} to {rename.new!r} in {rename.source} applies to no "
                f"release",
                "the old name must be defined before, the new one at that release, and the old one "
                "must be gone there; if another term has it there, give the release in `release`",
            )


def _unknown_names(
    names: Iterable[str], source: str, names_had: NamesHad, keys: Keys
) -> Iterator[tuple[str, str]]:
    """Yields (what is wrong, what to write) for each of these names that no term ever had."""
    in_source = f" in {source}" if source else ""
    known_names = [had for (of_source, _), had in names_had.items() if of_source == source]
    for name in names:
        if (source, keys.key(name)) not in names_had:
            found = f"{name!r} is not the name of a term{in_source} at any release"
            otherwise = "write it as the glossary has it, or once had it"
            yield found, did_you_mean(name, known_names, otherwise=otherwise)


def _names_had(groups: Iterable[TermGroup], keys: Keys) -> NamesHad:
    """Returns all names that terms ever had. Of "Tensor, also Array" in the source `s`, both names
    lead to "Tensor": `("s", "array")` and `("", "array")`, and so on."""
    names_had: dict[tuple[str, str], str] = {}
    for group in groups:
        for _, course in group.members:
            for entry in course.span_entries:
                for key in (keys.preferred(entry), *keys.admitted(entry)):
                    names_had["", key] = entry.name
                    names_had[course.source.id, key] = entry.name
    return names_had


def _terms(groups: Sequence[TermGroup]) -> Iterator[Term]:
    """Yields the term of each group."""
    group_keys = {term.key: group.first.key for group in groups for term, _ in group.members}
    for group in groups:
        courses = [_with_group_keys(course, group_keys) for _, course in group.members]
        yield Term(key=group.first.key, courses=tuple(courses))


def _with_group_keys(course: Course, group_keys: Mapping[str, str]) -> Course:
    """Returns a course in which the keys of other terms are those of their groups. `group_keys`
    maps the key of a term in one source to that of its group: `b:tensor` to `a:tensor`, if the
    sources a and b have this term."""
    spans = []
    for span in course.spans:
        if span.other:
            span = span._replace(other=group_keys[span.other])
        spans.append(span)
    return replace(course, spans=tuple(spans))
